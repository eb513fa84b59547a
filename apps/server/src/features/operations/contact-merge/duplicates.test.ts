import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { createJobs } from '../../core/jobs/jobs.loop.ts'
import { findDuplicates } from './duplicates.loop.ts'

const { as, seedTenant, createContact, createConnection, createTicket, schema, withTenant } = await startTestApp()
const { run: runJobs } = createJobs()
const runAll = async () => {
  while ((await runJobs()).did);
  await compare()
}
const compare = async () => {
  while ((await findDuplicates()).did);
}
type Tenant = Awaited<ReturnType<typeof seedTenant>>
type Values = Partial<typeof schema.contacts.$inferInsert>
const add = async (tenant: Tenant, name: string, { number, ...values }: Values = {}) => {
  const id = await createContact(tenant, { name, number: number ?? undefined })
  if (Object.keys(values).length) await change(tenant, id, values)
  return id
}
const change = (tenant: Tenant, id: string, values: Values) =>
  withTenant(tenant.tenantId, ({ db }) => db.update(schema.contacts).set(values).where(eq(schema.contacts.id, id)))
const pairs = async (tenant: Tenant, query = '') => {
  await compare()
  return (await as(tenant.supervisor).get(`/contacts/duplicates${query}`)).body.items as {
    a: { id: string; name: string }
    b: { id: string; name: string }
    reasons: string[]
    user: { name: string } | null
  }[]
}
const named = async (tenant: Tenant, query = '') =>
  (await pairs(tenant, query)).map(({ a, b, reasons }) => [a.name, b.name, ...reasons])

test('alike are: document, e-mail, phone but for its ninth digit, name with birthday or company; and nothing less', async () => {
  const tenant = await seedTenant()
  const other = await seedTenant()
  await add(tenant, 'Doc um', { document: '52998224725' })
  await add(tenant, 'Doc dois', { document: '52998224725' })
  await add(tenant, 'Mail um', { email: 'x@exemplo.com' })
  const mail = await add(tenant, 'Mail dois')
  await add(tenant, 'Fixo', { number: '541151234567' })
  await add(tenant, 'Celular', { number: '5491151234567' })
  await add(tenant, 'João Lima', { number: '5511987650011' })
  await add(tenant, 'Joao L.', { number: '5521987650011' })
  await add(tenant, 'Rita', { number: '5531987650011' })
  await add(tenant, 'Ana Reis', { birthdayDate: '1990-02-28' })
  await add(tenant, 'ANA REIS', { birthdayDate: '1990-02-28' })
  await add(tenant, 'Ana Reis', { businessName: 'Padaria' })
  await add(tenant, 'Ana Reis', { businessName: 'padaria' })
  await add(tenant, 'Ana Reis', { birthdayDate: '1991-02-28' })
  await add(other, 'Doc de outra empresa', { document: '52998224725' })
  await withTenant(tenant.tenantId, ({ db }) =>
    db
      .insert(schema.contactIdentities)
      .values({ tenantId: tenant.tenantId, kind: 'email', value: 'x@exemplo.com', contactId: mail }),
  )
  expect((await named(tenant)).toSorted()).toEqual([
    ['Ana Reis', 'ANA REIS', 'birthday'],
    ['Ana Reis', 'Ana Reis', 'company'],
    ['Doc um', 'Doc dois', 'document'],
    ['Fixo', 'Celular', 'phone'],
    ['João Lima', 'Joao L.', 'phone'],
    ['Mail um', 'Mail dois', 'email'],
  ])
  expect(await named(tenant, '?reasons=email')).toHaveLength(1)
  expect((await as(tenant.agent).get('/contacts/duplicates')).status).toBe(403)
  const first = (await as(tenant.supervisor).get('/contacts/duplicates?limit=4&count=true')).body
  expect(first.count).toBe(6)
  expect(
    (await as(tenant.supervisor).get(`/contacts/duplicates?limit=4&cursor=${first.nextCursor}`)).body.items,
  ).toHaveLength(2)
})

test('what no longer makes them alike is suggested no more', async () => {
  const tenant = await seedTenant()
  await add(tenant, 'Um', { email: 'x@exemplo.com' })
  const two = await add(tenant, 'Dois', { email: 'x@exemplo.com' })
  expect(await named(tenant)).toEqual([['Um', 'Dois', 'email']])
  await change(tenant, two, { email: 'y@exemplo.com' })
  expect(await named(tenant)).toEqual([])
})

