import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Fonts that come with npm packages, so that accents, other alphabets and emoji show on every machine. */
export const textFont = fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'))
export const boldFont = fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'))

export type Run = { font: string | null; text: string }

/** Pieces of a text, each with the emoji font it needs; null: the text font. */
export const runsOf = (text: string): Run[] => {
  if (!isEmoji.test(text)) return [{ font: null, text }]
  const runs: Run[] = []
  for (const { segment } of graphemes.segment(text)) {
    const found = isEmoji.test(segment) ? emojiOf(segment) : null
    const piece = found ?? { font: null, text: segment }
    const last = runs.at(-1)
    if (last && last.font === piece.font) last.text += piece.text
    else runs.push({ ...piece })
  }
  return runs
}

const isEmoji = /\p{Emoji_Presentation}|\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u
const graphemes = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' })

type Subset = { font: string; has: (point: number) => boolean }
let subsets: Subset[] | undefined

/** The package cuts the font into pieces; a sequence needs one that has all of it, else its first sign stands for it. */
const emojiOf = (segment: string): Run | null => {
  subsets ??= readSubsets()
  const points = Array.from(segment, (sign) => sign.codePointAt(0) ?? 0)
  const whole = subsets.find((subset) => points.every(subset.has))
  if (whole) return { font: whole.font, text: segment }
  const [first = 0] = points
  const part = subsets.find((subset) => subset.has(first))
  return part ? { font: part.font, text: String.fromCodePoint(first) } : null
}

const readSubsets = (): Subset[] => {
  const folder = dirname(fileURLToPath(import.meta.resolve('@fontsource/noto-emoji/unicode.json')))
  const told: Record<string, string> = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8'))
  return Object.entries(told).map(([name, ranges]) => {
    const parsed = ranges.split(',').map((range) => {
      const [from = 0, to = from] = range
        .replace(/^U\+/i, '')
        .split('-')
        .map((hex) => Number.parseInt(hex, 16))
      return { from, to }
    })
    return {
      font: join(folder, `files/noto-emoji-${name.replace(/\D/g, '')}-400-normal.woff`),
      has: (point) => parsed.some(({ from, to }) => point >= from && point <= to),
    }
  })
}
