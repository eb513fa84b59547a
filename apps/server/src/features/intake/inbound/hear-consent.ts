import { askedByWord } from '@balcao/contract/contacts/consent.ts'
import type { Tx } from '../../../db/database.ts'
import { recordConsent } from '../../contacts/consent/consent.ts'
import { normalizeIdentities } from '../../contacts/contacts/identify.ts'
import { newMessage } from '../../conversations/timeline/new-message.ts'
import type { NewMessage } from '../../conversations/timeline/store.ts'
import { isClosingWord } from '../../service/closing/closing-words.ts'
import type { Batch } from './arrivals.ts'

/**
 * SAIR, PARAR and their like, alone in a message: the customer gets no campaigns and no questions from then on, until
 * they ask for them again. The conversation itself goes on; the team reads what was asked for.
 */
export const hearConsent = async (tx: Tx, { connection, directory, arrived, now }: Batch): Promise<NewMessage[]> => {
  const lines: NewMessage[] = []
  for (const { event, message, ticket } of arrived) {
    // A word the company chose for the end of a conversation says just that.
    const isOther = event.fromMe || ticket.isGroup || message.type !== 'text' || isClosingWord(directory, message.body)
    const asked = isOther ? undefined : askedByWord(message.body)
    if (!asked) continue
    const author = { kind: 'contact' as const, id: ticket.contactId, name: event.from.name ?? '' }
    await recordConsent(tx, {
      identities: normalizeIdentities(event.from.identities),
      channel: connection.kind,
      purposes: ['marketing', 'research'],
      isGiven: asked === 'start',
      source: 'word',
      proof: message.body,
      author,
    })
    lines.push(
      newMessage(
        { tenantId: tx.tenantId, people: directory.people, now },
        { ticket, author, fromMe: true, type: 'system', body: told[asked], status: 'received' },
      ),
    )
  }
  return lines
}

const told = {
  stop: 'O cliente pediu para não receber mais campanhas nem pesquisas.',
  start: 'O cliente voltou a aceitar campanhas e pesquisas.',
}
