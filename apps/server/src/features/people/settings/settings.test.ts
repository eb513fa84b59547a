import { alwaysOpen } from '@balcao/contract/core/business-hours.ts'
import { defaultSettings } from '@balcao/contract/people/settings.ts'
import sharp from 'sharp'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { app, as, createUser, seedTenant, schema, withTenant } = await startTestApp()
const { storeFile } = await import('../../core/media/media.service.ts')

test('settings begin with their defaults; a change touches only what it names, and is told and recorded', async () => {
  const tenant = await seedTenant()
  expect((await as(tenant.agent).get('/settings')).body).toEqual({
    ...defaultSettings,
    timezone: 'America/Sao_Paulo',
    logoMediaId: null,
    logoUrl: null,
  })
  expect((await as(tenant.admin).put('/settings', { nullticket: true })).body).toMatchObject({
    nullticket: true,
    userCreation: true,
  })
  await Promise.all([
    as(tenant.admin).put('/settings', { signed: true }),
    as(tenant.admin).put('/settings', { supervisorAdmin: true }),
  ])
  expect((await as(tenant.agent).get('/settings')).body).toMatchObject({
    nullticket: true,
    signed: true,
    supervisorAdmin: true,
  })
  const audit = (await as(tenant.admin).get('/audit?entity=settings')).body.items
  expect(audit.at(-1)).toMatchObject({
    action: 'update',
    entityId: 'nullticket',
    user: { id: tenant.admin.id },
    before: { nullticket: false },
    after: { nullticket: true },
  })
  const [event] = await withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(schema.outbox).orderBy(schema.outbox.seq),
  )
  expect(event).toMatchObject({ name: 'settings.updated', payload: { keys: ['nullticket'] } })
})

test('unknown or badly typed settings are refused, and so are those who may not', async () => {
  const tenant = await seedTenant()
  const put = (body: unknown) => as(tenant.admin).put('/settings', body)
  for (const body of [
    { nullticket: 'enabled' },
    { inventada: true },
    { systemColors: [{ label: 'primary', value: 'red' }] },
    { holidays: [{ date: '31/12/2026', description: '', active: true }] },
    { autoCloseMessage: 'Tchau, {{nome}}' },
    { callRejectMessage: 'Não atendemos, {{nome}}' },
    { autoCloseMessage: 'Veja em {{link}}' },
    { protocolMessage: '{{protocolo}} em {{link}}' },
    { messageBusinessHours: '{{saudacão}}, voltamos às 8h' },
  ]) {
    expect((await put(body)).status).toBe(422)
  }
  for (const user of [tenant.agent, tenant.supervisor]) {
    expect((await as(user).put('/settings', { signed: true })).status).toBe(403)
    expect((await as(user).put('/settings/timezone', { timezone: 'America/Manaus' })).status).toBe(403)
    expect((await as(user).get('/audit')).status).toBe(403)
  }
})

