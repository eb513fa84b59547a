import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import type { GroupLog } from '@balcao/contract/operations/group-rules.ts'
import { eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeEach, expect, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { restoreAfter } from '../../../../test/restore.ts'
import { ChannelError, type InboundEvent, type Speaker } from '../../../channels/adapter.ts'

const kit = await startTestApp()
const { as, seedTenant, createConnection, withTenant, schema } = kit
const { loadAdapter } = await import('../../../channels/index.ts')
const { ingest, settleInbound } = await import('../../intake/inbound/inbound.service.ts')
const { forgetConnections } = await import('../../channels/connections/context.ts')
const { askNewGroups } = await import('../../conversations/groups/groups.loop.ts')
const { storeFile } = await import('../../core/media/media.service.ts')
const { applyGroupRules } = await import('./rules.loop.ts')

const evolution = await loadAdapter('evolution')
restoreAfter(evolution)
const groupAct = vi.fn<NonNullable<typeof evolution.groupAct>>()
const remove = vi.fn<NonNullable<typeof evolution.remove>>()
const participants = vi.fn<NonNullable<typeof evolution.participants>>()
beforeEach(() => {
  groupAct.mockReset().mockResolvedValue({ people: [{ outcome: 'done' }] })
  remove.mockReset().mockResolvedValue(undefined)
  participants.mockReset()
  Object.assign(evolution, { groupAct, remove, participants, profile: async () => ({}) })
})

const ourNumber = '5511900000000'
const person = (name: string, phone: string, lid?: string): Speaker => ({
  identities: [{ kind: 'phone', value: phone }, ...(lid ? [{ kind: 'lid' as const, value: lid }] : [])],
  name,
})
const rui = person('Rui Barbosa', '5511911111111', '900000000000001')
const lia = person('Lia', '5511922222222')
const boss = person('Chefe', '5511933333333')
const listed = (who: Speaker, isAdmin = false) => ({
  ...{ id: who.identities[0].value, name: who.name ?? null, isAdmin, identities: [...who.identities] },
})

const company = async ({ isAdmin = true } = {}) => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant, {
    kind: 'evolution',
    config: { baseUrl: 'https://evolution.test', apiKey: 'chave-da-instancia', instanceName: 'loja' },
  })
  const inTenant = <T>(work: Parameters<typeof withTenant<T>>[1]) => withTenant(tenant.tenantId, work)
  await inTenant((tx) =>
    tx.db
      .update(schema.connections)
      .set({ account: { number: ourNumber, name: 'Loja' } })
      .where(eq(schema.connections.id, connectionId)),
  )
  forgetConnections()
  const group = { identities: [{ kind: 'group', value: '120363' }] as [Identity], name: 'Bairro', isGroup: true }
  const hear = async (...all: InboundEvent[]) => {
    for (const event of all) await ingest(tenant.tenantId, connectionId, [event])
    await settleInbound()
  }
  let count = 0
  const said = (author: Speaker, body: string, more: object = {}): Extract<InboundEvent, { kind: 'message' }> => {
    count += 1
    const content = { type: 'text' as const, body, ...more }
    return {
      kind: 'message',
      providerId: `in-${count}`,
      from: group,
      author,
      fromMe: false,
      timestamp: new Date(),
      content,
    }
  }
  const moved = (change: 'joined' | 'left', members: Speaker[], n: number, at = new Date()): InboundEvent => ({
    ...{ kind: 'group', providerId: `${change}-${n}`, group, change, members, at: new Date(at.getTime() + n) },
  })
  participants.mockResolvedValue([listed(person('Loja', ourNumber), isAdmin), listed(rui), listed(boss, true)])
  await hear(said(boss, 'Bom dia'))
  await askNewGroups()
  const me = as(tenant.supervisor)
  const place = { whatsappId: connectionId }
  const add = async (path: string, body: object) => {
    const { status, body: made } = await me.post(path, { ...place, ...body })
    expect(status).toBe(201)
    return made
  }
  const logs = async (query = ''): Promise<GroupLog[]> => (await me.get(`/groupLogs?${query}`)).body.items
  const due = () =>
    inTenant((tx) =>
      tx.db.execute(sql`update group_logs set due_at = now() - interval '1 second' where state = 'waiting'`),
    )
  const work = async () => {
    await due()
    for (let did = 1; did; did = (await applyGroupRules()).did);
  }
  const ours = async () => {
    const rows = await inTenant((tx) => tx.db.select().from(schema.messages).orderBy(schema.messages.seq))
    return rows.flatMap(({ fromMe, body, type }) => (fromMe && type !== 'system' ? body : []))
  }
  const [{ groupId }] = (await me.get('/groups')).body.items
  return { ...tenant, connectionId, groupId, me, hear, said, moved, add, logs, work, due, ours, inTenant }
}
const removals = () => groupAct.mock.calls.map(([target]) => target).filter(({ act }) => act === 'remove')

