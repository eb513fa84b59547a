import type { Message, MessagePayload } from '@balcao/contract/conversations/messages.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { emit, type TicketFacts } from '../../../kit/outbox.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { viewersOf } from '../tickets/tickets.policy.ts'

type Named = NonNullable<MessagePayload['mentions']>[number]
/** Whom a note calls: as it was written, and the people behind it. */
export type Called = { named: Named[]; userIds: string[] }

/**
 * The people and queues a note calls. A queue calls those of its people who see the ticket; who does not see it is
 * refused by name; nobody calls themself.
 */
export const findCalled = (directory: Directory, ticket: TicketFacts, actor: Actor, ids: readonly string[]): Called => {
  const named: Named[] = []
  const userIds = new Set<string>()
  if (!ids.length) return { named, userIds: [] }
  const viewers = viewersOf(directory, ticket)
  const hidden: string[] = []
  for (const id of new Set(ids)) {
    const person = directory.people.get(id)
    const queue = directory.queues.get(id)
    const called = person ? [id] : queue ? membersOf(directory, id) : undefined
    if (!called) throw fieldErrors({ path: 'mentions', message: 'Pessoa ou fila não encontrada.' })
    const name = person?.name ?? queue?.name ?? ''
    const seeing = called.filter((userId) => viewers.includes(userId))
    if (seeing.length === 0) hidden.push(person ? name : `a fila ${name}`)
    named.push({ id, kind: person ? 'user' : 'queue', name })
    for (const userId of seeing) userIds.add(userId)
  }
  if (hidden.length) throw fieldErrors({ path: 'mentions', message: refusal(hidden) })
  userIds.delete(actor.userId)
  return { named, userIds: [...userIds] }
}

const membersOf = (directory: Directory, queueId: string) =>
  [...directory.people.values()].filter((person) => person.queueIds.includes(queueId)).map((person) => person.id)

const refusal = (names: string[]) => {
  const list = new Intl.ListFormat('pt-BR').format(names)
  return names.length === 1
    ? `Este atendimento não é visível para ${list}. Compartilhe antes de mencionar.`
    : `Este atendimento não é visível para: ${list}. Compartilhe antes de mencionar.`
}

/** Writes down whom a stored note calls and tells them. */
export const callColleagues = async (
  tx: Tx,
  actor: Actor,
  note: Pick<Message, 'id' | 'ticketId' | 'contactId'>,
  { userIds }: Called,
) => {
  if (!userIds.length) return
  const [row] = await tx.rows<{ contactName: string }>(insertMentions, [
    tx.tenantId,
    note.id,
    note.ticketId,
    userIds,
    note.contactId,
  ])
  const text = `${actor.name} mencionou você na conversa com ${row?.contactName ?? 'um contato'}.`
  await emit(
    tx,
    'ticket.notice',
    { ticketId: note.ticketId, kind: 'mention', text, messageId: note.id },
    { kind: 'users', userIds },
  )
}

const insertMentions: Prepared = {
  name: 'mentions_insert',
  text: `with called as (
      insert into mentions (tenant_id, message_id, ticket_id, user_id) select $1, $2, $3, unnest($4::uuid[])
    ) select name as "contactName" from contacts where tenant_id = $1 and id = $5`,
}
