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

/** The line a ticket shows of its last message. */
export const previewOf = (message: { type: MessageType; body: string; mediaName?: string | null }) =>
  (message.body || (message.type === 'document' && message.mediaName) || labels[message.type] || '').slice(0, 300)
