import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { UserText } from '../../../ui/user-text.tsx'
import classes from './long-text.module.css'

const mostLetters = 1_600
const mostLines = 26

/** A text that would fill the screen shows its beginning; the rest is one click away. */
export const LongText = ({ text, className }: { text: string; className?: string }) => {
  const [isWhole, setWhole] = useState(false)
  if (!isGiant(text)) return <UserText text={text} className={className} />
  return (
    <span className={classes.long}>
      <span className={classes.words} data-whole={isWhole}>
        <UserText text={text} className={className} />
      </span>
      <UnstyledButton className={classes.more} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? 'Ver menos' : 'Ver mais'}
      </UnstyledButton>
    </span>
  )
}

const isGiant = (text: string) => text.length > mostLetters || text.split('\n', mostLines + 1).length > mostLines
