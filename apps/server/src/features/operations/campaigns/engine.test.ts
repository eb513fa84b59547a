import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import { campaignStep } from '@balcao/contract/operations/campaigns/content.ts'
import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { campaignRecipients, campaigns, campaignTallies } from '../../../db/schema/operations/campaigns.ts'
import { forgetConnections } from '../../channels/connections/context.ts'

const kit = await startTestApp()
const { as, seedTenant, createUser, createConnection, createContact, createTicket, withTenant, withPlatform, schema } =
  kit
const { lookAfterCampaigns } = await import('./campaigns.loop.ts')
const { feedCampaigns } = await import('./feed.loop.ts')
const { foldTallies } = await import('./tallies.loop.ts')
type Tenant = Awaited<ReturnType<typeof seedTenant>>

afterEach(() => vi.useRealTimers())
beforeEach(() =>
  withPlatform('test', async (tx) => {
    await tx.db.update(campaigns).set({ state: 'canceled' })
  }),
)

const always = { from: '00:00', until: '00:00', days: [0, 1, 2, 3, 4, 5, 6], skipHolidays: false }
const text = (...bodies: string[]) =>
  campaignStep.parse({ variants: bodies.map((body) => ({ content: { parts: [{ kind: 'text', body }] } })) })

/** An official number that takes free words at any time, and people to write to. */
const seed = async (many = 3) => {
  const tenant = await seedTenant()
  const connectionId = await createWay(tenant)
  const contactIds: string[] = []
  for (let n = 0; n < many; n += 1)
    contactIds.push(await createContact(tenant, { name: `Cliente ${n}`, number: `55119${String(10_000_000 + n)}` }))
  return { tenant, connectionId, contactIds, me: as(tenant.admin) }
}
const createWay = async (tenant: Tenant) => {
  const config = {
    ...{ phoneNumberId: `10${Math.random().toString().slice(2, 12)}`, wabaId: '2001', apiVersion: 'v25.0' },
    ...{ appSecret: 'app-secret-0123456789', verifyToken: 'verify-0123456789', accessToken: 'access-token-0123456789' },
  }
  const id = await createConnection(tenant, { kind: 'waba', config })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .update(schema.connections)
      .set({ abilities: sql`abilities || '{"windowHours": null, "personWindowHours": null}'` })
      .where(eq(schema.connections.id, id)),
  )
  forgetConnections()
  return id
}
type Seeded = Awaited<ReturnType<typeof seed>>
const create = async ({ me, connectionId, contactIds }: Seeded, given: object = {}): Promise<string> => {
  const made = await me.post('/campaigns', {
    ...{ name: 'Promoção', connectionIds: [connectionId], window: always, steps: [text('Oi, {{primeiro_nome}}!')] },
    audience: { include: [{ kind: 'contacts', contactIds }] },
    ...given,
  })
  expect(made.status).toBe(201)
  return made.body.id
}
/** A campaign that runs, its audience frozen. */
const run = async (seeded: Seeded, given: object = {}) => {
  const id = await create(seeded, given)
  expect(await seeded.me.post(`/campaigns/${id}/start`)).toMatchObject({ status: 200, body: { state: 'preparing' } })
  await lookAfterCampaigns()
  expect((await seeded.me.get(`/campaigns/${id}`)).body.state).toBe('running')
  return id
}
const rows = ({ tenant }: Seeded, id: string) =>
  withTenant(tenant.tenantId, (tx) =>
    tx.db
      .select()
      .from(campaignRecipients)
      .where(and(eq(campaignRecipients.tenantId, tenant.tenantId), eq(campaignRecipients.campaignId, id)))
      .orderBy(campaignRecipients.step, campaignRecipients.id),
  )
const messages = ({ tenant }: Seeded) =>
  withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.messages).orderBy(schema.messages.seq))
const becomes = ({ tenant }: Seeded, status: 'sent' | 'delivered' | 'read' | 'failed' | 'queued', id?: string) =>
  withTenant(tenant.tenantId, (tx) =>
    tx.db
      .update(schema.messages)
      .set({ status, error: status === 'failed' ? 'O número não existe.' : null })
      .where(id ? eq(schema.messages.id, id) : eq(schema.messages.tenantId, tenant.tenantId)),
  )
const numbers = async ({ me }: Seeded, id: string) => (await me.get(`/campaigns/${id}`)).body.numbers
const stateOf = async ({ me }: Seeded, id: string) => (await me.get(`/campaigns/${id}`)).body
/** It is looked after now. */
const look = async ({ tenant }: Seeded, id: string) => {
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(campaigns).set({ dueAt: sql`now() - interval '1 second'` }).where(eq(campaigns.id, id)),
  )
  await lookAfterCampaigns()
}
const change = ({ tenant }: Seeded, id: string, set: Partial<typeof campaigns.$inferInsert>) =>
  withTenant(tenant.tenantId, (tx) => tx.db.update(campaigns).set(set).where(eq(campaigns.id, id)))
