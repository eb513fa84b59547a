import { voiceCallStatusLabels } from '@balcao/contract/automation/voice-calls.ts'
import { channels } from '@balcao/contract/channels/index.ts'
import { stateNames } from '@balcao/contract/contacts/segments/places.ts'
import {
  type DimensionKey,
  dimensions,
  findReport,
  type ReportDefinition,
  type ReportSource,
} from '@balcao/contract/operations/reports/definitions.ts'
import { measureOf } from '@balcao/contract/operations/reports/measures.ts'
import type { ReportQuery, ReportResult, ReportRow } from '@balcao/contract/operations/reports/reports.ts'
import { eq } from 'drizzle-orm'
import { type Tx, withReplica } from '../../../db/database.ts'
import { assistants } from '../../../db/schema/automation/assistants.ts'
import { lanes } from '../../../db/schema/contacts/lanes.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { ai, assistants as assistantWork, voiceCalls } from './activity.sources.ts'
import { episodes } from './episodes.source.ts'
import { agentTime, backlog, campaigns, cohort, contacts, flows } from './other.sources.ts'
import { addDays, type Days, daysBefore, daysOf } from './report-filters.ts'
import type { Counted, Source } from './source.ts'

const sources: Record<ReportSource, Source> = {
  episodes,
  backlog,
  agentTime,
  cohort,
  campaigns,
  flows,
  contacts,
  ai,
  assistants: assistantWork,
  voiceCalls,
}

export type Asking = Pick<Actor, 'tenantId' | 'userId' | 'permissions'>

/** A report as its definition says, its rows named and in order; ERR_NOT_FOUND where there is none of that name. */
export const runReport = async (actor: Asking, key: string, query: ReportQuery): Promise<ReportResult> => {
  const report = requireReport(key)
  const dimension = dimensionOf(report, query)
  const directory = await getDirectory(actor.tenantId)
  const days = daysOf(query, directory, report.days)
  const isOfAnyDay =
    report.source === 'contacts' && dimensions[dimension].kind === 'name' && !query.dateFrom && !query.dateTo
  const before = query.compare && !isOfAnyDay ? daysBefore(days) : undefined
  return withReplica(actor, async (tx) => {
    const count = (some: Days, asked = query) =>
      sources[report.source]({ tx, actor, directory, report, dimension, query: asked, days: some })
    const now = await count(days)
    const then =
      before &&
      (await count(
        before,
        query.dateFrom || query.dateTo ? { ...query, dateFrom: before.from, dateTo: before.to } : query,
      ))
    const name = await namesOf(tx, dimension, directory)
    const measures = now.columns ?? report.measures.map((one) => ({ key: one, label: measureOf(one).label }))
    return {
      key,
      dimension,
      measures,
      rows: rowsIn({ dimension, days, before, now, then, name, report }),
      total: now.total,
      totalBefore: then?.total ?? null,
      period: isOfAnyDay ? null : { from: days.from, to: days.to },
      periodBefore: before ? { from: before.from, to: before.to } : null,
      timezone: days.timezone,
      isCut: now.isCut ?? false,
    }
  })
}

export const requireReport = (key: string): ReportDefinition => {
  const report = findReport(key)
  if (!report) throw new AppError('ERR_NOT_FOUND', { message: 'Este relatório não existe.' })
  return report
}

const dimensionOf = ({ dimensions: known }: ReportDefinition, { dimension }: ReportQuery): DimensionKey => {
  const [first = 'day'] = known
  if (dimension && !known.includes(dimension))
    throw fieldErrors({ path: 'dimension', message: 'Este relatório não agrupa assim.' })
  return dimension ?? first
}

type Name = { label: string; color?: string | null }
type Naming = (id: string | null) => Name
type Ordering = {
  report: ReportDefinition
  dimension: DimensionKey
  days: Days
  before: Days | undefined
  now: Counted
  then: Counted | undefined
  name: Naming
}

/** Time in its order without gaps, names by their size; each beside what it was before. */
const rowsIn = ({ report, dimension, days, before, now, then, name }: Ordering): ReportRow[] => {
  const isTime = dimensions[dimension].kind === 'time'
  const found = new Map(now.rows.map((row) => [row.id, row]))
  const earlier = new Map(then?.rows.map((row) => [row.id, row.values]))
  const none = now.total.map((_, at) => (isCount(report, now, at) ? 0 : null))
  const ids = isTime ? steps(dimension, days, now) : now.rows.map((row) => row.id)
  const olds = isTime && before ? steps(dimension, before, then) : ids
  return ids.map((id, at) => {
    const row = found.get(id)
    const old = then && (earlier.get(olds[at] ?? null) ?? none)
    const { label, color = null } = row?.label === undefined ? name(id) : { label: row.label, color: row.color }
    return { id, label, color: color ?? null, values: row?.values ?? none, before: old ?? null }
  })
}

