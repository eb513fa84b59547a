import { createHmac, randomInt } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Handset, Line, LineState } from './handset.ts'
import {
  createSimulator,
  type DeliveredWebhook,
  recordOf,
  type SimulatorCore,
  type SimulatorOptions,
} from './simulator.ts'
import { type CustomerProfile, type Item, WabaCustomer } from './waba/customer.ts'
import { changeOf, groupChanges, newWamid, priceOf, windowMs } from './waba/envelope.ts'
import { GraphError, statusError } from './waba/errors.ts'
import { knownFaults } from './waba/faults.ts'
import { checkUpload, createMediaStore, inboundLifeMs, uploadLifeMs } from './waba/media.ts'
import { type OutboundMessage, parseOutbound, readReceipt } from './waba/outbound.ts'
import { mediaRefOf, shownOf } from './waba/shown.ts'
import {
  listTemplates,
  parseTemplate,
  pick,
  renderTemplate,
  type Template,
  type TemplateInput,
  type TemplateStatus,
} from './waba/templates.ts'

export type { CustomerProfile, MessageOptions } from './waba/customer.ts'
export { WabaCustomer } from './waba/customer.ts'

export type WabaOptions = SimulatorOptions & {
  appSecret: string
  verifyToken: string
  accessToken: string
  wabaId: string
  phoneNumberId: string
  displayPhoneNumber: string
  verifiedName?: string
  webhookUrl?: string
}

export type WabaStatus = 'sent' | 'delivered' | 'read' | 'played' | 'failed'

export type WabaPolicy = {
  /** 131047 and 131050 come as the answer to the send, or later as a failed status: both happen. */
  errorsBy: 'answer' | 'status'
  /** Free text refused after 24 h of silence. */
  hasWindow: boolean
  /** Pair rate in milliseconds between messages to one person (the real one is 6000). 0: off. */
  pairRateMs: number
  /** Messages a second before 130429. 0: off. */
  perSecond: number
  /** Emit sent and delivered by itself after a send. */
  emitsStatuses: boolean
  /** How long Meta takes to review a template, and its verdict. `undefined` leaves it pending. */
  reviewAfterMs: number | undefined
  review: (template: Template) => 'APPROVED' | 'REJECTED'
}

export type WabaSimulator = Handset & {
  readonly customers: WabaCustomer[]
  readonly policy: WabaPolicy
  readonly options: WabaOptions
  readonly templates: Template[]
  /** True once `POST /{waba}/subscribed_apps` was called; webhooks do not wait for it. */
  readonly isSubscribed: boolean
  setWebhook(url: string | undefined): void
  setAccessToken(token: string): void
  /** The GET handshake: true when the receiver echoed the challenge. */
  verifyWebhook(verifyToken?: string): Promise<{ isVerified: boolean; status: number; body: string }>
  /** Finds by waId or userId, or creates. */
  customer(profile?: CustomerProfile): WabaCustomer
  newCustomer(customer: { name: string; handle?: string }): WabaCustomer
  addTemplate(template: TemplateInput, status?: TemplateStatus): Template
  /** Meta's verdict, told by webhook. */
  reviewTemplate(name: string, status: TemplateStatus, reason?: string): Promise<void>
  /** One more status of a message the business sent, in any order, also of unknown ids. */
  emitStatus(id: string, status: WabaStatus, error?: { code: number; details: string }): Promise<void>
  /** Any other webhook field. */
  emitChange(field: string, value: object): Promise<void>
  /** The business wrote from the phone app (coexistence). */
  echo(to: WabaCustomer, text: string): Promise<string>
  /** Everything sent inside `work` travels in one POST. */
  batch(work: () => void): Promise<void>
  /** Posts an envelope, or a `value` of field messages, as it is. `signature: null` leaves the header out. */
  postRaw(payload: object | string, options?: { signature?: string | null }): Promise<DeliveredWebhook>
  sign(body: string): string
}