test('who is banned is removed when they join, by whichever id they are named; replayed, once', async () => {
  const { add, hear, moved, work, logs, me, groupId, inTenant } = await company()
  await add('/banList', { groupId, number: '11 91111-1111', reason: 'Propaganda' })
  await work() // he is there already
  expect(removals()).toHaveLength(1)
  const back = moved('joined', [{ identities: [{ kind: 'lid', value: '900000000000001' }] }], 1_000)
  await hear(back, moved('joined', [lia], 1_001))
  await hear(back)
  await work()
  expect(removals()).toHaveLength(2)
  expect(await logs('kinds=ban')).toMatchObject([
    {
      what: 'Remover do grupo',
      why: 'Propaganda',
      state: 'done',
      member: { name: 'Rui Barbosa', number: '5511911111111' },
    },
    { state: 'done' },
  ])
  expect((await me.get(`/banList/${groupId}/logs`)).body.items).toHaveLength(2)
  const today = wallTimeOf(new Date(), 'America/Sao_Paulo').slice(0, 10)
  expect(await logs(`dateFrom=${today}&dateTo=${today}`)).toHaveLength(2)
  expect(await logs('dateTo=2026-01-01')).toEqual([])
  expect(await logs(`connectionIds=${groupId}`)).toEqual([])
  expect((await me.get('/banList')).body.items).toMatchObject([
    { groupId, groups: [{ name: 'Bairro' }], number: '5511911111111' },
  ])
  await inTenant((tx) => tx.db.update(schema.connections).set({ deletedAt: new Date() }))
  expect((await me.get('/banList')).body.items).toMatchObject([{ connection: { name: 'Canal excluído' } }])
  expect((await me.delete('/banListAll')).body).toEqual({ deleted: 1 })
})

test('many are banned at once from whatever was pasted; what is left out is told line by line, and nobody twice', async () => {
  const { me, add, groupId, work, connectionId, admin } = await company()
  await add('/banList', { number: '11 93333-3333' })
  const text = [
    'Número;Onde;Motivo',
    '11 91111-1111;WhatsApp · todos;Propaganda, de novo',
    '(11) 92222-2222',
    '5511911111111',
    '+351 912 345 678, 11 94444-4444',
    'João sem número',
    '11 1234',
    '11933333333',
    '11 90000-0000',
    '',
  ].join('\r\n')
  const asked = { whatsappId: connectionId, text, reason: 'Lista da prefeitura' }
  const refused = [
    { line: 4, text: '5511911111111', reason: 'Repetido: está também na linha 2.' },
    { line: 6, text: 'João sem número', reason: 'Não há um telefone nesta linha.' },
    { line: 7, text: '11 1234', reason: 'Confira o número: DDD e telefone.' },
    { line: 8, text: '11933333333', reason: 'Já está na lista.' },
    { line: 9, text: '11 90000-0000', reason: 'É o número de um dos seus canais.' },
  ]
  expect(await me.post('/banList/import', { ...asked, dryRun: true })).toMatchObject({
    status: 200,
    body: { banned: 4, refused },
  })
  expect((await me.get('/banList')).body.items).toHaveLength(1)
  expect((await me.post('/banList/import', asked)).body).toEqual({ banned: 4, refused })
  const items = (await me.get('/banList?sort=number')).body.items
  expect(items.map(({ number, reason }: { number: string; reason: string }) => [number, reason])).toEqual([
    ['351912345678', 'Lista da prefeitura'],
    ['5511911111111', 'Propaganda, de novo'],
    ['5511922222222', 'Lista da prefeitura'],
    ['5511933333333', ''],
    ['5511944444444', 'Lista da prefeitura'],
  ])
  await work() // Rui and the boss are there already
  expect(removals()).toHaveLength(2)
  expect((await me.post('/banList/import', asked)).body.banned).toBe(0)
  const narrow = { whatsappId: connectionId, number: '11 91111-1111', groupIds: [groupId] }
  expect(await me.post('/banList', narrow)).toMatchObject({
    status: 422,
    body: { details: [{ path: 'number', message: 'Já está na lista.' }] },
  })
  expect(await me.post('/banList', { whatsappId: connectionId, number: ourNumber })).toMatchObject({ status: 422 })
  expect((await as(admin).get('/audit?entity=groupBan')).body.items).toMatchObject([
    { action: 'groupBan.imported', after: { count: 4 } },
    { action: 'groupBan.created' },
  ])
  expect(await me.post('/banList/import', { ...asked, text: ' \n ' })).toMatchObject({ status: 422 })
})

