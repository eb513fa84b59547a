import { byUser } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { planAction } from '../../conversations/tickets/action-catalogue.ts'
import { commitTicketChanges, type TicketChange } from '../../conversations/tickets/commit-ticket-changes.ts'
import { findTickets } from '../../conversations/tickets/ticket-rows.ts'
import { defineJob, type Refusal } from '../../core/jobs/job-kinds.ts'
import { jobParams, nextSelected } from './bulk-selection.ts'
import { actionOfJob } from './job-actions.ts'

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
      const by = { author: byUser(actor) }
      const plan = planAction(actionOfJob(kind, params, directory), { tx, directory, by })
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
      await commitTicketChanges(tx, changes, by.author)
      return refused
    },
  }),
)
