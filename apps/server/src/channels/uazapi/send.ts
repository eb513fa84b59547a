import { ChannelError, type Outbound } from '../adapter.ts'
import type { LateFile } from '../base64-streams.ts'
import { pollIn } from '../content.ts'
import { carried } from '../whatsapp/files.ts'
import { addressOf, calling } from '../whatsapp/jids.ts'

/** A phone by its digits, everybody else by the whole address. */
export const numberOf = (to: Outbound['to']): string => addressOf(to).replace('@s.whatsapp.net', '')

/** uazapi fills in words between double braces by itself: of ours none is meant for it. An invisible joiner parts them. */
const literal = (text: string) => text.replaceAll('{{', '{\u2060{')

/** In a menu a bar parts a title from its id: in a poll it is the sign that looks like it. */
const plainChoice = (title: string) => literal(title).replaceAll('|', '∣')
/** A choice of ours as it was before. */
export const asWritten = (choice: string) => choice.replaceAll('∣', '|').replaceAll('{⁠{', '{{')

/** The route of `/send` that carries it, and what it says. */
export const bodyOf = async (
  message: Outbound,
): Promise<Record<string, unknown> & { route: string; late?: LateFile }> => {
  const { text: written, jids } = calling(message)
  const text = literal(written)
  const mentions = jids.length ? { mentions: jids.map((jid) => jid.replace('@s.whatsapp.net', '')).join(',') } : {}
  switch (message.type) {
    case 'text':
      return { route: 'text', text, linkPreview: /https?:\/\//.test(text), ...mentions }
    case 'location': {
      const { name = '', address = '', ...point } = message.location ?? {}
      return { route: 'location', ...point, name, address }
    }
    case 'contact':
      return { route: 'contact', ...cardOf(message.contacts) }
    case 'interactive': {
      const { name, options, selectable: selectableCount } = pollIn(message)
      return { route: 'menu', type: 'poll', text: literal(name), choices: options.map(plainChoice), selectableCount }
    }
    case 'template':
      throw new ChannelError('final', 'Este canal não envia modelos de mensagem.')
    default: {
      const { media, mime, name, late } = await carried(message)
      const type = message.type === 'audio' && /ogg/.test(mime) ? 'ptt' : message.type
      const docName = type === 'document' ? { docName: name } : {}
      const caption = text && type !== 'audio' && type !== 'ptt' ? { text } : {}
      return { route: 'media', type, file: media, late, ...docName, ...caption, ...mentions }
    }
  }
}

/** One card a message, which may have several phones. */
const cardOf = ([card, ...others]: Outbound['contacts']) => {
  if (others.length) throw new ChannelError('final', 'A uazapi envia um contato por mensagem.')
  if (!card?.phones.length) throw new ChannelError('final', 'Para o WhatsApp, o contato precisa de um telefone.')
  const { name, phones, emails, organization } = card
  return {
    fullName: name,
    phoneNumber: phones.map((phone) => phone.replace(/\D/g, '')).join(','),
    ...(organization && { organization }),
    ...(emails[0] && { email: emails[0] }),
  }
}
