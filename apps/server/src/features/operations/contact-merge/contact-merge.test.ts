import { eq, getTableColumns, getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { ingest } from '../../intake/inbound/inbound.service.ts'
import { parts, untouched } from './parts.ts'

const kit = await startTestApp()
const { as, seedTenant, createContact, createConnection, createTicket, schema, withTenant, invalidateDirectory } = kit
type Tenant = Awaited<ReturnType<typeof seedTenant>>

const [phoneA, phoneB] = ['5511987650001', '5511987650002']

/** Two contacts with everything a contact can have. */
const seedPair = async (tenant: Tenant) => {
  const { tenantId } = tenant
  const kept = await createContact(tenant, { name: 'Maria Souza', number: phoneA, walletIds: [tenant.agent.id] })
  const other = await createContact(tenant, { name: 'Maria S.', number: phoneB, walletIds: [tenant.admin.id] })
  const [site, phone] = [await createConnection(tenant), await createConnection(tenant)]
  const keptTicket = await createTicket(tenant, { contactId: kept, connectionId: site })
  const otherTicket = await createTicket(tenant, { contactId: other, connectionId: phone, userId: tenant.agent.id })
  const closed = await createTicket(tenant, { contactId: other, connectionId: site, status: 'closed' })
  const [tagA, tagB] = [v7(), v7()]
  await withTenant(tenantId, async ({ db }) => {
    await db.update(schema.contacts).set({ notes: 'Liga à tarde' }).where(eq(schema.contacts.id, kept))
    await db
      .update(schema.contacts)
      .set({
        email: 'maria@exemplo.com',
        birthdayDate: '1990-02-28',
        isBotBlocked: true,
        notes: 'Gosta de azul',
        extraInfo: [{ name: 'CPF', value: '1' }],
      })
      .where(eq(schema.contacts.id, other))
    await db
      .update(schema.contactActivity)
      .set({ lastMessageAt: new Date('2026-01-02T10:00:00Z') })
      .where(eq(schema.contactActivity.contactId, other))
    await db.insert(schema.tags).values([
      { tenantId, id: tagA, name: 'A', color: '#112233' },
      { tenantId, id: tagB, name: 'B', color: '#112233' },
    ])
    await db.insert(schema.contactTags).values([
      { tenantId, contactId: kept, tagId: tagA },
      { tenantId, contactId: other, tagId: tagA },
      { tenantId, contactId: other, tagId: tagB },
    ])
    await db
      .insert(schema.contactIdentities)
      .values({ tenantId, kind: 'webchat', value: `v_${other}`, contactId: other })
    for (const [ticketId, contactId] of [
      [otherTicket, other],
      [closed, other],
      [keptTicket, kept],
    ] as const)
      await db.insert(schema.messages).values({
        tenantId,
        ticketId,
        contactId,
        connectionId: phone,
        fromMe: false,
        type: 'text',
        body: `Veja https://exemplo.com/${ticketId}.`,
        status: 'received',
        timestamp: new Date(),
      })
    const later = new Date(Date.now() + 86_400_000)
    await db.insert(schema.ratings).values([
      { tenantId, ticketId: keptTicket, contactId: kept, connectionId: site, expiresAt: later },
      { tenantId, ticketId: closed, contactId: other, connectionId: site, expiresAt: later },
    ])
    await db.insert(schema.schedules).values({
      tenantId,
      contactId: other,
      connectionId: phone,
      body: 'Oi',
      dueAt: later,
      attemptAt: later,
      wallTime: later.toISOString().slice(0, 16),
      timeZone: 'UTC',
      createdBy: tenant.admin.id,
    })
    await db
      .insert(schema.tasks)
      .values({ tenantId, name: 'Ligar', ownerId: tenant.agent.id, userId: tenant.admin.id, contactId: other })
  })
  invalidateDirectory(tenantId)
  return { kept, other, site, phone, keptTicket, otherTicket, closed }
}

/** Every row that says something of contacts; versions and moments of change count for nothing. */
const snapshot = (tenant: Tenant) =>
  withTenant(tenant.tenantId, async ({ db }) => {
    const tables = {
      contacts: await db.select().from(schema.contacts),
      identities: await db.select().from(schema.contactIdentities),
      tags: await db.select().from(schema.contactTags),
      wallets: await db.select().from(schema.contactWallets),
      tickets: await db.select().from(schema.tickets),
      messages: await db.select().from(schema.messages),
      ratings: await db.select().from(schema.ratings),
      schedules: await db.select().from(schema.schedules),
      tasks: await db.select().from(schema.tasks),
    }
    return Object.fromEntries(
      Object.entries(tables).map(([name, rows]) => [
        name,
        rows.map((row) => JSON.stringify({ ...row, version: 0, updatedAt: 0 })).toSorted(),
      ]),
    )
  })
const mergesOf = async (tenant: Tenant, id: string) => (await as(tenant.admin).get(`/contacts/${id}/merges`)).body.items
const contactOf = (tenant: Tenant, table: 'tickets' | 'messages' | 'ratings' | 'schedules' | 'tasks') =>
  withTenant(tenant.tenantId, async ({ db }) =>
    [
      ...new Set((await db.select({ id: schema[table].contactId }).from(schema[table])).map((row) => row.id)),
    ].toSorted(),
  )

test('two contacts become one with everything they had, and one undo makes them two exactly as they were', async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const { kept, other, otherTicket } = await seedPair(tenant)
  const original = await snapshot(tenant)

  const preview = await as(tenant.supervisor).get(`/contacts/${kept}/merge/${other}`)
  expect(preview).toMatchObject({ status: 200, body: { tickets: 2, schedules: 1, tasks: 1, conflicts: [] } })
  expect(preview.body.fields).toEqual([
    { key: 'name', label: 'Nome', kept: 'Maria Souza', other: 'Maria S.' },
    { key: 'number', label: 'Telefone', kept: phoneA, other: phoneB },
    { key: 'email', label: 'E-mail', kept: null, other: 'maria@exemplo.com' },
    { key: 'birthdayDate', label: 'Aniversário', kept: null, other: '1990-02-28' },
    { key: 'notes', label: 'Observações', kept: 'Liga à tarde', other: 'Gosta de azul' },
    { key: 'extra.CPF', label: 'CPF', kept: null, other: '1' },
  ])
  expect(await snapshot(tenant)).toEqual(original)

  const merged = await as(tenant.supervisor).post(`/contacts/${kept}/merge`, { otherId: other, take: ['number'] })
  expect(merged).toMatchObject({
    status: 200,
    body: {
      id: kept,
      name: 'Maria Souza',
      number: phoneB,
      email: 'maria@exemplo.com',
      notes: 'Liga à tarde\n\nGosta de azul',
      isBotBlocked: true,
      extraInfo: [{ name: 'CPF', value: '1' }],
      tags: [{ name: 'A' }, { name: 'B' }],
      lastMessageAt: '2026-01-02T10:00:00.000Z',
    },
  })
  expect(merged.body.wallets).toHaveLength(2)
  expect(merged.body.identities).toHaveLength(3)
  for (const table of ['tickets', 'messages', 'ratings', 'schedules', 'tasks'] as const)
    expect(await contactOf(tenant, table)).toEqual([kept])

  expect(await as(tenant.admin).get(`/contacts/${other}`)).toMatchObject({ status: 404 })
  expect((await as(tenant.admin).get('/contacts?count=true')).body).toMatchObject({ items: [{ id: kept }], count: 1 })
  expect((await as(tenant.admin).get('/contacts?searchParam=Maria')).body.items).toHaveLength(1)
  expect((await as(tenant.admin).get(`/contactsNumber/${phoneA}`)).body.items).toMatchObject([{ id: kept }])
  expect((await as(tenant.admin).get('/tickets?searchParam=Maria%20Souza&status=open')).body.items).toMatchObject([
    { id: otherTicket },
  ])
  expect((await as(tenant.admin).get(`/contacts/${kept}/story`)).body.items).toHaveLength(3)
  expect((await as(tenant.admin).get(`/contacts/${kept}/media?kind=link`)).body.items).toHaveLength(3)
  expect(await as(tenant.admin).post('/contacts', { name: 'X', number: phoneA })).toMatchObject({
    status: 409,
    body: { details: { contactId: kept } },
  })

  const [merge] = await mergesOf(tenant, kept)
  expect(merge).toMatchObject({
    merged: { id: other, name: 'Maria S.', number: phoneB },
    tickets: 2,
    user: { name: 'Bruna Lima' },
  })
  expect(await as(tenant.supervisor).post(`/contact-merges/${merge.id}/undo`)).toMatchObject({
    status: 200,
    body: { number: phoneA },
  })
  expect(await snapshot(tenant)).toEqual(original)
  expect(await as(tenant.supervisor).post(`/contact-merges/${merge.id}/undo`)).toMatchObject({ status: 404 })
  const actions = await withTenant(tenant.tenantId, ({ db }) =>
    db.select({ action: schema.audit.action }).from(schema.audit),
  )
  expect(actions.map((row) => row.action)).toEqual(['contact.merged', 'contact.unmerged'])
})

