import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Line, Media } from '../handset.ts'
import { onceClosed } from '../simulator/once-closed.ts'
import type { PageCustomer } from './customer.ts'
import { PageError, windowClosed } from './errors.ts'
import { humanWindowMs, type State, windowMs } from './state.ts'

const recipient = z.object({ id: z.string().min(1) })
const title = z.string().min(1).max(20)
const choice = z.string().min(1).max(1_000)
const file = z.object({
  type: z.enum(['image', 'video', 'audio', 'file']),
  payload: z.object({ url: z.url(), is_reusable: z.boolean().optional() }),
})
const buttons = z.object({
  type: z.literal('template'),
  payload: z.object({
    template_type: z.literal('button'),
    text: z.string().min(1).max(640),
    buttons: z
      .array(z.object({ type: z.literal('postback'), title, payload: choice }))
      .min(1)
      .max(3),
  }),
})
const quickReplies = z
  .array(z.object({ content_type: z.literal('text'), title, payload: choice }))
  .min(1)
  .max(13)
  .optional()
const sent = z.object({
  recipient: z.union([recipient, z.object({ comment_id: z.string().min(1) })]),
  messaging_type: z.enum(['RESPONSE', 'UPDATE', 'MESSAGE_TAG']),
  tag: z.literal('HUMAN_AGENT').optional(),
  message: z.union([
    z.object({ text: z.string().min(1), quick_replies: quickReplies }),
    z.object({ attachment: z.discriminatedUnion('type', [file, buttons]) }),
  ]),
})
type Sent = z.output<typeof sent>
const action = z.object({
  recipient,
  sender_action: z.enum(['typing_on', 'typing_off', 'mark_seen', 'react', 'unreact']),
  payload: z.object({ message_id: z.string(), reaction: z.literal('love').optional() }).optional(),
})

const longest = { page: 2_000, instagram: 1_000 }
const mb = 1_000_000
const instagramTakes = {
  image: { mime: /^image\/(png|jpeg)$/, most: 8 * mb },
  audio: { mime: /^audio\/(aac|mp4|x-m4a|wav)$/, most: 25 * mb },
  video: { mime: /^video\/(mp4|ogg|avi|x-msvideo|quicktime|webm)$/, most: 25 * mb },
}

