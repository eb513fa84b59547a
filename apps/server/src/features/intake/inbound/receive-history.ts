import type { InboundEvent } from '../../../channels/adapter.ts'
import type { Tx } from '../../../db/database.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { resolveContact } from '../../contacts/contacts/identify.ts'
import { writeHistory } from '../../conversations/messages/write-history.ts'
import { findSpeakers } from './speakers.ts'

type History = Extract<InboundEvent, { kind: 'history' }>

/** What was said before the channel came to us, of as many days as the connection asks for; without a word to anybody. */
export const receiveHistory = async (tx: Tx, { id, options }: OpenConnection, { messages }: History) => {
  if (!options.importDays) return
  const since = Date.now() - options.importDays * 86_400_000
  const wanted = messages.filter(
    ({ timestamp, from }) => timestamp.getTime() >= since && !(from.isGroup && options.ignoreGroups),
  )
  const speakers = await findSpeakers(
    tx,
    wanted.flatMap(({ author }) => author ?? []),
  )
  const conversations = Map.groupBy(
    wanted,
    ({ from: { identities } }) => `${identities[0].kind}:${identities[0].value}`,
  )
  for (const [first, ...rest] of conversations.values()) {
    if (!first) continue
    const { contactId } = await resolveContact(tx, first.from)
    const old = [first, ...rest].map(({ providerId, fromMe, author, content, timestamp }) => ({
      providerId,
      fromMe,
      author: author && speakers(author),
      type: content.type,
      body: content.body,
      timestamp,
      location: content.location,
      contacts: content.contacts,
      media: content.media,
    }))
    await writeHistory(tx, { contactId, connectionId: id, messages: old })
  }
}
