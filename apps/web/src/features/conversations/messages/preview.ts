import type { Message, MessageType } from '@balcao/contract/conversations/messages.ts'
import { plainPreview } from '../tickets/preview.ts'

const labels: Partial<Record<MessageType, string>> = {
  image: 'Imagem',
  audio: 'Áudio',
  video: 'Vídeo',
  document: 'Documento',
  sticker: 'Figurinha',
  location: 'Localização',
  contact: 'Contato',
  template: 'Modelo',
  buttons: 'Opções',
  unsupported: 'Mensagem não suportada',
}

/** The text without the agent's name the server wrote above it: the bubble says whose it is in its own way. */
export const unsigned = ({ body, user, fromMe }: Pick<Message, 'body' | 'user' | 'fromMe'>) => {
  const name = fromMe && user ? `*${user.name}*:\n` : ''
  const signature = body.startsWith(name) ? name : ''
  return { body: body.slice(signature.length), isSigned: signature !== '', signature }
}

/** A message in one line: its words, or what it is. */
export const previewText = ({ body, type }: Pick<Message, 'body' | 'type'>): string =>
  plainPreview(body) || labels[type] || 'Mensagem'

/** Notes and lines of the house stay here; what is being fetched, or gone, has nothing to send on. */
export const isForwardable = ({ type, isDeleted, mediaState }: Pick<Message, 'type' | 'isDeleted' | 'mediaState'>) =>
  !isDeleted &&
  !['note', 'system', 'reaction', 'unsupported'].includes(type) &&
  !['fetching', 'failed'].includes(mediaState)
