import { alwaysOpen } from '@balcao/contract/core/business-hours.ts'
import { sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import type { InboundMessage } from '../../../channels/adapter.ts'

const { as, seedTenant, createConnection, withTenant, schema, invalidateDirectory, statementCount } =
  await startTestApp()
const { runDueTurns } = await import('../../conversations/turns/turns.loop.ts')
const { ingest } = await import('../../intake/inbound/inbound.service.ts')

type Sender = InboundMessage['from']
const closed = alwaysOpen.map((day) => ({ ...day, type: 'C' as const }))
const company = async (settings: object = {}) => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Financeiro'], agentIn: ['Vendas'], settings })
  const connectionId = await createConnection(tenant)
  const inTenant = <T>(work: Parameters<typeof withTenant<T>>[1]) => withTenant(tenant.tenantId, work)
  const hear = async (body: string, more: Partial<InboundMessage> = {}) => {
    const from: Sender = { identities: [{ kind: 'webchat', value: `v${tenant.tenantId}` }], name: 'Maria Lima' }
    const content = { type: 'text' as const, body }
    const event = {
      kind: 'message' as const,
      providerId: v7(),
      from,
      fromMe: false,
      timestamp: new Date(),
      content,
      ...more,
    }
    await ingest(tenant.tenantId, connectionId, [event])
  }
  /** The customer writes, and whatever answers has answered. */
  const say = async (body: string, more = {}) => {
    await hear(body, more)
    await runDueTurns()
  }
  const heard = async () =>
    (await inTenant((tx) => tx.db.select().from(schema.messages).orderBy(schema.messages.seq))).filter(
      ({ fromMe, type }) => fromMe && type !== 'system',
    )
  const said = async () => (await heard()).map(({ body }) => body)
  const tickets = () => inTenant((tx) => tx.db.select().from(schema.tickets))
  const rule = async (given: object) => {
    const reply = await as(tenant.supervisor).post('/auto-reply', { name: 'Regra', isFirstOnly: false, ...given })
    expect(reply).toMatchObject({ status: 201 })
    return reply.body.id as string
  }
  const log = async (query: object = {}) =>
    (await as(tenant.supervisor).get(`/auto-reply/choices?${new URLSearchParams(query as Record<string, string>)}`))
      .body
  return { ...tenant, connectionId, inTenant, hear, say, heard, said, tickets, rule, log }
}
const words = (...texts: string[]) => ({ starts: 'words', keywords: texts.map((text) => ({ text, mode: 'contains' })) })
const text = (body: string) => ({ kind: 'text', body, mediaId: null, interactive: null })
const option = (title: string) => ({ id: title, title, description: '' })
const buttons = (body: string, ...titles: string[]) => ({
  kind: 'choices',
  body,
  mediaId: null,
  interactive: { kind: 'buttons', header: '', footer: '', button: '', options: titles.map(option) },
})

test('a word is answered with every part and its steps, and the log says what was chosen', async () => {
  const shop = await company()
  const file = { id: v7() }
  await shop.inTenant((tx) =>
    tx.db.insert(schema.files).values({
      ...{ tenantId: shop.tenantId, id: file.id, userId: shop.supervisor.id, kind: 'document', name: 'tabela.pdf' },
      ...{ mime: 'application/pdf', size: 10, key: `k${file.id}`, sha256: 'x' },
    }),
  )
  const id = await shop.rule({
    name: 'Preços',
    ...words('preço'),
    parts: [
      text('{{primeiro_nome}}, veja nossa tabela:'),
      { kind: 'file', body: '', mediaId: file.id, interactive: null },
      buttons('Quer comprar?', 'Sim', 'Não'),
    ],
    actions: [
      { kind: 'queue', queueId: shop.queues.Financeiro },
      { kind: 'priority', priority: 'high' },
    ],
  })
  await shop.say('Qual é o PRECO disso?')
  expect(await shop.heard()).toMatchObject([
    { type: 'text', body: 'Maria, veja nossa tabela:', sendType: 'bot', author: { kind: 'rule', id } },
    { type: 'document', mediaId: file.id },
    { type: 'buttons', body: 'Quer comprar?' },
  ])
  // Who waits for a person goes on waiting, with their own words in the list.
  expect(await shop.tickets()).toMatchObject([
    {
      status: 'pending',
      queueId: shop.queues.Financeiro,
      priority: 'high',
      lastMessage: 'Qual é o PRECO disso?',
      answered: false,
    },
  ])
  expect((await shop.log()).items).toMatchObject([
    {
      rule: { id },
      contact: { name: 'Maria Lima' },
      said: 'Qual é o PRECO disso?',
      keyword: 'preço',
      mode: 'contains',
      problem: null,
    },
  ])
  await shop.say('bom dia')
  expect(await shop.heard()).toHaveLength(3)
})

