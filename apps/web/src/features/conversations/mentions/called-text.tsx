import { mentionsIn } from '@balcao/contract/conversations/mentions.ts'
import { Fragment, useMemo } from 'react'
import { UserText } from '../../../ui/user-text.tsx'
import classes from './called-text.module.css'

type Called = { name: string; isMe?: boolean }
type Props = { text: string; called: readonly Called[]; className?: string }

/** Words with whom they call as chips; a call for me, or for us, stands out. */
export const CalledText = ({ text, called, className }: Props) => {
  const places = useMemo(() => mentionsIn(text, called), [text, called])
  const ends = [0, ...places.map((place) => place.end)]
  return (
    <span className={className}>
      {places.map((place, index) => (
        <Fragment key={place.start}>
          <UserText text={text.slice(ends[index], place.start)} />
          <span className={classes.chip} data-me={place.of.some((one) => one.isMe)}>
            {text.slice(place.start, place.end)}
          </span>
        </Fragment>
      ))}
      <UserText text={text.slice(ends.at(-1))} />
    </span>
  )
}
