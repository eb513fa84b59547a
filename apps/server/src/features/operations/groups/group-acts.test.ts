import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type { GroupRow } from '@balcao/contract/operations/group-list.ts'
import type { Schedule } from '@balcao/contract/operations/schedules.ts'
import { eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeEach, expect, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { restoreAfter } from '../../../../test/restore.ts'
import { ChannelError, type GroupOutcome, type GroupTarget, type ListedGroup } from '../../../channels/adapter.ts'

const kit = await startTestApp()
const { app, as, seedTenant, createConnection, withTenant, schema, statementCount } = kit
const { loadAdapter } = await import('../../../channels/index.ts')
const { forgetConnections } = await import('../../channels/connections/context.ts')
const { keepStanding } = await import('../../channels/connections/connect.ts')
const { changeMembers } = await import('../../contacts/groups/members.ts')
const { askNewGroups } = await import('../../conversations/groups/groups.loop.ts')
const { storeFile } = await import('../../core/media/media.service.ts')
const { createJobs } = await import('../../core/jobs/jobs.loop.ts')
const { actOnGroups } = await import('./acts.loop.ts')
const { writeAllDue } = await import('../schedules/schedules.loop.ts')
const { writableGroups } = await import('./groups.list.ts')

const evolution = await loadAdapter('evolution')
restoreAfter(evolution)
const groupAct = vi.fn<NonNullable<typeof evolution.groupAct>>()
const groups = vi.fn<NonNullable<typeof evolution.groups>>()
const profile = vi.fn<NonNullable<typeof evolution.profile>>()
const participants = vi.fn<NonNullable<typeof evolution.participants>>()
beforeEach(() => {
  groupAct
    .mockReset()
    .mockImplementation(async ({ act, ...more }) =>
      'people' in more && act !== 'create' ? { people: more.people.map(() => ({ outcome: 'done' as const })) } : {},
    )
  groups.mockReset()
  profile.mockReset().mockResolvedValue({})
  participants.mockReset().mockResolvedValue([])
  Object.assign(evolution, { groupAct, groups, profile, participants })
})

const ourNumber = '5511900000000'
const member = (phone: string, isAdmin = false) => ({
  ...{ id: phone, name: `Pessoa ${phone.slice(-2)}`, isAdmin },
  identities: [{ kind: 'phone', value: phone }] as Identity[],
})
const listed = (n: number, more: Partial<ListedGroup> = {}): ListedGroup => ({
  identities: [{ kind: 'group', value: `12036300000${n}` }],
  name: `Turma ${n}`,
  members: [member(ourNumber, true), member('5511911111111'), member('5511922222222', true)],
  ...more,
})

const company = async (count = 3) => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant, {
    kind: 'evolution',
    config: { baseUrl: 'https://evolution.test', apiKey: 'chave-da-instancia', instanceName: 'loja' },
  })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .update(schema.connections)
      .set({ account: { number: ourNumber, name: 'Loja Aurora' } })
      .where(eq(schema.connections.id, connectionId)),
  )
  forgetConnections()
  groups.mockResolvedValue(Array.from({ length: count }, (_, n) => listed(n + 1)))
  const me = as(tenant.supervisor)
  expect((await me.post('/groups/refresh', { whatsappId: connectionId })).body).toEqual({ groups: count, problems: [] })
  const list = async (query = ''): Promise<GroupRow[]> => (await me.get(`/groups?${query}`)).body.items
  const jobs = createJobs()
  /** The rests of all connections are over. */
  const rested = () =>
    withTenant(tenant.tenantId, (tx) => tx.db.execute(sql`update group_pace set next_at = now() - interval '1 second'`))
  const due = () =>
    withTenant(tenant.tenantId, (tx) =>
      tx.db.execute(
        sql`update group_act_rows set due_at = now() - interval '1 second' where state = 'waiting' and isfinite(due_at)`,
      ),
    )
  const work = async () => {
    for (let idle = 0; idle < 2; ) {
      await rested()
      const { did } = await actOnGroups()
      while ((await jobs.run()).did);
      idle = did ? 0 : idle + 1
    }
  }
  const rowsOf = async (id: string) => (await me.get(`/groupActs/${id}/rows`)).body.items
  const jobOf = async (id: string) => (await me.get(`/bulkJobs/${id}`)).body
  const act = async (act: object, more: object = {}) => {
    const ids = (await list()).map(({ id }) => id)
    return me.post('/groupActs', { act, ids, ...more })
  }
  return { ...tenant, connectionId, me, list, work, rested, due, rowsOf, jobOf, act }
}
const called = (act: GroupTarget['act']) =>
  groupAct.mock.calls.map(([target]) => target).filter((one) => one.act === act)

test('a connection that learns its number late knows then what it is in its groups', async () => {
  const { tenantId, connectionId, me, list } = await company(0)
  await withTenant(tenantId, (tx) =>
    tx.db.update(schema.connections).set({ account: null }).where(eq(schema.connections.id, connectionId)),
  )
  groups.mockResolvedValue([listed(1)])
  await me.post('/groups/refresh', { whatsappId: connectionId })
  expect(await list()).toMatchObject([{ name: 'Turma 1', ourRole: null }])
  const known = { number: ourNumber, name: 'Loja Aurora' }
  await keepStanding({ tenantId, id: connectionId }, { status: 'CONNECTED', text: '', account: known })
  expect(await list()).toMatchObject([{ name: 'Turma 1', ourRole: 'admin' }])
})

