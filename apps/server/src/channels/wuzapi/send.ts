import { ChannelError, type Outbound } from '../adapter.ts'
import type { LateFile } from '../base64-streams.ts'
import { pollIn } from '../content.ts'
import { fileOf } from '../http-errors.ts'
import { carried } from '../whatsapp/files.ts'
import { addressOf, calling } from '../whatsapp/jids.ts'
import { writeVcard } from '../whatsapp/vcards.ts'

/** The route of `/chat/send` that carries it, what it says, and whom it calls. */
export const bodyOf = async (
  message: Outbound,
): Promise<{ route: string; body: Record<string, unknown>; mentioned: string[]; late?: LateFile }> => {
  const { text, jids: mentioned } = calling(message)
  const plain = (route: string, body: Record<string, unknown>) => ({ route, body, mentioned })
  switch (message.type) {
    case 'text':
      return plain('text', { Body: text, LinkPreview: /https?:\/\//.test(text) })
    case 'location': {
      const { latitude, longitude, name, address } = message.location ?? {}
      // A place has a name here, and no address.
      const Name = [name, address].filter(Boolean).join(', ')
      return plain('location', { Latitude: latitude, Longitude: longitude, Name })
    }
    case 'contact': {
      const [card, ...others] = message.contacts
      if (others.length) throw new ChannelError('final', 'O WuzAPI envia um contato por mensagem.')
      if (!card?.phones.length) throw new ChannelError('final', 'Para o WhatsApp, o contato precisa de um telefone.')
      return plain('contact', { Name: card.name, Vcard: writeVcard(card) })
    }
    case 'interactive': {
      // Whoever it is for goes by another name here, and one may choose one option (`SendPoll` of its handlers.go).
      const { name, options } = pollIn(message)
      return plain('poll', { Group: addressOf(message.to), Header: name, Options: options })
    }
    case 'template':
      throw new ChannelError('final', 'Este canal não envia modelos de mensagem.')
    default:
      return { ...(await fileBody(message, text)), mentioned }
  }
}

const fileBody = async (message: Outbound, text: string) => {
  const { address, mime, name, late } = await fileIn(message)
  const Caption = text || undefined
  switch (message.type) {
    case 'image':
      return { route: 'image', late, body: { Image: address, MimeType: mime, Caption } }
    case 'video':
      return { route: 'video', late, body: { Video: address, MimeType: mime, Caption } }
    case 'audio':
      return { route: 'audio', late, body: { Audio: address, mimetype: mime, ptt: /ogg/.test(mime) } }
    case 'sticker':
      return { route: 'sticker', body: { Sticker: address, MimeType: mime } }
    default:
      return { route: 'document', late, body: { Document: address, FileName: name, MimeType: mime, Caption } }
  }
}

/** By its address, or as a `data:` address of its own; of a sticker WuzAPI takes nothing else. */
const fileIn = async (message: Outbound) => {
  if (message.type === 'sticker') {
    const { file, name, mime } = await fileOf(message)
    const media = Buffer.from(await file.arrayBuffer()).toString('base64')
    return { address: dataAddress(mime, media), name, mime, late: undefined }
  }
  const { media, mime, name, late } = await carried(message)
  return { address: /^https?:/.test(media) ? media : dataAddress(mime, media), name, mime, late }
}
const dataAddress = (mime: string, base64: string) => `data:${mime.replace(/\s/g, '')};base64,${base64}`
