import type { MessageType } from './messages.ts'

/** What a message is called where its words do not say it. */
export const messageLabels: Partial<Record<MessageType, string>> = {
  image: 'Imagem',
  audio: 'Áudio',
  video: 'Vídeo',
  document: 'Documento',
  sticker: 'Figurinha',
  location: 'Localização',
  contact: 'Contato',
  template: 'Modelo',
  buttons: 'Opções',
  poll: 'Enquete',
  unsupported: 'Mensagem não suportada',
}

/** What a message says in one line: of a poll that it is one, of others that say nothing what they are. */
export const lineOf = ({ type, body }: { type: MessageType; body: string }): string => {
  const label = messageLabels[type] ?? ''
  return type === 'poll' && body ? `${label}: ${body}` : body || label
}