const isCount = (report: ReportDefinition, { columns }: Counted, at: number) => {
  const key = columns ? columns[at]?.key : report.measures[at]
  return key !== undefined && ['count', 'money', 'dollars'].includes(measureOf(key).unit)
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => String(from + at))
/** All there are of a dimension of time, in order. Days of which there were none are drawn as such. */
const steps = (dimension: DimensionKey, { from, to, count }: Days, counted: Counted | undefined): (string | null)[] => {
  switch (dimension) {
    case 'day':
      return Array.from({ length: count }, (_, at) => addDays(from, at))
    case 'week':
      return upTo(addDays(from, -((new Date(`${from}T00:00Z`).getUTCDay() + 6) % 7)), to, (day) => addDays(day, 7))
    case 'month':
      return upTo(`${from.slice(0, 7)}-01`, to, (day) => `${addDays(day, 31).slice(0, 7)}-01`)
    case 'hour':
      return range(0, 23)
    case 'weekday':
      return range(1, 7)
    case 'weekdayHour':
      return range(1, 7).flatMap((day) => range(0, 23).map((hour) => String(Number(day) * 100 + Number(hour))))
    default:
      return (counted?.rows ?? []).map((row) => row.id).toSorted()
  }
}
const upTo = (from: string, to: string, next: (day: string) => string) => {
  const days: string[] = []
  for (let day = from; day <= to; day = next(day)) days.push(day)
  return days
}

const weekdays = ['Segunda', 'Terça', 'Quarta', 'Quinta', 'Sexta', 'Sábado', 'Domingo']
const months = ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez']
const short = (day: string) => `${day.slice(8, 10)}/${day.slice(5, 7)}/${day.slice(0, 4)}`
const monthText = (day: string) => `${months[Number(day.slice(5, 7)) - 1]}/${day.slice(0, 4)}`

const of = (id: string | null, known: Name | undefined, none: string, gone: string): Name =>
  id === null ? { label: none } : (known ?? { label: gone })
const cardOf = (card: { name: string; color?: string } | undefined): Name | undefined =>
  card && { label: card.name, color: card.color ?? null }

/** What the rows of a dimension are called. */
const namesOf = async (tx: Tx, dimension: DimensionKey, directory: Directory): Promise<Naming> => {
  const { queues, people, tags, reasons, connections } = directory
  switch (dimension) {
    case 'day':
      return (id) => ({ label: short(id ?? '') })
    case 'week':
      return (id) => ({ label: `Semana de ${short(id ?? '')}` })
    case 'month':
    case 'cohort':
      return (id) => ({ label: monthText(id ?? '') })
    case 'hour':
      return (id) => ({ label: `${id} h` })
    case 'weekday':
      return (id) => ({ label: weekdays[Number(id) - 1] ?? '' })
    case 'weekdayHour':
      return (id) => ({ label: `${weekdays[Math.floor(Number(id) / 100) - 1]}, ${Number(id) % 100} h` })
    case 'queue':
      return (id) => of(id, cardOf(queues.get(id ?? '')), 'Sem fila', 'Fila excluída')
    case 'agent':
      return (id) => of(id, cardOf(people.get(id ?? '')), 'Sem atendente', 'Usuário removido')
    case 'contactWallet':
      return (id) => of(id, cardOf(people.get(id ?? '')), 'Sem carteira', 'Usuário removido')
    case 'tag':
    case 'contactTag':
      return (id) => of(id, cardOf(tags.get(id ?? '')), 'Sem etiqueta', 'Etiqueta excluída')
    case 'reason':
      return (id) => of(id, cardOf(reasons.get(id ?? '')), 'Sem motivo', 'Motivo excluído')
    case 'connection':
      return (id) => of(id, cardOf(connections.get(id ?? '')), 'Sem canal', 'Canal excluído')
    case 'channel':
      return (id) => ({ label: channels[id as keyof typeof channels]?.label ?? String(id) })
    case 'grade':
      return (id) => ({ label: id === null ? 'Sem nota' : `Nota ${id}` })
    case 'contactState':
      return (id) => ({ label: id === null ? 'Sem DDD' : (stateNames[id as keyof typeof stateNames] ?? id) })
    case 'assistant': {
      const rows = await tx.db
        .select({ id: assistants.id, name: assistants.name })
        .from(assistants)
        .where(eq(assistants.tenantId, tx.tenantId))
      const known = new Map(rows.map((one) => [one.id, one]))
      return (id) => of(id, cardOf(known.get(id ?? '')), 'Sem assistente', 'Assistente excluído')
    }
    case 'callStatus':
      return (id) => ({ label: voiceCallStatusLabels[id as keyof typeof voiceCallStatusLabels] ?? String(id) })
    case 'contactLane': {
      const rows = await tx.db.select().from(lanes).where(eq(lanes.tenantId, tx.tenantId))
      const known = new Map(rows.map((lane) => [lane.id, lane]))
      return (id) => of(id, cardOf(known.get(id ?? '')), 'Fora do quadro', 'Etapa excluída')
    }
    default:
      return (id) => ({ label: id ?? '' })
  }
}
