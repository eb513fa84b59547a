import { createRequire } from 'node:module'
import type * as Numbers from 'libphonenumber-js/max'

/** The world's numbering plans, read with the first number: starting does not wait for their hundred files. */
export const parsePhoneNumber: typeof Numbers.parsePhoneNumberFromString = (...given: [string]) =>
  numbers().parsePhoneNumberFromString(...given)

const numbers = () => (known ??= createRequire(import.meta.url)('libphonenumber-js/max') as typeof Numbers)
let known: typeof Numbers | undefined