/** What is kept as they move is what the rows say. */
const countedRight = async ({ tenant }: Seeded, id: string) => {
  const counted = await withTenant(tenant.tenantId, async (tx) => {
    const kept =
      await tx.db.execute(sql`select step, variant, connection_id, mark, at, sum(count)::int as count from campaign_tallies
      where tenant_id = ${tenant.tenantId} and campaign_id = ${id} group by 1, 2, 3, 4, 5 having sum(count) <> 0 order by 1, 2, 3, 4, 5`)
    const made = await tx.db.execute(sql`select r.step, coalesce(r.variant, -1) as variant,
        coalesce(r.connection_id, '00000000-0000-0000-0000-000000000000') as connection_id, m.mark, m.at, sum(m.count)::int as count
      from campaign_recipients r cross join lateral campaign_marks(r.state, r.reason, r.error, r.message_id, r.cost, r.sent_at,
        r.delivered_at, r.read_at, r.failed_at, r.answered_at, r.opted_out_at, r.complained_at) m
      where r.tenant_id = ${tenant.tenantId} and r.campaign_id = ${id} group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`)
    return [kept.rows, made.rows]
  })
  expect(counted[0]).toEqual(counted[1])
}

test('a campaign is frozen, fed and followed, in conversations that no list shows', async () => {
  const seeded = await seed()
  const { me } = seeded
  const id = await run(seeded)
  await feedCampaigns()
  const sent = await messages(seeded)
  expect(sent.map(({ body }) => body)).toEqual(Array(3).fill('Oi, Cliente!'))
  expect(sent[0]).toMatchObject({ sendType: 'campaign', status: 'queued', author: { kind: 'campaign', id } })
  await becomes(seeded, 'sent')
  await becomes(seeded, 'read', sent[0]?.id)
  await becomes(seeded, 'delivered', sent[1]?.id)
  expect(await numbers(seeded, id)).toMatchObject({ total: 3, waiting: 0, sent: 3, delivered: 2, read: 1, failed: 0 })
  await countedRight(seeded, id)
  await foldTallies()
  await countedRight(seeded, id)
  const writers = await withTenant(seeded.tenant.tenantId, (tx) => tx.db.select().from(campaignTallies))
  expect(new Set(writers.map(({ writer }) => writer))).toEqual(new Set([0]))
  // Nobody has to work on it: it is in no list and no count, and in the history of its contact.
  for (const status of ['closed', 'open', 'pending'])
    expect((await me.get(`/tickets?status=${status}&showAll=true`)).body.items).toEqual([])
  const history = await me.get(`/messagesContact/${seeded.contactIds[0]}`)
  expect(JSON.stringify(history.body)).toContain('Oi, Cliente!')
  // A place of ours is no protocol to be told.
  expect((await me.get(`/tickets/${sent[0]?.ticketId}`)).body).toMatchObject({ protocol: '', status: 'closed' })
  await look(seeded, id)
  expect(await stateOf(seeded, id)).toMatchObject({ state: 'finished', finishedAt: expect.any(String) })
})

test('several feeders at once write to everybody once, and a campaign goes on where a killed one ended', async () => {
  const seeded = await seed(40)
  const id = await run(seeded)
  await Promise.all([feedCampaigns(), feedCampaigns(), feedCampaigns(), feedCampaigns()])
  const sent = await messages(seeded)
  expect(sent).toHaveLength(40)
  expect(new Set(sent.map(({ contactId }) => contactId)).size).toBe(40)
  await feedCampaigns()
  expect(await messages(seeded)).toHaveLength(40)
  await countedRight(seeded, id)
})

