import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { recordOf } from '../simulator.ts'
import type { Callbacks } from './callbacks.ts'
import { addGroupRoutes } from './groups.ts'
import type { InstanceLife } from './instance.ts'
import { addPartnerRoutes } from './partner.ts'
import { type Queue, sendKinds } from './queue.ts'
import { type HookKind, newId, type State, ZapiError } from './state.ts'
import type { Talk } from './talk.ts'

type Parts = { talk: Talk; queue: Queue; instance: InstanceLife; callbacks: Callbacks }
export type Ask = {
  body: unknown
  query: Record<string, string>
  params: Record<string, string>
  headers: IncomingHttpHeaders
  reply: FastifyReply
}
type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Route = (method: Verb, path: string, answer: (ask: Ask) => unknown) => void

/** The REST API as the business calls it. */
export const addRoutes = (state: State, { talk, queue, instance: life, callbacks }: Parts) => {
  const { core, options, instance } = state
  const { app } = core
  app.setErrorHandler((error, _req, reply) => {
    if (error instanceof ZapiError) return reply.code(error.status).send(error.toBody())
    if (error instanceof z.ZodError) return reply.code(400).send({ error: error.issues[0]?.message })
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
    return reply.code(status).send({ error: String(error) })
  })
  app.setNotFoundHandler((_req, reply) => reply.code(404).send({ error: 'NOT_FOUND', message: 'Unable to find' }))

  /** A method of the instance, opened by its token in the address and the token of the account. */
  const route: Route = (method, path, answer) =>
    void app.route<{ Params: Record<string, string> }>({
      method,
      url: `/instances/:instanceId/token/:instanceToken/${path}`,
      handler: async (req, reply) => {
        const { instanceId, instanceToken } = req.params
        const token = req.headers['client-token']
        if (token !== options.clientToken) throw new ZapiError(403, `${token ? 'Client-Token' : 'null'} not allowed`)
        if (instanceId !== options.instanceId || instanceToken !== options.instanceToken)
          throw new ZapiError(404, 'Instance not found')
        const { body, query } = recordOf(req)
        return reply.send(await answer({ body, query, params: req.params, headers: req.headers, reply }))
      },
    })
  addPartnerRoutes(state, route)
  const noContent = ({ reply }: Ask) => void reply.code(204)

  route('GET', 'status', () => ({
    connected: instance.connected,
    smartphoneConnected: instance.connected,
    error: instance.connected
      ? 'You are already connected.'
      : instance.isBroken
        ? 'You need to restore the session.'
        : 'You are not connected.',
  }))
  route('GET', 'qr-code/image', () => (instance.connected ? { connected: true } : { value: life.code() }))
  route('GET', 'phone-code/:phone', () => (instance.connected ? { connected: true } : { code: life.pairing() }))
  route('GET', 'restore-session', async () => {
    await life.restore()
    return { value: instance.connected }
  })
  route('GET', 'disconnect', async () => {
    await life.drop()
    return { value: true }
  })
  route('GET', 'device', () => {
    if (!instance.connected) throw new ZapiError(400, 'You are not connected.')
    return { phone: state.phone, name: state.profileName, imgUrl: null, isBusiness: true }
  })
  route('GET', 'me', () => ({
    id: options.instanceId,
    token: options.instanceToken,
    connected: instance.connected,
    name: instance.name,
    created: new Date(instance.created).toISOString(),
    due: instance.due,
    paymentStatus: instance.paymentStatus,
    autoReadMessage: instance.autoRead,
    receiveCallbackSentByMe: instance.notifySentByMe,
    ...Object.fromEntries(Object.entries(instance.hooks).map(([kind, url]) => [`${kind}CallbackUrl`, url])),
  }))

  const urlOf = (body: unknown) => z.object({ value: z.string() }).parse(body).value
  const isOn = (body: unknown, name: string) => z.record(z.string(), z.unknown()).parse(body)[name] === true
  const hook = (path: string, ...kinds: HookKind[]) =>
    route('PUT', path, ({ body }) => {
      for (const kind of kinds) instance.hooks[kind] = urlOf(body) || undefined
      if (path === 'update-every-webhooks') instance.notifySentByMe = isOn(body, 'notifySentByMe')
      return { value: true }
    })
  hook('update-webhook-received', 'received')
  hook('update-every-webhooks', 'received', 'delivery', 'messageStatus', 'connected', 'disconnected', 'presenceChat')
  route('PUT', 'update-notify-sent-by-me', ({ body }) => {
    instance.notifySentByMe = isOn(body, 'notifySentByMe')
    return { value: true }
  })
  route('PUT', 'update-auto-read-message', ({ body }) => {
    instance.autoRead = isOn(body, 'value')
    return { value: true }
  })
  route('GET', 'queue/count', () => ({ count: queue.length }))
  route('DELETE', 'queue', (ask) => {
    queue.clear()
    noContent(ask)
  })

  for (const kind of sendKinds)
    if (kind !== 'text' && kind !== 'document') route('POST', `send-${kind}`, ({ body }) => queue.send(kind, body))
  route('POST', 'send-document/:extension', ({ body, params }) => queue.send('document', body, params.extension))
  route('POST', 'send-text', async ({ body }) => {
    const { editMessageId, message } = z
      .object({ editMessageId: z.string().optional(), message: z.string().optional() })
      .parse(body)
    if (!editMessageId) return queue.send('text', body)
    await queue.settled()
    const known = state.known.get(editMessageId)
    if (known?.line.from !== 'business') throw new ZapiError(400, 'Message not found')
    Object.assign(known.line, { text: message, isEdited: true })
    core.changed()
    return { zaapId: newId(), messageId: newId() }
  })
  const target = z.object({ phone: z.string(), messageId: z.string(), reaction: z.string().optional() })
  for (const path of ['send-reaction', 'send-remove-reaction'])
    route('POST', path, ({ body }) => {
      const { messageId, reaction } = target.parse(body)
      const known = state.known.get(messageId)
      if (known) known.line.reactions.business = reaction
      core.changed()
      return { zaapId: newId(), messageId: newId() }
    })
  route('DELETE', 'messages', async (ask) => {
    await queue.settled()
    const known = state.known.get(ask.query.messageId ?? '')
    const group = state.groups.find((one) => one.id === ask.query.phone)
    const isOurs = ask.query.owner === 'true'
    if (known && (isOurs || (group && group.ours !== 'member'))) known.line.isDeleted = true
    core.changed()
    noContent(ask)
  })
  route('POST', 'read-message', (ask) => {
    const known = state.known.get(target.parse(ask.body).messageId)
    if (known?.line.from === 'customer') known.line.state = 'read'
    core.changed()
    noContent(ask)
  })

  route('POST', 'phone-exists-batch', ({ body }) =>
    z
      .object({ phones: z.array(z.string()) })
      .parse(body)
      .phones.map((inputPhone) => {
        const who = state.customers.find((one) => shortForm(one.phone) === shortForm(inputPhone))
        const exists = who?.isOnWhatsApp ?? false
        const outputPhone = shortForm(inputPhone)
        return { exists, inputPhone, outputPhone, ...(exists && { lid: `${who?.lid}@lid` }) }
      }),
  )
  const pageOf = <Row>(rows: Row[], { page = '1', pageSize = '100' }: Record<string, string | undefined>) =>
    rows.slice((Number(page) - 1) * Number(pageSize), Number(page) * Number(pageSize))
  route('GET', 'contacts', ({ query }) =>
    pageOf(
      state.customers.map(({ phone, name }) => ({
        phone: shortForm(phone),
        name,
        short: name.split(' ')[0],
        notify: name,
      })),
      query,
    ),
  )
  route('GET', 'groups', ({ query }) =>
    pageOf(
      state.groups.map(({ id, subject }) => ({ phone: id, name: subject, isGroup: true })),
      query,
    ),
  )
  route('GET', 'contacts/:phone', ({ params }) => {
    const who = talk.reached(params.phone ?? '')
    return { phone: who.phone, notify: who.name, name: null, short: null, imgUrl: null }
  })
  route('GET', 'profile-picture', ({ query }) => ({ link: `${core.url}/faces/${query.phone}` }))
  addGroupRoutes(route, state, { talk, callbacks })

  app.get('/files/:name', (req, reply) => {
    const file = state.files.get(req.url)
    return file ? reply.type(file.mimeType).send(file.bytes) : reply.code(404).send()
  })
}

/** WhatsApp knows old Brazilian accounts without the ninth digit. */
const shortForm = (phone: string) => phone.replace(/^55(\d{2})9(\d{8})$/, '55$1$2')
