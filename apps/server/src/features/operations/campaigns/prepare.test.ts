import { campaignWrite } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { campaignStep } from '@balcao/contract/operations/campaigns/content.ts'
import { and, eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { blockedNumbers } from '../../../db/schema/contacts/blocked-numbers.ts'
import { connectionGroups } from '../../../db/schema/conversations/connection-groups.ts'
import { campaignRecipients, campaigns } from '../../../db/schema/operations/campaigns.ts'
import { numberChecks } from '../../../db/schema/operations/number-checks.ts'

const kit = await startTestApp()
const { as, seedTenant, createUser, createConnection, createContact, createTicket, schema, withTenant } = kit
const { freezeSlice, prepareSlice } = await import('./prepare.ts')
const { notePlaces, setLeft } = await import('../../conversations/groups/places.ts')
type Tenant = Awaited<ReturnType<typeof seedTenant>>

const text = (...bodies: string[]) =>
  campaignStep.parse({ variants: bodies.map((body) => ({ content: { parts: [{ kind: 'text', body }] } })) })
const make = async (tenant: Tenant, given: object, createdBy = tenant.admin.id) => {
  const id = v7()
  const {
    name,
    origin,
    purpose,
    connectionIds,
    startsAt: _s,
    endsAt: _e,
    ...plan
  } = campaignWrite.parse({
    ...{ name: 'Promoção', steps: [text('Oi')], audience: { include: [{ kind: 'everybody' }] } },
    ...given,
  })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.insert(campaigns).values({
      ...{ tenantId: tenant.tenantId, id, name, origin, purpose, connectionIds, plan },
      state: 'preparing',
      createdBy,
    }),
  )
  return id
}
const turns = {
  whole: async (tx: Parameters<Parameters<typeof withTenant>[1]>[0], row: { id: string }) => {
    await tx.db.update(campaigns).set({ state: 'running' }).where(eq(campaigns.id, row.id))
  },
  stuck: async () => {},
}
const prepare = ({ tenantId }: Tenant, id: string) => prepareSlice(tenantId, id, turns)
const rowsOf = ({ tenantId }: Tenant, id: string) =>
  withTenant(tenantId, (tx) =>
    tx.db
      .select()
      .from(campaignRecipients)
      .where(and(eq(campaignRecipients.tenantId, tenantId), eq(campaignRecipients.campaignId, id))),
  )
/** Names of who is a recipient, with why they are left out. */
const outcome = async (tenant: Tenant, id: string, names: Record<string, string>) => {
  const rows = await rowsOf(tenant, id)
  const nameOf = new Map(Object.entries(names).map(([name, contactId]) => [contactId, name]))
  return Object.fromEntries(rows.map(({ contactId, reason, state }) => [nameOf.get(contactId) ?? '?', reason ?? state]))
}
const contact = (tenant: Tenant, name: string, number: string | null, more: object = {}) =>
  createContact(tenant, { name, ...(number && { number }), ...more })
const insert = (
  tenant: Tenant,
  table: Parameters<Parameters<Parameters<typeof withTenant>[1]>[0]['db']['insert']>[0],
  values: object,
) => withTenant(tenant.tenantId, (tx) => tx.db.insert(table).values({ tenantId: tenant.tenantId, ...values } as never))