test('started by two people at once while feeders come and go, each person gets it once (T48)', async () => {
  const seeded = await seed(20)
  const [id, colleague] = [await create(seeded), await createUser(seeded.tenant.tenantId, { profile: 'admin' })]
  const both = [seeded.me, as(colleague), seeded.me, as(colleague)]
  const started = await Promise.all(both.map((person) => person.post(`/campaigns/${id}/start`)))
  expect(started.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  for (const { status } of started) expect([200, 409]).toContain(status)
  await Promise.all([lookAfterCampaigns(), lookAfterCampaigns(), lookAfterCampaigns()])
  await Promise.all([feedCampaigns(), lookAfterCampaigns(), feedCampaigns(), feedCampaigns()])
  await feedCampaigns()
  expect((await messages(seeded)).map(({ contactId }) => contactId).toSorted()).toEqual(seeded.contactIds.toSorted())
  expect(await rows(seeded, id)).toHaveLength(20)
  await countedRight(seeded, id)
  expect((await seeded.me.get('/audit?entity=campaign')).body.items).toHaveLength(2) // made, and started once
})

test('what has not left is taken back by a pause, and goes out once when it goes on; a cancelled one sends nothing more', async () => {
  const seeded = await seed(4)
  const { me } = seeded
  const id = await run(seeded)
  await feedCampaigns()
  const [first] = await messages(seeded)
  await becomes(seeded, 'sent', first?.id)
  expect((await me.post(`/campaigns/${id}/pause`)).body).toMatchObject({
    state: 'paused',
    pause: { code: null, advice: expect.stringContaining('retomar') },
  })
  expect((await messages(seeded)).map((one) => one.id)).toEqual([first?.id])
  expect(await numbers(seeded, id)).toMatchObject({ sent: 1, waiting: 3 })
  await feedCampaigns()
  expect(await messages(seeded)).toHaveLength(1)
  expect((await me.post(`/campaigns/${id}/resume`)).body.state).toBe('running')
  await feedCampaigns()
  expect(await messages(seeded)).toHaveLength(4)
  expect((await me.post(`/campaigns/${id}/cancel`)).body.state).toBe('canceled')
  expect(await messages(seeded)).toHaveLength(1)
  await feedCampaigns()
  expect(await messages(seeded)).toHaveLength(1)
  expect((await me.post(`/campaigns/${id}/resume`)).body.error).toBe('ERR_INVALID_TRANSITION')
  await countedRight(seeded, id)
  const { body } = await me.get('/audit?entity=campaign')
  expect(body.items.map((one: { action: string }) => one.action)).toEqual(
    expect.arrayContaining(['campaign.started', 'campaign.paused', 'campaign.resumed', 'campaign.canceled']),
  )
})

test('a provider that lies about states moves marks forward alone, and each once', async () => {
  const seeded = await seed(3)
  const id = await run(seeded)
  await feedCampaigns()
  const [one, two, three] = await messages(seeded)
  await becomes(seeded, 'read', one?.id)
  await becomes(seeded, 'delivered', one?.id)
  await becomes(seeded, 'read', one?.id)
  await becomes(seeded, 'failed', two?.id)
  await becomes(seeded, 'queued', two?.id)
  await becomes(seeded, 'sent', two?.id)
  await becomes(seeded, 'failed', three?.id)
  expect(await numbers(seeded, id)).toMatchObject({ sent: 2, delivered: 1, read: 1, failed: 1 })
  await countedRight(seeded, id)
  const report = (await seeded.me.get(`/campaigns/${id}/report`)).body
  expect(report.failures).toEqual([{ error: 'O número não existe.', count: 1 }])
})

test('whoever is in a conversation gets it there, and who waits for an answer goes on waiting', async () => {
  const seeded = await seed(1)
  const { tenant, connectionId, contactIds } = seeded
  const ticketId = await createTicket(tenant, { contactId: contactIds[0] ?? '', connectionId })
  const before = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.tickets))
  await run(seeded)
  await feedCampaigns()
  expect(await messages(seeded)).toMatchObject([{ ticketId, sendType: 'campaign' }])
  expect(await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.tickets))).toEqual(before)
})

test('a no, a block, a merge and a deletion between freezing and turn are heeded', async () => {
  const seeded = await seed(5)
  const { tenant, contactIds, me } = seeded
  const [asked, blocked, kept, lost, gone] = contactIds as [string, string, string, string, string]
  const id = await run(seeded)
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.insert(schema.consents).values({
      ...{ tenantId: tx.tenantId, identityKind: 'phone', identityValue: '5511910000000', channel: 'waba' },
      ...{ purpose: 'marketing', isGiven: false, source: 'word', proof: 'SAIR' },
      author: { kind: 'contact', id: asked, name: '' },
    }),
  )
  await me.post('/blockedNumbers', { number: '5511910000001' })
  expect((await me.post(`/contacts/${kept}/merge`, { otherId: lost })).status).toBeLessThan(300)
  expect((await me.delete(`/contacts/${gone}`)).status).toBeLessThan(300)
  await feedCampaigns()
  const reasons = Object.fromEntries((await rows(seeded, id)).map((row) => [row.contactId, row.reason ?? row.state]))
  expect(reasons).toEqual({ [asked]: 'optedOut', [blocked]: 'blocked', [kept]: 'written', [lost]: 'repeated' })
  expect(await numbers(seeded, id)).toMatchObject({ total: 5, skipped: 4, waiting: 0 })
})

test('it stops by itself when too many fail, says why, and goes on without stopping for the same', async () => {
  const seeded = await seed(12)
  const id = await run(seeded, { brake: { atLeast: 5 } })
  await feedCampaigns()
  await becomes(seeded, 'failed')
  await look(seeded, id)
  expect(await stateOf(seeded, id)).toMatchObject({
    state: 'paused',
    pause: { code: 'failures', text: expect.stringContaining('100%'), advice: expect.stringMatching(/\S/) },
  })
  await seeded.me.post(`/campaigns/${id}/resume`)
  await look(seeded, id)
  expect((await stateOf(seeded, id)).state).not.toBe('paused')
})

test('one that takes late joiners is looked after as often as any other, and stops as soon', async () => {
  const seeded = await seed(6)
  const audience = { include: [{ kind: 'everybody' }], takesLate: true }
  const id = await run(seeded, { brake: { atLeast: 5 }, audience })
  await look(seeded, id)
  const { rows: due } = await withTenant(seeded.tenant.tenantId, (tx) =>
    tx.db.execute(sql`select due_at < now() + interval '10 seconds' as "isSoon" from campaigns where id = ${id}::uuid`),
  )
  expect(due).toEqual([{ isSoon: true }])
  await feedCampaigns()
  await becomes(seeded, 'failed')
  await look(seeded, id)
  expect(await stateOf(seeded, id)).toMatchObject({ state: 'paused', pause: { code: 'failures' } })
})

