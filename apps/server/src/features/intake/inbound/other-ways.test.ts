import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { restoreAfter } from '../../../../test/restore.ts'
import type { InboundEvent, Outbound } from '../../../channels/adapter.ts'

const kit = await startTestApp()
const { as, seedTenant, createConnection, createContact, createTicket, withTenant, withPlatform, schema } = kit
const { loadAdapter } = await import('../../../channels/index.ts')
const { ingest, settleInbound } = await import('./inbound.service.ts')
const { createSender } = await import('../../conversations/messages/sender.ts')

const sent: Outbound[] = []
for (const kind of ['email', 'waba'] as const) {
  const adapter = await loadAdapter(kind)
  restoreAfter(adapter)
  Object.assign(adapter, {
    send: async (message: Outbound) => {
      sent.push(message)
      return { providerId: `<${message.id}@loja.com.br>` }
    },
  })
}
const sendAll = async () => {
  const sender = createSender()
  await sender.claim(() => {})
  await sender.finish()
}

const mailbox = {
  address: 'contato@loja.com.br',
  password: 'senha',
  imapHost: 'imap.loja.com.br',
  smtpHost: 'smtp.loja.com.br',
}
const number = {
  accessToken: 'token-of-a-system-user',
  phoneNumberId: '1001',
  wabaId: '2001',
  appId: '3001',
  appSecret: 'secret-of-the-app',
  verifyToken: 'verify-token',
}
const phone = '5511970001234'

/** Somebody who wrote by WhatsApp long ago, and whose e-mail the team has written down. */
const seed = async () => {
  await withPlatform('test', (tx) => tx.db.delete(schema.messages).where(eq(schema.messages.status, 'queued')))
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const { tenantId } = tenant
  const whatsapp = await createConnection(tenant, { kind: 'waba', name: 'Loja', config: number })
  const mail = await createConnection(tenant, { kind: 'email', name: 'Caixa', config: mailbox })
  const contactId = await createContact(tenant, { name: 'Ana', number: phone })
  await withTenant(tenantId, ({ db }) =>
    db.update(schema.contacts).set({ email: 'ana@example.com' }).where(eq(schema.contacts.id, contactId)),
  )
  const ticketId = await createTicket(tenant, {
    queue: 'Vendas',
    userId: tenant.agent.id,
    contactId,
    connectionId: whatsapp,
  })
  const hear = async (connectionId: string, identity: { kind: 'phone' | 'email'; value: string }, body: string) => {
    const event: InboundEvent = {
      kind: 'message',
      providerId: `<${v7()}@example.com>`,
      from: { identities: [identity] },
      fromMe: false,
      timestamp: new Date(),
      content: { type: 'text', body },
    }
    await ingest(tenantId, connectionId, [event])
    await settleInbound()
  }
  const me = as(tenant.agent)
  return {
    tenant,
    me,
    whatsapp,
    mail,
    contactId,
    ticketId,
    writeMail: (body: string) => hear(mail, { kind: 'email', value: 'ana@example.com' }, body),
    writeWhatsapp: (body: string) => hear(whatsapp, { kind: 'phone', value: phone }, body),
    tickets: () => withTenant(tenantId, ({ db }) => db.select().from(schema.tickets)),
    ways: async () => (await me.get(`/tickets/${ticketId}/ways`)).body.items,
  }
}

test('an e-mail that was only written down is enough to begin by it, to move to it and to forward to it', async () => {
  const { me, mail, contactId, ticketId, writeMail, tickets } = await seed()
  const began = await me.post('/tickets', { contactId, channelId: mail })
  expect(began.status).toBe(201)
  await me.post(`/messages/${began.body.id}`, { id: v7(), body: 'Bom dia, Ana.' })
  await sendAll()
  expect(sent.at(-1)?.to).toContainEqual({ kind: 'email', value: 'ana@example.com' })
  await writeMail('Bom dia!')
  expect(await tickets()).toMatchObject([{ id: ticketId }, { id: began.body.id, contactId, unreadMessages: 1 }])

  const other = await seed()
  expect(await other.me.put(`/ticketsChannelId/${other.ticketId}`, { whatsappId: other.mail })).toMatchObject({
    status: 200,
    body: { whatsappId: other.mail },
  })

  const fourth = await seed()
  const friend = await createContact(fourth.tenant, { name: 'Bia' })
  await withTenant(fourth.tenant.tenantId, ({ db }) =>
    db.update(schema.contacts).set({ email: 'bia@example.com' }).where(eq(schema.contacts.id, friend)),
  )
  await fourth.writeWhatsapp('Meu endereço mudou.')
  const { items } = (await fourth.me.get(`/messages/${fourth.ticketId}`)).body
  const forward = { requestId: v7(), messages: [items.at(-1).id], contact: [friend], channelId: fourth.mail }
  expect((await fourth.me.post('/forward-messages', forward)).body.targets).toMatchObject([{ count: 1, problem: null }])
  await sendAll()
  expect(sent.at(-1)).toMatchObject({ to: [{ kind: 'email', value: 'bia@example.com' }], body: 'Meu endereço mudou.' })

  const third = await seed()
  const rival = await createContact(third.tenant, { name: 'Rita' })
  await withTenant(third.tenant.tenantId, ({ db, tenantId }) =>
    db.insert(schema.contactIdentities).values({ tenantId, kind: 'email', value: 'ana@example.com', contactId: rival }),
  )
  const refused = { status: 422, body: { message: expect.stringContaining('é do contato Rita') } }
  expect(await third.me.post('/tickets', { contactId: third.contactId, channelId: third.mail })).toMatchObject(refused)
  expect(await third.me.put(`/ticketsChannelId/${third.ticketId}`, { whatsappId: third.mail })).toMatchObject(refused)
})

