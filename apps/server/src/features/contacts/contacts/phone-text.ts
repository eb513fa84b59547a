import { parsePhoneNumber } from '../../../kit/phone-numbers.ts'

/** "(11) 98765-4321"; abroad "351 912 345 678": without its plus, which a spreadsheet takes for a formula. */
export const phoneText = (number: string): string => {
  const parsed = parsePhoneNumber(`+${number}`)
  if (!parsed) return number
  return parsed.country === 'BR' ? parsed.formatNational() : parsed.formatInternational().slice(1)
}
