import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { createJobs } from '../../core/jobs/jobs.loop.ts'
import { runStep } from '../../core/jobs/run-step.ts'
import { sweepJobs } from '../../core/jobs/sweep.ts'

const { run: runJobs } = createJobs()
const { as, seedTenant, createContact, schema, withTenant } = await startTestApp()

type User = { token: string }
const finish = async () => {
  while ((await runJobs()).did);
}
const jobOf = async (user: User, id: string) => (await as(user).get(`/bulkJobs/${id}`)).body

const company = async () => {
  const tenant = await seedTenant()
  const me = as(tenant.admin)
  const tag = async (name: string): Promise<string> => (await me.post('/tags', { name, color: '#112233' })).body.id
  const lane = async (name: string): Promise<string> => (await me.post('/kanban', { name, color: '#112233' })).body.id
  const [vip, old] = [await tag('VIP'), await tag('Antigo')]
  const add = (name: string, more: object = {}) => createContact(tenant, { name, ...more })
  const contact = async (id: string) => (await me.get(`/contacts/${id}`)).body
  const change = (user: User, body: object) => as(user).post('/contacts/change', body)
  return { ...tenant, me, lane, vip, old, add, contact, change }
}

test('all of a segment get a tag, step by step; undone, those who had it before keep it', async () => {
  const { admin, agent, tenantId, me, vip, old, contact, change } = await company()
  await withTenant(tenantId, ({ db }) =>
    db
      .insert(schema.contacts)
      .values(
        Array.from({ length: 1_200 }, (_, n) => ({ tenantId, id: v7(), name: n % 2 ? `Loja ${n}` : `Pessoa ${n}` })),
      ),
  )
  const ids = (await withTenant(tenantId, ({ db }) => db.select().from(schema.contacts))).map(({ id }) => id)
  const shops = (await me.get('/contacts?searchParam=loja&limit=200')).body.items as { id: string }[]
  const before = shops[0]?.id ?? ''
  await me.put(`/contacts/${before}`, { tagIds: [vip, old] })
  const rules = { match: 'all', rules: [{ field: 'name', op: 'contains', value: 'Loja' }] }
  const segment = (await me.post('/segments', { name: 'Lojas', isShared: true, rules })).body
  const asked = { segmentId: segment.id, action: { kind: 'addContactTags', tagIds: [vip] } }
  expect(await change(agent, asked)).toMatchObject({ status: 403 })
  const { id } = (await change(admin, asked)).body
  await runStep(tenantId, id)
  // It goes on by the rules it was asked with.
  expect(await me.delete(`/segments/${segment.id}`)).toMatchObject({ status: 204 })
  expect(await jobOf(admin, id)).toMatchObject({ state: 'running', total: 600, done: 500, canUndo: false })
  await finish()
  const job = await jobOf(admin, id)
  expect(job).toMatchObject({ state: 'done', done: 600, canUndo: true, hasResult: false })
  expect(job.subject).toBe('Adicionar etiquetas ao contato: VIP')
  const countOf = async (tagId: string) => (await me.get(`/contacts?tagIds=${tagId}&count=true&limit=1`)).body.count
  expect(await countOf(vip)).toBe(600)
  expect((await contact(before)).tags).toHaveLength(2)
  expect(ids).toHaveLength(1_200)
  expect((await me.get('/audit?entity=contact')).body.items[0]).toMatchObject({ action: 'bulk.changeContacts' })
  expect(await me.get(`/bulkJobs/${id}/result`)).toMatchObject({ status: 404 })

  expect(await as(agent).post(`/bulkJobs/${id}/undo`)).toMatchObject({ status: 404 })
  const undo = await me.post(`/bulkJobs/${id}/undo`)
  expect(undo).toMatchObject({ status: 202, body: { kind: 'undoContactsChange' } })
  expect(await me.post(`/bulkJobs/${id}/undo`)).toMatchObject({ status: 409 })
  await finish()
  expect(await jobOf(admin, undo.body.id)).toMatchObject({ state: 'done', done: 599, canUndo: false })
  expect(await countOf(vip)).toBe(1)
  expect((await contact(before)).tags).toHaveLength(2)
})

test('the chosen go to a stage, and back to where each was; who moved on stays there', async () => {
  const { admin, me, lane, add, contact, change } = await company()
  const [first, client, lost] = [await lane('Novo'), await lane('Cliente'), await lane('Perdido')]
  const [ana, bia, caio] = [await add('Ana'), await add('Bia'), await add('Caio')]
  await me.put(`/contacts/${ana}`, { kanban: first })
  const contactIds = [ana, bia, caio, v7()]
  const { id } = (await change(admin, { contactIds, action: { kind: 'lane', laneId: client } })).body
  await finish()
  expect(await jobOf(admin, id)).toMatchObject({ state: 'done', total: 4, done: 3, failed: 1, canUndo: true })
  expect((await me.get(`/bulkJobs/${id}/refusals`)).body).toMatchObject([{ reason: 'Contato não encontrado.' }])
  expect((await contact(ana)).kanban).toBe(client)
  await me.put(`/contacts/${caio}`, { kanban: lost })
  await me.post(`/bulkJobs/${id}/undo`)
  await finish()
  expect([(await contact(ana)).kanban, (await contact(bia)).kanban, (await contact(caio)).kanban]).toEqual([
    first,
    null,
    lost,
  ])
})

test('tags and owners go and come back; what does not exist is refused, and after a week nothing is undone', async () => {
  const { admin, agent, tenantId, me, vip, old, add, contact, change } = await company()
  const ana = await add('Ana')
  await me.put(`/contacts/${ana}`, { tagIds: [vip], walletIds: [admin.id] })
  const run = async (action: object): Promise<string> => {
    const { id } = (await change(admin, { contactIds: [ana], action })).body
    await finish()
    return id
  }
  const undo = async (id: string) => {
    await me.post(`/bulkJobs/${id}/undo`)
    await finish()
  }
  const now = async () => {
    const { tags, wallets } = await contact(ana)
    return [tags, wallets].map((rows: { id: string }[]) => rows.map(({ id }) => id))
  }
  const untagged = await run({ kind: 'removeContactTags', tagIds: [vip, old] })
  const given = await run({ kind: 'wallet', userId: agent.id })
  const taken = await run({ kind: 'removeWallet', userId: admin.id })
  expect(await now()).toEqual([[], [agent.id]])
  for (const id of [taken, given, untagged]) await undo(id)
  expect(await now()).toEqual([[vip], [admin.id]])

  const wrong = { contactIds: [ana], action: { kind: 'lane', laneId: v7() } }
  expect(await change(admin, wrong)).toMatchObject({ status: 422, body: { details: [{ path: 'action.laneId' }] } })
  expect(await change(admin, { contactIds: [ana], action: { kind: 'close', reasonId: null } })).toMatchObject({
    status: 422,
  })
  const late = await run({ kind: 'addContactTags', tagIds: [old] })
  const weekAgo = new Date(Date.now() - 8 * 24 * 3_600_000)
  await withTenant(tenantId, ({ db }) =>
    db.update(schema.bulkJobs).set({ finishedAt: weekAgo }).where(eq(schema.bulkJobs.id, late)),
  )
  await sweepJobs()
  expect(await jobOf(admin, late)).toMatchObject({ canUndo: false })
  expect(await me.post(`/bulkJobs/${late}/undo`)).toMatchObject({ status: 409 })
})
