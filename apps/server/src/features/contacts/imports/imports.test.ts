import { and, eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp, type TestUser } from '../../../../test/kit.ts'
import { type OutboxEvent, onCommittedEvents } from '../../../kit/outbox.ts'
import { createJobs } from '../../core/jobs/jobs.loop.ts'
import { runStep } from '../../core/jobs/run-step.ts'
import { sweepImports } from './sweep.ts'

const kit = await startTestApp()
const { app, as, seedTenant, createContact, createTicket, schema, withTenant, withPlatform } = kit
const { run: runJobs } = createJobs()
const finish = async () => {
  while ((await runJobs()).did);
}
const events: OutboxEvent[] = []
onCommittedEvents((committed) => events.push(...committed))

const upload = async (user: TestUser, content: string | Buffer, { name = 'clientes.csv', query = '' } = {}) => {
  const boundary = '----balcao'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n`
  const reply = await app.inject({
    method: 'POST',
    url: `/api/contacts/upload${query}`,
    headers: { authorization: `Bearer ${user.token}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${boundary}--\r\n`)]),
  })
  return { status: reply.statusCode, body: reply.json() }
}
const check = async (user: TestUser, id: string, body: object = {}) => {
  const asked = await as(user).post(`/contacts/imports/${id}/check`, body)
  expect(asked).toMatchObject({ status: 202, body: { state: 'checking' } })
  await finish()
  return (await as(user).get(`/contacts/imports/${id}`)).body
}
const run = async (user: TestUser, id: string) => {
  expect(await as(user).post(`/contacts/imports/${id}/run`)).toMatchObject({ status: 202, body: { state: 'running' } })
  await finish()
  return (await as(user).get(`/contacts/imports/${id}`)).body
}
const undo = async (user: TestUser, id: string) => {
  expect(await as(user).post(`/contacts/imports/${id}/undo`)).toMatchObject({ status: 202, body: { state: 'undoing' } })
  await finish()
  return (await as(user).get(`/contacts/imports/${id}`)).body
}
/** All three steps with what was suggested. */
const importAll = async (user: TestUser, content: string, options?: object) => {
  const { body } = await upload(user, content)
  await check(user, body.id, options ? { options } : {})
  return run(user, body.id)
}
const contactsOf = async (user: TestUser) => (await as(user).get('/contacts?limit=200')).body.items
const rowsOf = async (user: TestUser, id: string, query = '') =>
  (await as(user).get(`/contacts/imports/${id}/rows?limit=200${query}`)).body.items

const sheet = `Nome;Celular;E-mail;CPF;Nascimento;Cidade;UF;Etiquetas;Cor preferida
Maria Silva;(11) 98765-4321;maria@acme.com;529.982.247-25;28/02/1990;São Paulo;SP;VIP, Nova;azul
José;11 8765-4322;;;;;;;
Ana;123;ana@acme.com;;;;;;
Ninguém;;;;;;;;
Maria de novo;+55 11 98765-4321;;;;;;;
`

test('what segments ask of tags and owners is true at once, of the new and of those who get more', async () => {
  const tenant = await seedTenant()
  const known = await createContact(tenant, { name: 'Bia', number: '5511912345678' })
  const options = { walletIds: [tenant.agent.id] }
  await importAll(tenant.supervisor, 'Nome;Celular;Etiquetas\nAna;11987654321;VIP\nBia;11912345678;VIP\n', options)

  const { rows } = await withTenant(tenant.tenantId, (tx) =>
    tx.db.execute(sql`select c.name, c.version, a.is_tagged as "isTagged", a.is_owned as "isOwned",
        f.facets = (select facets from facets_of_contact(c)) as "isCounted", cardinality(f.facets) > 4 as "hasMany"
      from contacts c join contact_summary a on a.tenant_id = c.tenant_id and a.contact_id = c.id
        join contact_facets f on f.tenant_id = c.tenant_id and f.contact_id = c.id order by c.name`),
  )

  const kept = { isTagged: true, isOwned: true, isCounted: true, hasMany: true }
  expect(rows).toMatchObject([
    { name: 'Ana', version: 1, ...kept },
    { name: 'Bia', ...kept },
  ])
  const second = await as(tenant.supervisor).post('/tags', { name: 'Depois', color: '#112233' })
  await as(tenant.supervisor).put(`/contact-tags/${known}`, { tags: [second.body.id] })
  const { rows: later } = await withTenant(tenant.tenantId, (tx) =>
    tx.db.execute(sql`select f.facets = (select facets from facets_of_contact(c)) as "isCounted" from contacts c
      join contact_facets f on f.tenant_id = c.tenant_id and f.contact_id = c.id where c.id = ${known}`),
  )
  expect(later).toEqual([{ isCounted: true }])
})

test('a file is read, checked and written; its columns are known again the next time', async () => {
  const tenant = await seedTenant()
  const me = tenant.supervisor
  expect(await upload(tenant.agent, sheet)).toMatchObject({ status: 403 })
  const { status, body } = await upload(me, sheet)
  expect({ status, body }).toMatchObject({
    status: 201,
    body: {
      state: 'read',
      total: 5,
      name: 'clientes.csv',
      reading: { format: 'csv', encoding: 'utf-8', delimiter: ';' },
    },
  })
  expect(body.mapping).toEqual([
    'name',
    'phone',
    'email',
    'document',
    'birthdayDate',
    'address.city',
    'address.state',
    'tags',
    null,
  ])
  const checked = await check(me, body.id)
  expect(checked).toMatchObject({ state: 'checked', counts: { create: 3, update: 0, skip: 1, error: 1, partial: 1 } })
  expect(await contactsOf(me)).toEqual([])
  const rows = await rowsOf(me, body.id)
  expect(
    rows.map(({ line, outcome, reason }: { line: number; outcome: string; reason: string }) => [line, outcome, reason]),
  ).toEqual([
    [2, 'create', null],
    [3, 'create', null],
    [4, 'create', 'Telefone inválido: “123” (informe com DDD).'],
    [5, 'error', 'Sem telefone, e-mail ou CPF.'],
    [6, 'skip', 'Repete a linha 2.'],
  ])
  const done = await run(me, body.id)
  expect(done).toMatchObject({ state: 'done', counts: { created: 3, updated: 0, failed: 0 }, canUndo: true })
  const contacts = await contactsOf(me)
  expect(contacts.map(({ name, number }: { name: string; number: string }) => [name, number])).toEqual([
    ['Ana', null],
    ['José', '5511987654322'],
    ['Maria Silva', '5511987654321'],
  ])
  expect(contacts[2]).toMatchObject({
    email: 'maria@acme.com',
    document: { masked: '***.982.247-**' },
    birthdayDate: '1990-02-28',
    address: { city: 'São Paulo', state: 'SP' },
    tags: [{ name: 'Nova' }, { name: 'VIP' }],
    identities: [{ kind: 'phone', value: '5511987654321' }],
  })
  expect((await as(tenant.admin).get('/audit?entity=contactImport')).body.items[0]).toMatchObject({
    action: 'contact.imported',
  })

  const file = await as(me).get(`/contacts/imports/${body.id}/problems.csv`)
  const lines = String(file.body).trim().split('\r\n')
  expect(lines).toHaveLength(4)
  expect(lines[0]).toMatch(/Nome;Celular;.*;Linha;Situação;Motivo$/)
  expect(lines[2]).toContain('Sem telefone, e-mail ou CPF.')

  await as(tenant.admin).post('/contactFields', { name: 'Cor', key: 'cor' })
  const again = (await upload(me, sheet)).body
  const mapping = [...again.mapping.slice(0, 8), 'extra.cor']
  await check(me, again.id, { mapping, options: { ...again.options, existing: 'update' } })
  await run(me, again.id)
  expect((await upload(me, sheet)).body.mapping).toEqual(mapping)
  expect((await contactsOf(me))[2]).toMatchObject({ extraInfo: [{ name: 'cor', value: 'azul' }] })
})

test('who is a contact already is completed, changed or left, and typed names stay', async () => {
  const tenant = await seedTenant()
  const me = tenant.supervisor
  const typed = (
    await as(me).post('/contacts', { name: 'Dona Maria', number: '11987654321', email: 'antiga@acme.com' })
  ).body
  // As a channel named them, without the ninth digit.
  const heard = await createContact(tenant, { name: 'zezinho', number: '5511987654322' })
  const text =
    'Nome;Telefone;E-mail;Empresa\nMaria;11 98765-4321;nova@acme.com;ACME\nJosé Souza;551187654322;jose@acme.com;\n'
  const byId = async () => new Map((await contactsOf(me)).map((one: { id: string }) => [one.id, one]))

  const skipped = (await upload(me, text)).body
  expect(await check(me, skipped.id, { options: { existing: 'skip' } })).toMatchObject({
    counts: { create: 0, skip: 2 },
  })
  expect(await as(me).post(`/contacts/imports/${skipped.id}/run`)).toMatchObject({ status: 409 })

  const filled = await importAll(me, text, { existing: 'fill' })
  expect(filled).toMatchObject({ counts: { created: 0, updated: 2 } })
  expect((await byId()).get(typed.id)).toMatchObject({
    name: 'Dona Maria',
    email: 'antiga@acme.com',
    businessName: 'ACME',
  })
  expect((await byId()).get(heard)).toMatchObject({ name: 'zezinho', email: 'jose@acme.com' })
  expect((await rowsOf(me, filled.id))[0].changes).toEqual([{ label: 'Empresa', before: '–', after: 'ACME' }])

  await importAll(me, text, { existing: 'update' })
  expect((await byId()).get(typed.id)).toMatchObject({ name: 'Dona Maria', email: 'nova@acme.com' })
  expect((await byId()).get(heard)).toMatchObject({ name: 'José Souza' })
  await importAll(me, text, { existing: 'update', keepTypedNames: false })
  expect((await byId()).get(typed.id)).toMatchObject({ name: 'Maria' })
  expect(await contactsOf(me)).toHaveLength(2)
})

test('tags, people, stage and consent are for all; who has said no stays so', async () => {
  const tenant = await seedTenant()
  const me = tenant.supervisor
  const tag = (await as(me).post('/tags', { name: 'Feira', color: '#112233' })).body
  const lane = (await as(me).post('/kanban', { name: 'Novo', color: '#112233' })).body
  const no = (await as(me).post('/contacts', { name: 'Não Quer', number: '11987650001' })).body
  const said = { channel: 'waba', purpose: 'marketing', isGiven: false, proof: 'Pediu por telefone' }
  await as(me).post(`/contacts/${no.id}/consents`, said)
  const options = {
    ...{ tagIds: [tag.id], walletIds: [tenant.agent.id], kanban: lane.id },
    consent: { isGiven: true, channels: ['waba'], purposes: ['marketing'], proof: 'Ficha da feira' },
  }
  const done = await importAll(me, 'Nome;Telefone\nNão Quer;11987650001\nQuer;11987650002\n', options)
  expect(done).toMatchObject({ counts: { created: 1, updated: 1 } })
  const contacts = await contactsOf(tenant.admin)
  for (const one of contacts)
    expect(one).toMatchObject({ tags: [{ id: tag.id }], wallets: [{ id: tenant.agent.id }], kanban: lane.id })
  const consents = async (id: string) => (await as(me).get(`/contacts/${id}/consents`)).body.items
  const [, yes] = contacts
  expect(await consents(yes.id)).toMatchObject([
    { isGiven: true, source: 'csv', proof: expect.stringMatching(/clientes\.csv .*Ficha da feira/) },
  ])
  expect(await consents(no.id)).toMatchObject([{ isGiven: false, source: 'person' }])

  const refusing = { consent: { ...options.consent, isGiven: false, proof: 'Lista de quem saiu' } }
  const tellings = () =>
    events.filter(({ name, tenantId }) => name === 'optOuts.changed' && tenantId === tenant.tenantId)
  const told = tellings().length
  const stopped = await importAll(me, 'Telefone\n11987650002\n', refusing)
  expect(tellings()).toHaveLength(told + 1)
  expect((await consents(yes.id))[0]).toMatchObject({ isGiven: false })
  await undo(me, stopped.id)
  expect((await consents(yes.id))[0]).toMatchObject({ isGiven: true, proof: expect.stringMatching(/^Desfeita/) })
  expect(tellings()).toHaveLength(told + 2)
})

test('a blocked number comes with no file: neither as a contact nor as one more phone of somebody', async () => {
  const tenant = await seedTenant()
  const me = tenant.supervisor
  await as(me).post('/contacts', { name: 'Já Estava', number: '11987650001' })
  const block = (number: string) => as(tenant.admin).post('/blockedNumbers', { number, reason: 'Golpe' })
  for (const number of ['11987650006', '11987650007', '11987650008', '11987650009']) await block(number)
  const text = `Nome;Telefone;E-mail;Outro telefone
Golpista;1187650006;;
Com E-mail;11987650007;com@a.com;
Dois;11987650008;;11987650002
Já Estava;11987650001;ja@a.com;11987650009
`
  const { body } = await upload(me, text)
  const mapping = ['name', 'phone', 'email', 'phone']
  const checked = await check(me, body.id, { mapping, options: { ...body.options, existing: 'update' } })

  expect(checked).toMatchObject({ counts: { create: 2, update: 1, error: 1 } })
  const why = (number: number) => `O telefone (11) 98765-000${number} está nos números bloqueados.`
  const reasons = async () => (await rowsOf(me, body.id)).map(({ reason }: { reason: string }) => reason)
  expect(await reasons()).toEqual([6, 7, 8, 9].map(why))
  await block('11987650002') // on the list only since the check
  expect(await run(me, body.id)).toMatchObject({ counts: { created: 1, updated: 1, failed: 1 } })
  expect(await reasons()).toEqual([why(6), why(7), expect.stringContaining(why(2)), why(9)])
  type Row = { name: string; identities: { value: string }[] }
  expect(
    (await contactsOf(me)).map(({ name, identities }: Row) => [name, identities.map(({ value }) => value)]),
  ).toEqual([
    ['Com E-mail', []],
    ['Já Estava', ['5511987650001']],
  ])
})

test('an undo deletes whom nobody uses or changed, and gives back what nobody changed since', async () => {
  const tenant = await seedTenant()
  const me = tenant.supervisor
  const there = (await as(me).post('/contacts', { name: 'Já Estava', number: '11987650001', notes: 'antes' })).body
  const tag = (await as(me).post('/tags', { name: 'Feira', color: '#112233' })).body
  const text =
    'Nome;Telefone;E-mail;Empresa;Outro telefone\nOutra;11987650001;novo@a.com;ACME;1133334444\nUsado;11987650002;;;\nMudado;11987650003;;;\nLivre;11987650004;;Livre Ltda;\n'
  const done = await importAll(me, text, { tagIds: [tag.id] })
  expect(done).toMatchObject({ counts: { created: 3, updated: 1 } })
  const byName = async () =>
    new Map<string, { id: string }>((await contactsOf(me)).map((one: { name: string }) => [one.name, one]))
  const made = await byName()
  await createTicket(tenant, { contactId: made.get('Usado')?.id ?? '' })
  await as(me).put(`/contacts/${made.get('Mudado')?.id}`, { notes: 'importante' })
  await as(me).put(`/contacts/${there.id}`, { businessName: 'Outra empresa' })

  const undone = await undo(me, done.id)
  expect(undone).toMatchObject({ state: 'undone', canUndo: false, counts: { deleted: 1, restored: 1, kept: 2 } })
  const keptBeside = ['contact_words', 'contact_activity', 'contact_summary', 'contact_values', 'contact_facets']
  const beside = (table: string) =>
    withTenant(tenant.tenantId, ({ db }) =>
      db.execute(sql`select from ${sql.identifier(table)} where contact_id = ${made.get('Livre')?.id}`),
    )
  for (const table of keptBeside) expect((await beside(table)).rows).toEqual([])
  const left = await byName()
  expect([...left.keys()].sort()).toEqual(['Já Estava', 'Mudado', 'Usado'])
  expect(left.get('Já Estava')).toMatchObject({ email: null, businessName: 'Outra empresa', notes: 'antes', tags: [] })
  expect(left.get('Já Estava')).toMatchObject({ identities: [{ value: '5511987650001' }] })
  expect(await as(me).post(`/contacts/imports/${done.id}/undo`)).toMatchObject({ status: 409 })
})

const many = (count: number, from = 0) =>
  `Nome;Telefone;E-mail\n${Array.from({ length: count }, (_, n) => `Cliente ${n};119${String(70_000_000 + from + n)};`).join('\n')}\n${Array.from({ length: 20 }, (_, n) => `Só e-mail ${n};;so${n}@a.com`).join('\n')}`

test('the same file twice at once makes nobody twice, with a phone or without', async () => {
  const tenant = await seedTenant()
  const users = [tenant.supervisor, tenant.admin]
  const ids = await Promise.all(users.map(async (user) => (await upload(user, many(2_500))).body.id))
  for (const [at, id] of ids.entries())
    expect(await check(users[at] as TestUser, id)).toMatchObject({ counts: { create: 2_520 } })
  const jobs = await Promise.all(
    ids.map(async (id, at) => (await as(users[at]).post(`/contacts/imports/${id}/run`)).body.jobId as string),
  )
  const all = async (id: string) => {
    while (await runStep(tenant.tenantId, id));
  }
  await Promise.all(jobs.map(all))
  const { count } = (await as(tenant.admin).get('/contacts?count=true')).body
  expect(count).toBe(2_520)
  const { rows } = await withTenant(tenant.tenantId, (tx) =>
    tx.db.execute(sql`select email from contacts where email is not null group by email having count(*) > 1`),
  )
  expect(rows).toEqual([])
  const ended = await Promise.all(ids.map(async (id, at) => (await as(users[at]).get(`/contacts/imports/${id}`)).body))
  expect(ended.reduce((sum, { counts }) => sum + counts.created, 0)).toBe(2_520)
  for (const { counts } of ended) expect(counts).toMatchObject({ create: counts.created, same: 2_520 - counts.created })
  expect(ended.map(({ state }) => state)).toEqual(['done', 'done'])
})

test('a run goes on after its process died, and one that was canceled goes on or is undone', async () => {
  const tenant = await seedTenant()
  const me = tenant.supervisor
  const { id } = (await upload(me, many(2_300))).body
  await check(me, id)
  const { jobId } = (await as(me).post(`/contacts/imports/${id}/run`)).body
  await runStep(tenant.tenantId, jobId)
  await as(me).post(`/bulkJobs/${jobId}/cancel`)
  const stopped = (await as(me).get(`/contacts/imports/${id}`)).body
  expect(stopped).toMatchObject({ state: 'stopped', canUndo: true, counts: { created: 200 } })
  const done = await run(me, id)
  expect(done).toMatchObject({ state: 'done', counts: { created: 2_320 } })
  expect((await as(me).get('/contacts?count=true')).body.count).toBe(2_320)
  // Replayed: what is written is not written again.
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .update(schema.bulkJobs)
      .set({ state: 'running', cursor: null, finishedAt: null })
      .where(eq(schema.bulkJobs.id, done.jobId)),
  )
  await finish()
  expect((await as(me).get('/contacts?count=true')).body.count).toBe(2_320)
})

test('lists are told of steps, not of contacts', async () => {
  const tenant = await seedTenant()
  events.length = 0
  await importAll(tenant.supervisor, many(2_300))
  const named = (name: string) =>
    events.filter((event) => event.tenantId === tenant.tenantId && event.name === name).length
  expect(named('contact.updated')).toBe(0)
  expect(named('contacts.changed')).toBeLessThanOrEqual(2)
  expect(named('contactImport.updated')).toBeLessThan(20)
})

test('what the plan does not hold is said before, and nothing of it is written', async () => {
  const tenant = await seedTenant()
  await withPlatform('test', (tx) =>
    tx.db.update(schema.tenants).set({ maxContacts: 3 }).where(eq(schema.tenants.id, tenant.tenantId)),
  )
  const { id } = (await upload(tenant.supervisor, many(5))).body
  expect(await check(tenant.supervisor, id)).toMatchObject({
    state: 'checked',
    error: expect.stringContaining('contatos'),
  })
  expect(await as(tenant.supervisor).post(`/contacts/imports/${id}/run`)).toMatchObject({
    body: { error: 'ERR_CONTACT_LIMIT' },
  })
  expect(await contactsOf(tenant.admin)).toEqual([])
})

test('another company’s import is not there, and its contacts are untouched', async () => {
  const [a, b] = [await seedTenant(), await seedTenant()]
  await createContact(b, { name: 'De B', number: '5511987654321' })
  const { id } = (await upload(a.supervisor, sheet)).body
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/rows'],
    ['GET', '/problems.csv'],
    ['POST', '/check'],
    ['POST', '/run'],
    ['POST', '/undo'],
    ['DELETE', ''],
  ] as const)
    expect(
      await as(b.admin).send(method, `/contacts/imports/${id}${path}`, method === 'POST' ? {} : undefined),
    ).toMatchObject({ status: 404 })
  expect((await as(b.admin).get('/contacts/imports')).body.items).toEqual([])
  await check(a.supervisor, id)
  expect(await run(a.supervisor, id)).toMatchObject({ counts: { created: 3 } })
  expect(await contactsOf(b.admin)).toMatchObject([{ name: 'De B' }])
})

test('contacts in somebody else’s wallet are not changed by who may not see them', async () => {
  const tenant = await seedTenant({ settings: { DirectTicketsToWallets: true } })
  const id = await createContact(tenant, { name: 'Da Ana', number: '5511987654321', walletIds: [tenant.agent.id] })
  const { body } = await upload(tenant.supervisor, 'Nome;Telefone;E-mail\nMaria;11987654321;m@a.com\n')
  expect(await check(tenant.supervisor, body.id)).toMatchObject({ counts: { skip: 1, update: 0 } })
  expect((await as(tenant.admin).get(`/contacts/${id}`)).body.email).toBeNull()
})

test('a file that cannot be is refused before anything of it is kept', async () => {
  const tenant = await seedTenant()
  const me = tenant.supervisor
  expect(await upload(me, 'Nome;Telefone\n')).toMatchObject({
    status: 422,
    body: { details: [{ path: 'file', message: expect.stringContaining('só tem o cabeçalho') }] },
  })
  const huge = await app.inject({
    method: 'POST',
    url: '/api/contacts/upload',
    headers: {
      authorization: `Bearer ${me.token}`,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': String(1024 ** 3),
    },
    payload: '--x\r\n',
  })
  expect(huge.json()).toMatchObject({ error: 'ERR_TOO_LARGE', message: expect.stringContaining('50 MB') })
  expect((await as(me).get('/contacts/imports')).body.items).toEqual([])
  const { id } = (await upload(me, 'Apelido\nZé\n')).body
  expect(await as(me).post(`/contacts/imports/${id}/check`)).toMatchObject({
    status: 422,
    body: { details: [{ path: 'mapping' }] },
  })
  expect(await as(me).delete(`/contacts/imports/${id}`)).toMatchObject({ status: 204 })
})

test('of half-broken rows each says what is wrong with it, and nothing half goes in', async () => {
  const tenant = await seedTenant()
  const me = tenant.supervisor
  const file = [
    'Nome;Celular;E-mail;CPF;Nascimento',
    'Ana;(11) 98765-4321', // ends early
    'Bia;(11) 98765-4322;bia@acme.com;529.982.247-25;28/02/1990;sobra;mais', // goes on too long
    'Silva; Caio;(11) 98765-4323;caio@acme.com', // a separator in the name, without quotes
    'Davi;(11) 98765-4324;davi@;111.111.111-11;31/02/1990',
    'Eva "Vivi";(11) 98765-4325;eva@acme.com;;', // a quote in the middle
    ';;;;1990-01-01',
    'Fim;(11) 98765-4326;;;1990-13-45',
  ].join('\n')
  const { body } = await upload(me, file)
  const { counts } = await check(me, body.id, { options: { broken: 'refuse' } })
  const rows = await rowsOf(me, body.id)
  const told = rows.map(({ line, outcome, reason }: { line: number; outcome: string; reason: string | null }) => [
    line,
    outcome,
    reason,
  ])
  expect(told).toEqual([
    [2, 'create', null],
    [3, 'create', null],
    [4, 'error', expect.stringMatching(/Telefone inválido: “Caio”.*E-mail inválido.*CPF ou CNPJ inválido/)],
    [5, 'error', expect.stringMatching(/E-mail inválido: “davi@”.*CPF.*Aniversário inválido: “31\/02\/1990”/)],
    [6, 'create', null],
    [7, 'error', expect.stringMatching(/Sem telefone/)],
    [8, 'error', expect.stringMatching(/Aniversário inválido: “1990-13-45”/)],
  ])
  expect(counts).toMatchObject({ create: 3, error: 4 })
  expect(await contactsOf(me)).toEqual([])
  await run(me, body.id)
  const names = (await contactsOf(me)).map(({ name }: { name: string }) => name)
  expect(names.toSorted()).toEqual(['Ana', 'Bia', 'Eva "Vivi"'])

  const open = await upload(me, 'Nome;Celular\nGil;11987654327\n"Hugo;11987654328\nIda;11987654329\n')
  expect(open).toMatchObject({
    status: 422,
    body: { details: [{ path: 'file', message: expect.stringMatching(/aspas .* não fecham perto da linha 3/) }] },
  })
  expect(await contactsOf(me)).toHaveLength(3)
  expect((await as(me).get('/contacts/imports')).body.items).toHaveLength(1)
})

test('emojis across the limits of fields and cells stop no file', async () => {
  const tenant = await seedTenant()
  const [name, notes] = [`${'a'.repeat(119)}😀`, `${'b'.repeat(3_999)}😀`]
  const done = await importAll(tenant.admin, `Nome;Celular;Observações\n${name};(11) 98765-4321;${notes}\n`)
  expect(done).toMatchObject({ state: 'done', counts: { created: 1, partial: 1 } })
  expect((await contactsOf(tenant.admin))[0]).toMatchObject({ name: 'a'.repeat(119) })
})

test('a surname in a column of its own is not lost beside a column of names', async () => {
  const tenant = await seedTenant()
  const file = 'Nome;Sobrenome;Celular\nMaria;da Silva;11987654321\nJosé Reis;Reis;11987654322\n;Lima;11987654323\n'
  await importAll(tenant.admin, file)
  const names = (await contactsOf(tenant.admin)).map(({ name }: { name: string }) => name)
  expect(names.toSorted()).toEqual(['José Reis', 'Lima', 'Maria da Silva'])
})

test('rows of a caller of the API are written at once, and undone as any', async () => {
  const tenant = await seedTenant()
  const me = tenant.supervisor
  const asked = await as(me).post('/contacts/import', {
    contacts: [
      { name: 'Maria', number: '11987654321', tags: ['API'] },
      { name: 'José', number: 'x' },
    ],
  })
  expect(asked).toMatchObject({ status: 202, body: { source: 'api', state: 'checking' } })
  await finish()
  const { id } = asked.body
  const { undoUntil, ...done } = (await as(me).get(`/contacts/imports/${id}`)).body
  expect(done).toMatchObject({ state: 'done', counts: { created: 1, error: 1 } })
  expect(Date.parse(undoUntil) - Date.parse(done.startedAt)).toBeGreaterThan(29 * 24 * 3_600_000)
  expect(await contactsOf(me)).toMatchObject([{ name: 'Maria', tags: [{ name: 'API' }] }])
  expect(await undo(me, id)).toMatchObject({ counts: { deleted: 1 } })
  const started = await upload(me, sheet, { query: '?start=true' })
  expect(started).toMatchObject({ status: 201, body: { state: 'checking' } })
  await finish()
  expect((await as(me).get(`/contacts/imports/${started.body.id}`)).body).toMatchObject({
    state: 'done',
    counts: { created: 3 },
  })
})

test('who is forgotten is forgotten in the rows of imports, too', async () => {
  const tenant = await seedTenant()
  const done = await importAll(tenant.supervisor, 'Nome;Telefone\nMaria;11987654321\nMaria bis;11987654321\n')
  const [{ id }] = await contactsOf(tenant.admin)
  await as(tenant.admin).delete(`/contacts/${id}`)
  expect((await rowsOf(tenant.supervisor, done.id)).map(({ cells }: { cells: string[] }) => cells)).toEqual([[], []])
})

test('after thirty days the rows are gone, and so is an import nobody ran', async () => {
  const tenant = await seedTenant()
  const done = await importAll(tenant.supervisor, many(50))
  const waiting = (await upload(tenant.supervisor, many(3))).body
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .update(schema.contactImports)
      .set({ rowsUntil: new Date(Date.now() - 1_000) })
      .where(and(eq(schema.contactImports.tenantId, tenant.tenantId))),
  )
  await sweepImports()
  expect(await as(tenant.supervisor).get(`/contacts/imports/${waiting.id}`)).toMatchObject({ status: 404 })
  expect((await as(tenant.supervisor).get(`/contacts/imports/${done.id}`)).body).toMatchObject({
    state: 'done',
    canUndo: false,
    undoUntil: null,
  })
  expect(await rowsOf(tenant.supervisor, done.id)).toEqual([])
})

test('contacts leave as a workbook, which comes back in as it was', async () => {
  const tenant = await seedTenant()
  const me = tenant.supervisor
  await as(me).post('/contacts', { name: '=SOMA(A1) & <Cia>', number: '11987654321', email: 'a@b.com' })
  await as(me).post('/contacts', { name: 'Outra', number: '11987654322' })
  const asked = await as(me).post('/contacts/export', { format: 'xlsx', searchParam: '11987654321' })
  expect(asked).toMatchObject({ status: 202, body: { kind: 'exportContactsXlsx', total: 1 } })
  await expect
    .poll(
      async () => {
        await runJobs()
        return (await as(me).get(`/bulkJobs/${asked.body.id}`)).body.state
      },
      { timeout: 20_000 },
    )
    .toBe('done')
  const file = await app.inject({
    url: `/api/bulkJobs/${asked.body.id}/result`,
    headers: { authorization: `Bearer ${me.token}` },
  })
  expect(file.headers['content-disposition']).toContain('contatos.xlsx')
  const { body } = await upload(me, file.rawPayload, { name: 'contatos.xlsx' })
  expect(body).toMatchObject({ state: 'read', total: 1, reading: { format: 'xlsx', sheet: 'Contatos' } })
  expect((await rowsOf(me, body.id))[0].cells.slice(0, 3)).toEqual(['=SOMA(A1) & <Cia>', '(11) 98765-4321', 'a@b.com'])
  const checked = await check(me, body.id)
  expect(await rowsOf(me, body.id)).toMatchObject([{ outcome: 'same', reason: null, changes: [] }])
  expect(checked).toMatchObject({ counts: { same: 1, create: 0 } })
})