test('the conversation goes on by e-mail, comes back with the customer, and stays one', async () => {
  const { me, whatsapp, mail, ticketId, writeMail, writeWhatsapp, tickets } = await seed()
  const send = (message: object) => me.post(`/messages/${ticketId}`, message)
  expect(await send({ body: 'Tarde demais' })).toMatchObject({ body: { error: 'ERR_WINDOW_CLOSED' } })

  const address = { kind: 'email', value: 'ana@example.com' }
  const message = { id: v7(), body: 'Segue a proposta.', way: { whatsappId: mail, address } }
  expect(await send(message)).toMatchObject({ status: 200 })
  await sendAll()
  expect(sent.at(-1)).toMatchObject({ body: 'Segue a proposta.' })
  expect(sent.at(-1)?.to).toContainEqual(address)
  expect(await tickets()).toMatchObject([{ id: ticketId, connectionId: mail }])

  await writeMail('Recebi, obrigada.')
  await writeWhatsapp('E por aqui também.')
  expect(await tickets()).toMatchObject([{ id: ticketId, connectionId: whatsapp, unreadMessages: 2 }])
  const { body } = await me.get(`/messages/${ticketId}`)
  expect(body.items.map((one: { body: string }) => one.body)).toEqual([
    expect.stringContaining('mudou o canal do atendimento para Caixa'),
    'Segue a proposta.',
    'Recebi, obrigada.',
    'Ana escreveu por Loja: o atendimento continua por lá.',
    'E por aqui também.',
  ])

  // What was sent already takes the conversation nowhere when it is asked for again.
  expect(await send(message)).toMatchObject({ status: 200 })
  expect(await tickets()).toMatchObject([{ connectionId: whatsapp }])
})

test('what waits on one channel does not hold up what goes by another', async () => {
  const { me, whatsapp, mail, ticketId, writeWhatsapp, tenant } = await seed()
  await writeWhatsapp('Oi')
  await withTenant(tenant.tenantId, ({ db }) =>
    db.update(schema.connections).set({ stoppedAt: new Date() }).where(eq(schema.connections.id, whatsapp)),
  )
  await me.post(`/messages/${ticketId}`, { body: 'Espera a conexão' })
  const address = { kind: 'email', value: 'ana@example.com' }
  await me.post(`/messages/${ticketId}`, { body: 'Vai por e-mail', way: { whatsappId: mail, address } })
  await sendAll()
  expect(sent.at(-1)?.body).toBe('Vai por e-mail')
})

