import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { recordOf } from '../simulator.ts'
import { shortForm } from '../whatsapp/people.ts'
import { addGroupRoutes } from './groups.ts'
import { type Instances, shown } from './instances.ts'
import type { Sending } from './sending.ts'
import { type Instance, type State, UazapiError } from './state.ts'
import type { Talk } from './talk.ts'

type Parts = { instances: Instances; talk: Talk; sending: Sending }

/** The REST API as the business calls it: one token for each instance, one for the server. */
export const addRoutes = (state: State, { instances, talk, sending }: Parts) => {
  const { core, options } = state
  const { app } = core
  app.setErrorHandler((error, _req, reply) => {
    const status = error instanceof UazapiError ? error.status : error instanceof z.ZodError ? 400 : 500
    const words = error instanceof UazapiError ? error.message : 'invalid payload'
    return reply.code(status).send({ error: words })
  })
  app.setNotFoundHandler((_req, reply) => reply.code(404).send({ code: 404, message: 'Not Found.', data: {} }))
  const asAdmin = (req: FastifyRequest) => {
    if (req.headers.admintoken !== options.adminToken) throw new UazapiError(401, 'Unauthorized')
  }
  app.post('/instance/init', (req) => {
    asAdmin(req)
    const { name } = z.object({ name: z.string().min(1) }).parse(recordOf(req).body)
    const made = instances.init(name)
    const { token } = made
    const response = 'Instance created successfully'
    return { response, instance: shown(made, core.url), connected: false, loggedIn: false, name, token, info: '' }
  })
  app.get('/instance/all', (req) => {
    asAdmin(req)
    return state.instances.map((one) => shown(one, core.url))
  })

  const route = (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    answer: (instance: Instance, body: unknown) => unknown,
  ) =>
    app.route({
      method,
      url,
      handler: (req) => answer(instances.by(String(req.headers.token ?? '')), recordOf(req).body),
    })
  const stateOf = (instance: Instance) => {
    const connected = instance.status === 'connected'
    const jid = connected ? `${instance.owner}:12@s.whatsapp.net` : null
    return { instance: shown(instance, core.url), connected, loggedIn: connected, jid }
  }

  route('GET', '/instance/status', (instance) => {
    const { instance: one, ...status } = stateOf(instance)
    return { instance: one, status }
  })
  route('POST', '/instance/connect', async (instance, body) => {
    const { phone } = z.object({ phone: z.string().optional() }).parse(body)
    await instances.connect(instance, phone)
    return stateOf(instance)
  })
  route('POST', '/instance/disconnect', async (instance) => {
    await instances.drop(instance.name, 'manual disconnect')
    Object.assign(instance, { owner: '', profileName: '' })
    return { instance: shown(instance, core.url), response: 'Disconnected' }
  })
  route('DELETE', '/instance', (instance) => {
    instances.remove(instance)
    return { response: 'Instance Deleted' }
  })

  route('GET', '/webhook', (instance) => instance.webhooks)
  route('POST', '/webhook', (instance, body) => {
    const { action, id, ...given } = webhookShape.parse(body)
    const others = instance.webhooks.filter((one) => one.id !== id)
    if (action === 'delete') instance.webhooks = others
    else {
      const { url, ...rest } = settingsShape.parse(given)
      const made = { id: id ?? `r${randomBytes(7).toString('hex')}`, url, ...rest }
      instance.webhooks = action === undefined ? [made] : [...others, made]
    }
    return instance.webhooks
  })

  for (const one of ['text', 'media', 'menu', 'contact', 'location'] as const)
    route('POST', `/send/${one}`, (instance, body) => sending.send(instance, one, body))
  route('POST', '/message/react', (instance, body) => sending.react(instance, body))
  route('POST', '/message/edit', (instance, body) => sending.edit(instance, body))
  route('POST', '/message/delete', (instance, body) => sending.remove(instance, body))
  route('POST', '/message/markread', (instance, body) => {
    const { id } = z.object({ id: z.array(z.string()).min(1) }).parse(body)
    sending.requireLink(instance)
    for (const { line } of id.map(sending.known)) if (line.from === 'customer') line.state = 'read'
    core.changed()
    return { results: id.map((one) => ({ message_id: one, status: 'success' })) }
  })
  route('POST', '/message/presence', (instance, body) => {
    const { number, presence } = z
      .object({ number: z.string(), presence: z.enum(['composing', 'recording', 'paused']), delay: z.number() })
      .parse(body)
    sending.requireLink(instance)
    if (presence === 'composing') talk.reached(number).showTyping()
    core.changed()
    return { response: 'Chat presence sent successfully' }
  })
  route('POST', '/message/find', (instance, body) => {
    const { track_id } = z.object({ track_id: z.string(), track_source: z.string().optional() }).parse(body)
    const found = [...state.known.values()].filter((one) => one.trackId === track_id)
    const messages = found.map(({ line: { id }, chat }) => ({
      id: `${instance.owner}:${id}`,
      messageid: id,
      chatid: chat,
      track_id,
      fromMe: true,
    }))
    return { messages, hasMore: false }
  })
  route('POST', '/message/download', (_instance, body) => {
    const { id } = z.object({ id: z.string(), return_base64: z.literal(true) }).parse(body)
    const { media } = sending.known(id)
    if (!media) throw new UazapiError(400, 'Unsupported media type or no media found in message')
    return { fileURL: '', mimetype: media.mimeType, base64Data: media.bytes.toString('base64') }
  })
  route('POST', '/call/reject', (instance, body) => {
    const { id } = z.object({ number: z.string(), id: z.string() }).parse(body)
    sending.requireLink(instance)
    if (!state.ringing.has(id)) throw new UazapiError(404, 'Call not found')
    state.rejected.push(id)
    return { response: 'Call rejected' }
  })

  route('POST', '/chat/check', (instance, body) => {
    const { numbers } = z.object({ numbers: z.array(z.string()).min(1) }).parse(body)
    sending.requireLink(instance)
    return numbers.map((query) => {
      const who = state.customers.find((one) => shortForm(one.phone) === shortForm(query))
      if (!who?.isOnWhatsApp) return { query, jid: '', lid: '', isInWhatsapp: false, verifiedName: '' }
      const jid = `${shortForm(who.phone)}@s.whatsapp.net`
      return { query, jid, lid: `${who.lid}@lid`, isInWhatsapp: true, verifiedName: '' }
    })
  })
  route('POST', '/chat/details', (instance, body) => {
    const { number } = z.object({ number: z.string() }).parse(body)
    sending.requireLink(instance)
    const group = talk.groupBy(number)
    if (group) return { wa_chatid: group.jid, wa_isGroup: true, wa_name: group.subject, name: group.subject, image: '' }
    const who = talk.reached(number)
    if (!who.isOnWhatsApp) throw new UazapiError(500, `the number ${who.jid} is not on WhatsApp`)
    const image = `${core.url}/faces/${who.phone}`
    return { wa_chatid: who.jid, wa_isGroup: false, wa_name: who.name, name: who.name, image, imagePreview: image }
  })
  route('GET', '/contacts', (instance) => {
    sending.requireLink(instance)
    return state.customers.map(({ jid, name }) => ({ jid, contactName: name, contact_FirstName: name.split(' ')[0] }))
  })
  addGroupRoutes(route, state, { talk, sending })
}

const webhookShape = z.looseObject({
  action: z.enum(['add', 'update', 'delete']).optional(),
  id: z.string().optional(),
})
const settingsShape = z.object({
  enabled: z.boolean(),
  url: z.url(),
  events: z.array(z.string()),
  excludeMessages: z.array(z.string()).default([]),
})