test('what came or was changed after the merge stays with the kept contact', async () => {
  const tenant = await seedTenant()
  const { kept, other, phone, otherTicket } = await seedPair(tenant)
  await as(tenant.admin).post(`/contacts/${kept}/merge`, { otherId: other })
  await as(tenant.admin).put(`/contacts/${kept}`, { email: 'nova@exemplo.com' })
  await as(tenant.admin).put(`/tickets/${otherTicket}`, { status: 'closed' })
  const later = await createTicket(tenant, { contactId: kept, connectionId: phone })

  const [merge] = await mergesOf(tenant, kept)
  await as(tenant.admin).post(`/contact-merges/${merge.id}/undo`)
  expect((await as(tenant.admin).get(`/contacts/${kept}`)).body).toMatchObject({
    email: 'nova@exemplo.com',
    notes: 'Liga à tarde',
  })
  expect((await as(tenant.admin).get(`/tickets/${later}`)).body.contactId).toBe(kept)
  const linesOf = async (id: string) =>
    (await as(tenant.admin).get(`/messages/${id}`)).body.items.map((one: { body: string }) => one.body).join()
  expect(await linesOf(later)).toContain('Confira com quem você fala')
  expect(await linesOf(otherTicket)).not.toContain('Confira com quem você fala')
  expect((await as(tenant.admin).get(`/tickets/${otherTicket}`)).body.contactId).toBe(other)
  expect((await as(tenant.admin).get(`/contacts/${other}`)).body).toMatchObject({
    number: phoneB,
    email: 'maria@exemplo.com',
  })
})

