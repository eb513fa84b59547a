import { mostInAlbum } from '@balcao/contract/conversations/messages.ts'
import type { InboundEvent, InboundMessage, JournalPiece } from '../adapter.ts'
import { type Letter, letter } from './letter.ts'
import { partOf } from './send.ts'

export const split = (body: unknown): JournalPiece[] => {
  const { data } = letter.safeParse(body)
  return data
    ? [{ key: `mail:${data.id}`, payload: data, conversation: data.bounce ? undefined : data.from.address }]
    : []
}

/** The words and each file are messages of their own; the subject is with the first. */
export const parse = (payload: unknown): InboundEvent[] => {
  const { data } = letter.safeParse(payload)
  if (!data) return []
  const { bounce } = data
  if (bounce)
    return [
      {
        kind: 'status',
        providerId: bounce.of,
        parts: Array.from({ length: mostInAlbum }, (_, at) => partOf(bounce.of, at)).slice(1),
        status: 'failed',
        error: bounce.error,
        isUnreachable: bounce.isUnreachable,
      },
    ]
  const words: InboundMessage['content'][] =
    data.text || !data.files.length ? [{ type: 'text', body: data.text || data.subject || '(sem texto)' }] : []
  const files = data.files.map(({ source, drawn, ...media }) => ({
    type: typeOf(media.mime),
    body: '',
    drawn,
    media: { ...media, source },
  }))
  return [...words, ...files].map((content, at) => messageOf(data, content, at))
}

const messageOf = (told: Letter, content: InboundMessage['content'], at: number): InboundMessage => {
  const { id, from, subject, cc, html, pictures, references, answers, isAutomatic, isJunk, isUnproven, invitation } =
    told
  return {
    kind: 'message',
    providerId: partOf(id, at),
    from: { identities: [{ kind: 'email', value: from.address }], name: from.name || from.address },
    fromMe: false,
    timestamp: new Date(new Date(told.at).getTime() + at),
    content: {
      ...content,
      isAutomatic,
      isJunk,
      isUnproven,
      ...(at === 0 && { mail: { subject, cc, bcc: [], html, pictures, references, invitation } }),
    },
    ...(at === 0 && answers && { quotedProviderId: answers }),
  }
}

const typeOf = (mime: string): InboundMessage['content']['type'] => {
  if (/^image\/(jpeg|png|gif|webp)$/.test(mime)) return 'image'
  if (mime.startsWith('audio/')) return 'audio'
  return /^video\/(mp4|webm|quicktime|3gpp)$/.test(mime) ? 'video' : 'document'
}
