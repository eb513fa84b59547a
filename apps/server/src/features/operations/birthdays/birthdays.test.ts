import type { ConnectionOptions } from '@balcao/contract/channels/options.ts'
import { and, eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createConnection, createContact, createTicket, withTenant, withPlatform, schema } = kit
const { congratulateDue } = await import('./birthdays.loop.ts')
const { greet, wordsOf } = await import('./greet.ts')
const { daysFrom, todayIn } = await import('./calendar.ts')
const { feedAudience } = await import('../audience/audience.loop.ts')
const { forgetConnections } = await import('../../channels/connections/context.ts')

const timeZone = 'America/Sao_Paulo'
beforeEach(() =>
  withPlatform('test', async (tx) => {
    await tx.db.delete(schema.audience)
    await tx.db.update(schema.connections).set({ options: {} })
  }),
)
/** Born on this day of the calendar, in a leap year. */
const bornOn = (ahead = 0) => `2000${daysFrom(timeZone, ahead + 1)[ahead]?.date.slice(4)}`

const configs: Record<string, Record<string, unknown>> = {
  telegram: { botToken: '7000000001:AAtoken-de-teste-0123456789' },
  waba: {
    ...{ accessToken: 'x'.repeat(30), phoneNumberId: '9999', wabaId: '2001', appSecret: 'segredo-de-teste-123' },
    verifyToken: 'verificar-123',
  },
  email: {
    address: 'contato@loja.com.br',
    password: 'senha',
    imapHost: 'imap.loja.com.br',
    smtpHost: 'smtp.loja.com.br',
  },
}
const company = async (options: ConnectionOptions = { birthday: true, birthdayHour: '00:00' }, kind = 'telegram') => {
  const tenant = await seedTenant()
  const inTenant = <T>(work: Parameters<typeof withTenant<T>>[1]) => withTenant(tenant.tenantId, work)
  const connect = async (given: ConnectionOptions, of = kind) => {
    const id = await createConnection(tenant, { kind: of as 'telegram', config: configs[of] })
    await inTenant((tx) =>
      tx.db.update(schema.connections).set({ options: given }).where(eq(schema.connections.id, id)),
    )
    forgetConnections()
    return id
  }
  const connectionId = await connect(options)
  let next = 0
  const born = async (name: string, { ahead = 0, reached = true } = {}) => {
    const id = await createContact(tenant, { name })
    next += 1
    await inTenant(async (tx) => {
      await tx.db
        .update(schema.contacts)
        .set({ birthdayDate: bornOn(ahead) })
        .where(eq(schema.contacts.id, id))
      if (reached)
        await tx.db
          .insert(schema.contactIdentities)
          .values({ tenantId: tx.tenantId, kind: 'telegram', value: String(next), contactId: id })
    })
    return id
  }
  const refuse = (value: number | string, of = 'telegram') =>
    inTenant((tx) =>
      tx.db.insert(schema.consents).values({
        ...{
          tenantId: tx.tenantId,
          identityKind: of as 'telegram',
          identityValue: String(value),
          channel: of as 'telegram',
        },
        ...{ purpose: 'marketing', isGiven: false, source: 'word', proof: 'SAIR' },
        author: { kind: 'contact', id: null, name: '' },
      }),
    )
  const waiting = () => inTenant((tx) => tx.db.select().from(schema.audience))
  const messages = () =>
    inTenant((tx) =>
      tx.db
        .select()
        .from(schema.messages)
        .where(and(eq(schema.messages.fromMe, true), eq(schema.messages.sendType, 'campaign'))),
    )
  const list = async (query = '') => (await as(tenant.admin).get(`/birthdays${query}`)).body
  const send = (given: object = {}) =>
    as(tenant.agent).post('/messages/sendBirthday', { whatsappId: connectionId, ...given })
  return { ...tenant, inTenant, connect, connectionId, born, refuse, waiting, messages, list, send }
}

test('at its hour a connection congratulates whom it reaches, once, however many processes and days look', async () => {
  const shop = await company({ birthday: true, birthdayHour: '00:00', birthdayMessage: 'Viva, {{primeiro_nome}}!' })
  await shop.born('Ana Lima')
  await shop.born('Bia', { reached: false })
  await shop.born('Caio', { ahead: 1 })
  await Promise.all([congratulateDue(), congratulateDue(), congratulateDue()])
  await congratulateDue()
  expect(await shop.waiting()).toMatchObject([
    { body: 'Viva, {{primeiro_nome}}!', createdBy: null, purpose: 'marketing' },
  ])
  await feedAudience()
  expect(await shop.messages()).toMatchObject([{ body: 'Viva, Ana!', author: { kind: 'rule', name: 'Aniversário' } }])
  expect((await shop.send()).body).toMatchObject({ sent: 0, skipped: [{ contact: { name: 'Bia' } }] })
  // As if the clock had gone back over the day: the year's row is there.
  await shop.inTenant((tx) => tx.db.update(schema.connections).set({ birthdaysOn: null }))
  await congratulateDue()
  expect(await shop.waiting()).toHaveLength(1)
  expect((await shop.list()).items).toMatchObject([
    { name: 'Ana Lima', isToday: true, state: 'sent' },
    { name: 'Bia', state: null },
    { name: 'Caio', isToday: false, state: null },
  ])
})

