import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import type { TicketWay } from '@balcao/contract/conversations/ways.ts'
import type { WebchatMessage } from '@balcao/contract/intake/webchat.ts'
import { and, eq, ne } from 'drizzle-orm'
import { exportSPKI, generateKeyPair, SignJWT } from 'jose'
import sharp from 'sharp'
import { io, type Socket } from 'socket.io-client'
import { v7 } from 'uuid'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Reply, startTestApp, type TestUser } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'

const kit = await startTestApp()
const { app, as, schema, seedTenant, withTenant, withPlatform, createConnection, statementCount } = kit
const { url } = await kit.listen()
const { emit } = await import('../../../kit/outbox.ts')
const { env } = await import('../../../env.ts')
beforeAll(async () => (await startTestWorkers('sender')).stop)

const secret = 'segredo-de-identidade'
const open: Socket[] = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect()
})
const until = <T>(look: () => T | Promise<T>) => vi.waitFor(look, { timeout: 5_000, interval: 10 })

let address = 1
const call = async (
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  { token, ip = `10.0.${address >> 8}.${address & 255}` }: { token?: string; ip?: string } = {},
): Promise<Reply> => {
  const reply = await app.inject({
    method,
    url: path,
    payload: body,
    remoteAddress: ip,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  })
  const parsed = reply.headers['content-type']?.toString().includes('json') ? reply.json() : reply.body
  return { status: reply.statusCode, body: parsed, headers: reply.headers }
}
const startSession = (connectionId: string, more: object = {}, ip?: string) => {
  address += 1
  return call(
    'POST',
    '/api/webchat/session',
    { channelKey: `wc_${connectionId}`, origin: 'https://loja.com.br', ...more },
    { ip },
  )
}

/** A visitor's browser on the site. */
const visit = async (connectionId: string, more: object = {}) => {
  const { status, body } = await startSession(connectionId, more)
  expect(status).toBe(200)
  const token: string = body.accessToken
  const send = (message: object) =>
    call('POST', '/api/webchat/messages', { clientId: crypto.randomUUID(), ...message }, { token })
  return {
    session: body,
    token,
    send,
    say: async (text: string): Promise<WebchatMessage> => {
      const reply = await send({ text })
      expect(reply.status).toBe(201)
      return reply.body
    },
    list: async (query = ''): Promise<{ items: WebchatMessage[]; hasMore: boolean }> =>
      (await call('GET', `/api/webchat/messages${query}`, undefined, { token })).body,
    tell: (event: object) => call('POST', '/api/webchat/events', event, { token }),
    preChat: (answers: object) => call('POST', '/api/webchat/prechat', { answers }, { token }),
    upload: async (name: string, mime: string, bytes: Uint8Array): Promise<Reply> => {
      const form = new FormData()
      form.append('file', new Blob([Buffer.from(bytes)], { type: mime }), name)
      const reply = await fetch(`${url}/api/webchat/uploads`, {
        method: 'POST',
        body: form,
        headers: { authorization: `Bearer ${token}` },
      })
      return { status: reply.status, body: await reply.json(), headers: {} }
    },
    /** The window's socket, and what it hears. */
    listen: async () => {
      const socket = io(`${url}/webchat`, {
        transports: ['websocket'],
        forceNew: true,
        reconnection: false,
        auth: { accessToken: token },
      })
      open.push(socket)
      const heard: [string, unknown][] = []
      socket.onAny((name: string, payload: unknown) => heard.push([name, payload]))
      const of = (name: string) => heard.filter(([one]) => one === name).map(([, payload]) => payload)
      await until(() => expect(of('agent')).not.toEqual([]))
      return { socket, heard, of, messages: () => of('message') as WebchatMessage[] }
    },
  }
}
const world = async (config: object = {}) => {
  const company = await seedTenant()
  const connectionId = await createConnection(company, { config: { allowAnyDomain: true, ...config } })
  return { ...company, connectionId }
}
/** Of an open conversation, for events that a test emits itself. */
const ticketFacts = (id: string, userId: string) => ({
  id,
  userId,
  status: 'open' as const,
  queueId: null,
  chatFlowId: null,
  isGroup: false,
  wallets: [],
  sharedWith: [],
})
const ticketOf = async (tenantId: number) => {
  const [row] = await withTenant(tenantId, (tx) =>
    tx.db
      .select()
      .from(schema.tickets)
      .where(and(eq(schema.tickets.tenantId, tenantId), ne(schema.tickets.status, 'closed'))),
  )
  if (!row) throw new Error('no ticket')
  return row
}
const accept = async (agent: TestUser) => {
  const { id } = await ticketOf(agent.tenantId)
  expect((await as(agent).put(`/tickets/${id}`, { status: 'open' })).status).toBe(200)
  return id
}
const answer = async (agent: TestUser, ticketId: string, body: string, more: object = {}) => {
  const reply = await as(agent).post(`/messages/${ticketId}`, { id: v7(), type: 'text', body, ...more })
  expect(reply.status).toBeLessThan(300)
  return reply.body.id as string
}
const statusOf = async (tenantId: number, id: string) =>
  (await withTenant(tenantId, (tx) => tx.db.select().from(schema.messages).where(eq(schema.messages.id, id))))[0]
    ?.status
const hmac = (id: string) => createHmac('sha256', secret).update(id).digest('hex')

test('whoever wrote by this web chat is answered by it, and a conversation that left comes back to it', async () => {
  const { connectionId, tenantId, agent } = await world({ identitySecret: secret })
  const elsewhere = await createConnection(agent, { config: { allowAnyDomain: true } })
  const mailbox = await createConnection(agent, { kind: 'email', config: { address: 'contato@loja.com.br' } })
  for (const identity of [undefined, { id: 'ana', hmac: hmac('ana') }]) {
    const visitor = await visit(connectionId, { identity })
    await visitor.say('Oi')
    const id = await accept(agent)
    const { contactId } = await ticketOf(tenantId)
    await withTenant(tenantId, (tx) =>
      tx.db
        .update(schema.contacts)
        .set({ email: `${contactId}@example.com` })
        .where(eq(schema.contacts.id, contactId)),
    )
    const { items } = (await as(agent).get(`/tickets/${id}/ways`)).body
    expect(items.map((one: TicketWay) => [one.whatsapp.id, one.takes])).toEqual([
      [connectionId, 'everything'],
      [mailbox, 'everything'],
      [elsewhere, 'nothing'],
    ])
    const moved = async (whatsappId: string) =>
      (await as(agent).put(`/ticketsChannelId/${id}`, { whatsappId })).body.error ?? 'moved'
    expect(await moved(elsewhere)).toBe('ERR_CONTACT_UNREACHABLE')
    expect([await moved(mailbox), await moved(connectionId)]).toEqual(['moved', 'moved'])
    expect((await as(agent).put(`/tickets/${id}`, { status: 'closed' })).status).toBe(200)
  }
})