test('the list has the groups of all connections with what we are there; it is searched, narrowed and paged by key', async () => {
  const { me, list, connectionId, tenantId } = await company(3)
  groups.mockResolvedValue([
    listed(1),
    listed(2, { members: [member(ourNumber), member('5511911111111', true)], isAdminsOnly: true }),
  ])
  await me.post('/listGroup', { whatsappId: connectionId })
  expect(await list()).toMatchObject([
    { name: 'Turma 1', ourRole: 'admin', members: 3, connection: { id: connectionId, acts: expect.any(Array) } },
    { name: 'Turma 2', ourRole: 'member', members: 2, isAdminsOnly: true },
    { name: 'Turma 3' },
  ])
  expect((await list('isAdmin=true')).map(({ name }) => name)).toEqual(['Turma 1', 'Turma 3'])
  expect((await list('searchParam=turma 2')).map(({ name }) => name)).toEqual(['Turma 2'])
  const first = (await me.get('/groups?limit=2&count=true')).body
  expect(first).toMatchObject({ hasMore: true, count: 3 })
  expect((await me.get(`/groups?limit=2&cursor=${first.nextCursor}`)).body.items).toMatchObject([{ name: 'Turma 3' }])
  // Where only administrators write and we are none, nothing can be sent.
  const writable = await withTenant(tenantId, (tx) => writableGroups(tx, connectionId))
  expect(writable.map(({ name }) => name)).toEqual(['Turma 1', 'Turma 3'])
  expect((await me.post('/listGroupIds', { whatsappId: connectionId })).body.groupIds).toHaveLength(3)
  const stranger = await seedTenant()
  expect((await as(stranger.admin).get('/groups')).body.items).toEqual([])
  expect(await as(stranger.agent).get('/groups')).toMatchObject({ status: 403 })
})

test('groups stand as a person counts them, page by page, whatever their case and accents', async () => {
  const { me, list, connectionId } = await company(0)
  const names = ['Turma 10', 'turma 2', 'Álgebra', 'Zoologia', 'Turma 1', 'Turma 02 B', 'TURMA 100', 'Ábaco 7']
  groups.mockResolvedValue(names.map((name, n) => listed(n + 1, { name })))
  await me.post('/groups/refresh', { whatsappId: connectionId })
  const counted = ['Ábaco 7', 'Álgebra', 'Turma 1', 'turma 2', 'Turma 02 B', 'Turma 10', 'TURMA 100', 'Zoologia']
  expect((await list()).map(({ name }) => name)).toEqual(counted)
  const paged: string[] = []
  for (let next = ''; ; ) {
    const { items, nextCursor } = (await me.get(`/groups?limit=1${next && `&cursor=${next}`}`)).body
    paged.push(...items.map(({ name }: GroupRow) => name))
    if (!nextCursor) break
    next = nextCursor
  }
  expect(paged).toEqual(counted)
})

test('the list is a spreadsheet too, narrowed as it is on the screen', async () => {
  const { me, jobOf, admin, agent, supervisor, connectionId } = await company(0)
  groups.mockResolvedValue([
    listed(1, { description: 'Avisos; e dúvidas' }),
    listed(2, { members: [member(ourNumber), member('5511911111111', true)], isAdminsOnly: true }),
  ])
  await me.post('/groups/refresh', { whatsappId: connectionId })
  const exported = async (asked: object) => {
    const { status, body } = await me.post('/groups/export', asked)
    expect(status).toBe(202)
    const jobs = createJobs()
    await jobs.run()
    await vi.waitFor(async () => expect(await jobOf(body.id)).toMatchObject({ state: 'done' }))
    await jobs.finish()
    const headers = { authorization: `Bearer ${supervisor.token}` }
    const { payload } = await app.inject({ url: `/api/bulkJobs/${body.id}/result`, headers })
    return payload.trim().split('\r\n').slice(1)
  }
  expect(await exported({})).toEqual([
    expect.stringMatching(/^Turma 1;.*;3;Administrador;.*"Avisos; e dúvidas"/),
    expect.stringMatching(/^Turma 2;.*;2;Participante;Administradores;/),
  ])
  expect(await exported({ isAdmin: true, searchParam: 'turma', connectionIds: [connectionId] })).toHaveLength(1)
  expect(await exported({ searchParam: 'outra' })).toEqual([])
  expect((await as(agent).post('/groups/export', {})).status).toBe(403)
  expect((await as(admin).get('/audit?entity=group')).body.items).toHaveLength(3)
})

test('one act on many groups: one at a time with a rest, what became of each, and back again', async () => {
  const { list, work, rested, rowsOf, jobOf, act, me } = await company(3)
  profile.mockImplementation(async ({ to }) => ({ name: `Nome antigo ${to[0]?.value.slice(-1)}` }))
  const { status, body } = await act({ kind: 'title', title: 'Turma de 2027' })
  expect(status).toBe(202)
  await actOnGroups()
  await actOnGroups() // its rest is not over
  expect(called('title')).toHaveLength(1)
  await rested()
  await actOnGroups()
  expect(called('title')).toHaveLength(2)
  await work()
  expect(await jobOf(body.id)).toMatchObject({ state: 'done', done: 3, failed: 0, canUndo: true })
  expect(await rowsOf(body.id)).toMatchObject([{ state: 'done' }, { state: 'done' }, { state: 'done' }])
  expect((await list()).map(({ name }) => name)).toEqual(['Turma de 2027', 'Turma de 2027', 'Turma de 2027'])

  const undo = (await me.post(`/bulkJobs/${body.id}/undo`, {})).body
  await work()
  expect(await jobOf(undo.id)).toMatchObject({ kind: 'undoGroupAct', state: 'done', done: 3 })
  expect((await list()).map(({ name }) => name)).toEqual(['Nome antigo 1', 'Nome antigo 2', 'Nome antigo 3'])
  expect(await me.post(`/bulkJobs/${body.id}/undo`, {})).toMatchObject({ status: 409 })
})

