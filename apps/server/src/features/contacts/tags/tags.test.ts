import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createContact, createTicket, withTenant, schema } = kit

test('tags stand in groups; those of a group that goes stay', async () => {
  const { admin } = await seedTenant()
  const group = (await as(admin).post('/tag-groups', { name: 'Origem', color: '#112233' })).body
  const made = await as(admin).post('/tags', { name: 'Feira', color: '#112233', groupId: group.id })
  expect(made).toMatchObject({ status: 201, body: { groupId: group.id } })
  expect((await as(admin).get(`/tags?groupId=${group.id}`)).body.items).toMatchObject([{ name: 'Feira' }])
  expect((await as(admin).post('/tags', { name: 'X', color: '#112233', groupId: v7() })).status).toBe(422)
  expect((await as(admin).delete(`/tag-groups/${group.id}`)).status).toBe(204)
  expect((await as(admin).get('/tags?groupId=none')).body.items).toMatchObject([{ name: 'Feira', groupId: null }])
})

test('uses are counted: contacts, and conversations that are not closed', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const { admin, tenantId } = tenant
  const tagId = (await as(admin).post('/tags', { name: 'VIP', color: '#112233' })).body.id
  await as(admin).post('/tags', { name: 'Sem uso', color: '#112233' })
  const contactId = await createContact(tenant)
  const tickets = [
    await createTicket(tenant, { contactId, queue: 'Vendas' }),
    await createTicket(tenant, { contactId, queue: 'Vendas', status: 'closed' }),
  ]
  await withTenant(tenantId, async ({ db }) => {
    await db.insert(schema.contactTags).values({ tenantId, contactId, tagId })
    await db.insert(schema.ticketTags).values(tickets.map((ticketId) => ({ tenantId, ticketId, tagId })))
  })
  expect((await as(admin).get('/tags/counts')).body.items).toEqual([{ id: tagId, contacts: 1, tickets: 1 }])
})

test('what the export wrote is read back unchanged; other lines make, change or say why not', async () => {
  const { admin } = await seedTenant()
  const group = (await as(admin).post('/tag-groups', { name: 'Origem', color: '#112233' })).body
  const names = ['=cmd', "'-aspas", 'Com; ponto', 'Ação 🎉']
  for (const name of names) await as(admin).post('/tags', { name, color: '#112233', groupId: group.id })
  await as(admin).post('/tags', { name: 'Velha', color: '#AABBCC', isActive: false })
  const file = (await as(admin).get('/tags/export.csv')).body as string
  const load = async (csv: string) => (await as(admin).post('/tags/import', { csv })).body
  expect(await load(file)).toEqual({ created: 0, changed: 0, same: 5, folders: [], refused: [] })

  const csv = 'Nome\tCor\tGrupo\nNova\t#00ff00\tCampanha\nvelha\t\t\nRuim\tverde\t\nnova\t\t\n'
  expect(await load(csv)).toEqual({
    created: 1,
    changed: 1,
    same: 0,
    folders: ['Campanha'],
    refused: [
      { line: 4, name: 'Ruim', reason: 'Escolha uma cor no formato #RRGGBB.' },
      { line: 5, name: 'nova', reason: 'Esta etiqueta aparece mais de uma vez no arquivo.' },
    ],
  })
  const { items } = (await as(admin).get('/tags')).body
  expect(items).toHaveLength(6)
  expect(items.find(({ name }: { name: string }) => name === 'velha')).toMatchObject({
    color: '#AABBCC',
    isActive: true,
  })
})

test('an older caller names a tag by `tag`', async () => {
  const { admin } = await seedTenant()
  const made = await as(admin).post('/tags', { tag: 'Feira', color: '#112233', isActive: true })
  expect(made).toMatchObject({ status: 201, body: { name: 'Feira', isActive: true } })
  expect(await as(admin).put(`/tags/${made.body.id}`, { tag: 'Salão' })).toMatchObject({ body: { name: 'Salão' } })
  expect((await as(admin).get('/tags?isActive=true')).body.items).toMatchObject([{ name: 'Salão' }])
})