describe('a session', () => {
  test('begins on an authorised site, on our own page and preview, and nowhere else', async () => {
    const { connectionId } = await world({
      allowAnyDomain: false,
      domains: ['loja.com.br', '*.moda.com.br', 'teste.com.br:8080', '127.0.0.1', 'localhost'],
    })
    const statusFrom = async (origin: string) => (await startSession(connectionId, { origin })).status
    for (const origin of [
      'https://loja.com.br',
      'http://loja.com.br',
      'https://a.b.moda.com.br',
      'http://teste.com.br:8080',
      'http://localhost:3000',
      'http://localhost:5173',
      'http://127.0.0.1:8000',
    ])
      expect(await statusFrom(origin), origin).toBe(200)
    for (const origin of [
      'https://mal.example',
      'https://loja.com.br.mal.example',
      'https://xloja.com.br',
      'https://moda.com.br',
      'https://teste.com.br',
      'null',
      '',
    ])
      expect(await statusFrom(origin), origin).toBe(403)
    const closed = await world({ allowAnyDomain: false })
    expect((await startSession(closed.connectionId)).body.error).toBe('ERR_WEBCHAT_DOMAIN')
  })

  test('is refused for an unknown channel and a malformed body', async () => {
    expect((await call('POST', '/api/webchat/session', { channelKey: 'wc_nothing', origin: 'x' })).status).toBe(404)
    expect((await call('POST', '/api/webchat/session', { channelKey: 7 })).status).toBe(422)
  })

  test('is resumed by its token, which changes each time; two tabs at once both stay in', async () => {
    const { connectionId } = await world()
    const first = (await startSession(connectionId)).body
    const [left, right] = await Promise.all([
      startSession(connectionId, { resumeToken: first.resumeToken }),
      startSession(connectionId, { resumeToken: first.resumeToken }),
    ])
    expect([left.body.visitorId, right.body.visitorId]).toEqual([first.visitorId, first.visitorId])
    expect(new Set([first.resumeToken, left.body.resumeToken, right.body.resumeToken]).size).toBe(3)
    expect((await startSession(connectionId, { resumeToken: right.body.resumeToken })).body.visitorId).toBe(
      first.visitorId,
    )
  })

  test('ends with its whole family when an old token comes back after the grace; the window starts over', async () => {
    const { connectionId, tenantId } = await world()
    const stolen = await visit(connectionId)
    const owner = await visit(connectionId, { resumeToken: stolen.session.resumeToken })
    const window = await owner.listen()
    const bystander = await (await visit(connectionId)).listen()
    await withTenant(tenantId, (tx) =>
      tx.db
        .update(schema.webchatSessions)
        .set({ rotatedAt: new Date(Date.now() - 11_000) })
        .where(
          eq(
            schema.webchatSessions.familyId,
            JSON.parse(Buffer.from(stolen.token.split('.')[1] ?? '', 'base64url').toString()).familyId,
          ),
        ),
    )
    expect((await startSession(connectionId, { resumeToken: stolen.session.resumeToken })).body.error).toBe(
      'ERR_SESSION_EXPIRED',
    )
    await until(() => expect(window.socket.connected).toBe(false))
    expect(window.of('session.revoked')).toHaveLength(1)
    expect(bystander.socket.connected).toBe(true)
    for (const visitor of [stolen, owner]) expect((await visitor.send({ text: 'Oi' })).status).toBe(401)
    expect((await startSession(connectionId, { resumeToken: owner.session.resumeToken })).status).toBe(401)
    const anew = await startSession(connectionId)
    expect(anew.body.visitorId).not.toBe(owner.session.visitorId)
  })

  test('ends with its connection', async () => {
    const { connectionId, admin } = await world()
    const visitor = await visit(connectionId)
    const window = await visitor.listen()
    expect((await as(admin).delete(`/whatsapp/${connectionId}`)).status).toBeLessThan(300)
    await until(() => expect(window.socket.connected).toBe(false))
    expect(window.of('session.revoked')).toHaveLength(1)
    expect((await visitor.send({ text: 'Oi' })).status).toBe(401)
  })

  test('belongs to one web chat: a token of another is not honoured', async () => {
    const [a, b] = [await world(), await world()]
    const { resumeToken } = (await startSession(a.connectionId)).body
    expect((await startSession(b.connectionId, { resumeToken })).status).toBe(401)
    expect((await startSession(a.connectionId, { resumeToken: 'x' })).status).toBe(401)
  })

  test('many new visitors of one address are too many, those who return are not', async () => {
    const { connectionId } = await world()
    let { resumeToken } = (await startSession(connectionId, {}, '10.9.9.9')).body
    for (let n = 0; n < 59; n += 1) await startSession(connectionId, {}, '10.9.9.9')
    expect((await startSession(connectionId, {}, '10.9.9.9')).status).toBe(429)
    for (let n = 0; n < 3; n += 1) {
      const back = await startSession(connectionId, { resumeToken }, '10.9.9.9')
      expect(back.status).toBe(200)
      resumeToken = back.body.resumeToken
    }
  })
})