test('two workers never do one group twice, nor two groups of one connection at once', async () => {
  const { act, rested, rowsOf, jobOf, work } = await company(4)
  const { body } = await act({ kind: 'description', description: 'Só avisos.' })
  for (let round = 1; round <= 4; round += 1) {
    await rested()
    await Promise.all([actOnGroups(), actOnGroups(), actOnGroups()])
    expect(called('description')).toHaveLength(round)
  }
  await work()
  expect(new Set(called('description').map((one) => 'to' in one && one.to[0]?.value)).size).toBe(4)
  expect(await rowsOf(body.id)).toHaveLength(4)
  expect(await jobOf(body.id)).toMatchObject({ state: 'done', done: 4 })
})

test('who lets nobody add them is invited, once; who is refused is told, and taking back removes whom it added', async () => {
  const { me, connectionId, list, work, rowsOf, jobOf, tenantId } = await company(1)
  const [group] = await list()
  const outcomes: Record<string, GroupOutcome['people']> = {
    add: [{ outcome: 'done' }, { outcome: 'closed' }, { outcome: 'refused', reason: 'Este número não tem WhatsApp.' }],
  }
  groupAct.mockImplementation(async (target) => {
    if (target.act === 'inviteLink') return { inviteUrl: 'https://chat.whatsapp.com/abc' }
    return {
      people:
        outcomes[target.act] ?? ('people' in target ? target.people.map(() => ({ outcome: 'done' as const })) : []),
    }
  })
  const numbers = ['11 93333-3333', '11944444444', '11955555555']
  const bad = await me.post('/addParticipantsToGroups', {
    whatsappId: connectionId,
    groupIds: [group?.groupId],
    numbers: ['123'],
  })
  expect(bad).toMatchObject({
    status: 422,
    body: { details: [{ path: 'act.numbers.0', message: expect.stringContaining('123') }] },
  })
  const { body } = await me.post('/addParticipantsToGroups', {
    whatsappId: connectionId,
    groupIds: [group?.groupId],
    numbers,
  })
  await work()
  expect(await rowsOf(body.id)).toMatchObject([
    {
      ...{ state: 'part', reason: 'Este número não tem WhatsApp.', inviteUrl: 'https://chat.whatsapp.com/abc' },
      people: [{ outcome: 'done' }, { number: '5511944444444', outcome: 'invited' }, { outcome: 'refused' }],
    },
  ])
  const messages = await withTenant(tenantId, (tx) => tx.db.select().from(schema.messages))
  expect(messages.filter(({ body: text }) => text.includes('https://chat.whatsapp.com/abc'))).toHaveLength(1)
  // Its channel tells of the same person by another name: before and after it is asked who is there, each counts once.
  await withTenant(tenantId, async (tx) => {
    const told = { members: [{ identities: [{ kind: 'lid' as const, value: '7788' }] as [Identity] }], at: new Date() }
    await changeMembers(tx, group?.groupId ?? '', { change: 'joined', ...told })
    await tx.db.execute(sql`update groups set ask_at = now() - interval '1 second' where ask_at is not null`)
  })
  expect((await list())[0]?.members).toBe(4)
  const lidOf = { kind: 'lid', value: '7788' } as const
  participants.mockResolvedValue([
    ...(listed(1).members ?? []),
    { ...member('5511933333333'), identities: [{ kind: 'phone', value: '5511933333333' }, lidOf] },
  ])
  await askNewGroups()
  expect((await list())[0]?.members).toBe(4)
  await me.post(`/bulkJobs/${body.id}/undo`, {})
  await work()
  expect(called('remove')).toMatchObject([{ people: [[{ kind: 'phone', value: '5511933333333' }, lidOf]] }])
  expect((await list())[0]?.members).toBe(3)
  expect((await jobOf(body.id)).canUndo).toBe(false)
})

test('who lets nobody add them is said to be invited only where the link goes out to them', async () => {
  const { work, rowsOf, act } = await company(1)
  groupAct.mockImplementation(async (target) => {
    if (target.act === 'inviteLink') return { inviteUrl: 'https://chat.whatsapp.com/abc' }
    return 'people' in target
      ? { people: target.people.map(() => ({ outcome: 'closed' as const, reason: 'Só por convite.' })) }
      : {}
  })
  const quiet = (await act({ kind: 'add', numbers: ['11944444444'], invites: false })).body
  await work()
  expect(await rowsOf(quiet.id)).toMatchObject([
    { state: 'failed', reason: 'Só por convite.', people: [{ outcome: 'refused' }] },
  ])
  const loud = (await act({ kind: 'add', numbers: ['11944444444'] })).body
  await work()
  expect(await rowsOf(loud.id)).toMatchObject([{ state: 'done', people: [{ outcome: 'invited' }] }])
})

test('a link that another one took the place of is not handed out any more', async () => {
  const { work, rowsOf, act } = await company(1)
  groupAct.mockResolvedValueOnce({ inviteUrl: 'https://chat.whatsapp.com/first' })
  const before = (await act({ kind: 'inviteLink' })).body
  await work()
  expect(await rowsOf(before.id)).toMatchObject([{ inviteUrl: 'https://chat.whatsapp.com/first', isLinkOld: false }])
  groupAct.mockResolvedValueOnce({ inviteUrl: 'https://chat.whatsapp.com/second' })
  const after = (await act({ kind: 'inviteLink', isRenewed: true })).body
  await work()
  expect(await rowsOf(before.id)).toMatchObject([{ state: 'done', inviteUrl: null, isLinkOld: true }])
  expect(await rowsOf(after.id)).toMatchObject([{ inviteUrl: 'https://chat.whatsapp.com/second', isLinkOld: false }])
})

