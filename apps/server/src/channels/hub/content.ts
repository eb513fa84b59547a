import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import { textOfHtml } from '../../kit/text-of-html.ts'
import type { Content } from '../adapter.ts'
import { cardOf, placeOf } from '../content.ts'

const text = z.string()
const address = z.url({ protocol: /^https?$/ })

const card = z.object({
  name: loose(z.object({ formattedName: loose(text), formatted_name: loose(text), firstName: loose(text) })),
  phones: loose(z.array(z.object({ phone: loose(text) }))),
  emails: loose(z.array(z.object({ email: loose(text) }))),
})
const content = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text, payload: loose(text) }),
  z.object({
    type: z.literal('file'),
    fileUrl: address,
    fileMimeType: loose(text),
    fileName: loose(text),
    fileCaption: loose(text),
  }),
  z.object({
    type: z.literal('location'),
    latitude: z.number(),
    longitude: z.number(),
    name: loose(text),
    address: loose(text),
  }),
  z.object({ type: z.literal('contacts'), contacts: z.array(card) }),
  z.object({ type: z.literal('email'), subject: loose(text), text: loose(text), html: loose(text) }),
])

const unsupported: Content = { type: 'unsupported', body: 'O cliente enviou algo que o hub não entrega aqui.' }

/** What one content of a message says. */
export const contentOf = (told: unknown): Content => {
  const { data } = content.safeParse(told)
  switch (data?.type) {
    case 'text':
      return { type: 'text', body: data.text, ...(data.payload && { choice: data.payload }) }
    case 'file':
      return fileOf(data)
    case 'location': {
      const location = placeOf(data)
      return location ? { type: 'location', body: '', location } : unsupported
    }
    case 'contacts':
      return { type: 'contact', body: '', contacts: data.contacts.map(vcardOf) }
    case 'email': {
      const words = data.text ?? (data.html ? textOfHtml(data.html) : '')
      return { type: 'text', body: [data.subject, words.trim()].filter(Boolean).join('\n\n') }
    }
    default:
      return unsupported
  }
}

const kinds = ['image', 'video', 'audio', 'sticker'] as const
/** Its kind in one word or as a MIME type: both are written. */
const fileOf = (file: { fileUrl: string; fileMimeType?: string; fileName?: string; fileCaption?: string }): Content => {
  const [of = ''] = (file.fileMimeType ?? '').toLowerCase().split(/[/;]/)
  const type = kinds.find((kind) => kind === of) ?? 'document'
  const mime = file.fileMimeType?.includes('/') ? file.fileMimeType : undefined
  const media = { source: { url: file.fileUrl }, name: file.fileName, mime, ...(type === 'audio' && { isVoice: true }) }
  return { type, body: file.fileCaption ?? '', media }
}

const vcardOf = ({ name, phones = [], emails = [] }: z.output<typeof card>) =>
  cardOf({
    name: name?.formattedName ?? name?.formatted_name ?? name?.firstName ?? '',
    phones: phones.flatMap(({ phone }) => phone ?? []),
    emails: emails.flatMap(({ email }) => email ?? []),
  })