describe('identity (T26)', () => {
  test('a person signed by the site is the same visitor in every browser', async () => {
    const { connectionId, tenantId } = await world({ identitySecret: secret })
    const identity = { id: 'cliente-7', hmac: hmac('cliente-7'), name: 'Maria', email: 'maria@loja.com.br' }
    const [home, phone] = [await visit(connectionId, { identity }), await visit(connectionId, { identity })]
    await home.say('Oi de casa')
    expect((await phone.list()).items.map((one) => one.text)).toEqual(['Oi de casa'])
    const contacts = await withTenant(tenantId, (tx) => tx.db.select().from(schema.contacts))
    expect(contacts).toMatchObject([{ name: 'Maria', email: 'maria@loja.com.br' }])
  })

  test('a missing, wrong or borrowed signature leaves an anonymous visitor', async () => {
    const { connectionId } = await world({ identitySecret: secret })
    const victim = await visit(connectionId, { identity: { id: 'ana', hmac: hmac('ana') } })
    await victim.say('Segredo da Ana')
    for (const given of [{}, { hmac: '' }, { hmac: hmac('outra') }, { hmac: `${hmac('ana')}0` }, { hmac: 'ana' }]) {
      const visitor = await visit(connectionId, { identity: { id: 'ana', name: 'Ana', ...given } })
      expect(visitor.session.visitorId).toMatch(/^v_/)
      expect((await visitor.list()).items).toEqual([])
      const borrowed = await visit(connectionId, {
        resumeToken: victim.session.resumeToken,
        identity: { id: 'ana', ...given },
      })
      expect(borrowed.session.visitorId).toMatch(/^v_/)
      victim.session.resumeToken = (
        await startSession(connectionId, {
          resumeToken: victim.session.resumeToken,
          identity: { id: 'ana', hmac: hmac('ana') },
        })
      ).body.resumeToken
    }
    const withoutSecret = await world()
    const visitor = await visit(withoutSecret.connectionId, { identity: { id: 'ana', hmac: hmac('ana') } })
    expect(visitor.session.visitorId).toMatch(/^v_/)
  })

  test('a token of the site says who it is: only of its key, its audience and its hour', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
    const { connectionId } = await world({ identitySecret: secret, identityKey: await exportSPKI(publicKey) })
    const signed = (
      claims: object,
      { alg = 'HS256', key = new TextEncoder().encode(secret) as unknown, ...more } = {},
    ) =>
      new SignJWT({ sub: '77', name: 'Helena Dias', ...claims })
        .setProtectedHeader({ alg })
        .setAudience(Reflect.get(more, 'aud') ?? `wc_${connectionId}`)
        .setExpirationTime(Reflect.get(more, 'exp') ?? '10m')
        .sign(key as Uint8Array)
    const isKnown = async (jwt: string, more: object = {}) =>
      (await startSession(connectionId, { identity: { jwt }, ...more })).body.visitorId.startsWith('u_')

    const known = await startSession(connectionId, { identity: { jwt: await signed({}) } })
    const byKey = await startSession(connectionId, {
      identity: { jwt: await signed({}, { alg: 'RS256', key: privateKey }) },
    })
    expect(byKey.body.visitorId).toBe(known.body.visitorId)
    expect(known.body.config.preChat.enabled).toBe(false)

    const pem = new TextEncoder().encode(await exportSPKI(publicKey))
    const head = (alg: string) => Buffer.from(JSON.stringify({ alg })).toString('base64url')
    const body = Buffer.from(JSON.stringify({ sub: '77', aud: `wc_${connectionId}`, exp: 9e9 })).toString('base64url')
    for (const forged of [
      `${head('none')}.${body}.`,
      await signed({}, { key: pem }), // the public key as if it were the secret
      await signed({}, { key: new TextEncoder().encode('outro-segredo-qualquer') }),
      await signed({}, { aud: 'wc_de-outra-empresa' } as object),
      await signed({}, { exp: '3h' } as object),
      await signed({}, { exp: '-1h' } as object),
      await signed({ sub: '' }),
      'nada',
    ])
      expect(await isKnown(forged)).toBe(false)

    // A page stays open longer than its token lives: whoever it began goes on, and nobody else.
    const old = await signed({}, { exp: '-1h' } as object)
    expect(await isKnown(old, { resumeToken: known.body.resumeToken })).toBe(true)
  })

  test('what the company asks is answered by its rules, kept where it belongs, and an agreement is written down', async () => {
    const { connectionId, tenantId } = await world({
      preChat: [
        { key: 'nome', label: 'Seu nome', target: 'name' },
        {
          key: 'assunto',
          label: 'Assunto',
          labels: { en: 'Subject', es: '' },
          type: 'select',
          options: ['Troca', 'Entrega'],
        },
        { key: 'novidades', label: 'Quero receber novidades', type: 'consent', required: false, purpose: 'marketing' },
        { key: 'termos', label: 'Li os termos', type: 'consent' },
      ],
      translations: { en: { title: 'Talk to us' }, es: {} },
    })
    const visitor = await visit(connectionId, { locale: 'en-US' })
    expect(visitor.session.config).toMatchObject({
      language: 'en',
      name: 'Talk to us',
      welcome: 'Olá! Como podemos ajudar?',
    })
    expect(visitor.session.config.preChat.fields.map(({ label }: { label: string }) => label).slice(0, 2)).toEqual([
      'Seu nome',
      'Subject',
    ])
    const refused = await visitor.preChat({ assunto: 'Outro', termos: 'false' })
    expect(refused.status).toBe(422)
    expect(refused.body.details.map(({ path }: { path: string }) => path)).toEqual([
      'answers.nome',
      'answers.assunto',
      'answers.termos',
    ])
    const answers = { nome: 'Lia', assunto: 'Troca', novidades: 'true', termos: 'true', intruso: 'x' }
    expect((await visitor.preChat(answers)).status).toBe(204)
    const [contact] = await withTenant(tenantId, (tx) => tx.db.select().from(schema.contacts))
    expect(contact).toMatchObject({
      name: 'Lia',
      extraInfo: [
        { name: 'assunto', value: 'Troca' },
        { name: 'novidades', value: 'Sim' },
        { name: 'termos', value: 'Sim' },
      ],
    })
    const entries = await withTenant(tenantId, (tx) => tx.db.select().from(schema.consents))
    expect(entries).toMatchObject([
      { channel: 'webchat', purpose: 'marketing', isGiven: true, source: 'form', proof: 'Quero receber novidades' },
    ])
  })

  test('what the page says of its visitor is neither asked nor missed; what a refused token says is asked', async () => {
    const { connectionId, tenantId } = await world({
      identitySecret: secret,
      preChat: [
        { key: 'nome', label: 'Seu nome', target: 'name' },
        { key: 'email', label: 'Seu e-mail', type: 'email', target: 'email' },
        { key: 'assunto', label: 'Assunto' },
      ],
    })
    const askedOf = (session: { config: { preChat: { fields: { key: string }[] } } }) =>
      session.config.preChat.fields.map(({ key }) => key)

    const told = await visit(connectionId, { identity: { name: 'Lia Prado', email: 'lia@' } })
    expect(askedOf(told.session)).toEqual(['email', 'assunto'])
    expect((await told.preChat({ email: 'lia@loja.com.br', assunto: 'Troca' })).status).toBe(204)
    const [contact] = await withTenant(tenantId, (tx) => tx.db.select().from(schema.contacts))
    expect(contact).toMatchObject({ name: 'Lia Prado', email: 'lia@loja.com.br' })

    const forged = await new SignJWT({ sub: '77', name: 'Helena Dias' })
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience(`wc_${connectionId}`)
      .setExpirationTime('10m')
      .sign(new TextEncoder().encode('outro-segredo-qualquer'))
    const stranger = await visit(connectionId, { identity: { jwt: forged } })
    expect(askedOf(stranger.session)).toEqual(['nome', 'email', 'assunto'])
    expect((await stranger.preChat({ email: 'a@loja.com.br', assunto: 'Troca' })).body.details).toMatchObject([
      { path: 'answers.nome' },
    ])
  })

  test('what people type never finds a contact: two who type the same e-mail are two', async () => {
    const { connectionId, tenantId } = await world({
      preChat: [
        { key: 'nome', label: 'Seu nome', type: 'text', target: 'name', required: false },
        { key: 'email', label: 'Seu e-mail', type: 'email', target: 'email' },
        { key: 'fone', label: 'Seu telefone', type: 'phone', target: 'phone', required: false },
      ],
    })
    const [a, b] = [await visit(connectionId), await visit(connectionId)]
    expect(a.session.config.preChat).toMatchObject({ enabled: true })
    for (const visitor of [a, b]) {
      expect((await visitor.preChat({ nome: 'Rui\0', email: 'rui@loja.com.br', fone: '11 99999-0000' })).status).toBe(
        204,
      )
      expect((await visitor.preChat({ email: 'rui@loja.com.br', fone: '11 99999-0000' })).status).toBe(204)
    }
    expect((await a.preChat({ email: 'nada' })).body.details[0].path).toBe('answers.email')
    await a.say('Sou eu')
    expect((await b.list()).items).toEqual([])
    const contacts = await withTenant(tenantId, (tx) => tx.db.select().from(schema.contacts))
    expect(contacts).toHaveLength(2)
    for (const contact of contacts)
      expect(contact).toMatchObject({
        name: 'Rui',
        email: 'rui@loja.com.br',
        number: null,
        extraInfo: [{ value: '11 99999-0000' }],
      })
  })

  test('what the page says unsigned fills the contact of the first message', async () => {
    const { connectionId, tenantId } = await world()
    const visitor = await visit(connectionId, { identity: { id: '1', name: 'Bia', email: 'não é' } })
    expect(await withTenant(tenantId, (tx) => tx.db.select().from(schema.contacts))).toEqual([])
    await visitor.say('Oi')
    expect(await withTenant(tenantId, (tx) => tx.db.select().from(schema.contacts))).toMatchObject([
      { name: 'Bia', email: null },
    ])
  })

  test('the team sees the page the visitor is on now, whence they came and on what; another company sees nothing', async () => {
    const { connectionId, tenantId, admin } = await world()
    const first = { url: 'https://loja.com.br/canecas', title: 'Canecas', referrer: 'https://www.google.com/' }
    const visitor = await visit(connectionId, { page: first })
    await visitor.say('Oi')
    const ticket = await ticketOf(tenantId)
    const path = `/tickets/${ticket.id}/visitor`
    expect((await as(admin).get(path)).body).toEqual({
      page: { url: first.url, title: first.title },
      referrer: first.referrer,
      device: null,
    })
    await visitor.tell({ type: 'page', page: { url: 'https://loja.com.br/carrinho', title: 'Carrinho' } })
    expect((await as(admin).get(path)).body).toMatchObject({
      page: { title: 'Carrinho' },
      referrer: first.referrer,
    })
    expect((await as((await world()).admin).get(path)).status).toBe(404)
  })
})

