import type { Opportunity, OpportunityMove } from '@balcao/contract/sales/opportunities.ts'
import type { Stage } from '@balcao/contract/sales/pipelines.ts'
import { dayOf, formatCents } from '../../../kit/format.ts'
import type { StatusTone } from '../../../ui/status-dot.tsx'

export const statusTones: Record<Opportunity['status'], StatusTone> = { open: 'note', win: 'good', lose: 'bad' }

/** "24/11/2026" of a calendar day. */
export const dayText = (day: string) => day.split('-').reverse().join('/')
/** "24/11", with its year where that is not this one. */
export const shortDayText = (day: string, now: number) => {
  const [year, month, date] = day.split('-')
  return Number(year) === new Date(now).getFullYear() ? `${date}/${month}` : dayText(day)
}

const dayMs = 86_400_000
export const daysSince = (moment: string, now: number) => Math.floor((now - Date.parse(moment)) / dayMs)

/** What is wrong with it, at most one thing: its forecast has passed, or it stands in its stage for too long. */
export const urgencyOf = (
  { status, closingForecast, stageSince }: Pick<Opportunity, 'status' | 'closingForecast' | 'stageSince'>,
  { rotDays }: Pick<Stage, 'rotDays'>,
  now: number,
): 'late' | 'cold' | null => {
  if (status !== 'open') return null
  if (closingForecast && closingForecast < dayOf(new Date(now))) return 'late'
  return rotDays !== null && daysSince(stageSince, now) >= rotDays ? 'cold' : null
}

/** A line of the story. */
export const moveText = ({ kind, from, to }: OpportunityMove): string => {
  switch (kind) {
    case 'created':
      return `Criada em ${to ?? '—'}`
    case 'stage':
      return `De ${from ?? '—'} para ${to ?? '—'}`
    case 'status':
      return to ?? ''
    case 'value':
      return `Valor: ${formatCents(Number(from))} → ${formatCents(Number(to))}`
    case 'responsible':
      return `Responsável: ${from ?? 'ninguém'} → ${to ?? 'ninguém'}`
    case 'forecast':
      return `Previsão: ${from ? dayText(from) : 'nenhuma'} → ${to ? dayText(to) : 'nenhuma'}`
    case 'file':
      return from ? `Arquivo tirado: ${from}` : `Arquivo: ${to ?? ''}`
    case 'proposal':
    case 'note':
      return to ?? ''
  }
}

/** "novembro de 2026" of `2026-11`. */
export const monthText = (month: string) => {
  const [year, number] = month.split('-').map(Number)
  return new Intl.DateTimeFormat('pt-BR', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(Date.UTC(year ?? 0, (number ?? 1) - 1, 15)),
  )
}
