import sharp from 'sharp'
import { v7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'
import { startWaba, until } from '../../conversations/messages/test-waba.ts'

const kit = await startTestApp()
const { as, seedTenant, createConnection, createContact, createTicket } = kit
const tenant = await seedTenant()
const { agent } = tenant
await kit.listen()
const { sim, connectionId } = await startWaba(kit, tenant)
sim.shop.flows.push(
  { id: '771', name: 'Agendar visita', status: 'PUBLISHED' },
  { id: '772', name: 'Rascunho', status: 'DRAFT' },
)
const { storeFile } = await import('../../core/media/media.service.ts')
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const sender = await startTestWorkers('sender')
// Before anything closes: what is on its way is still recorded, and told of.
afterAll(async () => {
  await sender.stop()
  await sim.idle()
})

const customer = sim.customer({ waId: '5511977770001', name: 'Ana Lima' })
const contactId = await createContact(tenant, { number: customer.id })
const ticketId = await createTicket(tenant, { contactId, connectionId, userId: agent.id })
await customer.sendText('oi')

const send = (interactive: object, body = 'Veja') =>
  as(agent).post(`/messages/${ticketId}`, { id: v7(), type: 'buttons', body, interactive })
const lastOnPhone = () => until(async () => customer.inbox.at(-1))

test('an agent sees the published forms and the products of the connected catalogue, where the channel has them', async () => {
  expect(await as(agent).get(`/whatsapp/${connectionId}/forms`)).toMatchObject({
    status: 200,
    body: { items: [{ id: '771', name: 'Agendar visita' }] },
  })
  const catalog = async (query = '') => (await as(agent).get(`/whatsapp/${connectionId}/catalog${query}`)).body
  expect(await catalog()).toEqual({ id: null, products: [] })
  sim.shop.catalogId = '8800'
  sim.shop.products.push(
    { retailer_id: 'SKU-1', name: 'Camiseta', price: 'R$ 49,90' },
    { retailer_id: 'SKU-2', name: 'Calça', price: 'R$ 159,00' },
  )
  expect(await catalog('?searchParam=CAMI')).toEqual({
    id: '8800',
    products: [{ id: 'SKU-1', name: 'Camiseta', price: 'R$ 49,90', pictureUrl: null }],
  })
  const other = await createConnection(tenant)
  expect((await as(agent).get(`/whatsapp/${other}/forms`)).body.error).toBe('ERR_CHANNEL_UNSUPPORTED')
})

test('a form is sent by its id and comes back under the message that asked for it', async () => {
  const asked = await send({ kind: 'form', button: 'Agendar', form: { id: '771', name: 'Agendar visita' } })
  expect(asked).toMatchObject({ status: 200, body: { payload: { interactive: { kind: 'form' } } } })
  await until(async () => customer.inbox.length === 1)
  const line = await lastOnPhone()
  expect(line).toMatchObject({ text: expect.stringContaining('Veja'), buttons: [{ id: 'flow', title: 'Agendar' }] })
  await customer.press(line.id, 'flow')
  const answer = await until(async () =>
    (await as(agent).get(`/messages/${ticketId}`)).body.items.find(
      (one: { quoted: { id: string } | null }) => one.quoted?.id === asked.body.id,
    ),
  )
  expect(answer.payload).toEqual({
    form: [
      { field: 'Nome', value: 'Ana Lima' },
      { field: 'Quando', value: 'Sábado' },
    ],
  })
  const found = await as(agent).get('/searchMessage?searchParam=sábado')
  expect(found.body.items).toMatchObject([{ id: answer.id }])
})

test('what is not whole is refused with its field before anything leaves', async () => {
  const problem = async (interactive: object) => (await send(interactive)).body.details?.[0].path
  expect(await problem({ kind: 'link', button: 'Abrir' })).toBe('interactive.url')
  expect(await problem({ kind: 'link', button: 'Abrir', url: 'javascript:alert(1)' })).toBe('interactive.url')
  expect(await problem({ kind: 'form', button: 'Abrir' })).toBe('interactive.form')
  expect(await problem({ kind: 'products' })).toBe('interactive.catalog')
  expect(await problem({ kind: 'buttons', options: [] })).toBe('interactive.options')
  const products = ['SKU-1', 'SKU-2'].map((id) => ({ id, name: id }))
  const catalog = { id: '8800', sections: [{ title: '', products }] }
  expect(await problem({ kind: 'products', catalog })).toBe('interactive.header')
  expect((await send({ kind: 'products', header: 'Novos', catalog })).status).toBe(200)
  const line = await until(async () => customer.inbox.find(({ header }) => header === 'Novos'))
  await customer.press(line.id, 'product:SKU-2')
  const order = await until(async () =>
    (await as(agent).get(`/messages/${ticketId}`)).body.items.find(
      (one: { payload: { order?: object } | null }) => one.payload?.order,
    ),
  )
  expect(order.payload.order).toMatchObject({ items: [{ id: 'SKU-2', quantity: 1, unitCents: 4990, currency: 'BRL' }] })
})

test('a channel without them says a link in words, and refuses a form', async () => {
  const plain = await createConnection(tenant)
  const id = await createTicket(tenant, {
    contactId: await createContact(tenant),
    connectionId: plain,
    userId: agent.id,
  })
  const post = (interactive: object) =>
    as(agent).post(`/messages/${id}`, { id: v7(), type: 'buttons', body: 'Veja', interactive })
  const link = { kind: 'link', button: 'Abrir', url: 'https://loja.com.br' }
  expect((await post(link)).status).toBe(200)
  expect((await post({ kind: 'form', button: 'Abrir', form: { id: '1', name: '' } })).body.error).toBe(
    'ERR_CHANNEL_UNSUPPORTED',
  )
})

test('every send has a call of its own name, to the same door', async () => {
  const call = (name: string, body: object) => as(agent).post(`/wabameta${name}/${connectionId}`, { ticketId, ...body })
  const file = await storeFile({ tenantId: tenant.tenantId, userId: agent.id, bytes: png, name: 'foto.png' })
  const webp = await sharp(png).webp().toBuffer()
  const sticker = await storeFile({ tenantId: tenant.tenantId, userId: agent.id, bytes: webp, name: 'figurinha.webp' })
  const options = [{ id: 'a', title: 'Pix' }]
  const sends: [string, object][] = [
    ['Text', { body: 'Olá' }],
    ['File', { mediaId: file.id, type: 'image' }],
    ['Button', { body: 'Como?', options }],
    ['ReplyButtons', { body: 'Como?', options }],
    ['List', { body: 'Como?', button: 'Ver', options }],
    ['CTAURL', { body: 'Veja', button: 'Abrir', url: 'https://loja.com.br' }],
    ['Flow', { body: 'Marque', button: 'Abrir', form: { id: '771', name: '' } }],
    ['Address', { body: 'Onde?', country: 'SG' }],
    ['Location', { location: { latitude: -23.5, longitude: -46.6 } }],
    ['LocationRequest', { body: 'Onde você está?' }],
    ['Sticker', { mediaId: sticker.id }],
  ]
  const before = customer.inbox.length
  for (const [name, body] of sends) expect(await call(name, body), name).toMatchObject({ status: 200 })
  await until(async () => customer.inbox.length === before + sends.length)
  await customer.sendText('Aqui')
  const heard = await until(async () =>
    (await as(agent).get(`/messages/${ticketId}`)).body.items.find((one: { body: string }) => one.body === 'Aqui'),
  )
  const reacted = await as(agent).post(`/wabametaReaction/${connectionId}`, { messageId: heard.id, emoji: '👍' })
  expect(reacted).toMatchObject({ status: 200, body: { id: heard.id } })
  expect((await call('FileUrl', { url: 'http://127.0.0.1:9/foto.png' })).body.details).toMatchObject([{ path: 'url' }])
  expect((await as(agent).get(`/wabametaTemplate/${connectionId}`)).body.items).toEqual([])
})

const productsAsked = () => sim.requests.filter(({ path }) => path.endsWith('/8800/products')).length
const orderWith = (words: string) =>
  until(async () =>
    (await as(agent).get(`/messages/${ticketId}`)).body.items.find((one: { body: string }) => one.body.includes(words)),
  )

test('an order says and shows what its catalogue calls the products, asked once; codes stay where it knows none', async () => {
  const [first] = sim.shop.products
  if (first) first.image_url = `${sim.url}/catalog-pictures/SKU-1`
  const before = productsAsked()
  await customer.sendOrder([
    { product_retailer_id: 'SKU-1', quantity: 2, item_price: 49.9, currency: 'BRL' },
    { product_retailer_id: 'SKU-9', quantity: 1, item_price: 10, currency: 'BRL' },
  ])
  const order = await orderWith('SKU-9')
  expect(order.payload.order).toMatchObject({
    catalogId: '8800',
    items: [
      { id: 'SKU-1', name: 'Camiseta' },
      { id: 'SKU-9', name: null },
    ],
  })
  expect(order.body.replaceAll('\u00a0', ' ')).toBe(
    'Pedido do catálogo:\n2 × Camiseta (R$ 49,90)\n1 × SKU-9 (R$ 10,00)\nTotal: R$ 109,80',
  )
  const found = await as(agent).get('/searchMessage?searchParam=camiseta')
  expect(found.body.items.map((one: { id: string }) => one.id)).toContain(order.id)

  const products = () => as(agent).get(`/messages/${order.id}/products`)
  const [one, two] = await Promise.all([products(), products()])
  expect(one).toMatchObject({
    status: 200,
    body: {
      items: [{ id: 'SKU-1', name: 'Camiseta', picture: expect.stringMatching(/^data:image\/webp;base64,/) }],
    },
  })
  expect(two.body).toEqual(one.body)
  expect(productsAsked()).toBe(before + 1)
  const stranger = await seedTenant()
  expect((await as(stranger.agent).get(`/messages/${order.id}/products`)).status).toBe(404)
})

test('an order whose catalogue does not answer arrives all the same, by its codes', async () => {
  sim.faults.next({ match: '/products', delayMs: 20_000 })
  await customer.sendOrder([{ product_retailer_id: 'SKU-7', quantity: 1.5, item_price: 10, currency: 'BRL' }])
  const order = await orderWith('SKU-7')
  sim.faults.clear()
  expect(order.body.replaceAll('\u00a0', ' ')).toBe('Pedido do catálogo:\n1,5 × SKU-7 (R$ 10,00)\nTotal: R$ 15,00')
})

test('a named send goes to a phone too: in the conversation that is open, else in a new one; refused, it opens none', async () => {
  const call = (body: object, who = agent) => as(who).post(`/wabametaText/${connectionId}`, { body: 'Olá', ...body })
  expect(await call({ number: '+55 (11) 97777-0001' })).toMatchObject({ status: 200, body: { ticketId } })

  const nobody = '5511977770002'
  expect((await call({ number: nobody })).body.error).toBe('ERR_WINDOW_CLOSED')
  expect((await as(tenant.admin).get(`/contacts?searchParam=${nobody}`)).body.items).toEqual([])

  const other = sim.customer({ waId: '5511977770003', name: 'Bia Rocha' })
  await other.sendText('vocês entregam?')
  const waiting = await until(async () =>
    (await as(tenant.admin).get('/tickets?status=pending&showAll=true')).body.items.find(
      (one: { lastMessage: string }) => one.lastMessage === 'vocês entregam?',
    ),
  )
  const taken = await call({ number: '(11) 97777-0003' }, tenant.admin)
  expect(taken).toMatchObject({ status: 200, body: { ticketId: waiting.id } })
  expect((await as(tenant.admin).get(`/tickets/${waiting.id}`)).body).toMatchObject({
    status: 'open',
    userId: tenant.admin.id,
  })
  await until(async () => other.inbox.some(({ text }) => text?.includes('Olá')))

  const closed = await as(tenant.admin).put(`/tickets/${waiting.id}`, { status: 'closed' })
  expect(closed.status).toBe(200)
  const again = await call({ number: '11977770003' }, tenant.admin)
  expect(again.status).toBe(200)
  expect(again.body.ticketId).not.toBe(waiting.id)

  for (const wrong of [{}, { number: '123', ticketId }, { number: '99999999' }])
    expect(await call(wrong)).toMatchObject({ status: 422 })
})
