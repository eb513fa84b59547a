import { createHmac } from 'node:crypto'
import type { Action } from '@balcao/contract/conversations/actions/index.ts'
import { startReceiver } from '@balcao/simulators/test-receiver.ts'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createTicket, createContact, createQuickMessage, withTenant, schema } = kit
const { runActions } = await import('./run-actions.ts')
const { getDirectory } = await import('../../core/directory/directory.ts')
const { createDeliverer } = await import('../../core/deliveries/deliveries.loop.ts')
const { openContent } = await import('../../people/mail/outbox.ts')

const company = async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const [vip, hello] = [v7(), v7()]
  await withTenant(tenant.tenantId, async (tx) => {
    await tx.db.insert(schema.tags).values({ tenantId: tx.tenantId, id: vip, name: 'VIP', color: '#112233' })
  })
  await createQuickMessage(tenant, { id: hello, key: 'ola', message: 'Olá, {{firstName}}!', userId: tenant.agent.id })
  kit.invalidateDirectory(tenant.tenantId)
  const contactId = await createContact(tenant, { name: 'João Souza' })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.contacts).set({ email: 'joao@cliente.local' }).where(eq(schema.contacts.id, contactId)),
  )
  const ticketId = await createTicket(tenant, { queue: 'Vendas', userId: tenant.agent.id, contactId })
  return { ...tenant, vip, hello, contactId, ticketId }
}
type Company = Awaited<ReturnType<typeof company>>

const runAs = async (who: { token: string }, { ticketId }: Company, actions: object[]) => {
  const macro = await as(who).post('/macros', { name: v7(), actions })
  expect(macro).toMatchObject({ status: 201 })
  return (await as(who).post(`/macros/${macro.body.id}/run`, { ticketId, runId: v7() })).body
}
const said = async ({ tenantId, ticketId }: Company) =>
  (
    await withTenant(tenantId, (tx) =>
      tx.db.select().from(schema.messages).where(eq(schema.messages.ticketId, ticketId)).orderBy(schema.messages.seq),
    )
  ).map(({ type, body }) => [type, body])
const ticketOf = async ({ admin, ticketId }: Company) => (await as(admin).get(`/tickets/${ticketId}`)).body

test('what can be done to a conversation is done as by hand, and the team reads what happened around it', async () => {
  const all = await company()
  const lane = (await as(all.admin).post('/kanban', { name: 'Cliente', color: '#112233' })).body
  const outcome = await runAs(all.agent, all, [
    { kind: 'sendQuick', quickMessageId: all.hello },
    { kind: 'mark', as: 'followed' },
    { kind: 'addContactTags', tagIds: [all.vip] },
    { kind: 'wallet', userId: all.agent.id },
    { kind: 'wallet', userId: all.admin.id },
    { kind: 'removeWallet', userId: all.admin.id },
    { kind: 'lane', laneId: lane.id },
    { kind: 'schedule', body: 'Chegou?', minutes: 1_440 },
    { kind: 'email', userId: null, subject: 'Pedido de {{firstName}}', body: 'Saiu <hoje>.' },
    { kind: 'queue', queueId: all.queues.Vendas },
    { kind: 'pause', minutes: null },
    { kind: 'resume' },
    { kind: 'close', reasonId: null },
  ])
  expect(outcome).toEqual({ done: 13, total: 13, refused: null })
  expect(await said(all)).toEqual(
    expect.arrayContaining([
      ['text', 'Olá, João!'],
      ['system', `${all.agent.name} etiquetou o contato: VIP.`],
      ['system', `${all.agent.name} tirou o contato da carteira de ${all.admin.name}.`],
      ['system', `${all.agent.name} levou o contato para a etapa Cliente.`],
      ['system', `${all.agent.name} agendou uma mensagem para daqui a 1 dia.`],
      ['system', `${all.agent.name} enviou um e-mail ao cliente: Pedido de {{firstName}}.`],
    ]),
  )
  expect(await ticketOf(all)).toMatchObject({ status: 'closed' })
  expect((await as(all.agent).get(`/contacts/${all.contactId}`)).body).toMatchObject({
    tags: [{ id: all.vip }],
    wallets: [{ id: all.agent.id }],
    kanban: lane.id,
  })
  expect((await as(all.agent).get(`/scheduleMessages?contactId=${all.contactId}`)).body.items).toMatchObject([
    { body: 'Chegou?', state: 'pending' },
  ])
  const [mail] = await withTenant(all.tenantId, (tx) => tx.db.select().from(schema.mails))
  expect(mail).toMatchObject({ kind: 'action', to: 'joao@cliente.local' })
  expect(openContent({ ...mail, content: mail?.content ?? '' } as never)).toMatchObject({ subject: 'Pedido de João' })
})