/** WhatsApp Cloud API on `{url}/v25.0/…` (any version), with the phones of its customers. */
export async function startWabaSimulator(options: WabaOptions): Promise<WabaSimulator> {
  const core = await createSimulator(options)
  const media = createMediaStore(core.now)
  const templates: Template[] = []
  const customers: WabaCustomer[] = []
  const byKey = new Map<string, WabaCustomer>()
  const known = new Map<string, { customer: WabaCustomer; line: Line; callbackData?: string; category?: string }>()
  const policy: WabaPolicy = {
    errorsBy: 'answer',
    hasWindow: true,
    pairRateMs: 0,
    perSecond: 0,
    emitsStatuses: true,
    reviewAfterMs: 50,
    review: () => 'APPROVED',
  }
  const metadata = { display_phone_number: options.displayPhoneNumber, phone_number_id: options.phoneNumberId }
  let { webhookUrl, accessToken } = options
  let isSubscribed = false
  let collecting: { item: Item; onAccepted?: () => void }[] | undefined
  let batchDone: Promise<void> = Promise.resolve()
  let sentAt: number[] = []
  const lastPairAt = new Map<WabaCustomer, number>()

  // ---- webhooks

  const sign = (body: string) => `sha256=${createHmac('sha256', options.appSecret).update(body).digest('hex')}`

  const post = (body: string, onAccepted?: () => void): Promise<void> => {
    if (!webhookUrl) return Promise.resolve()
    const signature = core.delivery.badSignature
      ? `sha256=${createHmac('sha256', 'wrong').update(body).digest('hex')}`
      : sign(body)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'facebookexternalua',
      'x-hub-signature-256': signature,
    }
    return core.deliver({ url: webhookUrl, body, headers, onAccepted })
  }

  const envelope = (changes: object[][]) =>
    JSON.stringify({
      object: 'whatsapp_business_account',
      entry: changes.map((group) => ({ id: options.wabaId, changes: group })),
    })

  const emit = (item: Item, onAccepted?: () => void): Promise<void> => {
    if (!collecting) return post(envelope([[changeOf([item], metadata)]]), onAccepted)
    collecting.push({ item, onAccepted })
    return batchDone
  }

  const emitStatus = (id: string, status: WabaStatus, error?: { code: number; details: string }): Promise<void> => {
    const sent = known.get(id)
    if (sent) advance(sent.line, status, error?.details)
    core.changed()
    const payload = {
      id,
      status,
      timestamp: String(Math.floor(core.now() / 1000)),
      ...(sent?.customer.waId && { recipient_id: sent.customer.waId }),
      ...(sent?.customer.userId && { recipient_user_id: sent.customer.userId }),
      ...(sent?.callbackData !== undefined && { biz_opaque_callback_data: sent.callbackData }),
      ...(status === 'failed'
        ? { errors: [statusError(error?.code ?? 131000, error?.details ?? '')] }
        : priceOf(sent?.category, core.now())),
    }
    return emit({ kind: 'status', payload, contact: status === 'failed' ? undefined : sent?.customer.contact() })
  }

  /** The life of an accepted message, in order; with `reorder` on, all at once for the shuffler. */
  const tellLife = async (id: string, customer: WabaCustomer, failure?: { code: number; details: string }) => {
    const say = (status: WabaStatus) => {
      const told = emitStatus(id, status, status === 'failed' ? failure : undefined)
      return core.delivery.reorder ? undefined : told
    }
    if (failure) return say('failed')
    if (!policy.emitsStatuses) return
    await say('sent')
    if (!core.delivery.skipDelivered) await say('delivered')
    else advance(known.get(id)?.line, 'delivered')
    if (customer.autoRead) await customer.read()
  }

  // ---- customers

  const customer = (profile: CustomerProfile = {}): WabaCustomer => {
    const found = findCustomer(profile.waId) ?? findCustomer(profile.userId)
    if (found) return found
    const made = new WabaCustomer(world, profile)
    customers.push(made)
    index(made)
    core.changed()
    return made
  }
  const index = (made: WabaCustomer) => {
    if (made.waId) byKey.set(phoneKey(made.waId), made)
    if (made.userId) byKey.set(made.userId, made)
  }
  const findCustomer = (key: string | undefined) => (key ? (byKey.get(phoneKey(key)) ?? byKey.get(key)) : undefined)

  const world = {
    businessPhone: options.displayPhoneNumber.replace(/\D/g, ''),
    now: core.now,
    newId: newWamid,
    storeInbound: (file: Line['media'] & object) => media.add(file, inboundLifeMs),
    emit,
    emitStatus: (line: Line, status: WabaStatus) => emitStatus(line.id, status),
    remember: (id: string, who: WabaCustomer, line: Line) => void known.set(id, { customer: who, line }),
    renamed: (who: WabaCustomer, before: string) => {
      byKey.delete(phoneKey(before))
      index(who)
      core.changed()
    },
    changed: core.changed,
  }

  // ---- what the business sends

  const recipientOf = (message: OutboundMessage): WabaCustomer => {
    if (!message.to) {
      const found = findCustomer(message.recipient)
      if (found) return found
      throw new GraphError(131009, 'recipient: unknown business-scoped user id')
    }
    const digits = message.to.replace(/[+\s()-]/g, '')
    if (!/^\d{8,15}$/.test(digits)) throw new GraphError(131009, 'to: not a phone number')
    if (digits === options.displayPhoneNumber.replace(/\D/g, '')) throw new GraphError(131021, 'to: is the sender')
    return customer({ waId: digits })
  }

  const checkRates = (to: WabaCustomer) => {
    const now = core.now()
    sentAt = sentAt.filter((at) => at > now - 1_000)
    if (policy.perSecond > 0 && sentAt.length >= policy.perSecond) {
      throw new GraphError(130429, 'Cloud API message throughput has been reached.')
    }
    if (policy.pairRateMs > 0 && now - (lastPairAt.get(to) ?? Number.NEGATIVE_INFINITY) < policy.pairRateMs) {
      throw new GraphError(131056, 'Too many messages sent from this phone number to the same user.')
    }
    if (policy.perSecond > 0) sentAt.push(now)
    lastPairAt.set(to, now)
  }

  const findTemplate = (use: Extract<OutboundMessage, { type: 'template' }>['template']): Template => {
    const found = templates.find(({ name, language }) => name === use.name && language === use.language.code)
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
    if (policy.hasWindow && message.type !== 'template' && !isOpen) {
      return { code: 131047, details: 'More than 24 hours have passed since the customer last replied to this number.' }
    }
    return undefined
  }

  const mediaOf = (ref: { id?: string; link?: string; filename?: string }) => {
    if (Boolean(ref.id) === Boolean(ref.link)) throw new GraphError(131009, 'Exactly one of id and link must be given')
    if (!ref.id) return undefined
    const stored = media.find(ref.id)
    if (!stored) throw new GraphError(131009, `Media ID ${ref.id} does not exist`)
    return { bytes: stored.bytes, mimeType: stored.mimeType, filename: ref.filename ?? stored.filename }
  }

  const send = async (body: unknown, reply: FastifyReply) => {
    const message = parseOutbound(body)
    const to = recipientOf(message)
    const template = message.type === 'template' ? findTemplate(message.template) : undefined
    const rendered = template && message.type === 'template' ? renderTemplate(template, message.template) : undefined
    const ref = mediaRefOf(message, rendered)
    const file = ref && mediaOf(ref)
    checkRates(to)
    const refusal = lateRefusal(message, to, template)
    if (refusal && policy.errorsBy === 'answer') throw new GraphError(refusal.code, refusal.details)
    if (message.type === 'reaction' && !known.has(message.reaction.message_id)) {
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
    known.set(id, { customer: to, line, callbackData: message.biz_opaque_callback_data, category })
    const life = async () => {
      let failure = refusal ?? (to.isOnWhatsApp ? undefined : { code: 131026, details: 'Message Undeliverable.' })
      if (!failure && ref?.link) failure = await downloadLink(ref.link, line)
      if (!failure) show(to, message, line)
      await tellLife(id, to, failure)
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
    const target = message.type === 'reaction' ? known.get(message.reaction.message_id)?.line : undefined
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
    const read = known.get(body.message_id)
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

  // ---- templates

  const addTemplate = (input: unknown, status: TemplateStatus): Template => {
    const parsed = parseTemplate(input)
    if (templates.some(({ name, language }) => name === parsed.name && language === parsed.language)) {
      throw new GraphError(100, `There is already ${parsed.language} content for template ${parsed.name}`, {
        subcode: 2388024,
      })
    }
    const id = String(randomInt(1_000_000_000, 9_999_999_999))
    const template = { ...parsed, id, status, rejected_reason: 'NONE', quality_score: { score: 'UNKNOWN' } }
    templates.push(template)
    return template
  }

  const judge = (template: Template, status: TemplateStatus, reason = 'NONE') => {
    template.status = status
    template.rejected_reason = reason
    return emit({
      kind: 'change',
      field: 'message_template_status_update',
      value: {
        event: status,
        message_template_id: Number(template.id),
        message_template_name: template.name,
        message_template_language: template.language,
        message_template_category: template.category,
        reason,
      },
    })
  }

  const reviewLater = (template: Template) => {
    template.status = 'PENDING'
    if (policy.reviewAfterMs === undefined) return
    const timer = setTimeout(() => {
      const verdict = policy.review(template)
      void judge(template, verdict, verdict === 'REJECTED' ? 'INVALID_FORMAT' : 'NONE')
    }, policy.reviewAfterMs)
    core.closing.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }

  // ---- the Graph API

  const phoneNumber = () => ({
    id: options.phoneNumberId,
    display_phone_number: options.displayPhoneNumber,
    verified_name: options.verifiedName ?? 'Loja de Teste',
    quality_rating: 'GREEN',
    status: 'CONNECTED',
    code_verification_status: 'VERIFIED',
    platform_type: 'CLOUD_API',
    throughput: { level: 'STANDARD' },
    whatsapp_business_manager_messaging_limit: 'TIER_2K',
  })

  const ownPhone = (id: string) => {
    if (id !== options.phoneNumberId) throw unknownObject(id)
  }
  const ownAccount = (id: string) => {
    if (id !== options.wabaId) throw unknownObject(id)
  }

  core.app.setErrorHandler((error, _req, reply) => {
    const refusal = error instanceof GraphError ? error : new GraphError(...codeOf(error))
    return reply.code(refusal.status).send(refusal.toBody())
  })
  core.app.setNotFoundHandler((req, reply) => {
    const refusal = new GraphError(100, `Unknown path components: ${req.url}`)
    return reply.code(404).send(refusal.toBody())
  })
  await core.app.register(
    async (api: FastifyInstance) => {
      api.addHook('preHandler', async (req) => {
        if (req.headers.authorization !== `Bearer ${accessToken}`)
          throw new GraphError(190, 'Invalid OAuth access token')
      })

      api.post<IdParam>('/:id/messages', async (req, reply) => {
        ownPhone(req.params.id)
        const receipt = readReceipt.safeParse(req.body)
        return receipt.success ? markRead(receipt.data) : send(req.body, reply)
      })
      api.post<IdParam>('/:id/media', async (req) => {
        ownPhone(req.params.id)
        const { body, files } = recordOf(req)
        const fields = z
          .looseObject({ messaging_product: z.literal('whatsapp'), type: z.string().optional() })
          .safeParse(body)
        if (!fields.success) throw new GraphError(100, 'The parameter messaging_product is required.')
        const file = files.file
        if (!file) throw new GraphError(100, 'The parameter file is required.')
        const { type = '' } = fields.data
        const isMore = file.mimeType === 'application/octet-stream' || type.startsWith(`${file.mimeType};`)
        const mimeType = (isMore && type) || file.mimeType // the form's parser keeps no codec
        checkUpload(mimeType, file.bytes.length)
        return { id: media.add({ bytes: file.bytes, mimeType, filename: file.filename }, uploadLifeMs).id }
      })
      api.get<IdParam>('/:id/phone_numbers', async (req) => {
        ownAccount(req.params.id)
        return { data: [phoneNumber()], paging: { cursors: { before: 'QVFI', after: 'QVFI' } } }
      })
      api.get<IdParam>('/:id/subscribed_apps', async (req) => {
        ownAccount(req.params.id)
        const app = {
          whatsapp_business_api_data: { id: '670000000000001', name: 'Balcão', link: 'https://example.com/' },
        }
        return { data: isSubscribed ? [app] : [] }
      })
      api.post<IdParam>('/:id/subscribed_apps', async (req) => {
        ownAccount(req.params.id)
        isSubscribed = true
        return { success: true }
      })
      api.delete<IdParam>('/:id/subscribed_apps', async (req) => {
        ownAccount(req.params.id)
        isSubscribed = false
        return { success: true }
      })
      api.get<IdParam>('/:id/message_templates', async (req) => {
        ownAccount(req.params.id)
        return listTemplates(templates, recordOf(req).query)
      })
      api.post<IdParam>('/:id/message_templates', async (req) => {
        ownAccount(req.params.id)
        const template = addTemplate(req.body, 'PENDING')
        reviewLater(template)
        return { id: template.id, status: template.status, category: template.category }
      })
      api.delete<IdParam>('/:id/message_templates', async (req) => {
        ownAccount(req.params.id)
        const { name, hsm_id } = recordOf(req).query
        const gone = templates.filter((other) => other.name === name && (!hsm_id || other.id === hsm_id))
        if (gone.length === 0) throw new GraphError(100, 'Message Template not found', { subcode: 2593002 })
        for (const template of gone) templates.splice(templates.indexOf(template), 1)
        return { success: true }
      })
      api.get<IdParam>('/:id', async (req) => {
        const { id } = req.params
        const { query } = recordOf(req)
        if (id === options.phoneNumberId) return pick(phoneNumber(), query.fields)
        if (id === options.wabaId)
          return pick({ id, name: options.verifiedName ?? 'Loja de Teste', currency: 'BRL' }, query.fields)
        const template = templates.find((other) => other.id === id)
        if (template) return pick(template, query.fields)
        const stored = media.find(id)
        if (!stored || (query.phone_number_id && query.phone_number_id !== options.phoneNumberId))
          throw unknownObject(id)
        return {
          messaging_product: 'whatsapp',
          url: `${core.url}/whatsapp_business/attachments/?mid=${id}&hash=${media.newLink(id)}`,
          mime_type: stored.mimeType,
          sha256: stored.sha256,
          file_size: stored.bytes.length,
          id,
        }
      })
      api.post<IdParam>('/:id', async (req) => {
        const template = templates.find((other) => other.id === req.params.id)
        if (!template) throw unknownObject(req.params.id)
        const { id: _id, status: _status, rejected_reason: _reason, quality_score: _score, ...current } = template
        Object.assign(template, parseTemplate({ ...current, ...Object(req.body) }))
        reviewLater(template)
        return { success: true }
      })
      api.delete<IdParam>('/:id', async (req) => {
        if (!media.remove(req.params.id)) throw unknownObject(req.params.id)
        return { success: true }
      })
    },
    { prefix: '/:version(^v\\d+\\.\\d+$)' },
  )
  core.app.get('/whatsapp_business/attachments/', async (req, reply) => {
    if (req.headers.authorization !== `Bearer ${accessToken}`) throw new GraphError(190, 'Invalid OAuth access token')
    const stored = media.open(recordOf(req).query.hash ?? '')
    if (!stored) return reply.code(404).send('URL signature expired')
    return reply.type(stored.mimeType).send(stored.bytes)
  })

  await core.listen()
  return {
    ...surfaceOf(core),
    get url() {
      return core.url
    },
    channel: 'whatsapp',
    businessName: options.verifiedName ?? 'Loja de Teste',
    businessHandle: `+${options.displayPhoneNumber.replace(/\D/g, '')}`,
    customers,
    policy,
    options,
    templates,
    knownFaults,
    get isSubscribed() {
      return isSubscribed
    },
    setWebhook: (url) => {
      webhookUrl = url
    },
    setAccessToken: (token) => {
      accessToken = token
    },
    verifyWebhook: async (verifyToken = options.verifyToken) => {
      if (!webhookUrl) throw new Error('call setWebhook first')
      const challenge = String(randomInt(1_000_000_000))
      const url = new URL(webhookUrl)
      url.searchParams.set('hub.mode', 'subscribe')
      url.searchParams.set('hub.challenge', challenge)
      url.searchParams.set('hub.verify_token', verifyToken)
      const answer = await fetch(url)
      const body = await answer.text()
      return { isVerified: answer.status === 200 && body === challenge, status: answer.status, body }
    },
    customer,
    newCustomer: ({ name, handle }) => {
      const digits = handle?.replace(/\D/g, '')
      if (handle && !digits)
        return customer({
          name,
          userId: `BR.${randomInt(1_000_000_000, 9_999_999_999)}`,
          username: handle.replace('@', ''),
        })
      return customer({ name, waId: digits ? (digits.length <= 11 ? `55${digits}` : digits) : undefined })
    },
    addTemplate: (input, status = 'APPROVED') => addTemplate(input, status),
    reviewTemplate: async (name, status, reason) => {
      for (const template of templates) if (template.name === name) await judge(template, status, reason)
    },
    emitStatus,
    emitChange: (field, value) => emit({ kind: 'change', field, value }),
    echo: async (to, text) => {
      const id = newWamid(to.waId)
      const from = options.displayPhoneNumber.replace(/\D/g, '')
      const message = {
        from,
        to: to.waId,
        id,
        timestamp: String(Math.floor(core.now() / 1000)),
        type: 'text',
        text: { body: text },
      }
      const line: Line = {
        id,
        from: 'business',
        at: core.now(),
        type: 'text',
        text,
        reactions: {},
        state: 'delivered',
        payload: message,
      }
      known.set(id, { customer: to, line })
      to.receive(line)
      core.changed()
      await emit({
        kind: 'change',
        field: 'smb_message_echoes',
        value: { messaging_product: 'whatsapp', metadata, message_echoes: [message] },
      })
      return id
    },
    batch: (work) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const collected: NonNullable<typeof collecting> = []
      collecting = collected
      batchDone = promise
      try {
        work()
      } finally {
        collecting = undefined
      }
      const accepted = () => {
        for (const { onAccepted } of collected) onAccepted?.()
      }
      const posted = post(
        envelope(
          groupChanges(
            collected.map(({ item }) => item),
            metadata,
          ),
        ),
        accepted,
      )
      void posted.then(resolve)
      return posted
    },
    postRaw: async (payload, { signature } = {}) => {
      if (!webhookUrl) throw new Error('call setWebhook first')
      const body =
        typeof payload === 'string'
          ? payload
          : 'entry' in payload
            ? JSON.stringify(payload)
            : envelope([[{ field: 'messages', value: payload }]])
      const headers: Record<string, string> = { 'content-type': 'application/json' }
      if (signature !== null) headers['x-hub-signature-256'] = signature ?? sign(body)
      const log: DeliveredWebhook = { at: Date.now(), body, attempts: 1 }
      const answer = await fetch(webhookUrl, { method: 'POST', headers, body, redirect: 'manual' })
      await answer.arrayBuffer()
      log.status = answer.status
      core.webhooks.push(log)
      return log
    },
    sign,
  }
}

/** At once for a caller who has hung up already. */
const onceClosed = (reply: FastifyReply) =>
  new Promise<void>((resolve) => {
    if (reply.raw.closed) resolve()
    else reply.raw.once('close', resolve)
  })

type IdParam = { Params: { id: string } }

const surfaceOf = ({ requests, faults, delivery, webhooks, idle, onChange, close }: SimulatorCore) => ({
  requests,
  faults,
  delivery,
  webhooks,
  idle,
  onChange,
  close,
})

const unknownObject = (id: string) =>
  new GraphError(
    100,
    `Unsupported request. Object with ID '${id}' does not exist, or cannot be loaded due to missing permissions.`,
    {
      subcode: 33,
    },
  )

const codeOf = (error: unknown): [number, string, { status: number }?] => {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  const text = error instanceof Error ? error.message : 'unknown'
  return status < 500 ? [100, text, { status }] : [131000, text]
}

const ranks: LineState[] = ['sending', 'sent', 'delivered', 'read', 'played']

const advance = (line: Line | undefined, state: WabaStatus, failure?: string) => {
  if (!line) return
  if (state === 'failed') {
    line.state = 'failed'
    line.failure = failure
  } else if (ranks.indexOf(state) > ranks.indexOf(line.state)) line.state = state
}

/** Brazilian mobiles are one person with and without the ninth digit. */
const phoneKey = (phone: string) => phone.replace(/^55(\d{2})9(\d{8})$/, '55$1$2')
