import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { alwaysOpen } from '@balcao/contract/core/business-hours.ts'
import { eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterEach, expect, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import type { InboundEvent } from '../../../channels/adapter.ts'
import type { Owners } from './owners.ts'

const { as, ownerUrl, seedTenant, createConnection, withTenant, schema } = await startTestApp()
const { decideTurn, ownerWork, registerOwners } = await import('./owners.ts')
const { turnOwners } = await import('../../../db/schema/conversations/turns.ts')
const { runDueTurns } = await import('./turns.loop.ts')
const { absence } = await import('../../intake/inbound/absence.ts')
const { ingest } = await import('../../intake/inbound/inbound.service.ts')
const { applyPatch, lockVisibleTicket } = await import('../tickets/tickets.service.ts')
const { getDirectory } = await import('../../core/directory/directory.ts')
const { byUser } = await import('../../../kit/actor.ts')
/** Other files share this process: they find all owners again. */
const real: Owners = Object.fromEntries(turnOwners.map((one) => [one, ownerWork(one)]))

afterEach(() => registerOwners(real))

const closed = alwaysOpen.map((day) => ({ ...day, type: 'C' as const }))
const company = async () => {
  const settings = { businessHours: closed, messageBusinessHours: 'Estamos fechados.', closeKeywords: ['sair'] }
  const tenant = await seedTenant({ queues: ['Vendas'], settings })
  const connectionId = await createConnection(tenant)
  const event = (body: string, providerId: string = v7()): InboundEvent => ({
    kind: 'message',
    providerId,
    from: { identities: [{ kind: 'webchat', value: `v${tenant.tenantId}` }], name: 'Maria Lima' },
    fromMe: false,
    timestamp: new Date(),
    content: { type: 'text', body },
  })
  const say = async (...events: InboundEvent[]) => {
    for (const one of events) await ingest(tenant.tenantId, connectionId, [one])
    const [ticket] = await tickets()
    return ticket?.id ?? ''
  }
  const inTenant = <T>(work: Parameters<typeof withTenant<T>>[1]) => withTenant(tenant.tenantId, work)
  const tickets = () => inTenant((tx) => tx.db.select().from(schema.tickets))
  const turns = () => inTenant((tx) => tx.db.select().from(schema.turns))
  const said = async () =>
    (await inTenant((tx) => tx.db.select().from(schema.messages).orderBy(schema.messages.seq)))
      .filter(({ fromMe, type }) => fromMe && type === 'text')
      .map(({ body }) => body)
  const lines = async () =>
    (await inTenant((tx) => tx.db.select().from(schema.messages)))
      .filter(({ type }) => type === 'system')
      .map(({ body }) => body)
  const makeDue = () => inTenant((tx) => tx.db.update(schema.turns).set({ dueAt: sql`now() - interval '1 second'` }))
  return { ...tenant, connectionId, event, say, inTenant, tickets, turns, said, lines, makeDue }
}
type Company = Awaited<ReturnType<typeof company>>

test('one owner at a time: the customer’s wish, the person who attends, then assistants, flows, answers, absence', async () => {
  const { tenantId } = await seedTenant()
  const directory = { ...(await getDirectory(tenantId)), tenantId }
  const claim = { claims: () => ({}), run: async () => {} }
  const all: Owners = { absence: claim, autoReply: claim, flow: claim, assistant: claim }
  const decide = (ticket: object, owners: Owners, message: object = {}) =>
    decideTurn(
      {
        directory,
        ticket: { status: 'pending', userId: null, queueId: null, isGroup: false, ...ticket } as never,
        message: { fromMe: false, type: 'text', body: 'oi', ...message },
        phones: [],
        now: new Date(),
      },
      owners,
    )?.owner ?? null
  expect(decide({}, all)).toBe('assistant')
  expect(decide({}, { absence: claim, flow: claim })).toBe('flow')
  expect(decide({}, { absence: claim, flow: { ...claim, claims: () => undefined } })).toBe('absence')
  expect(decide({}, {})).toBeNull()
  const attended = { status: 'open', userId: v7() }
  expect(decide(attended, all)).toBeNull()
  expect(decide(attended, { ...all, customer: claim })).toBe('customer')
  expect(decide({ status: 'open' }, all)).toBe('assistant') // we began it, and nobody has it
  for (const nobody of [{ isGroup: true }, { status: 'closed' }]) expect(decide(nobody, all)).toBeNull()
  expect(decide({}, all, { fromMe: true })).toBeNull()
})

test('a word leaves one turn, told again it leaves none; it is done once, whatever the number of workers', async () => {
  const shop = await company()
  const first = shop.event('oi')
  await shop.say(first)
  expect(await shop.turns()).toMatchObject([{ owner: 'absence', state: 'waiting', version: 1, attempts: 0 }])
  await shop.say(shop.event('alguém?'))
  expect(await shop.turns()).toMatchObject([{ owner: 'absence', version: 2 }])
  await Promise.all([runDueTurns(), runDueTurns(), runDueTurns()])
  expect(await shop.said()).toEqual(['Estamos fechados.'])
  expect(await shop.turns()).toEqual([])
  await shop.say(first)
  expect(await shop.turns()).toEqual([])
})

test('the customer who goes on has not ended it', async () => {
  const shop = await company()
  await shop.say(shop.event('oi'), shop.event('sair'))
  expect(await shop.turns()).toMatchObject([{ owner: 'customer' }])
  await shop.say(shop.event('não, espere'))
  await runDueTurns()
  expect(await shop.tickets()).toMatchObject([{ status: 'pending' }])
  await shop.say(shop.event('sair'))
  await runDueTurns()
  expect(await shop.tickets()).toMatchObject([{ status: 'closed' }])
  expect(await shop.turns()).toEqual([])
})

const accepts = async ({ admin, tenantId }: Company, ticketId: string) =>
  expect(
    await as(admin).put(`/tickets/${ticketId}`, { status: 'open', userId: admin.id }),
    `of company ${tenantId}`,
  ).toMatchObject({ status: 200 })

test('nothing answers once a person has taken the conversation, closed it or written in it', async () => {
  const byAccepting = await company()
  await accepts(byAccepting, await byAccepting.say(byAccepting.event('oi')))
  const byClosing = await company()
  const ticketId = await byClosing.say(byClosing.event('oi'))
  await as(byClosing.admin).put(`/ticketsForce/${ticketId}`, {})
  const byWriting = await company()
  const theirs = await byWriting.say(byWriting.event('oi'))
  await accepts(byWriting, theirs)
  await byWriting.say(byWriting.event('é urgente')) // in closed hours the company answers again
  expect(await byWriting.turns()).toMatchObject([{ owner: 'absence' }])
  await as(byWriting.admin).post(`/messages/${theirs}`, { id: v7(), type: 'text', body: 'Estou aqui.' })

  for (const shop of [byAccepting, byClosing, byWriting]) expect(await shop.turns()).toEqual([])
  await runDueTurns()
  expect(await byAccepting.said()).toEqual([])
  expect(await byClosing.said()).toEqual([])
  expect(await byWriting.said()).toEqual(['Estou aqui.'])
})

test('a person who accepts while the turn is already in hand comes first', async () => {
  const shop = await company()
  const ticketId = await shop.say(shop.event('oi'))
  const directory = await getDirectory(shop.tenantId)
  const actor = { ...shop.admin, userId: shop.admin.id }
  let working: Promise<unknown> = Promise.resolve()
  await shop.inTenant(async (tx) => {
    const before = await lockVisibleTicket(tx, actor, ticketId)
    working = runDueTurns()
    await vi.waitFor(async () => expect(await shop.turns()).toMatchObject([{ attempts: 1 }]), { timeout: 5_000 })
    await applyPatch(
      tx,
      before,
      { status: 'open', userId: actor.userId },
      { by: actor, author: byUser(actor), directory },
    )
  })
  await working
  expect(await shop.said()).toEqual([])
  expect(await shop.turns()).toEqual([])
})

test('a process that is killed over a turn has said nothing; another says it once', async () => {
  const shop = await company()
  await shop.say(shop.event('oi'))
  const here = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
  const script = `
    const { roleUrls } = await import(${here('../../../db/migrate.ts')})
    const { openDatabase } = await import(${here('../../../db/database.ts')})
    const { registerOwners } = await import(${here('./owners.ts')})
    const { runDueTurns } = await import(${here('./turns.loop.ts')})
    openDatabase(roleUrls(${JSON.stringify(ownerUrl)}, process.env.APP_SECRET))
    const { absence } = await import(${here('../../intake/inbound/absence.ts')})
    const run = async (...given) => {
      await absence.run(...given)
      process.stdout.write('written, not committed')
      await new Promise(() => {})
    }
    registerOwners({ absence: { ...absence, run } })
    await runDueTurns()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATABASE_URL: ownerUrl },
  })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await shop.said()).toEqual([])
  expect(await shop.turns()).toMatchObject([{ state: 'waiting', attempts: 1 }])
  await runDueTurns()
  expect(await shop.said()).toEqual([]) // it is leased until the process would have been done
  await shop.makeDue()
  await Promise.all([runDueTurns(), runDueTurns()])
  expect(await shop.said()).toEqual(['Estamos fechados.'])
  expect(await shop.turns()).toEqual([])
})

test('who was slow over a turn that another took meanwhile does nothing', async () => {
  const shop = await company()
  await shop.say(shop.event('oi'))
  let calls = 0
  const run = async () => {
    calls += 1
  }
  registerOwners({ absence: { ...absence, run } })
  await shop
    .inTenant(async (tx) => {
      await tx.db.select().from(schema.tickets).for('no key update')
      const slow = runDueTurns()
      await vi.waitFor(async () => expect(await shop.turns()).toMatchObject([{ attempts: 1 }]), { timeout: 5_000 })
      await shop.makeDue()
      const other = runDueTurns()
      await vi.waitFor(async () => expect(await shop.turns()).toMatchObject([{ attempts: 2 }]), { timeout: 5_000 })
      return { slow, other }
    })
    .then(({ slow, other }) => Promise.all([slow, other]))
  expect(calls).toBe(1)
})

test('what fails is tried again after longer and longer, then the team reads it; the next word begins anew', async () => {
  const shop = await company()
  await shop.say(shop.event('oi'))
  registerOwners({
    absence: {
      ...absence,
      run: async () => {
        throw new Error('not today')
      },
    },
  })
  const pauses: number[] = []
  for (let n = 0; n < 5; n += 1) {
    const before = Date.now()
    await runDueTurns()
    const [turn] = await shop.turns()
    pauses.push(Math.round(((turn?.dueAt.getTime() ?? 0) - before) / 1_000))
    if (n < 4) expect(turn).toMatchObject({ state: 'waiting', attempts: n + 1, error: 'not today' })
    await shop.makeDue()
  }
  expect(pauses.slice(0, 4)).toEqual([...pauses.slice(0, 4)].sort((one, other) => one - other))
  expect(pauses[3]).toBeGreaterThan(300)
  expect(await shop.turns()).toMatchObject([{ state: 'failed', attempts: 5 }])
  expect(await shop.lines()).toContain(
    'Mensagem de ausência: não foi possível, depois de 5 tentativas. Responda você ao cliente.',
  )
  await runDueTurns()
  registerOwners(real)
  await shop.say(shop.event('oi?'))
  await runDueTurns()
  expect(await shop.said()).toEqual(['Estamos fechados.'])
})

test('a thousand due at once, by several workers: each conversation hears it once, and no company another’s', async () => {
  const [shop, other] = [await company(), await company()]
  for (const { tenantId, connectionId, inTenant } of [shop, other])
    await inTenant(async ({ db }) => {
      await db.execute(sql`insert into contacts (tenant_id, id, name)
        select ${tenantId}, gen_random_uuid(), 'Cliente ' || n from generate_series(1, 500) n`)
      await db.execute(sql`insert into tickets (tenant_id, id, protocol, status, contact_id, connection_id, last_inbound_at)
        select ${tenantId}, gen_random_uuid(), left(c.id::text, 20), 'pending', c.id, ${connectionId}, now() from contacts c`)
      await db.execute(
        sql`insert into turns (tenant_id, ticket_id, owner) select tenant_id, id, 'absence' from tickets`,
      )
    })
  const work = async () => {
    while ((await runDueTurns()).did) {}
  }
  await Promise.all([work(), work(), work()])
  for (const one of [shop, other]) {
    expect(await one.turns()).toEqual([])
    const rows = await one.inTenant((tx) =>
      tx.db
        .select({ ticketId: schema.messages.ticketId })
        .from(schema.messages)
        .where(eq(schema.messages.fromMe, true)),
    )
    expect(rows).toHaveLength(500)
    expect(new Set(rows.map(({ ticketId }) => ticketId)).size).toBe(500)
  }
}, 120_000)
