import type { Action } from '@balcao/contract/conversations/actions/index.ts'
import { blankAction } from '@balcao/contract/conversations/actions/index.ts'
import type { Opportunity } from '@balcao/contract/sales/opportunities.ts'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createContact, createTicket, withTenant, schema } = kit
const { runActions } = await import('../../conversations/actions/run-actions.ts')

const company = async () => {
  const tenant = await seedTenant({ queues: ['Vendas'], agentIn: ['Vendas'] })
  const post = async (path: string, body: object) => (await as(tenant.admin).post(path, body)).body
  const pipeline = await post('/pipelines', { name: 'Vendas' })
  const stages = (await as(tenant.admin).get('/stages')).body.items as { id: string; name: string }[]
  const stageId = (name: string) => stages.find((one) => one.name === name)?.id ?? ''
  const contactId = await createContact(tenant, { name: 'Padaria Sol' })
  const ticketId = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id, contactId })
  const create = (more: object = {}) => ({ ...blankAction('opportunity'), stageId: stageId('Novo'), ...more }) as Action
  const run = async (actions: Action[], runId = v7(), who = tenant.agent) => {
    const macro = await as(who).post('/macros', { name: v7(), actions })
    if (macro.status !== 201) return { problems: macro.body.details }
    return (await as(who).post(`/macros/${macro.body.id}/run`, { ticketId, runId })).body
  }
  const all = async () =>
    (await as(tenant.admin).get('/opportunities?sort=createdAt&direction=asc')).body.items as Opportunity[]
  const lines = async () =>
    (
      await withTenant(tenant.tenantId, (tx) =>
        tx.db.select().from(schema.messages).where(eq(schema.messages.ticketId, ticketId)).orderBy(schema.messages.seq),
      )
    ).map(({ body }) => body)
  return { ...tenant, pipeline, stageId, contactId, ticketId, post, create, run, all, lines }
}

test('an opportunity of the customer is created, moved and won from the conversation', async () => {
  const { agent, contactId, pipeline, stageId, create, run, all, lines } = await company()
  const created = create({ name: 'Pedido de {{name}}', value: 'R$ 1.250,50', forecastDays: 7, source: 'WhatsApp' })
  expect(await run([created])).toEqual({ done: 1, total: 1, refused: null })
  const [made] = await all()
  expect(made).toMatchObject({
    ...{ name: 'Pedido de Padaria Sol', value: 125_050, source: 'WhatsApp', contactId, stageId: stageId('Novo') },
    ...{ responsible: { id: agent.id }, createdBy: { id: agent.id }, status: 'open', pipelineId: pipeline.id },
  })
  expect(made?.closingForecast).toMatch(/^\d{4}-\d\d-\d\d$/)
  // One is enough, unless another is asked for; the same run again is the same one.
  await run([created])
  expect(await all()).toHaveLength(1)
  await run([create({ name: 'Outra', ifOpen: 'create' })])
  expect((await all()).map(({ name }) => name)).toEqual(['Pedido de Padaria Sol', 'Outra'])
  await run([
    { kind: 'moveOpportunity', stageId: stageId('Proposta') },
    { kind: 'winOpportunity', pipelineId: pipeline.id, reasonId: null },
  ])
  await run([{ kind: 'loseOpportunity', pipelineId: null, reasonId: null }])
  expect(await all()).toMatchObject([
    { status: 'lose', stageId: stageId('Novo') },
    { status: 'win', stageId: stageId('Proposta') },
  ])
  expect(await lines()).toEqual([
    `${agent.name} criou a oportunidade “Pedido de Padaria Sol” em Novo.`,
    `${agent.name} criou a oportunidade “Outra” em Novo.`,
    `${agent.name} levou a oportunidade “Outra” para Proposta.`,
    `${agent.name} ganhou a oportunidade “Outra”.`,
    `${agent.name} perdeu a oportunidade “Pedido de Padaria Sol”.`,
  ])
})

test('what is missing is told when it is put together, and when it is done', async () => {
  const { admin, post, pipeline, stageId, create, run, all } = await company()
  const gone = v7()
  expect((await run([create({ stageId: gone })])).problems).toMatchObject([
    { path: 'actions.0.stageId', message: 'A etapa escolhida não existe mais.' },
  ])
  expect((await run([create({ value: 'caro' })])).problems).toMatchObject([
    { path: 'actions.0.value', message: 'Escreva um valor em reais, como 1.250,00.' },
  ])
  expect(await run([{ kind: 'moveOpportunity', stageId: stageId('Proposta') }])).toMatchObject({
    done: 0,
    refused: { message: 'O contato não tem oportunidade em aberto neste funil.' },
  })
  expect(await run([create({ value: '{{businessName}} x' })])).toMatchObject({
    refused: { message: '“x” não é um valor em reais.' },
  })
  await post('/opportunity-reasons', { name: 'Preço', outcome: 'lose' })
  expect((await run([{ kind: 'loseOpportunity', pipelineId: null, reasonId: null }])).problems).toMatchObject([
    { path: 'actions.0.reasonId', message: 'Diga por que foi perdida.' },
  ])
  const proposal = (await as(admin).get(`/stages/${stageId('Proposta')}`)).body
  await as(admin).put(`/stages/${proposal.id}`, { ...proposal, pipelineId: pipeline.id, requires: ['value'] })
  expect(await run([create({ stageId: proposal.id })])).toMatchObject({
    refused: { message: 'Valor: preencha para entrar em “Proposta”.' },
  })
  expect(await all()).toEqual([])
})

test('who is no person does it in its own name; a person moves what they see', async () => {
  const { tenantId, admin, ticketId, stageId, create, run, all } = await company()
  kit.invalidateDirectory(tenantId)
  const { getDirectory } = await import('../../core/directory/directory.ts')
  const directory = await getDirectory(tenantId)
  const author = { kind: 'flow' as const, id: v7(), name: 'Orçamento' }
  const asFlow = (actions: Action[], grants: Action['kind'][], runId = v7()) =>
    withTenant(tenantId, (tx) =>
      runActions(tx, {
        ...{ directory, ticketId, actions, runId, vars: { total: '99,90' } },
        by: { author, actor: null, grants: new Set(grants) },
      }),
    )
  const made = create({ value: '{{var.total}}', responsibleId: admin.id, ifOpen: 'create' })
  expect(await asFlow([made], [])).toMatchObject({ done: 0, refused: { step: 1 } })
  expect(await asFlow([made], ['opportunity'])).toMatchObject({ done: 1, refused: null })
  expect(await all()).toMatchObject([{ value: 9_990, createdBy: null, responsible: { id: admin.id } }])
  await as(admin).put('/settings', { privacidadeFunil: true })
  kit.invalidateDirectory(tenantId)
  const move: Action = { kind: 'moveOpportunity', stageId: stageId('Contato') }
  expect(await run([move])).toMatchObject({
    refused: { message: 'O contato não tem oportunidade em aberto neste funil.' },
  })
  expect(await run([move], v7(), admin)).toMatchObject({ done: 1 })
})
