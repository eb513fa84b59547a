import { clientEvents, setUserActive } from '@balcao/contract/events.ts'
import type { z } from 'zod'
import { withTenant } from '../db/database.ts'
import { viewerOf } from '../features/conversations/tickets/tickets.policy.ts'
import { getVisibleTicket } from '../features/conversations/tickets/tickets.service.ts'
import { getDirectory } from '../features/core/directory/directory.ts'
import { AppError } from '../kit/errors.ts'
import { log } from '../kit/log.ts'
import { lookAtFlow } from './flow-presence.ts'
import { noteConnected, noteDisconnected } from './online.ts'
import { beginViewing, endViewing, setTyping } from './presence.ts'
import { userRoom } from './rooms.ts'
import type { StaffNamespace, StaffSocket } from './staff-data.ts'

/** A client may say this much: bursts of 60, then 10 a second; a flood ends the connection. */
const burst = 60
const perSecond = 10
/** More conversations than anybody has on screen. */
const maxViewing = 20

/** A window of the team: joins its person's room and may say what the contract lists, nothing else. */
export const welcomeStaff = (staff: StaffNamespace, socket: StaffSocket) => {
  const { tenantId, userId } = socket.data.claims
  void socket.join(userRoom(tenantId, userId))
  void noteConnected(staff, socket)

  const said: Record<string, (payload: unknown) => void> = {
    // Connecting says as much: see noteConnected.
    [setUserActive(tenantId)]: () => {},
    ...hear('ticket.view', ({ ticketId }) => void view(socket, ticketId)),
    ...hear('ticket.leave', ({ ticketId }) => endViewing(socket, ticketId)),
    ...hear('window.hidden', ({ isHidden }) => {
      socket.data.isHidden = isHidden
    }),
    ...hear('chatFlow.look', (look) => lookAtFlow(staff, socket, look)),
    ...hear('ticket.typing', ({ ticketId, isTyping, isNote }) => setTyping(socket, ticketId, isTyping, isNote)),
  }
  const mayGoOn = budget()
  socket.onAny((event: string, payload: unknown) => {
    if (Object.hasOwn(said, event) && mayGoOn()) return said[event]?.(payload)
    log.warn({ tenantId, userId, event: event.slice(0, 80) }, 'socket refused')
    socket.disconnect(true)
  })
  socket.on('disconnect', () => {
    lookAtFlow(staff, socket, nowhere)
    for (const ticketId of socket.data.viewing.keys()) endViewing(socket, ticketId)
    noteDisconnected(staff, socket)
  })
}

type Said = Omit<typeof clientEvents, 'setUserActive'>
/** What does not fit its schema is not heard. */
const hear = <N extends keyof Said>(event: N, handle: (payload: z.output<Said[N]>) => void) => ({
  [event]: (payload: unknown) => {
    const parsed = clientEvents[event].safeParse(payload)
    if (parsed.success) handle(parsed.data as z.output<Said[N]>) // parsed by the schema of this very name
  },
})

const nowhere = { flowId: null, nodeId: null }

const view = async (socket: StaffSocket, ticketId: string) => {
  const { actor, viewing } = socket.data
  const { tenantId, userId } = actor
  if (viewing.size >= maxViewing) return
  try {
    const ticket = await withTenant(tenantId, (tx) => getVisibleTicket(tx, actor, ticketId))
    if (socket.connected)
      beginViewing(socket, ticketId, { connectionId: ticket.whatsappId, contactId: ticket.contactId })
  } catch (error) {
    if (error instanceof AppError) log.warn({ tenantId, userId, ticketId }, 'socket join refused')
    else log.error({ err: error, tenantId }, 'ticket.view')
  }
}

/** What decides about tickets, for one person, as text. */
export const rightsOf = async ({ tenantId, userId }: { tenantId: number; userId: string }) =>
  JSON.stringify(viewerOf(await getDirectory(tenantId), userId))

/** The person's queues or the company's rules changed: what they may no longer see leaves their screen. */
export const reviewViews = async (socket: StaffSocket) => {
  const { actor, viewing } = socket.data
  for (const ticketId of viewing.keys()) {
    const isHidden = await withTenant(actor.tenantId, (tx) => getVisibleTicket(tx, actor, ticketId)).then(
      () => false,
      (error) => error instanceof AppError,
    )
    if (!isHidden) continue
    endViewing(socket, ticketId)
    socket.emit('ticket.hidden', { id: ticketId })
  }
}

const budget = () => {
  let left = burst
  let refilledAt = Date.now()
  return () => {
    const now = Date.now()
    left = Math.min(burst, left + ((now - refilledAt) / 1_000) * perSecond) - 1
    refilledAt = now
    return left >= 0
  }
}