test('everybody who is meant is frozen, and who is left out has the reason', async () => {
  const tenant = await seedTenant()
  const { tenantId } = tenant
  const connectionId = await createConnection(tenant, { kind: 'evolution' })
  const who: Record<string, string> = {
    ana: await contact(tenant, 'Ana Lima', '5511987650001'),
    outside: await contact(tenant, 'Fora Daqui', '5511987650002'),
    blocked: await contact(tenant, 'Bloqueado Silva', '5511987650003'),
    phoneless: await contact(tenant, 'Sem Fone', null),
    deaf: await contact(tenant, 'Surda Dias', '5511987650004'),
    refuses: await contact(tenant, 'Recusa Melo', '5511987650005'),
    absent: await contact(tenant, 'Ausente Reis', '5511987650006'),
    busy: await contact(tenant, 'Ocupada Luz', '5511987650007'),
    tired: await contact(tenant, 'Cansado Paz', '5511987650008'),
    nameless: await contact(tenant, '+55 11 98765-0009', '5511987650009'),
  }
  const [tag] = [(await as(tenant.admin).post('/tags', { name: 'Fora', color: '#112233' })).body.id]
  await as(tenant.admin).put(`/contact-tags/${who.outside}`, { tags: [tag] })
  await insert(tenant, blockedNumbers, { number: '5511987650003' })
  await withTenant(tenantId, (tx) =>
    tx.db
      .update(schema.contactIdentities)
      .set({ unreachableReason: 'gone' })
      .where(eq(schema.contactIdentities.contactId, who.deaf ?? '')),
  )
  await insert(tenant, schema.consents, {
    ...{
      identityKind: 'phone',
      identityValue: '5511987650005',
      channel: 'evolution',
      purpose: 'marketing',
      isGiven: false,
    },
    ...{ source: 'word', proof: 'SAIR', author: { kind: 'contact', id: null, name: '' } },
  })
  await insert(tenant, numberChecks, { network: 'whatsapp', number: '5511987650006', isThere: false, connectionId })
  await createTicket(tenant, { contactId: who.busy ?? '', connectionId })
  const earlier = await make(tenant, { connectionIds: [connectionId], audience: { include: [] } })
  await insert(tenant, campaignRecipients, {
    campaignId: earlier,
    contactId: who.tired,
    connectionId,
    state: 'sent',
    sentAt: new Date(),
  })

  const audience = {
    include: [{ kind: 'everybody' }],
    exclude: [{ kind: 'tags', tagIds: [tag] }],
    skipActive: true,
    restDays: 3,
  }
  const id = await make(tenant, { connectionIds: [connectionId], audience, steps: [text('Oi, {{primeiro_nome}}!')] })
  expect(await prepare(tenant, id)).toEqual({ added: 10, isWhole: true })
  expect(await outcome(tenant, id, who)).toEqual({
    ...{
      ana: 'waiting',
      outside: 'excluded',
      blocked: 'blocked',
      phoneless: 'noWay',
      deaf: 'unreachable',
      refuses: 'optedOut',
    },
    ...{
      absent: 'notOnChannel',
      busy: 'inConversation',
      tired: 'wroteRecently',
      nameless: 'missingVariable:primeiro_nome',
    },
  })
  const { numbers } = (await as(tenant.admin).get(`/campaigns/${id}`)).body
  expect(numbers).toMatchObject({ total: 10, skipped: 9, waiting: 1 })
  // Words that stand for what is missing let them in; what is said for service asks nobody.
  const open = await make(tenant, {
    ...{ connectionIds: [connectionId], purpose: 'service', steps: [text('Oi, {{primeiro_nome}}!')] },
    ...{ onMissing: 'fallback', fallbacks: { primeiro_nome: 'cliente' } },
  })
  await prepare(tenant, open)
  expect(await outcome(tenant, open, who)).toMatchObject({ nameless: 'waiting', refuses: 'waiting', busy: 'waiting' })
})

test('slices of three freeze the same as one, nobody twice, and again only who came later', async () => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant, { kind: 'evolution' })
  for (let n = 0; n < 10; n += 1) await contact(tenant, `Cliente ${n}`, `551198765010${n}`)
  const id = await make(tenant, { connectionIds: [connectionId] })
  const freeze = async () => {
    const added: number[] = []
    for (let after: string | null = null; ; ) {
      const slice = await withTenant(tenant.tenantId, async (tx) => {
        const [row] = await tx.db.select().from(campaigns).where(eq(campaigns.id, id))
        if (!row) throw new Error('Gone')
        return freezeSlice(tx, row, after, 3)
      })
      added.push(slice.added)
      if (slice.upTo === null) return added
      after = slice.upTo
    }
  }
  expect(await freeze()).toEqual([3, 3, 3, 1])
  expect(await freeze()).toEqual([0, 0, 0, 0])
  await contact(tenant, 'Atrasada', '5511987650199')
  expect((await freeze()).reduce((sum, one) => sum + one, 0)).toBe(1)
  const rows = await rowsOf(tenant, id)
  expect(new Set(rows.map(({ contactId }) => contactId)).size).toBe(11)
})

