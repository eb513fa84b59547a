import { type PageSimulator, startMessengerSimulator } from '@balcao/simulators/meta.ts'
import { sampleMedia } from '@balcao/simulators/samples.ts'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'
import { until } from '../../conversations/messages/test-waba.ts'

const kit = await startTestApp()
const { as, app, seedTenant, createConnection, withTenant, schema } = kit
const { fetchDuePictures } = await import('../../conversations/pictures/pictures.loop.ts')
const { settleInbound } = await import('./inbound.service.ts')
const { forgetConnections } = await import('../../channels/connections/context.ts')
await app.listen({ host: '127.0.0.1', port: 0 })
const address = app.server.address()
const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`

/** One app of Meta's, which several pages use. */
const metaApp = { appSecret: `segredo-do-aplicativo-${process.pid}`, verifyToken: `palavra-${process.pid}` }
let pages = process.pid * 100
const openPage = async (tenant: { tenantId: number }, { appSecret, verifyToken } = metaApp, more = {}) => {
  pages += 1
  const pageId = `10${pages}`
  const secrets = { appSecret, verifyToken, accessToken: `token-da-pagina-${pageId}-0123456789` }
  const sim = await startMessengerSimulator({ ...secrets, accountId: pageId, delivery: { retryDelaysMs: [] } })
  afterAll(() => sim.close())
  const config = { ...secrets, pageId, humanAgent: true, apiVersion: 'v25.0', baseUrl: sim.url, ...more }
  const connectionId = await createConnection(tenant, { kind: 'messenger', externalId: pageId, config })
  sim.setWebhook(`${url}/hooks/messenger`)
  return { sim, connectionId, pageId }
}
const messagesOf = (tenantId: number) =>
  withTenant(tenantId, (tx) => tx.db.select().from(schema.messages).orderBy(schema.messages.seq))
const firstOf = async (tenantId: number) => {
  const [first] = await messagesOf(tenantId)
  if (!first) throw new Error('nothing came')
  return first
}
const settled = async (sim: PageSimulator) => {
  await sim.idle()
  await settleInbound()
}

beforeAll(async () => (await startTestWorkers('sender')).stop)

test('one app serves many pages: each hears what is said to it, under whichever address the call comes', async () => {
  const [one, two] = [await seedTenant(), await seedTenant()]
  const [first, second] = [await openPage(one), await openPage(two)]
  const text = (pageId: string, body: string) => ({
    id: pageId,
    messaging: [
      {
        sender: { id: '77' },
        recipient: { id: pageId },
        timestamp: Date.now(),
        message: { mid: `m_${pageId}_${body}`, text: body },
      },
    ],
  })
  const call = (body: string) => ({ object: 'page', entry: [text(first.pageId, body), text(second.pageId, body)] })
  expect((await first.sim.postRaw(call('a todos'))).status).toBe(200)
  await settled(first.sim)
  for (const tenant of [one, two])
    expect(await messagesOf(tenant.tenantId)).toMatchObject([{ body: 'a todos', connectionId: expect.any(String) }])

  // At the address of one page nothing of the other is taken for its own.
  first.sim.setWebhook(`${url}/hooks/messenger/${first.connectionId}`)
  expect((await first.sim.postRaw(call('a uma'))).status).toBe(200)
  await settled(first.sim)
  expect((await messagesOf(one.tenantId)).map(({ body }) => body)).toEqual(['a todos', 'a uma'])
  expect(await messagesOf(two.tenantId)).toHaveLength(1)
  const known = await withTenant(one.tenantId, (tx) => tx.db.select().from(schema.contactIdentities))
  expect(known).toMatchObject([{ kind: 'messenger', value: `${first.pageId}:77` }])
})

test('an advertisement that somebody came by stands with their message', async () => {
  const tenant = await seedTenant()
  const { sim, pageId } = await openPage(tenant)
  const message = {
    mid: 'm_ad',
    text: 'Ainda tem?',
    referral: { ad_id: '120', ads_context_data: { ad_title: 'Vasos' } },
  }
  const messaging = [{ sender: { id: '77' }, recipient: { id: pageId }, timestamp: Date.now(), message }]
  await sim.postRaw({ object: 'page', entry: [{ id: pageId, messaging }] })
  await settled(sim)
  expect(await messagesOf(tenant.tenantId)).toMatchObject([
    { body: 'Ainda tem?', payload: { referral: { kind: 'ad', title: 'Vasos', sourceId: '120' } } },
  ])
})

test('another app, or nobody, is refused: by the address of all and by that of one page', async () => {
  const tenant = await seedTenant()
  const { sim, connectionId, pageId } = await openPage(tenant)
  const stranger = await openPage(await seedTenant(), { ...metaApp, appSecret: 'segredo-de-outro-aplicativo' })
  const entry = [
    {
      id: pageId,
      messaging: [{ sender: { id: '7' }, recipient: { id: pageId }, timestamp: 1, message: { mid: 'm', text: 'x' } }],
    },
  ]
  const body = JSON.stringify({ object: 'page', entry })
  for (const path of ['/hooks/messenger', `/hooks/messenger/${connectionId}`]) {
    sim.setWebhook(`${url}${path}`)
    for (const signature of [null, 'sha256=00', stranger.sim.sign(body)])
      expect((await sim.postRaw(body, { signature })).status).toBe(401)
  }
  // An Instagram account of the same id is not this page, and no such address takes calls of a whole app.
  sim.setWebhook(`${url}/hooks/messenger`)
  expect((await sim.postRaw({ object: 'instagram', entry })).status).toBe(404)
  sim.setWebhook(`${url}/hooks/telegram`)
  expect((await sim.postRaw(body)).status).toBe(404)
  expect(await messagesOf(tenant.tenantId)).toEqual([])
  const asked = (token: string) =>
    fetch(`${url}/hooks/messenger?hub.mode=subscribe&hub.challenge=42&hub.verify_token=${token}`)
  expect(await (await asked(metaApp.verifyToken)).text()).toBe('42')
  expect((await asked('errado')).status).toBe(401)
})

test('who writes gets a name, our answer is there once although it is told back, and is read until a moment', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const { sim } = await openPage(tenant)
  const ana = sim.customer({ name: 'Ana Souza' })
  await ana.sendText('oi')
  await settled(sim)
  await fetchDuePictures()
  const [contact] = (await as(tenant.admin).get('/contacts')).body.items
  expect(contact).toMatchObject({ name: 'Ana Souza', profilePicUrl: expect.stringContaining('/api/pictures/') })

  const { ticketId } = await firstOf(tenant.tenantId)
  await as(tenant.admin).put(`/tickets/${ticketId}`, { status: 'open' })
  expect((await as(tenant.admin).post(`/messages/${ticketId}`, { body: 'Olá, Ana' })).status).toBe(200)
  await until(async () => (await messagesOf(tenant.tenantId)).find(({ status }) => status === 'delivered'))
  await sim.echo(ana, 'e pelo celular')
  await settled(sim)
  await ana.read()
  await settled(sim)
  expect(
    (await messagesOf(tenant.tenantId))
      .filter(({ type }) => type === 'text')
      .map(({ body, fromMe, status }) => [body, fromMe, status]),
  ).toEqual([
    ['oi', false, 'received'],
    ['Olá, Ana', true, 'read'],
    ['e pelo celular', true, 'read'],
  ])
})

test('after a day a person of the team still answers, with the tag; what the channel cannot carry is refused', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const { sim } = await openPage(tenant)
  const bia = sim.customer({ name: 'Bia' })
  const asked = await bia.sendText('alguém aí?')
  await settled(sim)
  const { ticketId, id } = await firstOf(tenant.tenantId)
  await as(tenant.admin).put(`/tickets/${ticketId}`, { status: 'open' })
  const ago = (days: number) => {
    bia.lastInboundAt = Date.now() - days * 86_400_000
    return withTenant(tenant.tenantId, (tx) =>
      tx.db
        .update(schema.tickets)
        .set({ lastInboundAt: sql`now() - make_interval(days => ${days})` })
        .where(eq(schema.tickets.id, ticketId)),
    )
  }
  const answer = (body: string) => as(tenant.admin).post(`/messages/${ticketId}`, { body })
  await ago(3)
  expect((await answer('Desculpe a demora')).status).toBe(200)
  await until(async () => bia.inbox.find(({ text }) => text === 'Desculpe a demora'))
  expect(sim.tags).toEqual(['HUMAN_AGENT'])
  await ago(8)
  expect(await answer('tarde demais')).toMatchObject({ status: 409, body: { error: 'ERR_WINDOW_CLOSED' } })

  const react = (emoji: string) => as(tenant.admin).post('/messages/reactionMessage', { messageId: id, emoji })
  expect((await react('👍')).status).not.toBe(200)
  expect((await react('❤️')).status).toBe(200)
  expect(bia.transcript.find((line) => line.id === asked)?.reactions.business).toBe('❤️')
})

test('a comment is a conversation where that is asked for, and its first answer goes to its author alone', async () => {
  const tenant = await seedTenant()
  const { sim, connectionId } = await openPage(tenant)
  const bia = sim.customer({ id: '7410258960000001', name: 'Bia Costa' })
  await bia.comment('quanto custa?')
  await settled(sim)
  expect(await messagesOf(tenant.tenantId)).toEqual([])
  const [row] = (await as(tenant.admin).get(`/whatsapp/${connectionId}/journal`)).body.items
  expect(row).toMatchObject({ error: 'Este canal não atende comentários.' })

  const attended = await openPage(tenant, metaApp, { comments: true })
  const ana = attended.sim.customer({ id: '7410258960000002', name: 'Ana Souza' })
  const commentId = await ana.comment('Tem no P?')
  await settled(attended.sim)
  const comment = await firstOf(tenant.tenantId)
  expect(comment).toMatchObject({
    body: 'Tem no P?',
    providerId: `comment:${commentId}`,
    payload: { comment: { url: expect.stringContaining('https://') } },
  })
  await as(tenant.admin).put(`/tickets/${comment.ticketId}`, { status: 'open' })
  const say = (body: string) => as(tenant.admin).post(`/messages/${comment.ticketId}`, { body })
  expect((await say('Tem, sim.')).status).toBe(200)
  await until(async () => ana.inbox.some(({ text }) => text === 'Tem, sim.'))
  const asked = () => attended.sim.requests.flatMap(({ body }) => Object(body).recipient ?? [])
  expect(asked()).toEqual([{ comment_id: commentId }])
  // Who has written since is answered like anybody.
  await ana.sendText('Oba, quero!')
  await settled(attended.sim)
  await say('Qual o endereço?')
  await until(async () => ana.inbox.some(({ text }) => text === 'Qual o endereço?'))
  expect(asked().at(-1)).toEqual({ id: ana.id })
})

test('several pictures of one message are taken back together, and nothing beside them', async () => {
  const tenant = await seedTenant()
  const { sim } = await openPage(tenant)
  const rita = sim.customer({ name: 'Rita Alves' })
  await rita.sendText('Olhem as fotos')
  const mid = await rita.sendAlbum([sampleMedia('image'), sampleMedia('image'), sampleMedia('image')])
  await settled(sim)
  expect(await messagesOf(tenant.tenantId)).toMatchObject(Array(4).fill({ isDeleted: false }))
  await rita.unsend(mid)
  await settled(sim)
  expect((await messagesOf(tenant.tenantId)).map(({ isDeleted }) => isDeleted)).toEqual([false, true, true, true])
})

test('stories are left out where the company or the channel says so, and nothing else is', async () => {
  const tenant = await seedTenant({ settings: { ignorarStories: true } })
  const { sim, connectionId } = await openPage(tenant)
  const ana = sim.customer({ id: '7410258960000003', name: 'Ana Souza' })
  await ana.mentionInStory()
  await ana.replyToStory('que lindo!')
  await ana.sendText('e o preço?')
  await settled(sim)
  expect((await messagesOf(tenant.tenantId)).map(({ body }) => body)).toEqual(['e o preço?'])
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .update(schema.connections)
      .set({ options: { ignoreStories: false } })
      .where(eq(schema.connections.id, connectionId)),
  )
  forgetConnections()
  await ana.replyToStory('amei')
  await settled(sim)
  expect((await messagesOf(tenant.tenantId)).at(-1)).toMatchObject({
    body: 'amei',
    payload: { story: { kind: 'reply' } },
  })
})
