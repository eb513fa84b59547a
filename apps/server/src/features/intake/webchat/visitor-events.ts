import type { webchatEvent } from '@balcao/contract/intake/webchat.ts'
import type { z } from 'zod'
import type { InboundEvent } from '../../../channels/adapter.ts'
import { type Prepared, withTenant } from '../../../db/database.ts'
import { announce } from '../../../kit/signals/signals.ts'
import { closeByContact } from '../../conversations/actions/close-by-itself.ts'
import { ingest } from '../inbound/inbound.service.ts'
import { findConversation } from './conversation.ts'
import { type Caller, notePage } from './sessions.ts'

/** What a window tells besides messages. */
export const handleEvent = async (caller: Caller, { type, upToSeq, page }: z.output<typeof webchatEvent>) => {
  switch (type) {
    case 'typing.start':
    case 'typing.stop': {
      const conversation = await findConversation(caller)
      if (!conversation) return
      return announce('contact.typing', {
        tenantId: caller.tenantId,
        ticketId: conversation.id,
        isTyping: type === 'typing.start',
      })
    }
    case 'read':
      return upToSeq === undefined ? undefined : noteSeen(caller, upToSeq, 'read')
    case 'page':
      return page && notePage(caller, page)
    case 'close':
      return endConversation(caller)
  }
}

/** The window showed (delivered) or its person saw (read) our messages up to `upToSeq`: states enter like a provider's. */
export const noteSeen = async (
  { tenantId, connectionId, contactId }: Pick<Caller, 'tenantId' | 'connectionId' | 'contactId'>,
  upToSeq: number,
  status: 'delivered' | 'read',
) => {
  if (!contactId) return
  const lower = status === 'read' ? ['sent', 'delivered'] : ['sent']
  const rows = await withTenant(tenantId, (tx) =>
    tx.rows<{ providerId: string }>(unseen, [tenantId, contactId, connectionId, upToSeq, lower]),
  )
  const events = rows.map(({ providerId }): InboundEvent => ({ kind: 'status', providerId, status }))
  if (events.length) await ingest(tenantId, connectionId, events)
}
const unseen: Prepared = {
  name: 'webchat_unread',
  text: `select provider_id as "providerId" from messages where tenant_id = $1 and contact_id = $2 and connection_id = $3
    and from_me and seq <= $4 and status = any($5::text[]) and provider_id is not null order by seq desc limit 200`,
}

const endConversation = async ({ tenantId, connectionId, contactId }: Caller) => {
  if (!contactId) return
  await withTenant(tenantId, (tx) =>
    closeByContact(tx, { connectionId, contactId, line: 'O visitante encerrou a conversa.' }),
  )
}
