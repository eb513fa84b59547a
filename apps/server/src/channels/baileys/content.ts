import type { AnyMessageContent } from '@whiskeysockets/baileys'
import { ChannelError, type Outbound } from '../adapter.ts'
import { pollIn } from '../content.ts'
import { fileOf } from '../http-errors.ts'
import { calling } from '../whatsapp/jids.ts'
import { writeVcard } from '../whatsapp/vcards.ts'

/** A message of ours as the library takes it. */
export const contentOf = async (message: Outbound): Promise<AnyMessageContent> => {
  const { text, jids: mentions } = calling(message)
  switch (message.type) {
    case 'text':
      return { text, mentions, linkPreview: null } // a preview would be fetched from here
    case 'location': {
      const { latitude = 0, longitude = 0, name, address } = message.location ?? {}
      return { location: { degreesLatitude: latitude, degreesLongitude: longitude, name, address } }
    }
    case 'contact': {
      const [first, ...others] = message.contacts
      if (!first) throw new ChannelError('final', 'Esta mensagem não tem contatos.')
      const displayName = others.length ? `${message.contacts.length} contatos` : first.name
      return {
        contacts: {
          displayName,
          contacts: message.contacts.map((card) => ({ displayName: card.name, vcard: writeVcard(card) })),
        },
      }
    }
    case 'interactive': {
      // Phones draw no buttons of a linked device: other options go as numbered text.
      const { name, options: values, selectable: selectableCount } = pollIn(message)
      return { poll: { name, values, selectableCount } }
    }
    case 'template':
      throw new ChannelError('final', 'O WhatsApp por QR code não tem modelos de mensagem.')
    default:
      return fileContent(message, text, mentions)
  }
}

const fileContent = async (message: Outbound, caption: string, mentions: string[]): Promise<AnyMessageContent> => {
  const { file, name, mime: mimetype } = await fileOf(message)
  const bytes = Buffer.from(await file.arrayBuffer())
  const words = caption ? { caption, mentions } : {}
  switch (message.type) {
    case 'image':
      return { image: bytes, mimetype, ...words }
    case 'video':
      return { video: bytes, mimetype, ...words }
    case 'audio':
      return { audio: bytes, mimetype, ptt: /ogg/.test(mimetype) }
    case 'sticker':
      return { sticker: bytes, mimetype }
    default:
      return { document: bytes, mimetype, fileName: name, ...words }
  }
}