test('refused, too fast, gone: each is told; what is paused waits and what is canceled is left', async () => {
  const { act, work, due, rested, rowsOf, jobOf, me, list } = await company(3)
  groupAct
    .mockRejectedValueOnce(new ChannelError('final', 'Só administradores do grupo podem fazer isto.'))
    .mockRejectedValueOnce(new ChannelError('retry', 'O WhatsApp pediu para esperar.', { retryAfterMs: 60_000 }))
    .mockRejectedValueOnce(new ChannelError('final', 'Este grupo não existe mais.', { isUnreachable: true }))
    .mockResolvedValue({})
  const { body } = await act({ kind: 'adminsOnly', isOn: true })
  await work()
  expect((await rowsOf(body.id)).map(({ state }: { state: string }) => state).toSorted()).toEqual([
    'failed',
    'failed',
    'waiting',
  ])
  expect(await jobOf(body.id)).toMatchObject({ state: 'running', failed: 2 })
  expect((await list('withLeft=true')).filter(({ leftAt }) => leftAt)).toHaveLength(1)
  expect(await list()).toHaveLength(2)

  await me.post(`/bulkJobs/${body.id}/pause`, {})
  await due()
  await rested()
  expect(await actOnGroups()).toMatchObject({ did: 0 })
  await me.post(`/bulkJobs/${body.id}/resume`, {})
  await work()
  expect(await jobOf(body.id)).toMatchObject({ state: 'done', done: 1, failed: 2 })
  expect((await me.get(`/bulkJobs/${body.id}/refusals`)).body).toHaveLength(2)

  const other = (await act({ kind: 'description', description: 'x' })).body
  await me.post(`/bulkJobs/${other.id}/cancel`, {})
  await work()
  expect(called('description')).toEqual([])
  expect((await rowsOf(other.id)).every(({ state }: { state: string }) => state === 'canceled')).toBe(true)
})

test('what was done in part says so, and is tried again where and with whom it was not done', async () => {
  const { work, rowsOf, jobOf, act, me, list } = await company(3)
  const final = (reason: string) => new ChannelError('final', reason)
  groupAct
    .mockRejectedValueOnce(final('Só administradores do grupo podem fazer isto.'))
    .mockResolvedValueOnce({ people: [{ outcome: 'done' }, { outcome: 'refused', reason: 'Não tem WhatsApp.' }] })
  const numbers = ['5511911111111', '5511922222222']
  const { body } = await act({ kind: 'remove', numbers })
  expect(body.canRetry).toBe(false)
  expect(await me.post(`/bulkJobs/${body.id}/retry`, {})).toMatchObject({ status: 409 })
  await work()
  expect((await rowsOf(body.id)).map(({ state }: { state: string }) => state)).toEqual(['failed', 'part', 'done'])
  expect(await jobOf(body.id)).toMatchObject({ state: 'done', done: 1, failed: 2, canRetry: true, canUndo: true })
  expect((await me.get(`/bulkJobs/${body.id}/refusals`)).body).toEqual(
    expect.arrayContaining([
      { reason: 'Em parte: Não tem WhatsApp.', count: 1, example: expect.stringContaining('Turma 2') },
      expect.objectContaining({ reason: 'Só administradores do grupo podem fazer isto.' }),
    ]),
  )

  groupAct.mockClear()
  const again = (await me.post(`/bulkJobs/${body.id}/retry`, {})).body
  expect(again).toMatchObject({ kind: 'groupAct', total: 2, subject: 'Remover pessoas' })
  expect(await me.post(`/bulkJobs/${body.id}/retry`, {})).toMatchObject({ status: 409 })
  expect((await jobOf(body.id)).canRetry).toBe(false)
  await work()
  expect(called('remove').map((one) => 'people' in one && one.people.length)).toEqual([2, 1])
  expect(await jobOf(again.id)).toMatchObject({ state: 'done', done: 2, failed: 0, canRetry: false })
  expect((await list()).map(({ members }) => members)).toEqual([1, 1, 1])
})

test('a group that may exist already is not made again; one that only lacks its description gets it', async () => {
  const { me, connectionId, work, rowsOf, jobOf } = await company(0)
  let count = 0
  groupAct.mockImplementation(async (target) => {
    if (target.act !== 'create') throw new ChannelError('final', 'Descrição recusada.')
    count += 1
    if (count === 2) throw new ChannelError('uncertain', 'O provedor não confirmou.')
    return { group: { kind: 'group', value: `88800${count}` } }
  })
  const asked = { whatsappId: connectionId, title: 'Turma', numbers: ['11933333333'] }
  const { body } = await me.post('/createGroups', { ...asked, description: 'Avisos', quantity: 2 })
  await work()
  expect(await jobOf(body.id)).toMatchObject({ done: 0, failed: 2, canRetry: true })
  groupAct.mockReset().mockResolvedValue({})
  const again = (await me.post(`/bulkJobs/${body.id}/retry`, {})).body
  await work()
  expect(await rowsOf(again.id)).toMatchObject([{ name: 'Turma 1', state: 'done' }])
  expect(groupAct.mock.calls.map(([target]) => target)).toMatchObject([{ act: 'description', description: 'Avisos' }])

  groupAct.mockReset().mockRejectedValue(new ChannelError('uncertain', 'O provedor não confirmou.'))
  const other = (await me.post('/createGroups', asked)).body
  await work()
  const refused = await me.post(`/bulkJobs/${other.id}/retry`, {})
  expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('Confira') } })
})

test('what ends after the job was canceled is counted, and can be taken back', async () => {
  const { act, rested, work, rowsOf, jobOf, me } = await company(3)
  const { body } = await act({ kind: 'title', title: 'Outra' })
  let answer = (_: GroupOutcome) => {}
  groupAct.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)))
  const acting = actOnGroups()
  await vi.waitFor(() => expect(groupAct).toHaveBeenCalledTimes(1))
  await me.post(`/bulkJobs/${body.id}/cancel`, {})
  answer({})
  await acting
  await rested()
  await work()
  const states = (await rowsOf(body.id)).map(({ state }: { state: string }) => state)
  expect(states).toEqual(['done', 'canceled', 'canceled'])
  expect(await jobOf(body.id)).toMatchObject({ state: 'canceled', done: 1, failed: 0, canUndo: true })
  const undo = (await me.post(`/bulkJobs/${body.id}/undo`, {})).body
  await work()
  expect(await jobOf(undo.id)).toMatchObject({ state: 'done', done: 1 })
})

