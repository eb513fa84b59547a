import { Readable } from 'node:stream'
import { sampleMedia } from '@balcao/simulators/samples.ts'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeEach, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { restoreAfter } from '../../../../test/restore.ts'
import type { InboundEvent, Outbound } from '../../../channels/adapter.ts'

const kit = await startTestApp()
const { as, seedTenant, createConnection, withTenant, withPlatform, schema } = kit
const { loadAdapter } = await import('../../../channels/index.ts')
const { ingest, processJournal, settleInbound } = await import('./inbound.service.ts')
const { writeJournal } = await import('./journal.ts')
const { findConnection, forgetConnections } = await import('../../channels/connections/context.ts')
const { storeFile } = await import('../../core/media/media.service.ts')
const { createSender } = await import('../../conversations/messages/sender.ts')

const email = await loadAdapter('email')
restoreAfter(email)
const sent: Outbound[] = []
const sentTogether: Outbound[][] = []
Object.assign(email, {
  sendAttached: async (messages: Outbound[]) => {
    sentTogether.push(messages)
    const [{ providerId } = {}] = messages
    return { providerIds: messages.map((_, at) => (at ? `${providerId}:${at}` : providerId)) }
  },
  send: async (message: Outbound) => {
    sent.push(message)
    return { providerId: message.providerId }
  },
})

const config = {
  address: 'contato@loja.com.br',
  password: 'senha',
  imapHost: 'imap.loja.com.br',
  smtpHost: 'smtp.loja.com.br',
}
const seed = async (options: Record<string, unknown> = {}) => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const connectionId = await createConnection(tenant, { kind: 'email', config })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.connections).set({ options }).where(eq(schema.connections.id, connectionId)),
  )
  forgetConnections()
  const write = async (
    id: string,
    from: string,
    {
      answers,
      name = from,
      html = null,
      references = ['<antes@example.com>'],
      ...more
    }: {
      answers?: string
      name?: string
      body?: string
      references?: string[]
      isAutomatic?: boolean
      isJunk?: boolean
      isUnproven?: boolean
      html?: string | null
    } = {},
  ) => {
    const event: InboundEvent = {
      kind: 'message',
      providerId: id,
      from: { identities: [{ kind: 'email', value: from }], name },
      fromMe: false,
      timestamp: new Date(),
      content: {
        type: 'text',
        body: `Olá de ${from}`,
        ...more,
        mail: { subject: 'Pedido 123', cc: [], bcc: [], html, references },
      },
      quotedProviderId: answers,
    }
    await ingest(tenant.tenantId, connectionId, [event])
    await settleInbound()
  }
  const messages = () =>
    withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.messages).orderBy(schema.messages.seq))
  return { tenant, connectionId, write, messages }
}
/** What an earlier test left waiting would go first. */
beforeEach(() =>
  withPlatform('test', (tx) => tx.db.delete(schema.messages).where(eq(schema.messages.status, 'queued'))),
)
const sendAll = async () => {
  const sender = createSender()
  await sender.claim(() => {})
  await sender.finish()
}

test('an answer goes on with the subject and the thread of the mail it answers', async () => {
  const { tenant, write, messages } = await seed()
  await write('<um@example.com>', 'ana@example.com')
  const [{ ticketId = '' } = {}] = await messages()
  await as(tenant.admin).put(`/tickets/${ticketId}`, { status: 'open', userId: tenant.admin.id })
  const { body } = await as(tenant.admin).post(`/messages/${ticketId}`, { body: 'Saiu hoje.' })
  await sendAll()
  expect(sent.at(-1)).toMatchObject({
    providerId: `<${body.id}@loja.com.br>`,
    isAutomatic: false,
    mail: { subject: 'Re: Pedido 123', cc: [], references: ['<antes@example.com>', '<um@example.com>'] },
  })
})

