import { filledParts, renderTemplate } from '@balcao/contract/channels/template-text.ts'
import type { TemplateShape, TemplateUse } from '@balcao/contract/channels/templates.ts'
import { IconArrowBackUp, IconCopy, IconExternalLink, IconPhone } from '@tabler/icons-react'
import { Fragment } from 'react'
import { UserText } from '../../../ui/user-text.tsx'
import classes from './choices.module.css'

type Values = Pick<TemplateUse, 'header' | 'body' | 'buttons'>
type Props = {
  shape: TemplateShape
  use: Values
  /** While it is being filled in: the places are marked, filled or not. */
  isDraft?: boolean
}

/** A template as the customer reads it; its file is drawn by whoever has it. */
export const TemplateView = ({ shape, use, isDraft = false }: Props) => {
  const shown = renderTemplate(shape, use)
  const header = shape.header?.kind === 'text' ? shape.header : null
  return (
    <>
      {header && <strong className={classes.header}>{isDraft ? marked(header, use.header) : shown.header}</strong>}
      {isDraft ? (
        <UserText text={withMarks(shape.body, use.body)} drawText={drawMarks} />
      ) : (
        <UserText text={shown.body} />
      )}
      {shown.footer && <span className={classes.footer}>{shown.footer}</span>}
      {shown.buttons.length > 0 && (
        <ul className={classes.options} aria-label="Botões">
          {shown.buttons.map(({ kind, text, value }) => {
            const Icon = icons[kind]
            return (
              <li key={`${kind}-${text}`} title={value || undefined}>
                <Icon size={15} stroke={1.75} aria-hidden /> <span className="truncate">{text}</span>
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}

const icons = { reply: IconArrowBackUp, url: IconExternalLink, phone: IconPhone, code: IconCopy }

/** A sign nobody types and nobody sees: where a place begins and ends, through WhatsApp's own formatting. */
const edge = '\u2063'
type Text = Parameters<typeof filledParts>[0]
const withMarks = (text: Text, values: readonly string[]) =>
  filledParts(text, values)
    .map((part) => (part.place === null ? part.text : edge + part.text + edge))
    .join('')
const drawMarks = (text: string) =>
  text.split(edge).map((piece, at) => {
    const key = `${at}-${piece}`
    return at % 2 ? <Mark key={key} text={piece} /> : <Fragment key={key}>{piece}</Fragment>
  })
const marked = (text: Text, values: readonly string[]) => drawMarks(withMarks(text, values))

const Mark = ({ text }: { text: string }) => (
  <mark className={classes.mark} data-empty={/^\{\{\s*\w+\s*\}\}$/.test(text)}>
    {text}
  </mark>
)