test('both active on one connection is refused and says which; so are oneself, groups and strangers', async () => {
  const tenant = await seedTenant()
  const { kept, other, phone, otherTicket } = await seedPair(tenant)
  const twin = await createTicket(tenant, { contactId: kept, connectionId: phone })
  const refused = await as(tenant.admin).post(`/contacts/${kept}/merge`, { otherId: other })
  expect(refused).toMatchObject({
    status: 409,
    body: {
      error: 'ERR_CONTACTS_BOTH_ACTIVE',
      details: {
        conflicts: [{ connection: { id: phone }, kept: { ticketId: twin }, other: { ticketId: otherTicket } }],
      },
    },
  })
  expect((await as(tenant.admin).get(`/contacts/${kept}/merge/${other}`)).body.conflicts).toHaveLength(1)
  expect(await as(tenant.admin).post(`/contacts/${kept}/merge`, { otherId: kept })).toMatchObject({ status: 422 })
  expect(await as(tenant.agent).post(`/contacts/${kept}/merge`, { otherId: other })).toMatchObject({ status: 403 })
  const foreign = await seedTenant()
  const theirs = await createContact(foreign)
  expect(await as(tenant.admin).post(`/contacts/${kept}/merge`, { otherId: theirs })).toMatchObject({ status: 404 })
  expect(await as(foreign.admin).get(`/contacts/${theirs}/merge/${other}`)).toMatchObject({ status: 404 })
  await withTenant(tenant.tenantId, ({ db }) =>
    db.update(schema.contacts).set({ isGroup: true }).where(eq(schema.contacts.id, other)),
  )
  expect(await as(tenant.admin).get(`/contacts/${kept}/merge/${other}`)).toMatchObject({ status: 422 })
})

test('merges are undone from the last back, and a deleted contact takes along those that were part of it', async () => {
  const tenant = await seedTenant()
  const [a, b, c] = await Promise.all(['A', 'B', 'C'].map((name) => createContact(tenant, { name })))
  await as(tenant.admin).post(`/contacts/${b}/merge`, { otherId: a })
  const [first] = await mergesOf(tenant, b ?? '')
  await as(tenant.admin).post(`/contacts/${c}/merge`, { otherId: b })
  expect(await as(tenant.admin).post(`/contact-merges/${first.id}/undo`)).toMatchObject({
    status: 409,
    body: { error: 'ERR_MERGE_NOT_LAST' },
  })
  expect(await as(tenant.admin).delete(`/contacts/${c}`)).toMatchObject({ status: 204 })
  expect(await withTenant(tenant.tenantId, ({ db }) => db.select().from(schema.contacts))).toEqual([])
})

test('the number of a merged contact may be made the kept one’s own later, and undo still gives each theirs', async () => {
  const tenant = await seedTenant()
  const { kept, other } = await seedPair(tenant)
  await as(tenant.admin).post(`/contacts/${kept}/merge`, { otherId: other })
  expect((await as(tenant.admin).put(`/contacts/${kept}`, { number: phoneB })).body).toMatchObject({ number: phoneB })
  const [merge] = await mergesOf(tenant, kept)
  await as(tenant.admin).post(`/contact-merges/${merge.id}/undo`)
  expect((await as(tenant.admin).get(`/contacts/${other}`)).body.number).toBe(phoneB)
  expect((await as(tenant.admin).get(`/contacts/${kept}`)).body.number).toBe(null)
})

const inbound = (tenant: Tenant, connectionId: string, value: string, n: number, name = 'Maria') =>
  ingest(tenant.tenantId, connectionId, [
    {
      kind: 'message',
      providerId: `${value}-${n}`,
      from: { identities: [{ kind: 'phone', value }], name },
      fromMe: false,
      timestamp: new Date(),
      content: { type: 'text', body: `Mensagem ${n}` },
    },
  ])

