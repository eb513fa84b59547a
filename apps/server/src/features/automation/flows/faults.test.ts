import { blankNode, type FlowNode } from '@balcao/contract/automation/flows/graph.ts'
import { sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { killedWhile } from '../../../../test/killed.ts'
import { startTestApp } from '../../../../test/kit.ts'
import type { InboundMessage } from '../../../channels/adapter.ts'

const { as, ownerUrl, seedTenant, createConnection, withTenant, schema, invalidateDirectory } = await startTestApp()
const { runDueTurns } = await import('../../conversations/turns/turns.loop.ts')
const { ingest } = await import('../../intake/inbound/inbound.service.ts')

const at = { x: 0, y: 0 }
const part = (body: string) => ({ kind: 'text' as const, body, mediaId: null, interactive: null })
/** Counts the words of a customer, for ever. */
const counting: FlowNode[] = [
  { ...blankNode('start', 'start', at), next: { next: 'n' } },
  { ...blankNode('set', 'n', at), data: { sets: [{ name: 'n', as: 'number', value: '0' }] }, next: { next: 'q' } },
  {
    ...blankNode('ask', 'q', at),
    data: { ...blankNode('ask', 'q', at).data, body: 'Diga', variable: 'dito' },
    next: { next: 'm' },
  },
  { ...blankNode('set', 'm', at), data: { sets: [{ name: 'n', as: 'number', value: 'n + 1' }] }, next: { next: 'r' } },
  { ...blankNode('message', 'r', at), data: { parts: [part('{{var.n}}: {{var.dito}}')] }, next: { next: 'q' } },
]

const company = async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const connectionId = await createConnection(tenant)
  const me = as(tenant.supervisor)
  const { id } = (await me.post('/chat-flow', { name: 'Conta' })).body
  const { revision } = (await me.post(`/chat-flow/${id}/draft`, { base: 1, upserts: counting })).body
  expect(await me.post(`/chat-flow/${id}/publish`, { revision })).toMatchObject({ status: 200 })
  const inTenant = <T>(work: Parameters<typeof withTenant<T>>[1]) => withTenant(tenant.tenantId, work)
  await inTenant((tx) => tx.db.update(schema.connections).set({ options: { chatFlowId: id } }))
  invalidateDirectory(tenant.tenantId)
  const hear = (body: string, visitor = 'v') => {
    const from: InboundMessage['from'] = {
      identities: [{ kind: 'webchat', value: `${visitor}${tenant.tenantId}` }],
      name: 'Maria',
    }
    const event = {
      kind: 'message' as const,
      providerId: v7(),
      from,
      fromMe: false,
      timestamp: new Date(),
      content: { type: 'text' as const, body },
    }
    return ingest(tenant.tenantId, connectionId, [event])
  }
  const said = async () =>
    (await inTenant((tx) => tx.db.select().from(schema.messages).orderBy(schema.messages.seq)))
      .filter(({ fromMe, type }) => fromMe && type === 'text')
      .map(({ body }) => body)
  const makeDue = () =>
    inTenant((tx) => tx.db.execute(sql`update turns set due_at = now() - interval '1 second' where attempts > 0`))
  const steps = () => inTenant((tx) => tx.db.select().from(schema.chatFlowSteps))
  return { ...tenant, inTenant, hear, said, makeDue, steps }
}

test('killed between what it says and the commit, it has said nothing; another says it once', async () => {
  const shop = await company()
  await shop.hear('oi')
  await runDueTurns()
  await shop.hear('a')
  const before = (await shop.steps()).length
  await killedWhile(
    ownerUrl,
    `const { registerOwners } = await load('conversations/turns/owners.ts')
    const { runDueTurns } = await load('conversations/turns/turns.loop.ts')
    const { flow } = await load('automation/flows/flow.owner.ts')
    registerOwners({ flow: { ...flow, run: (...given) => flow.run(...given).then(stopHere) } })
    await runDueTurns()`,
  )
  expect(await shop.said()).toEqual(['Diga'])
  expect(await shop.steps()).toHaveLength(before)
  await shop.makeDue()
  await Promise.all([runDueTurns(), runDueTurns(), runDueTurns()])
  expect(await shop.said()).toEqual(['Diga', '1: a', 'Diga'])
})

test('many conversations and several workers: each word is answered once, in its turn', async () => {
  const shop = await company()
  const visitors = Array.from({ length: 20 }, (_, n) => `v${n}-`)
  await Promise.all(visitors.map((visitor) => shop.hear('oi', visitor)))
  const work = async () => {
    while ((await runDueTurns()).did) {}
  }
  await Promise.all([work(), work(), work()])
  for (const word of ['a', 'b', 'c']) {
    await Promise.all(visitors.map((visitor) => shop.hear(word, visitor)))
    await Promise.all([work(), work(), work()])
  }
  const said = await shop.said()
  for (const told of ['1: a', '2: b', '3: c'])
    expect(said.filter((body) => body === told)).toHaveLength(visitors.length)
  expect(said.filter((body) => body === 'Diga')).toHaveLength(visitors.length * 4)
  const runs = await shop.inTenant((tx) => tx.db.select().from(schema.chatFlowRuns))
  expect(runs).toHaveLength(visitors.length)
})

test('what fails for good is a person’s, and the run is over', async () => {
  const shop = await company()
  await shop.hear('oi')
  await runDueTurns()
  await shop.inTenant((tx) => tx.db.execute(sql`update chat_flow_runs set state = jsonb_set(state, '{answers}', '5')`))
  await shop.hear('a')
  for (let n = 0; n < 5; n += 1) {
    await runDueTurns()
    await shop.makeDue()
  }
  const [run] = await shop.inTenant((tx) => tx.db.select().from(schema.chatFlowRuns))
  expect(run).toMatchObject({ endedWhy: 'failed', endedTo: 'person' })
  const [ticket] = await shop.inTenant((tx) => tx.db.select().from(schema.tickets))
  expect(ticket).toMatchObject({ status: 'pending', chatFlowId: null })
})