test('a connection that is out waits with all its groups, however long, and goes on', async () => {
  const { act, work, due, rested, rowsOf, jobOf, tenantId, connectionId } = await company(2)
  const out = new ChannelError('final', 'O aparelho foi desconectado.', { isConnectionBroken: true })
  groupAct.mockRejectedValue(out)
  const { body } = await act({ kind: 'title', title: 'Outra' })
  const status = (given: 'ERROR' | 'CONNECTED') =>
    withTenant(tenantId, (tx) =>
      tx.db.update(schema.connections).set({ status: given }).where(eq(schema.connections.id, connectionId)),
    )
  await work()
  expect(await rowsOf(body.id)).toMatchObject([
    { state: 'waiting', reason: 'O aparelho foi desconectado.' },
    { state: 'waiting', reason: 'O aparelho foi desconectado.' },
  ])
  await status('ERROR')
  groupAct.mockRejectedValue(new ChannelError('retry', 'O WhatsApp está reconectando.'))
  for (let round = 1; round <= 8; round += 1) {
    await due()
    await rested()
    await actOnGroups()
  }
  expect(await jobOf(body.id)).toMatchObject({ failed: 0, done: 0 })
  await status('CONNECTED')
  groupAct.mockReset().mockResolvedValue({})
  await due()
  await work()
  expect(await jobOf(body.id)).toMatchObject({ state: 'done', done: 2, failed: 0 })
})

test('who did not come into a new group is told, with its link, and is added when it is tried again', async () => {
  const { me, connectionId, work, rowsOf, jobOf } = await company(0)
  groupAct.mockImplementation(async (target) => {
    if (target.act === 'create') return { group: { kind: 'group', value: '777001' } }
    if (target.act === 'inviteLink') return { inviteUrl: 'https://chat.whatsapp.com/xyz' }
    return 'people' in target ? { people: target.people.map(() => ({ outcome: 'done' as const })) } : {}
  })
  participants.mockResolvedValue([member(ourNumber, true), member('5511933333333')])
  const numbers = ['11933333333', '11944444444']
  const { body } = await me.post('/createGroups', { whatsappId: connectionId, title: 'Turma', numbers })
  await work()
  expect(await rowsOf(body.id)).toMatchObject([
    {
      ...{ state: 'part', reason: 'O grupo foi criado sem 1 pessoa.', inviteUrl: 'https://chat.whatsapp.com/xyz' },
      people: [{ outcome: 'done' }, { number: '5511944444444', outcome: 'refused' }],
    },
  ])
  const again = (await me.post(`/bulkJobs/${body.id}/retry`, {})).body
  await work()
  expect(await jobOf(again.id)).toMatchObject({ state: 'done', done: 1 })
  expect(called('add')).toMatchObject([{ people: [[{ kind: 'phone', value: '5511944444444' }]] }])
  expect(called('create')).toHaveLength(1)
})

test('a process that died in the middle: what is harmless is done again, a group that may exist is not made twice', async () => {
  const tenant = await company(1)
  const { act, me, connectionId, rested, rowsOf, work } = tenant
  const { body } = await act({ kind: 'title', title: 'Outra' })
  const made = (await me.post('/createGroups', { whatsappId: connectionId, title: 'Nova', numbers: ['11933333333'] }))
    .body
  const dying = new Promise<never>(() => {})
  groupAct.mockReturnValueOnce(dying)
  void actOnGroups()
  await vi.waitFor(() => expect(groupAct).toHaveBeenCalledTimes(1))
  await rested()
  groupAct.mockReturnValueOnce(dying)
  void actOnGroups()
  await vi.waitFor(() => expect(groupAct).toHaveBeenCalledTimes(2))
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.execute(sql`update group_act_rows set claimed_at = now() - interval '5 minutes' where state = 'doing'`),
  )
  groupAct.mockResolvedValue({})
  await work()
  expect(await rowsOf(body.id)).toMatchObject([{ state: 'done' }])
  expect(await rowsOf(made.id)).toMatchObject([{ state: 'failed', reason: expect.stringContaining('Não sabemos') }])
  expect(called('create')).toHaveLength(1)
})

test('groups are made in bulk, numbered, and are in the list; an answer that never came is not asked for again', async () => {
  const { me, connectionId, list, work, rowsOf } = await company(0)
  let count = 0
  groupAct.mockImplementation(async (target) => {
    if (target.act !== 'create') return {}
    count += 1
    if (count === 2) throw new ChannelError('uncertain', 'O provedor não confirmou.')
    return { group: { kind: 'group', value: `99900${count}` } }
  })
  const asked = {
    whatsappId: connectionId,
    title: 'Turma',
    description: 'Avisos',
    numbers: ['11933333333'],
    quantity: 3,
  }
  const { body } = await me.post('/createGroups', asked)
  await work()
  expect(count).toBe(3)
  expect(await rowsOf(body.id)).toMatchObject([
    { name: 'Turma 1', state: 'done' },
    { name: 'Turma 2', state: 'failed', reason: expect.stringContaining('Confira') },
    { name: 'Turma 3', state: 'done' },
  ])
  expect((await list()).map(({ name }) => name)).toEqual(['Turma 1', 'Turma 3'])
  expect(called('description')).toHaveLength(2)
  // Who is in them is known without anybody asking, and what we are there.
  participants.mockResolvedValue([member(ourNumber, true), member('5511933333333')])
  await askNewGroups()
  expect((await list('isAdmin=true')).map(({ name, members }) => [name, members])).toEqual([
    ['Turma 1', 2],
    ['Turma 3', 2],
  ])
})

