import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { loadAdapter } from '../src/channels/index.ts'
import { createJobs } from '../src/features/core/jobs/jobs.loop.ts'
import { startTestApp } from './kit.ts'
import { restoreAfter } from './restore.ts'

/** The calls under "Contacts", with the bodies that outside callers send. */
const { as, seedTenant, createContact, createConnection, createTicket, withTenant, schema } = await startTestApp()
const tenant = await seedTenant({ queues: ['Vendas'] })
const { admin, agent, supervisor } = tenant
const { run } = createJobs()
const finish = async () => {
  while ((await run()).did);
}
let last = 70_000_000
const newContact = async (more: object = {}) => {
  last += 1
  return (await as(admin).post('/contacts', { name: 'Maria', number: `119${last}`, ...more })).body
}

test('lists by tag and by stage', async () => {
  const tag = (await as(admin).post('/tags', { name: 'VIP', color: '#112233' })).body
  const lane = (await as(admin).post('/kanban', { name: 'Novo', color: '#112233' })).body
  const one = await newContact({ tagIds: [tag.id], kanban: lane.id })
  await newContact()
  for (const path of [
    `/contactsByTags?tags=${tag.id}`,
    `/contactsBySpecificTag?tagId=${tag.id}`,
    `/contactsBySpecificKanban?kanban=${lane.id}`,
  ])
    expect((await as(agent).get(path)).body.items).toMatchObject([{ id: one.id }])
  const columns = (await as(agent).get('/contactsTags')).body.columns
  expect(columns.find(({ id }: { id: string }) => id === tag.id)).toMatchObject({ total: 1, cards: [{ id: one.id }] })
  expect(await as(agent).get('/contactsBySpecificTag')).toMatchObject({ status: 422 })
})

test('a contact with conversations goes only by force, and with them', async () => {
  const one = await newContact()
  const ticketId = await createTicket(tenant, { contactId: one.id })
  expect(await as(admin).delete(`/contacts/${one.id}`)).toMatchObject({
    status: 409,
    body: { error: 'ERR_CONTACT_TICKETS_REGISTERED' },
  })
  expect(await as(supervisor).delete(`/contactsforce/${one.id}`)).toMatchObject({ status: 403 })
  expect(await as(admin).delete(`/contactsforce/${one.id}`)).toMatchObject({ status: 204 })
  expect(await as(admin).get(`/contacts/${one.id}`)).toMatchObject({ status: 404 })
  expect(await as(admin).get(`/tickets/${ticketId}`)).toMatchObject({ status: 404 })
})

test('one contact’s all becomes another’s', async () => {
  const [from, to] = [await newContact(), await newContact()]
  const ticketId = await createTicket(tenant, { contactId: from.id, queue: 'Vendas' })
  const moved = await as(supervisor).post('/contactMigrate', { contactId: from.id, newContactId: to.id })
  expect(moved).toMatchObject({ status: 200, body: { id: to.id } })
  expect((await as(admin).get(`/tickets/${ticketId}`)).body.contactId).toBe(to.id)
})

test('cards become contacts, once', async () => {
  const vcard =
    'BEGIN:VCARD\nVERSION:3.0\nFN:José Souza\nTEL;type=CELL;waid=5511988880001:+55 11 98888-0001\nEND:VCARD\n'
  const first = await as(agent).post('/contactVcard', { vcard: `${vcard}BEGIN:VCARD\nFN:Só nome\nEND:VCARD` })
  expect(first).toMatchObject({
    status: 200,
    body: { items: [{ isNew: true, contact: { name: 'José Souza', number: '5511988880001' } }] },
  })
  expect((await as(agent).post('/contactVcard', { vcard })).body.items).toMatchObject([{ isNew: false }])
  expect(await as(agent).post('/contactVcard', { vcard: 'oi' })).toMatchObject({ status: 422 })
})

test('what is missing in the contacts is counted', async () => {
  await createContact(tenant, { name: '+55 11 97777-0000', number: '551197777' })
  const scan = (await as(supervisor).get('/scanContacts')).body
  expect(scan).toMatchObject({ total: expect.any(Number), withoutName: 1, wrongPhone: 1 })
  expect(scan.withoutTag).toBeGreaterThan(1)
})

