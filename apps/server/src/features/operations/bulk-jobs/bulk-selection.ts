import type { TicketStatus } from '@balcao/contract/conversations/tickets.ts'
import { z } from 'zod'
import type { Prepared, Tx } from '../../../db/database.ts'
import { binding } from '../../../kit/sql.ts'
import { isWorked, viewerOf, visibleTickets } from '../../conversations/tickets/tickets.policy.ts'
import type { Directory } from '../../core/directory/directory.ts'

/** The conversations a job is about: those of these statuses in this place that whoever asked may see. */
export type Selection = {
  status: TicketStatus[]
  whatsappId?: string
  queueId?: string
  contactId?: string
  isUnread?: boolean
  /** Chosen one by one. */
  ticketIds?: string[]
}
const selection = z.object({
  status: z.array(z.enum(['open', 'pending', 'closed'])).min(1),
  whatsappId: z.uuid().optional(),
  queueId: z.uuid().optional(),
  contactId: z.uuid().optional(),
  isUnread: z.boolean().optional(),
  ticketIds: z.array(z.uuid()).optional(),
})

/** What each kind of job needs to know, as it is kept in the row. */
export const jobParams = z.object({
  selection,
  /** moveChannel */
  newWhatsappId: z.uuid().optional(),
  /** transferQueue */
  destinationQueueId: z.uuid().optional(),
  userId: z.uuid().nullish(),
  /** closeTickets: as by hand, with the reason the company may ask for; left out, closed without one. */
  reasonId: z.uuid().nullish(),
  /** tagTickets */
  tagIds: z.array(z.uuid()).optional(),
})
export type JobParams = z.output<typeof jobParams>

type Who = { directory: Directory; userId: string }

export const countSelected = async (tx: Tx, who: Who, chosen: Selection): Promise<number> => {
  const { values, where } = condition(tx, who, chosen)
  const [row] = await once<{ count: number }>(tx, `select count(*) as count from tickets t where ${where}`, values)
  return row?.count ?? 0
}

/** The next of them after a row, locked; those that came after the job was asked for are not its business. */
export const nextSelected = async (
  tx: Tx,
  who: Who,
  chosen: Selection,
  from: { after: string | null; before: Date; limit: number },
): Promise<string[]> => {
  const { values, where, bind } = condition(tx, who, chosen)
  const after = from.after ? `and t.id > ${bind(from.after)}` : ''
  const text = `select t.id from tickets t where ${where} and t.created_at <= ${bind(from.before)} ${after}
    order by t.id limit ${bind(from.limit)} for no key update`
  return (await once<{ id: string }>(tx, text, values)).map(({ id }) => id)
}

const condition = (tx: Tx, { directory, userId }: Who, chosen: Selection) => {
  const { values, bind } = binding()
  const parts = [
    `t.tenant_id = ${bind(tx.tenantId)}`,
    `t.status = any(${bind(chosen.status)}::text[])`,
    isWorked,
    visibleTickets(viewerOf(directory, userId), { showAll: true }, bind),
  ]
  if (chosen.whatsappId) parts.push(`t.connection_id = ${bind(chosen.whatsappId)}`)
  if (chosen.queueId) parts.push(`t.queue_id = ${bind(chosen.queueId)}`)
  if (chosen.contactId) parts.push(`t.contact_id = ${bind(chosen.contactId)}`)
  if (chosen.ticketIds) parts.push(`t.id = any(${bind(chosen.ticketIds)}::uuid[])`)
  if (chosen.isUnread) parts.push('t.unread_messages > 0')
  return { values, bind, where: parts.join(' and ') }
}

/** Planned for its own values, then forgotten: a job's statement has many shapes and few runs. */
const once = <Row extends object>(tx: Tx, text: string, values: unknown[]) =>
  tx.rows<Row>({ name: '', text } satisfies Prepared, values)