test('two processes at once, and one that dies in the middle, freeze everybody once', async () => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant, { kind: 'evolution' })
  for (let n = 0; n < 5; n += 1) await contact(tenant, `Cliente ${n}`, `551198765020${n}`)
  const id = await make(tenant, { connectionIds: [connectionId] })
  const dies = prepareSlice(tenant.tenantId, id, { ...turns, whole: async () => Promise.reject(new Error('killed')) })
  await expect(dies).rejects.toThrow('killed')
  expect(await rowsOf(tenant, id)).toEqual([])
  const both = await Promise.all([prepare(tenant, id), prepare(tenant, id)])
  expect(both.flatMap((one) => one ?? []).reduce((sum, { added }) => sum + added, 0)).toBe(5)
  expect(await rowsOf(tenant, id)).toHaveLength(5)
  expect((await as(tenant.admin).get(`/campaigns/${id}`)).body.numbers.total).toBe(5)
})

test('each is written to by the connection they spoke on last, the rest evenly; variants by their weight', async () => {
  const tenant = await seedTenant()
  const [a, b] = [
    await createConnection(tenant, { kind: 'evolution' }),
    await createConnection(tenant, { kind: 'evolution' }),
  ]
  const spoke = await contact(tenant, 'Falou', '5511987650300')
  await createTicket(tenant, { contactId: spoke, connectionId: a, status: 'closed' })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.execute(sql`update tickets set last_message_at = now() - interval '3 days'`),
  )
  await createTicket(tenant, { contactId: spoke, connectionId: b, status: 'closed' })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.execute(sql`update tickets set last_message_at = now() where connection_id = ${b}::uuid`),
  )
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.execute(sql`with c as (insert into contacts (tenant_id, id, name, number)
        select ${tenant.tenantId}, gen_random_uuid(), 'Cliente ' || n, (5511987660000 + n)::text from generate_series(1, 400) n returning tenant_id, id, number)
      insert into contact_identities (tenant_id, kind, value, contact_id) select tenant_id, 'phone', number, id from c`),
  )
  const weighted = campaignStep.parse({
    variants: [
      { weight: 1, content: { parts: [{ kind: 'text', body: 'A' }] } },
      { weight: 3, content: { parts: [{ kind: 'text', body: 'B' }] } },
    ],
    test: { percent: 50, hours: 2 },
  })
  const id = await make(tenant, { connectionIds: [a, b], steps: [weighted] })
  await prepare(tenant, id)
  const rows = await rowsOf(tenant, id)
  expect(rows.find(({ contactId }) => contactId === spoke)?.connectionId).toBe(b)
  const share = (is: (row: (typeof rows)[number]) => boolean) => rows.filter(is).length / rows.length
  expect(share(({ connectionId }) => connectionId === a)).toBeGreaterThan(0.4)
  expect(share(({ connectionId }) => connectionId === a)).toBeLessThan(0.6)
  expect(share(({ variant }) => variant === null)).toBeGreaterThan(0.4)
  expect(share(({ variant }) => variant === null)).toBeLessThan(0.6)
  const tried = rows.filter(({ variant }) => variant !== null)
  expect(tried.filter(({ variant }) => variant === 1).length / tried.length).toBeGreaterThan(0.6)
})