test('nothing answers behind a person who attends, in a group, or a channel it does not hold for', async () => {
  const shop = await company({ businessHours: closed, messageBusinessHours: 'Estamos fechados.' })
  await shop.rule({ ...words('pix'), parts: [text('A chave é…')] })
  await shop.say('oi')
  const [ticket] = await shop.tickets()
  await as(shop.admin).put(`/tickets/${ticket?.id}`, { status: 'open', userId: shop.admin.id })
  await shop.say('pix')
  expect(await shop.said()).toEqual(['Estamos fechados.'])
  const group: Sender = { identities: [{ kind: 'webchat', value: 'g1' }], name: 'Família', isGroup: true }
  await shop.say('pix', { from: group })
  expect(await shop.said()).toEqual(['Estamos fechados.'])
  const other = await company()
  await other.rule({ ...words('pix'), parts: [text('A chave é…')], connectionIds: [other.connectionId] })
  const elsewhere = await createConnection(other)
  const from: Sender = { identities: [{ kind: 'webchat', value: 'x' }], name: 'Ana' }
  const content = { type: 'text' as const, body: 'pix' }
  const event = { kind: 'message' as const, providerId: v7(), from, fromMe: false, timestamp: new Date(), content }
  await ingest(other.tenantId, elsewhere, [event])
  await runDueTurns()
  expect(await other.said()).toEqual([])
})

test('in closed hours what holds for open ones leaves the word to the absence', async () => {
  const shop = await company({ businessHours: closed, messageBusinessHours: 'Estamos fechados.' })
  await shop.rule({ name: 'a', ...words('preço'), hours: 'open', parts: [text('aberto')] })
  await shop.rule({ name: 'b', ...words('plantão'), hours: 'closed', parts: [text('Ligue para o plantão.')] })
  await shop.say('preço')
  await shop.say('tem plantão?')
  expect(await shop.said()).toEqual(['Estamos fechados.', 'Ligue para o plantão.'])
})

test('a menu: choices by word or number, back to it, and whatever else is not understood', async () => {
  const shop = await company()
  const menu = await shop.rule({
    name: 'Menu',
    starts: 'any',
    isFirstOnly: true,
    parts: [buttons('Escolha:', 'Vendas', 'Suporte')],
  })
  const after = { afterId: menu }
  await shop.rule({
    name: 'Vendas',
    ...words('vendas'),
    ...after,
    parts: [text('Vamos vender.')],
    actions: [{ kind: 'transfer', queueId: shop.queues.Vendas, userId: null }],
  })
  await shop.rule({ name: 'Voltar', ...words('voltar'), cooldownSeconds: 5, nextId: menu, parts: [text('De novo:')] })
  await shop.rule({ name: 'Outra', starts: 'any', ...after, nextId: menu, parts: [text('Não entendi.')] })
  await shop.say('olá')
  await shop.say('banana')
  await shop.say('voltar')
  await shop.say('1')
  expect(await shop.said()).toEqual(['Escolha:', 'Não entendi.', 'Escolha:', 'De novo:', 'Escolha:', 'Vamos vender.'])
  expect(await shop.tickets()).toMatchObject([{ queueId: shop.queues.Vendas }])
})

test('two machines do not talk for ever, over however many conversations', async () => {
  const shop = await company()
  for (const n of [1, 2])
    await shop.rule({ name: `r${n}`, ...words(`eco${n}`), cooldownSeconds: 5, parts: [text(`eco${n}`)] })
  for (let n = 0; n < 18; n += 1) await shop.say(`eco${1 + (n % 2)}`)
  expect(await shop.said()).toHaveLength(12)
  const { items } = await shop.log()
  expect(items).toHaveLength(13)
  expect(items[0].problem).toMatch(/pode ser outro robô/)
})

