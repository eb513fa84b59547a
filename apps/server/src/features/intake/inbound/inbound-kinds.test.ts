import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { restoreAfter } from '../../../../test/restore.ts'
import type { InboundEvent, Sender } from '../../../channels/adapter.ts'

const kit = await startTestApp()
const { as, seedTenant, createConnection, createContact, withTenant, schema } = kit
const { loadAdapter } = await import('../../../channels/index.ts')
const { ingest, settleInbound } = await import('./inbound.service.ts')
const { onSignal } = await import('../../../kit/signals/signals.ts')
const { forgetConnections } = await import('../../channels/connections/context.ts')
const { createSender } = await import('../../conversations/messages/sender.ts')
const { hasConsent } = await import('../../contacts/consent/consent.ts')

const telegram = await loadAdapter('telegram')
restoreAfter(telegram)

let people = 5_000
const seed = async (options: Record<string, unknown> = {}, settings = {}) => {
  const tenant = await seedTenant({ queues: ['Vendas'], settings })
  const connectionId = await createConnection(tenant, {
    kind: 'telegram',
    config: { botToken: '7000000001:AAtoken-de-teste-0123456789' },
  })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.connections).set({ options }).where(eq(schema.connections.id, connectionId)),
  )
  forgetConnections()
  const hear = async (...events: InboundEvent[]) => {
    for (const event of events) await ingest(tenant.tenantId, connectionId, [event])
    await settleInbound()
  }
  people += 1
  const ana: Sender = { identities: [{ kind: 'telegram', value: String(people) }], name: 'Ana' }
  const group: Sender = { identities: [{ kind: 'telegram', value: `-${people}` }], name: 'Família', isGroup: true }
  const say = (body: string, more: Partial<Extract<InboundEvent, { kind: 'message' }>> = {}) =>
    hear({
      kind: 'message',
      providerId: `${people}:${body}`,
      from: ana,
      fromMe: false,
      timestamp: new Date(),
      content: { type: 'text', body },
      ...more,
    })
  const messages = () =>
    withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.messages).orderBy(schema.messages.seq))
  const said = async () => (await messages()).map(({ body }) => body)
  const contacts = () => withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.contacts))
  return { tenant, connectionId, hear, ana, group, say, messages, said, contacts }
}
const at = (seconds = 0) => new Date(Date.now() + seconds * 1_000)

test('who called and was not answered waits like who wrote, and is told so; told again it is one call', async () => {
  const { hear, ana, messages, tenant } = await seed({ callAnswer: 'Não atendemos ligações. Escreva para nós.' })
  const call = {
    kind: 'call',
    providerId: 'c1',
    from: ana,
    fromMe: false,
    isVideo: false,
    state: 'missed',
    at: at(),
  } as const
  await hear(call, call)
  const [missed, answer, ...others] = await messages()
  expect(missed).toMatchObject({ body: 'Ligação de voz não atendida.', payload: { call: { isVideo: false } } })
  expect(answer).toMatchObject({ fromMe: true, body: 'Não atendemos ligações. Escreva para nós.' })
  expect(others).toEqual([])
  const tickets = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.tickets))
  expect(tickets).toMatchObject([{ status: 'pending', unreadMessages: 1, answered: false }])
})

test('a ringing call is turned down only where the connection or its company says so, while it still rings', async () => {
  const rejectCall = vi.fn(async () => {})
  Object.assign(telegram, { rejectCall })
  const ringing = { kind: 'call', providerId: 'c2', fromMe: false, isVideo: true, state: 'ringing', at: at() } as const
  const open = await seed()
  await open.hear({ ...ringing, from: open.ana })
  expect(rejectCall).not.toHaveBeenCalled()
  const closed = await seed({ rejectCalls: true })
  await closed.hear({ ...ringing, from: closed.ana, at: at(-300) })
  expect(rejectCall).not.toHaveBeenCalled()
  await closed.hear({ ...ringing, from: closed.ana })
  expect(rejectCall).toHaveBeenCalledWith({ providerId: 'c2', to: closed.ana.identities }, expect.anything())
  const company = await seed({}, { rejectCalls: true })
  await company.hear({ ...ringing, from: company.ana })
  expect(rejectCall).toHaveBeenCalledWith({ providerId: 'c2', to: company.ana.identities }, expect.anything())
})

