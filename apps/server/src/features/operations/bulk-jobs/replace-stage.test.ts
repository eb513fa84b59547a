import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { type OutboxEvent, onCommittedEvents } from '../../../kit/outbox.ts'
import { createJobs } from '../../core/jobs/jobs.loop.ts'

const { run: runJobs } = createJobs()
const { as, seedTenant, createUser, createContact } = await startTestApp()
const events: OutboxEvent[] = []
onCommittedEvents((committed) => events.push(...committed))
const finish = async () => {
  while ((await runJobs()).did);
}

type Row = { id: string; name: string }
const seed = async () => {
  const tenant = await seedTenant()
  const me = as(tenant.admin)
  const makePipeline = async (name: string) => {
    const { id } = (await me.post('/pipelines', { name })).body as Row
    const { items } = (await me.get(`/stages?pipelineId=${id}&sort=position`)).body as { items: Row[] }
    return { id, stages: items }
  }
  const contactId = await createContact(tenant, { name: 'Padaria Sol' })
  const make = async (name: string, stageId: string | undefined, more: object = {}) =>
    (await me.post('/opportunities', { name, stageId, contactId, ...more })).body as Row
  const boardOf = async (pipelineId: string) =>
    (
      (await me.get(`/opportunities/board?pipelineId=${pipelineId}`)).body.columns as {
        stageId: string
        cards: Row[]
      }[]
    ).map(({ stageId, cards }) => [stageId, cards.map(({ name }) => name)])
  return { tenant, me, makePipeline, make, boardOf }
}

test('a stage gives its opportunities, open and closed, to another in their order, and goes', async () => {
  const { tenant, me, makePipeline, make, boardOf } = await seed()
  const { id, stages } = await makePipeline('Vendas')
  const [first, second, third] = stages
  await me.put(`/stages/${second?.id}`, { requires: ['value'] })
  await make('C', first?.id)
  const card = await make('B', first?.id)
  await make('A', first?.id)
  await make('Já lá', second?.id, { value: 100 })
  const closed = await make('Perdida', first?.id)
  await me.put(`/opportunities/${closed.id}`, { status: 'lose' })
  const before = (await me.get(`/opportunities/${closed.id}`)).body
  const leads = { actionType: 'stage_change', daysToTrigger: 3, active: true, pipelineId: id, targetStageId: first?.id }
  const elsewhere = (await me.post('/pipeline-actions', { ...leads, name: 'Volta', stageId: third?.id })).body
  const toItself = (await me.post('/pipeline-actions', { ...leads, name: 'Recua', stageId: second?.id })).body
  const opportunity = { name: '{{name}}', value: null, responsibleId: null, forecastDays: null, description: null }
  const actions = [{ kind: 'opportunity', ...opportunity, stageId: first?.id, source: null, ifOpen: 'keep' }]
  const macro = (await me.post('/macros', { name: 'Nova venda', scope: 'everyone', actions })).body

  expect((await me.delete(`/stages/${first?.id}`)).status).toBe(409)
  expect((await me.get(`/stages/${first?.id}/uses`)).body).toEqual({ open: 3, closed: 1 })
  expect((await me.post(`/stages/${first?.id}/replace`, { stageId: first?.id })).status).toBe(422)
  events.length = 0
  const asked = await me.post(`/stages/${first?.id}/replace`, { stageId: second?.id })
  expect(asked).toMatchObject({ status: 202, body: { kind: 'replaceStage', total: 4 } })
  await finish()

  expect((await me.get(`/bulkJobs/${asked.body.id}`)).body).toMatchObject({ state: 'done', done: 4, failed: 0 })
  expect((await me.get(`/stages/${first?.id}`)).status).toBe(404)
  expect((await boardOf(id))[0]).toEqual([second?.id, ['Já lá', 'A', 'B', 'C']])
  const after = (await me.get(`/opportunities/${closed.id}`)).body
  expect(after).toMatchObject({ stageId: second?.id, stageSince: before.stageSince, version: before.version + 1 })
  const told = (await me.get(`/opportunities/${closed.id}/timeline`)).body[0]
  expect(told).toMatchObject({ kind: 'note', to: 'A etapa “Novo” foi excluída: passou a “Contato”.' })
  const story = (await me.get(`/opportunities/${card.id}/timeline`)).body
  expect(story[0]).toMatchObject({ kind: 'stage', to: 'Contato', user: { id: tenant.admin.id } })
  const names = events.map(({ name }) => name)
  expect(names.filter((name) => name === 'opportunity.updated')).toHaveLength(4)
  expect(names).toContain('stage.deleted')

  // What was set up follows; what would lead to where it begins is off.
  expect((await me.get(`/pipeline-actions/${elsewhere.id}`)).body).toMatchObject({ targetStageId: second?.id })
  const off = (await me.get(`/pipeline-actions/${toItself.id}`)).body
  expect(off).toMatchObject({ targetStageId: null, active: false })
  expect((await me.get(`/macros/${macro.id}`)).body.actions).toMatchObject([{ stageId: second?.id }])
  const trail = (await me.get(`/audit?entityId=${first?.id}`)).body.items as { action: string }[]
  expect(trail.map(({ action }) => action).slice(0, 2)).toEqual(['stage.deleted', 'bulk.replaceStage'])
})

test('a pipeline goes with all its stages; who may not build the funnel, and strangers, do nothing', async () => {
  const { tenant, me, makePipeline, make, boardOf } = await seed()
  const other = await seedTenant()
  const [old, next] = [await makePipeline('Antigo'), await makePipeline('Novo')]
  await make('Um', old.stages[0]?.id)
  await make('Dois', old.stages[2]?.id)
  const body = { stageId: next.stages[1]?.id }
  const agent = await createUser(tenant.tenantId, { profile: 'user' })
  expect((await as(agent).post(`/pipelines/${old.id}/replace`, body)).status).toBe(403)
  expect((await as(other.admin).post(`/pipelines/${old.id}/replace`, body)).status).toBe(404)
  expect((await me.post(`/pipelines/${old.id}/replace`, { stageId: old.stages[1]?.id })).status).toBe(422)
  expect((await me.post(`/pipelines/${old.id}/replace`, body)).status).toBe(202)
  await finish()
  expect((await me.get(`/pipelines/${old.id}`)).status).toBe(404)
  expect((await boardOf(next.id))[1]).toEqual([body.stageId, expect.arrayContaining(['Um', 'Dois'])])
})

test('where the stage that was to take them goes first, they stay', async () => {
  const { me, makePipeline, make } = await seed()
  const { stages } = await makePipeline('Vendas')
  const [first, second] = stages
  await make('Fica', first?.id)
  const { body } = await me.post(`/stages/${first?.id}/replace`, { stageId: second?.id })
  await me.delete(`/stages/${second?.id}`)
  await finish()
  expect((await me.get(`/bulkJobs/${body.id}`)).body).toMatchObject({
    ...{ state: 'failed', error: expect.stringContaining('foi excluída') },
  })
  expect((await me.get(`/stages/${first?.id}/uses`)).body).toEqual({ open: 1, closed: 0 })
})
