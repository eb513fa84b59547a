import { v5 } from 'uuid'
import type { InboundEvent, Speaker } from '../../../channels/adapter.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { bySystem } from '../../../kit/actor.ts'
import { cleanText } from '../../../kit/text.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { emitContact } from '../../contacts/contacts/contacts.events.ts'
import { findActive, writeLineOnce } from './lines-once.ts'

type GroupChange = Extract<InboundEvent, { kind: 'group' }>

/** Who came, went or was given a part in a group, and what it is called now: a line of its conversation. */
export const receiveGroupChange = async (tx: Tx, connection: OpenConnection, event: GroupChange) => {
  const { group, providerId, subject } = event
  if (connection.options.ignoreGroups) return
  const found = await findActive(tx, connection, group)
  if (!found) return
  if (event.change === 'subject' && subject)
    await rename(tx, found.contactId, cleanText(subject).trim().slice(0, 120), event.at)
  await writeLineOnce(tx, connection, group, {
    id: v5(`grupo:${providerId}`, connection.id),
    body: sentenceOf(event),
    author: bySystem,
  })
}

const sentenceOf = ({ change, members, subject }: GroupChange): string => {
  const who = members.map(nameOf).join(', ') || 'Alguém'
  const many = members.length > 1
  switch (change) {
    case 'joined':
      return `${who} ${many ? 'entraram' : 'entrou'} no grupo.`
    case 'left':
      return `${who} ${many ? 'saíram' : 'saiu'} do grupo.`
    case 'promoted':
      return `${who} agora ${many ? 'administram' : 'administra'} o grupo.`
    case 'demoted':
      return `${who} não ${many ? 'administram' : 'administra'} mais o grupo.`
    case 'subject':
      return subject ? `O grupo agora se chama ${subject}.` : 'O nome do grupo mudou.'
    case 'picture':
      return 'A foto do grupo mudou.'
  }
}
const nameOf = ({ name, identities: [{ kind, value }] }: Speaker) =>
  cleanText(name ?? (kind === 'phone' ? `+${value}` : value)).slice(0, 120)

/** A name somebody of the team typed stays. An older notice finds that it has come too late. */
const rename = async (tx: Tx, contactId: string, name: string, at: Date) => {
  const [renamed] = await tx.rows<{ id: string; name: string; profilePicUrl: string | null; version: number }>(
    saveName,
    [tx.tenantId, contactId, name, at],
  )
  if (renamed) await emitContact(tx, renamed)
}
const saveName: Prepared = {
  name: 'inbound_group_name',
  text: `update contacts set name = $3, name_told_at = $4, version = version + 1, updated_at = now()
    where tenant_id = $1 and id = $2 and is_group and not is_name_fixed and $3 <> ''
      and coalesce(name_told_at, '-infinity') <= $4 and (name, name_told_at) is distinct from ($3, $4)
    returning id, name, profile_pic_url as "profilePicUrl", version`,
}
