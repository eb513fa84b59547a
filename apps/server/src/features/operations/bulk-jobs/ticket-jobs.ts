import type { Ticket, TicketPatch } from '@balcao/contract/conversations/tickets.ts'
import type { BulkJobKind } from '@balcao/contract/operations/bulk-jobs.ts'
import type { Tx } from '../../../db/database.ts'
import { byUser } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { commitTicketChanges, type TicketChange } from '../../conversations/tickets/commit-ticket-changes.ts'
import { getTarget, planMove } from '../../conversations/tickets/hand-over.ts'
import { planChange, planForcedClose, toCommit } from '../../conversations/tickets/ticket-changes.ts'
import { findTickets } from '../../conversations/tickets/ticket-rows.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { defineJob, type JobActor, type Refusal } from '../../core/jobs/job-kinds.ts'
import { type JobParams, jobParams, nextSelected } from './bulk-selection.ts'

const kinds = ['moveChannel', 'closeTickets', 'transferQueue', 'markRead', 'tagTickets'] as const

/** Work over the conversations of a selection, each changed as by hand. */
export const ticketJobs = kinds.map((kind) =>
  defineJob({
    kind,
    can: 'tickets.write',
    params: jobParams,
    stepSize: 25,
    next: async ({ tx, directory, job, params }, limit) => {
      const from = { after: job.cursor, before: job.createdAt, limit }
      const ids = await nextSelected(tx, { directory, userId: job.userId }, params.selection, from)
      return ids.map((id) => ({ id }))
    },
    act: async ({ tx, directory, job, actor, params }, items) => {
      const plan = await planOf(tx, directory, actor, kind, params)
      const tickets = new Map(
        (
          await findTickets(
            tx,
            items.map(({ id }) => id),
          )
        ).map((ticket) => [ticket.id, ticket]),
      )
      const changes: TicketChange[] = []
      const refused: Refusal[] = []
      for (const { id } of items) {
        try {
          const ticket = tickets.get(id)
          if (!ticket) throw new AppError('ERR_NO_TICKET_FOUND')
          const change = await plan(ticket)
          if (change) changes.push({ ...change, cause: { kind: 'job', id: job.id } })
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          refused.push({ item: id, reason: error.message })
        }
      }
      await commitTicketChanges(tx, changes, byUser(actor))
      return refused
    },
  }),
)

/** What becomes of one locked conversation; an error refuses it. */
const planOf = async (
  tx: Tx,
  directory: Directory,
  actor: JobActor,
  kind: BulkJobKind,
  params: JobParams,
): Promise<(ticket: Ticket) => Promise<TicketChange | undefined>> => {
  if (kind === 'moveChannel') {
    const target = await getTarget(tx, params.newWhatsappId ?? '')
    return (ticket) => planMove(tx, ticket, target, actor)
  }
  return async (ticket) => {
    const isForced = kind === 'closeTickets' && params.reasonId === undefined
    const change = isForced
      ? planForcedClose(ticket, actor)
      : planChange(ticket, patchFor(kind, ticket, params, directory), actor, directory)
    return toCommit(ticket, change)
  }
}
/** What whoever asked would have sent for this one. */
const patchFor = (kind: BulkJobKind, ticket: Ticket, params: JobParams, { tags }: Directory): TicketPatch => {
  if (kind === 'markRead') return { unreadMessages: 0 }
  if (kind === 'closeTickets') return { status: 'closed', reasonId: params.reasonId ?? undefined }
  if (kind !== 'tagTickets') return transferOf(params)
  const added = (params.tagIds ?? []).filter((id) => tags.has(id))
  return { tagIds: [...new Set([...ticket.tags.map((tag) => tag.id), ...added])] }
}
const transferOf = ({ destinationQueueId: queueId, userId }: JobParams) =>
  userId ? { queueId, userId, isTransference: true } : { queueId }
