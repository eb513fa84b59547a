import { ZodError, z } from 'zod'
import type { Line, Media } from '../handset.ts'
import { recordOf } from '../simulator.ts'
import { GraphError } from '../waba/errors.ts'
import { parseOutbound } from '../waba/outbound.ts'
import { shownOf } from '../waba/shown.ts'
import { renderTemplate } from '../waba/templates.ts'
import { type HubCustomer, messageOf, statusOf } from './customer.ts'
import { HubError, type State } from './state.ts'

const text = z.string().min(1)
const button = z.object({ type: z.literal('postback'), title: text.max(20), payload: text })
const content = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text }),
  z.object({
    type: z.literal('file'),
    fileMimeType: z.enum(['image', 'video', 'audio', 'document', 'sticker']),
    fileUrl: z.url(),
    fileCaption: z.string().optional(),
    fileName: z.string().optional(),
    voice: z.boolean().optional(),
  }),
  z.object({
    type: z.literal('location'),
    latitude: z.number(),
    longitude: z.number(),
    name: z.string(),
    address: z.string(),
  }),
  z.object({
    type: z.literal('contacts'),
    contacts: z.array(
      z.object({ name: z.object({ formattedName: text }), phones: z.array(z.object({ phone: text })) }),
    ),
  }),
  z.object({ type: z.literal('interactive'), interactive: z.unknown() }),
  z.object({
    type: z.literal('template'),
    template: z.union([
      z.looseObject({ name: text, language: z.object({ code: text }) }),
      z.object({ template_type: z.literal('button'), text: text.max(640), buttons: z.array(button).min(1).max(3) }),
    ]),
  }),
  z.object({
    type: z.literal('email'),
    subject: text,
    html: z.string(),
    attachments: z.array(z.object({ fileUrl: z.url(), fileName: z.string() })).optional(),
  }),
])
type Content = z.output<typeof content>
const send = z.object({ from: text, to: text, contents: z.array(content).min(1) })
const subscribing = z.object({
  eventType: z.enum(['MESSAGE', 'MESSAGE_STATUS']).optional(),
  criteria: z.object({ channel: text, direction: z.enum(['IN', 'OUT']).optional() }),
  webhook: z.object({ url: z.url(), url2: z.url().optional() }),
})
type Params = { Params: { channel: string } }

