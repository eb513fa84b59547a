import type { comparedTo } from '@balcao/contract/automation/assistants/evaluation.ts'

type Compared = ReturnType<typeof comparedTo>
const reais = (micros: number) =>
  (micros / 1_000_000).toLocaleString('pt-BR', { style: 'currency', currency: 'BRL', maximumFractionDigits: 4 })
const seconds = (ms: number) => `${(ms / 1_000).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} s`

export const costWords = ({ costMicros: { before, now } }: Compared) =>
  `Cada caso custa ${reais(now)}, e custava ${reais(before)}.`
export const timeWords = ({ ms: { before, now } }: Compared) =>
  `Cada caso leva ${seconds(now)}, e levava ${seconds(before)}.`