test('who is banned and joins by an id that hides their phone is removed once the list tells it', async () => {
  const { add, hear, moved, work, logs, inTenant } = await company()
  await add('/banList', { number: '11 92222-2222', reason: 'Propaganda' })
  const hidden: Speaker = { identities: [{ kind: 'lid', value: '900000000000777' }] }
  await hear(moved('joined', [hidden], 1_000))
  await work()
  expect(removals()).toEqual([])
  participants.mockResolvedValue([
    ...[listed(person('Loja', ourNumber), true), listed(rui), listed(boss, true)],
    listed(person('Lia', '5511922222222', '900000000000777')),
  ])
  await inTenant((tx) =>
    tx.db.execute(sql`update groups set ask_at = now() - interval '1 second' where ask_at is not null`),
  )
  await askNewGroups()
  await work()
  expect(removals()).toHaveLength(1)
  expect(await logs('kinds=ban')).toMatchObject([{ state: 'done', member: { name: 'Lia', number: '5511922222222' } }])
})

test('who comes back again and again is removed ever later, and never twice at once', async () => {
  const { add, hear, moved, work, logs, inTenant } = await company()
  await add('/banList', { number: '11911111111' })
  await work()
  const waits: number[] = []
  for (let n = 1; n <= 4; n += 1) {
    await hear(moved('joined', [rui], n * 10_000), moved('joined', [rui], n * 10_000 + 2_000))
    const { rows } = await inTenant((tx) =>
      tx.db.execute<{ s: number }>(
        sql`select round(extract(epoch from due_at - created_at))::int as s from group_logs where state = 'waiting'`,
      ),
    )
    expect(rows).toHaveLength(1)
    waits.push(rows[0]?.s ?? -1)
    await work()
  }
  expect(waits).toEqual([60, 300, 1_800, 1_800])
  expect(await logs()).toHaveLength(5)
})

test.each([
  ['a caption in other letters', { type: 'image', body: 'É GÓL\u200bPE!' }],
  [
    'an option of a poll',
    {
      type: 'text',
      body: 'Qual?',
      interactive: {
        kind: 'poll',
        header: '',
        footer: '',
        buttonLabel: '',
        selectable: 1,
        options: [{ id: '1', title: 'Golpe', description: '' }],
      },
    },
  ],
] as const)('a forbidden word is found in %s', async (_name, content) => {
  const { add, hear, said, work, logs } = await company()
  await add('/wordlist', { word: 'Golpe', action: 'delete' })
  await hear(said(rui, content.body, content))
  await work()
  expect(remove).toHaveBeenCalledOnce()
  expect(remove.mock.calls[0]?.[0]).toMatchObject({
    author: expect.arrayContaining([{ kind: 'phone', value: '5511911111111' }]),
  })
  expect(await logs()).toMatchObject([{ kind: 'word', what: 'Apagar a mensagem', why: 'golpe', state: 'done' }])
})

test('a word warns, deletes and removes; administrators and chosen people may say it; an edit says it too', async () => {
  const { add, hear, said, work, logs, ours, me } = await company()
  const rule = await add('/wordlist', {
    ...{ word: 'golpe', action: 'remove', spared: ['11922222222'] },
    warning: '{{name}}, aqui em {{group}} não.',
  })
  await hear(said(boss, 'isto é golpe'), said(lia, 'que golpe'), said(rui, 'golpes de mestre'))
  await work()
  expect(await logs()).toEqual([])
  const innocent = said(rui, 'bom dia')
  await hear(innocent, {
    kind: 'edit',
    providerId: innocent.providerId,
    body: 'bom golpe',
    at: new Date(Date.now() + 5_000),
  })
  await work()
  expect(remove).toHaveBeenCalledOnce()
  expect(removals()).toHaveLength(1)
  expect(await ours()).toEqual(['@Rui Barbosa, aqui em Bairro não.'])
  await me.put(`/wordlist/${rule.id}`, { action: 'warn', version: rule.version })
  await hear(said(rui, 'golpe'), said(rui, 'golpe'), said(rui, 'golpe'))
  await work()
  expect(await ours()).toHaveLength(1) // once a minute
  expect(remove).toHaveBeenCalledOnce()
  await me.put(`/wordlist/${rule.id}`, { isActive: false, version: rule.version + 1 })
  await hear(said(rui, 'golpe'))
  expect(await logs()).toHaveLength(4)
})

