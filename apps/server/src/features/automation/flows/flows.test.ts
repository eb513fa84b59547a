import type { FlowProblem } from '@balcao/contract/automation/flows/flows.ts'
import { readyFlows } from '@balcao/contract/automation/flows/gallery/index.ts'
import { blankNode, type FlowNode } from '@balcao/contract/automation/flows/graph.ts'
import { blankAction } from '@balcao/contract/conversations/actions/index.ts'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant, createUser, createConnection, withTenant, schema } = await startTestApp()

const message = (id: string, body: string, next: Record<string, string> = {}): FlowNode => ({
  ...blankNode('message', id, { x: 0, y: 0 }),
  data: { parts: [{ kind: 'text', body, mediaId: null, interactive: null }] },
  next,
})
const start = (to: string): FlowNode => ({ ...blankNode('start', 'start', { x: 0, y: 0 }), next: { next: to } })
const handOver = (id: string, queueId = ''): FlowNode => ({
  ...blankNode('handOver', id, { x: 0, y: 0 }),
  data: { queueId, userId: '', body: '', summary: true },
})

const company = async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const me = as(tenant.supervisor)
  const create = async (more: object = {}) => {
    const reply = await me.post('/chat-flow', { name: `Fluxo ${v7()}`, ...more })
    expect(reply).toMatchObject({ status: 201 })
    return reply.body
  }
  const draft = async (id: string) => (await me.get(`/chat-flow/${id}/draft`)).body
  const change = (id: string, base: number, more: object) => me.post(`/chat-flow/${id}/draft`, { base, ...more })
  return { ...tenant, me, create, draft, change }
}

test('a new flow has its start; steps are put into the draft and taken away, and each knows its revision', async () => {
  const { me, create, draft, change } = await company()
  const { id, published, isChanged, running, startsOn } = await create({ celularTeste: '(11) 98765-4321' })
  expect({ published, isChanged, running, startsOn }).toEqual({
    ...{ published: null, isChanged: true, running: 0, startsOn: [] },
  })
  expect(await draft(id)).toMatchObject({
    revision: 1,
    nodes: [{ id: 'start', kind: 'start' }],
    revisions: { start: 1 },
    // Who asks for a person is told that one comes.
    settings: { welcomeMessage: 'Vou passar você para a nossa equipe.' },
  })
  expect(await change(id, 1, { upserts: [start('a'), message('a', 'Olá')] })).toMatchObject({
    status: 200,
    body: { revision: 2, conflicts: [], settings: null },
  })
  expect(await change(id, 2, { removes: ['a'] })).toMatchObject({ status: 200, body: { revision: 3 } })
  const after = await draft(id)
  expect(after.nodes).toHaveLength(1)
  expect(after.revisions).toEqual({ start: 2, a: 3 })
  expect(await change(id, 3, { removes: ['start'] })).toMatchObject({ status: 422 })
  expect(await me.get(`/chat-flow/${v7()}/draft`)).toMatchObject({ status: 404 })
})

test('two people cannot write over the same step; each may go on with their own', async () => {
  const { tenantId, supervisor, create, draft, change } = await company()
  const person = await createUser(tenantId, { profile: 'admin', name: 'Outra Pessoa' })
  const other = as(person)
  const [theirId, myId] = [person.id, supervisor.id]
  const { id } = await create()
  await change(id, 1, { upserts: [message('a', 'A'), message('b', 'B')] })
  expect(await other.post(`/chat-flow/${id}/draft`, { base: 2, upserts: [message('a', 'A2')] })).toMatchObject({
    status: 200,
  })
  const refused = await change(id, 2, { upserts: [message('a', 'A3'), message('b', 'B3')] })
  expect(refused).toMatchObject({ status: 409, body: { error: 'ERR_CONFLICT' } })
  expect(refused.body.details).toMatchObject({ revision: 3, conflicts: [{ id: 'a', userId: theirId }], settings: null })
  expect(await draft(id)).toMatchObject({ authors: { a: theirId, b: myId } })
  expect((await change(id, 2, { upserts: [message('b', 'B3')] })).status).toBe(200)
  await other.post(`/chat-flow/${id}/draft`, { base: 4, removes: ['b'] })
  expect((await change(id, 4, { upserts: [message('b', 'B4')] })).body.details.conflicts).toEqual([
    { id: 'b', node: null, userId: theirId },
  ])
  const { settings } = await draft(id)
  expect((await change(id, 5, { settings: { ...settings, welcomeMessage: 'Oi' } })).status).toBe(200)
  const theirs = await other.post(`/chat-flow/${id}/draft`, { base: 5, settings })
  expect(theirs.body.details).toMatchObject({ settings: { welcomeMessage: 'Oi' }, settingsUserId: myId })
})

