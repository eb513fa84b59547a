/**
 * Numbers as people here write them: `1.234,56`, and `1234.56` as well. A point before three digits divides thousands.
 */
export const readNumber = (text: string): number | undefined => {
  const plain = text.trim().replace(/\s/g, '')
  const digits = /^[-+]?\d{1,3}(\.\d{3})+(,\d+)?$/.test(plain) ? plain.replaceAll('.', '') : plain
  const value = digits.replace(',', '.')
  const number = /^[-+]?(\d+(\.\d+)?|\.\d+)$/.test(value) ? Number(value) : undefined
  // More digits than a number holds are none.
  return Number.isFinite(number) ? number : undefined
}

/** Reais as people write them, in cents: `R$ 1.234,56`. */
export const readCents = (text: string): number | undefined => {
  const reais = readNumber(text.replace(/^\s*r\$/i, '').replace(/\s*reais\s*$/i, ''))
  return reais === undefined ? undefined : Math.round(reais * 100)
}
