import { createRequire } from 'node:module'
import type * as Numbers from 'libphonenumber-js/max'

/** The world's numbering plans, read with the first number: starting does not wait for their hundred files. */
export const parsePhoneNumber: typeof Numbers.parsePhoneNumberFromString = (...given: [string]) =>
  numbers().parsePhoneNumberFromString(...given)

const numbers = () => (known ??= createRequire(import.meta.url)('libphonenumber-js/max') as typeof Numbers)
let known: typeof Numbers | undefined

/** Digits as people read them, in Brazil as everywhere else here: "+55 11 98765-4321", "+351 912 345 678". */
export const readablePhone = (digits: string): string => {
  const parsed = parsePhoneNumber(`+${digits}`)
  if (!parsed) return `+${digits}`
  const text = parsed.formatInternational()
  return parsed.countryCallingCode === '55' ? text.replace(/ (?=\d{4}$)/, '-') : text
}

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

/** As others may name it: all that `foldPhone` makes one. */
export const formsOfPhone = (digits: string): string[] => {
  const [, area, rest] = /^55([1-9]{2})9([6-9]\d{7})$/.exec(digits) ?? []
  return area && rest ? [digits, `55${area}${rest}`] : [digits]
}
