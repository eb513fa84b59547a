import { startUazapiSimulator } from '@balcao/simulators/uazapi.ts'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { restoreAfter } from '../../../../test/restore.ts'
import { ChannelError } from '../../../channels/adapter.ts'

const { app, as, seedTenant, createConnection, withTenant, schema } = await startTestApp()
const { loadAdapter } = await import('../../../channels/index.ts')
const { ingest, settleInbound } = await import('../../intake/inbound/inbound.service.ts')
const { keepStanding } = await import('../../channels/connections/connect.ts')
const { fetchDuePictures, wantAccountPictures } = await import('./pictures.loop.ts')
const simulator = await startUazapiSimulator({ adminToken: 'x' })
const telegram = await loadAdapter('telegram')
restoreAfter(telegram)
afterAll(() => simulator.close())

const seed = async () => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant, {
    kind: 'telegram',
    config: { botToken: '7000000001:AAtoken-de-teste-0123456789' },
  })
  const write = async (person: string) => {
    await ingest(tenant.tenantId, connectionId, [
      {
        kind: 'message',
        providerId: `m-${person}-${Math.random()}`,
        from: { identities: [{ kind: 'telegram', value: `${tenant.tenantId}${person}` }], name: `Pessoa ${person}` },
        fromMe: false,
        timestamp: new Date(),
        content: { type: 'text', body: 'oi' },
      },
    ])
    await settleInbound()
  }
  const rows = () =>
    withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.pictures).orderBy(schema.pictures.id))
  const change = (set: ReturnType<typeof sql>) =>
    withTenant(tenant.tenantId, (tx) => tx.db.execute(sql`update pictures set ${set}`))
  const contact = async () => (await as(tenant.admin).get('/contacts')).body.items[0]
  return { ...tenant, connectionId, write, rows, change, contact }
}

const shows = (pictureUrl: () => string | undefined) =>
  Object.assign(telegram, { profile: async () => ({ pictureUrl: pictureUrl() }) })
const get = (url: string, token?: string) =>
  app.inject({ method: 'GET', url, headers: token ? { authorization: `Bearer ${token}` } : {} })

test('who writes for the first time is shown with their picture, to their company alone; asked again weekly', async () => {
  const { admin, write, rows, change, contact } = await seed()
  let shown: string | undefined = `${simulator.url}/faces/ana`
  let asked = 0
  shows(() => {
    asked += 1
    return shown
  })
  await write('1')
  expect(await fetchDuePictures()).toMatchObject({ did: 1 })
  const { profilePicUrl, version } = await contact()
  const [row] = await rows()
  expect(profilePicUrl).toBe(`/api/pictures/${row?.fileId}`)
  const picture = await get(profilePicUrl, admin.token)
  expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/webp'])
  const { admin: stranger } = await seedTenant()
  expect((await get(profilePicUrl, stranger.token)).statusCode).toBe(404)
  expect((await get(profilePicUrl)).statusCode).toBe(401)

  await write('1')
  expect(await fetchDuePictures()).toMatchObject({ did: 0 })
  expect(asked).toBe(1)

  // The same picture is kept as it is, another one takes its place, none takes it away.
  const again = async () => {
    await change(sql`due_at = now() - interval '1 second'`)
    await fetchDuePictures()
    return contact()
  }
  expect(await again()).toMatchObject({ profilePicUrl, version })
  shown = `${simulator.url}/faces/ana-de-oculos`
  const other = (await again()).profilePicUrl
  expect(other).toMatch(/^\/api\/pictures\//)
  expect(other).not.toBe(profilePicUrl)
  expect((await get(profilePicUrl, admin.token)).statusCode).toBe(404)
  shown = undefined
  expect((await again()).profilePicUrl).toBeNull()
})

test('many who write at once are asked for one after the other', async () => {
  const { write, rows } = await seed()
  shows(() => undefined)
  for (const person of ['1', '2', '3', '4']) await write(person)
  const times = (await rows()).map(({ dueAt }) => dueAt?.getTime() ?? 0)
  for (const [n, time] of times.slice(1).entries()) expect(time - (times[n] ?? 0)).toBeGreaterThanOrEqual(2_990)
})

test('a provider that does not answer is asked three times; what is no picture is none', async () => {
  const { write, rows, change, contact } = await seed()
  Object.assign(telegram, {
    profile: async () => {
      throw new ChannelError('retry', 'O provedor não respondeu.')
    },
  })
  await write('1')
  for (const left of [true, true, false]) {
    await fetchDuePictures()
    const [row] = await rows()
    expect(row?.dueAt !== null && Number(row?.dueAt) > Date.now() + 500_000).toBe(left)
    if (left) await change(sql`due_at = now() - interval '1 second'`)
  }
  shows(() => `${simulator.url}/nada`)
  await change(sql`due_at = now() - interval '1 second', attempts = 0`)
  await fetchDuePictures()
  expect((await contact()).profilePicUrl).toBeNull()
})

test('the account of a channel has its picture on the card, also after the provider tells of it again', async () => {
  const { tenantId, connectionId, admin } = await seed()
  const row = { tenantId, id: connectionId }
  const tell = (name: string) =>
    keepStanding(row, { status: 'CONNECTED', text: '', account: { name, pictureUrl: `${simulator.url}/faces/loja` } })
  const card = async () => (await as(admin).get(`/whatsapp/${connectionId}`)).body.account
  await tell('Loja')
  expect(await wantAccountPictures()).toEqual({ did: 1 })
  await fetchDuePictures()
  const { picture } = await card()
  expect((await get(picture, admin.token)).statusCode).toBe(200)
  await tell('Loja nova')
  expect(await card()).toMatchObject({ name: 'Loja nova', picture })
  expect(await wantAccountPictures()).toEqual({ did: 0 })
  await keepStanding(row, {
    status: 'CONNECTED',
    text: '',
    account: { name: 'Loja', pictureUrl: `${simulator.url}/faces/x` },
  })
  expect(await wantAccountPictures()).toEqual({ did: 1 })
})

test('who is erased while their name is asked for is not made anew by the answer (T64)', async () => {
  const { admin, write, contact } = await seed()
  const profile = vi.fn(async () => {
    const { id } = await contact()
    expect((await as(admin).delete(`/contactsforce/${id}`)).status).toBe(204)
    return { name: 'Ana' }
  })
  Object.assign(telegram, { profile })
  await write('1')
  await fetchDuePictures()
  expect(profile).toHaveBeenCalledOnce()
  expect(await contact()).toBeUndefined()
})