/** The hub's API as the business calls it. */
export const addRoutes = (state: State, customerOf: (id: string, channelId: string) => HubCustomer | undefined) => {
  const { app } = state.core
  app.setErrorHandler((error, _req, reply) => {
    const status =
      error instanceof HubError ? error.status : error instanceof ZodError || error instanceof GraphError ? 400 : 500
    return reply.code(status).send({ message: error instanceof Error ? error.message.slice(0, 300) : 'error' })
  })
  app.addHook('preHandler', async (req) => {
    const isOpen = /^\/(files|faces)\//.test(req.url)
    if (!isOpen && req.headers['x-api-token'] !== state.token) throw new HubError(401, 'Invalid token')
  })

  app.get('/channels', () => state.channels)
  app.get('/resale', () => [])
  app.post<Params>('/channels/:channel/messages', async (req) => {
    const { from, to, contents } = send.parse(recordOf(req).body)
    const channel = state.channelOf(from)
    if (channel.channel !== req.params.channel) throw new HubError(400, 'Channel not found or disabled')
    const customer = customerOf(to, from)
    if (!customer?.isReachable) throw new HubError(400, 'Recipient not found')
    const isTemplate = contents.some((one) => one.type === 'template' && 'name' in one.template)
    if (!isTemplate && !state.isOpen(customer)) throw new HubError(400, 'Message outside the 24 hour window')
    const id = state.newId()
    for (const one of contents) await show(id, customer, one)
    const life = () => live(id, customer, contents)
    if (state.core.delivery.statusBeforeAnswer) await state.core.track(life())
    else void state.core.track(later(life))
    return { id, from, to, direction: 'OUT', channel: channel.channel, contents }
  })

  app.get<Params>('/templates/:channel', (req) => {
    state.channelOf(req.params.channel)
    return [{ data: state.templates }]
  })

  app.get('/subscriptions', () => state.subscriptions)
  app.post('/subscriptions', (req) => {
    const made = { id: state.newId(), ...subscribing.parse(recordOf(req).body) }
    state.channelOf(made.criteria.channel)
    const isSame = (one: (typeof state.subscriptions)[number]) =>
      one.criteria.channel === made.criteria.channel && one.eventType === made.eventType
    if (state.subscriptions.some(isSame)) throw new HubError(409, 'Subscription already exists')
    state.subscriptions.push(made)
    return made
  })
  app.delete<{ Params: { id: string } }>('/subscriptions/:id', (req, reply) => {
    const at = state.subscriptions.findIndex(({ id }) => id === req.params.id)
    if (at < 0) throw new HubError(404, 'Subscription not found')
    state.subscriptions.splice(at, 1)
    return reply.code(204).send()
  })
  app.get<{ Params: { name: string } }>('/files/:name', (req, reply) => {
    const media = state.open(req.params.name)
    return media ? reply.type(media.mimeType).send(media.bytes) : reply.code(404).send('Not found')
  })

  const fetchFile = async (url: string): Promise<Media> => {
    const signal = AbortSignal.any([state.core.closing, AbortSignal.timeout(10_000)])
    const answer = await fetch(url, { signal }).catch(() => undefined)
    if (!answer?.ok) throw new HubError(400, 'Could not download fileUrl')
    const mimeType = answer.headers.get('content-type') ?? 'application/octet-stream'
    return { bytes: Buffer.from(await answer.arrayBuffer()), mimeType }
  }

  const shownAs = async (one: Content): Promise<Pick<Line, 'type'> & Partial<Line>> => {
    switch (one.type) {
      case 'text':
        return { type: 'text', text: one.text }
      case 'file':
        return {
          type: one.voice ? 'voice' : one.fileMimeType,
          text: one.fileCaption,
          media: await fetchFile(one.fileUrl),
        }
      case 'location': {
        const { type, ...place } = one
        return { type, place }
      }
      case 'contacts':
        return {
          type: one.type,
          cards: one.contacts.map(({ name, phones }) => ({ name: name.formattedName, phone: phones[0]?.phone ?? '' })),
        }
      case 'interactive':
        return shownOf(parseOutbound({ messaging_product: 'whatsapp', to: '5511900000000', ...one }), undefined)
      case 'template': {
        if (!('name' in one.template)) {
          const buttons = one.template.buttons.map(({ payload, title }) => ({ id: payload, title }))
          return { type: 'template', text: one.template.text, buttons }
        }
        const { name, language, ...use } = one.template
        const found = state.templates.find((known) => known.name === name && known.language === language.code)
        if (!found) throw new HubError(400, 'Template not found')
        return { type: 'template', ...renderTemplate(found, { name, language, ...use }) }
      }
      case 'email': {
        const [attached] = one.attachments ?? []
        const media = attached && (await fetchFile(attached.fileUrl))
        return {
          type: media?.mimeType.startsWith('audio/ogg') ? 'voice' : 'text',
          header: one.subject,
          text: plainOf(one.html),
          ...(media && { media }),
        }
      }
    }
  }
  const show = async (id: string, customer: HubCustomer, one: Content) => {
    const line: Line = {
      id,
      from: 'business',
      at: state.core.now(),
      reactions: {},
      state: 'sent',
      payload: one,
      ...(await shownAs(one)),
    }
    customer.receive(line)
    state.known.set(id, { customer, line })
    state.core.changed()
  }
  /** What the hub tells of a message of ours: the message itself, and what becomes of it. */
  const live = async (id: string, customer: HubCustomer, contents: object[]) => {
    await state.tell(customer.channel, messageOf(state, customer, 'OUT', id, contents))
    for (const code of state.core.delivery.skipDelivered ? ['SENT'] : ['SENT', 'DELIVERED'])
      await state.tell(customer.channel, statusOf(state, id, code))
    const line = state.known.get(id)?.line
    if (line?.state === 'sent') line.state = 'delivered'
    state.core.changed()
    if (customer.autoRead) await customer.read()
  }
}

const later = (work: () => Promise<void>): Promise<void> =>
  new Promise((resolve) => setTimeout(() => resolve(work()), 5))
const plainOf = (html: string) =>
  html
    .replace(/<br>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