test('a channel that waits for its code stops it after a while, as one that was lost', async () => {
  const seeded = await seed(2)
  const id = await run(seeded)
  const since = async (ago: string) => {
    await withTenant(seeded.tenant.tenantId, (tx) =>
      tx.db
        .update(schema.connections)
        .set({ status: 'OPENING', statusAt: sql`now() - ${ago}::interval` })
        .where(eq(schema.connections.id, seeded.connectionId)),
    )
    await look(seeded, id)
    return (await stateOf(seeded, id)).pause?.code
  }
  expect(await since('30 seconds')).toBeUndefined()
  expect(await since('3 minutes')).toBe('disconnected')
})

test('what providers say of haste and of bans, who asks to leave and who complains stop it, each with its reason', async () => {
  const failing = (error: string) => async (seeded: Seeded) => {
    const failed = (await messages(seeded)).slice(0, 2).map(({ id }) => id)
    await withTenant(seeded.tenant.tenantId, (tx) =>
      tx.db.update(schema.messages).set({ status: 'failed', error }).where(inArray(schema.messages.id, failed)),
    )
  }
  const marking = (set: Partial<typeof campaignRecipients.$inferInsert>) => (seeded: Seeded, id: string) =>
    withTenant(seeded.tenant.tenantId, (tx) =>
      tx.db
        .update(campaignRecipients)
        .set(set)
        .where(
          and(
            eq(campaignRecipients.campaignId, id),
            inArray(campaignRecipients.contactId, seeded.contactIds.slice(0, 1)),
          ),
        ),
    )
  type Cases = [code: string, happens: (seeded: Seeded, id: string) => Promise<unknown>][]
  const cases: Cases = [
    ['rateLimit', failing('O WhatsApp está recebendo mensagens demais.')],
    ['rateLimit', failing('Muitas mensagens seguidas para este cliente.')],
    ['rateLimit', failing('O WhatsApp pediu para enviar mais devagar.')],
    ['banSigns', failing('A Meta limitou os envios deste número por qualidade.')],
    [
      'banSigns',
      failing('A conta do WhatsApp está restrita pela Meta. O administrador precisa resolver no Gerenciador.'),
    ],
    ['banSigns', failing('O WhatsApp não deixa este número começar conversas por enquanto.')],
    ['failures', failing('O número não existe.')],
    ['optOuts', marking({ optedOutAt: new Date() })],
    ['complaints', marking({ complainedAt: new Date() })],
  ]
  for (const [code, happens] of cases) {
    const seeded = await seed(10)
    const id = await run(seeded, { brake: { atLeast: 5 } })
    await feedCampaigns()
    await becomes(seeded, 'sent')
    await happens(seeded, id)
    await look(seeded, id)
    const { state, pause } = await stateOf(seeded, id)
    expect([state, pause?.code], code).toEqual(['paused', code])
    expect(
      [pause.text, pause.advice].every((text) => text.trim() !== ''),
      code,
    ).toBe(true)
    expect((await seeded.me.post(`/campaigns/${id}/resume`)).body.state).toBe('running')
    await feedCampaigns()
    const to = (await messages(seeded)).map(({ contactId }) => contactId)
    expect(new Set(to).size, code).toBe(to.length)
    await change(seeded, id, { state: 'canceled' })
  }
}, 40_000)

test('a provider that asks to go slower stops it while what it refused is still to be tried again; nobody gets it twice', async () => {
  const seeded = await seed(30)
  const { tenant, me } = seeded
  const id = await run(seeded)
  await feedCampaigns()
  const refuse = async (many: number, set: object = { attempts: 1 }) => {
    const some = (await messages(seeded)).filter(({ status }) => status === 'queued').slice(0, many)
    await withTenant(tenant.tenantId, (tx) =>
      tx.db
        .update(schema.messages)
        .set({ error: 'O WhatsApp está recebendo mensagens demais. Tentaremos de novo em instantes.', ...set })
        .where(
          inArray(
            schema.messages.id,
            some.map((one) => one.id),
          ),
        ),
    )
    await look(seeded, id)
    return (await stateOf(seeded, id)).pause?.code
  }
  expect(await refuse(30, { attempts: 3, error: 'O WhatsApp está instável. Tentaremos de novo em instantes.' })).toBe(
    undefined,
  )
  expect(await refuse(4)).toBeUndefined()
  expect(await refuse(5)).toBe('rateLimit')
  expect(await messages(seeded)).toEqual([])
  expect(await numbers(seeded, id)).toMatchObject({ total: 30, waiting: 30, failed: 0 })

  const goOn = async () => {
    expect((await me.post(`/campaigns/${id}/resume`)).body.state).toBe('running')
    await feedCampaigns()
    await look(seeded, id)
  }
  await goOn()
  // One that was on its way when it stopped came back refused since: that was said before.
  const [late] = await messages(seeded)
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .update(schema.messages)
      .set({ status: 'sending' })
      .where(eq(schema.messages.id, late?.id ?? '')),
  )
  expect(await refuse(5)).toBe('rateLimit')
  await becomes(seeded, 'queued', late?.id)
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.messages).set({ attempts: 9, error: 'Muitas mensagens seguidas para este cliente.' }),
  )
  await goOn()
  const to = (await messages(seeded)).map(({ contactId }) => contactId)
  expect([to.length, new Set(to).size, (await stateOf(seeded, id)).state]).toEqual([30, 30, 'running'])

  // One that is slow has hardly any that wait: how often they were refused counts.
  const [first, ...others] = await messages(seeded)
  for (const one of others) await becomes(seeded, 'sent', one.id)
  expect(first && (await refuse(1, { attempts: 2 }))).toBeUndefined()
  // And of a fast one a few are no sign.
  const [told] = await withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(campaignTallies).where(sql`mark = 'sent' and campaign_id = ${id}`),
  )
  const sent = (count: number) =>
    withTenant(tenant.tenantId, (tx) =>
      tx.db.update(campaignTallies).set({ count }).where(sql`mark = 'sent' and campaign_id = ${id}`),
    )
  await sent(1_000)
  expect(await refuse(1, { attempts: 5 })).toBeUndefined()
  await sent(told?.count ?? 0)
  expect(await refuse(1, { attempts: 5 })).toBe('rateLimit')
})

