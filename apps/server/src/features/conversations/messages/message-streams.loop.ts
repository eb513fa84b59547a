import { streamsOf } from '@balcao/contract/channels/define.ts'
import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { MessageStatus } from '@balcao/contract/conversations/messages.ts'
import { v5 } from 'uuid'
import { ChannelError } from '../../../channels/adapter.ts'
import { type Prepared, platformRows, type Tx, withTenant } from '../../../db/database.ts'
import { AppError } from '../../../kit/errors.ts'
import { createLimit } from '../../../kit/limit.ts'
import { log } from '../../../kit/log.ts'
import { leased, takeDue } from '../../../kit/queue-sql.ts'
import type { Round } from '../../../kit/workers.ts'
import { findConnection } from '../../channels/connections/context.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { cutMessageStream } from './message-streams.ts'
import { maxAttempts, retryDelayMs } from './outcome.ts'
import { lockConversation } from './system-messages.ts'
import { writeOutgoing } from './write-outgoing.ts'

const batch = 50
/** Longer than a call to any provider. */
const leaseS = 60
const atOnce = createLimit(10)
/** Until a message that is being sent has an id at its provider, and until somebody finds out whether it arrived. */
const lookAgainMs = { sending: 300, uncertain: 30_000 }

export const isStreamDue = 'select from message_streams where due_at <= now()'

type Taken = { tenantId: number; messageId: string; attempts: number }
type Streamed = {
  ticketId: string
  connectionId: string
  kind: ChannelKind
  status: MessageStatus
  providerId: string | null
  isDeleted: boolean
  isOpen: boolean
  body: string
  told: string
  author: Author | null
  to: Identity[]
}

/** Tells providers what messages say that were sent before they were written to their end. */
export const tellStreams = async (): Promise<Round> => {
  const taken = await platformRows<Taken>(take, [batch, leaseS])
  await Promise.all(
    taken.map((one) =>
      atOnce(() => tell(one)).catch((error) =>
        // Its lease ends by itself.
        log.error({ err: error, tenantId: one.tenantId, messageId: one.messageId }, 'stream not told'),
      ),
    ),
  )
  return {
    did: taken.length,
    isMore: taken.length === batch,
    againInMs: taken.length ? lookAgainMs.sending : undefined,
  }
}

const tell = async ({ tenantId, messageId, attempts }: Taken) => {
  const inTenant = <T>(work: (tx: Tx) => Promise<T>) => withTenant(tenantId, work)
  const later = (ms: number) => inTenant((tx) => tx.rows(postpone, [tenantId, messageId, ms]))
  const [row] = await inTenant((tx) => tx.rows<Streamed>(read, [tenantId, messageId]))
  if (!row) return
  const everyMs = streamsOf(channels[row.kind])?.everyMs ?? 1_000
  const told = (body: string) =>
    inTenant(async (tx) => {
      // What is written meanwhile is either seen here or waits for this.
      await tx.rows(lock, [tenantId, messageId])
      await tx.rows(settle, [tenantId, messageId, body, everyMs])
      await tx.rows(sweep, [tenantId, messageId])
    })
  if (row.isDeleted || row.status === 'failed' || row.body === row.told) {
    await told(row.body)
    return
  }
  if (!row.providerId) {
    await later(row.status === 'uncertain' ? lookAgainMs.uncertain : lookAgainMs.sending)
    return
  }
  try {
    const connection = await findConnection(row.connectionId)
    if (!connection) throw new ChannelError('final', 'O canal desta conversa foi excluído.')
    const { providerId, to, body } = row
    await connection.adapter.edit?.({ providerId, to, body }, connection.context)
    await told(body)
  } catch (error) {
    const refused = error instanceof ChannelError || error instanceof AppError
    if (!refused) throw error
    const isAgain = error instanceof ChannelError && error.outcome !== 'final' && attempts < maxAttempts
    if (isAgain) await later(retryDelayMs(attempts, error.retryAfterMs))
    // More of it comes, and is told then.
    else if (row.isOpen) await inTenant((tx) => tx.rows(giveUp, [tenantId, messageId]))
    else await sayTheRest(tenantId, messageId, row)
  }
}

/** It can no longer be corrected there: what the customer has stays as it is, and what is missing is a message of its own. */
const sayTheRest = async (tenantId: number, messageId: string, { ticketId, body, told, author }: Streamed) => {
  const directory = await getDirectory(tenantId)
  const rest = body.startsWith(told) ? body.slice(told.length).trim() : body
  await withTenant(tenantId, async (tx) => {
    const ticket = await lockConversation(tx, ticketId)
    if (!ticket || !author) return
    await cutMessageStream(tx, directory.people, messageId, told)
    if (!rest) return
    await writeOutgoing(tx, {
      ...{ ticket, directory, author, cause: 'bot', purpose: 'service' },
      drafts: [{ id: v5('rest', messageId), type: 'text', body: rest }],
    })
  })
}

const take: Prepared = {
  name: 'message_streams_take',
  text: takeDue({
    table: 'message_streams',
    key: ['tenant_id', 'message_id'],
    where: 'due_at <= now()',
    order: 'due_at',
    set: leased('due_at'),
    returning: 'q.tenant_id as "tenantId", q.message_id as "messageId", q.attempts',
  }),
}
const read: Prepared = {
  name: 'message_stream_read',
  text: `select m.ticket_id as "ticketId", m.connection_id as "connectionId", n.kind, m.status, m.provider_id as "providerId",
      m.is_deleted as "isDeleted", s.is_open as "isOpen", m.body, s.told, m.author,
      coalesce((select jsonb_agg(jsonb_build_object('kind', i.kind, 'value', i.value) order by i.used_at desc nulls last, i.created_at)
        from contact_identities i where i.tenant_id = m.tenant_id and i.contact_id = m.contact_id), '[]') as to
    from message_streams s join messages m on m.tenant_id = s.tenant_id and m.id = s.message_id
      join connections n on n.tenant_id = m.tenant_id and n.id = m.connection_id
    where s.tenant_id = $1 and s.message_id = $2`,
}
const postpone: Prepared = {
  name: 'message_stream_postpone',
  text: `update message_streams set due_at = now() + make_interval(secs => $3 / 1000.0) where tenant_id = $1 and message_id = $2`,
}
const lock: Prepared = {
  name: 'message_stream_lock',
  text: 'select from message_streams where tenant_id = $1 and message_id = $2 for update',
}
/** Its provider has this text, and is told again after a while if it says something else by now. */
const settle: Prepared = {
  name: 'message_stream_settle',
  text: `update message_streams s set told = $3, attempts = 0,
      due_at = case when m.body <> $3 and not m.is_deleted then now() + make_interval(secs => $4 / 1000.0) end
    from messages m where s.tenant_id = $1 and s.message_id = $2 and m.tenant_id = s.tenant_id and m.id = s.message_id`,
}
const sweep: Prepared = {
  name: 'message_stream_sweep',
  text: 'delete from message_streams where tenant_id = $1 and message_id = $2 and not is_open and due_at is null',
}
const giveUp: Prepared = {
  name: 'message_stream_give_up',
  text: 'update message_streams set due_at = null, attempts = 0 where tenant_id = $1 and message_id = $2',
}
