import { eq } from 'drizzle-orm'
import { SignJWT } from 'jose'
import { expect, test, vi } from 'vitest'

process.env.SMTP_URL = 'smtp://127.0.0.1:9' // no mail leaves: what waits is read
const { startTestApp } = await import('../../../../test/kit.ts')
const { app, as, schema, seedTenant, withTenant, createConnection } = await startTestApp()
const { openContent } = await import('../../people/mail/outbox.ts')

const secret = 'segredo-de-identidade'
const world = async (config: object = {}) => {
  const company = await seedTenant()
  const connectionId = await createConnection(company, {
    config: { allowAnyDomain: true, identitySecret: secret, ...config },
  })
  return { ...company, connectionId }
}
const post = async (path: string, payload: object, token?: string) => {
  const headers = token ? { authorization: `Bearer ${token}` } : {}
  const reply = await app.inject({ method: 'POST', url: `/api/webchat${path}`, payload, headers })
  return { status: reply.statusCode, body: reply.body ? reply.json() : undefined }
}
const visit = async (connectionId: string, identity?: object) => {
  const { body } = await post('/session', { channelKey: `wc_${connectionId}`, origin: 'https://loja.com.br', identity })
  const call = (path: string, given: object) => post(path, given, body.accessToken)
  return {
    hasTranscript: body.config.hasTranscript as boolean,
    say: (text: string) => call('/messages', { clientId: crypto.randomUUID(), text }),
    ask: (email: string) => call('/transcript', { email, language: 'pt-BR' }),
    confirm: (email: string, challenge: string, code: string) =>
      call('/transcript/confirm', { email, challenge, code, language: 'pt-BR' }),
  }
}
const mailsTo = async (tenantId: number, to: string) => {
  const rows = await withTenant(tenantId, (tx) =>
    tx.db.select().from(schema.mails).where(eq(schema.mails.to, to)).orderBy(schema.mails.createdAt, schema.mails.id),
  )
  return rows.map((row) => ({ kind: row.kind, ...openContent({ ...row, content: row.content ?? '' }) }))
}
const codeIn = (mail: { paragraphs: string[] } | undefined) => mail?.paragraphs.at(-1) ?? ''

test('goes to the address whose code was told, with what the visitor sees and nothing of the team’s own', async () => {
  const { tenantId, admin, connectionId } = await world()
  const visitor = await visit(connectionId)
  expect(visitor.hasTranscript).toBe(true)
  expect(await visitor.ask('ana@loja.com.br')).toMatchObject({ status: 422 })
  await visitor.say('Meu pedido não chegou')
  const [ticket] = (await as(admin).get('/tickets?status=pending')).body.items
  await as(admin).put(`/tickets/${ticket.id}`, { status: 'open', userId: admin.id })
  await as(admin).post(`/messages/${ticket.id}`, { id: crypto.randomUUID(), type: 'note', body: 'Cliente difícil' })

  const { body } = await visitor.ask(' Ana@loja.com.br ')
  const [told] = await mailsTo(tenantId, 'ana@loja.com.br')
  expect(told).toMatchObject({ kind: 'transcriptCode' })
  expect(codeIn(told)).toMatch(/^\d{6}$/)
  expect(body.challenge).not.toContain(codeIn(told))

  expect(await visitor.confirm('outra@loja.com.br', body.challenge, codeIn(told))).toMatchObject({ status: 422 })
  const stranger = await visit(connectionId)
  await stranger.say('Oi')
  expect(await stranger.confirm('ana@loja.com.br', body.challenge, codeIn(told))).toMatchObject({ status: 422 })
  expect(await visitor.confirm('ana@loja.com.br', body.challenge, codeIn(told))).toMatchObject({ status: 204 })
  expect(await visitor.confirm('ana@loja.com.br', body.challenge, codeIn(told))).toMatchObject({ status: 422 })

  const [, copy, ...more] = await mailsTo(tenantId, 'ana@loja.com.br')
  expect(more).toEqual([])
  expect(copy?.kind).toBe('transcript')
  expect(copy?.paragraphs.join('\n')).toContain('Meu pedido não chegou')
  expect(copy?.paragraphs.join('\n')).not.toContain('Cliente difícil')
})

test('a code is good for ten minutes and five tries, and an address is not written to without end', async () => {
  const { tenantId, connectionId } = await world()
  const visitor = await visit(connectionId)
  await visitor.say('Oi')
  const to = 'bia@loja.com.br'
  const first = (await visitor.ask(to)).body.challenge
  const code = codeIn((await mailsTo(tenantId, to))[0])
  vi.useFakeTimers({ now: Date.now() + 11 * 60_000, toFake: ['Date'] })
  expect((await visitor.confirm(to, first, code)).status).toBe(422)
  vi.useRealTimers()

  const second = (await visitor.ask(to)).body.challenge
  const wrong = code === '000000' ? '000001' : '000000'
  for (let tries = 0; tries < 5; tries += 1) expect((await visitor.confirm(to, second, wrong)).status).toBe(422)
  expect((await visitor.confirm(to, second, codeIn((await mailsTo(tenantId, to))[1]))).status).toBe(429)

  await visitor.ask(to)
  expect((await visitor.ask(to)).status).toBe(429)
})

test('goes straight to the address the site signed for, and is not there where the company does not offer it', async () => {
  const { tenantId, connectionId } = await world()
  const signed = (email: string) =>
    new SignJWT({ sub: '77', email })
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience(`wc_${connectionId}`)
      .setExpirationTime('10m')
      .sign(new TextEncoder().encode(secret))
  const helena = await visit(connectionId, { jwt: await signed('helena@loja.com.br') })
  await helena.say('Sou eu')
  expect(await helena.ask('helena@loja.com.br')).toMatchObject({ status: 200, body: { challenge: null } })
  expect((await mailsTo(tenantId, 'helena@loja.com.br')).map(({ kind }) => kind)).toEqual(['transcript'])
  expect((await helena.ask('outra@loja.com.br')).body.challenge).not.toBeNull()

  const off = await visit((await world({ transcripts: false })).connectionId)
  await off.say('Oi')
  expect(off.hasTranscript).toBe(false)
  expect((await off.ask('x@loja.com.br')).status).toBe(403)
})
