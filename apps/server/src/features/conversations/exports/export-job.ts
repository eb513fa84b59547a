import { exportQuery } from '@balcao/contract/conversations/exports.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { defineMaking } from '../../core/jobs/job-kinds.ts'
import { enqueueJob } from '../../core/jobs/jobs.service.ts'
import { getVisibleTicket } from '../tickets/tickets.service.ts'
import { bodyOf, fileNameOf } from './as-file.ts'
import { openConversation } from './conversation.ts'

const params = exportQuery.extend({ ticketId: z.uuid() })
type Params = z.output<typeof params>

/** A conversation as a file, which may take minutes: it says how many messages it has written. */
export const exportConversationJob = defineMaking({
  kind: 'exportConversation',
  can: 'messages.read',
  params,
  make: async ({ actor, params: asked, signal, tell }) => {
    const conversation = await openConversation(actor, asked.ticketId, asked)
    const { ticket, size, messages } = conversation
    const counted = counting(messages, (done) => tell(done, size))
    const stream = await bodyOf(asked.format, { ...conversation, messages: counted }, { ...actor, signal })
    return { name: fileNameOf(asked.format, ticket), stream }
  },
  check: (actor, { ticketId }) => withTenant(actor.tenantId, (tx) => getVisibleTicket(tx, actor, ticketId)),
})

async function* counting<One>(items: AsyncIterable<One>, tell: (done: number) => void) {
  let done = 0
  for await (const one of items) {
    yield one
    done += 1
    tell(done)
  }
}

/** Refused at once when it would be refused later. */
export const enqueueExport = async (actor: Actor, asked: Params): Promise<BulkJob> => {
  const { ticket, size } = await openConversation(actor, asked.ticketId, asked)
  const { ticketId, ...after } = asked
  return withTenant(actor.tenantId, (tx) =>
    enqueueJob(tx, actor, {
      kind: 'exportConversation',
      params: asked,
      total: size,
      subject: ticket.name,
      audit: { action: 'ticket.exported', entity: 'ticket', entityId: ticketId, after },
    }),
  )
}