const telegram = await loadAdapter('telegram')
restoreAfter(telegram)
/** A channel whose phone knows these. */
const channelKnowing = (people: [name: string | null, phone: string][], groups: string[], name = 'Outro') => {
  const listed = people.map(([name, value]) => ({ name, identities: [{ kind: 'phone' as const, value }] }))
  const named = groups.map((name, n) => ({ name, identities: [{ kind: 'group' as const, value: `12036300000${n}` }] }))
  const numbers = async (asked: { numbers: string[] }) =>
    asked.numbers.map((number) => ({
      number,
      exists: true,
      identities: [{ kind: 'lid' as const, value: `77${number}` }],
    }))
  Object.assign(telegram, { phoneBook: async ({ of }: { of: string }) => (of === 'groups' ? named : listed), numbers })
  return createConnection(tenant, {
    kind: 'telegram',
    name: `Celular ${name} ${groups.length}`,
    config: { botToken: '7000000001:AAtoken-de-teste-0123456789' },
  })
}

test('the phone book of a channel becomes contacts, as an import that can be taken back', async () => {
  const known = await newContact({ name: 'Nome Digitado' })
  const whatsappId = await channelKnowing(
    [
      ['Outro nome', known.number],
      ['Da Agenda', '5511988880002'],
      [null, '5511988880003'],
    ],
    [],
    'Loja',
  )
  expect(await as(agent).post('/contacts/sync', { whatsappId })).toMatchObject({ status: 403 })
  const asked = await as(supervisor).post('/contacts/sync', { whatsappId })
  expect(asked).toMatchObject({
    status: 202,
    body: { source: 'phonebook', name: 'Agenda de Celular Loja 0', total: 3 },
  })
  await finish()
  const path = `/contacts/imports/${asked.body.id}`
  expect((await as(supervisor).get(path)).body).toMatchObject({ state: 'done', counts: { created: 2, same: 1 } })
  expect((await as(admin).get(`/contacts/${known.id}`)).body.name).toBe('Nome Digitado')
  expect((await as(admin).get('/contactsNumber/5511988880002')).body.items).toMatchObject([{ name: 'Da Agenda' }])
  await as(supervisor).post(`${path}/undo`)
  await finish()
  expect((await as(admin).get('/contactsNumber/5511988880002')).body.items).toEqual([])
  expect(await as(supervisor).post('/contacts/sync', { whatsappId: await createConnection(tenant) })).toMatchObject({
    status: 422,
  })
})

test('the groups of a channel become known by their names', async () => {
  const whatsappId = await channelKnowing([], ['Família', 'Condomínio'])
  expect(await as(supervisor).post('/groups/sync', { whatsappId })).toMatchObject({
    status: 200,
    body: { created: 2, known: 0 },
  })
  expect((await as(supervisor).post('/groups/sync', { whatsappId })).body).toEqual({ created: 0, known: 2 })
  expect((await as(admin).get('/contacts?searchParam=Condom')).body.items).toMatchObject([
    { name: 'Condomínio', isGroup: true },
  ])
})

test('a contact’s hidden id is asked of a channel, and its picture asked for or taken away', async () => {
  const whatsappId = await channelKnowing([], [])
  const one = await newContact()
  const updated = await as(agent).put(`/contactsUpdateLid/${one.id}`, { whatsappId })
  expect(updated.body.identities).toContainEqual({ kind: 'lid', value: `77${one.number}` })
  Object.assign(telegram, { profile: async () => ({}) })
  expect(await as(agent).post('/contactsShowProfilePicture', { contactId: one.id, whatsappId })).toMatchObject({
    status: 202,
  })
  await withTenant(tenant.tenantId, ({ db }) =>
    db.update(schema.contacts).set({ profilePicUrl: '/api/pictures/x' }).where(eq(schema.contacts.id, one.id)),
  )
  expect(await as(agent).put(`/contactsRemovePicture/${one.id}`)).toMatchObject({
    status: 200,
    body: { profilePicUrl: null },
  })
})
