import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { MessageType } from '@balcao/contract/conversations/messages.ts'

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

/** The line a ticket shows of its last message; of a group, with who wrote it. */
export const previewOf = (message: {
  type: MessageType
  body: string
  mediaName?: string | null
  author?: Author | null
}) => {
  const words = message.body || (message.type === 'document' && message.mediaName) || labels[message.type] || ''
  const name = message.author?.kind === 'contact' ? message.author.name : ''
  return (name && words ? `${name}: ${words}` : words).slice(0, 300)
}
