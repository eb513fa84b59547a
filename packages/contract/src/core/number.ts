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
  const amount = text.trim()
  // Nobody writes an amount so long: what trims it costs the square of its length.
  if (amount.length > 100) return undefined
  const reais = readNumber(amount.replace(/^r\$/i, '').replace(/\s*reais$/i, ''))
  return reais === undefined ? undefined : Math.round(reais * 100)
}