test('who rings without end keeps nobody’s message waiting, is turned down a few at a time and answered once (T63)', async () => {
  const rejectCall = vi.fn(() => new Promise<void>(() => {})) // a provider that does not answer
  Object.assign(telegram, { rejectCall })
  const { hear, say, ana, said } = await seed({ rejectCalls: true, callAnswer: 'Escreva para nós.' })
  const call = (n: number, state: 'ringing' | 'missed'): InboundEvent => ({
    ...{ kind: 'call', providerId: `flood-${n}`, from: ana, fromMe: false, isVideo: false, state, at: at() },
  })
  for (let n = 0; n < 30; n += 1) await hear(call(n, 'ringing'), call(n, 'missed'))
  // What rings after it has ended changes nothing.
  await hear(call(0, 'ringing'))
  await say('Alguém aí?')
  expect(rejectCall).toHaveBeenCalledTimes(10)
  const words = await said()
  expect(words.filter((body) => body === 'Ligação de voz não atendida.')).toHaveLength(30)
  expect(words.filter((body) => body === 'Escreva para nós.').length).toBeLessThanOrEqual(2)
  expect(words.at(-1)).toBe('Alguém aí?')
})

test('a call that was held is one line of the conversation that is going on', async () => {
  const { hear, say, ana, messages } = await seed()
  const ended = {
    kind: 'call',
    providerId: 'c3',
    from: ana,
    fromMe: true,
    isVideo: false,
    state: 'ended',
    at: at(),
  } as const
  await hear({ ...ended, seconds: 75 }) // nobody is in conversation: nothing to note
  expect(await messages()).toEqual([])
  await say('Oi')
  await hear({ ...ended, seconds: 75 }, { ...ended, seconds: 75 })
  expect(await messages()).toMatchObject([
    { body: 'Oi' },
    { type: 'system', body: 'Ligação de voz: durou 1 min 15 s.' },
  ])
})

test('who comes, goes and gets a part in a group is a line; its new name is its name, and an older one stays away', async () => {
  const { hear, group, say, said, contacts } = await seed()
  const told = (
    change: 'joined' | 'left' | 'promoted' | 'subject' | 'picture',
    n: number,
    more: object = {},
  ): InboundEvent => ({
    kind: 'group',
    providerId: `g${n}`,
    group,
    change,
    members:
      change === 'subject' || change === 'picture'
        ? []
        : [{ identities: [{ kind: 'telegram', value: '9' }], name: 'Rui' }],
    at: at(n),
    ...more,
  })
  await hear(told('joined', 1)) // of a group nobody has written in
  expect(await contacts()).toEqual([])
  await say('Oi, gente', { from: group, author: { identities: [{ kind: 'telegram', value: '9' }], name: 'Rui' } })
  const all = [
    told('joined', 2),
    told('promoted', 3),
    told('subject', 5, { subject: 'Clientes' }),
    told('subject', 4, { subject: 'Velho' }),
    told('left', 6),
    told('picture', 7),
  ]
  await hear(...all)
  await hear(...all) // a day told again
  expect(await said()).toEqual([
    'Oi, gente',
    'Rui entrou no grupo.',
    'Rui agora administra o grupo.',
    'O grupo agora se chama Clientes.',
    'O grupo agora se chama Velho.',
    'Rui saiu do grupo.',
    'A foto do grupo mudou.',
  ])
  expect((await contacts()).find(({ isGroup }) => isGroup)?.name).toBe('Clientes')
})

test('what one member of a group said is found without a word; other groups’ members are nobody here', async () => {
  const { tenant, say, group, messages } = await seed()
  const rui = { identities: [{ kind: 'telegram', value: '71' }], name: 'Rui' } as const
  const lia = { identities: [{ kind: 'telegram', value: '72' }], name: 'Lia' } as const
  await say('um', { from: group, author: { ...rui, identities: [...rui.identities] } })
  await say('dois', { from: group, author: { ...lia, identities: [...lia.identities] } })
  await say('três', { from: group, author: { ...rui, identities: [...rui.identities] } })
  const [first] = await messages()
  const { body: speakers } = await as(tenant.admin).get(`/messages/${first?.ticketId}/speakers`)
  expect(speakers.items.map(({ name }: { name: string }) => name)).toEqual(['Lia', 'Rui'])
  const [, theirs] = speakers.items
  const { body: found } = await as(tenant.admin).get(`/searchMessage?ticketId=${first?.ticketId}&authorId=${theirs.id}`)
  expect(found.items).toMatchObject([
    { body: 'três', author: { name: 'Rui' } },
    { body: 'um', author: { name: 'Rui' } },
  ])
  expect(await as(tenant.admin).get(`/searchMessage?authorId=${theirs.id}`)).toMatchObject({ status: 422 })
  const stranger = await seedTenant()
  expect((await as(stranger.admin).get(`/messages/${first?.ticketId}/speakers`)).status).toBe(404)
})

test('typing is told to who looks at the conversation', async () => {
  const { hear, say, ana } = await seed()
  const told: boolean[] = []
  const end = onSignal('contact.typing', ({ isTyping }) => told.push(isTyping))
  await hear({ kind: 'typing', from: ana, isTyping: true })
  expect(told).toEqual([])
  await say('Oi')
  await hear({ kind: 'typing', from: ana, isTyping: true }, { kind: 'typing', from: ana, isTyping: false })
  expect(told).toEqual([true, false])
  end()
})

