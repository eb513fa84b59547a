import type { Abilities } from '../channels/abilities.ts'
import type { Interactive } from './messages.ts'

export const mostChoices = 10
/** The longest title of a button, or of a row of a list. */
export const longestChoice = 24
export const tooManyChoices = `Use no máximo ${mostChoices} opções.`

/** What is wrong with buttons or a list, in one sentence. */
export const choiceProblem = ({ kind, options }: Interactive): string | undefined => {
  if (kind === 'poll') return 'Escolha botões ou lista.'
  if (!options.length) return 'Escreva pelo menos uma opção.'
  if (options.length > mostChoices) return tooManyChoices
  if (options.some(({ title }) => title.length > longestChoice))
    return `Cada opção tem no máximo ${longestChoice} caracteres.`
  return repeatedChoice(options)
}

/** Two options that read the same, or that come back as the same. */
export const repeatedChoice = (options: Interactive['options']): string | undefined => {
  const isRepeated = (values: string[]) => new Set(values).size < values.length
  if (isRepeated(options.map(({ title }) => title.toLowerCase()))) return 'Escreva opções diferentes.'
  return isRepeated(options.map(({ id }) => id)) ? 'Cada opção precisa do seu próprio código.' : undefined
}

/** What a channel makes of a message with choices: as asked where it can, else the other way, else a numbered text. */
export const carriedAs = (
  channel: Pick<Abilities, 'supports' | 'buttonLimits'>,
  { kind, options }: Interactive,
  body: string,
): Interactive['kind'] | 'text' => {
  const { supports, buttonLimits: limits } = channel
  // Whoever presses a button has not voted: what cannot be a poll is read.
  if (kind === 'poll') return supports.includes('poll') ? 'poll' : 'text'
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