test('a channel that cannot says so before anything is on the list', async () => {
  const { tenantId, connectionId, act, list } = await company(1)
  await withTenant(tenantId, (tx) =>
    tx.db.execute(
      sql`update connections set abilities = jsonb_set(abilities, '{groupActs}', '["title"]') where id = ${connectionId}`,
    ),
  )
  forgetConnections()
  expect((await list())[0]?.connection.acts).toEqual(['title'])
  expect(await act({ kind: 'description', description: 'x' })).toMatchObject({
    body: { error: 'ERR_CHANNEL_UNSUPPORTED' },
  })
  expect(await act({ kind: 'title', title: '' })).toMatchObject({ status: 422 })
})

test('a message is scheduled to many groups in one call, once however often it is sent', async () => {
  const { me, list, admin } = await company(3)
  const groups = await list()
  const scheduleDate = new Date(Date.now() + 3_600_000).toISOString()
  const asked = { id: v7(), ids: groups.slice(0, 2).map(({ id }) => id), body: 'Aula amanhã às 9 h', scheduleDate }
  expect(await me.post('/groups/schedule', asked)).toMatchObject({ status: 201, body: { scheduled: 2 } })
  expect((await me.post('/groups/schedule', asked)).body).toEqual({ scheduled: 2 })
  const waiting = async () => (await me.get('/scheduleMessages?state=pending')).body.items
  expect((await waiting()).map((one: { contact: { id: string } }) => one.contact.id).sort()).toEqual(
    groups
      .slice(0, 2)
      .map(({ groupId }) => groupId)
      .sort(),
  )
  const all = { searchParam: '', connectionIds: [], isAdmin: false }
  expect((await me.post('/groups/schedule', { all, body: 'A todos', scheduleDate })).body).toEqual({ scheduled: 3 })
  expect(await waiting()).toHaveLength(5)
  expect((await me.post('/groups/schedule', { ids: [], body: 'A ninguém', scheduleDate })).status).toBe(422)
  expect((await me.post('/groups/schedule', { ...asked, id: v7(), body: '' })).body.details[0].path).toBe('body')
  const { body } = await as(admin).get('/audit?entity=schedule')
  expect(body.items).toHaveLength(5)
})

test('groups of a pasted list are made with a picture; what is wrong with a name is told', async () => {
  const { tenantId, me, connectionId, work, rowsOf, supervisor } = await company(0)
  let count = 0
  groupAct.mockImplementation(async ({ act }) => {
    if (act === 'picture' && count === 2) throw new ChannelError('final', 'Foto recusada.')
    if (act !== 'create') return {}
    count += 1
    return { group: { kind: 'group', value: `88800${count}` } }
  })
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const file = { tenantId, userId: supervisor.id, name: 'turma.png', bytes: Buffer.from(png, 'base64') }
  const { id: mediaId } = await storeFile(file)
  const asked = {
    whatsappId: connectionId,
    numbers: ['11 93333-3333'],
    mediaId,
    titles: ['Turma da manhã', ' Turma da noite '],
  }
  const { status, body } = await me.post('/createGroups', asked)
  expect(status).toBe(202)
  expect(body.subject).toBe('Criar grupos · Turma da manhã a Turma da noite')
  await work()
  expect(await rowsOf(body.id)).toMatchObject([
    { name: 'Turma da manhã', state: 'done' },
    { name: 'Turma da noite', state: 'part', reason: 'O grupo foi criado sem a foto: Foto recusada.' },
  ])
  expect(called('picture')).toMatchObject([{ to: [{ value: '888001' }] }, { to: [{ value: '888002' }] }])
  const wrong = async (more: object) => (await me.post('/createGroups', { ...asked, ...more })).body.details
  expect(await wrong({ titles: ['Turma A', 'turma a'] })).toEqual([
    { path: 'title', message: 'O nome “turma a” aparece duas vezes.' },
  ])
  expect(await wrong({ titles: ['Turma A', 'x'.repeat(101)] })).toMatchObject([{ path: 'title' }])
  expect(await wrong({ titles: [] })).toEqual([{ path: 'title', message: 'Escreva o nome.' }])
  expect(await wrong({ titles: Array.from({ length: 201 }, (_, n) => `T${n}`) })).toMatchObject([{ path: 'title' }])
})

test('many groups are numbered by one name in the order of the list; what stands for nothing is refused', async () => {
  const { act, work, list, me } = await company(11)
  const { body } = await act({ kind: 'title', title: 'Aula {{numero}}' })
  await work()
  expect((await me.get(`/bulkJobs/${body.id}`)).body).toMatchObject({ state: 'done', done: 11 })
  expect((await list()).map(({ name }) => name)).toEqual(
    Array.from({ length: 11 }, (_, n) => `Aula ${String(n + 1).padStart(2, '0')}`),
  )
  expect((await act({ kind: 'title', title: 'Aula {{group}}' })).body.details[0].message).toContain('{{group}}')
  expect((await act({ kind: 'remove', numbers: ['11 9876', '11922222222', ''] })).body.details).toEqual([
    { path: 'act.numbers.0', message: '“11 9876” não é um telefone: informe DDD e número.' },
    { path: 'act.numbers.2', message: '“” não é um telefone: informe DDD e número.' },
  ])
  expect((await act({ kind: 'add', numbers: ['11922222222', 'Zé'] })).body.details[0].message).toContain('“Zé”')
})

