import { lineOf } from '@balcao/contract/conversations/message-labels.ts'
import type { Message } from '@balcao/contract/conversations/messages.ts'
import { plainPreview } from '../tickets/preview.ts'

/** The text without the agent's name the server wrote above it: the bubble says whose it is in its own way. */
export const unsigned = ({ body, user, fromMe }: Pick<Message, 'body' | 'user' | 'fromMe'>) => {
  const name = fromMe && user ? `*${user.name}*:\n` : ''
  const signature = body.startsWith(name) ? name : ''
  return { body: body.slice(signature.length), isSigned: signature !== '', signature }
}

/** A message in one line: its words, or what it is. */
export const previewText = ({ body, type }: Pick<Message, 'body' | 'type'>): string =>
  lineOf({ type, body: plainPreview(body) }) || 'Mensagem'

/** Notes and lines of the house stay here; what is being fetched, or gone, has nothing to send on. */
export const isForwardable = ({ type, isDeleted, mediaState }: Pick<Message, 'type' | 'isDeleted' | 'mediaState'>) =>
  !isDeleted &&
  !['note', 'system', 'reaction', 'unsupported'].includes(type) &&
  !['fetching', 'failed'].includes(mediaState)
