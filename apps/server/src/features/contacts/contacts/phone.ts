import { parsePhoneNumber } from '../../../kit/phone-numbers.ts'

/**
 * One phone, one text: E.164 without the plus.
 *
 * Brazil gave its mobiles a ninth digit between 2012 and 2016, and providers still name old accounts without it: WhatsApp
 * says `55 31 8765-4321` where the person says `31 98765-4321`. Both fold to the form with the 9. Eight digits that begin
 * with 6, 7, 8 or 9 were mobiles; with 2, 3, 4 or 5 they are landlines and stay as they are.
 */
export const foldPhone = (digits: string): string => {
  const [, area, rest] = /^55([1-9]{2})([6-9]\d{7})$/.exec(digits) ?? []
  return area && rest ? `55${area}9${rest}` : digits
}

/**
 * What a person typed, as the same text; undefined when no such number can exist. With `+` or `00` it is international;
 * without, it is Brazilian with its area code when that gives a number, else international without its plus.
 */
export const parsePhone = (typed: string): string | undefined => {
  const digits = typed.replace(/\D/g, '')
  const isInternational = /^\s*(\+|00)/.test(typed)
  const international = `+${digits.replace(/^00/, '')}`
  return (isInternational ? undefined : e164Of(digits, 'BR')) ?? e164Of(international)
}

const e164Of = (text: string, country?: 'BR') => {
  const parsed = parsePhoneNumber(text, country ? { defaultCountry: country, extract: false } : { extract: false })
  if (!parsed) return undefined
  const folded = foldPhone(parsed.number.slice(1))
  return parsePhoneNumber(`+${folded}`)?.isValid() ? folded : undefined
}
