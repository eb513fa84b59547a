import { scopedId } from '@balcao/contract/channels/index.ts'
import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { InboundEvent } from '../adapter.ts'
import { objects } from './split.ts'

const text = z.string()
const author = z.object({ id: text.min(1), name: loose(text), username: loose(text) })
/** Of an Instagram account: webhook field `comments` (reference sheet instagram-messenger.md). */
const onInstagram = z.object({
  field: z.literal('comments'),
  value: z.object({ id: text.min(1).max(300), from: author, text: text.default('') }),
})
/** Of a page: field `feed`, which tells of posts and likes as well. Meta's reference of Page webhooks, not in the sheet. */
const onPage = z.object({
  field: z.literal('feed'),
  value: z.object({
    item: text,
    verb: text.default(''),
    comment_id: loose(text.min(1).max(300)),
    from: loose(author),
    message: loose(text),
    created_time: loose(z.number()),
    post: loose(z.object({ permalink_url: loose(z.url({ protocol: /^https?$/ })) })),
  }),
})
const piece = z.object({ kind: z.enum(objects), account: text.min(1), time: loose(z.number()), change: z.unknown() })

/** A comment is a message of whoever wrote it; what else is told of publications is nobody's concern. */
export const parseChange = (payload: unknown): InboundEvent[] => {
  const { data } = piece.safeParse(payload)
  if (!data) return []
  const { kind, account, time, change } = data
  const instagram = onInstagram.safeParse(change).data?.value
  const page = onPage.safeParse(change).data?.value
  if (page && (page.item !== 'comment' || page.verb !== 'add')) return [{ kind: 'nothing' }]
  const told = instagram
    ? { id: instagram.id, from: instagram.from, body: instagram.text, at: time, url: null }
    : page && {
        id: page.comment_id,
        from: page.from,
        body: page.message ?? '',
        at: page.created_time ?? time,
        url: page.post?.permalink_url ?? null,
      }
  if (!told) return []
  const { id, from, body, at, url } = told
  // Our own, or of somebody whom this app may not be told of.
  if (!id || !from || from.id === account) return [{ kind: 'nothing' }]
  return [
    {
      kind: 'message',
      providerId: commentId(id),
      from: { identities: [{ kind, value: scopedId(account, from.id) }], name: from.name ?? from.username },
      fromMe: false,
      timestamp: momentOf(at),
      content: { type: 'text', body: body || '(sem texto)', comment: { url } },
    },
  ]
}

/** Comments are named beside messages. */
const mark = 'comment:'
const commentId = (id: string) => `${mark}${id}`
export const commentIn = (providerId: string | undefined): string | undefined =>
  providerId?.startsWith(mark) ? providerId.slice(mark.length) : undefined

/** Seconds, or milliseconds. */
const momentOf = (at: number | undefined): Date => {
  const moment = new Date(at === undefined ? Date.now() : at < 100_000_000_000 ? at * 1_000 : at)
  return Number.isNaN(moment.getTime()) ? new Date() : moment
}
