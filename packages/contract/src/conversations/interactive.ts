import type { Abilities } from '../channels/abilities.ts'
import type { Interactive } from './messages.ts'

/** What a channel makes of a message with choices: as asked where it can, else the other way, else a numbered text. */
export const carriedAs = (
  channel: Pick<Abilities, 'supports' | 'buttonLimits'>,
  { kind, options }: Interactive,
  body: string,
): 'buttons' | 'list' | 'text' => {
  const { supports, buttonLimits: limits } = channel
  const fitsButtons =
    supports.includes('buttons') &&
    (!limits ||
      (options.length <= limits.most &&
        body.length <= limits.body &&
        options.every(({ title }) => title.length <= limits.title)))
  const can = { buttons: fitsButtons, list: supports.includes('list') }
  const other = kind === 'buttons' ? 'list' : 'buttons'
  if (can[kind]) return kind
  return can[other] ? other : 'text'
}

/** The choices as a text: "1. Sim". */
export const numberedText = ({ header, footer, options }: Interactive, body: string): string => {
  const lines = options.map(({ title, description }, at) =>
    description ? `${at + 1}. ${title} – ${description}` : `${at + 1}. ${title}`,
  )
  return [header, body, lines.join('\n'), footer].filter(Boolean).join('\n\n')
}
