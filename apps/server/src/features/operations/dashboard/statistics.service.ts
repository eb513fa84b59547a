import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import { ticketStatuses } from '@balcao/contract/conversations/tickets.ts'
import type { Statistics, StatisticsQuery } from '@balcao/contract/operations/statistics.ts'
import { withReport } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import {
  countNewContacts,
  type Dimension,
  type Named,
  type OpenedSum,
  readClosed,
  readNames,
  readOpened,
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

const withinOf = ({ timezone }: Directory, { startDate, endDate, queues }: StatisticsQuery): Within => {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(new Date())
  const to = endDate ?? (startDate && startDate > today ? startDate : today)
  return { from: startDate ?? to, to, timezone, queues: queues.length ? queues.toSorted() : null }
}

const read = (actor: Actor, directory: Directory, within: Within): Promise<Statistics> =>
  withReport(actor, async (tx) => {
    const opened = sums(await readOpened(tx, within))
    const closed = await readClosed(tx, within)
    const contacts = await countNewContacts(tx, within)
    const ids = [
      ...opened('user').map(({ user }) => user),
      ...opened('day', 'connection').map(({ connection }) => connection),
    ]
    const named = await readNames(tx, [...new Set(ids.filter((id) => id !== null))])
    const names = new Map(named.map((one) => [one.id, one]))
    return present({ opened, closed, contacts, names, directory, within })
  })

/** The rows that were summed by these dimensions and no other. */
const sums =
  (rows: OpenedSum[]) =>
  (...dimensions: Dimension[]): OpenedSum[] => {
    const set = dimensions.join(',')
    return rows.filter((row) => row.set === set)
  }

type Read = {
  opened: (...dimensions: Dimension[]) => OpenedSum[]
  closed: Awaited<ReturnType<typeof readClosed>>
  contacts: number
  names: ReadonlyMap<string, Named>
  directory: Directory
  within: Within
}

const present = ({ opened, closed, contacts, names, directory, within }: Read): Statistics => {
  const [all] = opened()
  const total = all?.qtd ?? 0
  const nameOf = (id: string | null) => (id === null ? 'Sem atendente' : (names.get(id)?.name ?? 'Pessoa excluída'))
  const byDay = new Map(opened('day').map((row) => [row.day, row]))
  const endedByDay = new Map(closed.map((row) => [row.day, row.qtd]))
  const share = (qtd: number, of = total) => ({ qtd, percentual: of ? Math.round((1_000 * qtd) / of) / 10 : 0 })
  const ended = all?.closed ?? 0
  return {
    times: {
      qtd_total_atendimentos: total,
      qtd_demanda_ativa: all?.byUs ?? 0,
      qtd_demanda_receptiva: total - (all?.byUs ?? 0),
      qtd_resolvidos: ended,
      TMA: all?.resolutionS ?? null,
      TME: all?.waitS ?? null,
      TPR: all?.firstAnswerS ?? null,
      new_contacts: contacts,
      nota: all?.grade ?? null,
      qtd_notas: all?.grades ?? 0,
    },
    channels: opened('channel')
      .toSorted(mostFirst)
      .map(({ channel, qtd }) => ({ channel, label: labelOf(channel), ...share(qtd) })),
    evolutionChannels: opened('day', 'channel')
      .toSorted(byDate)
      .map(({ day, channel, qtd }) => ({ dt_referencia: day, channel, label: labelOf(channel), qtd })),
    evolutionChannelsName: opened('day', 'connection')
      .toSorted(byDate)
      .map(({ day, connection, qtd }) => ({
        dt_referencia: day,
        id: connection,
        label: names.get(connection)?.name ?? 'Canal excluído',
        qtd,
      })),
    evolutionByPeriod: daysOf(within).map((day) => ({
      dt_referencia: day,
      label: dayText(day),
      qtd: byDay.get(day)?.qtd ?? 0,
      qtd_resolvidos: endedByDay.get(day) ?? 0,
    })),
    evolutionByValue: daysOf(within).map((day) => {
      const { qtd = 0, value = 0 } = byDay.get(day) ?? {}
      return { dt_referencia: day, label: dayText(day), qtd, value }
    }),
    perUsersDetail: detailOf({ opened, names }),
    queue: opened('queue')
      .toSorted(mostFirst)
      .map(({ queue, qtd }) => {
        const label = queue === null ? 'Sem fila' : (directory.queues.get(queue)?.name ?? 'Fila excluída')
        return { id: queue, label, ...share(qtd) }
      }),
    user: opened('user')
      .toSorted(mostFirst)
      .map(({ user, qtd }) => ({ id: user, label: nameOf(user), ...share(qtd) })),
    status: ticketStatuses.map((status) => {
      const qtd = opened('status').find((row) => row.status === status)?.qtd ?? 0
      return { status, label: statusLabels[status], ...share(qtd) }
    }),
    reasons: opened('reason')
      .filter((row) => row.closed > 0)
      .toSorted((a, b) => b.closed - a.closed)
      .map(({ reason, closed: qtd }) => {
        const name = reason === null ? 'Sem motivo' : (directory.reasons.get(reason)?.name ?? 'Motivo excluído')
        return { id: reason, name, label: name, ...share(qtd, ended) }
      }),
  }
}

/** Everybody who had something of these days, the busiest first. */
const detailOf = ({ opened, names }: Pick<Read, 'opened' | 'names'>): Statistics['perUsersDetail'] =>
  opened('user')
    .flatMap(({ user: id, ...row }) => (id === null ? [] : [{ id, ...row }]))
    .map(({ id, qtd, open, pending, closed, resolutionS, waitS, firstAnswerS }) => ({
      id,
      name: names.get(id)?.name ?? 'Pessoa excluída',
      email: names.get(id)?.email ?? '',
      qtd_em_atendimento: open,
      qtd_pendentes: pending,
      qtd_resolvidos: closed,
      qtd_por_usuario: qtd,
      TMA: resolutionS,
      TME: waitS,
      TPR: firstAnswerS,
    }))
    .sort((a, b) => b.qtd_por_usuario - a.qtd_por_usuario || a.name.localeCompare(b.name, 'pt-BR'))

const statusLabels = { pending: 'Esperando', open: 'Em atendimento', closed: 'Encerrados' } as const
const labelOf = (channel: ChannelKind) => channels[channel].label
const mostFirst = (a: { qtd: number }, b: { qtd: number }) => b.qtd - a.qtd
const byDate = (a: { day: string; qtd: number }, b: { day: string; qtd: number }) =>
  a.day.localeCompare(b.day) || b.qtd - a.qtd

const daysOf = ({ from, to }: Within): string[] => {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10))
  return days
}
const dayText = (day: string) => `${day.slice(8, 10)}/${day.slice(5, 7)}`
