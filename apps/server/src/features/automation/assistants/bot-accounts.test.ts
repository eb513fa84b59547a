import { startDifySimulator, startN8nSimulator, startTypebotSimulator } from '@balcao/simulators/bots.ts'
import { v7 } from 'uuid'
import { afterAll, expect, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import type { InboundMessage } from '../../../channels/adapter.ts'

const kit = await startTestApp()
const { as, seedTenant, createConnection, withTenant, schema } = kit
const { createThinker, runDueTurns } = await import('../../conversations/turns/turns.loop.ts')
const { ingest } = await import('../../intake/inbound/inbound.service.ts')
const typebot = await startTypebotSimulator()
const n8n = await startN8nSimulator()
const dify = await startDifySimulator()
afterAll(() => Promise.all([typebot.close(), n8n.close(), dify.close()]))

/** A company whose conversations are answered by an account of a bot. */
const company = async (kind: string, config: object) => {
  const tenant = await seedTenant({ queues: ['Vendas'], agentIn: ['Vendas'] })
  const connectionId = await createConnection(tenant)
  const boss = as(tenant.admin)
  const account = await boss.post('/integrations', { kind, name: 'Robô', config })
  expect(account).toMatchObject({ status: 201 })
  const made = await boss.post('/assistants', {
    name: 'Aurora',
    allTickets: true,
    config: { prompt: '', integrationIds: [account.body.id], waitSeconds: 0, handOver: { asked: false } },
  })
  expect(made).toMatchObject({ status: 201 })
  expect((await boss.post(`/assistants/${made.body.id}/publish`, { version: made.body.version })).status).toBe(200)
  const say = async (body: string) => {
    const event: InboundMessage = {
      kind: 'message',
      providerId: v7(),
      from: { identities: [{ kind: 'webchat', value: `v${tenant.tenantId}` }], name: 'Maria Lima' },
      fromMe: false,
      timestamp: new Date(),
      content: { type: 'text', body },
    }
    await ingest(tenant.tenantId, connectionId, [event])
    await runDueTurns()
    const thinker = createThinker()
    while ((await thinker.claim(() => {}))?.did) await thinker.finish()
  }
  const rows = () =>
    withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.messages).orderBy(schema.messages.seq))
  /** What the customer was sent since the last time. */
  let read = 0
  const answers = async () => {
    const all = (await rows()).filter(({ fromMe, type }) => fromMe && type !== 'note' && type !== 'system')
    const later = all.slice(read)
    read = all.length
    return later
  }
  const ticket = async () =>
    (await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.tickets)))[0] ?? expect.fail('none')
  return { ...tenant, boss, say, answers, ticket, accountId: account.body.id as string }
}
const bodies = (rows: { body: string }[]) => rows.map(({ body }) => body)

test('a flow of Typebot leads the conversation: choices are pressed or written, and it lets go at its end', async () => {
  const shop = await company('typebot', { baseUrl: typebot.url, publicId: 'loja', pauseS: 0 })
  await shop.say('oi')
  const hello = await shop.answers()
  expect(bodies(hello)).toEqual(['Olá, *Maria Lima*!', 'Como podemos ajudar?', 'Escolha uma opção:'])
  expect(hello.at(-1)?.payload).toMatchObject({ interactive: { options: [{ title: 'Rastrear pedido' }, {}, {}] } })
  await shop.say('segunda via')
  expect(bodies(await shop.answers())).toEqual(['Certo. Qual é o seu e-mail?'])
  await shop.say('maria@loja.example')
  expect(bodies(await shop.answers())).toEqual(['Pronto! Enviamos para seu e-mail (https://loja.example).'])
  expect(await shop.ticket()).toMatchObject({ bot: null })
  expect([...typebot.sessions.values()].at(-1)?.variables).toMatchObject({ nome: 'Maria Lima', canal: 'webchat' })
})

test('a workflow of n8n sends a file and hands over to a queue by its name', async () => {
  n8n.control.answer = ({ body }) =>
    body.chatInput === 'vendedor'
      ? { output: 'Já chamo.', actions: [{ type: 'transfer', queue: 'vendas' }] }
      : { output: 'Veja:', media: [{ url: `${n8n.url}/faces/ana`, caption: 'A foto' }] }
  const shop = await company('n8n', { url: `${n8n.url}/webhook/atendimento` })
  await shop.say('foto')
  expect(await shop.answers()).toMatchObject([
    { body: 'Veja:', type: 'text' },
    { body: 'A foto', type: expect.stringMatching(/image|document/), mediaId: expect.any(String) },
  ])
  n8n.control.answer = () => ({
    output: 'Etiquetado.',
    actions: [
      { type: 'tag', tag: 'vip' },
      { type: 'tag', tag: 'nenhuma' },
    ],
  })
  await withTenant(shop.tenantId, (tx) =>
    tx.db.insert(schema.tags).values({ tenantId: shop.tenantId, name: 'VIP', color: '#000000' }),
  )
  kit.invalidateDirectory(shop.tenantId)
  await shop.say('etiqueta')
  expect(bodies(await shop.answers())).toEqual(['Etiquetado.'])
  expect((await shop.boss.get(`/tickets/${(await shop.ticket()).id}`)).body.tags).toHaveLength(1)
  n8n.control.answer = () => ({ output: 'Já chamo.', actions: [{ type: 'transfer', queue: 'vendas' }] })
  await shop.say('vendedor')
  expect(bodies(await shop.answers())[0]).toBe('Já chamo.')
  expect(await shop.ticket()).toMatchObject({ bot: null, queueId: shop.queues.Vendas })
})

test('a bot that does not answer leaves the conversation to the team, and its account says why', async () => {
  const shop = await company('typebot', { baseUrl: typebot.url, publicId: 'sumiu' })
  await shop.say('oi')
  expect(await shop.ticket()).toMatchObject({ bot: null, status: 'pending' })
  const { body } = await shop.boss.get('/integrations')
  expect(body.items).toMatchObject([{ state: 'broken', stateText: expect.stringContaining('Typebot') }])
})

test('an answer that may have been heard is not given twice', async () => {
  const shop = await company('typebot', { baseUrl: typebot.url, publicId: 'loja', pauseS: 0 })
  await shop.say('oi')
  typebot.faults.next({ drop: true, afterAccepting: true, match: ({ path }) => path.includes('continueChat') })
  await shop.say('1')
  const [session] = [...typebot.sessions.values()].slice(-1)
  expect(session?.answers).toEqual(['Rastrear pedido'])
  expect(await shop.ticket()).toMatchObject({ bot: null })
})

test('a person who takes the conversation ends the answer a bot was making, there too', {
  timeout: 15_000,
}, async () => {
  const shop = await company('dify', { baseUrl: `${dify.url}/v1`, apiKey: dify.control.apiKey })
  dify.control.fault = 'silent'
  const asked = shop.say('Conte uma longa história')
  const ticket = await vi.waitFor(async () => {
    expect(dify.conversations.size).toBe(1)
    return shop.ticket()
  }, 5_000)
  expect(await shop.boss.put(`/tickets/${ticket.id}`, { status: 'open', userId: shop.agent.id })).toMatchObject({
    status: 200,
  })
  await asked
  expect(dify.stopped).toHaveLength(1)
  expect(await shop.answers()).toEqual([])
})
