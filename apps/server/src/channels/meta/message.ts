import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { Content } from '../adapter.ts'
import { referralIn, toldReferral } from './referral.ts'

const text = z.string()
const address = loose(z.url({ protocol: /^https?$/ }))

const attachment = z.object({
  type: text,
  payload: loose(z.object({ url: address, title: loose(text), sticker_id: loose(z.union([text, z.number()])) })),
  title: loose(text),
  url: address,
})
export const pageMessage = z.object({
  mid: text.min(1).max(400),
  text: loose(text),
  attachments: loose(z.array(z.unknown())),
  reply_to: loose(z.object({ mid: loose(text), story: loose(z.object({ url: address })) })),
  referral: loose(toldReferral),
  quick_reply: loose(z.object({ payload: loose(text) })),
  is_echo: loose(z.boolean()),
  is_deleted: loose(z.boolean()),
  is_unsupported: loose(z.boolean()),
})

/** Of one message. */
export const mostFiles = 30

/** What a message says: its words with the first file, every other file by itself. */
export const contentsOf = (message: z.output<typeof pageMessage>): Content[] => {
  const { text: words = '', attachments = [], quick_reply, reply_to } = message
  if (message.is_unsupported) return [unsupported]
  const files = attachments.slice(0, mostFiles).map((one) => fileOf(attachment.safeParse(one).data))
  const told: Content[] = files.length ? files : words ? [{ type: 'text', body: '' }] : []
  const [first, ...others] = told
  if (!first) return []
  const body = [words, first.body].filter(Boolean).join('\n')
  const story = reply_to?.story && { kind: 'reply' as const, url: reply_to.story.url ?? null }
  const together = files.length > 1 && !story ? { album: message.mid } : {}
  return [
    {
      ...first,
      body,
      ...together,
      ...(quick_reply?.payload && { choice: quick_reply.payload }),
      ...(story && { story }),
      ...referralIn(message.referral),
    },
    ...others.map((one) => ({ ...one, ...together })),
  ]
}

const unsupported: Content = {
  type: 'unsupported',
  body: 'O cliente enviou uma mensagem que a API da Meta não entrega. Veja no aplicativo.',
}
const media = { image: 'image', video: 'video', audio: 'audio', file: 'document', story_mention: 'image' } as const
const shared: Record<string, string> = {
  share: 'Publicação compartilhada',
  post: 'Publicação compartilhada',
  ig_post: 'Publicação compartilhada',
  reel: 'Reel compartilhado',
  ig_reel: 'Reel compartilhado',
  fallback: 'Link compartilhado',
  template: 'Mensagem com botões',
}

/** Its address lives a short time and opens without a token. */
const fileOf = (one: z.output<typeof attachment> | undefined): Content => {
  if (!one) return unsupported
  const { type, payload } = one
  if (type === 'like_heart') return { type: 'text', body: '❤️' }
  const url = payload?.url ?? one.url
  const kind = Object.entries(media).find(([name]) => name === type)?.[1]
  if (kind && url) {
    const content = { body: '', media: { source: { url }, ...(type === 'audio' && { isVoice: true }) } }
    if (type === 'story_mention') return { ...content, type: kind, story: { kind: 'mention', url: null } }
    return { ...content, type: payload?.sticker_id === undefined ? kind : 'sticker' }
  }
  const title = payload?.title ?? one.title ?? shared[type]
  return title ? { type: 'text', body: [title, url].filter(Boolean).join('\n') } : unsupported
}
