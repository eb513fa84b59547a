import { campaignStep } from '@balcao/contract/operations/campaigns/content.ts'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'
import { forgetConnections } from '../../channels/connections/context.ts'
import { startWaba, until } from '../../conversations/messages/test-waba.ts'

const kit = await startTestApp()
const { as, seedTenant, withTenant, schema } = kit
type Tenant = Awaited<ReturnType<typeof seedTenant>>
const many = 6_000
const rounds = 15

/** A company with a number, and so many contacts. */
const seedNoisy = async () => {
  const tenant = await seedTenant()
  const { tenantId } = tenant
  const { sim, connectionId } = await startWaba(kit, tenant)
  sim.policy.hasWindow = false
  await withTenant(tenantId, async (tx) => {
    await tx.db
      .update(schema.connections)
      .set({ abilities: sql`abilities || '{"windowHours": null, "personWindowHours": null}'` })
      .where(eq(schema.connections.id, connectionId))
    await tx.db.execute(sql`with made as (insert into contacts (tenant_id, id, name, number)
        select ${tenantId}, gen_random_uuid(), 'Cliente ' || n, (5511940000000 + n)::text from generate_series(1, ${many}) n
        returning id, number)
      insert into contact_identities (tenant_id, contact_id, kind, value) select ${tenantId}, id, 'phone', number from made`)
  })
  forgetConnections()
  return { tenant, sim, connectionId }
}

/** Of some rounds the middle one, in milliseconds: from what a customer sends to the list that shows it, and of the list alone. */
const feel = async ({ admin }: Tenant, { sim }: Awaited<ReturnType<typeof startWaba>>, name: string) => {
  const customer = sim.customer({ waId: '5511987650001', name: 'Rita' })
  const list = async () =>
    (await as(admin).get('/tickets?showAll=true&limit=20')).body.items as { lastMessage: string }[]
  const middle = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
  const [arrivals, pages]: [number[], number[]] = [[], []]
  for (let at = 0; at < rounds; at += 1) {
    const sentAt = performance.now()
    await customer.sendText(`${name} ${at}`)
    await until(async () => (await list()).some(({ lastMessage }) => lastMessage === `${name} ${at}`), 20_000)
    arrivals.push(performance.now() - sentAt)
    const askedAt = performance.now()
    await list()
    pages.push(performance.now() - askedAt)
  }
  return { arrival: middle(arrivals), page: middle(pages) }
}

test('an export, a report and a campaign of one company at once do not hold up another one', async () => {
  const noisy = await seedNoisy()
  const neighbour = await seedTenant()
  const number = await startWaba(kit, neighbour)
  const { stop } = await startTestWorkers('sender', 'campaigns', 'campaign feeder', 'jobs')
  const me = as(noisy.tenant.admin)
  try {
    await feel(neighbour, number, 'antes')
    const quiet = await feel(neighbour, number, 'calma')

    const { id } = (
      await me.post('/campaigns', {
        ...{ name: 'Natal', connectionIds: [noisy.connectionId], audience: { include: [{ kind: 'everybody' }] } },
        window: { from: '00:00', until: '00:00', days: [0, 1, 2, 3, 4, 5, 6], skipHolidays: false },
        steps: [
          campaignStep.parse({ variants: [{ content: { parts: [{ kind: 'text', body: 'Oi! SAIR para sair.' }] } }] }),
        ],
      })
    ).body
    await me.post(`/campaigns/${id}/start`)
    const sent = async (): Promise<number> => (await me.get(`/campaigns/${id}`)).body.numbers.sent
    await until(async () => (await sent()) > 0, 30_000)

    let isOver = false
    const files: number[] = []
    const exporting = (async () => {
      while (!isOver) {
        const job = (await me.post(`/campaigns/contacts/${id}/export`, {})).body
        const done = await until(async () => {
          const { body } = await me.get(`/bulkJobs/${job.id}`)
          return body.finishedAt ? body : undefined
        }, 60_000)
        files.push(done.state === 'done' ? done.done : -1)
      }
    })()
    const reports: number[] = []
    const reporting = [1, 2].map(async () => {
      while (!isOver) reports.push((await me.get('/reports/atendimentos-por-parametros?period=last30')).status)
    })
    const [before, beside] = [await sent(), await feel(neighbour, number, 'cheio')]
    const after = await sent()
    isOver = true
    await Promise.all([exporting, ...reporting])
    // All three went on meanwhile, and are right.
    expect(after).toBeGreaterThan(before)
    expect(new Set(files)).toEqual(new Set([many]))
    expect(reports).toContain(200)
    await me.post(`/campaigns/${id}/cancel`)
    // Two cores hold tests of their own: what is held here is that nobody waits for the other one's work to end.
    expect(beside.arrival).toBeLessThan(3 * quiet.arrival + 100)
    expect(beside.page).toBeLessThan(3 * quiet.page + 100)
  } finally {
    await stop()
  }
}, 120_000)
