import fs from 'node:fs'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { byRule, byUser } from '../../../kit/actor.ts'
import { recordConsent } from '../../contacts/consent/consent.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { type ReachedTicket, reachedTicketColumns } from '../timeline/ticket-state.ts'
import { type Outgoing, writeOutgoing } from './write-outgoing.ts'

const { as, seedTenant, createContact, createConnection, createTicket, schema, withTenant } = await startTestApp()

const seed = async (kind: 'waba' | 'telegram' | 'webchat' = 'webchat') => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const contactId = await createContact(tenant, { name: 'Rita', number: '5511987654321' })
  const connectionId = await createConnection(tenant, { kind })
  const id = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id, contactId, connectionId })
  const write = (more: Partial<Outgoing>) =>
    withTenant(tenant.tenantId, async (tx) => {
      const text = `select ${reachedTicketColumns} from tickets t where t.tenant_id = $1 and t.id = $2 for no key update of t`
      const [ticket] = await tx.rows<ReachedTicket>({ name: 'test_reached', text }, [tx.tenantId, id])
      if (!ticket) throw new Error('no ticket')
      return writeOutgoing(tx, {
        ticket,
        directory: await getDirectory(tenant.tenantId),
        author: byUser({ userId: tenant.agent.id, name: tenant.agent.name }),
        cause: 'chat',
        purpose: 'service',
        drafts: [{ type: 'text', body: 'Olá' }],
        ...more,
      })
    })
  return { tenant, contactId, id, write }
}

test('messages are stored by these files alone, each made by the one constructor', () => {
  const source = path.resolve(import.meta.dirname, '../../..')
  const files = fs
    .readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('demo'))
  const saying = (pattern: RegExp) =>
    files
      .filter((file) => pattern.test(fs.readFileSync(path.join(source, file), 'utf8')))
      .map((file) => path.basename(file))
      .toSorted()
  expect(saying(/insert into messages|insert\(messages\)/)).toEqual(['store.ts', 'write-history.ts'])
  // What leaves goes through the door; the others store what came in, notes, and lines of the team.
  // Campaigns compose by the same door and store a whole batch at once.
  expect(saying(/\bstoreMessages\(/)).toEqual([
    ...['lines.ts', 'send-message.ts', 'store-arrivals.ts', 'test-send.ts', 'write-batch.ts', 'write-outgoing.ts'],
  ])
  expect(saying(/status: 'queued'/)).toEqual(['message-actions.ts', 'stuck.ts', 'write-outgoing.ts'])
})

test('a no to campaigns closes the door for them, on that channel, and never for service', async () => {
  const { tenant, contactId, write } = await seed()
  const identities = [{ kind: 'phone' as const, value: '5511987654321' }]
  const say = (isGiven: boolean, channel: 'webchat' | 'telegram' = 'webchat') =>
    withTenant(tenant.tenantId, (tx) =>
      recordConsent(tx, {
        identities,
        channel,
        purposes: ['marketing'],
        isGiven,
        source: 'person',
        proof: 'por telefone',
        author: byRule('Teste'),
      }),
    )
  const code = (purpose: Outgoing['purpose']) =>
    write({ purpose }).then(
      () => 'sent',
      (error) => error.code,
    )
  expect(await code('marketing')).toBe('sent')
  await say(false, 'telegram')
  expect(await code('marketing')).toBe('sent')
  await say(false)
  expect(await code('marketing')).toBe('ERR_NO_CONSENT')
  expect(await code('research')).toBe('sent')
  expect(await code('service')).toBe('sent')
  await say(true)
  expect(await code('marketing')).toBe('sent')
  const rows = await withTenant(tenant.tenantId, ({ db }) =>
    db.select().from(schema.messages).where(eq(schema.messages.contactId, contactId)),
  )
  expect(rows).toHaveLength(5)
})

test('what the channel cannot or may not carry now is refused whole, before anything is written', async () => {
  const { tenant, id, write } = await seed('waba')
  const refusal = (more: Partial<Outgoing>) => write(more).catch((error) => error.code)
  expect(await refusal({})).toBe('ERR_WINDOW_CLOSED')
  await withTenant(tenant.tenantId, ({ db }) =>
    db.update(schema.tickets).set({ lastInboundAt: new Date() }).where(eq(schema.tickets.id, id)),
  )
  const fine = { type: 'text' as const, body: 'Olá' }
  expect(await refusal({ drafts: [fine, { type: 'text', body: ' ' }] })).toBe('ERR_VALIDATION')
  expect(await refusal({ drafts: [fine, { type: 'text', body: 'a'.repeat(5_000) }] })).toBe('ERR_VALIDATION')
  expect((await as(tenant.agent).get(`/messages/${id}`)).body.items).toEqual([])
  expect((await write({ drafts: [fine, fine] })).messages).toHaveLength(2)
})

test('what writes by itself is named, and answers for nobody', async () => {
  const { tenant, id, write } = await seed()
  await withTenant(tenant.tenantId, ({ db }) =>
    db.update(schema.tickets).set({ waitingSince: new Date(), answered: false }).where(eq(schema.tickets.id, id)),
  )
  const flow = { kind: 'flow', id: null, name: 'Boas-vindas' } as const
  const { ticket } = await write({ author: flow, cause: 'bot' })
  expect(ticket).toMatchObject({ firstAnsweredAt: null, waitingSince: expect.any(Date) })
  const { items } = (await as(tenant.agent).get(`/messages/${id}`)).body
  expect(items).toMatchObject([{ user: null, author: flow, sendType: 'bot' }])
  expect((await write({})).ticket).toMatchObject({ firstAnsweredAt: expect.any(Date), waitingSince: null })
})

test('how long a text may be is what its connection says, in words that help', async () => {
  const { tenant, id, write } = await seed()
  const abilities = { supports: ['text' as const], windowHours: null, textLimits: { text: 1_600, caption: 0 } }
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.connections).set({
      abilities: {
        ...abilities,
        personWindowHours: null,
        reactions: null,
        showsAuthor: false,
        buttonLimits: null,
        contactLimit: null,
        pollLimits: null,
        mailLimits: null,
        sms: null,
        groupActs: [],
        account: null,
        reachedBy: null,
        receipts: [],
      },
    }),
  )
  const draft = (length: number) => write({ drafts: [{ type: 'text', body: 'a'.repeat(length) }] })
  await expect(draft(1_601)).rejects.toMatchObject({
    code: 'ERR_VALIDATION',
    details: [{ path: 'body', message: expect.stringContaining('leva no máximo 1.600') }],
  })
  expect((await draft(1_600)).messages).toHaveLength(1)
  const byHand = (body: string) => as(tenant.agent).post(`/messages/${id}`, { body })
  expect(await byHand('a'.repeat(1_601))).toMatchObject({ status: 422, body: { details: [{ path: 'body' }] } })
  // Mail takes far more than a chat does.
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.connections).set({
      abilities: {
        ...abilities,
        textLimits: { text: 20_000, caption: 0 },
        personWindowHours: null,
        reactions: null,
        showsAuthor: false,
        buttonLimits: null,
        contactLimit: null,
        pollLimits: null,
        mailLimits: null,
        sms: null,
        groupActs: [],
        account: null,
        reachedBy: null,
        receipts: [],
      },
    }),
  )
  expect(await byHand('a'.repeat(9_000))).toMatchObject({ status: 200 })
})