test('a group that two of our numbers are in hears a scheduled message once, from the one that may write there', async () => {
  const tenant = await company(1)
  const { me, list, connectionId } = tenant
  const second = await createConnection(tenant, {
    kind: 'evolution',
    config: { baseUrl: 'https://evolution.test', apiKey: 'chave-da-instancia', instanceName: 'filial' },
  })
  const quiet = [member('5511911111111', true)]
  groups.mockResolvedValue([listed(1, { isAdminsOnly: true, members: [...quiet, member(ourNumber)] })])
  await me.post('/groups/refresh', { whatsappId: connectionId })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .update(schema.connections)
      .set({ account: { number: '5511900000009', name: 'Filial' } })
      .where(eq(schema.connections.id, second)),
  )
  forgetConnections()
  groups.mockResolvedValue([
    listed(1, { isAdminsOnly: true, members: [...quiet, member(ourNumber), member('5511900000009', true)] }),
  ])
  await me.post('/groups/refresh', { whatsappId: second })
  const ids = (await list()).map(({ id }) => id)
  expect(ids).toHaveLength(2)
  const scheduleDate = new Date(Date.now() + 3_600_000).toISOString()
  expect((await me.post('/groups/schedule', { ids, body: 'Uma vez só', scheduleDate })).body).toEqual({ scheduled: 1 })
  expect((await me.get('/scheduleMessages?state=pending')).body.items).toMatchObject([{ connection: { id: second } }])
})

test('what was scheduled to many groups is changed and taken back in all of them, or in one alone', async () => {
  const { me, list, admin, agent } = await company(4)
  const ids = (await list()).map(({ id }) => id)
  const scheduleDate = new Date(Date.now() + 3_600_000).toISOString()
  await me.post('/groups/schedule', { ids, body: 'Aula às 9 h', scheduleDate })
  await as(admin).post('/groups/schedule', { ids, body: 'De outra pessoa', scheduleDate })
  const mine = async (): Promise<Schedule[]> =>
    (await me.get('/scheduleMessages?limit=50')).body.items.filter((one: Schedule) => one.body !== 'De outra pessoa')
  const [first, second, third] = await mine()
  const at = (one?: Schedule) => `/scheduleMessages/${one?.id}`
  expect((await me.get(`${at(first)}/same`)).body).toEqual({ count: 3 })
  expect((await me.put(at(first), { body: 'Só nesta', version: 1 })).status).toBe(200)
  expect((await me.put(at(second), { body: 'Aula às 10 h', alsoSame: true, version: 1 })).body.body).toBe(
    'Aula às 10 h',
  )
  expect((await mine()).map(({ body, version }) => [body, version])).toEqual(
    Array(4).fill(['Aula às 10 h', expect.any(Number)]),
  )
  // One that was moved is on its own from then on.
  await me.put(at(third), { scheduleDate: new Date(Date.now() + 7_200_000).toISOString() })
  expect((await me.get(`${at(first)}/same`)).body).toEqual({ count: 2 })
  expect((await me.delete(`${at(first)}?alsoSame=true`)).body.state).toBe('canceled')
  expect((await mine()).map(({ state }) => state).sort()).toEqual(['canceled', 'canceled', 'canceled', 'pending'])
  expect((await me.get(`${at(third)}/same`)).body).toEqual({ count: 0 })
  const canceled = (await as(admin).get('/audit?entity=schedule')).body.items
  expect(canceled.filter(({ action }: { action: string }) => action === 'schedule.canceled')).toHaveLength(3)
  expect((await me.get('/scheduleMessages?state=pending&limit=50')).body.items).toHaveLength(5)
  expect((await as(agent).get(`${at(third)}/same`)).status).toBe(200)
})

test('of a message to many groups, each says why it did not go: we left it, only administrators write, its channel is gone', async () => {
  const { tenantId, connectionId, me, list } = await company(4)
  const rows = await list()
  const ids = rows.map(({ id }) => id)
  await me.post('/groups/schedule', {
    ids,
    body: 'Aula às 9 h',
    scheduleDate: new Date(Date.now() + 60_000).toISOString(),
  })
  const inTenant = (statement: ReturnType<typeof sql>) => withTenant(tenantId, (tx) => tx.db.execute(statement))
  await inTenant(sql`update connection_groups set left_at = now() where id = ${ids[0]}`)
  await inTenant(sql`update connection_groups set is_admins_only = true, our_role = 'member' where id = ${ids[1]}`)
  const due = sql`due_at = now() - interval '1 second', attempt_at = now() - interval '1 second'`
  await inTenant(sql`update schedules set ${due} where contact_id <> ${rows[3]?.groupId}`)
  await writeAllDue()
  const outcomes = async (): Promise<[string, string, string | null][]> => {
    const { items } = (await me.get('/scheduleMessages?limit=50')).body
    return items.map(({ contact, state, error }: Schedule) => [contact.name, state, error]).sort()
  }
  expect(await outcomes()).toEqual([
    ['Turma 1', 'failed', 'Este número não está mais no grupo.'],
    ['Turma 2', 'failed', 'Só administradores escrevem neste grupo, e este número não é um deles.'],
    ['Turma 3', 'sending', null],
    ['Turma 4', 'pending', null],
  ])
  // Nobody wrote to us: nobody waits, and nobody of the team is told.
  const opened = await withTenant(tenantId, (tx) => tx.db.select().from(schema.tickets))
  expect(opened).toMatchObject([{ status: 'open', userId: null, unreadMessages: 0, waitingSince: null }])
  await inTenant(sql`update connections set deleted_at = now() where id = ${connectionId}`)
  forgetConnections()
  await inTenant(sql`update schedules set ${due} where state = 'pending'`)
  await writeAllDue()
  expect((await outcomes())[3]).toEqual(['Turma 4', 'failed', 'O canal desta mensagem foi excluído.'])
})

/** So many telephones, each another. */
const phones = (count: number) => Array.from({ length: count }, (_, n) => `55119${String(60_000_000 + n)}`)