test('one greeting for all who come together, a minute between two; goodbye to who leaves, not to whom we removed', async () => {
  const { add, hear, moved, work, ours, due, inTenant } = await company()
  await add('/greetingMessage', { message: 'Bem-vindos ao {{group}}, {{name}}!' })
  await add('/farewellMessage', { message: 'Tchau, {{name}}.' })
  await add('/banList', { number: '11911111111' })
  await work()
  const joins = [
    moved('joined', [lia], 1),
    moved('joined', [person('Caio', '5511944444444')], 2),
    moved('joined', [rui], 3),
  ]
  await hear(...joins)
  await hear(...joins)
  await Promise.all([applyGroupRules(), applyGroupRules()])
  expect(await ours()).toEqual([]) // others may come
  await work()
  expect(await ours()).toEqual(['Bem-vindos ao Bairro, @Lia e @Caio!'])
  await hear(moved('joined', [person('Davi', '5511955555555')], 4))
  await due()
  await applyGroupRules()
  expect(await ours()).toHaveLength(1)
  await inTenant((tx) =>
    tx.db.execute(sql`update group_logs set done_at = done_at - interval '2 minutes' where state = 'done'`),
  )
  await work()
  expect((await ours()).at(-1)).toBe('Bem-vindos ao Bairro, @Davi!')
  await hear(moved('left', [rui], 5_000), moved('left', [lia], 5_001))
  await work()
  expect((await ours()).at(-1)).toBe('Tchau, @Lia.')
})

test('a goodbye takes its picture along, with its words below it', async () => {
  const { tenantId, supervisor, add, hear, moved, work, inTenant } = await company()
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const file = { tenantId, userId: supervisor.id, name: 'tchau.png', bytes: Buffer.from(png, 'base64') }
  const { id: mediaId } = await storeFile(file)
  await add('/farewellMessage', { message: 'Tchau, {{name}}.', mediaId })
  await hear(moved('left', [lia], 1))
  await work()
  const written = await inTenant((tx) => tx.db.select().from(schema.messages).where(eq(schema.messages.fromMe, true)))
  expect(written.filter(({ mediaId: sent }) => sent === mediaId)).toMatchObject([
    { type: 'image', body: 'Tchau, @Lia.', status: 'queued' },
  ])
})

test('who is named by a rule is called, as the group calls them; a sign before the name is not doubled', async () => {
  const { add, hear, moved, work, inTenant } = await company()
  await add('/greetingMessage', { message: 'Oi, @{{name}}! Leia a descrição.' })
  const nameless = (value: string): Speaker => ({ identities: [{ kind: 'lid', value }] })
  await hear(moved('joined', [lia, nameless('900000000000888'), nameless('900000000000999')], 1))
  await work()
  const written = await inTenant((tx) => tx.db.select().from(schema.messages).where(eq(schema.messages.fromMe, true)))
  expect(written.find(({ body }) => body.startsWith('Oi'))).toMatchObject({
    body: 'Oi, @Lia, @Participante 0888 e @Participante 0999! Leia a descrição.',
    payload: {
      called: [
        { id: '5511922222222', name: 'Lia' },
        { id: '900000000000888@lid', name: 'Participante 0888' },
        { id: '900000000000999@lid', name: 'Participante 0999' },
      ],
    },
  })
})

test('who was taken out is not said goodbye to, by whomever', async () => {
  const { add, hear, moved, work, ours } = await company()
  await add('/farewellMessage', { message: 'Tchau, {{name}}.' })
  await hear({ ...moved('left', [lia], 1), isRemoval: true } as InboundEvent)
  await work()
  expect(await ours()).toEqual([])
})

test('who became an administrator while nobody told us is not thrown out for a word', async () => {
  const { add, hear, said, work, logs } = await company()
  await add('/wordlist', { word: 'golpe', action: 'remove' })
  participants.mockResolvedValue([listed(person('Loja', ourNumber), true), listed(rui, true), listed(boss, true)])
  await hear(said(rui, 'golpe'))
  await work()
  expect(remove).not.toHaveBeenCalled()
  expect(removals()).toEqual([])
  expect(await logs()).toMatchObject([{ state: 'skipped', problem: expect.stringContaining('administrador') }])
})