test('the paths of the specification are views of the same settings', async () => {
  const tenant = await seedTenant()
  const admin = as(tenant.admin)
  const hours = alwaysOpen.map((day) => ({ ...day, type: 'H' as const }))
  expect((await admin.put('/tenants/business-hours/', hours)).body.businessHours).toEqual(hours)
  expect((await admin.put('/tenants/business-hours/', { businessHours: alwaysOpen })).body.businessHours).toEqual(
    alwaysOpen,
  )
  await admin.put('/tenants/message-business-hours/', { messageBusinessHours: 'Voltamos às 8h.' })
  const holidays = [{ date: '2026-12-25', description: 'Natal', active: true }]
  await admin.put('/tenants/holidays/', holidays)
  expect((await as(tenant.agent).get('/tenants/business-hours/')).body).toEqual({
    businessHours: alwaysOpen,
    messageBusinessHours: 'Voltamos às 8h.',
    holidays,
    timezone: 'America/Sao_Paulo',
  })
  const colors = [{ label: 'primary', value: '#123456' }]
  await admin.put('/tenants/systemColors/', colors)
  expect((await as(tenant.agent).get('/tenants/systemColors/')).body).toEqual(colors)
  expect((await app.inject({ url: '/api/publicSystemColors' })).json()).toEqual([
    { label: 'primary', value: '#0b7a75' },
  ])
  expect((await admin.put('/tenants/holidays/', { holidays: 'nenhum' })).status).toBe(422)
  for (const [transbordo, isOn] of [
    ['enabled', true],
    ['disabled', false],
    [true, true],
  ])
    expect((await admin.put('/tenantsServiceTransfer', { transbordo })).body.transbordo).toBe(isOn)
  expect((await admin.put('/tenantsServiceTransfer', { transbordo: 'talvez' })).status).toBe(422)
  expect((await admin.put('/tenantsWalletExternal', { carteiraExterna: 'enabled' })).body.carteiraExterna).toBe(true)
  expect((await as(tenant.agent).put('/tenantsWalletExternal', { carteiraExterna: false })).status).toBe(403)
  expect((await as(tenant.agent).put('/tenants/holidays/', [])).status).toBe(403)
  expect((await admin.put('/settings/timezone', { timezone: 'America/Manaus' })).body.timezone).toBe('America/Manaus')
  expect((await admin.put('/settings/timezone', { timezone: 'Marte/Cratera' })).status).toBe(422)
})

test('two tabs edit the same setting: the second is told what is there now, and another setting is nobody’s conflict (T50)', async () => {
  const { admin } = await seedTenant()
  const put = (path: string, body: unknown) => as(admin).put(path, body)
  const { body: seen } = await as(admin).get('/settings')
  const { autoCloseMessage, pauseReasons, holidays } = seen
  expect((await put('/settings', { autoCloseMessage: 'Até logo', before: { autoCloseMessage } })).status).toBe(200)
  expect(await put('/settings', { autoCloseMessage: 'Tchau', before: { autoCloseMessage } })).toMatchObject({
    status: 409,
    body: {
      error: 'ERR_CONFLICT',
      details: { current: { autoCloseMessage: 'Até logo' }, changed: ['autoCloseMessage'] },
    },
  })
  expect((await put('/settings', { pauseReasons: ['Café'], before: { pauseReasons, autoCloseMessage } })).status).toBe(
    200,
  )

  const day = { description: 'Padroeira', date: '2027-10-12', active: true }
  const saved = await put('/tenants/holidays/', { holidays: [day], before: { holidays } })
  expect(saved.status).toBe(200)
  expect((await put('/tenants/holidays/', { holidays: [], before: { holidays } })).status).toBe(409)
  expect((await put('/tenants/holidays/', { holidays: [], before: { holidays: saved.body.holidays } })).status).toBe(
    200,
  )
  expect((await put('/settings', { signed: true, before: { nada: 1 } })).status).toBe(422)

  const two = await Promise.all(
    ['Um', 'Dois'].map((text) =>
      put('/settings', { protocolMessage: text, before: { protocolMessage: seen.protocolMessage } }),
    ),
  )
  expect(two.map((reply) => reply.status).sort()).toEqual([200, 409])
})

test('settings that contradict each other are refused at the switch that was turned on', async () => {
  const { admin } = await seedTenant()
  const put = (body: unknown) => as(admin).put('/settings', body)
  expect((await put({ NotViewAssignedTickets: true })).status).toBe(200)
  expect(await put({ nullticket: true })).toMatchObject({
    status: 422,
    body: {
      error: 'ERR_VALIDATION',
      details: [{ path: 'nullticket', message: expect.stringContaining('Esconder atendimentos de colegas') }],
    },
  })
  expect((await put({ NotViewTicketsChatBot: true })).status).toBe(422)
  expect((await put({ NotViewAssignedTickets: true, signed: true })).status).toBe(200) // it was on before
  expect((await put({ NotViewAssignedTickets: false, nullticket: true })).status).toBe(200)
  expect((await put({ NotViewTicketsChatBot: true, NotViewAssignedTickets: true })).status).toBe(422)
  const two = await Promise.all([
    put({ nullticket: false, NotViewTicketsChatBot: true }),
    put({ nullticket: false, NotViewAssignedTickets: true }),
  ])
  expect(two.map((reply) => reply.status).sort()).toEqual([200, 422])
})