test('old conversations are kept for as many days as the connection asks, silently, and only once', async () => {
  const old = (days: number, ana: Sender) => ({
    providerId: `old-${days}`,
    from: ana,
    fromMe: days === 3,
    timestamp: at(-days * 86_400),
    content: { type: 'text' as const, body: `há ${days} dias` },
  })
  const without = await seed()
  await without.hear({ kind: 'history', messages: [old(2, without.ana)] })
  expect(await without.messages()).toEqual([])
  const { hear, ana, messages, tenant } = await seed({
    importFrom: at(-7 * 86_400)
      .toISOString()
      .slice(0, 10),
  })
  const history = { kind: 'history' as const, messages: [old(2, ana), old(30, ana), old(3, ana)] }
  await hear({ ...history, percent: 40 })
  const shown = async () => (await as(tenant.admin).get('/whatsapp')).body.items[0].imported
  expect(await shown()).toEqual({ state: 'running', percent: 40, messages: 2 })
  await hear(history, history)
  expect(await shown()).toEqual({ state: 'done', percent: 100, messages: 2 })
  expect(await messages()).toMatchObject([
    { body: 'há 3 dias', fromMe: true, sendType: 'sync' },
    { body: 'há 2 dias', fromMe: false },
  ])
  const tickets = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.tickets))
  expect(tickets).toMatchObject([{ status: 'closed', unreadMessages: 0 }])
})

test('an import that is cancelled takes no more; other settings begin it anew', async () => {
  const importFrom = '2020-01-01'
  const { hear, ana, messages, tenant, connectionId } = await seed({ importFrom })
  const tell = (n: number, percent: number) =>
    hear({
      kind: 'history',
      percent,
      messages: [
        {
          providerId: `c-${n}`,
          from: ana,
          fromMe: false,
          timestamp: at(-n * 60),
          content: { type: 'text', body: `${n}` },
        },
      ],
    })
  const cancel = () => as(tenant.admin).post(`/whatsapp/${connectionId}/import/cancel`, {})
  expect((await cancel()).status).toBe(422)
  await tell(1, 10)
  expect((await cancel()).body.imported).toEqual({ state: 'cancelled', percent: 10, messages: 1 })
  await tell(2, 20)
  expect(await messages()).toHaveLength(1)
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.connections).set({ imported: null }).where(eq(schema.connections.id, connectionId)),
  )
  forgetConnections()
  await tell(3, 100)
  expect(await messages()).toHaveLength(2)
})

test('a choice made at the provider enters the ledger with its own time; an older one told again changes nothing', async () => {
  const { tenant, hear, say, ana, contacts } = await seed()
  await say('Oi')
  const [contact] = await contacts()
  const choose = (isGiven: boolean, seconds: number): InboundEvent => ({
    kind: 'consent',
    who: ana.identities,
    purpose: 'marketing',
    isGiven,
    proof: 'Configurações do aplicativo',
    at: at(seconds),
  })
  const asked = () =>
    withTenant(tenant.tenantId, (tx) =>
      hasConsent(tx, { contactId: contact?.id ?? '', channel: 'telegram', purpose: 'marketing' }),
    )
  const [no, yes] = [choose(false, -20), choose(true, -10)]
  await hear(no)
  expect(await asked()).toBe(false)
  await hear(yes, no)
  expect(await asked()).toBe(true)
  const entries = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.consents))
  expect(entries.map(({ source }) => source)).toEqual(['provider', 'provider'])
})

test('a provider that speaks of the account is asked how it stands', async () => {
  const { tenant, connectionId, hear } = await seed()
  const later = new Date(Date.now() + 60_000)
  await withTenant(tenant.tenantId, (tx) => tx.db.update(schema.connections).set({ checkDueAt: later }))
  await hear({ kind: 'standing' })
  const [row] = await withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(schema.connections).where(eq(schema.connections.id, connectionId)),
  )
  expect(row?.checkDueAt.getTime()).toBeLessThanOrEqual(Date.now() + 1_000)
})

