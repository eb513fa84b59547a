import type { Message } from '@balcao/contract/conversations/messages.ts'
import type { InboundEvent } from '../../../channels/adapter.ts'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import type { StoredReaction } from '../../../db/schema/conversations/messages.ts'
import { cleanText } from '../../../kit/text.ts'
import { markConnection } from '../../channels/connections/connections.service.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { requestTemplateSync } from '../../channels/templates/templates.loop.ts'
import { normalizeIdentities } from '../../contacts/contacts/identify.ts'
import { changeMessage } from '../../conversations/messages/change-message.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { boundEdit } from './long-text.ts'

export type ChangeEvent = Exclude<InboundEvent, { kind: 'message' } | { kind: 'status' }>

/** The message an event speaks of is not here: perhaps it is still on its way. */
export class TargetMissing extends Error {}

/** Everything that is neither a message nor a status, one at a time. */
export const receiveChange = async (connection: OpenConnection, event: ChangeEvent): Promise<void> => {
  if (event.kind === 'templates') return requestTemplateSync(connection)
  if (event.kind === 'connection') return markConnection(connection.tenantId, connection.id, event.status, event.text)
  const directory = await getDirectory(connection.tenantId)
  return withTenant(connection.tenantId, async (tx) => {
    switch (event.kind) {
      case 'identity':
        return moveIdentity(tx, event)
      case 'unreachable': {
        const [who] = normalizeIdentities([event.who])
        await tx.rows(unreachable, [tx.tenantId, who?.kind, who?.value, event.reason])
        return
      }
      case 'reaction':
        return change(tx, connection, event.targetProviderId, directory.people, (before) => ({
          reactions: reacted(before, event),
        }))
      case 'edit':
        return change(tx, connection, event.providerId, directory.people, () => ({
          body: cleanText(boundEdit(event)),
          editedAt: event.at,
        }))
      case 'delete':
        return change(tx, connection, event.providerId, directory.people, () => ({ isDeleted: true }))
    }
  })
}

type Before = { id: string; reactions: StoredReaction[] | null; type: Message['type'] }
type Patch = Parameters<typeof changeMessage>[3]

const change = async (
  tx: Tx,
  connection: OpenConnection,
  providerId: string,
  people: Parameters<typeof changeMessage>[1],
  patchOf: (before: Before) => Patch,
) => {
  const [before] = await tx.rows<Before>(lockTarget, [tx.tenantId, connection.id, providerId])
  if (!before) throw new TargetMissing('A mensagem a que este aviso se refere não está aqui.')
  await changeMessage(tx, people, before.id, patchOf(before))
}

/** A customer has one reaction per message; a new one takes the place of the old, an empty one takes it back. */
const reacted = ({ reactions }: Before, event: Extract<ChangeEvent, { kind: 'reaction' }>): StoredReaction[] => {
  const others = (reactions ?? []).filter((one) => one.fromMe !== event.fromMe || (event.fromMe && one.userId !== null))
  return event.emoji
    ? [...others, { emoji: cleanText(event.emoji).slice(0, 16), fromMe: event.fromMe, userId: null }]
    : others
}

/** The customer changed the number or got a new id: the same person is known by both. */
const moveIdentity = async (tx: Tx, event: Extract<ChangeEvent, { kind: 'identity' }>) => {
  const [from] = normalizeIdentities([event.from])
  const [to] = normalizeIdentities([event.to])
  await tx.rows(linkIdentity, [tx.tenantId, from?.kind, from?.value, to?.kind, to?.value])
}

const lockTarget: Prepared = {
  name: 'inbound_target',
  text: `select id, reactions, type from messages where tenant_id = $1 and connection_id = $2 and provider_id = $3 for no key update`,
}
const unreachable: Prepared = {
  name: 'inbound_unreachable',
  text: `update contacts c set unreachable_reason = $4, version = version + 1 from contact_identities i
    where i.tenant_id = $1 and i.kind = $2 and i.value = $3 and c.tenant_id = $1 and c.id = i.contact_id`,
}
const linkIdentity: Prepared = {
  name: 'inbound_link_identity',
  text: `insert into contact_identities (tenant_id, kind, value, contact_id)
    select tenant_id, $4, $5, contact_id from contact_identities where tenant_id = $1 and kind = $2 and value = $3
    on conflict do nothing`,
}