test('versions: published, kept as they were, put back into the draft, published again', async () => {
  const { me, create, draft, change } = await company()
  const { id } = await create()
  await change(id, 1, { upserts: [start('a'), message('a', 'Primeira', { next: 'p' }), handOver('p')] })
  expect(await me.post(`/chat-flow/${id}/publish`, { revision: 1 })).toMatchObject({ status: 409 })
  const first = await me.post(`/chat-flow/${id}/publish`, { revision: 2, note: 'A primeira' })
  expect(first).toMatchObject({ status: 200, body: { isChanged: false, published: { number: 1, note: 'A primeira' } } })
  const comment = { id: 'c', kind: 'comment', data: { text: 'Para a equipe' } } // counts as no step
  await change(id, 2, { upserts: [message('a', 'Segunda', { next: 'p' }), comment] })
  expect((await me.get(`/chat-flow/${id}`)).body.isChanged).toBe(true)
  const second = await me.post(`/chat-flow/${id}/publish`, { revision: 3 })
  expect(second.body.published.number).toBe(2)
  const versions = (await me.get(`/chat-flow/${id}/versions`)).body.items
  expect(versions).toMatchObject([
    { number: 2, isPublished: true, nodes: 3, running: 0 },
    { number: 1, isPublished: false, user: { name: 'Bruna Lima' } },
  ])
  const [, old] = versions
  expect((await me.get(`/chat-flow/${id}/versions/${old.id}`)).body.nodes).toContainEqual(
    expect.objectContaining({ id: 'a', data: { parts: [expect.objectContaining({ body: 'Primeira' })] } }),
  )
  expect((await me.post(`/chat-flow/${id}/versions/${old.id}/publish`)).body).toMatchObject({
    ...{ isChanged: true, published: { number: 1 } },
  })
  const { revision } = (await me.post(`/chat-flow/${id}/versions/${old.id}/restore`)).body
  const restored = await draft(id)
  expect(restored).toMatchObject({ revision })
  expect(restored.nodes.find((node: FlowNode) => node.id === 'a').data.parts[0].body).toBe('Primeira')
})

test('what it names has to be there before it is published', async () => {
  const { me, queues, create, change } = await company()
  const { id } = await create()
  await change(id, 1, { upserts: [start('p'), handOver('p', v7())] })
  expect((await me.get(`/chat-flow/${id}/problems`)).body.items).toContainEqual({
    ...{ nodeId: 'p', path: 'queueId', message: 'Fila não encontrada.', level: 'error' },
  })
  expect(await me.post(`/chat-flow/${id}/publish`, { revision: 2 })).toMatchObject({ status: 422 })
  await change(id, 2, { upserts: [handOver('p', queues.Vendas)] })
  expect(await me.post(`/chat-flow/${id}/publish`, { revision: 3 })).toMatchObject({ status: 200 })
})

test('a flow another passes through may read what that one has asked', async () => {
  const { me, create, change } = await company()
  const [sub, outer] = [await create(), await create()]
  await change(sub.id, 1, { upserts: [start('m'), message('m', 'Total: {{var.total}}')] })
  expect(await me.post(`/chat-flow/${sub.id}/publish`, { revision: 2 })).toMatchObject({ status: 422 })
  const call = { ...blankNode('flow', 'f', { x: 0, y: 0 }), data: { flowId: sub.id, returns: true } }
  await change(outer.id, 1, { upserts: [start('f'), call] })
  expect(await me.post(`/chat-flow/${sub.id}/publish`, { revision: 2 })).toMatchObject({ status: 200 })
})