test('two contacts that a provider calls one person become one; made two again, they stay two', async () => {
  const { tenant, hear, say, ana, contacts } = await seed()
  await say('Oi')
  const phone = `55119${String(people).padStart(8, '0')}`
  const known = await createContact(tenant, { name: 'Ana Souza', number: phone })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .insert(schema.contactIdentities)
      .values({ tenantId: tx.tenantId, kind: 'phone', value: phone, contactId: known })
      .onConflictDoNothing(),
  )
  const same: InboundEvent = { kind: 'identity', from: ana.identities[0], to: { kind: 'phone', value: phone } }
  await hear(same)
  const [kept] = (await contacts()).filter(({ mergedIntoId }) => mergedIntoId === null)
  expect(kept).toMatchObject({ name: 'Ana', number: phone })
  expect((await contacts()).find(({ id }) => id === known)?.mergedIntoId).toBe(kept?.id)
  const { body: merges } = await as(tenant.admin).get(`/contacts/${kept?.id}/merges`)
  expect(merges.items).toMatchObject([{ merged: { id: known }, user: null }])
  const undone = await as(tenant.admin).post(`/contact-merges/${merges.items[0].id}/undo`, {})
  expect(undone.status).toBe(200)
  await hear(same)
  expect((await contacts()).filter(({ mergedIntoId }) => mergedIntoId === null)).toHaveLength(2)
})

test('the phone that somebody shares is theirs from then on, unless they have one or it is another contact’s', async () => {
  const { tenant, hear, say, ana, contacts } = await seed()
  await say('Oi')
  const phone = `55118${String(people).padStart(8, '0')}`
  const same: InboundEvent = { kind: 'identity', from: ana.identities[0], to: { kind: 'phone', value: phone } }
  await hear(same, same)
  expect(await contacts()).toMatchObject([{ name: 'Ana', number: phone }])
  const [told] = await contacts()
  const other: InboundEvent = { kind: 'identity', from: ana.identities[0], to: { kind: 'phone', value: `${phone}1` } }
  await hear(other)
  expect(await contacts()).toMatchObject([{ number: phone, version: told?.version }])
  expect((await as(tenant.admin).get(`/contacts?searchParam=${phone}`)).body.items).toMatchObject([{ name: 'Ana' }])
})

test('a phone without a digit is nobody’s, and holds up nothing', async () => {
  const { hear, ana, say, said, contacts } = await seed()
  const [known] = ana.identities
  await say('mudei de número')
  for (const value of ['@s.whatsapp.net', ''])
    await hear(
      { kind: 'identity', from: known, to: { kind: 'phone', value } },
      { kind: 'identity', from: { kind: 'phone', value }, to: known },
    )
  await say('e agora?')
  expect(await said()).toEqual(['mudei de número', 'e agora?'])
  expect(await contacts()).toMatchObject([{ name: 'Ana', number: null }])
})

test('two who both have a conversation on the connection stay two, and both conversations say so once', async () => {
  const { hear, say, ana, messages, contacts } = await seed()
  const other: Sender = { identities: [{ kind: 'telegram', value: `7${people}` }], name: 'Aninha' }
  await say('Oi')
  await say('Sou eu', { from: other })
  const same: InboundEvent = { kind: 'identity', from: ana.identities[0], to: other.identities[0] }
  await hear(same, same)
  expect((await contacts()).filter(({ mergedIntoId }) => mergedIntoId)).toEqual([])
  const lines = (await messages()).filter(({ type }) => type === 'system')
  expect(lines).toHaveLength(2)
  expect(lines[0]?.body).toContain('são a mesma pessoa')
})

test('a message whose id we choose is known by it before it leaves: its echo is no second message, early or late', async () => {
  const { tenant, connectionId, hear, say, ana, messages } = await seed()
  await say('Oi')
  const [{ ticketId = '' } = {}] = await messages()
  await as(tenant.admin).put(`/tickets/${ticketId}`, { status: 'open', userId: tenant.admin.id })
  const echo = (body: string): Promise<void> => {
    const id = `escolhido-${body}`
    return hear({
      kind: 'message',
      providerId: id,
      from: ana,
      fromMe: true,
      timestamp: at(),
      content: { type: 'text', body: `${body}, formatado` },
    })
  }
  Object.assign(telegram, {
    chooseId: (id: string) => chosen.get(id),
    send: async ({ providerId, body }: { providerId: string; body: string }) => {
      await echo(body) // before the answer
      if (body === 'dois') throw Object.assign(new Error('cut'), {})
      return { providerId }
    },
  })
  const chosen = new Map<string, string>()
  forgetConnections()
  await kit.withPlatform('test', (tx) => tx.db.delete(schema.messages).where(eq(schema.messages.status, 'queued')))
  const sender = createSender()
  for (const body of ['um', 'dois']) {
    const { body: sent } = await as(tenant.admin).post(`/messages/${ticketId}`, { body })
    chosen.set(sent.id, `escolhido-${body}`)
    await sender.claim(() => {})
    await sender.finish()
    await echo(body) // and again, after it
    await withTenant(tenant.tenantId, (tx) => tx.db.delete(schema.connectionPace))
  }
  expect((await messages()).filter(({ fromMe, type }) => fromMe && type === 'text')).toMatchObject([
    { body: 'um', status: 'sent', providerId: 'escolhido-um' },
    { body: 'dois', status: 'sent', providerId: 'escolhido-dois' },
  ])
  expect(connectionId).toBeTruthy()
})