test('a channel that is deleted in the middle stops it; a template that is paused too, and nobody has failed', async () => {
  const seeded = await seed(2)
  const { tenant, connectionId } = seeded
  const id = await run(seeded)
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.connections).set({ deletedAt: new Date() }).where(eq(schema.connections.id, connectionId)),
  )
  forgetConnections()
  await feedCampaigns()
  expect(await stateOf(seeded, id)).toMatchObject({ state: 'paused', pause: { code: 'connectionGone' } })
  expect(await seeded.me.post(`/campaigns/${id}/resume`)).toMatchObject({ status: 409 })

  const other = await seed(2)
  await withTenant(other.tenant.tenantId, async (tx) => {
    await tx.db.update(schema.connections).set({ abilities: sql`abilities || '{"windowHours": 24}'` })
    await tx.db.insert(schema.messageTemplates).values({
      ...{
        tenantId: tx.tenantId,
        connectionId: other.connectionId,
        externalId: '1',
        name: 'oferta',
        language: 'pt_BR',
      },
      ...{ category: 'MARKETING', status: 'APPROVED', syncedAt: new Date() },
      components: [{ type: 'BODY', text: 'Oi, {{1}}!' }],
    })
  })
  forgetConnections()
  const step = campaignStep.parse({
    variants: [{ content: { template: { name: 'oferta', language: 'pt_BR', body: ['{{primeiro_nome}}'] } } }],
  })
  const second = await run(other, { steps: [step] })
  await withTenant(other.tenant.tenantId, (tx) => tx.db.update(schema.messageTemplates).set({ status: 'PAUSED' }))
  await feedCampaigns()
  expect(await stateOf(other, second)).toMatchObject({ state: 'paused', pause: { code: 'templatePaused' } })
  await withTenant(other.tenant.tenantId, (tx) => tx.db.update(schema.messageTemplates).set({ status: 'APPROVED' }))
  await other.me.post(`/campaigns/${second}/resume`)
  await feedCampaigns()
  expect(await messages(other)).toMatchObject([
    { type: 'template', body: 'Oi, Cliente!' },
    { type: 'template', body: 'Oi, Cliente!' },
  ])
  await becomes(other, 'delivered')
  expect((await numbers(other, second)).cost).toBe(2 * 3_438)
})

test('a channel whose settings nobody can read stops it, and says so', async () => {
  const seeded = await seed(1)
  const id = await run(seeded)
  await withTenant(seeded.tenant.tenantId, (tx) =>
    tx.db.update(schema.connections).set({ config: {} }).where(eq(schema.connections.id, seeded.connectionId)),
  )
  forgetConnections()
  await feedCampaigns()
  expect(await stateOf(seeded, id)).toMatchObject({ state: 'paused', pause: { code: 'disconnected' } })
})

test('the first few go alone; the rest when somebody goes on', async () => {
  const seeded = await seed(5)
  const id = await run(seeded, { canary: { size: 2, minutes: null } })
  await feedCampaigns()
  expect(await messages(seeded)).toHaveLength(2)
  expect(await stateOf(seeded, id)).toMatchObject({ state: 'paused', pause: { code: 'canary' } })
  await seeded.me.post(`/campaigns/${id}/resume`)
  await feedCampaigns()
  expect(await messages(seeded)).toHaveLength(5)
})

test('what is left of a test waits for the variant that is read most', async () => {
  const seeded = await seed(40)
  const steps = [{ ...text('A', 'B'), test: { percent: 50, hours: 1, by: 'read' } }]
  const id = await run(seeded, { steps })
  await feedCampaigns()
  const tried = await messages(seeded)
  expect(tried.length).toBeGreaterThan(5)
  expect(tried.length).toBeLessThan(35)
  await becomes(seeded, 'sent')
  for (const one of tried.filter(({ body }) => body === 'B')) await becomes(seeded, 'read', one.id)
  await look(seeded, id)
  await feedCampaigns()
  expect(await messages(seeded)).toHaveLength(tried.length)
  await withTenant(seeded.tenant.tenantId, (tx) =>
    tx.db.update(campaignTallies).set({ at: sql`at - interval '2 hours'` }).where(sql`mark = 'sent'`),
  )
  await look(seeded, id)
  await feedCampaigns()
  const rest = (await messages(seeded)).filter(({ id }) => !tried.some((one) => one.id === id))
  expect(new Set(rest.map(({ body }) => body))).toEqual(new Set(['B']))
  expect(await messages(seeded)).toHaveLength(40)
})