test('a list of thousands goes out in parts that one call takes, each with what became of its people', async () => {
  const { act, work, rowsOf, jobOf, me, list } = await company(2)
  groupAct.mockImplementation(async (target) => ({
    people: 'people' in target ? target.people.map((_, at) => ({ outcome: at ? 'done' : 'already' })) : [],
  }))
  const before = statementCount()
  const { status, body } = await act({ kind: 'add', numbers: [...phones(1_023), ...phones(3)] })
  expect([status, body.total, body.isInParts]).toEqual([202, 22, true])
  expect(statementCount() - before).toBeLessThan(40)
  await work()
  const sizes = called('add').map((one) => 'people' in one && one.people.length)
  expect(sizes).toEqual([...Array(2)].flatMap(() => [...Array(10).fill(100), 23]))
  const rows = await rowsOf(body.id)
  expect(rows.slice(0, 2)).toMatchObject([
    { name: 'Turma 1', state: 'done', part: { from: 1, to: 100, of: 1_023 } },
    { name: 'Turma 1', state: 'done', part: { from: 101, to: 200, of: 1_023 } },
  ])
  expect(rows.at(-1)).toMatchObject({ name: 'Turma 2', part: { from: 1_001, to: 1_023, of: 1_023 } })
  expect(rows[0].people).toHaveLength(100)
  expect(await jobOf(body.id)).toMatchObject({ state: 'done', done: 22, failed: 0, canUndo: true })

  // Five thousand find no place in one group, but may be taken out of one.
  expect(await act({ kind: 'add', numbers: phones(5_000) })).toMatchObject({
    status: 422,
    body: {
      details: [{ path: 'act.numbers', message: expect.stringMatching(/^São 5\.000 pessoas, e um grupo leva no/) }],
    },
  })
  const [first] = await list()
  const out = await me.post('/groupActs', { act: { kind: 'remove', numbers: phones(5_000) }, ids: [first?.id] })
  expect([out.status, out.body.total]).toEqual([202, 50])
  expect((await act({ kind: 'remove', numbers: phones(20_001) })).status).toBe(422)
})

test('whoever finds no place in a new group is in the next; those one call does not take are added once it is there', async () => {
  const { me, connectionId, work, rowsOf, jobOf } = await company(0)
  let count = 0
  groupAct.mockImplementation(async (target) => {
    if (target.act !== 'create')
      return { people: 'people' in target ? target.people.map(() => ({ outcome: 'done' as const })) : [] }
    count += 1
    if (count === 2) throw new ChannelError('final', 'O WhatsApp não deixou criar.')
    return { group: { kind: 'group', value: `77700${count}` } }
  })
  const asked = { whatsappId: connectionId, title: 'Bairro', numbers: phones(2_500) }
  const before = statementCount()
  const { status, body } = await me.post('/createGroups', asked)
  expect([status, body.subject]).toEqual([202, 'Criar grupos · Bairro 1 a Bairro 3'])
  expect(statementCount() - before).toBeLessThan(40)
  await work()
  const made = called('create').map((one) => 'people' in one && one.people.length)
  expect(made).toEqual([100, 100, 100])
  const added = Map.groupBy(called('add'), (one) => ('to' in one ? one.to[0]?.value : ''))
  const people = (value: string) =>
    added.get(value)?.reduce((sum, one) => sum + ('people' in one ? one.people.length : 0), 0)
  expect([...added.keys()]).toEqual(['777001', '777003'])
  expect([people('777001'), people('777003')]).toEqual([923, 354])
  const rows = await rowsOf(body.id)
  expect(rows.find(({ name }: { name: string }) => name === 'Bairro 1')).toMatchObject({
    ...{ state: 'done', part: { from: 1, to: 100, of: 1_023 } },
  })
  const lost = rows.filter(({ name }: { name: string }) => name === 'Bairro 2')
  expect(lost).toHaveLength(11)
  expect(lost.map(({ reason }: { reason: string }) => reason)).toEqual([
    'O WhatsApp não deixou criar.',
    ...Array(10).fill('Ninguém desta parte foi adicionado: não há o grupo.'),
  ])
  expect(await jobOf(body.id)).toMatchObject({ state: 'done', done: 16, failed: 11, canRetry: true })

  groupAct.mockClear()
  const again = (await me.post(`/bulkJobs/${body.id}/retry`, {})).body
  expect(again).toMatchObject({ total: 11, isInParts: true })
  await work()
  expect(called('create')).toHaveLength(1)
  const late = called('add').map((one) => ('to' in one ? one.to[0]?.value : ''))
  expect(late).toEqual(Array(10).fill('777004'))
  expect(await jobOf(again.id)).toMatchObject({ done: 11, failed: 0 })

  const tooMany = await me.post('/createGroups', { ...asked, quantity: 70 })
  expect(tooMany.body.details).toMatchObject([{ path: 'numbers', message: expect.stringContaining('210 grupos') }])
})

test('a process that dies while it makes a group leaves nobody waiting for it, and what is canceled adds nobody', async () => {
  const { tenantId, me, connectionId, rested, work, rowsOf, jobOf } = await company(0)
  const asked = { whatsappId: connectionId, title: 'Bairro', numbers: phones(250) }
  const states = async (id: string) => (await rowsOf(id)).map(({ state }: { state: string }) => state)
  const { body } = await me.post('/createGroups', asked)
  await withTenant(tenantId, (tx) =>
    tx.db.execute(sql`update group_act_rows set state = 'doing', claimed_at = now() - interval '1 hour'
      where act->>'kind' = 'create'`),
  )
  await rested()
  await work()
  expect(await states(body.id)).toEqual(['failed', 'failed', 'failed'])
  expect(await jobOf(body.id)).toMatchObject({ state: 'done', failed: 3 })
  expect(groupAct).not.toHaveBeenCalled()

  const other = (await me.post('/createGroups', asked)).body
  await me.post(`/bulkJobs/${other.id}/cancel`, {})
  await work()
  expect(await states(other.id)).toEqual(['canceled', 'canceled', 'canceled'])
})
