import { blankNode } from '@balcao/contract/automation/flows/graph.ts'
import { eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeEach, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createConnection, createContact, createTicket, withTenant, withPlatform, schema } = kit
const { runFunnelActions } = await import('./funnel-actions.loop.ts')
const { feedAudience } = await import('../audience/audience.loop.ts')

/** Due loops are everybody's: what another test left is none of this one's. */
beforeEach(() =>
  withPlatform('test', async (tx) => {
    await tx.db.update(schema.pipelineActions).set({ active: false })
    await tx.db.update(schema.ticketActions).set({ active: false })
    await tx.db.delete(schema.funnelActionRuns)
    await tx.db.delete(schema.audience)
  }),
)
const telegram = { kind: 'telegram' as const, config: { botToken: '7000000001:AAtoken-de-teste-0123456789' } }

const company = async () => {
  const tenant = await seedTenant()
  const { tenantId, admin } = tenant
  const post = async (path: string, body: object) => (await as(admin).post(path, body)).body
  const pipeline = await post('/pipelines', { name: 'Vendas' })
  const [first, second] = (await as(admin).get('/stages')).body.items as { id: string; name: string }[]
  const tag = await post('/tags', { name: 'Esfriando', color: '#1c7ed6' })
  const inTenant = <T>(work: Parameters<typeof withTenant<T>>[1]) => withTenant(tenantId, work)
  const connectionId = await createConnection(tenant, telegram)
  let phone = 0
  const opportunity = async (name: string, days: number, more: object = {}) => {
    const contactId = await createContact(tenant, { name: `Cliente de ${name}` })
    phone += 1
    await inTenant((tx) =>
      tx.db
        .insert(schema.contactIdentities)
        .values({ tenantId, kind: 'telegram', value: `${tenantId}${phone}`, contactId }),
    )
    const made = await post('/opportunities', { name, stageId: first?.id, contactId, ...more })
    await inTenant((tx) =>
      tx.db
        .update(schema.opportunities)
        .set({ stageSince: sql`now() - make_interval(days => ${days})` })
        .where(eq(schema.opportunities.id, made.id)),
    )
    return { id: made.id as string, contactId }
  }
  const action = (body: object) =>
    post('/pipeline-actions', {
      ...{ name: 'Ação', pipelineId: pipeline.id, stageId: first?.id, daysToTrigger: 3, active: true },
      ...body,
    })
  /** As if a minute had passed since the last look. */
  const again = async () => {
    await inTenant(async (tx) => {
      await tx.db.update(schema.pipelineActions).set({ lookAt: new Date(0) })
      await tx.db.update(schema.ticketActions).set({ lookAt: new Date(0) })
    })
    await runFunnelActions()
  }
  const log = async (query = '') =>
    (await as(admin).get(`/pipeline-action-log/tenant/${tenantId}${query}`)).body.items as {
      action: { name: string }
      state: string
      problem: string | null
      contact: { name: string }
    }[]
  const messages = () => inTenant((tx) => tx.db.select().from(schema.messages).where(eq(schema.messages.fromMe, true)))
  return {
    ...tenant,
    post,
    pipeline,
    first,
    second,
    tag,
    inTenant,
    connectionId,
    opportunity,
    action,
    again,
    log,
    messages,
  }
}

test('what stood its days in the stage is met once in its stay, however many processes look and however often', async () => {
  const shop = await company()
  const due = await shop.opportunity('Reforma', 4)
  await shop.opportunity('Fresca', 1)
  const made = await shop.action({ name: 'Etiqueta fria', actionType: 'add_tag', tagId: shop.tag.id })
  expect(made).toMatchObject({ actionType: 'add_tag', tagId: shop.tag.id, active: true, message: '', version: 1 })
  await Promise.all([shop.again(), shop.again(), shop.again()])
  await shop.again()
  const { body } = await as(shop.admin).get(`/contacts/${due.contactId}`)
  expect(body.tags.map(({ name }: { name: string }) => name)).toEqual(['Esfriando'])
  expect(await shop.log()).toMatchObject([{ action: { name: 'Etiqueta fria' }, state: 'done', problem: null }])
  // A new stay counts anew.
  await as(shop.admin).put(`/opportunities/${due.id}`, { stageId: shop.second?.id })
  await as(shop.admin).put(`/opportunities/${due.id}`, { stageId: shop.first?.id })
  await shop.again()
  expect(await shop.log()).toHaveLength(1)
  await shop.inTenant((tx) =>
    tx.db
      .update(schema.opportunities)
      .set({ stageSince: sql`now() - interval '5 days'` })
      .where(eq(schema.opportunities.id, due.id)),
  )
  await shop.again()
  expect(await shop.log()).toHaveLength(2)
})