test('words and files written together leave as one mail, and fail as one', async () => {
  const { tenant, connectionId, write, messages } = await seed()
  await write('<anexos@example.com>', 'ana@example.com')
  const [{ ticketId = '' } = {}] = await messages()
  const { tenantId, admin } = tenant
  await as(admin).put(`/tickets/${ticketId}`, { status: 'open', userId: admin.id })
  const album = { id: v7(), of: 3 }
  const say = async (input: object) => (await as(admin).post(`/messages/${ticketId}`, { album, ...input })).status
  const file = async () => {
    const stream = Readable.from([sampleMedia('document').bytes])
    return (await storeFile({ tenantId, userId: admin.id, stream, name: 'nota.pdf' })).id
  }
  expect(await say({ body: 'Segue tudo.' })).toBe(200)
  for (const mediaId of [await file(), await file()]) expect(await say({ type: 'document', mediaId })).toBe(200)
  await sendAll()
  const ours = async () => (await messages()).filter(({ fromMe, type }) => fromMe && type !== 'system')
  const [words] = await ours()
  const providerId = `<${words?.id}@loja.com.br>`
  expect(sentTogether.map((one) => one.map(({ body, media }) => media?.name ?? body))).toEqual([
    ['Segue tudo.', 'nota.pdf', 'nota.pdf'],
  ])
  expect(sentTogether[0]?.[0]).toMatchObject({ providerId, mail: { subject: 'Re: Pedido 123' } })
  expect((await ours()).map((one) => [one.status, one.providerId])).toEqual([
    ['sent', providerId],
    ['sent', `${providerId}:1`],
    ['sent', `${providerId}:2`],
  ])

  const error = 'O e-mail não foi entregue a ana@example.com: caixa cheia'
  const parts = Array.from({ length: 9 }, (_, at) => `${providerId}:${at + 1}`)
  await ingest(tenantId, connectionId, [{ kind: 'status', providerId, parts, status: 'failed', error }])
  await settleInbound()
  expect((await ours()).map((one) => [one.status, one.error])).toEqual(Array(3).fill(['failed', error]))
})

test('an e-mail is signed by whoever writes it, else by its queue, else by its channel, and not by who wants none', async () => {
  const { tenant, write, messages } = await seed({ mailSignature: 'Equipe {{empresa}}', greeting: 'Bem-vindo!' })
  await write('<assinada@example.com>', 'ana@example.com')
  const [{ ticketId = '' } = {}, greeting] = await messages()
  expect(greeting?.payload).toMatchObject({ signature: expect.stringMatching(/^Equipe ./) })
  await sendAll()
  expect(sent.at(-1)).toMatchObject({ body: 'Bem-vindo!', signature: greeting?.payload?.signature })
  const { admin, queues } = tenant
  await as(admin).put(`/tickets/${ticketId}`, { status: 'open', userId: admin.id, queueId: queues.Vendas })
  const signatureOf = async (more: object = {}) =>
    (await as(admin).post(`/messages/${ticketId}`, { body: 'Saiu.', sign: 'preferred', ...more })).body.payload
      ?.signature
  const shown = async () => (await as(admin).get(`/messages/${ticketId}/signature`)).body.text
  expect(await signatureOf()).toBe(greeting?.payload?.signature)

  const queue = await as(admin).get(`/queue/${queues.Vendas}`)
  await as(admin).put(`/queue/${queues.Vendas}`, { ...queue.body, mailSignature: '*{{fila}}*\n{{atendente}}' })
  expect(await signatureOf()).toBe(`*Vendas*\n${admin.name}`)

  await as(admin).put(`/users/${admin.id}/configs`, { mailSignature: '{{atendente}}, gerente' })
  expect([await signatureOf(), await shown()]).toEqual([`${admin.name}, gerente`, `${admin.name}, gerente`])
  expect(await signatureOf({ sign: false })).toBeUndefined()
  expect(await signatureOf({ body: `Saiu.\n\n${admin.name}, gerente` })).toBeUndefined()
  const wrong = await as(admin).put(`/users/${admin.id}/configs`, { mailSignature: '{{name}}' })
  expect(wrong.status).toBe(422)
})

test('an id of somebody else’s conversation, forged into a mail, shows nothing of it', async () => {
  const { write, messages } = await seed()
  await write('<segredo@example.com>', 'ana@example.com')
  await write('<forjada@example.com>', 'mallory@example.com', { answers: '<segredo@example.com>' })
  await write('<honesta@example.com>', 'ana@example.com', { answers: '<segredo@example.com>' })
  const [first, forged, honest] = await messages()
  expect(forged).toMatchObject({ quotedId: null })
  expect(forged?.ticketId).not.toBe(first?.ticketId)
  expect(honest).toMatchObject({ quotedId: first?.id, ticketId: first?.ticketId })
})