test('kept apart they stay so until somebody takes it back; so do two who were made two again', async () => {
  const tenant = await seedTenant()
  const [one, two] = [
    await add(tenant, 'Um', { email: 'x@exemplo.com' }),
    await add(tenant, 'Dois', { email: 'x@exemplo.com' }),
  ]
  await pairs(tenant)
  const me = as(tenant.supervisor)
  const both = { pairs: [{ aId: two, bId: one }] }
  expect((await me.post('/contacts/duplicates/apart', both)).status).toBe(204)
  await change(tenant, two, { document: '52998224725' })
  expect(await named(tenant)).toEqual([])
  expect(await pairs(tenant, '?state=apart')).toMatchObject([{ a: { id: one }, user: { name: 'Bruna Lima' } }])
  expect((await me.post('/contacts/duplicates/suggest', both)).status).toBe(204)
  expect(await named(tenant)).toEqual([['Um', 'Dois', 'email']])

  await me.post(`/contacts/${one}/merge`, { otherId: two })
  expect(await named(tenant)).toEqual([])
  const [merge] = (await me.get(`/contacts/${one}/merges`)).body.items
  await me.post(`/contact-merges/${merge.id}/undo`)
  expect(await named(tenant)).toEqual([])
  expect(await named(tenant, '?state=apart')).toHaveLength(1)
})

test('many at once by a rule: the older stays; who is being attended to twice is told of; each can be undone', async () => {
  const tenant = await seedTenant()
  const email = 'x@exemplo.com'
  const [one, two, three] = [
    await add(tenant, 'Um', { email }),
    await add(tenant, 'Dois', { email }),
    await add(tenant, 'Três', { email }),
  ]
  const [four, five] = [
    await add(tenant, 'Quatro', { document: '52998224725' }),
    await add(tenant, 'Cinco', { document: '52998224725' }),
  ]
  const connectionId = await createConnection(tenant)
  for (const contactId of [four, five]) await createTicket(tenant, { contactId, connectionId })
  expect(await pairs(tenant)).toHaveLength(4)
  const me = as(tenant.supervisor)
  const job = await me.post('/contacts/duplicates/merge', { keep: 'older' })
  expect(job).toMatchObject({ status: 202, body: { total: 4 } })
  await runAll()
  expect((await me.get(`/bulkJobs/${job.body.id}`)).body).toMatchObject({ state: 'done', failed: 1 })
  const merged = await withTenant(tenant.tenantId, ({ db }) => db.select().from(schema.contacts))
  const into = new Map(merged.map((row) => [row.id, row.mergedIntoId]))
  expect([one, two, three, four, five].map((id) => into.get(id))).toEqual([null, one, one, null, null])
  expect(await named(tenant)).toEqual([['Quatro', 'Cinco', 'document']])
})

test('a whole merge by a rule is taken back at once, chains too, and they are suggested again', async () => {
  const tenant = await seedTenant()
  const people: string[] = []
  for (let n = 0; n < 7; n += 1)
    people.push(await add(tenant, `Nome ${n}`, { email: 'x@exemplo.com', number: `551198765${1000 + n}` }))
  const connectionId = await createConnection(tenant)
  const ticketId = await createTicket(tenant, { contactId: people[0] ?? '', connectionId })
  const suggestions = await named(tenant)
  expect(suggestions).toHaveLength(21)
  const standing = () =>
    withTenant(tenant.tenantId, async ({ db }) => {
      const rows = await db.select().from(schema.contacts).orderBy(schema.contacts.id)
      const [ticket] = await db.select().from(schema.tickets).where(eq(schema.tickets.id, ticketId))
      const people = rows.map(({ id, name, number, email, mergedIntoId }) => ({
        id,
        name,
        number,
        email,
        mergedIntoId,
      }))
      return { people, ticketOf: ticket?.contactId }
    })
  const before = await standing()
  const me = as(tenant.supervisor)
  const { id } = (await me.post('/contacts/duplicates/merge', { keep: 'newer' })).body
  await runAll()
  expect((await me.get(`/bulkJobs/${id}`)).body).toMatchObject({ state: 'done', failed: 0, canUndo: true })
  expect((await standing()).people.filter(({ mergedIntoId }) => !mergedIntoId)).toHaveLength(1)
  expect((await standing()).ticketOf).not.toBe(people[0])

  expect(await as(tenant.agent).post(`/bulkJobs/${id}/undo`)).toMatchObject({ status: 404 })
  const undo = await me.post(`/bulkJobs/${id}/undo`)
  expect(undo).toMatchObject({ status: 202, body: { kind: 'undoMergeContacts', total: 6 } })
  expect(await me.post(`/bulkJobs/${id}/undo`)).toMatchObject({ status: 409 })
  await runAll()
  expect((await me.get(`/bulkJobs/${undo.body.id}`)).body).toMatchObject({
    ...{ state: 'done', total: 6, done: 6, failed: 0, canUndo: false },
  })
  expect(await standing()).toEqual(before)
  expect((await named(tenant)).toSorted()).toEqual(suggestions.toSorted())
  expect((await as(tenant.admin).get('/audit?entity=bulkJob')).body.items).toContainEqual(
    expect.objectContaining({ action: 'job.undone' }),
  )
})

