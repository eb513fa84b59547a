import { scopedId } from '@balcao/contract/channels/index.ts'
import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { InboundEvent, Sender } from '../adapter.ts'
import { fingerprint } from '../fingerprint.ts'
import { parseChange } from './comments.ts'
import { contentsOf, mostFiles, pageMessage } from './message.ts'
import { objects } from './split.ts'

const text = z.string()
const person = loose(z.object({ id: text.min(1) }))
/** Milliseconds. */
const moment = z
  .int()
  .min(0)
  .max(8_640_000_000_000_000)
  .transform((at) => new Date(at))

const event = z.object({
  sender: person,
  recipient: person,
  timestamp: moment,
  message: loose(pageMessage),
  postback: loose(z.object({ mid: loose(text.min(1)), title: loose(text), payload: loose(text) })),
  reaction: loose(
    z.object({ mid: text.min(1), action: z.enum(['react', 'unreact']), reaction: loose(text), emoji: loose(text) }),
  ),
  read: loose(z.object({ mid: loose(text.min(1)), watermark: loose(moment) })),
  delivery: loose(z.object({ mids: z.array(text.min(1)) })),
  message_edit: loose(z.object({ mid: text.min(1), text })),
  referral: z.unknown().optional(),
  optin: z.unknown().optional(),
  pass_thread_control: z.unknown().optional(),
  take_thread_control: z.unknown().optional(),
})
type PageEvent = z.output<typeof event>
const piece = z.object({ kind: z.enum(objects), account: text.min(1), event })

export const parse = (payload: unknown): InboundEvent[] => {
  const { data } = piece.safeParse(payload)
  if (!data) return parseChange(payload)
  const { kind, account } = data
  const { sender, recipient } = data.event
  const fromMe = sender?.id === account
  const who = fromMe ? recipient : sender
  if (!who) return []
  return eventsOf(data.event, { fromMe, from: { identities: [{ kind, value: scopedId(account, who.id) }] } })
}

type Side = { fromMe: boolean; from: Sender }
const eventsOf = (one: PageEvent, side: Side): InboundEvent[] => {
  const { message, postback, reaction, read, delivery, message_edit: edit, timestamp } = one
  if (message) return messageEvents(one, message, side)
  if (postback) {
    const body = postback.title ?? postback.payload ?? ''
    const content = { type: 'text' as const, body, choice: postback.payload }
    const providerId = postback.mid ?? `postback:${fingerprint(one)}`
    return [{ kind: 'message', providerId, ...side, timestamp, content }]
  }
  if (reaction) {
    const emoji = reaction.action === 'react' ? emojiOf(reaction) : null
    return [{ kind: 'reaction', targetProviderId: reaction.mid, ...side, emoji, at: timestamp }]
  }
  // What the page itself has read or got says nothing of the person.
  if ((read || delivery) && side.fromMe) return [{ kind: 'nothing' }]
  if (read?.mid) return [{ kind: 'status', providerId: read.mid, status: 'read' }]
  if (read?.watermark) return [{ kind: 'readUntil', from: side.from, at: read.watermark }]
  if (delivery) return delivery.mids.map((providerId) => ({ kind: 'status', providerId, status: 'delivered' }))
  if (edit) return [{ kind: 'edit', providerId: edit.mid, body: edit.text, at: timestamp }]
  const isKnown = [one.referral, one.optin, one.pass_thread_control, one.take_thread_control].some(Boolean)
  return isKnown ? [{ kind: 'nothing' }] : []
}

const messageEvents = (
  { timestamp }: PageEvent,
  message: z.output<typeof pageMessage>,
  { from, ...side }: Side,
): InboundEvent[] => {
  const { mid, reply_to, is_deleted, is_echo } = message
  if (is_deleted)
    return [
      {
        kind: 'delete',
        providerId: mid,
        parts: Array.from({ length: mostFiles }, (_, at) => partOf(mid, at)).slice(1),
      },
    ]
  const fromMe = side.fromMe || is_echo === true
  return contentsOf(message).map((content, at) => ({
    kind: 'message',
    providerId: partOf(mid, at),
    from,
    fromMe,
    timestamp,
    content,
    quotedProviderId: reply_to?.mid,
  }))
}

/** Several files in one message: the first has its name. */
const partOf = (mid: string, at: number) => (at ? `${mid}#${at + 1}` : mid)

const named: Record<string, string> = {
  love: '❤️',
  like: '👍',
  dislike: '👎',
  smile: '😆',
  wow: '😮',
  sad: '😢',
  angry: '😠',
}
const emojiOf = ({ emoji, reaction }: { emoji?: string; reaction?: string }) => emoji || named[reaction ?? ''] || '❤️'