test('a mail from the address of somebody who works here, or did, is a contact’s and never theirs (T21)', async () => {
  const { tenant, write, messages } = await seed()
  await write('<pergunta@example.com>', 'ana@example.com')
  const [question] = await messages()
  await as(tenant.admin).put(`/tickets/${question?.ticketId}`, { status: 'open', userId: tenant.admin.id })
  const { body } = await as(tenant.admin).post(`/messages/${question?.ticketId}`, { body: 'Saiu hoje.' })
  await sendAll()
  const ours = `<${body.id}@loja.com.br>`
  await write('<falsa@example.com>', tenant.agent.email, { answers: ours, references: [ours], isUnproven: true })
  await as(tenant.admin).delete(`/users/${tenant.agent.id}`)
  await write('<removida@example.com>', tenant.agent.email, { answers: ours, references: [ours] })
  const written = (await messages()).filter(({ providerId }) => /falsa|removida/.test(providerId ?? ''))
  expect(written).toHaveLength(2)
  for (const one of written) {
    expect(one).toMatchObject({ fromMe: false, userId: null, quotedId: null })
    expect(one.ticketId).not.toBe(question?.ticketId)
  }
  expect(sent.filter(({ mail }) => JSON.stringify(mail ?? {}).includes('Olá de'))).toEqual([])
})

test('a person is greeted; a machine that writes is answered by nobody', async () => {
  const { write, messages } = await seed({ greeting: 'Bem-vindo!' })
  await write('<pessoa@example.com>', 'ana@example.com')
  await write('<maquina@example.com>', 'boletim@example.com', { isAutomatic: true })
  const greetings = (await messages()).filter(({ fromMe }) => fromMe)
  expect(greetings).toMatchObject([{ body: 'Bem-vindo!' }])
  await sendAll()
  expect(sent.at(-1)).toMatchObject({ body: 'Bem-vindo!', isAutomatic: true })
})

test('what lay in the spam folder is taken in from somebody known, with a mark, and from nobody else', async () => {
  const { write, messages } = await seed()
  await write('<estranha@example.com>', 'estranha@example.com', { isJunk: true })
  expect(await messages()).toEqual([])
  await write('<conhecida@example.com>', 'ana@example.com')
  await write('<perdida@example.com>', 'ana@example.com', { isJunk: true })
  expect((await messages()).map(({ payload }) => payload?.mail?.wasJunk)).toEqual([undefined, true])
})

test('what is left in the spam folder waits no more, and holds nothing that comes after it', async () => {
  const { tenant, connectionId, messages } = await seed()
  const connection = await findConnection(connectionId)
  if (!connection) throw new Error('no connection')
  const event = (id: string, isJunk: boolean): InboundEvent => ({
    ...{ kind: 'message', providerId: id, fromMe: false, timestamp: new Date() },
    from: { identities: [{ kind: 'email', value: 'estranha@example.com' }], name: 'Estranha' },
    content: { type: 'text', body: id, isJunk, mail: { subject: 'Oi', cc: [], bcc: [], html: null, references: [] } },
  })
  const come = async (id: string, isJunk: boolean) => {
    const pieces = [{ key: id, payload: { id }, conversation: 'estranha@example.com' }]
    const rows = await writeJournal({ tenantId: tenant.tenantId, connectionId }, pieces)
    const adapter = { ...connection.adapter, parse: () => [event(id, isJunk)] }
    processJournal({ ...connection, adapter }, rows)
    await settleInbound()
  }
  await come('propaganda', true)
  await come('de verdade', false)
  expect((await messages()).map(({ body }) => body)).toEqual(['de verdade'])
  const journal = await withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.journal))
  expect(journal.map(({ state }) => state)).toEqual(['done', 'done'])
})

