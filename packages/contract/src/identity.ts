/**
 * CPF and CNPJ by their check digits. Since July 2026 a CNPJ may carry letters in all but its last two places; a letter
 * counts as its ASCII code less 48, which leaves the digits of the older ones as they were.
 */
export const isIdentity = (text: string): boolean => {
  const plain = plainIdentity(text)
  if (/^(.)\1*$/.test(plain)) return false // 111.111.111-11 passes the sum, and is nobody's
  if (/^\d{11}$/.test(plain)) return hasCheckDigits(plain, 11)
  return /^[A-Z\d]{12}\d{2}$/.test(plain) && hasCheckDigits(plain, 9)
}

/** CPF or CNPJ as it is written on paper; anything else as it is. */
export const showIdentity = (text: string): string => {
  const plain = plainIdentity(text)
  if (/^\d{11}$/.test(plain)) return plain.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4')
  if (/^[A-Z\d]{12}\d{2}$/.test(plain)) return plain.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5')
  return text
}

/** As it is kept and looked for: without its points and bars. */
export const plainIdentity = (text: string) => text.replace(/[\s./-]/g, '').toUpperCase()

/** Modulo 11 with weights from 2 upwards, from the right; after `heaviest` they begin again. */
const hasCheckDigits = (plain: string, heaviest: number): boolean =>
  [2, 1].every((fromEnd) => {
    const counted = [...plain.slice(0, -fromEnd)].reverse()
    const sum = counted.reduce((total, sign, at) => total + (sign.charCodeAt(0) - 48) * (2 + (at % (heaviest - 1))), 0)
    const rest = sum % 11
    return Number(plain.at(-fromEnd)) === (rest < 2 ? 0 : 11 - rest)
  })