test('sources: segment, tag, stage, owner, chosen ones and groups, and whom another campaign reached', async () => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant, { kind: 'evolution' })
  const [ana, bia, caio] = [
    await contact(tenant, 'Ana', '5511987650401'),
    await contact(tenant, 'Bia', '5511987650402', { walletIds: [tenant.agent.id] }),
    await contact(tenant, 'Caio', '5511987650403'),
  ]
  const group = await contact(tenant, 'Vizinhos', null)
  await withTenant(tenant.tenantId, async (tx) => {
    await tx.db.update(schema.contacts).set({ isGroup: true }).where(eq(schema.contacts.id, group))
    await tx.db
      .insert(schema.contactIdentities)
      .values({ tenantId: tx.tenantId, kind: 'group', value: '120363', contactId: group })
    await notePlaces(tx, connectionId, [{ groupId: group }])
  })
  const who = { ana, bia, caio, group }
  const tag = (await as(tenant.admin).post('/tags', { name: 'VIP', color: '#112233' })).body.id
  for (const one of [ana, group]) await as(tenant.admin).put(`/contact-tags/${one}`, { tags: [tag] })
  const lane = (await as(tenant.admin).post('/kanban', { name: 'Novo', color: '#112233', position: 1 })).body.id
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.contacts).set({ laneId: lane }).where(eq(schema.contacts.id, caio)),
  )
  const reached = async (...include: object[]) => {
    const id = await make(tenant, { connectionIds: [connectionId], audience: { include } })
    await prepare(tenant, id)
    return Object.keys(await outcome(tenant, id, who)).toSorted()
  }
  const rules = { match: 'all', rules: [{ field: 'name', op: 'contains', value: 'a' }] }
  const segment = (await as(tenant.admin).post('/segments', { name: 'Com a', isShared: true, rules })).body.id
  expect(await reached({ kind: 'segment', segmentId: segment })).toEqual(['ana', 'bia', 'caio'])
  // A tag on a group sends nothing into it.
  expect(await reached({ kind: 'tags', tagIds: [tag] })).toEqual(['ana'])
  expect(await reached({ kind: 'lanes', laneIds: [lane] })).toEqual(['caio'])
  expect(await reached({ kind: 'wallets', userIds: [tenant.agent.id] })).toEqual(['bia'])
  expect(await reached({ kind: 'groups', contactIds: [group, ana] })).toEqual(['group'])
  expect(await reached({ kind: 'contacts', contactIds: [ana] }, { kind: 'lanes', laneIds: [lane] })).toEqual([
    'ana',
    'caio',
  ])
  const first = await make(tenant, { connectionIds: [connectionId] })
  await prepare(tenant, first)
  const sent = (contactId: string, more: object) =>
    withTenant(tenant.tenantId, (tx) =>
      tx.db
        .update(campaignRecipients)
        .set({ state: 'sent', sentAt: new Date(), ...more })
        .where(and(eq(campaignRecipients.campaignId, first), eq(campaignRecipients.contactId, contactId))),
    )
  await sent(ana, { answeredAt: new Date() })
  await sent(bia, {})
  const of = (what: string) => reached({ kind: 'campaign', campaignId: first, who: what })
  expect([await of('answered'), await of('notAnswered'), await of('all')]).toEqual([['ana'], ['bia'], ['ana', 'bia']])
  // Who became part of another is reached as that one.
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.contacts).set({ mergedIntoId: bia }).where(eq(schema.contacts.id, caio)),
  )
  expect(await reached({ kind: 'contacts', contactIds: [caio] })).toEqual(['bia'])
})

test('a group is written to by a number that is in it and may write there, never by another one of its network', async () => {
  const tenant = await seedTenant()
  const [inside, outside] = [
    await createConnection(tenant, { kind: 'evolution' }),
    await createConnection(tenant, { kind: 'evolution' }),
  ]
  const [open, closed, left] = [
    await contact(tenant, 'Vizinhos', null),
    await contact(tenant, 'Avisos', null),
    await contact(tenant, 'Antigo', null),
  ]
  const who = { open, closed, left }
  await withTenant(tenant.tenantId, async (tx) => {
    for (const [at, contactId] of [open, closed, left].entries()) {
      await tx.db.update(schema.contacts).set({ isGroup: true }).where(eq(schema.contacts.id, contactId))
      await tx.db
        .insert(schema.contactIdentities)
        .values({ tenantId: tx.tenantId, kind: 'group', value: `12036300${at}`, contactId })
    }
    await notePlaces(tx, inside, [{ groupId: open }, { groupId: closed, isAdminsOnly: true }, { groupId: left }])
    await tx.db.update(connectionGroups).set({ ourRole: 'member' }).where(eq(connectionGroups.groupId, closed))
    await setLeft(tx, inside, left, new Date())
  })
  const include = [{ kind: 'groups', contactIds: [open, closed, left] }]
  const byBoth = await make(tenant, { connectionIds: [outside, inside], audience: { include } })
  await prepare(tenant, byBoth)
  expect(await outcome(tenant, byBoth, who)).toEqual({ open: 'waiting', closed: 'unreachable', left: 'unreachable' })
  const sent = (await as(tenant.admin).get(`/campaigns/contacts/${byBoth}?state=waiting`)).body.items
  expect(sent.map((one: { connection: { id: string } }) => one.connection.id)).toEqual([inside])
})