test('while it has a phone for trying, it answers that one alone', async () => {
  const shop = await company()
  const id = await shop.rule({ ...words('teste'), parts: [text('Funciona.')], celularTeste: '(11) 98765-4321' })
  expect((await as(shop.admin).get(`/auto-reply/${id}`)).body.celularTeste).toBe('5511987654321')
  await shop.say('teste')
  expect(await shop.said()).toEqual([])
  // Some providers still name old accounts without the ninth digit.
  const from: Sender = { identities: [{ kind: 'phone', value: '551187654321' }], name: 'Testadora' }
  await shop.say('teste', { from })
  expect(await shop.said()).toEqual(['Funciona.'])
})

test('what cannot be done is said in the log, and the rest is done', async () => {
  const shop = await company()
  const { body: tag } = await as(shop.admin).post('/tags', { name: 'Lead', color: '#112233' })
  await shop.rule({
    ...words('oi'),
    parts: [text('{{email}}'), text('Oi!')],
    actions: [{ kind: 'addTags', tagIds: [tag.id] }],
  })
  await as(shop.admin).delete(`/tags/${tag.id}`)
  await shop.inTenant((tx) => tx.db.execute(sql`delete from tags where tenant_id = ${shop.tenantId}`))
  invalidateDirectory(shop.tenantId)
  await shop.say('oi')
  expect(await shop.said()).toEqual(['Oi!'])
  expect((await shop.log()).items[0].problem).toMatch(/ficou vazio.*Etiqueta não encontrada/)
})

test('a rule that is switched off while its turn waits says nothing', async () => {
  const shop = await company()
  const id = await shop.rule({ ...words('oi'), parts: [text('Oi!')] })
  await shop.hear('oi')
  await as(shop.supervisor).put(`/auto-reply/${id}`, { isActive: false })
  await runDueTurns()
  expect(await shop.said()).toEqual([])
  expect(await shop.inTenant((tx) => tx.db.select().from(schema.turns))).toEqual([])
})

test('one that was used, or on which others depend, is not deleted; unused ones are', async () => {
  const shop = await company()
  const used = await shop.rule({ name: 'usada', ...words('oi'), parts: [text('Oi!')] })
  const above = await shop.rule({ name: 'acima', ...words('menu'), parts: [text('Menu')] })
  const below = await shop.rule({ name: 'abaixo', ...words('um'), afterId: above, parts: [text('Um')] })
  await shop.say('oi')
  const remove = (id: string) => as(shop.supervisor).delete(`/auto-reply/${id}`)
  expect(await remove(used)).toMatchObject({ status: 409, body: { error: 'ERR_AUTO_REPLY_RELATIONED_TICKET' } })
  expect(await remove(above)).toMatchObject({ status: 409, body: { error: 'ERR_IN_USE' } })
  expect((await remove(below)).status).toBe(204)
  expect((await remove(above)).status).toBe(204)
})

test('what is written wrongly is refused field by field', async () => {
  const [shop, other] = [await company(), await company()]
  const wrong = async (given: object) => {
    const reply = await as(shop.supervisor).post('/auto-reply', { name: 'x', ...given })
    expect(reply.status).toBe(422)
    return reply.body.details.map(({ path }: { path: string }) => path)
  }
  expect(await wrong({ starts: 'words' })).toEqual(['keywords'])
  expect(await wrong({ parts: [text('Olá {{nome}}')] })).toEqual(['parts.0.body'])
  expect(await wrong({ connectionIds: [other.connectionId] })).toEqual(['connectionIds'])
  expect(await wrong({ actions: [{ kind: 'queue', queueId: other.queues.Vendas }] })).toEqual(['actions.0.queueId'])
  expect(await wrong({ actions: [{ kind: 'mark', as: 'pinned' }] })).toEqual(['actions.0.kind'])
  expect(await wrong({ celularTeste: '123' })).toEqual(['celularTeste'])
  expect(await wrong({ afterId: await other.rule({ parts: [text('x')] }) })).toEqual(['afterId'])
  const [first] = [await shop.rule({ name: '1', parts: [text('1')] })]
  const second = await shop.rule({ name: '2', parts: [text('2')], afterId: first })
  expect(await as(shop.supervisor).put(`/auto-reply/${first}`, { afterId: second })).toMatchObject({ status: 422 })
  expect((await as(shop.agent).get('/auto-reply')).status).toBe(403)
})