test('messages that arrive during merges and undos are all stored once, with the contact their sender belongs to', async () => {
  const tenant = await seedTenant()
  const kept = await createContact(tenant, { name: 'Maria', number: phoneA })
  const other = await createContact(tenant, { name: 'Maria Dois', number: phoneB })
  const lines = await Promise.all([0, 1, 2, 3].map(() => createConnection(tenant)))
  // The first word of a new ticket on every line, and words in an active one, while the two become one and two again.
  let sent = 0
  for (let round = 0; round < 6; round += 1) {
    const arriving = lines.flatMap((line) =>
      [0, 1, 2].map(async (n) => {
        await new Promise((resolve) => setTimeout(resolve, (n * 13 + round * 7) % 29))
        sent += 1
        await inbound(tenant, line, phoneB, round * 10 + n)
      }),
    )
    const merging = round % 2 === 0
    const [open] = merging ? [] : await mergesOf(tenant, kept)
    const change = merging
      ? as(tenant.admin).post(`/contacts/${kept}/merge`, { otherId: other })
      : as(tenant.admin).post(`/contact-merges/${open.id}/undo`)
    const [reply] = await Promise.all([change, ...arriving])
    expect(reply.status).toBe(200)

    const owner = (await as(tenant.admin).get(`/contactsNumber/${phoneB}`)).body.items[0].id
    expect(owner).toBe(merging ? kept : other)
    const { messages, tickets } = await withTenant(tenant.tenantId, async ({ db }) => ({
      messages: await db.select().from(schema.messages),
      tickets: await db.select().from(schema.tickets),
    }))
    expect(messages.filter((message) => !message.fromMe)).toHaveLength(sent)
    for (const message of messages)
      expect(message.contactId).toBe(tickets.find((ticket) => ticket.id === message.ticketId)?.contactId)
    if (merging) expect(new Set(tickets.map((ticket) => ticket.contactId))).toEqual(new Set([kept]))
    await Promise.all(
      tickets
        // Undone, new tickets of the merge stay with the kept one: both would be active on a line.
        .filter((ticket) => ticket.status !== 'closed' && !merging && ticket.contactId === kept)
        .map((ticket) => as(tenant.admin).put(`/tickets/${ticket.id}`, { status: 'closed' })),
    )
  }
}, 60_000)

test('an answer goes to the phone the customer wrote from last', async () => {
  const tenant = await seedTenant()
  const kept = await createContact(tenant, { name: 'Maria', number: phoneA })
  const other = await createContact(tenant, { name: 'Maria', number: phoneB })
  const line = await createConnection(tenant)
  await as(tenant.admin).post(`/contacts/${kept}/merge`, { otherId: other })
  const { identitiesOf } = await import('../../conversations/messages/messages.queries.ts')
  const first = async () =>
    (await withTenant(tenant.tenantId, (tx) => tx.rows<{ value: string }>(identitiesOf, [tx.tenantId, kept])))[0]?.value
  await inbound(tenant, line, phoneB, 1)
  expect(await first()).toBe(phoneB)
  await inbound(tenant, line, phoneA, 2)
  expect(await first()).toBe(phoneA)
})

test('two merges of the same contact at one instant: one wins', async () => {
  const tenant = await seedTenant()
  const [a, b, c] = await Promise.all(['A', 'B', 'C'].map((name) => createContact(tenant, { name })))
  const replies = await Promise.all([
    as(tenant.admin).post(`/contacts/${a}/merge`, { otherId: c }),
    as(tenant.admin).post(`/contacts/${b}/merge`, { otherId: c }),
    as(tenant.admin).post(`/contacts/${c}/merge`, { otherId: a }),
  ])
  expect(replies.filter((reply) => reply.status === 200).length).toBeGreaterThanOrEqual(1)
  const contacts = await withTenant(tenant.tenantId, ({ db }) => db.select().from(schema.contacts))
  for (const one of contacts.filter((row) => row.mergedIntoId))
    expect(contacts.find((row) => row.id === one.mergedIntoId)).toBeDefined()
  expect(contacts.filter((row) => !row.mergedIntoId).length).toBeGreaterThanOrEqual(1)
})

test('every table that names a contact says what a merge makes of it', () => {
  const known = [...parts.flatMap(({ tables }) => tables), ...Object.keys(untouched)].toSorted()
  const holding = Object.values(schema)
    .filter((table) => is(table, PgTable))
    .filter((table) => Object.values(getTableColumns(table)).some(({ name }) => name === 'contact_id'))
    .map((table) => getTableName(table))
  expect(holding.filter((name) => !known.includes(name))).toEqual([])
})
