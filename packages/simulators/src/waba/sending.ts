import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { Line } from '../handset.ts'
import { onceClosed } from '../simulator/once-closed.ts'
import type { WabaCustomer } from './customer.ts'
import { newWamid, windowMs } from './envelope.ts'
import { GraphError } from './errors.ts'
import { checkUpload } from './media.ts'
import { type OutboundMessage, parseOutbound, type readReceipt } from './outbound.ts'
import type { People } from './people.ts'
import { checkRequest } from './requests.ts'
import { mediaRefOf, shownOf } from './shown.ts'
import type { State } from './state.ts'
import { renderTemplate, type Template } from './templates.ts'
import { advance, type Webhooks } from './webhooks.ts'

/** What the business sends: checked, refused at once or later, shown on the phone, told of. */
export const createSending = (state: State, people: People, webhooks: Webhooks) => {
  const { core } = state
  let sentAt: number[] = []
  const lastPairAt = new Map<WabaCustomer, number>()

  const recipientOf = (message: OutboundMessage): WabaCustomer => {
    if (!message.to) {
      const found = people.find(message.recipient)
      if (found) return found
      throw new GraphError(131009, 'recipient: unknown business-scoped user id')
    }
    const digits = message.to.replace(/[+\s()-]/g, '')
    if (!/^\d{8,15}$/.test(digits)) throw new GraphError(131009, 'to: not a phone number')
    if (digits === state.businessPhone) throw new GraphError(131021, 'to: is the sender')
    return people.customer({ waId: digits })
  }

  const checkRates = (to: WabaCustomer) => {
    const now = core.now()
    sentAt = sentAt.filter((at) => at > now - 1_000)
    if (state.policy.perSecond > 0 && sentAt.length >= state.policy.perSecond) {
      throw new GraphError(130429, 'Cloud API message throughput has been reached.')
    }
    if (
      state.policy.pairRateMs > 0 &&
      now - (lastPairAt.get(to) ?? Number.NEGATIVE_INFINITY) < state.policy.pairRateMs
    ) {
      throw new GraphError(131056, 'Too many messages sent from this phone number to the same user.')
    }
    if (state.policy.perSecond > 0) sentAt.push(now)
    lastPairAt.set(to, now)
  }

  const findTemplate = (use: Extract<OutboundMessage, { type: 'template' }>['template']): Template => {
    const found = state.templates.find(({ name, language }) => name === use.name && language === use.language.code)
    if (!found || found.status === 'PENDING' || found.status === 'REJECTED') {
      throw new GraphError(132001, `template name (${use.name}) does not exist in ${use.language.code}`)
    }
    if (found.status === 'PAUSED') throw new GraphError(132015, `template ${use.name} is paused`)
    if (found.status === 'DISABLED') throw new GraphError(132016, `template ${use.name} is disabled`)
    return found
  }

  /** Refusals that the real API sometimes answers and sometimes tells later. */
  const lateRefusal = (message: OutboundMessage, to: WabaCustomer, template: Template | undefined) => {
    if (template?.category === 'MARKETING' && to.hasStoppedMarketing) {
      return { code: 131050, details: 'The user has opted out of marketing messages from your business.' }
    }
    const isOpen = to.lastInboundAt !== undefined && core.now() - to.lastInboundAt < windowMs
    if (state.policy.hasWindow && message.type !== 'template' && !isOpen) {
      return { code: 131047, details: 'More than 24 hours have passed since the customer last replied to this number.' }
    }
    return undefined
  }

  const mediaOf = (ref: { id?: string; link?: string; filename?: string }) => {
    if (Boolean(ref.id) === Boolean(ref.link)) throw new GraphError(131009, 'Exactly one of id and link must be given')
    if (!ref.id) return undefined
    const stored = state.media.find(ref.id)
    if (!stored) throw new GraphError(131009, `Media ID ${ref.id} does not exist`)
    return { bytes: stored.bytes, mimeType: stored.mimeType, filename: ref.filename ?? stored.filename }
  }

  const send = async (body: unknown, reply: FastifyReply) => {
    const message = parseOutbound(body)
    const to = recipientOf(message)
    if (message.type === 'interactive') checkRequest(state, message.interactive)
    const template = message.type === 'template' ? findTemplate(message.template) : undefined
    const rendered = template && message.type === 'template' ? renderTemplate(template, message.template) : undefined
    const ref = mediaRefOf(message, rendered)
    const file = ref && mediaOf(ref)
    checkRates(to)
    const refusal = lateRefusal(message, to, template)
    if (refusal && state.policy.errorsBy === 'answer') throw new GraphError(refusal.code, refusal.details)
    if (message.type === 'reaction' && !state.known.has(message.reaction.message_id)) {
      throw new GraphError(131009, 'reaction.message_id: unknown message')
    }

    const id = newWamid(to.waId)
    const line: Line = {
      id,
      from: 'business',
      at: core.now(),
      ...shownOf(message, rendered),
      ...(file && { media: file }),
      replyTo: message.context?.message_id,
      reactions: {},
      state: 'sending',
      payload: body,
    }
    const category = template?.category.toLowerCase() ?? 'service'
    state.known.set(id, { customer: to, line, callbackData: message.biz_opaque_callback_data, category })
    const life = async () => {
      let failure = refusal ?? (to.isOnWhatsApp ? undefined : { code: 131026, details: 'Message Undeliverable.' })
      if (!failure && ref?.link) failure = await downloadLink(ref.link, line)
      if (!failure) show(to, message, line)
      await webhooks.tellLife(id, to, failure)
    }
    if (core.delivery.statusBeforeAnswer) await core.track(life())
    else void core.track(onceClosed(reply).then(life)).catch(() => undefined)
    return {
      messaging_product: 'whatsapp',
      contacts: [
        {
          input: message.to ?? message.recipient,
          ...(to.waId && { wa_id: to.waId }),
          ...(to.userId && { user_id: to.userId }),
        },
      ],
      messages: [{ id, message_status: 'accepted' }],
    }
  }

  const show = (to: WabaCustomer, message: OutboundMessage, line: Line) => {
    const target = message.type === 'reaction' ? state.known.get(message.reaction.message_id)?.line : undefined
    if (message.type === 'reaction' && target) target.reactions.business = message.reaction.emoji || undefined
    else to.receive(line)
    core.changed()
  }

  const downloadLink = async (link: string, line: Line) => {
    try {
      const answer = await fetch(link, { signal: AbortSignal.any([core.closing, AbortSignal.timeout(10_000)]) })
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
      const bytes = Buffer.from(await answer.arrayBuffer())
      const mimeType = answer.headers.get('content-type') ?? 'application/octet-stream'
      checkUpload(mimeType, bytes.length)
      line.media = { bytes, mimeType, filename: line.media?.filename }
      return undefined
    } catch (error) {
      return { code: 131053, details: `Media upload error: ${error instanceof Error ? error.message : error}` }
    }
  }

  const markRead = (body: z.infer<typeof readReceipt>) => {
    const read = state.known.get(body.message_id)
    if (read?.line.from !== 'customer') throw new GraphError(131009, 'message_id: unknown inbound message')
    for (const line of read.customer.transcript) {
      if (line.from === 'customer' && line.at <= read.line.at) advance(line, 'read')
    }
    if (body.typing_indicator) {
      read.customer.showTyping()
      setTimeout(core.changed, 25_050).unref()
    }
    core.changed()
    return { success: true }
  }

  return { send, markRead }
}
