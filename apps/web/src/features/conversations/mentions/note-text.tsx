import { mentionsIn } from '@balcao/contract/conversations/mentions.ts'
import type { MessagePayload } from '@balcao/contract/conversations/messages.ts'
import { Fragment, useMemo } from 'react'
import { useCurrentSession } from '../../../kit/session.ts'
import { UserText } from '../../../ui/user-text.tsx'
import classes from './note-text.module.css'

type Props = { text: string; mentions: NonNullable<MessagePayload['mentions']>; className?: string }

/** The words of a note, with whom it calls as chips; a call for me stands out. */
export const NoteText = ({ text, mentions, className }: Props) => {
  const { userId, user } = useCurrentSession()
  const places = useMemo(() => mentionsIn(text, mentions), [text, mentions])
  const mine = new Set([userId, ...user.queues.map((queue) => queue.id)])
  const ends = [0, ...places.map((place) => place.end)]
  return (
    <span className={className}>
      {places.map((place, index) => (
        <Fragment key={place.start}>
          <UserText text={text.slice(ends[index], place.start)} />
          <span className={classes.chip} data-me={place.of.some((one) => mine.has(one.id))}>
            {text.slice(place.start, place.end)}
          </span>
        </Fragment>
      ))}
      <UserText text={text.slice(ends.at(-1))} />
    </span>
  )
}