test('what a process left undone when it died is done by the next; what no longer holds is left out and says so', async () => {
  const shop = await company()
  const due = await shop.opportunity('Reforma', 4)
  const { id: actionId } = await shop.action({
    name: 'Avançar',
    actionType: 'stage_change',
    targetStageId: shop.second?.id,
  })
  // Met, and then killed: the row waits, the action has been looked at.
  await shop.inTenant(async (tx) => {
    const [row] = await tx.db.select().from(schema.opportunities).where(eq(schema.opportunities.id, due.id))
    await tx.db.insert(schema.funnelActionRuns).values({
      ...{ tenantId: tx.tenantId, id: v7(), actionId, actionName: 'Avançar', actionType: 'stage_change' },
      ...{ opportunityId: due.id, visitAt: row?.stageSince ?? new Date(), attemptAt: new Date(0) },
    })
  })
  await runFunnelActions()
  const moved = (await as(shop.admin).get(`/opportunities/${due.id}`)).body
  expect(moved.stageId).toBe(shop.second?.id)
  const story = (await as(shop.admin).get(`/opportunities/${due.id}/timeline`)).body
  expect(story[0]).toMatchObject({ kind: 'stage', to: 'Contato', user: null, rule: 'Avançar' })
  expect(await shop.log()).toHaveLength(1)

  const left = await shop.opportunity('Saiu antes', 4)
  await shop.inTenant((tx) =>
    tx.db.insert(schema.funnelActionRuns).values({
      ...{ tenantId: tx.tenantId, id: v7(), actionId, actionName: 'Avançar', actionType: 'stage_change' },
      ...{ opportunityId: left.id, visitAt: new Date(0), attemptAt: new Date(0) },
    }),
  )
  await runFunnelActions()
  expect((await shop.log('?state=skipped'))[0]).toMatchObject({ problem: 'A oportunidade deixou a etapa antes.' })
})

test('a message waits for its channel among all that goes to many, and the log says how it fared', async () => {
  const shop = await company()
  await shop.opportunity('Reforma', 4)
  await shop.action({
    ...{ name: 'Lembrar', actionType: 'message', whatsappId: shop.connectionId },
    message: 'Oi, {{firstName}}! Ainda pensa nisso?',
  })
  await shop.again()
  expect(await shop.messages()).toEqual([])
  expect(await shop.log('?state=waiting')).toHaveLength(1)
  await feedAudience()
  expect(await shop.messages()).toMatchObject([
    { body: 'Oi, Cliente! Ainda pensa nisso?', sendType: 'campaign', author: { kind: 'rule' } },
  ])
  await shop.again()
  await feedAudience()
  expect(await shop.messages()).toHaveLength(1)
  expect(await shop.log()).toMatchObject([{ state: 'done', contact: { name: 'Cliente de Reforma' } }])
})

