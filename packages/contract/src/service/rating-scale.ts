import type { Abilities } from '../channels/abilities.ts'
import { carriedAs } from '../conversations/interactive.ts'
import type { Interactive } from '../conversations/messages.ts'
import { cutText } from '../core/cut-text.ts'
import type { RatingSettings } from './ratings.ts'

type Option = Pick<RatingSettings['options'][number], 'value' | 'label'>
type Scale = Pick<RatingSettings, 'question'> & { options: readonly Option[] }

/** The question as this channel carries it: buttons or a list where it has them, else the grades as text. */
export const scaleMessage = (
  { question, options }: Scale,
  abilities: Pick<Abilities, 'supports' | 'buttonLimits'>,
  idOf = choiceOf,
): { body: string; interactive?: Interactive } => {
  const interactive: Interactive = {
    kind: options.length > 3 ? 'list' : 'buttons',
    header: '',
    footer: '',
    button: 'Avaliar',
    options: options.map((one) => ({ id: idOf(one), title: titleOf(one), description: '' })),
  }
  // By their grades, not by their places: who types instead of pressing means the grade.
  const asText = `${question}\n\n${options.map((one) => lineOf(one)).join('\n')}`
  const fits = options.length <= 10 && carriedAs(abilities, interactive, question) !== 'text'
  return fits ? { body: question, interactive } : { body: asText }
}

/** What a pressed grade says of itself, whatever stands on it. */
export function choiceOf({ value }: Pick<Option, 'value'>) {
  return `nota:${value}`
}

export type Grade = {
  value: number
  /** What else they wrote. */
  comment: string
}

/** The grade in what a customer wrote or pressed: its number, its words, or the number with a comment after it. */
export const readGrade = (options: readonly Option[], text: string): Grade | undefined => {
  const clean = text
    .slice(0, mostRead)
    .normalize('NFKC')
    .replace(/[\uFE0F\u20E3*_]/g, '')
    .trim()
  return gradeIn(options, clean) ?? gradeIn(options, bare(clean))
}

/** What is trimmed costs the square of its length; of a comment no more is kept. */
const mostRead = 1_200

/** Without what people put around a grade: emoji, quotes, brackets; stars are counted, and a word stands for its number. */
const bare = (text: string): string => {
  if (/^[⭐🌟★\s]+$/u.test(text)) return String([...text.replace(/\s/g, '')].length)
  const words = text
    .replace(/[\p{Extended_Pictographic}\p{Emoji_Modifier}\u200D]/gu, '')
    .replace(/^[\s"'“”(]+|[\s"'“”).!]+$/g, '')
  const number = numbers.indexOf(plain(words))
  return number < 0 ? words : String(number)
}
const numbers = ['zero', 'um', 'dois', 'tres', 'quatro', 'cinco', 'seis', 'sete', 'oito', 'nove', 'dez']

const gradeIn = (options: readonly Option[], clean: string): Grade | undefined => {
  const named = options.find(({ label }) => plain(label) === plain(clean))
  if (named) return { value: named.value, comment: '' }

  const [, digits, sign, rest = ''] =
    /^(?:nota\s*:?\s*)?(\d{1,2})(?!\d)\s*(?:(?:estrelas?|pontos?)?\s*$|([-–—.,;:!)/\n])\s*(.*)$)/is.exec(clean) ?? []
  if (digits === undefined) return undefined
  const best = Math.max(...options.map(({ value }) => value))
  // "4,5", "1:30", "3-4 unidades" and "5/12" are no grades; "8/10" is one.
  if (/^\d/.test(rest) && !(sign === '/' && Number(rest) === best)) return undefined
  const option = options.find(({ value }) => value === Number(digits))
  if (!option) return undefined
  const isEcho = sign === '/' || plain(rest) === plain(option.label) || titleOf(option) === clean
  return { value: option.value, comment: isEcho ? '' : cutText(rest.trim(), 1_000) }
}

const lineOf = ({ value, label }: Option) => `${value} – ${label}`
/** As long as every channel takes. */
const titleOf = (option: Option) => {
  const line = lineOf(option)
  return line.length > 24 ? `${cutText(line, 23)}…` : line
}
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[.!…\s]+$/g, '')
    .replace(/\s+/g, ' ')
    .trim()