test('the stage a contact stands in is a variable, and whoever stands in none is left out', async () => {
  const seeded = await seed(2)
  const { me, contactIds } = seeded
  const stage = await me.post('/kanban', { name: 'Proposta enviada' })
  expect(stage.status).toBe(201)
  expect((await me.put(`/contacts/${contactIds[0]}`, { kanban: stage.body.id })).status).toBe(200)
  const id = await run(seeded, { steps: [text('Você está em {{kanban}}.')] })
  await feedCampaigns()
  expect((await messages(seeded)).map(({ body }) => body)).toEqual(['Você está em Proposta enviada.'])
  const left = (await rows(seeded, id)).find(({ contactId }) => contactId === contactIds[1])
  expect(left).toMatchObject({ state: 'skipped', reason: 'missingVariable:kanban' })
  // It says what: in the list, its filter and the sums.
  const lacking = { reason: 'missingVariable', missing: 'kanban' }
  for (const query of ['missing=kanban', 'reason=missingVariable'])
    expect((await me.get(`/campaigns/contacts/${id}?${query}`)).body.items).toMatchObject([lacking])
  expect((await me.get(`/campaigns/contacts/${id}?missing=name`)).body.items).toEqual([])
  expect((await me.get(`/campaigns/${id}/report`)).body.skipped).toEqual([{ ...lacking, count: 1 }])
  const shown = (await me.post(`/campaigns/${id}/duplicate`)).body
  const { sample } = (await me.post(`/campaigns/${shown.id}/rehearsal`)).body
  expect(sample.map((one: { texts: string[] }) => one.texts[0])).toContain('Você está em Proposta enviada.')
})

test('who answered gets no follow-up; who did not gets it so long after the first', async () => {
  const seeded = await seed(3)
  const { tenant } = seeded
  const steps = [text('Primeira'), { ...text('Segunda'), afterHours: 48, unless: 'answered' }]
  const id = await run(seeded, { steps })
  await feedCampaigns()
  await becomes(seeded, 'sent')
  expect((await rows(seeded, id)).filter(({ step }) => step === 1)).toHaveLength(3)
  // Everybody had their turn; that something follows does not take it back.
  expect((await seeded.me.get(`/campaigns/${id}`)).body.turns).toEqual({
    first: { meant: 3, done: 3 },
    following: { meant: 3, done: 0 },
  })
  await feedCampaigns()
  expect(await messages(seeded)).toHaveLength(3)
  await withTenant(tenant.tenantId, async (tx) => {
    await tx.db
      .update(campaignRecipients)
      .set({ dueAt: sql`now() - interval '1 second'` })
      .where(eq(campaignRecipients.step, 1))
    await tx.db
      .update(campaignRecipients)
      .set({ sentAt: sql`now() - interval '3 days'` })
      .where(eq(campaignRecipients.step, 0))
    await tx.db
      .update(campaignRecipients)
      .set({ answeredAt: sql`now()` })
      .where(and(eq(campaignRecipients.step, 0), eq(campaignRecipients.contactId, seeded.contactIds[0] ?? '')))
  })
  await feedCampaigns()
  expect((await messages(seeded)).filter(({ body }) => body === 'Segunda')).toHaveLength(2)
  const after = (await rows(seeded, id)).filter(({ step }) => step === 1)
  expect(after.map(({ reason, state }) => reason ?? state).sort()).toEqual(['answered', 'written', 'written'])
  await countedRight(seeded, id)
})