test('several of one stage are done in their order; where one is refused none is made', async () => {
  const shop = await company()
  const reason = await shop.post('/opportunity-reasons', { name: 'Esfriou', outcome: 'lose' })
  const due = await shop.opportunity('Reforma', 9)
  const stage = { pipelineId: shop.pipeline.id, stageId: shop.first?.id }
  const lose = { name: 'Perder', actionType: 'status_change', targetStatus: 'lose', daysToTrigger: 7, active: true }
  const tag = { name: 'Etiquetar', actionType: 'add_tag', tagId: shop.tag.id, daysToTrigger: 7, active: true }
  const refused = await as(shop.admin).post('/pipeline-actions/sequential', { ...stage, actions: [tag, lose] })
  expect(refused).toMatchObject({
    status: 422,
    body: { details: [{ path: 'reasonId', message: 'Escolha o motivo.' }] },
  })
  expect((await as(shop.admin).get('/pipeline-actions')).body.items).toEqual([])
  const made = await as(shop.admin).post('/pipeline-actions/sequential', {
    ...stage,
    actions: [tag, { ...lose, reasonId: reason.id }],
  })
  expect(made.body.items.map(({ position }: { position: number }) => position)).toEqual([1, 2])
  expect((await as(shop.admin).get(`/pipeline-actions/stage/${shop.first?.id}`)).body.items).toHaveLength(2)
  expect((await as(shop.admin).get(`/pipeline-actions/pipeline/${shop.pipeline.id}`)).body.items).toHaveLength(2)
  await shop.again()
  expect((await as(shop.admin).get(`/opportunities/${due.id}`)).body).toMatchObject({
    status: 'lose',
    reason: { name: 'Esfriou' },
  })
  expect((await shop.log()).map(({ state }) => state)).toEqual(['done', 'done'])
})

test('a rehearsal shows whom it would touch and what stands in the way, and touches nobody', async () => {
  const shop = await company()
  await shop.opportunity('Com preço', 5, { value: 10_000 })
  await shop.opportunity('Sem preço', 4)
  await as(shop.admin).put(`/stages/${shop.second?.id}`, { requires: ['value'] })
  const { id } = await shop.action({
    ...{ name: 'Avançar', actionType: 'stage_change', targetStageId: shop.second?.id, active: false },
  })
  const { body } = await as(shop.admin).get(`/pipeline-actions/${id}/preview`)
  expect(body).toMatchObject({
    total: 2,
    items: [
      { opportunity: { name: 'Com preço', value: 10_000 }, problem: null },
      { opportunity: { name: 'Sem preço' }, problem: 'Valor: preencha para entrar em “Contato”.' },
    ],
  })
  const listed = async (query: string) =>
    ((await as(shop.admin).get(`/pipeline-actions?${query}`)).body.items as { name: string }[]).map(({ name }) => name)
  expect(await listed('actionType=stage_change&active=false')).toEqual(['Avançar'])
  expect(await listed('active=true')).toEqual([])
  expect(await listed('actionType=message')).toEqual([])
  expect((await as(shop.admin).get('/pipeline-actions?actionType=dance')).status).toBe(422)
  await shop.again()
  expect(await shop.log()).toEqual([])
  expect((await as(shop.admin).put(`/pipeline-actions/${id}/toggle-active`)).body.active).toBe(true)
  await shop.again()
  expect((await shop.log()).map(({ state }) => state).toSorted()).toEqual(['done', 'failed'])
  const stranger = await company()
  expect((await as(stranger.admin).get(`/pipeline-actions/${id}/preview`)).status).toBe(404)
  expect((await as(stranger.admin).get(`/pipeline-action-log/tenant/${shop.tenantId}`)).status).toBe(404)
})

