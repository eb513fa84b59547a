import type { MeasureUnit } from './measures.ts'

/** `2 h 05 min`, `3 min 20 s`, `8 s`; nothing where nothing is. */
export const durationText = (seconds: number | null | undefined): string => {
  if (seconds === null || seconds === undefined) return ''
  const whole = Math.round(seconds)
  const [days, hours, minutes] = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3_600) % 24,
    Math.floor(whole / 60) % 60,
  ]
  const two = (count: number) => String(count).padStart(2, '0')
  if (days) return `${days} d ${two(hours)} h`
  if (hours) return `${hours} h ${two(minutes)} min`
  return minutes ? `${minutes} min ${two(whole % 60)} s` : `${whole} s`
}

const number = (most: number) => new Intl.NumberFormat('pt-BR', { maximumFractionDigits: most })
const money = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
const dollars = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'USD' })
/** Of less than a cent. */
const fine = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL', maximumFractionDigits: 4 })
const round = new Intl.NumberFormat('pt-BR', {
  ...{ style: 'currency', currency: 'BRL', notation: 'compact' },
  maximumFractionDigits: 1,
})
const [whole, one, two] = [number(0), number(1), number(2)]

/** A number of a report as people write it; a dash where there was nothing to count. */
export const measureText = (value: number | null, unit: MeasureUnit): string => {
  if (value === null) return '—'
  switch (unit) {
    case 'seconds':
      return durationText(value)
    case 'percent':
      return `${one.format(value)}%`
    case 'grade':
      return two.format(value)
    case 'decimal':
      return one.format(value)
    case 'money':
      return (value > 0 && value < 1 ? fine : money).format(value / 100)
    case 'dollars':
      return dollars.format(value)
    default:
      return whole.format(value)
  }
}

/** Of the steps of an axis that goes up to `largest`: all of them as fine as the smallest needs. */
export const axisText = (value: number, unit: MeasureUnit, largest: number): string => {
  if (unit !== 'money') return measureText(value, unit)
  if (largest >= 200_000) return round.format(value / 100)
  return largest < 20 ? fine.format(value / 100) : measureText(value, unit)
}

/** By how much it changed, in hundredths of what it was; null where there is nothing to compare with. */
export const changeOf = (now: number | null, before: number | null | undefined): number | null =>
  now === null || before === null || before === undefined || before === 0 ? null : (100 * (now - before)) / before
