import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'
import { startWaba, until } from './test-waba.ts'

const kit = await startTestApp()
const { as, seedTenant, createContact, createTicket, withTenant, schema } = kit
const { maxAttempts } = await import('./outcome.ts')

const tenant = await seedTenant()
const { sim, connectionId } = await startWaba(kit, tenant)
sim.policy.hasWindow = false
sim.setWebhook(undefined)
let number = 5511900000000

const openTicket = async (of = tenant, by = connectionId) => {
  const contactId = await createContact(of, { number: String(number++) })
  const id = await createTicket(of, { contactId, connectionId: by, userId: of.agent.id })
  await withTenant(of.tenantId, (tx) =>
    tx.db.update(schema.tickets).set({ lastInboundAt: new Date() }).where(eq(schema.tickets.id, id)),
  )
  return id
}
const send = async (ticketId: string, body: string, more: object = {}) => {
  const reply = await as(tenant.agent).post(`/messages/${ticketId}`, { id: v7(), body, ...more })
  expect(reply).toMatchObject({ status: 200 })
  return reply.body.id as string
}
/** One of ours as it stands in the table, whatever became of it. */
type Row = typeof schema.messages.$inferInsert
type Standing = Pick<Row, 'body' | 'status'> & Partial<Pick<Row, 'claimedBy' | 'claimedAt' | 'attempts'>>
const storeMessage = async (ticketId: string, row: Standing, id = v7()) => {
  await withTenant(tenant.tenantId, async (tx) => {
    const [ticket] = await tx.db.select().from(schema.tickets).where(eq(schema.tickets.id, ticketId))
    await tx.db.insert(schema.messages).values({
      tenantId: tenant.tenantId,
      ticketId,
      contactId: ticket?.contactId ?? '',
      connectionId,
      fromMe: true,
      type: 'text',
      timestamp: new Date(),
      id,
      ...row,
    })
  })
  return id
}
const messageOf = async (id: string) => {
  const [row] = await withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(schema.messages).where(eq(schema.messages.id, id)),
  )
  if (!row) throw new Error('no message')
  return row
}
const reaches = (id: string, status: string) =>
  until(async () => (await messageOf(id)).status === status && messageOf(id), 8_000)
const sends = () => sim.requests.filter((one) => one.method === 'POST' && one.path.endsWith('/messages'))
const bodiesTo = (text: string) => sends().filter((one) => JSON.stringify(one.body).includes(text))

beforeAll(async () => (await startTestWorkers('sender', 'sender rescue')).stop)

test('a message is sent once, with our id as correlation, and its provider id is kept', async () => {
  const id = await send(await openTicket(), 'olá')
  const row = await reaches(id, 'sent')
  expect(row.providerId).toMatch(/^wamid/)
  expect(bodiesTo(id)).toHaveLength(1)
})

test('ten messages of one conversation leave in order, one after the other', async () => {
  const ticketId = await openTicket()
  const ids: string[] = []
  for (let n = 0; n < 10; n += 1) ids.push(await send(ticketId, `passo-${n}-fim`))
  await reaches(ids[9] ?? '', 'sent')
  const order = sends().flatMap((one) => /passo-(\d)-fim/.exec(JSON.stringify(one.body))?.[1] ?? [])
  expect(order).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
})

test('a refusal that may pass is tried again and the next message waits behind it', async () => {
  const ticketId = await openTicket()
  sim.faults.next({ status: 503, match: (one) => JSON.stringify(one.body).includes('tente-de-novo') })
  const first = await send(ticketId, 'tente-de-novo')
  const second = await send(ticketId, 'depois-dela')
  await reaches(second, 'sent')
  expect((await messageOf(first)).status).toBe('sent')
  expect((await messageOf(first)).attempts).toBe(2)
})