describe('messages', () => {
  test('one visitor never sees another’s, whatever token or id they try', async () => {
    const { connectionId, agent } = await world()
    const [a, b] = [await visit(connectionId), await visit(connectionId)]
    const mine = await a.say('Só meu')
    const window = await b.listen()
    await b.say('Outro')
    expect((await b.list()).items.map((one) => one.text)).toEqual(['Outro'])
    expect((await b.list(`?before=${mine.seq + 1}`)).items).toEqual([])
    const reply = await b.send({ text: 'Resposta', replyTo: mine.id })
    expect(reply.body.replyTo).toBeNull()
    await a.say('Mais um só meu')
    await b.say('Fim')
    await until(() => expect(window.messages().map((one) => one.text)).toContain('Fim'))
    expect(window.messages().map((one) => one.text)).toEqual(['Outro', 'Resposta', 'Fim'])
    for (const token of [undefined, 'x', `${a.token}x`, agent.token])
      expect((await call('GET', '/api/webchat/messages', undefined, { token })).status).toBe(401)
    expect((await as({ token: a.token }).get('/tickets')).status).toBe(401)
  })

  test('the same clientId twenty times at once is one message', async () => {
    const { connectionId, tenantId } = await world()
    const visitor = await visit(connectionId)
    const clientId = crypto.randomUUID()
    const replies = await Promise.all(Array.from({ length: 20 }, () => visitor.send({ clientId, text: 'Uma vez só' })))
    expect(new Set(replies.map((reply) => `${reply.status} ${reply.body.id} ${reply.body.clientId}`)).size).toBe(1)
    expect(replies[0]?.body.clientId).toBe(clientId)
    expect(await withTenant(tenantId, (tx) => tx.db.select().from(schema.messages))).toHaveLength(1)
    expect(await withTenant(tenantId, (tx) => tx.db.select().from(schema.tickets))).toHaveLength(1)
  })

  test('bad input is told by field', async () => {
    const visitor = await visit((await world()).connectionId)
    expect((await visitor.send({ text: '   ' })).body.details[0].path).toBe('text')
    expect((await visitor.send({ text: 'x'.repeat(4_001) })).status).toBe(422)
    expect((await visitor.send({ clientId: 'x', text: 'Oi' })).status).toBe(422)
    expect((await visitor.send({ mediaId: v7() })).body.details[0].path).toBe('mediaId')
    expect((await visitor.tell({ type: 'system' })).status).toBe(422)
    expect((await call('GET', '/api/webchat/messages?after=x', undefined, { token: visitor.token })).status).toBe(422)
    expect((await visitor.send({ text: 'com \0 dentro' })).status).toBe(201)
    expect((await visitor.tell({ type: 'page', page: { url: 'https://x/\0', title: 'a\0' } })).status).toBe(204)
  })

  test('are read in pages, forward and back', async () => {
    const { connectionId, tenantId, agent } = await world()
    const visitor = await visit(connectionId)
    const first = await visitor.say('Mensagem 0')
    const ticket = await ticketOf(tenantId)
    await withTenant(tenantId, (tx) =>
      tx.db.insert(schema.messages).values(
        Array.from({ length: 119 }, (_, n) => ({
          tenantId,
          ticketId: ticket.id,
          contactId: ticket.contactId,
          connectionId,
          fromMe: n % 2 === 0,
          userId: n % 2 === 0 ? agent.id : null,
          type: 'text' as const,
          body: `Mensagem ${n + 1}`,
          status: n % 2 === 0 ? ('read' as const) : ('received' as const),
          timestamp: new Date(),
        })),
      ),
    )
    const latest = await visitor.list()
    expect([latest.items.length, latest.hasMore, latest.items.at(-1)?.text]).toEqual([50, true, 'Mensagem 119'])
    const earlier = await visitor.list(`?before=${latest.items[0]?.seq}`)
    expect([earlier.items.length, earlier.hasMore, earlier.items.at(-1)?.text]).toEqual([50, true, 'Mensagem 69'])
    const rest = await visitor.list(`?before=${earlier.items[0]?.seq}`)
    expect([rest.items.length, rest.hasMore, rest.items[0]?.text]).toEqual([20, false, 'Mensagem 0'])
    const newer = await visitor.list(`?after=${first.seq}`)
    expect([newer.items.length, newer.hasMore, newer.items[0]?.text]).toEqual([50, true, 'Mensagem 1'])
    expect((await visitor.list(`?after=${latest.items.at(-1)?.seq}`)).items).toEqual([])
  })

  test('too many in a minute are refused', async () => {
    const visitor = await visit((await world()).connectionId)
    for (let n = 0; n < 30; n += 1) await visitor.say(`${n}`)
    const reply = await visitor.send({ text: 'mais uma' })
    expect([reply.status, reply.body.error]).toEqual([429, 'ERR_TOO_MANY'])
    expect(reply.headers['retry-after']).toBeDefined()
  })

  test('a resumed or re-spelled token brings no fresh allowance', async () => {
    const { connectionId } = await world()
    const visitor = await visit(connectionId)
    for (let n = 0; n < 30; n += 1) await visitor.say(`${n}`)
    const resumed = await startSession(connectionId, { resumeToken: visitor.session.resumeToken })
    expect(resumed.body.visitorId).toBe(visitor.session.visitorId)
    const send = (token: string) =>
      call('POST', '/api/webchat/messages', { clientId: crypto.randomUUID(), text: 'mais uma' }, { token })
    expect((await send(resumed.body.accessToken)).status).toBe(429)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const last = alphabet.indexOf(visitor.token.slice(-1))
    const sameBytes = `${visitor.token.slice(0, -1)}${alphabet[last ^ 1]}`
    for (const token of [sameBytes, `${visitor.token}=`, `${visitor.token.replace('.', '=.')}`])
      expect((await send(token)).status).toBe(401)
  })

  test('many visitors of one address share its allowance', async () => {
    const { connectionId } = await world()
    const ip = '10.9.8.7'
    const tokens = await Promise.all(
      Array.from({ length: 11 }, async () => (await startSession(connectionId)).body.accessToken as string),
    )
    const tell = (token: string) => call('POST', '/api/webchat/prechat', { answers: {} }, { token, ip })
    for (const token of tokens.slice(0, 10))
      for (let n = 0; n < 10; n += 1) expect((await tell(token)).status).toBe(204)
    expect((await tell(tokens[10] ?? '')).status).toBe(429)
  })

  test('are received while the company is suspended', async () => {
    const { connectionId, tenantId } = await world()
    await withPlatform('test', (tx) =>
      tx.db.update(schema.tenants).set({ status: 'suspended' }).where(eq(schema.tenants.id, tenantId)),
    )
    kit.invalidateDirectory(tenantId)
    const visitor = await visit(connectionId)
    await visitor.say('Alguém aí?')
    expect((await ticketOf(tenantId)).unreadMessages).toBe(1)
  })
})