test('before its hour, switched off, or in a company that is suspended: nothing', async () => {
  const late = await company({ birthday: true, birthdayHour: '23:59' })
  const off = await company({ birthdayHour: '00:00' })
  const away = await company()
  for (const one of [late, off, away]) await one.born('Ana')
  await withPlatform('test', (tx) =>
    tx.db.update(schema.tenants).set({ status: 'suspended' }).where(eq(schema.tenants.id, away.tenantId)),
  )
  await congratulateDue()
  for (const one of [late, off, away]) expect(await one.waiting()).toEqual([])
})

test('by hand and by itself through one door: who presses twice, or while the day’s round runs, sends nothing twice', async () => {
  const shop = await company()
  for (let n = 0; n < 20; n += 1) await shop.born(`Cliente ${n}`)
  const replies = await Promise.all([shop.send(), congratulateDue(), shop.send(), congratulateDue(), shop.send()])
  expect(replies).toBeTruthy()
  const rows = await shop.waiting()
  expect(rows).toHaveLength(20)
  expect(new Set(rows.map(({ contactId }) => contactId)).size).toBe(20)
  expect((await shop.send()).body).toEqual({ sent: 0, skipped: [] })
})

test('a process that dies in the middle has greeted nobody by half; the next look goes on', async () => {
  const shop = await company()
  const [ana, bia] = [await shop.born('Ana'), await shop.born('Bia')]
  const greeter = { id: shop.connectionId, kind: 'telegram' as const, options: {}, abilities: {} as never }
  const given = { greeter, day: todayIn(timeZone), words: wordsOf(greeter), userId: null, refused: [] }
  await shop.inTenant((tx) => greet(tx, { ...given, sent: [ana] }))
  await expect(
    shop.inTenant(async (tx) => {
      await greet(tx, { ...given, sent: [bia] })
      throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  expect(await shop.waiting()).toHaveLength(1)
  await congratulateDue()
  expect((await shop.waiting()).map(({ contactId }) => contactId).toSorted()).toEqual([ana, bia].toSorted())
})

test('who said no to campaigns is not sent anything, and the page says so', async () => {
  const shop = await company()
  await shop.born('Ana')
  await shop.refuse(1)
  await congratulateDue()
  expect(await shop.waiting()).toEqual([])
  expect((await shop.list()).items).toMatchObject([{ isOptedOut: true, state: 'refused' }])
  expect((await shop.send()).body).toMatchObject({ sent: 0, skipped: [{ contact: { name: 'Ana' } }] })
  const summary = (await as(shop.admin).get('/birthdays/summary')).body
  expect(summary).toEqual({ today: 1, left: 1, month: { sent: 0, waiting: 0, failed: 0, refused: 1 } })
})

test('an e-mail that was only written down is greeted by e-mail, and whoever refused by it is not', async () => {
  const shop = await company(undefined, 'email')
  for (const name of ['Ana', 'Bia']) {
    const id = await shop.born(name, { reached: false })
    await shop.inTenant((tx) =>
      tx.db
        .update(schema.contacts)
        .set({ email: `${name.toLowerCase()}@example.com` })
        .where(eq(schema.contacts.id, id)),
    )
  }
  await shop.refuse('bia@example.com', 'email')
  await congratulateDue()
  expect(await shop.waiting()).toHaveLength(1)
  expect((await shop.list()).items).toMatchObject([
    { name: 'Ana', isOptedOut: false, state: 'waiting' },
    { name: 'Bia', isOptedOut: true, state: 'refused' },
  ])
})

test('a greeting that did not leave on its day is not sent the day after, and may be tried anew', async () => {
  const shop = await company()
  await shop.born('Ana')
  await congratulateDue()
  await shop.inTenant((tx) => tx.db.update(schema.audience).set({ expiresAt: sql`now() - interval '1 minute'` }))
  await feedAudience()
  expect(await shop.messages()).toEqual([])
  expect((await shop.list()).items).toMatchObject([
    { state: 'failed', problem: expect.stringMatching(/Não saiu a tempo/) },
  ])
  expect((await shop.send()).body.sent).toBe(1)
  const [row] = (await shop.waiting()).filter(({ state }) => state === 'waiting')
  // The end of the company's day.
  const ends = new Intl.DateTimeFormat('pt-BR', { timeZone, timeStyle: 'short' }).format(row?.expiresAt ?? 0)
  expect(ends).toBe('00:00')
})

test('a contact that was deleted meanwhile is greeted by nobody; one that became another is, once', async () => {
  const shop = await company()
  const [ana, bia, cida] = [await shop.born('Ana'), await shop.born('Bia'), await shop.born('Cida')]
  await congratulateDue()
  await shop.inTenant(async (tx) => {
    await tx.db.delete(schema.contacts).where(eq(schema.contacts.id, ana))
    await tx.db.update(schema.contacts).set({ mergedIntoId: cida }).where(eq(schema.contacts.id, bia))
  })
  await shop.inTenant((tx) =>
    tx.db.delete(schema.birthdayGreetings).where(eq(schema.birthdayGreetings.contactId, cida)),
  )
  await shop.inTenant((tx) => tx.db.delete(schema.audience).where(eq(schema.audience.contactId, cida)))
  await shop.inTenant((tx) => tx.db.update(schema.connections).set({ birthdaysOn: null }))
  await congratulateDue()
  await feedAudience()
  expect(await shop.messages()).toMatchObject([{ contactId: cida }])
})

test('of several connections, the one the contact was last in conversation on', async () => {
  const shop = await company()
  const second = await shop.connect({ birthday: true, birthdayHour: '00:00' })
  const ana = await shop.born('Ana')
  await createTicket(shop, { contactId: ana, connectionId: second, status: 'closed' })
  await congratulateDue()
  expect(await shop.waiting()).toMatchObject([{ contactId: ana, connectionId: second }])
})

test('where the 24 hours are over, the approved template goes; without one nothing does', async () => {
  const shop = await company({ birthday: true, birthdayHour: '00:00' }, 'waba')
  const ana = await createContact(shop, { name: 'Ana Lima', number: '5511987650001' })
  await shop.inTenant((tx) =>
    tx.db.update(schema.contacts).set({ birthdayDate: bornOn() }).where(eq(schema.contacts.id, ana)),
  )
  await congratulateDue()
  expect((await shop.list()).items).toMatchObject([{ state: 'refused', problem: expect.stringMatching(/modelo/) }])
  const template = { name: 'parabens', language: 'pt_BR', body: ['{{primeiro_nome}}'], header: [], buttons: {} }
  await shop.inTenant(async (tx) => {
    await tx.db.insert(schema.messageTemplates).values({
      ...{
        tenantId: tx.tenantId,
        connectionId: shop.connectionId,
        externalId: 't1',
        name: 'parabens',
        language: 'pt_BR',
      },
      ...{ category: 'MARKETING', status: 'APPROVED', syncedAt: new Date() },
      components: [{ type: 'BODY', text: 'Parabéns, {{1}}!', example: { body_text: [['Ana']] } }],
    })
    await tx.db
      .update(schema.connections)
      .set({ options: { birthday: true, birthdayHour: '00:00', birthdayTemplate: template }, birthdaysOn: null })
  })
  forgetConnections()
  await congratulateDue()
  await feedAudience()
  expect(await shop.messages()).toMatchObject([{ type: 'template', body: 'Parabéns, Ana!' }])
})

test('the page: day by day, by owner and by tag, a page at a time', async () => {
  const shop = await company({})
  const ids: string[] = []
  for (const [name, ahead] of [
    ['Zoe', 0],
    ['Ana', 0],
    ['Bia', 3],
    ['Caio', 30],
    ['Davi', 31],
  ] as const)
    ids.push(await shop.born(name, { ahead }))
  await shop.inTenant((tx) =>
    tx.db
      .insert(schema.contactWallets)
      .values({ tenantId: tx.tenantId, contactId: ids[2] ?? '', userId: shop.agent.id }),
  )
  const names = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name)
  expect(names(await shop.list())).toEqual(['Ana', 'Zoe', 'Bia', 'Caio'])
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await shop.list(`?limit=1${cursor && `&cursor=${cursor}`}`)
    seen.push(...names(page))
    cursor = page.nextCursor
  }
  expect(seen).toEqual(['Ana', 'Zoe', 'Bia', 'Caio'])
  expect(names(await shop.list('?onlyToday=true'))).toEqual(['Ana', 'Zoe'])
  expect(await shop.list(`?userIds=${shop.agent.id}`)).toMatchObject({
    items: [{ name: 'Bia', owners: [{ id: shop.agent.id }] }],
  })
  expect((await as(shop.admin).post('/birthdays/export', {})).status).toBe(202)
})
