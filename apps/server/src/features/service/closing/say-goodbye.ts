import { isWindowOpen } from '@balcao/contract/channels/window.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { signedText } from '../../conversations/messages/signature.ts'
import {
  type Conversation,
  filledFor,
  lockConversation,
  type SystemMessage,
  saidBy,
  sendSystemMessage,
} from '../../conversations/messages/system-messages.ts'
import { unlessRefused } from '../../conversations/messages/write-outgoing.ts'
import type { Closing, Goodbye } from '../../conversations/tickets/before-close.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { askForRating, mayAskForRating } from './ask-rating.ts'

/**
 * The last words of a conversation about to be closed, in the transaction that closes it: the closing message, then the
 * question for a grade. Only a message somebody chose may refuse the closing; what goes by itself is left out where the
 * channel does not take it.
 */
export const sayGoodbye = async (tx: Tx, closing: Closing): Promise<void> => {
  const { conversation, ...goodbye } = await prepareGoodbye(tx, closing)
  await say(tx, closing.directory, conversation, goodbye)
}

type Farewell = SystemMessage & { userId?: string | null }
type PreparedGoodbye = Goodbye & { farewell: Farewell | undefined; conversation: Conversation }

/** The same, but not said yet: what would be, or why the closing is refused. */
export const prepareGoodbye = async (tx: Tx, closing: Closing): Promise<PreparedGoodbye> => {
  const conversation = await lockConversation(tx, closing.ticketId)
  if (!conversation) throw new AppError('ERR_NO_TICKET_FOUND')
  const farewell = closing.farewellId
    ? await chosen(tx, closing, conversation, closing.farewellId)
    : ownWords(closing, conversation)
  return { conversation, farewell, asksRating: mayAskForRating(conversation) }
}

/** Says what was prepared, to a locked conversation. */
export const say = async (
  tx: Tx,
  directory: Directory,
  conversation: Conversation,
  goodbye: Omit<PreparedGoodbye, 'conversation'>,
) => {
  const { farewell, asksRating } = goodbye
  const name = farewell?.userId ? directory.people.get(farewell.userId)?.name : undefined
  const actor = farewell?.userId ? { userId: farewell.userId, name: name ?? 'Usuário removido' } : null
  // Prepared a while ago, perhaps: what cannot go any more never holds up the end.
  const author = saidBy(actor, 'Despedida')
  const told = farewell
    ? await unlessRefused(sendSystemMessage(tx, directory, conversation, farewell, { author }), conversation)
    : conversation
  if (asksRating) await askForRating(tx, directory, told)
}

const ownWords = (
  { directory, actor, farewellId, text }: Closing,
  conversation: Conversation,
): Farewell | undefined => {
  if (conversation.isGroup || !isWindowOpen(conversation.abilities, conversation.windowFrom)) return undefined
  const template = text ?? (actor && farewellId === undefined ? conversation.farewellMessage : '')
  const body = filledFor(conversation, directory, template, actor)
  return body && body.length <= conversation.abilities.textLimits.text ? { body, sendType: 'farewell' } : undefined
}

/** A closing message of the library, its variables filled in. */
const chosen = async (
  tx: Tx,
  { directory, actor }: Closing,
  conversation: Conversation,
  farewellId: string,
): Promise<Farewell> => {
  const [found] = await tx.rows<{ message: string }>(farewellById, [tx.tenantId, farewellId])
  if (!found) throw refused('Mensagem de fechamento não encontrada.')
  const text = filledFor(conversation, directory, found.message, actor)
  if (!text) throw refused('O texto ficou vazio: o contato não tem os dados que as variáveis pedem.')
  const body = signedText(text, {
    abilities: conversation.abilities,
    name: actor?.name ?? '',
    isAsked: actor !== null && directory.settings.signed,
  })
  if (body.length > conversation.abilities.textLimits.text)
    throw refused('O texto ficou longo demais com os dados do contato.')
  if (!isWindowOpen(conversation.abilities, conversation.windowFrom)) {
    const message = 'A janela de 24 horas do WhatsApp terminou. Encerre sem mensagem de fechamento.'
    throw new AppError('ERR_WINDOW_CLOSED', { message, details: [{ path: 'farewellId', message }] })
  }
  return { body, sendType: 'farewell', userId: actor?.userId }
}

const refused = (message: string) => fieldErrors({ path: 'farewellId', message })

const farewellById: Prepared = {
  name: 'farewell_by_id',
  text: 'select message from farewells where tenant_id = $1 and id = $2',
}