test('whoever lost the menu of the hours cannot change them by the door of the other settings', async () => {
  const tenant = await seedTenant()
  const menuPermissions = { 'horario-atendimento': false }
  const limited = await createUser(tenant.tenantId, { profile: 'admin', menuPermissions })
  expect((await as(limited).put('/settings', { signed: true })).status).toBe(200)
  expect((await as(limited).put('/settings', { holidays: [] })).status).toBe(403)
  expect((await as(limited).put('/tenants/holidays', [])).status).toBe(403)
  expect((await as(tenant.admin).put('/settings', { holidays: [] })).status).toBe(200)
})

test('the logo is a picture of the company, seen by its people through a link that is made anew', async () => {
  const [tenant, other] = [await seedTenant(), await seedTenant()]
  const store = (tenantId: number, bytes: Uint8Array, name: string) => storeFile({ tenantId, bytes, name })
  const red = { width: 600, height: 300, channels: 4, background: '#cc342d' } as const
  const png = await sharp({ create: red }).png().toBuffer()
  const logo = await store(tenant.tenantId, png, 'logo.png')
  const theirs = await store(other.tenantId, png, 'logo.png')
  const text = await store(tenant.tenantId, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'logo.svg')
  const put = (mediaId: unknown, user = tenant.admin) => as(user).put('/settings/logo', { mediaId })

  for (const wrong of [theirs.id, text.id, v7()]) {
    expect(await put(wrong)).toMatchObject({ status: 422, body: { details: [{ path: 'mediaId' }] } })
  }
  expect((await put(logo.id, tenant.supervisor)).status).toBe(403)
  expect(await put(logo.id)).toMatchObject({ status: 200, body: { logoMediaId: logo.id } })

  const { logoUrl } = (await as(tenant.agent).get(`/users/${tenant.agent.id}`)).body.tenant
  expect((await as(tenant.agent).get('/auth/me')).body.tenant.logoUrl).toBe(logoUrl)
  const headers = { authorization: `Bearer ${tenant.agent.token}` }
  const picture = await app.inject({ url: logoUrl, headers })
  expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/webp'])
  expect((await app.inject({ url: logoUrl.replace(logo.id, theirs.id), headers })).statusCode).toBe(403)
  expect((await as(tenant.admin).get('/audit?entity=settings')).body.items[0]).toMatchObject({
    entityId: 'logo',
    before: { logo: null },
    after: { logo: logo.id },
  })

  expect((await put(null)).body).toMatchObject({ logoMediaId: null, logoUrl: null })
  expect((await as(tenant.agent).get('/auth/me')).body.tenant.logoUrl).toBeNull()
})

test('the record is read latest first, page by page, and only by its own company', async () => {
  const [tenant, other] = [await seedTenant(), await seedTenant()]
  for (let n = 0; n < 5; n += 1) await as(tenant.admin).put('/settings', { messageBusinessHours: `Texto ${n}` })
  const whole = (await as(tenant.admin).get('/audit')).body.items
  expect(whole.map((row: { after: { messageBusinessHours: string } }) => row.after.messageBusinessHours)).toEqual([
    'Texto 4',
    'Texto 3',
    'Texto 2',
    'Texto 1',
    'Texto 0',
  ])
  const first = (await as(tenant.admin).get('/audit?limit=2')).body
  const rest = (await as(tenant.admin).get(`/audit?cursor=${first.nextCursor}`)).body
  expect([...first.items, ...rest.items]).toEqual(whole)
  expect((await as(tenant.admin).get('/audit?cursor=WyJ4IiwieSJd')).status).toBe(422)
  expect((await as(other.admin).get('/audit')).body.items).toEqual([])
})
