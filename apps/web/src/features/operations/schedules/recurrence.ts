import type { Recurrence } from '@balcao/contract/operations/schedules.ts'
import { plural } from '../../../kit/format.ts'

/** The usual distances; any other is written in days. */
const usual: Record<string, string> = {
  '1': 'Todo dia',
  '5': 'A cada 5 dias',
  '7': 'Toda semana',
  '10': 'A cada 10 dias',
  '15': 'A cada 15 dias',
  '30': 'A cada 30 dias',
}
export const customInterval = 'outro'
export const intervalOptions = [
  { value: '0', label: 'Não se repete' },
  ...Object.entries(usual).map(([value, label]) => ({ value, label })),
  { value: customInterval, label: 'Outro intervalo' },
]
export const isUsual = (days: number) => String(days) in usual

/** "Toda semana, mais 3 vezes". */
export const recurrenceText = ({ everyDays, times }: Recurrence) =>
  `${usual[everyDays] ?? `A cada ${plural(everyDays, 'dia', 'dias')}`}, mais ${plural(times, 'vez', 'vezes')}`