test('429 with Retry-After is obeyed', async () => {
  sim.faults.next({
    status: 429,
    headers: { 'retry-after': '60' },
    match: (one) => JSON.stringify(one.body).includes('devagar'),
  })
  const id = await send(await openTicket(), 'devagar')
  const row = await until(async () => {
    const now = await messageOf(id)
    return now.attempts === 1 && now.status === 'queued' && now
  })
  expect((row.nextAttemptAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(50_000)
  expect(row.error).toContain('Tentaremos de novo')
})

test('given up after its last try, it promises nothing more', async () => {
  const ticketId = await openTicket()
  sim.faults.next({ status: 503, match: (one) => JSON.stringify(one.body).includes('nunca-vai') })
  const id = await storeMessage(ticketId, { body: 'nunca-vai', status: 'queued', attempts: maxAttempts - 1 })
  const row = await reaches(id, 'failed')
  expect(row.error).toBe(
    `O provedor está instável. Tentamos ${maxAttempts} vezes e paramos. Confira o canal e reenvie.`,
  )
})

test('accepted and then silence: uncertain, never sent again by itself; a person may resend', async () => {
  const ticketId = await openTicket()
  sim.faults.next({ afterAccepting: true, match: (one) => JSON.stringify(one.body).includes('sem-resposta') })
  const id = await send(ticketId, 'sem-resposta')
  const row = await reaches(id, 'uncertain')
  expect(row.error).toContain('Entrega incerta')
  expect(bodiesTo(id)).toHaveLength(1)

  expect(await as(tenant.agent).post(`/messages/${id}/resend`)).toMatchObject({
    status: 200,
    body: { status: 'queued', error: null },
  })
  await reaches(id, 'sent')
  expect(bodiesTo(id)).toHaveLength(2)
  expect(await as(tenant.agent).post(`/messages/${id}/resend`)).toMatchObject({
    status: 409,
    body: { error: 'ERR_MESSAGE_NOT_RESENDABLE' },
  })
})

test('a final refusal fails in Portuguese, marks the contact, and lets the next one go', async () => {
  const ticketId = await openTicket()
  sim.faults.next({
    status: 400,
    body: { error: { code: 131026, message: 'x' } },
    match: (one) => JSON.stringify(one.body).includes('sem-whatsapp'),
  })
  const id = await send(ticketId, 'sem-whatsapp')
  const row = await reaches(id, 'failed')
  expect(row.error).toContain('Não conseguimos entregar')
  const reasonNow = async () => {
    const [phone] = await withTenant(tenant.tenantId, (tx) =>
      tx.db.select().from(schema.contactIdentities).where(eq(schema.contactIdentities.contactId, row.contactId)),
    )
    return phone?.unreachableReason
  }
  expect(await reasonNow()).toBe(row.error)
  await reaches(await send(ticketId, 'segue'), 'sent')

  // Somebody knows better and tries again: what refused then is not held against the contact now.
  await as(tenant.agent).post(`/messages/${id}/resend`)
  await reaches(id, 'sent')
  expect(await reasonNow()).toBeNull()
})

test('who refused advertising at Meta has it in the ledger once, and is reached all the same', async () => {
  const ticketId = await openTicket()
  const refuse = async (text: string) => {
    sim.faults.next({
      status: 400,
      body: { error: { code: 131050, message: 'x' } },
      match: (one) => JSON.stringify(one.body).includes(text),
    })
    return reaches(await send(ticketId, text), 'failed')
  }
  const { error: proof, contactId } = await refuse('promo-1')
  await refuse('promo-2')
  const { body } = await as(tenant.agent).get(`/contacts/${contactId}/consents`)
  expect(body.items).toMatchObject([
    { channel: 'waba', purpose: 'marketing', isGiven: false, source: 'provider', proof },
  ])
  await reaches(await send(ticketId, 'atendimento'), 'sent')
})

test('a revoked token puts the connection in error', async () => {
  sim.faults.next({
    status: 401,
    body: { error: { code: 190, message: 'x' } },
    match: (one) => JSON.stringify(one.body).includes('token-vencido'),
  })
  await reaches(await send(await openTicket(), 'token-vencido'), 'failed')
  await until(async () => {
    const [row] = await withTenant(tenant.tenantId, (tx) =>
      tx.db.select().from(schema.connections).where(eq(schema.connections.id, connectionId)),
    )
    return row?.status === 'ERROR' && row
  })
})

test('a message whose sender died between claim and record becomes uncertain, not sent', async () => {
  const ticketId = await openTicket()
  const id = await storeMessage(ticketId, {
    body: 'meio do caminho',
    status: 'sending',
    claimedBy: 'outra-maquina:1:x',
    claimedAt: new Date(Date.now() - 60_000),
    attempts: 1,
  })
  const next = await send(ticketId, 'atrás dela')
  await reaches(id, 'uncertain')
  await reaches(next, 'sent')
  expect(bodiesTo(id)).toHaveLength(0)
})

test('what one company sent ends nothing of another company’s message with the same id (T08)', async () => {
  const other = await seedTenant()
  const theirs = await startWaba(kit, other)
  theirs.sim.policy.hasWindow = false
  theirs.sim.setWebhook(undefined)
  const id = v7()
  const slow = await openTicket()
  sim.faults.next({ delayMs: 4_000, match: (one) => JSON.stringify(one.body).includes('demora a chegar') })
  await send(slow, 'demora a chegar', { id })
  await until(async () => bodiesTo(id).length === 1)

  const quick = await openTicket(other, theirs.connectionId)
  expect(await as(other.agent).post(`/messages/${quick}`, { id, body: 'chega logo' })).toMatchObject({ status: 200 })
  const inOther = () => withTenant(other.tenantId, (tx) => tx.db.select().from(schema.messages))
  await until(async () => (await inOther())[0]?.status === 'sent')
  // Longer ago than the rescue waits for what nobody has in hand.
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .update(schema.messages)
      .set({ claimedAt: new Date(Date.now() - 20_000) })
      .where(eq(schema.messages.id, id)),
  )
  await reaches(id, 'sent')
  expect(bodiesTo(id)).toHaveLength(1)
}, 20_000)

test('a note is never sent by anyone', async () => {
  const ticketId = await openTicket()
  const note = await send(ticketId, 'só para a equipe', { type: 'note' })
  const after = await send(ticketId, 'para o cliente')
  await reaches(after, 'sent')
  expect((await messageOf(note)).status).toBe('received')
  expect(bodiesTo('só para a equipe')).toHaveLength(0)
})

test('a channel whose settings cannot be read any more says so at its messages, and needs nobody to wait', async () => {
  const config = {
    appSecret: 'v1.selado-sob-uma-chave-perdida',
    phoneNumberId: '1',
    wabaId: '1',
    verifyToken: 'palavra',
  }
  const lost = await kit.createConnection(tenant, { kind: 'waba', config })
  const contactId = await createContact(tenant, { number: String(number++) })
  const ticketId = await createTicket(tenant, { contactId, connectionId: lost, userId: tenant.agent.id })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.tickets).set({ lastInboundAt: new Date() }).where(eq(schema.tickets.id, ticketId)),
  )
  const row = await reaches(await send(ticketId, 'pela conexão perdida'), 'failed')
  expect(row.error).toContain('página de canais')
  await expect.poll(async () => (await as(tenant.admin).get(`/whatsapp/${lost}`)).body.status).toBe('ERROR')
  expect(await as(tenant.agent).post(`/hooks/waba/${lost}`, {})).toMatchObject({
    status: 409,
    body: { error: 'ERR_WAPP_NOT_INITIALIZED' },
  })
})
