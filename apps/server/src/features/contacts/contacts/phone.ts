import { foldPhone, parsePhoneNumber } from '../../../kit/phone-numbers.ts'

/**
 * What a person typed, as the same text; undefined when no such number can exist. With `+` or `00` it is international;
 * without, it is Brazilian with its area code when that gives a number, else international without its plus.
 */
export const parsePhone = (typed: string): string | undefined => {
  const digits = typed.replace(/\D/g, '')
  if (/^\s*\(?\d/.test(typed) && commonMobile.test(digits)) return `55${digits}`
  const isInternational = /^\s*(\+|00)/.test(typed)
  const international = `+${digits.replace(/^00/, '')}`
  return (isInternational ? undefined : e164Of(digits, 'BR')) ?? e164Of(international)
}

/**
 * What most people type, known without the world's numbering plans: an import asks a hundred thousand times. Twelve and
 * thirteen digits may be of another country, and are asked about.
 */
const commonMobile = /^(?:[14689][1-9]|2[12478]|3[1-578]|5[1345]|7[134579])9[6-9]\d{7}$/

/** Whether a cell of a list is meant as a telephone; whether one can exist, `parsePhone` says. */
export const isMeantAsPhone = (cell: string) => /^\+?[\d\s()./-]{6,25}$/.test(cell) && /^\+|\d{4}/.test(cell)

const e164Of = (text: string, country?: 'BR') => {
  const parsed = parsePhoneNumber(text, country ? { defaultCountry: country, extract: false } : { extract: false })
  if (!parsed) return undefined
  const folded = foldPhone(parsed.number.slice(1))
  const again = parsePhoneNumber(`+${folded}`)
  // Digits that look like a trunk prefix may be taken off once more: then it was no number.
  return again?.isValid() && again.number === `+${folded}` ? folded : undefined
}
