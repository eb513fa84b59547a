import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'
import { startWaba, until } from '../../conversations/messages/test-waba.ts'

const kit = await startTestApp()
const { as, seedTenant, createConnection, createContact, createTicket } = kit
const { checkDue } = await import('./check.loop.ts')
const tenant = await seedTenant()
const { admin, agent } = tenant
await kit.listen()
const { sim, connectionId } = await startWaba(kit, tenant)

const connection = async () => (await as(admin).get(`/whatsapp/${connectionId}`)).body
const profile = {
  about: 'Estamos aqui',
  address: 'Rua das Flores, 10',
  description: 'Roupas',
  email: 'oi@aurora.local',
  websites: ['https://aurora.local/'],
  vertical: 'APPAREL',
}

test('the public profile is read and changed at the provider; agents do not', async () => {
  expect(await as(admin).post(`/wabametaUpdateProfile/${connectionId}`, profile)).toMatchObject({
    status: 200,
    body: profile,
  })
  expect(sim.account.profile).toMatchObject(profile)
  expect((await as(admin).get(`/wabametaGetProfile/${connectionId}`)).body).toMatchObject({
    ...profile,
    pictureUrl: null,
  })
  sim.account.profile.profile_picture_url = `${sim.url}/picture/1`
  expect((await as(admin).get(`/wabametaGetProfile/${connectionId}`)).body.pictureUrl).toMatch(
    /^data:image\/webp;base64,/,
  )
  expect(await as(admin).post(`/wabametaUpdateProfile/${connectionId}`, { ...profile, email: 'x' })).toMatchObject({
    status: 422,
    body: { details: [{ path: 'email' }] },
  })
  expect((await as(agent).get(`/wabametaGetProfile/${connectionId}`)).status).toBe(403)
  const other = await createConnection(tenant)
  expect((await as(admin).get(`/wabametaGetProfile/${other}`)).body.error).toBe('ERR_CHANNEL_UNSUPPORTED')
})

test('a number is confirmed by its code and registered with its PIN; a wrong one is said in words', async () => {
  const call = (name: string, body: object = {}) => as(admin).post(`/wabameta${name}/${connectionId}`, body)
  expect((await call('RequestVerificationCode', { method: 'VOICE' })).status).toBe(204)
  expect((await as(admin).get(`/wabametaVerifyPhone/${connectionId}`)).body).toMatchObject({ isVerified: false })
  sim.account.isRegistered = false
  await as(admin).post(`/whatsapp/${connectionId}/test`)
  expect((await connection()).statusText).toContain('Falta registrar o número')
  expect((await call('RegisterPhone', { pin: '123456' })).body.message).toContain('confirme o número')
  expect((await call('VerifyCode', { code: '000000' })).body.message).toContain('código não é')
  expect((await call('VerifyCode', { code: sim.account.code })).status).toBe(204)
  expect((await call('RegisterPhone', { pin: '123456' })).status).toBe(204)
  expect((await connection()).statusText).not.toContain('Falta registrar')
  expect((await as(admin).put(`/wabametaPin/${connectionId}`, { pin: '654321' })).status).toBe(204)
  expect((await call('RegisterPhone', { pin: '123456' })).body.message).toContain('PIN não é')
  expect(sim.account.pin).toBe('654321')
  const server = { hostname: 'sip.aurora.example', port: 5061 }
  expect((await call('ConfigureSIP', { isEnabled: true })).body.details).toMatchObject([{ path: 'server' }])
  expect((await call('ConfigureSIP', { isEnabled: true, server })).status).toBe(204)
  expect(sim.account.calling).toEqual({ status: 'ENABLED', sip: { status: 'ENABLED', servers: [server] } })
})

test('its grade, limit and pace stand on the card, and what Meta says until somebody has read it', async () => {
  sim.account.quality = 'YELLOW'
  sim.account.throughput = 'HIGH'
  await sim.emitChange('phone_number_quality_update', {
    display_phone_number: '551140001000',
    event: 'FLAGGED',
    current_limit: 'TIER_2K',
  })
  const alerted = await until(async () => {
    const one = await connection()
    return one.alerts.length > 0 && one
  })
  expect(alerted.alerts).toMatchObject([{ isSerious: true, text: expect.stringContaining('qualidade do número') }])
  await until(async () => {
    await checkDue()
    return (await connection()).health?.quality === 'Média'
  })
  expect((await connection()).health).toMatchObject({ tier: '2K', perSecond: 1_000 })
  const bell = await until(async () =>
    (await as(admin).get('/notifications')).body.items.find(({ title }: { title: string }) => title.includes('Meta')),
  )
  expect(bell).toMatchObject({ kind: 'channel' })
  expect((await as(agent).get('/whatsapp')).body.items[0].alerts).toEqual([])
  expect((await as(admin).delete(`/whatsapp/${connectionId}/alerts`)).status).toBe(204)
  expect((await connection()).alerts).toEqual([])
})

test('what a delivered message costs is kept once, by country and category, and summed at the prices of the table', async () => {
  const sender = await startTestWorkers('sender')
  try {
    const abroad = sim.customer({ waId: '351912345678' })
    for (const customer of [sim.customer({ waId: '5511977776666' }), abroad]) {
      const contactId = await createContact(tenant, { number: customer.id })
      const id = await createTicket(tenant, { contactId, connectionId, userId: agent.id })
      await customer.sendText('oi')
      await until(async () => (await as(agent).get(`/messages/${id}`)).body.items.length > 0)
      expect((await as(agent).post(`/messages/${id}`, { id: v7(), body: 'Olá!' })).status).toBe(200)
    }
    const month = new Date().toISOString().slice(0, 7)
    const costs = await until(async () => {
      const { body } = await as(admin).get(`/message-costs?month=${month}`)
      return body.items.length === 2 && body
    })
    for (const line of abroad.inbox) await sim.emitStatus(line.id, 'read')
    expect(costs).toMatchObject({
      items: [
        { connectionId, country: 'BR', category: 'SERVICE', charged: 1, price: 374, total: 374 },
        { country: 'PT', category: 'SERVICE', charged: 1, price: null, total: null },
      ],
      total: 374,
      unpriced: 1,
    })
    expect((await as(admin).get(`/message-costs?month=${month}`)).body).toEqual(costs)
    expect((await as(agent).get(`/message-costs?month=${month}`)).status).toBe(403)
  } finally {
    await sender.stop()
  }
})

test('whoever is blocked here is blocked at the provider, until the number is taken off the list', async () => {
  await as(admin).post(`/whatsapp/${connectionId}/test`, {})
  const { body } = await as(admin).post('/blockedNumbers', { number: '11988887777' })
  await until(async () => sim.account.blocked.has('5511988887777'))
  await as(admin).delete(`/blockedNumbers/${body.id}`)
  await until(async () => !sim.account.blocked.has('5511988887777'))
})
