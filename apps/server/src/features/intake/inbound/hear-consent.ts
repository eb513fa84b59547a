import { askedByWord, refusable } from '@balcao/contract/contacts/consent.ts'
import type { Tx } from '../../../db/database.ts'
import { isSaidAlready, recordConsent } from '../../contacts/consent/consent.ts'
import { normalizeIdentities } from '../../contacts/contacts/identify.ts'
import { newMessage } from '../../conversations/timeline/new-message.ts'
import type { NewMessage } from '../../conversations/timeline/store.ts'
import { isClosingWord } from '../../service/closing/closing-words.ts'
import type { Batch } from './arrivals.ts'
import { sayByRule } from './say-by-rule.ts'

type Wish = 'stop' | 'start'
const told: Record<Wish, string> = {
  stop: 'O cliente pediu para não receber mais campanhas nem pesquisas.',
  start: 'O cliente voltou a aceitar campanhas e pesquisas.',
}

/**
 * One of the company's words (SAIR, PARAR), written alone or pressed as a button: the customer gets no campaigns and no
 * questions from then on, until they ask for them again. They are told so, once; the conversation itself goes on, and the
 * team reads what was asked for. What holds already is not said again, so that two machines do not go on for ever.
 */
export const hearConsent = async (tx: Tx, batch: Batch): Promise<NewMessage[]> => {
  const { connection, directory, arrived, now } = batch
  const lines: NewMessage[] = []
  const answered: Record<Wish, string[]> = { stop: [], start: [] }
  for (const one of arrived) {
    const wish = wishOf(batch, one)
    if (!wish) continue
    const { event, message, ticket } = one
    const said = { channel: connection.kind, purposes: refusable, isGiven: wish === 'start' }
    if (await isSaidAlready(tx, { ...said, contactId: ticket.contactId })) continue
    await recordConsent(tx, {
      ...said,
      identities: normalizeIdentities(event.from.identities),
      source: 'word',
      proof: message.body,
      // The ledger outlives the contact: whoever was deleted must not be named there.
      author: { kind: 'contact', id: ticket.contactId, name: '' },
    })
    const author = { kind: 'contact' as const, id: ticket.contactId, name: event.from.name ?? '' }
    lines.push(
      newMessage(
        { tenantId: tx.tenantId, people: directory.people, now },
        { ticket, author, fromMe: true, type: 'system', body: told[wish], status: 'received' },
      ),
    )
    answered[wish].push(ticket.id)
  }
  const { stopAnswer, startAnswer } = directory.settings
  const answers = [
    ...(await sayByRule(tx, batch, { ticketIds: answered.stop, name: 'Descadastro', text: stopAnswer })),
    ...(await sayByRule(tx, batch, { ticketIds: answered.start, name: 'Volta às campanhas', text: startAnswer })),
  ]
  return [...lines, ...answers]
}

/** A word the company chose for the end of a conversation says just that. */
export const wishOf = (
  { directory }: Pick<Batch, 'directory'>,
  { event, message, ticket }: Batch['arrived'][number],
) =>
  event.fromMe || ticket.isGroup || message.type !== 'text' || isClosingWord(directory, message.body)
    ? undefined
    : askedByWord(message.body, directory.settings)