describe('a conversation', () => {
  test('reaches the window once it has left, ticks as it is shown and read, and never goes back', async () => {
    const { connectionId, tenantId, agent } = await world()
    const visitor = await visit(connectionId)
    const window = await visitor.listen()
    expect(window.heard).toEqual([
      ['ticket', { status: 'closed' }],
      ['agent', null],
    ])
    await visitor.say('Bom dia')
    const ticketId = await accept(agent)
    await until(() => expect(window.of('agent').at(-1)).toEqual({ name: agent.name, avatarUrl: null }))
    expect(window.of('ticket').at(-1)).toEqual({ status: 'open' })
    // Closed and taken back before the time was over: the window never knew.
    await as(agent).put(`/tickets/${ticketId}`, { status: 'closed', isUndoable: true })
    expect((await as(agent).post(`/tickets/${ticketId}/undo`, {})).status).toBe(200)

    const id = await answer(agent, ticketId, 'Bom dia! Como posso ajudar?')
    await until(() =>
      expect(window.messages().at(-1)).toMatchObject({
        id,
        from: 'agent',
        agentName: agent.name,
        text: 'Bom dia! Como posso ajudar?',
      }),
    )
    await until(async () => expect(await statusOf(tenantId, id)).toBe('delivered'))
    const seq = window.messages().at(-1)?.seq ?? 0
    await visitor.tell({ type: 'read', upToSeq: seq })
    await until(async () => expect(await statusOf(tenantId, id)).toBe('read'))
    await visitor.list(`?after=${seq - 1}`)
    await visitor.tell({ type: 'read', upToSeq: seq })
    expect(await statusOf(tenantId, id)).toBe('read')
    expect(window.messages().filter((one) => one.id === id)).toHaveLength(1)
    expect(window.of('ticket').slice(1)).not.toContainEqual({ status: 'closed' })

    await as(agent).put(`/tickets/${ticketId}`, { unreadMessages: 0 })
    await until(() => expect(window.of('status')).not.toEqual([]))
    const again = await visitor.listen()
    expect(again.heard).toEqual([
      ['ticket', { status: 'open' }],
      ['agent', { name: agent.name, avatarUrl: null }],
    ])
  })

  test('is not told of a closing that was taken back before the window heard of it', async () => {
    const { connectionId, tenantId, agent } = await world()
    const visitor = await visit(connectionId)
    await visitor.say('Bom dia')
    const ticketId = await accept(agent)
    const window = await visitor.listen()
    const { body: ticket } = await as(agent).get(`/tickets/${ticketId}`)
    const facts = ticketFacts(ticketId, agent.id)
    const tell = (status: string) =>
      withTenant(tenantId, (tx) =>
        emit(tx, 'ticket.updated', { ...ticket, status, unreadMessages: 0 }, { kind: 'ticket', facts }),
      )
    await tell('closed') // told late: it stands open again
    await tell('open')
    await until(() => expect(window.of('status')).not.toEqual([]))
    expect(window.of('ticket')).toEqual([{ status: 'open' }, { status: 'open' }])
  })

  test('what came while the window was closed is delivered when it is read from the server', async () => {
    const { connectionId, tenantId, agent } = await world()
    const visitor = await visit(connectionId)
    await visitor.say('Volto já')
    const id = await answer(agent, await accept(agent), 'Até já')
    await until(async () => expect(await statusOf(tenantId, id)).toBe('sent'))
    expect((await visitor.list()).items.at(-1)).toMatchObject({ id, text: 'Até já' })
    await until(async () => expect(await statusOf(tenantId, id)).toBe('delivered'))
  })

  test('notes, system lines and what was not sent stay in the house (T09)', async () => {
    const { connectionId, agent, supervisor } = await world()
    const visitor = await visit(connectionId)
    const window = await visitor.listen()
    await visitor.say('Oi')
    const ticketId = await accept(agent)
    await answer(agent, ticketId, 'cliente difícil', { type: 'note' })
    await as(agent).put(`/tickets/${ticketId}`, { userId: supervisor.id, note: 'cuide dele', isTransference: true })
    await answer(supervisor, ticketId, 'Olá!')
    await until(() => expect(window.messages().at(-1)?.text).toBe('Olá!'))
    const told = JSON.stringify([window.heard, await visitor.list()])
    for (const secretWord of ['difícil', 'cuide dele', 'transferiu', 'aceitou']) expect(told).not.toContain(secretWord)
    expect((await visitor.list()).items.map((one) => one.text)).toEqual(['Oi', 'Olá!'])
  })

  test('an edited or deleted message reaches the window under the same id', async () => {
    const { connectionId, agent } = await world()
    const visitor = await visit(connectionId)
    const window = await visitor.listen()
    await visitor.say('Oi')
    const ticketId = await accept(agent)
    const id = await answer(agent, ticketId, 'Custa R$ 10')
    await until(() => expect(window.messages().map((one) => one.id)).toContain(id))
    expect((await as(agent).patch(`/messages/${id}`, { body: 'Custa R$ 12' })).status).toBe(200)
    await until(() => expect(window.messages().at(-1)).toMatchObject({ id, text: 'Custa R$ 12' }))
    expect(window.messages().at(-1)?.editedAt).not.toBeNull()
    const quoting = await visitor.send({ text: 'Caro', replyTo: id })
    expect(quoting.body.replyTo).toEqual({ id, text: 'Custa R$ 12' })
    expect((await as(agent).delete('/messages', { id })).status).toBeLessThan(300)
    await until(() => expect(window.messages().at(-1)).toMatchObject({ id, text: '', isDeleted: true }))
    expect(JSON.stringify(await visitor.list())).not.toContain('R$ 12')
  })

  test('typing is shown both ways', async () => {
    const { connectionId, agent, tenantId } = await world()
    const visitor = await visit(connectionId)
    const window = await visitor.listen()
    await visitor.say('Oi')
    const ticketId = await accept(agent)
    const desk = io(url, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      auth: { token: agent.token },
    })
    open.push(desk)
    const presence: { contactTyping: boolean }[] = []
    desk.on('presence.ticket', (told: { contactTyping: boolean }) => presence.push(told))
    desk.emit('ticket.view', { ticketId })
    await until(() => expect(presence).toHaveLength(1))
    await visitor.tell({ type: 'typing.start' })
    await until(() => expect(presence.at(-1)?.contactTyping).toBe(true))
    await visitor.tell({ type: 'typing.stop' })
    await until(() => expect(presence.at(-1)?.contactTyping).toBe(false))
    const colleague = { viewers: [{ userId: agent.id, name: agent.name, isTyping: true }] }
    desk.emit('ticket.typing', { ticketId, isTyping: true, isNote: true })
    await until(() => expect(presence.at(-1)).toMatchObject(colleague))
    desk.emit('ticket.typing', { ticketId, isTyping: false })
    desk.emit('ticket.typing', { ticketId, isTyping: true })
    await until(() => expect(window.of('typing')).toEqual([{ on: true, agentName: agent.name }]))
    desk.emit('ticket.typing', { ticketId, isTyping: true, isNote: true })
    await until(() => expect(window.of('typing').at(-1)).toEqual({ on: false, agentName: agent.name }))
    desk.emit('ticket.typing', { ticketId, isTyping: true })
    await until(() => expect(window.of('typing').at(-1)).toEqual({ on: true, agentName: agent.name }))
    desk.disconnect()
    await until(() => expect(window.of('typing').at(-1)).toEqual({ on: false, agentName: agent.name }))
    const { showAnswering } = await import('../../conversations/messages/message-actions.ts')
    await showAnswering(tenantId, ticketId, { name: 'Aurora', isTyping: true })
    await until(() => expect(window.of('typing').at(-1)).toEqual({ on: true, agentName: 'Aurora' }))
    await showAnswering(tenantId, ticketId, { name: 'Aurora', isTyping: false })
    await until(() => expect(window.of('typing').at(-1)).toEqual({ on: false, agentName: 'Aurora' }))
    expect((await ticketOf(tenantId)).status).toBe('open')
  })

  test('the visitor may end it; writing again begins another', async () => {
    const { connectionId, agent, tenantId } = await world()
    const visitor = await visit(connectionId)
    const window = await visitor.listen()
    expect((await visitor.tell({ type: 'close' })).status).toBe(204)
    await visitor.say('Oi')
    const ticketId = await accept(agent)
    expect(
      (await Promise.all([visitor.tell({ type: 'close' }), visitor.tell({ type: 'close' })])).map((one) => one.status),
    ).toEqual([204, 204])
    await until(() => expect(window.of('ticket').at(-1)).toEqual({ status: 'closed' }))
    const { body: ticket } = await as(agent).get(`/tickets/${ticketId}`)
    expect(ticket).toMatchObject({ status: 'closed', userId: agent.id, unreadMessages: 0 })
    const lines = await withTenant(tenantId, (tx) =>
      tx.db.select().from(schema.messages).where(eq(schema.messages.type, 'system')),
    )
    expect(lines.filter((one) => one.body === 'O visitante encerrou a conversa.')).toHaveLength(1)
    const logs = await withTenant(tenantId, (tx) =>
      tx.db.select().from(schema.ticketLogs).where(eq(schema.ticketLogs.type, 'customerClose')),
    )
    expect(logs).toMatchObject([{ userId: null, note: 'O visitante encerrou a conversa.' }])
    await visitor.say('Mais uma coisa')
    expect((await ticketOf(tenantId)).id).not.toBe(ticketId)
    expect((await visitor.list()).items.map((one) => one.text)).toEqual(['Oi', 'Mais uma coisa'])
  })

  test('a window may say nothing on its socket, and needs a valid token to open it', async () => {
    const { connectionId, admin } = await world()
    const visitor = await visit(connectionId)
    for (const name of ['message', 'ticket.view', 'typing']) {
      const { socket } = await visitor.listen()
      socket.emit(name, {})
      await until(() => expect(socket.connected).toBe(false))
    }
    for (const accessToken of [undefined, 'x', admin.token]) {
      const socket = io(`${url}/webchat`, {
        transports: ['websocket'],
        forceNew: true,
        reconnection: false,
        auth: { accessToken },
      })
      open.push(socket)
      const refused = await new Promise<string>((resolve) => {
        socket.on('connect_error', (error) => resolve(error.message))
        socket.on('connect', () => resolve('connected'))
      })
      expect(refused).toBe('ERR_SESSION_EXPIRED')
    }
    const staff = io(url, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      auth: { token: visitor.token },
    })
    open.push(staff)
    expect(await new Promise<string>((resolve) => staff.on('connect_error', (error) => resolve(error.message)))).toBe(
      'ERR_SESSION_EXPIRED',
    )
  })

  test('costs the relay nothing while its window is closed, and one query while it is open', async () => {
    const { connectionId, tenantId, agent } = await world()
    const visitor = await visit(connectionId)
    await visitor.say('Oi')
    const ticketId = await accept(agent)
    const { contactId } = await ticketOf(tenantId)
    const id = await answer(agent, ticketId, 'Olá')
    await until(async () => expect(await statusOf(tenantId, id)).toBe('sent'))
    await visitor.tell({ type: 'read', upToSeq: Number.MAX_SAFE_INTEGER })
    const facts = ticketFacts(ticketId, agent.id)
    const tellAgain = () =>
      withTenant(tenantId, (tx) =>
        emit(
          tx,
          'message.status',
          { id, ticketId, contactId, status: 'sent', error: null, version: 2 },
          { kind: 'ticket', facts, visitor: { connectionId, contactId } },
        ),
      )
    const times = 100
    const each = async (heard: () => Promise<unknown>) => {
      const before = statementCount()
      for (let n = 0; n < times; n += 1) await tellAgain()
      await heard()
      return (statementCount() - before) / times
    }
    /** The polls of this process fall into a round, the more the slower it is: the least of three is the price. */
    const price = async (heard: (round: number) => Promise<unknown>) => {
      const costs: number[] = []
      for (const round of [1, 2, 3]) costs.push(await each(() => heard(round)))
      return Math.min(...costs)
    }
    expect(await price(async () => {})).toBeLessThan(3.5) // a transaction of three statements
    const window = await visitor.listen()
    const heard = (round: number) => until(() => expect(window.messages()).toHaveLength(times * round))
    expect(await price(heard)).toBeLessThan(6.5)
  })
})