test('a stranger whose mail goes on with one of ours is taken out of the spam folder, and who only says so is not', async () => {
  const { tenant, write, messages } = await seed()
  await write('<pergunta@example.com>', 'ana@example.com')
  const [{ ticketId = '' } = {}] = await messages()
  await as(tenant.admin).put(`/tickets/${ticketId}`, { status: 'open', userId: tenant.admin.id })
  const { body } = await as(tenant.admin).post(`/messages/${ticketId}`, { body: 'Saiu hoje.' })
  await sendAll()
  const ours = sent.at(-1)?.providerId ?? ''
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.messages).set({ providerId: ours, status: 'sent' }).where(eq(schema.messages.id, body.id)),
  )
  const [isJunk, theirs] = [true, '<pergunta@example.com>']
  await write('<forjada@example.com>', 'mallory@example.com', { isJunk, answers: ours })
  await write('<tambem@example.com>', 'mallory@example.com', { isJunk, references: [theirs], answers: theirs })
  await write('<outra@example.com>', 'ana.silva@gmail.com', { isJunk, references: [theirs, ours], answers: ours })
  const inbound = (await messages()).filter(({ fromMe }) => !fromMe)
  expect(inbound.map(({ providerId }) => providerId)).toEqual([theirs, '<outra@example.com>'])
  expect(inbound[1]).toMatchObject({ payload: { mail: { wasJunk: true } } })
  expect(inbound[1]?.ticketId).not.toBe(ticketId)
})

test('whoever writes first is a contact with that address, for everybody to see', async () => {
  const { tenant, write, messages } = await seed()
  await write('<nova@example.com>', 'Nova@Example.com')
  const [{ contactId = '' } = {}] = await messages()
  const contact = async () => (await as(tenant.admin).get(`/contacts/${contactId}`)).body
  expect(await contact()).toMatchObject({ name: 'Nova@Example.com', email: 'nova@example.com' })

  // Known by the address alone until a mail of theirs says a name.
  await write('<nova-2@example.com>', 'nova@example.com', { name: 'Nova Lima' })
  expect(await contact()).toMatchObject({ name: 'Nova Lima' })
  await write('<nova-3@example.com>', 'nova@example.com')
  expect(await contact()).toMatchObject({ name: 'Nova Lima' })
})

test('a formatted mail is shown by a page that runs nothing, to whoever may read the conversation', async () => {
  const { tenant, write, messages } = await seed()
  const html = '<p>Olá <script>xss()</script><b>Loja</b></p><img src="https://evil.example/seen.gif">'
  await write('<formatado@example.com>', 'ana@example.com', { html })
  const [message] = await messages()
  expect(message?.payload).toEqual({
    mail: { subject: 'Pedido 123', cc: [], bcc: [], references: ['<antes@example.com>'], isFormatted: true },
  })
  const page = (who: typeof tenant.admin | undefined, query = '') => as(who).get(`/media/mails/${message?.id}${query}`)
  const shown = await page(tenant.admin)
  expect(shown.body).toContain('<p>Olá <b>Loja</b></p>')
  expect(shown.body).not.toContain('evil.example')
  expect(shown.headers['content-security-policy']).toMatch(
    /^default-src 'none'; img-src 'self' data:; .*; sandbox allow-same-origin allow-popups/,
  )
  expect((await page(tenant.admin, '?pictures=1')).body).toContain('https://evil.example/seen.gif')
  const strange = await seedTenant({})
  expect([(await page(undefined)).status, (await page(strange.admin)).status]).toEqual([401, 404])
})

test('a mail whose sender was not confirmed, and one that a machine wrote, are marked for whoever reads them', async () => {
  const { write, messages } = await seed()
  await write('<duvidosa@example.com>', 'ana@example.com', { isUnproven: true })
  await write('<ausencia@example.com>', 'ana@example.com', { isAutomatic: true })
  expect((await messages()).map(({ payload }) => payload?.mail)).toMatchObject([
    { isUnproven: true },
    { isAutomatic: true },
  ])
})

test('a long mail that is shown as it was written brings no copy of its words as a file', async () => {
  const { write, messages } = await seed()
  const body = 'palavra '.repeat(2_000)
  await write('<longo@example.com>', 'ana@example.com', { body, html: `<p>${body}</p>` })
  await write('<simples@example.com>', 'ana@example.com', { body })
  const [formatted, plain] = (await messages()).filter(({ fromMe }) => !fromMe)
  expect(formatted).toMatchObject({ type: 'text', mediaId: null, body: expect.stringMatching(/…$/) })
  expect(plain).toMatchObject({ type: 'document', mediaId: expect.any(String) })
})

test('the same mail again is one message', async () => {
  const { write, messages } = await seed()
  await write('<vez@example.com>', 'ana@example.com')
  await write('<vez@example.com>', 'ana@example.com')
  expect(await messages()).toHaveLength(1)
})
