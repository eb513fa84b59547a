import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { recordOf } from '../simulator.ts'
import { shortForm } from '../whatsapp/people.ts'
import { addGroupRoutes } from './groups.ts'
import { type Instances, rowOf, stateOf } from './instances.ts'
import type { Sending } from './sending.ts'
import { EvolutionError, type Instance, type State } from './state.ts'
import type { Talk } from './talk.ts'
import type { Webhooks } from './webhooks.ts'

type Parts = { instances: Instances; talk: Talk; sending: Sending; webhooks: Webhooks }
type Ask = { body: unknown; query: Record<string, string> }

/** The REST API as the business calls it. */
export const addRoutes = (state: State, { instances, talk, sending, webhooks }: Parts) => {
  const { core, options } = state
  const { app } = core
  app.setErrorHandler((error, _req, reply) => {
    const refusal =
      error instanceof EvolutionError
        ? error
        : error instanceof z.ZodError
          ? new EvolutionError(
              400,
              error.issues.map((one) => `${one.path.join('.')} ${one.message}`),
            )
          : new EvolutionError(
              error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500,
              String(error),
            )
    return reply.code(refusal.status).send(refusal.toBody())
  })
  app.setNotFoundHandler((req, reply) =>
    reply.code(404).send(new EvolutionError(404, `Cannot ${req.method} ${req.url}`).toBody()),
  )
  const keyOf = (req: FastifyRequest) => String(req.headers.apikey ?? '')
  const isGlobal = (req: FastifyRequest) => keyOf(req) === options.globalKey

  app.get('/', () => ({ status: 200, message: 'Welcome to the Evolution API, it is working!', version: '2.3.7' }))
  app.post('/instance/create', async (req, reply) => {
    if (!isGlobal(req)) throw new EvolutionError(keyOf(req) ? 401 : 403, 'Unauthorized')
    const instance = instances.create(recordOf(req).body)
    void webhooks.emit(instance, 'instance.create', { instanceName: instance.name, instanceId: instance.id })
    return reply.code(201).send({
      instance: { ...rowOf(instance), instanceName: instance.name, instanceId: instance.id, status: 'created' },
      hash: instance.token,
      settings: instance.settings,
    })
  })
  app.get('/instance/fetchInstances', (req) => {
    const rows = [...state.instances.values()].filter((one) => isGlobal(req) || one.token === keyOf(req))
    if (!rows.length && !isGlobal(req)) throw new EvolutionError(401, 'Unauthorized')
    const { instanceName } = recordOf(req).query
    return rows.filter((one) => !instanceName || one.name === instanceName).map(rowOf)
  })

  /** A route of one instance, opened by the global key or its own. */
  const route = (method: 'GET' | 'POST' | 'DELETE', path: string, answer: (instance: Instance, ask: Ask) => unknown) =>
    app.route<{ Params: { name: string } }>({
      method,
      url: `${path}/:name`,
      handler: async (req, reply) => {
        const instance = instances.find(req.params.name)
        if (!isGlobal(req) && keyOf(req) !== instance.token) throw new EvolutionError(401, 'Unauthorized')
        const { body, query } = recordOf(req)
        const isMade = path.startsWith('/message') || path === '/webhook/set' || path === '/settings/set'
        return reply.code(isMade ? 201 : 200).send(await answer(instance, { body, query }))
      },
    })
  const done = (message: string) => ({ status: 'SUCCESS', error: false, response: { message } })

  route('GET', '/instance/connectionState', (instance) => stateOf(instance))
  route('GET', '/instance/connect', (instance, { query }) => instances.connect(instance, query.number))
  route('POST', '/instance/restart', (instance) => instances.restart(instance))
  route('DELETE', '/instance/logout', async (instance) => {
    await instances.logout(instance)
    return done('Instance logged out')
  })
  route('DELETE', '/instance/delete', (instance) => {
    instances.remove(instance)
    return done('Instance deleted')
  })
  route('POST', '/webhook/set', (instance, { body }) => {
    const given = z.object({ webhook: webhookShape }).parse(body)
    instance.webhook = given.webhook
    return instance.webhook
  })
  route('GET', '/webhook/find', (instance) => instance.webhook ?? {})
  route('POST', '/settings/set', (instance, { body }) => Object.assign(instance.settings, body))
  route('GET', '/settings/find', (instance) => instance.settings)

  for (const one of [
    'sendText',
    'sendMedia',
    'sendWhatsAppAudio',
    'sendSticker',
    'sendLocation',
    'sendContact',
    'sendPoll',
    'sendTemplate',
  ])
    route('POST', `/message/${one}`, (instance, { body }) => sending.send(instance, one, body))
  route('POST', '/message/sendReaction', (instance, { body }) => sending.react(instance, body))
  route('POST', '/chat/updateMessage', (instance, { body }) => sending.edit(instance, body))
  route('DELETE', '/chat/deleteMessageForEveryone', (instance, { body }) => sending.remove(instance, body))

  route('POST', '/chat/markMessageAsRead', (instance, { body }) => {
    const { readMessages } = z
      .object({ readMessages: z.array(z.object({ id: z.string(), remoteJid: z.string(), fromMe: z.boolean() })) })
      .parse(body)
    sending.requireLink(instance)
    for (const { id } of readMessages) {
      const known = state.known.get(id)
      if (known?.line.from === 'customer') known.line.state = 'read'
    }
    core.changed()
    return { message: 'Read messages', read: 'success' }
  })
  route('POST', '/chat/sendPresence', (instance, { body }) => {
    const { number, presence } = z.object({ number: z.string(), presence: z.string(), delay: z.number() }).parse(body)
    sending.requireLink(instance)
    if (presence === 'composing') talk.reached(number).showTyping()
    core.changed()
    return { presence, delay: 0 }
  })
  route('POST', '/chat/getBase64FromMediaMessage', (_instance, { body }) => {
    const { message } = z.object({ message: z.object({ key: z.object({ id: z.string() }) }) }).parse(body)
    const media = state.known.get(message.key.id)?.media
    if (!media) throw new EvolutionError(400, 'Error: Message not found')
    return {
      mediaType: 'document',
      fileName: media.filename,
      mimetype: media.mimeType,
      base64: media.bytes.toString('base64'),
    }
  })
  route('POST', '/chat/whatsappNumbers', (instance, { body }) => {
    const { numbers } = z.object({ numbers: z.array(z.string()) }).parse(body)
    sending.requireLink(instance)
    return numbers.map((number) => {
      const who = state.customers.find((one) => shortForm(one.phone) === shortForm(number.replace(/\D/g, '')))
      const exists = who?.isOnWhatsApp ?? false
      const jid = exists ? `${shortForm(who?.phone ?? '')}@s.whatsapp.net` : `${number}@s.whatsapp.net`
      return { jid, exists, number, ...(exists && { name: who?.name, lid: `${who?.lid}@lid` }) }
    })
  })
  route('POST', '/chat/fetchProfile', (instance, { body }) => {
    const { number } = z.object({ number: z.string() }).parse(body)
    sending.requireLink(instance)
    const who = talk.reached(number)
    if (!who.isOnWhatsApp) throw new EvolutionError(400, { jid: who.jid, exists: false, number })
    return { wuid: who.jid, name: who.name, numberExists: true, picture: `${core.url}/faces/${who.phone}` }
  })

  route('POST', '/chat/findContacts', (instance) => {
    sending.requireLink(instance)
    return [
      ...state.customers.map(({ jid, name }) => ({ id: jid, remoteJid: jid, pushName: name, instanceId: instance.id })),
      ...state.groups.map(({ jid, subject }) => ({
        id: jid,
        remoteJid: jid,
        pushName: subject,
        instanceId: instance.id,
      })),
    ]
  })
  addGroupRoutes(route, state, { talk, sending, webhooks })

  app.get<{ Params: { account: string } }>('/graph/:account/message_templates', (req, reply) => {
    if (req.headers.authorization !== `Bearer ${options.metaToken}`)
      return reply.code(401).send({ error: { code: 190 } })
    return { data: state.templates }
  })
  app.post<{ Params: { number: string } }>('/graph/:number/media', (req, reply) => {
    if (req.headers.authorization !== `Bearer ${options.metaToken}`)
      return reply.code(401).send({ error: { code: 190 } })
    return { id: 'media-of-a-template' }
  })
  app.get<{ Params: { id: string } }>('/graph/:id', (req, reply) => {
    const media = state.known.get(req.params.id.replace('media-', ''))?.media
    if (req.headers.authorization !== `Bearer ${options.metaToken}`)
      return reply.code(401).send({ error: { code: 190 } })
    if (!media) return reply.code(404).send({ error: { code: 100 } })
    if ('bytes' in recordOf(req).query) return reply.type('application/octet-stream').send(media.bytes)
    return { url: `${core.url}/graph/${req.params.id}?bytes`, mime_type: media.mimeType }
  })
}

const webhookShape = z.object({
  enabled: z.boolean(),
  url: z.string(),
  byEvents: z.boolean().optional(),
  base64: z.boolean().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  events: z.array(z.string()).optional(),
})