test('the order is what was asked for, and new ones stand last', async () => {
  const shop = await company()
  const ids: string[] = []
  for (const name of ['a', 'b', 'c']) ids.push(await shop.rule({ name, ...words('oi'), parts: [text(name)] }))
  expect((await as(shop.supervisor).put('/auto-reply/order', { ids: [ids[2], ids[0]] })).status).toBe(204)
  const { items } = (await as(shop.supervisor).get('/auto-reply')).body
  expect(items.map(({ name }: { name: string }) => name)).toEqual(['c', 'a', 'b'])
  await shop.say('oi')
  expect(await shop.said()).toEqual(['c'])
})

test('the older form: an answer, its steps, and where each word leads', async () => {
  const shop = await company()
  const { post, get, put, delete: remove } = as(shop.supervisor)
  const { body: bot } = await post('/auto-reply', { name: 'Robô', action: 0, celularTeste: null, isActive: true })
  const step = async (reply: string, initialStep = false) =>
    (await post(`/auto-reply/${bot.id}/steps`, { reply, initialStep })).body
  const first = await step('1 Vendas, 2 Outros', true)
  const second = await step('Digite 0 para voltar')
  const act = async (given: object) => post('/auto-reply-action', given)
  const toQueue = await act({
    stepReplyId: first.id,
    words: '1, vendas',
    action: 1,
    queueId: shop.queues.Vendas,
    replyDefinition: 'Um instante.',
  })
  expect(toQueue).toMatchObject({
    status: 201,
    body: { words: '1,vendas', action: 1, queueId: shop.queues.Vendas, nextStepId: null },
  })
  await act({ stepReplyId: first.id, words: '2', action: 0, nextStepId: second.id })
  await act({ stepReplyId: second.id, words: '0', action: 0, nextStepId: first.id })
  expect((await act({ stepReplyId: first.id, words: '3', action: 2 })).status).toBe(422)
  const { items: steps } = (await get(`/auto-reply/${bot.id}/steps`)).body
  expect(steps).toMatchObject([
    { id: first.id, initialStep: true, stepActions: [{ words: '1,vendas' }, { words: '2', nextStepId: second.id }] },
    { id: second.id, initialStep: false, stepActions: [{ words: '0', nextStepId: first.id }] },
  ])
  for (const word of ['oi', '2', '0', '1']) await shop.say(word)
  expect(await shop.said()).toEqual([
    '1 Vendas, 2 Outros',
    'Digite 0 para voltar',
    '1 Vendas, 2 Outros',
    'Um instante.',
  ])
  expect(await shop.tickets()).toMatchObject([{ queueId: shop.queues.Vendas }])
  expect((await put(`/auto-reply/${bot.id}/steps/${second.id}`, { reply: 'Digite 0' })).body.reply).toBe('Digite 0')
  const changed = await put(`/auto-reply-action/${toQueue.body.id}`, {
    stepReplyId: first.id,
    words: 'vendas',
    action: 2,
    userIdDestination: shop.agent.id,
  })
  expect(changed.body).toMatchObject({ action: 2, userIdDestination: shop.agent.id, words: 'vendas' })
  expect(await remove(`/auto-reply-action/${toQueue.body.id}`)).toMatchObject({ status: 409 })
  const third = await step('Sobra')
  expect((await remove(`/auto-reply/${bot.id}/steps/${third.id}`)).status).toBe(204)
  const stranger = await company()
  expect((await as(stranger.supervisor).get(`/auto-reply/${bot.id}/steps`)).status).toBe(404)
})

test('with 200 rules of five words a message costs the statements it cost before', async () => {
  const shop = await company()
  await shop.hear('oi')
  const cost = async () => {
    const costs: number[] = []
    for (let n = 0; n < 5; n += 1) {
      const before = statementCount()
      await shop.hear(`custo ${n}`)
      costs.push(statementCount() - before)
    }
    return Math.min(...costs)
  }
  const before = await cost()
  await shop.inTenant((tx) =>
    tx.db.execute(sql`insert into auto_replies (tenant_id, id, name, starts, position, keywords, actions)
      select ${shop.tenantId}, gen_random_uuid(), 'Regra ' || n, 'words', n,
        (select jsonb_agg(jsonb_build_object('text', 'palavra' || n || chr(96 + k), 'mode', (array['exact', 'contains', 'similar'])[1 + (n + k) % 3])) from generate_series(1, 5) k),
        '[{"kind": "markRead"}]' from generate_series(1, 200) n`),
  )
  invalidateDirectory(shop.tenantId)
  await shop.hear('aquece')
  expect(await cost()).toBe(before)
})