test('a reason that was decided before stays when it closes without another one', async () => {
  const all = await company()
  const [sale, doubt] = [v7(), v7()]
  await withTenant(all.tenantId, (tx) =>
    tx.db.insert(schema.reasons).values([
      { tenantId: tx.tenantId, id: sale, name: 'Venda' },
      { tenantId: tx.tenantId, id: doubt, name: 'Dúvida' },
    ]),
  )
  kit.invalidateDirectory(all.tenantId)
  expect(await runAs(all.agent, all, [{ kind: 'reason', reasonId: sale }])).toMatchObject({ done: 1 })
  expect(await ticketOf(all)).toMatchObject({ status: 'open', reason: { id: sale } })
  expect(await said(all)).toContainEqual(['system', `${all.agent.name} definiu o motivo: Venda.`])
  expect(await runAs(all.agent, all, [{ kind: 'close', reasonId: null }])).toMatchObject({ done: 1 })
  expect(await ticketOf(all)).toMatchObject({ status: 'closed', reason: { id: sale } })
  await as(all.agent).put(`/tickets/${all.ticketId}`, { status: 'pending' })
  expect(await ticketOf(all)).toMatchObject({ status: 'pending', reason: null })
  await runAs(all.agent, all, [{ kind: 'reason', reasonId: sale }])
  expect(await runAs(all.agent, all, [{ kind: 'close', reasonId: doubt }])).toMatchObject({ done: 1 })
  expect(await ticketOf(all)).toMatchObject({ reason: { id: doubt } })
})

test('a step that is refused half-way leaves nothing of itself, and what came before it stays', async () => {
  const all = await company()
  await withTenant(all.tenantId, (tx) =>
    tx.db.update(schema.contacts).set({ email: null }).where(eq(schema.contacts.id, all.contactId)),
  )
  const outcome = await runAs(all.agent, all, [
    { kind: 'priority', priority: 'high' },
    { kind: 'email', userId: null, subject: 'x', body: 'y' },
    { kind: 'priority', priority: 'urgent' },
  ])
  expect(outcome).toEqual({
    done: 1,
    total: 3,
    refused: { step: 2, kind: 'email', message: 'O contato não tem e-mail no cadastro.' },
  })
  expect((await ticketOf(all)).priority).toBe('high')
})

test('what an action names and is gone since is called by its name', async () => {
  const all = await company()
  const macro = await as(all.agent).post('/macros', {
    name: 'antes',
    actions: [{ kind: 'sendQuick', quickMessageId: all.hello }],
  })
  await as(all.agent).delete(`/fastreply/${all.hello}`)
  const run = await as(all.agent).post(`/macros/${macro.body.id}/run`, { ticketId: all.ticketId, runId: v7() })
  expect(run.body.refused.message).toBe('Mensagem rápida não encontrada.')
  const wrong = await as(all.agent).post('/macros', { name: 'x', actions: [{ kind: 'channel', connectionId: v7() }] })
  expect(wrong).toMatchObject({ status: 422, body: { details: [{ path: 'actions.0.connectionId' }] } })
  const nowhere = await as(all.agent).post('/macros', { name: 'y', actions: [{ kind: 'lane', laneId: v7() }] })
  expect(nowhere).toMatchObject({ status: 422, body: { details: [{ path: 'actions.0.laneId' }] } })
})

test('a person does what they may, even in another’s macro; closing without a reason asks its own permission', async () => {
  const all = await company()
  expect(await runAs(all.agent, all, [{ kind: 'forceClose' }])).toMatchObject({ done: 0, refused: { step: 1 } })
  expect(await runAs(all.supervisor, all, [{ kind: 'forceClose' }])).toMatchObject({ done: 1, refused: null })
})