test('an action that is half made is a problem at its field, and the rest is still checked', async () => {
  const { me, create, change } = await company()
  const { id } = await create()
  const act = (node: string, ...actions: object[]) => ({
    ...{ id: node, kind: 'action', name: '', x: 0, y: 0, next: {} },
    data: { actions },
  })
  const opportunity = { ...blankAction('opportunity'), stageId: '' }
  await change(id, 1, {
    upserts: [start('a'), act('a', opportunity, { kind: 'lane', laneId: '' }, { kind: 'lane', laneId: v7() })],
  })
  const { status, body } = await me.get(`/chat-flow/${id}/problems`)
  expect(status).toBe(200)
  expect(body.items.map(({ path, message }: FlowProblem) => `${path} ${message}`)).toEqual(
    expect.arrayContaining([
      'actions.0.stageId Escolha a etapa.',
      'actions.1.laneId Escolha a etapa.',
      'actions.2.laneId Etapa não encontrada.',
    ]),
  )
})

test('copied, exported and read in again; files stay with who has them', async () => {
  const { me, tenantId, supervisor, create, draft, change } = await company()
  const { id, name } = await create()
  const mediaId = v7()
  await withTenant(tenantId, (tx) =>
    tx.db.insert(schema.files).values({
      ...{ tenantId, id: mediaId, userId: supervisor.id, kind: 'document', name: 'tabela.pdf' },
      ...{ mime: 'application/pdf', size: 10, key: `k${mediaId}`, sha256: 'x' },
    }),
  )
  const sends: FlowNode = {
    ...blankNode('message', 'f', { x: 0, y: 0 }),
    data: { parts: [{ kind: 'file', body: '', mediaId, interactive: null }] },
  }
  expect(await change(id, 1, { upserts: [start('f'), sends] })).toMatchObject({ status: 200 })
  const copy = await me.post('/chat-flow-duplicate', { id })
  expect(copy).toMatchObject({ status: 201, body: { name: `${name} (cópia)`, published: null } })
  expect((await draft(copy.body.id)).nodes).toHaveLength(2)

  const file = (await me.get(`/chat-flow/${id}/export`)).body
  expect(file).toMatchObject({ product: 'balcao', format: 1, name })
  const elsewhere = await company()
  const theirs = await elsewhere.create()
  const imported = await elsewhere.me.put(`/chat-flow-import/${theirs.id}`, file)
  expect(imported).toMatchObject({ status: 200, body: { from: 'balcao', revision: 2 } })
  expect(imported.body.notes).toContainEqual(expect.objectContaining({ nodeId: 'f', level: 'lost' }))
  expect((await elsewhere.draft(theirs.id)).nodes).toHaveLength(2)
  const izing = {
    name: 'Antigo',
    nodeList: [
      { id: 'start', type: 'start', name: 'Início' },
      { id: 'configurations', type: 'configurations', configurations: {} },
      {
        ...{ id: 'n1', type: 'node', name: 'Boas-vindas', left: '10px', top: '20px', conditions: [], actions: [] },
        interactions: [{ type: 'MessageField', data: { message: 'Olá' } }],
      },
    ],
    lineList: [{ from: 'start', to: 'n1' }],
  }
  const old = await elsewhere.create()
  expect(await elsewhere.me.put(`/chat-flow-import/${old.id}`, izing)).toMatchObject({ body: { from: 'izing' } })
  expect(JSON.stringify((await elsewhere.draft(old.id)).nodes)).toContain('Olá')
  expect(await elsewhere.change(theirs.id, 2, { upserts: [sends] })).toMatchObject({ status: 422 })
  expect(await elsewhere.me.put(`/chat-flow-import/${theirs.id}`, { nodeList: 1 })).toMatchObject({ status: 422 })
})