const png = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
  .png()
  .toBuffer()

describe('files (T28, T36)', () => {
  const webm = Buffer.concat([
    Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'),
    Buffer.alloc(64),
  ])
  const ogg = Buffer.concat([
    Buffer.from('OggS'),
    Buffer.from([0, 2]),
    Buffer.alloc(20),
    Buffer.from([1, 19]),
    Buffer.from('OpusHead'),
    Buffer.alloc(64),
  ])
  const mp4 = Buffer.concat([
    Buffer.from('0000001c66747970', 'hex'),
    Buffer.from('M4A \0\0\0\0M4A mp42isom'),
    Buffer.alloc(64),
  ])

  test.each([
    ['foto.png', 'image/png', png, 'image/png', 'image'],
    ['voz.webm', 'audio/webm;codecs=opus', webm, 'audio/webm', 'audio'],
    ['voz.ogg', 'audio/ogg; codecs=opus', ogg, 'audio/ogg', 'audio'],
    ['voz.m4a', 'audio/mp4', mp4, 'audio/mp4', 'audio'],
    [
      'pagina.html',
      'text/html',
      Buffer.from('<!doctype html><script>alert(1)</script>'),
      'application/octet-stream',
      'document',
    ],
    [
      'figura.svg',
      'image/svg+xml',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
      'application/octet-stream',
      'document',
    ],
    [
      'foto.jpg',
      'image/jpeg',
      Buffer.from('<html><script>alert(1)</script></html>'),
      'application/octet-stream',
      'document',
    ],
  ])('%s is taken for what it is', async (name, mime, bytes, expected, type) => {
    const visitor = await visit((await world()).connectionId)
    const stored = await visitor.upload(name, mime, bytes)
    expect([stored.status, stored.body.mime, stored.body.name]).toEqual([201, expected, name])
    const sent = await visitor.send({ mediaId: stored.body.mediaId, text: 'Veja' })
    expect(sent.body).toMatchObject({ type, text: 'Veja', media: { mime: expected, name } })
    const served = await fetch(`${url}${sent.body.media.url}`)
    expect(served.status).toBe(200)
    expect(served.headers.get('content-type')).toBe(expected)
    if (expected === 'application/octet-stream')
      expect(served.headers.get('content-disposition')).toContain('attachment')
  })

  test('only the visitor who sent a file may use it, and only by the id we gave', async () => {
    const { connectionId, agent } = await world()
    const [a, b] = [await visit(connectionId), await visit(connectionId)]
    const { mediaId } = (await a.upload('foto.png', 'image/png', png)).body
    const [fileId] = mediaId.split('.')
    for (const guess of [mediaId, fileId, `${fileId}.x`, `${mediaId}x`, '', '.'])
      expect((await b.send({ mediaId: guess, ...(guess ? {} : { text: '' }) })).status).toBe(422)
    expect((await a.send({ mediaId: fileId })).status).toBe(422)
    await b.say('Oi')
    const ticketId = await accept(agent)
    expect(
      (await as(agent).post(`/messages/${ticketId}`, { id: v7(), type: 'image', body: '', mediaId: fileId })).status,
    ).toBe(422)
    expect((await fetch(`${url}/api/media/${fileId}/foto.png`)).status).toBeGreaterThanOrEqual(400)
    expect((await a.send({ mediaId })).status).toBe(201)
  })

  test('too large, none at all, or in a chat that takes no files: refused', async () => {
    const visitor = await visit((await world()).connectionId)
    const large = await visitor.upload('grande.bin', 'application/octet-stream', new Uint8Array(10 * 1024 * 1024 + 1))
    expect([large.status, large.body.error]).toEqual([413, 'ERR_TOO_LARGE'])
    expect((await call('POST', '/api/webchat/uploads', {}, { token: visitor.token })).body.details[0].path).toBe('file')
    const pictures = await visit((await world({ uploadKinds: ['image'], uploadMaxMb: 1 })).connectionId)
    expect(pictures.session.config.uploads).toEqual({ enabled: true, maxBytes: 1024 * 1024, kinds: ['image'] })
    expect((await pictures.upload('lista.txt', 'image/png', new TextEncoder().encode('oi'))).body.error).toBe(
      'ERR_MEDIA_TYPE',
    )
    expect((await pictures.upload('foto.png', 'image/png', new Uint8Array(1024 * 1024 + 9))).status).toBe(413)
    const closed = await visit((await world({ uploads: false })).connectionId)
    expect((await closed.upload('foto.png', 'image/png', png)).body.error).toBe('ERR_MEDIA_TYPE')
  })
})

