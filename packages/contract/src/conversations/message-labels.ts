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
  unsupported: 'Mensagem não suportada',
}
