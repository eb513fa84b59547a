import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { recordOf } from '../simulator.ts'
import { shortForm } from '../whatsapp/people.ts'
import { addGroupRoutes } from './groups.ts'
import { routes, type Sending } from './sending.ts'
import { type State, type User, WuzapiError } from './state.ts'
import type { Talk } from './talk.ts'
import { isConnected, type Users } from './users.ts'

type Parts = { users: Users; talk: Talk; sending: Sending }
type Answer = (user: User, body: unknown, query: Record<string, string>) => unknown

/** The REST API as the business calls it: one token for each user, one for the server. */
export const addRoutes = (state: State, { users, talk, sending }: Parts) => {
  const { core, options } = state
  const { app } = core
  app.setErrorHandler((error, _req, reply) => {
    const status = error instanceof WuzapiError ? error.status : error instanceof z.ZodError ? 400 : 500
    const words = error instanceof WuzapiError ? error.message : 'could not decode Payload'
    return reply.code(status).send({ code: status, error: words, success: false })
  })
  app.setNotFoundHandler((_req, reply) => reply.code(404).type('text/plain').send('404 page not found\n'))

  const told = (data: unknown) => ({ code: 200, data, success: true })
  const exists = (path: string) => !options.without?.some((part) => path.includes(part))
  const asAdmin = (req: FastifyRequest) => {
    if (req.headers.authorization !== options.adminToken) throw new WuzapiError(401, 'unauthorized')
  }
  app.get('/admin/users', (req) => {
    asAdmin(req)
    return told(
      state.users.map(({ id, name, token, webhook, events, jid }) => ({ id, name, token, webhook, events, jid })),
    )
  })
  app.post('/admin/users', (req, reply) => {
    asAdmin(req)
    const asked = z
      .object({
        name: z.string().min(1),
        token: z.string().min(1),
        webhook: z.string().default(''),
        events: z.string().default(''),
      })
      .parse(recordOf(req).body)
    const events = asked.events.split(',').filter(Boolean)
    const made = users.make(asked.name, asked.token, { webhook: asked.webhook, events })
    return reply.code(201).send({ code: 201, data: { id: made.id, name: made.name }, success: true })
  })
  const remove = (req: FastifyRequest) => {
    asAdmin(req)
    const { id } = z.object({ id: z.string() }).parse(req.params)
    const user = state.users.find((one) => one.id === id)
    if (!user) throw new WuzapiError(404, 'user not found')
    users.remove(user)
    return told({ id })
  }
  app.delete('/admin/users/:id', remove)
  if (exists('/full')) app.delete('/admin/users/:id/full', remove)

  const route = (method: 'GET' | 'POST' | 'DELETE', url: string, answer: Answer, isBare = false) => {
    if (!exists(url)) return
    app.route({
      method,
      url,
      handler: async (req) => {
        const token = String(req.headers[options.tokenIn ?? 'token'] ?? '')
        const { body, query } = recordOf(req)
        const said = await answer(users.by(token), body, query)
        return isBare ? said : told(said)
      },
    })
  }

  /** Users whose login outlives their session. */
  const keeping = new Set<User>()
  route('POST', '/session/connect', async (user) => {
    await users.connect(user, user.session === 'away' || keeping.has(user))
    keeping.delete(user)
    return { details: 'Connected!', events: user.events.join(','), jid: user.jid, webhook: user.webhook }
  })
  route('POST', '/session/disconnect', (user) => {
    if (user.session === 'none') throw new WuzapiError(500, 'no session')
    if (user.session === 'open') keeping.add(user)
    users.close(user)
    return { Details: 'Disconnected' }
  })
  route('POST', '/session/logout', (user) => {
    if (user.session === 'none') throw new WuzapiError(500, 'no session')
    if (user.session !== 'open') throw new WuzapiError(500, 'could not logout as it was not logged in')
    users.close(user)
    return { Details: 'Logged out' }
  })
  route('GET', '/session/status', (user) => ({
    id: user.id,
    name: user.name,
    connected: isConnected(user),
    loggedIn: user.session === 'open',
    token: user.token,
    jid: user.jid,
    webhook: user.webhook,
    events: user.events.join(','),
    proxy_url: user.proxyUrl,
    qrcode: user.qrcode,
    hmac_configured: user.hmacKey !== undefined,
  }))
  route('GET', '/session/qr', (user) => {
    if (user.session === 'none') throw new WuzapiError(500, 'no session')
    if (user.session === 'away') throw new WuzapiError(500, 'not connected')
    if (user.session === 'open') throw new WuzapiError(500, 'already logged in')
    return { QRCode: user.qrcode }
  })
  route('POST', '/session/pairphone', (user, body) => {
    const { Phone } = z.object({ Phone: z.string() }).parse(body)
    if (user.session === 'none') throw new WuzapiError(500, 'no session')
    if (user.session === 'open') throw new WuzapiError(400, 'already paired')
    if (!/^\d{8,}$/.test(Phone)) throw new WuzapiError(400, 'phone number too short')
    user.linkingCode = randomBytes(4)
      .toString('hex')
      .toUpperCase()
      .replace(/^(.{4})/, '$1-')
    return { LinkingCode: user.linkingCode }
  })
  route('POST', '/session/proxy', (user, body) => {
    const asked = z.object({ proxy_url: z.string().default(''), enable: z.boolean() }).parse(body)
    if (isConnected(user)) throw new WuzapiError(400, 'cannot set proxy while connected. Please disconnect first')
    if (asked.enable && !/^(http|socks5):/.test(asked.proxy_url))
      throw new WuzapiError(400, 'only HTTP and SOCKS5 proxies are supported')
    user.proxyUrl = asked.enable ? asked.proxy_url : ''
    return { Details: 'Proxy configured successfully' }
  })
  route(
    'POST',
    '/session/hmac/config',
    (user, body) => {
      const { hmac_key } = z.object({ hmac_key: z.string() }).parse(body)
      if (hmac_key.length < 32) throw new WuzapiError(400, 'HMAC key must be at least 32 characters long')
      user.hmacKey = hmac_key
      return { Details: 'HMAC configuration saved successfully' }
    },
    true,
  )
  route('GET', '/session/s3/config', ({ files }) => files)
  route('POST', '/session/s3/config', (user, body) => {
    user.files = z.object({ enabled: z.boolean(), media_delivery: z.enum(['base64', 's3', 'both']) }).parse(body)
    return { Details: 'S3 configuration saved successfully', Enabled: user.files.enabled }
  })

  route('GET', '/webhook', ({ webhook, events }) => ({ webhook, subscribe: events.join(',').split(',') }))
  route('POST', '/webhook', (user, body) => {
    const asked = z.object({ webhookURL: z.string(), events: z.array(z.string()).default([]) }).parse(body)
    // Without a list it forgets the one it had.
    Object.assign(user, { webhook: asked.webhookURL, events: asked.events })
    return { webhook: user.webhook }
  })
  route('DELETE', '/webhook', (user) => {
    Object.assign(user, { webhook: '', events: [] })
    return { Details: 'Webhook and events deleted successfully' }
  })

  for (const one of routes) route('POST', `/chat/send/${one}`, (user, body) => sending.send(user, one, body))
  route('POST', '/chat/send/edit', sending.edit)
  route('POST', '/chat/react', sending.react)
  route('POST', '/chat/delete', sending.remove)
  route('POST', '/chat/markread', (user, body) => {
    const { Id, Chat, SenderPhone } = z
      .object({
        Id: z.array(z.string()).min(1),
        ChatPhone: z.string(),
        Chat: z.string(),
        SenderPhone: z.string().optional(),
      })
      .parse(body)
    sending.requireLink(user)
    // WhatsApp tells nobody of a group without who wrote what was read.
    if (Chat.endsWith('@g.us') && !SenderPhone) return { Details: 'Message(s) marked as read' }
    for (const { line } of Id.map(sending.known)) if (line.from === 'customer') line.state = 'read'
    core.changed()
    return { Details: 'Message(s) marked as read' }
  })
  route('POST', '/chat/presence', (user, body) => {
    const { Phone, State } = z
      .object({ Phone: z.string(), State: z.enum(['composing', 'paused']), Media: z.enum(['', 'audio']) })
      .parse(body)
    sending.requireLink(user)
    if (State === 'composing') talk.reached(Phone).showTyping()
    core.changed()
    return { Details: 'Chat presence set successfuly' }
  })
  for (const kind of ['image', 'video', 'audio', 'document', 'sticker'])
    route('POST', `/chat/download${kind}`, (user, body) => {
      const asked = z
        .object({ DirectPath: z.string(), MediaKey: z.base64(), Mimetype: z.string(), FileLength: z.number() })
        .parse(body)
      sending.requireLink(user)
      const media = state.known.get(asked.DirectPath.split(/[/?]/)[3] ?? '')?.media
      if (!media) throw new WuzapiError(500, `failed to download ${kind} download failed with status code 404`)
      const Data = `data:${asked.Mimetype};base64,${media.bytes.toString('base64')}`
      return { Mimetype: asked.Mimetype, Data }
    })
  route('POST', '/call/reject', (user, body) => {
    const { call_id } = z.object({ call_from: z.string().min(5), call_id: z.string().min(1) }).parse(body)
    sending.requireLink(user)
    if (!state.ringing.has(call_id)) throw new WuzapiError(500, 'error rejecting call: item-not-found')
    state.rejected.push(call_id)
    return { Details: 'Call rejected', CallID: call_id }
  })

  route('POST', '/user/check', (user, body) => {
    const { Phone } = z.object({ Phone: z.array(z.string().startsWith('+')).min(1) }).parse(body)
    sending.requireLink(user)
    const Users = Phone.map((Query) => {
      const digits = Query.replace(/\D/g, '')
      const who = state.customers.find((one) => shortForm(one.phone) === shortForm(digits))
      const JID = `${shortForm(who?.phone ?? digits)}@s.whatsapp.net`
      return { Query, IsInWhatsapp: who?.isOnWhatsApp ?? false, JID, VerifiedName: '' }
    })
    return { Users }
  })
  route('GET', '/user/lid/:jid', ({ jid, lid }) => {
    if (!lid) throw new WuzapiError(404, 'LID not found for this number')
    return { jid, lid }
  })
  route('POST', '/user/avatar', (user, body) => {
    const { Phone } = z.object({ Phone: z.string().min(5), Preview: z.boolean() }).parse(body)
    sending.requireLink(user)
    if (Phone.endsWith('@g.us')) throw new WuzapiError(500, 'no avatar found')
    return {
      url: `https://pps.whatsapp.net/${Phone.split('@', 1)}.jpg`,
      id: '1',
      type: 'image',
      direct_path: '/v/1.jpg',
    }
  })
  route('GET', '/user/contacts', (user) => {
    sending.requireLink(user)
    const card = (name: string) => ({
      BusinessName: '',
      FirstName: name.split(' ')[0],
      Found: true,
      FullName: name,
      PushName: name,
    })
    return Object.fromEntries(state.customers.map(({ jid, name }) => [jid, card(name)]))
  })
  addGroupRoutes(route, state, { talk, sending })
}
