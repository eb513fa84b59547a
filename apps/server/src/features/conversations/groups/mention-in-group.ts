import type { GroupMember } from '@balcao/contract/conversations/groups.ts'
import { type Message, messageSend } from '@balcao/contract/conversations/messages.ts'
import { type Prepared, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { requireSupport } from '../messages/reach.ts'
import { sendMessage } from '../messages/send-message.ts'
import { requireVisible } from '../messages/visible.ts'
import { getGroup, unsupported } from './group.ts'

/** Who is in the group of a conversation, where the channel says. */
export const listParticipants = async (actor: Actor, ticketId: string): Promise<GroupMember[]> => {
  await withTenant(actor.tenantId, async (tx) => {
    const ticket = await requireVisible(tx, actor, await getDirectory(actor.tenantId), ticketId)
    try {
      requireSupport(ticket, 'groups')
    } catch {
      throw unsupported(ticket, 'dá acesso aos participantes de grupos')
    }
  })
  const { members, problem } = await getGroup(actor, ticketId, false)
  if (problem && !members.length) throw new AppError('ERR_SENDING_WAPP_MSG', { message: problem })
  return members
}

/** Who has spoken in the group of a conversation, of its newest messages; by name. */
export const listSpeakers = async (actor: Actor, ticketId: string) => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    await requireVisible(tx, actor, directory, ticketId)
    return { items: await tx.rows<{ id: string; name: string }>(speakers, [tx.tenantId, ticketId]) }
  })
}
const speakers: Prepared = {
  name: 'group_speakers',
  text: `select id, max(name) as name from (
      select author->>'id' as id, author->>'name' as name, author->>'kind' as kind from messages
      where tenant_id = $1 and ticket_id = $2 order by seq desc limit 5000) said
    where kind = 'contact' and id is not null group by id order by name, id limit 200`,
}

type Mention = { ticketId: string; id: string; body: string } & (
  | { mentions: string[] }
  /** Everybody: named in the text, or only called (`ghost`). */
  | { everybody: 'named' | 'ghost' }
)

/** A message to a group that calls its participants; by their ids in the text, which become their names. */
export const mentionInGroup = async (actor: Actor, input: Mention): Promise<Message> => {
  const others = (await listParticipants(actor, input.ticketId)).filter(({ isUs }) => !isUs)
  const wanted = 'mentions' in input ? new Set(input.mentions) : null
  const called = wanted ? others.filter(({ id }) => wanted.has(id)) : others
  if (wanted && called.length < wanted.size)
    throw fieldErrors({ path: 'mentions', message: 'Um dos mencionados não está mais no grupo.' })
  const isNamed = wanted !== null || ('everybody' in input && input.everybody === 'named')
  const named = called.reduce((text, { id, name }) => text.replaceAll(`@${id}`, `@${name}`), input.body)
  const unnamed = isNamed ? called.filter(({ name }) => !named.includes(`@${name}`)) : []
  const body = [named, unnamed.map(({ name }) => `@${name}`).join(' ')].filter(Boolean).join('\n')
  const message = messageSend.parse({ id: input.id, body, called: called.map(({ id, name }) => ({ id, name })) })
  return sendMessage(actor, input.ticketId, message)
}