test('a campaign reaches no more than its author finds in lists', async () => {
  const tenant = await seedTenant({ settings: { DirectTicketsToWallets: true } })
  const connectionId = await createConnection(tenant, { kind: 'evolution' })
  const rival = await createUser(tenant.tenantId)
  const who = {
    mine: await contact(tenant, 'Minha', '5511987650501', { walletIds: [tenant.supervisor.id] }),
    theirs: await contact(tenant, 'Deles', '5511987650502', { walletIds: [rival.id] }),
    free: await contact(tenant, 'Livre', '5511987650503'),
  }
  const id = await make(tenant, { connectionIds: [connectionId] }, tenant.supervisor.id)
  await prepare(tenant, id)
  expect(Object.keys(await outcome(tenant, id, who)).toSorted()).toEqual(['free', 'mine'])
  const seen = async (user: { token: string }) => (await as(user).get(`/campaigns/contacts/${id}`)).body.items.length
  expect([await seen(tenant.supervisor), await seen(tenant.admin)]).toEqual([2, 2])
})

test('a list waits until it is imported; its columns are variables, and its broken lines are counted', async () => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant, { kind: 'evolution' })
  const ana = await contact(tenant, 'Ana', '5511987650601')
  const importId = v7()
  await insert(tenant, schema.contactImports, {
    ...{
      id: importId,
      source: 'file',
      name: 'lista.csv',
      mapping: ['phone', null],
      options: {},
      counts: {},
      state: 'running',
    },
    ...{ headings: ['numero', 'pedido'], total: 4, userId: tenant.admin.id, rowsUntil: new Date(Date.now() + 1e9) },
  })
  const row = (line: number, cells: string[], more: object) =>
    insert(tenant, schema.contactImportRows, { importId, line, cells, ...more })
  await row(2, ['11987650601', '=1+1'], { outcome: 'same', contactId: ana })
  await row(3, ['11987650601', '78'], { outcome: 'skip', reason: 'Repete a linha 2.', contactId: ana })
  await row(4, ['lixo', '{{nome}}'], { outcome: 'error', reason: 'Sem telefone' })
  await row(5, ['011', ''], { outcome: 'error', reason: 'Sem telefone' })
  const audience = { include: [{ kind: 'import', importId }] }
  const id = await make(tenant, { connectionIds: [connectionId], audience, steps: [text('Pedido {{extra.pedido}}')] })
  const stuck: string[] = []
  const look = () =>
    prepareSlice(tenant.tenantId, id, { ...turns, stuck: async (_tx, _row, reason) => stuck.push(reason) })
  await look()
  expect(stuck).toEqual(['A importação desta lista parou. Continue-a ou envie a lista de novo.'])
  await withTenant(tenant.tenantId, (tx) => tx.db.update(schema.contactImports).set({ state: 'done' }))
  expect(await look()).toEqual({ added: 1, isWhole: true })
  expect(await rowsOf(tenant, id)).toMatchObject([
    { contactId: ana, state: 'waiting', vars: { numero: '11987650601', pedido: '=1+1' } },
  ])
  expect((await as(tenant.admin).get(`/campaigns/${id}`)).body.numbers).toMatchObject({
    total: 4,
    skipped: 3,
    waiting: 1,
  })
})

test('who has an e-mail alone is reached by e-mail; an address that is another’s is a repetition', async () => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant, { kind: 'email' })
  const typed = (await as(tenant.admin).post('/contacts', { name: 'Digitada', email: 'digitada@teste.local' })).body.id
  const known = await contact(tenant, 'Conhecido', null)
  await insert(tenant, schema.contactIdentities, { kind: 'email', value: 'familia@teste.local', contactId: known })
  const same = (await as(tenant.admin).post('/contacts', { name: 'Parente', email: 'familia@teste.local' })).body.id
  const id = await make(tenant, { connectionIds: [connectionId] })
  await prepare(tenant, id)
  expect(await outcome(tenant, id, { typed, known, same })).toEqual({
    typed: 'waiting',
    known: 'waiting',
    same: 'repeated',
  })
  const [identity] = await withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(schema.contactIdentities).where(eq(schema.contactIdentities.contactId, typed)),
  )
  expect(identity).toMatchObject({ kind: 'email', value: 'digitada@teste.local' })
})