test('outside of its hours nothing is written, and the clock of the recipient’s state counts where that is asked for', async () => {
  const seeded = await seed(2)
  const now = new Date()
  const clock = (zone: string, minutes: number) =>
    new Intl.DateTimeFormat('pt-BR', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(
      new Date(now.getTime() + minutes * 60_000),
    )
  const zone = 'America/Sao_Paulo'
  const closed = { ...always, from: clock(zone, 60), until: clock(zone, 120) }
  const id = await run(seeded, { window: closed })
  await feedCampaigns()
  expect(await messages(seeded)).toEqual([])
  await seeded.me.put(`/campaigns/${id}`, { window: always })
  await feedCampaigns()
  expect(await messages(seeded)).toHaveLength(2)

  // Open in São Paulo, and two hours too early in Acre.
  const far = await seed(1)
  await createContact(far.tenant, { number: '5568910000000' })
  const [acre] = await withTenant(far.tenant.tenantId, (tx) =>
    tx.db.select().from(schema.contacts).where(eq(schema.contacts.number, '5568910000000')),
  )
  const early = { ...always, from: clock(zone, -60), until: clock(zone, 60), byRecipientState: true }
  const both = [...far.contactIds, acre?.id ?? '']
  const farId = await run({ ...far, contactIds: both }, { window: early, steps: [text('Oi')] })
  await feedCampaigns()
  expect((await messages(far)).map(({ contactId }) => contactId)).toEqual(far.contactIds)
  // Whoever was put off goes by the new hours at once.
  await far.me.put(`/campaigns/${farId}`, { window: { ...always, byRecipientState: true } })
  await feedCampaigns()
  expect((await messages(far)).map(({ contactId }) => contactId)).toEqual(both)
})

test('on a holiday nothing is written, nor early in the recipient’s state, whatever the clock of the process says', async () => {
  const seeded = await seed(1)
  const { tenant, me } = seeded
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(new Date())
  const holidays = (active: boolean) =>
    me.put('/settings', { holidays: [{ date: today, description: 'Aniversário da cidade', active }] })
  expect((await holidays(true)).status).toBe(200)
  const id = await create(seeded, { window: { ...always, skipHolidays: true } })
  await change(seeded, id, { state: 'running', startedAt: new Date(), preparedAt: new Date() })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.insert(campaignRecipients).values({
      ...{ tenantId: tx.tenantId, campaignId: id, contactId: seeded.contactIds[0] ?? '', variant: 0 },
      connectionId: seeded.connectionId,
    }),
  )
  const feedWithClockAt = async (hours: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 })
    await feedCampaigns()
    vi.useRealTimers()
  }
  for (const hours of [0, 24, 48, -24]) {
    await change(seeded, id, { restsUntil: null })
    await feedWithClockAt(hours)
    expect(await messages(seeded), `${hours} hours off`).toEqual([])
  }
  // It does not rest past a change of the calendar.
  const [row] = await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .select({ soon: sql<boolean>`rests_until < now() + interval '20 minutes'` })
      .from(campaigns)
      .where(eq(campaigns.id, id)),
  )
  expect(row?.soon).toBe(true)
  await holidays(false)
  await change(seeded, id, { restsUntil: null })
  await feedCampaigns()
  expect(await messages(seeded)).toHaveLength(1)

  const far = await seed(0)
  const acre = await createContact(far.tenant, { name: 'Jorge', number: '5568910000001' })
  const clock = (minutes: number) =>
    new Intl.DateTimeFormat('pt-BR', { timeZone: 'America/Sao_Paulo', hour: '2-digit', minute: '2-digit' }).format(
      new Date(Date.now() + minutes * 60_000),
    )
  const window = { ...always, from: clock(-60), until: clock(60), byRecipientState: true }
  await run({ ...far, contactIds: [acre] }, { window, steps: [text('Oi')] })
  for (const hours of [0, 1.5, 12]) {
    await feedWithClockAt(hours)
    expect(await messages(far), `${hours} hours off`).toEqual([])
  }
})

test('its own pace and most of a day hold it back', async () => {
  const seeded = await seed(6)
  const id = await run(seeded, { pace: { minSeconds: 30, maxSeconds: 60, dailyMost: 3 } })
  await feedCampaigns()
  await feedCampaigns()
  expect(await messages(seeded)).toHaveLength(1)
  const paces = (set: string) =>
    withTenant(seeded.tenant.tenantId, (tx) => tx.db.execute(sql.raw(`update campaign_paces set ${set}`)))
  for (let n = 0; n < 5; n += 1) {
    await paces("next_at = now() - interval '1 second'")
    await feedCampaigns()
  }
  expect(await messages(seeded)).toHaveLength(3)
  await paces(`next_at = now() - interval '1 second', written_on = '2020-01-01'`)
  await feedCampaigns()
  expect(await messages(seeded)).toHaveLength(4)
  await change(seeded, id, { state: 'canceled' })
})

test('what was written today counts in when it ends: by the campaign itself, and by its number', async () => {
  const seeded = await seed(6)
  const { tenant, connectionId } = seeded
  const dayOf = (at: Date) => wallTimeOf(at, 'America/Sao_Paulo').slice(0, 10)
  const endsToday = async (id: string) => dayOf(new Date((await stateOf(seeded, id)).endsAbout)) === dayOf(new Date())
  const id = await run(seeded, { pace: { dailyMost: 3 } })
  await feedCampaigns()
  await feedCampaigns()
  expect(await messages(seeded)).toHaveLength(3)
  // Three wait, none of them today.
  expect(await endsToday(id)).toBe(false)
  await change(seeded, id, { state: 'canceled' })
  const other = await run(seeded)
  expect(await endsToday(other)).toBe(true)
  await withTenant(tenant.tenantId, async (tx) => {
    await tx.db
      .update(schema.connections)
      .set({ options: { dailyMost: 7 } })
      .where(eq(schema.connections.id, connectionId))
    await tx.db.execute(sql`insert into connection_pace (tenant_id, connection_id, sent_on, sent_today)
      values (${tenant.tenantId}, ${connectionId}, (now() at time zone 'America/Sao_Paulo')::date, 7)
      on conflict (tenant_id, connection_id) do update set sent_on = excluded.sent_on, sent_today = 7`)
  })
  expect(await endsToday(other)).toBe(false)
  await change(seeded, other, { state: 'canceled' })
})

