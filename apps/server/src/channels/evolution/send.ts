import { ChannelError, type Outbound } from '../adapter.ts'
import type { LateFile } from '../base64-streams.ts'
import { pollIn } from '../content.ts'
import { templateOf } from '../meta-templates.ts'
import { carried } from '../whatsapp/files.ts'
import { calling } from '../whatsapp/jids.ts'
import type { Context } from './api.ts'
import { uploadToMeta } from './meta.ts'

/** The route of `/message` that carries it, and what it says. */
export const bodyOf = async (
  message: Outbound,
  context: Context,
): Promise<Record<string, unknown> & { route: string; late?: LateFile }> => {
  const { text, jids } = calling(message)
  const mentioned = jids.length ? { mentioned: jids } : {}
  switch (message.type) {
    case 'text':
      return { route: 'sendText', text, linkPreview: /https?:\/\//.test(text), ...mentioned }
    case 'location': {
      const { name = '', address = '', ...point } = message.location ?? {}
      return { route: 'sendLocation', ...point, name, address }
    }
    case 'contact':
      return { route: 'sendContact', contact: message.contacts.flatMap(cardsOf) }
    case 'interactive': {
      const { name, options: values, selectable: selectableCount } = pollIn(message)
      return { route: 'sendPoll', name, selectableCount, values }
    }
    case 'template': {
      const {
        name,
        language,
        components = [],
      } = templateOf(message, message.media ? await uploadToMeta(message, context) : null)
      return { route: 'sendTemplate', name, language: language.code, components }
    }
    case 'sticker':
      return stickerOf(await carried(message))
    default: {
      const { media, mime, name, late } = await carried(message)
      // A recording is a voice note as it is: encoding it once more would only lose sound.
      if (message.type === 'audio' && /ogg/.test(mime))
        return { route: 'sendWhatsAppAudio', audio: media, encoding: false, late }
      const caption = text && message.type !== 'audio' ? { caption: text } : {}
      return {
        route: 'sendMedia',
        mediatype: message.type,
        mimetype: mime,
        fileName: name,
        media,
        late,
        ...caption,
        ...mentioned,
      }
    }
  }
}

const stickerOf = ({ media, late }: Awaited<ReturnType<typeof carried>>) => ({
  route: 'sendSticker',
  sticker: media,
  late,
})

/** A card has one phone there: who has several gets as many. */
const cardsOf = ({ name, phones, emails, organization }: Outbound['contacts'][number]) => {
  if (!phones.length) throw new ChannelError('final', 'Para o WhatsApp, o contato precisa de um telefone.')
  return phones.map((phone) => ({
    fullName: name,
    wuid: phone.replace(/\D/g, ''),
    phoneNumber: phone,
    ...(organization && { organization }),
    ...(emails[0] && { email: emails[0] }),
  }))
}