/** What the business sends: checked, refused, shown on the phone, told of. */
export const createSending = (state: State) => {
  const { core, object, options } = state

  const customerOf = (id: string): PageCustomer => {
    const found = state.customers.find((one) => one.id === id)
    if (!found) throw new PageError(100, 'No matching user found', { subcode: 2018001 })
    return found
  }

  /** A comment is answered once. */
  const commenter = (id: string): PageCustomer => {
    const comment = state.comments.get(id)
    if (!comment) throw new PageError(100, 'Comment not found', { subcode: 33 })
    if (comment.isAnswered) throw new PageError(10900, 'Activity already replied to')
    comment.isAnswered = true
    return comment.customer
  }

  /** Nothing is sent to somebody who has never written. */
  const checkWindow = ({ lastInboundAt }: PageCustomer, { tag, messaging_type }: Sent) => {
    const life = messaging_type === 'MESSAGE_TAG' && tag ? humanWindowMs : windowMs
    if (lastInboundAt === undefined || core.now() - lastInboundAt >= life) throw windowClosed()
  }

  const fetchFile = async ({ type, payload }: z.output<typeof file>): Promise<Media> => {
    const signal = AbortSignal.any([core.closing, AbortSignal.timeout(10_000)])
    const answer = await fetch(payload.url, { signal }).catch(() => undefined)
    if (!answer?.ok) throw new PageError(100, 'Failed to fetch the file from the url', { subcode: 2018008 })
    const media = {
      bytes: Buffer.from(await answer.arrayBuffer()),
      mimeType: answer.headers.get('content-type') ?? 'application/octet-stream',
    }
    if (object === 'instagram') {
      const rule = type === 'file' ? undefined : instagramTakes[type]
      if (!rule?.mime.test(media.mimeType)) throw new PageError(100, `Unsupported attachment type: ${media.mimeType}`)
      if (media.bytes.length > rule.most) throw new PageError(100, 'Attachment size exceeds allowable limit')
    }
    return media
  }

  const shownOf = async ({ message }: Sent): Promise<Pick<Line, 'type'> & Partial<Line>> => {
    if ('text' in message) {
      if (message.text.length > longest[object]) throw new PageError(100, 'Length of param message[text] is too long')
      const choices = message.quick_replies?.map((one) => ({ id: one.payload, title: one.title }))
      return { type: 'text', text: message.text, ...(choices && { buttons: choices }) }
    }
    const { attachment } = message
    if (attachment.type === 'template') {
      const shown = attachment.payload.buttons.map((one) => ({ id: one.payload, title: one.title }))
      return { type: 'template', text: attachment.payload.text, buttons: shown }
    }
    const names = { image: 'image', video: 'video', audio: 'voice', file: 'document' }
    return { type: names[attachment.type], media: await fetchFile(attachment) }
  }

  /** What the business said, whoever wrote it: on Messenger with a receipt. */
  const tell = async (to: PageCustomer, line: Line, { appId }: { appId?: number } = {}) => {
    const parties = { sender: { id: options.accountId }, recipient: { id: to.id } }
    const url = line.media && state.keep(line.media)
    const kinds: Record<string, string> = { voice: 'audio', document: 'file' }
    const said = {
      ...(line.text && line.type === 'text' && { text: line.text }),
      ...(url && { attachments: [{ type: kinds[line.type] ?? line.type, payload: { url } }] }),
      ...(line.type === 'template' && { attachments: [{ type: 'template', title: line.text }] }),
    }
    await state.emit({ ...parties, message: { mid: line.id, is_echo: true, ...(appId && { app_id: appId }), ...said } })
    line.state = 'delivered'
    if (object === 'page' && !core.delivery.skipDelivered) {
      const delivery = { mids: [line.id], watermark: core.now() }
      await state.emit({ sender: { id: to.id }, recipient: { id: options.accountId }, delivery })
    }
    core.changed()
    if (to.autoRead) await to.read()
  }

  const lineOf = (id: string, shown: Pick<Line, 'type'> & Partial<Line>, payload: unknown): Line => ({
    id,
    from: 'business',
    at: core.now(),
    reactions: {},
    state: 'sent',
    payload,
    ...shown,
  })
  const show = (to: PageCustomer, line: Line) => {
    state.known.set(line.id, { customer: to, line })
    to.receive(line)
    core.changed()
  }

  const act = (body: z.output<typeof action>) => {
    const to = customerOf(body.recipient.id)
    if (body.sender_action === 'typing_on') to.showTyping()
    if (body.sender_action === 'mark_seen')
      for (const line of to.transcript) if (line.from === 'customer') line.state = 'read'
    if (body.sender_action === 'react' || body.sender_action === 'unreact') {
      const line = state.known.get(body.payload?.message_id ?? '')?.line
      if (!line) throw new PageError(100, 'Unknown message')
      line.reactions.business = body.sender_action === 'react' ? '❤️' : undefined
    }
    core.changed()
    return { recipient_id: to.id }
  }

  return {
    send: async (body: unknown, reply: FastifyReply) => {
      const asked = action.safeParse(body)
      if (asked.success) return act(asked.data)
      const parsed = sent.safeParse(body)
      if (!parsed.success) throw new PageError(100, parsed.error.issues[0]?.message ?? 'Invalid parameter')
      const { recipient: whom } = parsed.data
      const to = 'id' in whom ? customerOf(whom.id) : commenter(whom.comment_id)
      if (!to.isAvailable) throw new PageError(551, 'This person isn’t available at the moment.')
      if ('id' in whom) checkWindow(to, parsed.data)
      const line = lineOf(state.newMid(), await shownOf(parsed.data), body)
      state.tags.push(parsed.data.tag ?? parsed.data.messaging_type)
      show(to, line)
      const life = () => tell(to, line, { appId: 670_000_000_000_001 })
      if (core.delivery.statusBeforeAnswer) await core.track(life())
      else void core.track(onceClosed(reply).then(life)).catch(() => undefined)
      return { recipient_id: to.id, message_id: line.id }
    },
    /** Written on the phone of whoever runs the account. */
    echo: async (to: PageCustomer, text: string) => {
      const line = lineOf(state.newMid(), { type: 'text', text }, { text })
      show(to, line)
      await tell(to, line)
      return line.id
    },
  }
}