test('every way is told with what stands in it', async () => {
  const { tenant, whatsapp, contactId, mail, ways, writeWhatsapp } = await seed()
  await createConnection(tenant, { kind: 'telegram', name: 'Robô' })
  const sms = await createConnection(tenant, { kind: 'sms', name: 'Torpedo' })
  const second = await createConnection(tenant, { kind: 'waba', name: 'Suporte' })
  const open = await createTicket(tenant, {
    queue: 'Vendas',
    userId: tenant.admin.id,
    contactId,
    connectionId: second,
  })
  await withTenant(tenant.tenantId, async ({ db }) => {
    const row = { tenantId: tenant.tenantId, kind: 'phone' as const, contactId, value: '5511970009999' }
    await db.insert(schema.contactIdentities).values(row)
    await db.update(schema.connections).set({ status: 'ERROR' }).where(eq(schema.connections.id, sms))
  })
  const told = (await ways()).map((one: { whatsapp: { name: string }; address: { value: string } | null }) => [
    one.whatsapp.name,
    one.address?.value ?? null,
    Reflect.get(one, 'takes'),
    Reflect.get(one, 'reason'),
  ])
  const windowOver = 'A janela de resposta fechou: só com modelo aprovado.'
  const off = 'O canal está desconectado.'
  expect(told.slice(0, 3)).toEqual([
    ['Loja', phone, 'template', windowOver],
    ['Caixa', 'ana@example.com', 'everything', null],
    ['Loja', '5511970009999', 'template', windowOver],
  ])
  expect(told.slice(3)).toEqual(
    expect.arrayContaining([
      ['Robô', null, 'nothing', 'Este contato ainda não escreveu pelo Telegram.'],
      ['Suporte', phone, 'nothing', expect.stringMatching(/^Já há um atendimento aberto por aqui, com /)],
      ['Torpedo', phone, 'nothing', off],
    ]),
  )
  expect((await ways()).find((one: { whatsapp: { id: string } }) => one.whatsapp.id === second).otherTicketId).toBe(
    open,
  )
  await writeWhatsapp('Oi')
  expect((await ways())[0]).toMatchObject({ whatsapp: { id: whatsapp }, isCurrent: true, takes: 'everything' })

  const owner = await createContact(tenant, { name: 'Bia' })
  await withTenant(tenant.tenantId, ({ db }) =>
    db
      .insert(schema.contactIdentities)
      .values({ tenantId: tenant.tenantId, kind: 'email', value: 'ana@example.com', contactId: owner }),
  )
  expect((await ways()).find((one: { whatsapp: { id: string } }) => one.whatsapp.id === mail)).toMatchObject({
    takes: 'nothing',
    reason: 'Este endereço é do contato Bia. Se forem a mesma pessoa, una os dois contatos.',
  })
})

test('who blocked us on a channel is not written to there, and the screens hear of it', async () => {
  const { tenant, contactId, ways } = await seed()
  const bot = await createConnection(tenant, {
    ...{ kind: 'telegram', name: 'Robô' },
    config: { botToken: '777:token-of-the-bot-of-the-shop' },
  })
  const who = { kind: 'telegram' as const, value: '777000' }
  await withTenant(tenant.tenantId, ({ db }) =>
    db.insert(schema.contactIdentities).values({ tenantId: tenant.tenantId, contactId, ...who }),
  )
  const onBot = async () =>
    (await ways()).find((one: { whatsapp: { id: string } }) => one.whatsapp.id === bot) as { takes: string }
  const tell = async (reason: string | null, at: string) => {
    await ingest(tenant.tenantId, bot, [{ kind: 'unreachable', who, reason, at: new Date(at) }])
    await settleInbound()
  }
  const versionOf = async () => (await as(tenant.admin).get(`/contacts/${contactId}`)).body.version
  const before = await versionOf()
  const reason = 'O contato bloqueou o bot no Telegram.'
  await tell(reason, '2026-05-01T10:00:00Z')
  expect(await onBot()).toMatchObject({ takes: 'nothing', reason, problem: reason })
  expect(await versionOf()).toBe(before + 1)
  await tell(null, '2026-05-02T10:00:00Z')
  expect(await onBot()).toMatchObject({ takes: 'everything', reason: null, problem: null })
})

test('nobody answers by a way that is not theirs', async () => {
  const { tenant, me, mail, whatsapp, contactId, ticketId, tickets } = await seed()
  const strange = await seedTenant({})
  const theirs = await createConnection(strange, { kind: 'email', config: mailbox })
  const send = (way: object) => me.post(`/messages/${ticketId}`, { body: 'Oi', way })
  const unreachable = { status: 422, body: { error: 'ERR_CONTACT_UNREACHABLE' } }
  expect(await as(strange.admin).get(`/tickets/${ticketId}/ways`)).toMatchObject({ status: 404 })
  expect(await send({ whatsappId: theirs })).toMatchObject({ status: 404, body: { error: 'ERR_NO_WAPP_FOUND' } })
  expect(await send({ whatsappId: mail, address: { kind: 'email', value: 'bia@example.com' } })).toMatchObject(
    unreachable,
  )
  const other = await createTicket(tenant, { contactId, connectionId: mail })
  expect(await send({ whatsappId: mail, address: { kind: 'email', value: 'ana@example.com' } })).toMatchObject({
    status: 409,
    body: { error: 'ERR_OTHER_OPEN_TICKET', details: { ticketId: other } },
  })
  expect((await tickets()).find(({ id }) => id === ticketId)?.connectionId).toBe(whatsapp)
})