test('who starts by it holds it; elsewhere there is no such flow', async () => {
  const { me, admin, queues, tenantId, create } = await company()
  const { id } = await create()
  const connectionId = await createConnection({ tenantId })
  const boss = as(admin)
  expect(await boss.put(`/queue/${queues.Vendas}`, { chatFlowId: v7() })).toMatchObject({ status: 422 })
  expect(await boss.put(`/queue/${queues.Vendas}`, { chatFlowId: id })).toMatchObject({ status: 200 })
  expect(await boss.put('/settings', { botTicketActive: v7() })).toMatchObject({ status: 422 })
  expect(await boss.put(`/whatsapp/${connectionId}`, { options: { chatFlowId: v7() } })).toMatchObject({ status: 422 })
  expect(await boss.put(`/whatsapp/${connectionId}`, { options: { chatFlowId: id } })).toMatchObject({ status: 200 })
  expect((await me.get(`/chat-flow/${id}`)).body.startsOn).toMatchObject([{ kind: 'connection' }, { kind: 'queue' }])
  expect(await me.delete(`/chat-flow/${id}`)).toMatchObject({ status: 409, body: { error: 'ERR_IN_USE' } })
  await boss.put(`/queue/${queues.Vendas}`, { chatFlowId: null })
  await boss.put(`/whatsapp/${connectionId}`, { options: {} })
  expect(await me.delete(`/chat-flow/${id}`)).toMatchObject({ status: 204 })
})

test('a ready flow is published as it is', async () => {
  const { me, create, draft } = await company()
  const { id, model } = await create({ model: readyFlows[0]?.key })
  expect(model).toBe(readyFlows[0]?.key)
  const { revision, nodes } = await draft(id)
  expect(nodes.length).toBeGreaterThan(3)
  expect(await me.post(`/chat-flow/${id}/publish`, { revision })).toMatchObject({ status: 200 })
  expect(await me.post('/chat-flow', { name: 'X', model: 'nenhum' })).toMatchObject({ status: 422 })
})

test('what flows do in the name of somebody who goes follows to the colleague who goes on; a channel they name is told', async () => {
  const shop = await company()
  const connectionId = await createConnection(shop)
  const gone = await createUser(shop.tenantId, { profile: 'user', name: 'Quem Sai' })
  const heir = await createUser(shop.tenantId, { profile: 'user', name: 'Quem Fica' })
  const { id, name } = await shop.create()
  const toPerson: FlowNode = {
    ...blankNode('handOver', 'h', { x: 0, y: 0 }),
    data: { queueId: '', userId: gone.id, body: '', summary: true },
  }
  const branches = [
    {
      ...{ id: 'b', label: '', match: 'all' as const },
      tests: [{ on: 'ticket' as const, field: 'connection' as const, isNot: false, values: [connectionId] }],
    },
  ]
  const byChannel: FlowNode = {
    ...blankNode('condition', 'c', { x: 0, y: 0 }),
    data: { branches },
    next: { b: 'h', else: 'h' },
  }
  const { body } = await shop.change(id, 1, { upserts: [start('c'), byChannel, toPerson] })
  expect(await shop.me.post(`/chat-flow/${id}/publish`, { revision: body.revision })).toMatchObject({ status: 200 })
  expect((await shop.me.get(`/chat-flow-naming/${connectionId}`)).body.items).toEqual([{ id, name }])

  expect(await as(shop.admin).delete(`/users/${gone.id}`, { handOverTo: heir.id })).toMatchObject({ status: 204 })
  const ofPerson = ({ nodes }: { nodes: FlowNode[] }) => nodes.find((one) => one.id === 'h')?.data
  expect(ofPerson(await shop.draft(id))).toMatchObject({ userId: heir.id })
  const { items } = (await shop.me.get(`/chat-flow/${id}/versions`)).body
  expect(items).toMatchObject([{ number: 2, note: 'Usuário Quem Sai excluído' }, { number: 1 }])
  expect(ofPerson((await shop.me.get(`/chat-flow/${id}/versions/${items[0].id}`)).body)).toMatchObject({
    userId: heir.id,
  })
  expect((await shop.me.get(`/chat-flow-naming/${gone.id}`)).body.items).toEqual([])
})