describe('the window’s page', () => {
  const policyOf = async (connectionId: string) => {
    const reply = await call('GET', `/webchat/frame?c=wc_${connectionId}`)
    expect(reply.status).toBe(200)
    expect(reply.headers['x-frame-options']).toBeUndefined()
    const [, sources] = /frame-ancestors (.*)$/.exec(String(reply.headers['content-security-policy'])) ?? []
    return sources
  }
  test('may be framed by the authorised sites only', async () => {
    expect(await policyOf((await world({ allowAnyDomain: false })).connectionId)).toBe("'self'")
    expect(await policyOf((await world()).connectionId)).toBe('*')
    expect(
      await policyOf((await world({ allowAnyDomain: false, domains: ['loja.com.br', '*.moda.com.br'] })).connectionId),
    ).toBe("'self' https://loja.com.br http://loja.com.br https://*.moda.com.br http://*.moda.com.br")
    expect(await policyOf((await world({ allowAnyDomain: false, domains: ['localhost'] })).connectionId)).toBe(
      "'self' https://localhost:* http://localhost:*",
    )
    expect((await call('GET', '/webchat/frame?c=wc_nothing')).status).toBe(404)
    expect((await call('GET', '/webchat/assets/..%2f..%2fpackage.json')).status).toBe(404)
    expect((await call('GET', '/api/health')).headers['content-security-policy']).toContain("frame-ancestors 'self'")
  })
})

test('choices are drawn in the window with what stands around them, and one tap answers with its id', async () => {
  const { tenantId, admin, connectionId } = await world()
  const visitor = await visit(connectionId)
  await visitor.say('Quero pagar')
  const ticket = await ticketOf(tenantId)
  await as(admin).put(`/tickets/${ticket.id}`, { status: 'open', userId: admin.id })
  const options = [
    { id: 'pix', title: 'Pix', description: 'Na hora' },
    { id: 'boleto', title: 'Boleto', description: '' },
  ]
  const sent = await as(admin).post('/sendButton', {
    id: v7(),
    ticketId: ticket.id,
    body: 'Como prefere?',
    interactive: { kind: 'list', header: 'Pagamento', footer: 'Sem juros', options },
  })
  expect(sent.status).toBe(200)
  const shown = await until(async () => {
    const last = (await visitor.list()).items.at(-1)
    expect(last?.buttons).toEqual(options)
    return last
  })
  expect(shown?.text).toBe('*Pagamento*\nComo prefere?\n_Sem juros_')
  expect(await visitor.send({ text: 'Pix', buttonId: 'pix', replyTo: shown?.id })).toMatchObject({ status: 201 })
  const { body } = await as(admin).get(`/messages/${ticket.id}`)
  expect(body.items.at(-1)).toMatchObject({
    fromMe: false,
    body: 'Pix',
    payload: { choice: 'pix' },
    quoted: { id: sent.body.id },
  })
})

describe('a message the site begins with', () => {
  const offer = { id: 'planos', text: 'Posso ajudar com os planos?', texts: { en: 'Any question?', es: '' } }
  /** What the script tells the loader, and with how much code. */
  const siteOf = async (connectionId: string, language = 'pt-BR') => {
    const { body, headers } = await call('GET', `/webchat/site.js?c=wc_${connectionId}&l=${language}`)
    expect(headers['content-type']).toContain('text/javascript')
    const told: unknown[] = []
    runInNewContext(String(body), { Balcao: (...given: unknown[]) => told.push(...given) })
    return told
  }

  test('reaches the site in its language, with code only where there is something to offer', async () => {
    const { connectionId } = await world({
      launcherLabel: 'Fale "conosco" \u2028',
      proactive: [
        { ...offer, addresses: ['/planos*'] },
        { ...offer, id: 'desligada', isActive: false },
      ],
    })
    const [name, site, code] = await siteOf(connectionId, 'en-US')
    expect(name).toBe('site')
    expect(site).toMatchObject({ label: 'Fale "conosco"', offers: [{ id: 'planos', text: 'Any question?' }] })
    expect(site).toHaveProperty('offers.length', 1)
    expect(code).toBeTypeOf('function')

    expect(await siteOf((await world()).connectionId)).toEqual(['site', expect.objectContaining({ offers: [] })])
    expect((await call('GET', '/webchat/site.js?c=wc_nothing')).status).toBe(404)
  })

  test('stands before the word that answers it, said by the rule, once; until then nothing is stored', async () => {
    const { tenantId, admin, connectionId } = await world({ proactive: [offer] })
    const visitor = await visit(connectionId)
    const taken = { id: 'planos', key: crypto.randomUUID(), language: 'en' }
    expect((await visitor.list()).items).toEqual([])

    const clientId = crypto.randomUUID()
    const first = await visitor.send({ clientId, text: 'Yes, please', offer: taken })
    expect(first.status).toBe(201)
    await visitor.send({ clientId, text: 'Yes, please', offer: taken })
    await visitor.send({ text: 'Are you there?', offer: taken })
    const { items } = await visitor.list()
    expect(items.map(({ from, text }) => [from, text])).toEqual([
      ['bot', 'Any question?'],
      ['visitor', 'Yes, please'],
      ['visitor', 'Are you there?'],
    ])
    expect(items[0]).toMatchObject({ clientId: taken.key, status: 'read' })

    const ticket = await ticketOf(tenantId)
    expect(ticket).toMatchObject({ status: 'pending', lastMessage: 'Are you there?', answered: false })
    const { body } = await as(admin).get(`/messages/${ticket.id}`)
    expect(body.items.find((one: { fromMe: boolean }) => one.fromMe)).toMatchObject({
      body: 'Any question?',
      author: { kind: 'rule', name: 'Mensagem proativa' },
    })
  })

  test('that the company took back meanwhile was never said', async () => {
    const { connectionId } = await world({ proactive: [offer] })
    const visitor = await visit(connectionId)
    await visitor.send({ text: 'Oi', offer: { id: 'outra', key: crypto.randomUUID(), language: 'pt-BR' } })
    expect((await visitor.list()).items.map(({ text }) => text)).toEqual(['Oi'])
  })
})