test('of a merge that is taken back, who came back alone stays so, and who is part of another by now is told of', async () => {
  const tenant = await seedTenant()
  const two = async (document: string) => [
    await add(tenant, 'Fica', { document }),
    await add(tenant, 'Vai', { document }),
  ]
  const [first, alone] = await two('52998224725')
  const [second] = await two('11144477735')
  await pairs(tenant)
  const me = as(tenant.supervisor)
  const { id } = (await me.post('/contacts/duplicates/merge', { keep: 'older' })).body
  await runAll()
  const [byHand] = (await me.get(`/contacts/${first}/merges`)).body.items
  expect(await me.post(`/contact-merges/${byHand.id}/undo`)).toMatchObject({ status: 200 })
  const other = await add(tenant, 'Outra')
  await me.post(`/contacts/${other}/merge`, { otherId: second })
  const undo = (await me.post(`/bulkJobs/${id}/undo`)).body
  await runAll()
  expect((await me.get(`/bulkJobs/${undo.id}`)).body).toMatchObject({ state: 'done', done: 1, failed: 1 })
  expect((await me.get(`/bulkJobs/${undo.id}/refusals`)).body).toMatchObject([
    { reason: 'O contato que ficou foi unido depois a outro. Desfaça aquela união antes.', count: 1 },
  ])
  expect(await pairs(tenant, '?state=apart')).toMatchObject([{ a: { id: first }, b: { id: alone } }])
})

test('the newer or the fuller one stays where that is the rule; older calls do the same', async () => {
  const tenant = await seedTenant()
  const [one, two] = [
    await add(tenant, 'Um', { email: 'a@exemplo.com', notes: 'Com nota', businessName: 'Padaria' }),
    await add(tenant, 'Dois', { email: 'a@exemplo.com' }),
  ]
  await pairs(tenant)
  const me = as(tenant.supervisor)
  await me.post('/contacts/duplicates/merge', { keep: 'complete', pairs: [{ aId: one, bId: two }] })
  await runAll()
  expect((await me.get(`/contacts/${one}/merges`)).body.items).toHaveLength(1)

  const [three, four] = [
    await add(tenant, 'Fixo', { number: '541151234567' }),
    await add(tenant, 'Celular', { number: '5491151234567' }),
  ]
  await compare()
  expect((await me.post('/contactsGroupDuplicate', { keep: 'newer' })).status).toBe(202)
  await runAll()
  expect((await me.get(`/contacts/${four}/merges`)).body.items).toMatchObject([{ merged: { id: three } }])
  expect((await me.post('/contactsDeleteDuplicate')).body).toMatchObject({ kind: 'mergeContacts', total: 0 })
})

test('an e-mail a hundred people gave is no hundred times a hundred pairs', async () => {
  const tenant = await seedTenant()
  await withTenant(tenant.tenantId, ({ db }) =>
    db
      .insert(schema.contacts)
      .values(
        Array.from({ length: 100 }, (_, n) => ({ tenantId: tenant.tenantId, name: `Nome ${n}`, email: 'nao@tem.com' })),
      ),
  )
  await compare()
  expect((await as(tenant.supervisor).get('/contacts/duplicates?count=true')).body.count).toBe(49)
})
