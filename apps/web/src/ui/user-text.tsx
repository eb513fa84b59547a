import { parseUserText, type TextPart } from '@balcao/contract/conversations/user-text.ts'
import { Fragment, type ReactNode, useMemo } from 'react'
import classes from './user-text.module.css'

type Props = {
  text: string
  className?: string
  /** How plain words are drawn, where they are more than words. */
  drawText?: (text: string) => ReactNode
}

/** A customer's or colleague's words, safe, with links and WhatsApp formatting. Line breaks are kept. */
export const UserText = ({ text, className, drawText = (words) => words }: Props) => {
  const parts = useMemo(() => parseUserText(text), [text])
  return <span className={[classes.text, className].filter(Boolean).join(' ')}>{draw(parts, drawText)}</span>
}

type DrawText = (text: string) => ReactNode
const draw = (parts: TextPart[], drawText: DrawText): ReactNode =>
  parts.map((part, index) => drawPart(part, `${index}`, drawText))

const drawPart = (part: TextPart, key: string, drawText: DrawText): ReactNode => {
  switch (part.kind) {
    case 'text':
      return <Fragment key={key}>{drawText(part.text)}</Fragment>
    case 'mono':
      return <code key={key}>{part.text}</code>
    case 'link':
      return (
        <a key={key} href={part.href} target="_blank" rel="noopener noreferrer nofollow">
          {part.text}
        </a>
      )
    case 'bold':
      return <strong key={key}>{draw(part.parts, drawText)}</strong>
    case 'italic':
      return <em key={key}>{draw(part.parts, drawText)}</em>
    case 'strike':
      return <s key={key}>{draw(part.parts, drawText)}</s>
  }
}
