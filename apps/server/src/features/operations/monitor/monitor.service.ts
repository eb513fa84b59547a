import type { Monitor, MonitorQuery } from '@balcao/contract/operations/monitor.ts'
import { readTenant } from '../../../db/database.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { activeLoad, type DayRow, dayLoad, type LoadRow } from './monitor.queries.ts'

/** The company's figures of this moment, in one round trip; people and queues are known already. */
export const readMonitor = async (tenantId: number, { queuesIds }: MonitorQuery): Promise<Monitor> => {
  const directory = await getDirectory(tenantId)
  const queues = queuesIds.length ? queuesIds : null
  const [active = [], day = []] = (await readTenant(
    tenantId,
    [activeLoad, [tenantId, queues]],
    [dayLoad, [tenantId, queues, directory.timezone]],
  )) as [LoadRow[], DayRow[]]
  const byHour = new Map(day.map((row) => [row.hour, row]))
  const total = (key: 'created' | 'closed' | 'met' | 'missed') => day.reduce((sum, row) => sum + row[key], 0)
  return {
    asOf: new Date().toISOString(),
    now: loadOf(active),
    queues: queueLoads(directory, active, queuesIds),
    agents: agentLoads(directory, active, queuesIds),
    today: {
      created: total('created'),
      closed: total('closed'),
      byHour: Array.from({ length: 24 }, (_, hour) => {
        const { created = 0, closed = 0 } = byHour.get(hour) ?? {}
        return { hour, created, closed }
      }),
    },
    deadlines: { met: total('met'), missed: total('missed') },
  }
}

const loadOf = (rows: LoadRow[]): Monitor['now'] => {
  const count = (of: (row: LoadRow) => number) => rows.reduce((sum, row) => sum + of(row), 0)
  const waits = rows.flatMap(({ waitingSince }) => waitingSince?.getTime() ?? [])
  return {
    waiting: count((row) => (row.status === 'pending' ? row.tickets : 0)),
    open: count((row) => (row.status === 'open' ? row.tickets : 0)),
    late: count((row) => row.late),
    atRisk: count((row) => row.atRisk),
    waitingSince: waits.length ? new Date(Math.min(...waits)).toISOString() : null,
  }
}

const isChosen = (queuesIds: string[], id: string | null) =>
  !queuesIds.length || (id !== null && queuesIds.includes(id))

/** Every queue that is chosen, busy or not; what stands in none only while there is something. */
const queueLoads = (directory: Directory, active: LoadRow[], queuesIds: string[]): Monitor['queues'] => {
  const people = [...directory.people.values()].filter(
    (one) => one.isOnline && !one.awaySince && !one.isBlocked && one.permissions.has('tickets.write'),
  )
  const rowsOf = (id: string | null) => active.filter(({ queueId }) => queueId === id)
  const listed = [...directory.queues.values()]
    .filter(({ id, isActive }) => isChosen(queuesIds, id) && (isActive || rowsOf(id).length > 0))
    .sort((a, b) => a.name.localeCompare(b.name, 'pt-BR'))
    .map(({ id, name, color }) => ({
      id,
      name,
      color,
      ...loadOf(rowsOf(id)),
      available: people.filter((one) => one.queueIds.includes(id)).length,
    }))
  const none = rowsOf(null)
  if (!none.length) return listed
  return [...listed, { id: null, name: 'Sem fila', color: null, ...loadOf(none), available: people.length }]
}

/** Whoever attends: of the chosen queues those who belong to one of them, or have something of it. */
const agentLoads = (directory: Directory, active: LoadRow[], queuesIds: string[]): Monitor['agents'] =>
  [...directory.people.values()]
    .filter((one) => !one.isBlocked && one.permissions.has('tickets.write'))
    .filter(
      (one) =>
        !queuesIds.length ||
        one.queueIds.some((id) => queuesIds.includes(id)) ||
        active.some(({ userId }) => userId === one.id),
    )
    .sort((a, b) => a.name.localeCompare(b.name, 'pt-BR'))
    .map(({ id, name, isOnline, awaySince, awayReason, capacity }) => {
      const { open, waiting, late } = loadOf(active.filter(({ userId }) => userId === id))
      const since = awaySince && new Date(awaySince).toISOString()
      return { id, name, isOnline, awaySince: since, awayReason, capacity, open, pending: waiting, late }
    })
