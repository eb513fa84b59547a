import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import type { StatusChange } from './statuses.ts'

const { seedTenant, createContact, createConnection, createTicket, withTenant, schema } = await startTestApp()
const { saveStatuses } = await import('./statuses.ts')
const { ticketStateColumns } = await import('../timeline/ticket-state.ts')

type Kind = 'waba' | 'telegram'
/** A conversation of somebody known by a phone and by these, whom nothing reaches by any of them. */
const seed = async (kind: Kind = 'waba', more: { kind: 'phone' | 'email' | 'telegram'; value: string }[] = []) => {
  const tenant = await seedTenant()
  const { tenantId, agent } = tenant
  const connectionId = await createConnection(tenant, { kind })
  const contactId = await createContact(tenant, { number: '5511977771111' })
  const ticketId = await createTicket(tenant, { userId: agent.id, contactId, connectionId })
  const identities = schema.contactIdentities
  const mark = (unreachableReason: string | null) =>
    withTenant(tenantId, ({ db }) =>
      db.update(identities).set({ unreachableReason }).where(eq(identities.contactId, contactId)),
    )
  const rows = more.map((one) => ({ ...one, tenantId, contactId }))
  if (rows.length) await withTenant(tenantId, ({ db }) => db.insert(identities).values(rows))
  await mark('Não foi entregue.')
  const writesFrom = (value: string) =>
    withTenant(tenantId, ({ db }) =>
      db
        .update(identities)
        .set({ usedAt: new Date() })
        .where(and(eq(identities.contactId, contactId), eq(identities.value, value))),
    )
  /** Messages of ours to them, of which the provider tells this at once. */
  const told = (...states: Pick<StatusChange, 'status' | 'isUnreachable'>[]) =>
    withTenant(tenantId, async (tx) => {
      const [ticket] = await tx.rows<StatusChange['ticket']>(
        {
          name: 'test_ticket_state',
          text: `select ${ticketStateColumns} from tickets t where t.tenant_id = $1 and t.id = $2`,
        },
        [tenantId, ticketId],
      )
      if (!ticket) throw new Error('no ticket')
      const rows = states.map((state) => ({ ...state, id: v7() }))
      const common = { tenantId, ticketId, contactId, connectionId, userId: agent.id, timestamp: new Date() }
      await tx.db
        .insert(schema.messages)
        .values(rows.map(({ id }) => ({ ...common, id, fromMe: true, type: 'text' as const, status: 'sent' as const })))
      await saveStatuses(
        tx,
        rows.map((row) => ({
          ...row,
          error: row.isUnreachable ? 'De novo.' : null,
          version: 2,
          providerId: row.id,
          ticket,
          isChanged: true,
        })),
      )
    })
  const deaf = async () => {
    const rows = await withTenant(tenantId, ({ db }) =>
      db.select().from(identities).where(eq(identities.contactId, contactId)),
    )
    return rows.flatMap((row) => (row.unreachableReason ? [row.value] : [])).sort()
  }
  return { told, deaf, mark, writesFrom }
}
const arrived = { status: 'delivered', isUnreachable: false } as const

test('what is delivered shows that its address receives', async () => {
  const { told, deaf } = await seed('waba', [{ kind: 'email', value: 'ana@example.com' }])
  await told({ status: 'sent', isUnreachable: false })
  expect(await deaf()).toEqual(['5511977771111', 'ana@example.com'])
  await told(arrived)
  expect(await deaf()).toEqual(['ana@example.com'])
})

test('of several addresses of a kind, only the one written to is found to receive, or not to', async () => {
  const { told, deaf, mark, writesFrom } = await seed('waba', [{ kind: 'phone', value: '5511966662222' }])
  await writesFrom('5511966662222')
  await told(arrived)
  expect(await deaf()).toEqual(['5511977771111'])

  await mark(null)
  await told({ status: 'failed', isUnreachable: true })
  expect(await deaf()).toEqual(['5511966662222'])
})

test('where no delivery is told, what the provider took counts', async () => {
  const { told, deaf } = await seed('telegram', [{ kind: 'telegram', value: '777' }])
  await told({ status: 'queued', isUnreachable: false })
  expect(await deaf()).toEqual(['5511977771111', '777'])
  await told({ status: 'sent', isUnreachable: false })
  expect(await deaf()).toEqual(['5511977771111'])
})

test('one delivered and one refused, told at once: the refusal stands', async () => {
  const { told, deaf } = await seed()
  await told(arrived, { status: 'failed', isUnreachable: true }, arrived)
  expect(await deaf()).toEqual(['5511977771111'])
})