test('a flow begins with the contact, unless somebody of the team attends them', async () => {
  const shop = await company()
  expect(
    await as(shop.admin).post('/pipeline-actions', {
      ...{ name: 'Fluxo', pipelineId: shop.pipeline.id, stageId: shop.first?.id, actionType: 'flow' },
      ...{ chatFlowId: v7(), whatsappId: shop.connectionId },
    }),
  ).toMatchObject({ status: 422, body: { details: [{ path: 'chatFlowId' }] } })
  const { body: flow } = await as(shop.admin).post('/chat-flow', { name: 'Retomada', celularTeste: null })
  const at = { x: 0, y: 0 }
  const upserts = [{ ...blankNode('start', 'start', at), next: { next: 'fim' } }, blankNode('handOver', 'fim', at)]
  const draft = (await as(shop.admin).post(`/chat-flow/${flow.id}/draft`, { base: 1, upserts })).body
  expect(await as(shop.admin).post(`/chat-flow/${flow.id}/publish`, { revision: draft.revision })).toMatchObject({
    status: 200,
  })
  const free = await shop.opportunity('Livre', 4)
  const attended = await shop.opportunity('Atendida', 4)
  await createTicket(shop, { ...attended, connectionId: shop.connectionId, userId: shop.agent.id })
  await shop.action({ name: 'Retomar', actionType: 'flow', chatFlowId: flow.id, whatsappId: shop.connectionId })
  await shop.again()
  const turns = await shop.inTenant((tx) =>
    tx.db
      .select({ owner: schema.turns.owner, ownerId: schema.turns.ownerId, contactId: schema.tickets.contactId })
      .from(schema.turns)
      .innerJoin(schema.tickets, eq(schema.tickets.id, schema.turns.ticketId)),
  )
  expect(turns).toEqual([{ owner: 'flow', ownerId: flow.id, contactId: free.contactId }])
  const problems = (await shop.log()).map(({ contact, state, problem }) => [contact.name, state, problem])
  expect(problems.toSorted()).toEqual([
    ['Cliente de Atendida', 'skipped', 'Uma pessoa da equipe já atende este contato.'],
    ['Cliente de Livre', 'done', null],
  ])
})

test('a customer silent since our answer is met once in their silence; who speaks again is not', async () => {
  const shop = await company()
  const talk = async (name: string, hours: { in: number; out: number }) => {
    const contactId = await createContact(shop, { name })
    const ticketId = await createTicket(shop, { contactId, connectionId: shop.connectionId, userId: shop.agent.id })
    await shop.inTenant(async (tx) => {
      const at = (ago: number) => new Date(Date.now() - ago * 3_600_000)
      await tx.db
        .update(schema.tickets)
        .set({
          lastInboundAt: at(hours.in),
          lastMessageAt: at(hours.out),
          waitingSince: hours.out > hours.in ? at(hours.in) : null,
        })
        .where(eq(schema.tickets.id, ticketId))
    })
    return ticketId
  }
  const silent = await talk('Silenciosa', { in: 30, out: 29 })
  await talk('Respondida há pouco', { in: 30, out: 1 })
  await talk('Espera por nós', { in: 26, out: 30 })
  const { body: made } = await as(shop.admin).post('/ticket-actions', {
    ...{ name: 'Ainda está aí?', actionType: 'message', message: 'Posso ajudar em mais alguma coisa?', active: true },
    hoursWithoutResponse: 24,
  })
  expect(made.startedAt).toEqual(expect.any(String))
  // Silences that began before it was turned on are left alone, unless it says since when.
  expect((await as(shop.admin).get(`/ticket-actions/${made.id}/preview`)).body.total).toBe(0)
  await as(shop.admin).put(`/ticket-actions/${made.id}`, { startedAt: new Date(0).toISOString() })
  expect((await as(shop.admin).get(`/ticket-actions/${made.id}/preview`)).body).toMatchObject({
    total: 1,
    items: [{ ticketId: silent, contact: { name: 'Silenciosa' }, problem: null }],
  })
  await Promise.all([shop.again(), shop.again()])
  await shop.again()
  expect(await shop.messages()).toMatchObject([
    { ticketId: silent, body: 'Posso ajudar em mais alguma coisa?', author: { kind: 'rule', name: 'Ainda está aí?' } },
  ])
  expect(await shop.log('?kind=ticket')).toMatchObject([{ state: 'done', contact: { name: 'Silenciosa' } }])
  expect((await as(shop.admin).get('/ticket-actions/active/list')).body.items).toHaveLength(1)
  await as(shop.admin).put(`/ticket-actions/${made.id}/toggle-active`, { active: false })
  expect((await as(shop.admin).get('/ticket-actions/active/list')).body.items).toEqual([])
})

test('only who sets the funnel up sees and changes its actions', async () => {
  const shop = await company()
  expect((await as(shop.agent).get('/pipeline-actions')).status).toBe(403)
  expect((await as(shop.agent).get(`/pipeline-action-log/tenant/${shop.tenantId}`)).status).toBe(403)
  expect((await as(shop.supervisor).get('/ticket-actions')).status).toBe(200)
})
