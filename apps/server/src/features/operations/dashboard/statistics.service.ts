import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import { ticketStatuses } from '@balcao/contract/conversations/tickets.ts'
import { reportFilters } from '@balcao/contract/operations/reports/reports.ts'
import type { Statistics, StatisticsQuery } from '@balcao/contract/operations/statistics.ts'
import { withReport } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { addDays, dayAt, daysOf } from '../reports/report-filters.ts'
import {
  countNewContacts,
  type Dimension,
  type Named,
  type OpenedSum,
  readClosed,
  readNames,
  readOpened,
  together,
  type Within,
} from './statistics.queries.ts'

const underWay = new Map<string, Promise<Statistics>>()

/** All statistics of some days, from the facts of conversations. Who asks for the same at the same moment waits for one reading. */
export const readStatistics = async (actor: Actor, query: StatisticsQuery): Promise<Statistics> => {
  const directory = await getDirectory(actor.tenantId)
  const within = withinOf(directory, query)
  const key = JSON.stringify([actor.tenantId, within])
  const known = underWay.get(key)
  if (known) return known
  const reading = read(actor, directory, within).finally(() => underWay.delete(key))
  underWay.set(key, reading)
  return reading
}

const withinOf = (directory: Directory, { startDate, endDate, queues }: StatisticsQuery): Within => {
  const today = dayAt(new Date(), directory.timezone)
  const to = endDate ?? (startDate && startDate > today ? startDate : today)
  const query = reportFilters.parse({ queuesIds: queues.toSorted() })
  return { query, days: daysOf({ dateFrom: startDate ?? to, dateTo: to }, directory) }
}

const read = (actor: Actor, directory: Directory, within: Within): Promise<Statistics> =>
  withReport(actor, async (tx) => {
    const opened = await readOpened(tx, actor, within)
    const closed = await readClosed(tx, actor, within)
    const contacts = await countNewContacts(tx, within.days)
    const ids = opened.filter(({ dimension }) => dimension === 'agent' || dimension === 'connection')
    const named = await readNames(tx, [...new Set(ids.flatMap(({ key }) => key ?? []))])
    const names = new Map(named.map((one) => [one.id, one]))
    return present({ opened, closed, contacts, names, directory, within })
  })

type Read = {
  opened: OpenedSum[]
  closed: Awaited<ReturnType<typeof readClosed>>
  contacts: number
  names: ReadonlyMap<string, Named>
  directory: Directory
  within: Within
}

const present = ({ opened, closed, contacts, names, directory, within }: Read): Statistics => {
  const of = (dimension: Dimension) => opened.filter((row) => row.dimension === dimension)
  /** By each of a dimension, the most first. */
  const by = (dimension: Dimension) =>
    [...Map.groupBy(of(dimension), ({ key }) => key)]
      .map(([key, rows]) => ({ key, ...together(rows) }))
      .toSorted((a, b) => (b.tickets ?? 0) - (a.tickets ?? 0))
  const onDays = (dimension: Dimension) =>
    of(dimension)
      .map(({ day, key, ...row }) => ({ day: day ?? '', key, qtd: together([{ ...row, day, key }]).tickets ?? 0 }))
      .toSorted((a, b) => a.day.localeCompare(b.day) || b.qtd - a.qtd)
  const all = together(of('all'))
  const total = all.tickets ?? 0
  const byDay = new Map(of('all').map((row) => [row.day, together([row])]))
  const endedByDay = new Map(closed.map((row) => [row.day, row.qtd]))
  const share = (qtd: number | null, whole = total) => ({
    qtd: qtd ?? 0,
    percentual: whole ? Math.round((1_000 * (qtd ?? 0)) / whole) / 10 : 0,
  })
  const nameOf = (id: string | null) => (id === null ? 'Sem atendente' : (names.get(id)?.name ?? 'Pessoa excluída'))
  const days = Array.from({ length: within.days.count }, (_, at) => addDays(within.days.from, at))
  const ended = all.closed ?? 0
  const waiting = all.waiting ?? 0
  const states = { pending: waiting, open: (all.active ?? 0) - waiting, closed: ended }
  return {
    times: {
      qtd_total_atendimentos: total,
      qtd_demanda_ativa: all.proactive ?? 0,
      qtd_demanda_receptiva: total - (all.proactive ?? 0),
      qtd_resolvidos: ended,
      TMA: all.resolution,
      TME: all.wait,
      TPR: all.firstAnswer,
      new_contacts: contacts,
      nota: all.grade,
      qtd_notas: all.graded ?? 0,
    },
    channels: by('channel').map(({ key, tickets }) => ({ ...channelOf(key), ...share(tickets) })),
    evolutionChannels: onDays('channel').map(({ day, key, qtd }) => ({ dt_referencia: day, ...channelOf(key), qtd })),
    evolutionChannelsName: onDays('connection').map(({ day, key, qtd }) => ({
      dt_referencia: day,
      id: key ?? '',
      label: names.get(key ?? '')?.name ?? 'Canal excluído',
      qtd,
    })),
    evolutionByPeriod: days.map((day) => ({
      dt_referencia: day,
      label: dayText(day),
      qtd: byDay.get(day)?.tickets ?? 0,
      qtd_resolvidos: endedByDay.get(day) ?? 0,
    })),
    evolutionByValue: days.map((day) => {
      const { tickets, value } = byDay.get(day) ?? {}
      return { dt_referencia: day, label: dayText(day), qtd: tickets ?? 0, value: value ?? 0 }
    }),
    perUsersDetail: by('agent')
      .flatMap(({ key, ...row }) => (key === null ? [] : [{ id: key, ...row }]))
      .map(({ id, tickets, active, waiting: pending, closed: done, resolution, wait, firstAnswer }) => ({
        id,
        name: nameOf(id),
        email: names.get(id)?.email ?? '',
        qtd_em_atendimento: (active ?? 0) - (pending ?? 0),
        qtd_pendentes: pending ?? 0,
        qtd_resolvidos: done ?? 0,
        qtd_por_usuario: tickets ?? 0,
        TMA: resolution,
        TME: wait,
        TPR: firstAnswer,
      }))
      .sort((a, b) => b.qtd_por_usuario - a.qtd_por_usuario || a.name.localeCompare(b.name, 'pt-BR')),
    queue: by('queue').map(({ key, tickets }) => {
      const label = key === null ? 'Sem fila' : (directory.queues.get(key)?.name ?? 'Fila excluída')
      return { id: key, label, ...share(tickets) }
    }),
    user: by('agent').map(({ key, tickets }) => ({ id: key, label: nameOf(key), ...share(tickets) })),
    status: ticketStatuses.map((status) => ({ status, label: statusLabels[status], ...share(states[status]) })),
    reasons: by('reason')
      .filter((row) => row.closed)
      .toSorted((a, b) => (b.closed ?? 0) - (a.closed ?? 0))
      .map(({ key, closed: qtd }) => {
        const name = key === null ? 'Sem motivo' : (directory.reasons.get(key)?.name ?? 'Motivo excluído')
        return { id: key, name, label: name, ...share(qtd, ended) }
      }),
  }
}

const statusLabels = { pending: 'Esperando', open: 'Em atendimento', closed: 'Encerrados' } as const
const channelOf = (key: string | null) => {
  const channel = key as ChannelKind // what the column holds
  return { channel, label: channels[channel].label }
}
const dayText = (day: string) => `${day.slice(8, 10)}/${day.slice(5, 7)}`
