import { withoutMarks } from '../conversations/user-text.ts'

/** GSM 03.38, the seven-bit alphabet every phone has, and what it writes with an escape before it. */
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const extension = '\f^{}\\[~]|€'

const widths = new Map<string, number>([
  ...[...basic].map((sign): [string, number] => [sign, 1]),
  ...[...extension].map((sign): [string, number] => [sign, 2]),
])

export type SmsEncoding = 'GSM-7' | 'UCS-2'
/** What a text alone may fill, and each part of a longer one: six bytes of it say which part it is. */
export const smsSizes: Record<SmsEncoding, { alone: number; part: number }> = {
  'GSM-7': { alone: 160, part: 153 },
  'UCS-2': { alone: 70, part: 67 },
}

export type SmsCount = {
  encoding: SmsEncoding
  /** In units of the encoding: what needs an escape counts twice, so does what needs two UTF-16 units. */
  units: number
  segments: number
  /** Units that still fit without a further segment. */
  left: number
}

/** How a text travels by SMS: one sign outside the seven-bit alphabet makes all of it UCS-2. */
export const countSms = (text: string): SmsCount => {
  const signs = [...text]
  const encoding: SmsEncoding = signs.every((sign) => widths.has(sign)) ? 'GSM-7' : 'UCS-2'
  const sizes = signs.map((sign) => (encoding === 'GSM-7' ? (widths.get(sign) ?? 1) : sign.length))
  const units = sizes.reduce((sum, size) => sum + size, 0)
  const { alone, part } = smsSizes[encoding]
  if (units <= alone) return { encoding, units, segments: units ? 1 : 0, left: alone - units }
  let [segments, filled] = [1, 0]
  for (const size of sizes) {
    // No sign is torn apart: what does not fit whole begins the next part.
    if (filled + size > part) [segments, filled] = [segments + 1, 0]
    filled += size
  }
  return { encoding, units, segments, left: part - filled }
}

/** How a connection sends by SMS, as its abilities tell. */
export type SmsWays = {
  /** Accents and typographic signs are written plainly, so that more fits. */
  isPlain: boolean
  /** What one costs, in reais; null: nobody said. */
  price: number | null
  /** The provider charges by so many letters, whatever the encoding; null: by segment. */
  chargedBy: number | null
}

/** A text as it leaves, what it makes of it, and what it costs. */
export const smsOf = (text: string, { isPlain, price, chargedBy }: SmsWays) => {
  const sent = smsText(text, isPlain)
  const count = countSms(sent)
  const charged = chargedBy ? Math.ceil([...sent].length / chargedBy) : count.segments
  return { ...count, sent, charged, cost: price === null ? null : charged * price }
}

/** Nobody's phone makes *this* bold. */
export const smsText = (text: string, isPlain: boolean): string =>
  isPlain ? plainSms(withoutMarks(text)) : withoutMarks(text)

/** Letters without their accents, quotes and dashes as a typewriter has them; what has no plain form stays. */
export const plainSms = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replace(/[‘’‚′´`]/g, "'")
    .replace(/[“”„″«»]/g, '"')
    .replace(/[‐-―−]/g, '-')
    .replace(/…/g, '...')
    .replace(/•/g, '-')
    .replace(/º/g, 'o')
    .replace(/ª/g, 'a')
    .replace(/[\u00a0\u2000-\u200a\u202f]/g, ' ')
    .replace(/[\u200b\u2060\ufeff]/g, '')
