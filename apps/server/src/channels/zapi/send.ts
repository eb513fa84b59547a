import { ChannelError, type Outbound } from '../adapter.ts'
import type { LateFile } from '../base64-streams.ts'
import { pollIn } from '../content.ts'
import { carried } from '../whatsapp/files.ts'
import { calling } from '../whatsapp/jids.ts'

/** The method that carries it, and what it says. */
export const bodyOf = async (
  message: Outbound,
): Promise<{ path: string; body: Record<string, unknown>; late?: LateFile }> => {
  const { text } = calling(message)
  const caption = text ? { caption: text } : {}
  switch (message.type) {
    case 'text':
      return {
        path: 'send-text',
        body: { message: text, ...(message.mentions?.length && { mentioned: message.mentions.map(({ id }) => id) }) },
      }
    case 'location': {
      const { latitude, longitude, name = '', address = '' } = message.location ?? {}
      const body = { title: name, address, latitude: String(latitude), longitude: String(longitude) }
      return { path: 'send-location', body }
    }
    case 'contact':
      return contactsOf(message.contacts)
    case 'interactive': {
      // https://developer.z-api.io/en/message/send-poll
      const { name, options, selectable } = pollIn(message)
      const poll = options.map((title) => ({ name: title }))
      return { path: 'send-poll', body: { message: name, poll, pollMaxOptions: selectable || options.length } }
    }
    case 'template':
      throw new ChannelError('final', 'Este canal não envia modelos de mensagem.')
    case 'document': {
      const { file, name, late } = await fileIn(message)
      const [, stem = name, extension = 'bin'] = /^(.+)\.([A-Za-z0-9]{1,8})$/.exec(name) ?? []
      // It puts the ending back by itself.
      return {
        path: `send-document/${extension.toLowerCase()}`,
        body: { document: file, fileName: stem, ...caption },
        late,
      }
    }
    case 'audio': {
      const { file, late } = await fileIn(message)
      return { path: 'send-audio', body: { audio: file, waveform: true }, late }
    }
    default: {
      const { file, late } = await fileIn(message)
      const words = message.type === 'sticker' ? {} : caption
      return { path: `send-${message.type}`, body: { [message.type]: file, ...words }, late }
    }
  }
}

/** Its address, or itself inside an address. */
const fileIn = async (message: Outbound) => {
  const { media, mime, name, late } = await carried(message)
  return { file: /^https?:/.test(media) ? media : `data:${mime};base64,${media}`, name, late }
}

const contactsOf = (contacts: Outbound['contacts']) => {
  const cards = contacts.map(({ name, phones }) => ({ name, phones: phones.map((one) => one.replace(/\D/g, '')) }))
  const [first] = cards
  if (!first || cards.some(({ phones }) => !phones.length))
    throw new ChannelError('final', 'Para o WhatsApp, o contato precisa de um telefone.')
  if (cards.length > 1 || first.phones.length > 1) return { path: 'send-contacts', body: { contacts: cards } }
  return { path: 'send-contact', body: { contactName: first.name, contactPhone: first.phones[0] } }
}