describe('a page of the company’s site', () => {
  let page = { status: 200, headers: {} as Record<string, string>, body: '' }
  const site = createServer((_request, response) => response.writeHead(page.status, page.headers).end(page.body))
  beforeAll(async () => {
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    return () => site.close()
  })
  const addressOf = () => `http://127.0.0.1:${(site.address() as AddressInfo).port}/planos`
  const check = async (by: TestUser, connectionId: string, address = addressOf()) =>
    as(by).post(`/whatsapp/${connectionId}/site-check`, { address })
  const snippet = (key: string) => `<script async src="${env.PUBLIC_URL}/widget.js" data-channel="${key}"></script>`

  test('is told to have the code, another’s, or none; to be allowed, and let in by its policy', async () => {
    const { admin, connectionId, tenantId } = await world({ allowAnyDomain: false, domains: ['127.0.0.1'] })
    const stranger = await world()
    const second = await createConnection({ tenantId }, {})
    const found = async (body: string, headers: Record<string, string> = {}) => {
      page = { status: 200, headers: { 'content-type': 'text/html', ...headers }, body }
      return (await check(admin, connectionId)).body
    }
    expect(await found(`<p>Oi</p>${snippet(`wc_${connectionId}`)}`)).toEqual({
      url: addressOf(),
      snippet: 'found',
      status: 200,
      isAllowed: true,
      refused: [],
    })
    expect(await found(`<!-- ${snippet(`wc_${connectionId}`)} --><p>Oi</p>`)).toMatchObject({ snippet: 'missing' })
    expect(await found(snippet(`wc_${second}`))).toMatchObject({ snippet: 'otherChat' })
    expect(await found(snippet(`wc_${stranger.connectionId}`))).toMatchObject({ snippet: 'otherCompany' })
    const strict = { 'content-security-policy': "script-src 'self'; frame-src *" }
    expect(await found(snippet(`wc_${connectionId}`), strict)).toMatchObject({
      snippet: 'found',
      refused: ['script-src'],
    })
    const inside = `<meta http-equiv="Content-Security-Policy" content="frame-src 'none'">`
    expect(await found(inside)).toMatchObject({ refused: ['frame-src'] })
    expect(await found(gzipSync(snippet(`wc_${connectionId}`)) as never, { 'content-encoding': 'gzip' })).toMatchObject(
      {
        snippet: 'found',
      },
    )
  })

  test('that fails, is nowhere, or leads where we do not go', async () => {
    const { admin, connectionId } = await world({ allowAnyDomain: false, domains: ['loja.com.br'] })
    page = { status: 503, headers: {}, body: '' }
    expect((await check(admin, connectionId)).body).toMatchObject({
      snippet: 'unreachable',
      status: 503,
      isAllowed: false,
    })
    expect((await check(admin, connectionId, 'http://127.0.0.1:1/')).body).toMatchObject({
      snippet: 'unreachable',
      status: null,
    })
    expect(await check(admin, connectionId, 'http://10.0.0.1/')).toMatchObject({
      body: { error: 'ERR_EGRESS_REFUSED' },
    })
    page = { status: 302, headers: { location: 'http://169.254.169.254/latest' }, body: '' }
    expect(await check(admin, connectionId)).toMatchObject({ body: { error: 'ERR_EGRESS_REFUSED' } })
    page = { status: 302, headers: { location: '/planos' }, body: '' }
    expect((await check(admin, connectionId)).body).toMatchObject({ snippet: 'unreachable', status: 302 })
    const other = await world()
    expect(await check(other.admin, connectionId)).toMatchObject({ status: 404 })
    for (let checks = 5; checks < 10; checks += 1) await check(admin, connectionId)
    expect(await check(admin, connectionId)).toMatchObject({ status: 429 })
  })

  test('shows a look that is not saved to whoever has its link, of this chat and for an hour', async () => {
    const { admin, connectionId } = await world({ allowAnyDomain: false, domains: ['loja.com.br'], title: 'Salvo' })
    const link = (look: object, address = 'https://loja.com.br/planos') =>
      as(admin).post(`/whatsapp/${connectionId}/preview-link`, { address, look })
    const { body } = await link({
      title: 'Rascunho',
      color: '#112233',
      preChat: [],
      proactive: [{ id: 'a', text: 'Oi' }],
    })
    expect(body.url).toMatch(/^https:\/\/loja\.com\.br\/planos#balcao-previa=/)
    const draft = String(body.url).split('balcao-previa=')[1] ?? ''
    const titleWith = async (given: string, id = connectionId) =>
      (await startSession(id, { draft: given })).body.config.name
    expect(await titleWith(draft)).toBe('Rascunho')
    const script = await call('GET', `/webchat/site.js?c=wc_${connectionId}&p=${draft}`)
    expect(script.headers['cache-control']).toBe('no-store')
    expect(script.body).toContain('#112233')

    expect(await titleWith(draft.replace(/^\d/, '9'))).toBe('Salvo')
    expect(await titleWith(`${draft}x`)).toBe('Salvo')
    const other = await world({ title: 'De outra' })
    expect(await titleWith(draft, other.connectionId)).toBe('De outra')
    vi.useFakeTimers({ now: Date.now() + 61 * 60_000, toFake: ['Date'] })
    expect(await titleWith(draft)).toBe('Salvo')
    vi.useRealTimers()

    expect(await link({}, 'https://outro.com.br')).toMatchObject({ status: 422 })
    expect(
      await as(other.admin).post(`/whatsapp/${connectionId}/preview-link`, {
        address: 'https://loja.com.br',
        look: {},
      }),
    ).toMatchObject({ status: 404 })
  })
})

test('the help of the window is what the company put there, of everybody and in use, where the chat shows it', async () => {
  const { admin, connectionId, tenantId } = await world()
  const write = (more: object) =>
    as(admin).post('/fastreply', {
      key: v7(),
      message: 'De segunda a sábado, das 9h às 18h',
      scope: 'everyone',
      ...more,
    })
  const { body: shown } = await write({ helpTitle: 'Qual é o horário?' })
  await write({})
  await write({ helpTitle: 'Antigo', isActive: false })
  expect(await write({ helpTitle: 'Meu', scope: 'mine' })).toMatchObject({ status: 422 })
  expect(await write({ helpTitle: 'Seu', message: 'Olá, {{contact.name}}' })).toMatchObject({ status: 422 })

  const helpIn = async (id: string) => {
    const visitor = await visit(id)
    return {
      isThere: visitor.session.config.hasHelp,
      titles: (await call('GET', '/api/webchat/help', undefined, { token: visitor.token })).body.items.map(
        (one: { title: string }) => one.title,
      ),
    }
  }
  expect(await helpIn(connectionId)).toEqual({ isThere: true, titles: ['Qual é o horário?'] })
  const silent = await createConnection({ tenantId }, { config: { allowAnyDomain: true, helpArticles: false } })
  expect(await helpIn(silent)).toEqual({ isThere: false, titles: [] })
  expect(await helpIn((await world()).connectionId)).toEqual({ isThere: false, titles: [] })

  await as(admin).put(`/fastreply/${shown.id}`, { scope: 'mine' })
  expect(await helpIn(connectionId)).toEqual({ isThere: false, titles: [] })
  expect((await call('GET', '/api/webchat/help')).status).toBe(401)
})
