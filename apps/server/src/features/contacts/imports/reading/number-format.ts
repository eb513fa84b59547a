/** How a number of a sheet is shown: a day, a moment, an hour, a share, or with so many digits after and before the comma. */
export type NumberFormat =
  | { kind: 'day' | 'moment' | 'time' }
  | { kind: 'number'; decimals: number; digits: number; isPercent: boolean }

/** Formats that every workbook has without naming them. */
const builtIn = (number: number): string | undefined => {
  if ((number >= 14 && number <= 17) || (number >= 27 && number <= 36)) return 'dd/mm/yyyy'
  if (number === 22) return 'dd/mm/yyyy hh:mm'
  if ((number >= 18 && number <= 21) || (number >= 45 && number <= 47)) return 'hh:mm'
  if ([2, 4, 7, 8, 39, 40, 43, 44].includes(number)) return '0.00'
  if (number === 9) return '0%'
  return number === 10 ? '0.00%' : undefined
}

/** Of a style's format, by its number or its own code; undefined: as it is. */
export const numberFormatOf = (number: number, own: string | undefined): NumberFormat | undefined => {
  const [code = ''] = (own ?? builtIn(number) ?? '').replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '').split(';')
  const hasHours = /h/i.test(code)
  if (/[dy]/i.test(code)) return { kind: hasHours ? 'moment' : 'day' }
  if (hasHours || /m+:s/i.test(code)) return { kind: 'time' }
  // What stands between the digits of a CPF or a phone is not told, as it is no part of the number.
  const [whole = '', decimals = ''] = code.replace(/[^0#?,.]/g, '').split('.')
  if (!/[0#]/.test(whole) || /e[+-]/i.test(code)) return undefined
  const digits = whole.includes(',') ? 1 : whole.replaceAll('#', '').replaceAll('?', '').length
  return { kind: 'number', decimals: Math.min(decimals.length, 10), digits, isPercent: code.includes('%') }
}

/** As people read it in Brazil; thousands stand without a point, so that what is a number stays one. */
export const numberText = (value: number, format: NumberFormat | undefined): string => {
  // More digits than these are what is left of counting in twos.
  const exact = Number(value.toPrecision(15))
  if (format?.kind !== 'number') return plain(exact)
  const { decimals, digits, isPercent } = format
  const shown = isPercent ? Number((exact * 100).toPrecision(15)) : exact
  if (!decimals && !isPercent && !Number.isInteger(shown)) return plain(exact)
  const text = decimals || isPercent ? shown.toFixed(decimals).replace('.', ',') : plain(shown)
  const [, minus = '', rest = text] = /^(-?)(.*)$/.exec(text) ?? []
  const [whole = '', part] = rest.split(',')
  return `${minus}${whole.padStart(digits, '0')}${part === undefined ? '' : `,${part}`}${isPercent ? '%' : ''}`
}

const plain = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 1e18 ? BigInt(value).toString() : String(value).replace('.', ',')

/** "14:30" of the part of a day that a number's fraction is. */
export const timeText = (days: number): string => {
  const minutes = Math.round((days - Math.floor(days)) * 1_440) % 1_440
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
