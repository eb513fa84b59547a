import { htmlOfMarked } from '@balcao/contract/conversations/marked-html.ts'
import { withoutMarks } from '@balcao/contract/conversations/user-text.ts'
import { ChannelError, type Outbound } from '../adapter.ts'
import { interactiveOf } from '../meta/interactive.ts'
import { templateOf } from '../meta-templates.ts'
import type { Context } from './api.ts'

/** What a message is to the hub: one content. Throws ChannelError before anything has left. */
export const contentFor = (message: Outbound, { channel, subject }: Context['config']): object => {
  if (channel === 'email') return mailOf(message, subject)
  const { type, body } = message
  switch (type) {
    case 'text':
      return { type, text: channel === 'whatsapp' ? body : withoutMarks(body) } // elsewhere they are shown as they are typed
    case 'location': {
      const { latitude, longitude, name = '', address = '' } = message.location ?? {}
      return { type, latitude, longitude, name, address }
    }
    case 'contact':
      return { type: 'contacts', contacts: message.contacts.map(cardOf) }
    case 'interactive':
      return channel === 'whatsapp' ? { type, interactive: interactiveOf(message) } : buttonsOf(message)
    case 'template':
      return {
        type,
        template: templateOf(message, message.media && { link: addressOf(message), name: message.media.name }),
      }
    default:
      return fileOf(message)
  }
}

/** Kinds in one word. */
const fileOf = (message: Outbound): object => {
  const { type, body, media } = message
  const isNote = type === 'audio' && /ogg/.test(media?.mime ?? '')
  return {
    type: 'file',
    fileMimeType: type,
    fileUrl: addressOf(message),
    ...(media?.name && { fileName: media.name }),
    ...(body && { fileCaption: body }),
    ...(isNote && { voice: true }),
  }
}

/** The hub fetches files by itself. */
const addressOf = ({ media }: Outbound): string => {
  if (!media) throw new ChannelError('final', 'O arquivo desta mensagem não existe mais.')
  const address = media.url?.()
  if (address) return address
  throw new ChannelError('final', 'Este canal só leva arquivos quando a instalação tem um endereço público com HTTPS.')
}

const cardOf = ({ name, phones, emails }: Outbound['contacts'][number]) => ({
  name: { formattedName: name, firstName: name.split(' ', 1).join() },
  phones: phones.map((phone) => ({ phone })),
  ...(emails.length && { emails: emails.map((email) => ({ email })) }),
})

/** Of a page or an Instagram account. */
const buttonsOf = ({ interactive, body }: Outbound): object => {
  if (!interactive || interactive.kind === 'poll') throw new ChannelError('final', 'Este canal não leva enquetes.')
  const { header, footer, options } = interactive
  const text = withoutMarks([header, body, footer].filter(Boolean).join('\n\n'))
  const buttons = options.map(({ id, title }) => ({ type: 'postback', title, payload: id }))
  return { type: 'template', template: { template_type: 'button', text, buttons } }
}

const mailOf = (message: Outbound, subject: string): object => {
  const attachments =
    message.type === 'text' ? [] : [{ fileUrl: addressOf(message), fileName: message.media?.name ?? '' }]
  return { type: 'email', subject, html: htmlOfMarked(message.body), ...(attachments.length && { attachments }) }
}