test('what was said and happened long ago is nobody’s concern', async () => {
  const { add, hear, said, moved, work, logs } = await company()
  await add('/wordlist', { word: 'golpe', action: 'delete' })
  await add('/greetingMessage', { message: 'Oi, {{name}}' })
  const { kind: _, ...old } = said(rui, 'golpe')
  await hear({ kind: 'history', messages: [old] }, moved('joined', [lia], 0, new Date(Date.now() - 3_600_000)))
  await work()
  expect(await logs()).toEqual([])
})

test('where we lead nothing it says so; too fast waits; a group that is gone is gone', async () => {
  const member = await company({ isAdmin: false })
  await member.add('/wordlist', { word: 'golpe', action: 'delete' })
  await member.hear(member.said(rui, 'golpe'))
  await member.work()
  expect(remove).not.toHaveBeenCalled()
  expect(await member.logs()).toMatchObject([{ state: 'failed', problem: 'Este número não é administrador do grupo.' }])

  const { add, hear, said, work, logs, me } = await company()
  await add('/wordlist', { word: 'golpe', action: 'delete' })
  remove
    .mockRejectedValueOnce(new ChannelError('retry', 'O WhatsApp pediu para esperar.', { retryAfterMs: 60_000 }))
    .mockRejectedValueOnce(new ChannelError('final', 'Este grupo não existe mais.', { isUnreachable: true }))
  await hear(said(rui, 'golpe'))
  await work()
  expect(await logs()).toMatchObject([{ state: 'waiting', problem: 'O WhatsApp pediu para esperar.' }])
  await work()
  expect(await logs()).toMatchObject([{ state: 'failed', problem: 'Este grupo não existe mais.' }])
  expect((await me.get('/groups')).body.items).toEqual([])
})

test('two workers and a process that died: each thing is done, and warned of, once', async () => {
  const { add, hear, said, logs, ours, inTenant } = await company()
  await add('/wordlist', { word: 'golpe', action: 'delete', warning: 'Não, {{name}}.' })
  await hear(said(rui, 'golpe'))
  remove.mockReturnValueOnce(new Promise(() => {}))
  void applyGroupRules()
  await vi.waitFor(() => expect(remove).toHaveBeenCalledOnce())
  expect(await applyGroupRules()).toMatchObject({ did: 0 })
  await inTenant((tx) =>
    tx.db.execute(sql`update group_logs set claimed_at = now() - interval '5 minutes' where state = 'doing'`),
  )
  await Promise.all([applyGroupRules(), applyGroupRules(), applyGroupRules()])
  expect(remove).toHaveBeenCalledTimes(2)
  expect(await logs()).toMatchObject([{ state: 'done' }])
  expect(await ours()).toEqual(['Não, @Rui Barbosa.'])
})

test('a rule needs a channel with groups, groups of that channel, variables that stand for something', async () => {
  const { me, connectionId } = await company()
  const other = await company()
  const problems = async (path: string, body: object) => {
    const { status, body: told } = await me.post(path, { whatsappId: connectionId, ...body })
    expect(status).toBe(422)
    return told.details.map(({ path: field }: { path: string }) => field)
  }
  expect(await problems('/banList', { number: '12' })).toEqual(['number'])
  expect(await problems('/banList', { number: '11911111111', groupIds: [other.groupId] })).toEqual(['groupIds'])
  expect(await problems('/banList', { number: '11911111111', whatsappId: other.connectionId })).toEqual(['whatsappId'])
  expect(await problems('/greetingMessage', { message: 'Oi {{protocol}}' })).toEqual(['message'])
  expect(await problems('/greetingMessage', {})).toEqual(['message'])
  expect(await problems('/wordlist', { word: '..' })).toEqual(['word'])
  expect(await problems('/greetingMessage', { message: 'Oi', mediaId: v7() })).toEqual(['mediaId'])
})

test('thousands are banned in a few statements, and only those of whoever is there are read', async () => {
  const { me, connectionId, add, hear, moved, work } = await company()
  const phone = (n: number) => `55119${String(60_000_000 + n)}`
  const text = Array.from({ length: 5_000 }, (_, n) => `${phone(n)};Lista`).join('\n')
  const before = kit.statementCount()
  const { status, body } = await me.post('/banList/import', { whatsappId: connectionId, text })
  expect([status, body.banned]).toEqual([200, 5_000])
  expect(kit.statementCount() - before).toBeLessThan(40)
  expect((await me.post('/banList/import', { whatsappId: connectionId, text })).body.banned).toBe(0)
  await add('/banList', { number: '11 92222-2222', reason: 'Propaganda' })
  await hear(moved('joined', [person('Ninguém', '5511955554444'), person('Lista', phone(4_321))], 1_000))
  await work()
  expect(removals()).toHaveLength(1)
})