test('a second person agrees before it starts, where the company wants that', async () => {
  const seeded = await seed(1)
  const { tenant, me } = seeded
  await me.put('/settings', { campaignApproval: true })
  const id = await create(seeded)
  // Whoever asks is not always who wrote it, and it is who asks that does not approve.
  const [writer, second] = [
    await kit.createUser(tenant.tenantId, { profile: 'admin', name: 'Célia' }),
    await kit.createUser(tenant.tenantId, { profile: 'admin', name: 'Diego' }),
  ]
  const theirs = (await as(writer).post(`/campaigns/${id}/duplicate`)).body.id
  expect((await me.post(`/campaigns/${theirs}/start`)).body).toMatchObject({
    state: 'approval',
    createdBy: { name: 'Célia' },
    askedBy: { id: tenant.admin.id },
  })
  expect((await me.post(`/campaigns/${theirs}/approve`)).status).toBe(403)
  expect((await as(writer).post(`/campaigns/${theirs}/reject`)).body).toMatchObject({ state: 'draft', askedBy: null })
  expect((await me.post(`/campaigns/${id}/start`)).body.state).toBe('approval')
  expect((await me.post(`/campaigns/${id}/approve`)).status).toBe(403)
  expect((await as(second).post(`/campaigns/${id}/approve`)).body).toMatchObject({
    state: 'preparing',
    approvedBy: { name: 'Diego' },
  })
})

test('whoever asked reads why not; what has not begun is a draft again when somebody wants to change it', async () => {
  const seeded = await seed(1)
  const { tenant, me } = seeded
  await me.put('/settings', { campaignApproval: true })
  const id = await create(seeded, { startsAt: '2035-01-01T12:00:00.000Z' })
  const second = await kit.createUser(tenant.tenantId, { profile: 'admin', name: 'Diego' })
  await me.post(`/campaigns/${id}/start`)
  expect(await as(second).post(`/campaigns/${id}/reject`, { reason: 'Falta o preço.' })).toMatchObject({ status: 200 })
  const { rows: reasons } = await withTenant(tenant.tenantId, (tx) =>
    tx.db.execute(sql`select after->>'reason' as reason from audit where action = 'campaign.rejected'`),
  )
  expect(reasons).toEqual([{ reason: 'Falta o preço.' }])
  await me.post(`/campaigns/${id}/start`)
  expect((await as(second).post(`/campaigns/${id}/withdraw`)).body).toMatchObject({ state: 'draft', askedBy: null })
  await me.post(`/campaigns/${id}/start`)
  expect((await as(second).post(`/campaigns/${id}/approve`)).body.state).toBe('scheduled')
  expect((await me.post(`/campaigns/${id}/withdraw`)).body).toMatchObject({ state: 'draft', approvedBy: null })
  await me.put('/settings', { campaignApproval: false })
  const begun = await run(seeded)
  expect((await me.post(`/campaigns/${begun}/withdraw`)).status).toBe(409)
  await change(seeded, begun, { state: 'canceled' })
})

test('nobody asks for an approval that nobody could give', async () => {
  const seeded = await seed(1)
  await seeded.me.put('/settings', { campaignApproval: true })
  await withTenant(seeded.tenant.tenantId, (tx) =>
    tx.db.update(schema.users).set({ isBlocked: true }).where(ne(schema.users.id, seeded.tenant.admin.id)),
  )
  const id = await create(seeded)
  const asked = () => seeded.me.post(`/campaigns/${id}/start`)
  const nobody = { status: 409, body: { message: expect.stringContaining('Ninguém além de você') } }
  expect(await asked()).toMatchObject(nobody)
  const role = (await seeded.me.post('/roles', { name: 'Aprova', permissions: ['campaigns.approve'] })).body
  const second = await kit.createUser(seeded.tenant.tenantId, { profile: 'user', name: 'Diego' })
  await withTenant(seeded.tenant.tenantId, (tx) =>
    tx.db.update(schema.users).set({ roleId: role.id }).where(eq(schema.users.id, second.id)),
  )
  kit.invalidateDirectory(seeded.tenant.tenantId)
  expect((await asked()).body).toMatchObject({ state: 'approval' })
  // Who may approve alone sees and decides, and changes nothing.
  const them = as(second)
  expect((await them.post(`/campaigns/${id}/rehearsal`)).body).toMatchObject({ reached: 1 })
  for (const step of ['withdraw', 'duplicate', 'pause'])
    expect((await them.post(`/campaigns/${id}/${step}`)).status).toBe(403)
  expect((await them.put(`/campaigns/${id}`, { name: 'Outra' })).status).toBe(403)
  expect((await them.post(`/campaigns/${id}/approve`)).body).toMatchObject({ state: 'preparing' })
})

test('an unfinished draft does not start and says what is missing', async () => {
  const seeded = await seed(1)
  const id = await create(seeded, { steps: [], connectionIds: [] })
  const refused = await seeded.me.post(`/campaigns/${id}/start`)
  expect(refused.status).toBe(422)
  expect(refused.body.details.map((one: { path: string }) => one.path)).toEqual(
    expect.arrayContaining(['connectionIds', 'steps']),
  )
  expect((await seeded.me.post(`/campaigns/${v7()}/start`)).status).toBe(404)
})
