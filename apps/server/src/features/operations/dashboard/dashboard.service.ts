import type { Dashboard } from '@balcao/contract/operations/dashboard.ts'
import { withReport } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { type ActiveLoad, activeLoads, type ClosedLoad, closedLoads, createdToday } from './dashboard.queries.ts'
import { countHours } from './hours-today.ts'

/** Today where the company is: four statements, each down an index. */
export const readDashboard = async (actor: Actor): Promise<Dashboard> => {
  const directory = await getDirectory(actor.tenantId)
  return withReport(actor, async (tx) => {
    const active = await activeLoads(tx)
    const closed = await closedLoads(tx, directory.timezone)
    const [created] = await createdToday(tx, directory.timezone)
    if (!created) throw new Error('An aggregate answers one row')
    const hours = await countHours(tx, directory.timezone, created)

    const total = sum(active, closed)
    const waits = active.flatMap((row) => row.longestWaitS ?? [])
    const byHour = new Map(hours.map((row) => [row.hour, row]))
    return {
      ...total,
      createdToday: created.tickets,
      receivedToday: hours.reduce((all, row) => all + row.received, 0),
      sentToday: hours.reduce((all, row) => all + row.sent, 0),
      newContactsToday: created.contacts,
      longestWaitS: waits.length ? Math.max(0, ...waits) : null,
      byQueue: loadByQueue(directory, active, closed),
      byUser: loadByUser(directory, active, closed),
      byHour: Array.from({ length: 24 }, (_, hour) => byHour.get(hour) ?? { hour, received: 0, sent: 0 }),
    }
  })
}

const sum = (active: ActiveLoad[], closed: ClosedLoad[]) => ({
  open: active.reduce((all, row) => all + (row.status === 'open' ? row.tickets : 0), 0),
  pending: active.reduce((all, row) => all + (row.status === 'pending' ? row.tickets : 0), 0),
  closedToday: closed.reduce((all, row) => all + row.tickets, 0),
})

const loadByQueue = (directory: Directory, active: ActiveLoad[], closed: ClosedLoad[]): Dashboard['byQueue'] => {
  const of = (queueId: string | null) =>
    sum(
      active.filter((row) => row.queueId === queueId),
      closed.filter((row) => row.queueId === queueId),
    )
  const queues = [...directory.queues.values()].sort((a, b) => a.name.localeCompare(b.name, 'pt-BR'))
  const listed = queues.map(({ id, name, color }) => ({ id, name, color, ...of(id) }))
  const none = { id: null, name: 'Sem fila', color: null, ...of(null) }
  return none.open + none.pending + none.closedToday > 0 ? [...listed, none] : listed
}

const loadByUser = (directory: Directory, active: ActiveLoad[], closed: ClosedLoad[]): Dashboard['byUser'] =>
  [...directory.people.values()]
    .filter((person) => !person.isBlocked && person.permissions.has('tickets.write'))
    .sort((a, b) => a.name.localeCompare(b.name, 'pt-BR'))
    .map(({ id, name, isOnline, awaySince, awayReason }) => ({
      id,
      name,
      color: null,
      isOnline,
      awaySince: awaySince && new Date(awaySince).toISOString(),
      awayReason,
      ...sum(
        active.filter((row) => row.userId === id),
        closed.filter((row) => row.userId === id),
      ),
    }))