test('who acts by itself does what it was granted and nothing else, in its own name', async () => {
  const all = await company()
  const rule = { kind: 'rule' as const, id: null, name: 'Boas-vindas' }
  const run = async (actions: Action[], grants: Action['kind'][]) => {
    const directory = await getDirectory(all.tenantId)
    return withTenant(all.tenantId, (tx) =>
      runActions(tx, {
        directory,
        by: { author: rule, actor: null, grants: new Set(grants) },
        ticketId: all.ticketId,
        actions,
        runId: v7(),
      }),
    )
  }
  const transfer: Action = { kind: 'transfer', queueId: all.queues.Suporte ?? '', userId: null }
  expect((await run([transfer], ['send'])).refused?.message).toMatch(/permissão/)
  expect(await run([{ kind: 'send', body: 'Oi, {{firstName}}' }, transfer], ['send', 'transfer'])).toMatchObject({
    done: 2,
  })
  expect(await ticketOf(all)).toMatchObject({ status: 'pending', userId: null, queueId: all.queues.Suporte })
  expect(await said(all)).toEqual([
    ['text', 'Oi, João'],
    ['system', 'Boas-vindas transferiu o atendimento para a fila Suporte.'],
  ])
})

test('a system of the company is told by a macro, signed as its webhook, and whoever may not set it up cannot point to it', async () => {
  const all = await company()
  const receiver = await startReceiver()
  const secret = 'segredo-de-vinte-e-quatro-letras'
  const { id } = (
    await as(all.admin).post('/integrations', {
      kind: 'webhook',
      name: 'ERP',
      config: { url: receiver.url, secret, messages: false },
    })
  ).body
  const step = { kind: 'webhook', integrationId: id, name: 'pedido.pronto', url: null }
  const elsewhere = { ...step, url: receiver.url.replace('webhook', 'pedidos') }
  const made = await as(all.admin).post('/macros', { name: 'avisa', scope: 'everyone', actions: [step, elsewhere] })
  expect(made).toMatchObject({ status: 201 })
  const run = () => as(all.agent).post(`/macros/${made.body.id}/run`, { ticketId: all.ticketId, runId: v7() })
  expect((await run()).body).toMatchObject({ done: 2, refused: null })
  for (let n = 0; n < 2; n++) {
    const deliverer = createDeliverer() // one after the other: they are of one conversation
    await deliverer.run(() => {})
    await deliverer.finish()
  }
  const [call, other] = receiver.received
  if (!call) throw new Error('not told')
  expect([call.path, other?.path]).toEqual(['/webhook', '/pedidos'])
  const { 'webhook-id': callId, 'webhook-timestamp': at, 'webhook-signature': signature } = call.headers
  expect(signature).toBe(`v1,${createHmac('sha256', secret).update(`${callId}.${at}.${call.raw}`).digest('base64')}`)
  expect(call.body).toMatchObject({
    type: 'action.called',
    data: { name: 'pedido.pronto', by: { kind: 'user', name: all.agent.name }, ticket: { id: all.ticketId } },
  })
  const told = (await as(all.admin).get(`/integrations/${id}/deliveries`)).body.items
  expect(told).toMatchObject([{ topic: 'action.called', state: 'delivered' }, { state: 'delivered' }])
  expect(await said(all)).toContainEqual(['system', `${all.agent.name} avisou um sistema da empresa: pedido.pronto.`])

  const refused = async (who: { token: string }, wrong: object) =>
    (await as(who).post('/macros', { name: v7(), actions: [wrong] })).body.details?.map(
      ({ path }: { path: string }) => path,
    )
  expect(await refused(all.agent, step)).toEqual(['actions.0.kind'])
  expect(await refused(all.admin, { ...step, integrationId: v7() })).toEqual(['actions.0.integrationId'])
  expect(await refused((await company()).admin, step)).toEqual(['actions.0.integrationId'])
  expect(await refused(all.admin, { ...step, url: 'http://10.0.0.8/interno' })).toEqual(['actions.0.url'])

  await as(all.admin).delete(`/integrations/${id}`)
  expect((await run()).body).toMatchObject({ done: 0, refused: { message: 'Webhook não encontrado.' } })
  await receiver.close()
})
