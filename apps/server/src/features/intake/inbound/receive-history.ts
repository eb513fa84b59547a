import type { InboundEvent } from '../../../channels/adapter.ts'
import type { Tx } from '../../../db/database.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { keepImport } from '../../channels/connections/import.ts'
import { writeHistory } from '../../conversations/messages/write-history.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { findErased, isOfErased } from '../journal/erase-journal.ts'
import { findSpeakers } from './speakers.ts'

type History = Extract<InboundEvent, { kind: 'history' }>

/** What was said before the channel came to us, of the days the connection asks for; without a word to anybody. */
export const receiveHistory = async (
  tx: Tx,
  { id, options, history, queueId }: OpenConnection,
  { messages, percent = 100 }: History,
) => {
  if (!history) return
  const { since, until, hasGroups } = history
  const asked = messages.filter(
    ({ timestamp, from }) => timestamp >= since && timestamp < until && (hasGroups || !from.isGroup),
  )
  const erased = await findErased(
    tx,
    id,
    asked.flatMap(({ from }) => from.identities),
  )
  const wanted = asked.filter((one) => !isOfErased(erased, one))
  // Whoever the conversation is with is found as those who speak in a group are: all at once.
  const contacts = await findSpeakers(
    tx,
    wanted.flatMap(({ from, author }) => (author ? [from, author] : [from])),
  )
  const conversations = Map.groupBy(wanted, ({ from }) => contacts(from)?.id ?? '')
  const { queues } = await getDirectory(tx.tenantId)
  const place = options.importQueueId && queues.has(options.importQueueId) ? options.importQueueId : queueId
  const stored = await writeHistory(tx, {
    connectionId: id,
    queueId: place,
    isOpen: options.importOpen ?? false,
    conversations: [...conversations].map(([contactId, said]) => ({
      contactId,
      messages: said.map(({ providerId, fromMe, author, content, timestamp }) => ({
        providerId,
        fromMe,
        author: author && contacts(author),
        type: content.type,
        body: content.body,
        timestamp,
        location: content.location,
        contacts: content.contacts,
        payload: content.interactive && { interactive: content.interactive },
        media: content.media,
      })),
    })),
  })
  await keepImport(tx, id, stored, percent)
}
