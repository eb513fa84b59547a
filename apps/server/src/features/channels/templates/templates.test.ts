import type { TemplateInput } from '@balcao/simulators/waba/templates.ts'
import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'
import { startWaba, until } from '../../conversations/messages/test-waba.ts'

const kit = await startTestApp()
const { as, seedTenant, createContact, createConnection, createTicket, withTenant, schema } = kit
const { syncDue } = await import('./templates.loop.ts')
const { replaceTemplates } = await import('./templates.queries.ts')
const { storeFile } = await import('../../core/media/media.service.ts')

const tenant = await seedTenant({
  settings: { templatePrices: { MARKETING: 3_438, UTILITY: 374, AUTHENTICATION: 374 } },
})
const { tenantId, agent, admin } = tenant
await kit.listen() // the bell hears of a verdict
const { sim, connectionId, url } = await startWaba(kit, tenant)
let number = 5511910000000

const order: TemplateInput = {
  name: 'pedido_enviado',
  language: 'pt_BR',
  category: 'UTILITY',
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'Pedido {{1}}', example: {} },
    { type: 'BODY', text: 'Oi {{1}}, seu pedido chega {{2}}.', example: {} },
    { type: 'FOOTER', text: 'Loja Aurora' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'URL', text: 'Rastrear', url: 'https://ex.com/{{1}}' },
        { type: 'QUICK_REPLY', text: 'Ok' },
      ],
    },
  ],
}
const offer: TemplateInput = {
  name: 'oferta',
  language: 'pt_BR',
  category: 'MARKETING',
  components: [
    { type: 'HEADER', format: 'IMAGE', example: {} },
    { type: 'BODY', text: 'Novidades na loja!' },
  ],
}
sim.addTemplate(order)
sim.addTemplate(offer)
sim.addTemplate({ ...order, name: 'em_analise' }, 'PENDING')
const filled = {
  name: 'pedido_enviado',
  language: 'pt_BR',
  header: ['42'],
  body: ['Ana', 'amanhã'],
  buttons: { 0: 'AB12' },
}

const sync = (more: object = {}) => as(admin).post('/templates/sync', { connectionId, ...more })
const list = async (query = '') => (await as(agent).get(`/templates?connectionId=${connectionId}${query}`)).body
const openTicket = async (of = connectionId) => {
  const phone = String(number++)
  const contactId = await createContact(tenant, { number: phone })
  const id = await createTicket(tenant, { contactId, connectionId: of, userId: agent.id })
  return { id, phone }
}
const send = (ticketId: string, more: object) =>
  as(agent).post(`/messages/${ticketId}`, { id: v7(), type: 'template', template: filled, ...more })
const received = (phone: string) => until(async () => sim.customer({ waId: phone }).inbox.at(-1))
const stored = async (id: string) => {
  const [row] = await withTenant(tenantId, (tx) =>
    tx.db
      .select()
      .from(schema.messages)
      .where(and(eq(schema.messages.tenantId, tenantId), eq(schema.messages.id, id))),
  )
  return row
}

const sender = await startTestWorkers('sender')
// Before the database closes: what is on its way is still recorded.
afterAll(() => sender.stop())
beforeAll(async () => {
  expect(await sync()).toMatchObject({ status: 200, body: { total: 3, approved: 2 } })
})

test('the list shows what a template says, its price and why some cannot be sent', async () => {
  expect((await list('&status=APPROVED')).items).toMatchObject([
    { name: 'oferta', category: 'MARKETING', price: 3_438, shape: { header: { kind: 'image' } }, obstacle: null },
    {
      name: 'pedido_enviado',
      price: 374,
      shape: {
        header: { kind: 'text', places: ['1'] },
        body: { places: ['1', '2'] },
        footer: 'Loja Aurora',
        buttons: [
          { kind: 'url', takesValue: true },
          { kind: 'reply', takesValue: false },
        ],
      },
    },
  ])
  expect((await list('&searchParam=CHEGA')).items.map((one: { name: string }) => one.name)).toEqual([
    'em_analise',
    'pedido_enviado',
  ])
  expect((await list('&searchParam=pedido enviado')).items).toHaveLength(1)
  const first = await list('&limit=2')
  expect(first).toMatchObject({ hasMore: true })
  expect((await list(`&limit=2&cursor=${first.nextCursor}`)).items).toMatchObject([{ name: 'pedido_enviado' }])
})

test('what the provider no longer has disappears, and what it changed is changed', async () => {
  const extra = Array.from({ length: 120 }, (_, at) => sim.addTemplate({ ...offer, name: `campanha_${at}` }))
  expect((await sync()).body).toEqual({ total: 123, approved: 122 }) // more than one page of the provider
  for (const one of extra) sim.templates.splice(sim.templates.indexOf(one), 1)
  await sync()
  expect((await list('&limit=200')).items).toHaveLength(3)
})

test('only whoever administers connections may ask the provider; only channels with templates are asked', async () => {
  expect(await as(agent).post('/templates/sync', { connectionId })).toMatchObject({ status: 403 })
  const telegram = await createConnection(tenant, { kind: 'telegram', config: { botToken: `1:${'a'.repeat(30)}` } })
  expect(await sync({ connectionId: telegram })).toMatchObject({
    status: 422,
    body: { error: 'ERR_CHANNEL_UNSUPPORTED' },
  })
  expect(await sync({ connectionId: v7() })).toMatchObject({ status: 404 })
  sim.faults.next({ status: 503, match: 'message_templates' })
  expect(await sync()).toMatchObject({
    status: 422,
    body: { error: 'ERR_CHANNEL_REFUSED', message: expect.stringContaining('de novo') },
  })
})

test('a template is sent with the window closed, says what the customer reads, and reaches the phone', async () => {
  const { id: ticketId, phone } = await openTicket()
  expect(await as(agent).post(`/messages/${ticketId}`, { id: v7(), body: 'oi' })).toMatchObject({
    status: 409,
    body: { error: 'ERR_WINDOW_CLOSED' },
  })
  const reply = await send(ticketId, { sign: true })
  expect(reply).toMatchObject({
    status: 200,
    body: {
      type: 'template',
      body: 'Pedido 42\n\nOi Ana, seu pedido chega amanhã.\n\nLoja Aurora',
      payload: { template: { name: 'pedido_enviado', body: ['Ana', 'amanhã'] } },
    },
  })
  expect(await received(phone)).toMatchObject({
    type: 'template',
    header: 'Pedido 42',
    text: 'Oi Ana, seu pedido chega amanhã.',
    footer: 'Loja Aurora',
    buttons: [{ title: 'Rastrear', url: 'https://ex.com/AB12' }, { title: 'Ok' }],
  })
  const customer = sim.customer({ waId: phone })
  await customer.press(customer.inbox.at(-1)?.id ?? '', 'Ok')
  const page = await until(async () => {
    const { body } = await as(agent).get(`/messages/${ticketId}`)
    return body.items.length === 2 && body
  })
  expect(page.items[1]).toMatchObject({
    fromMe: false,
    body: 'Ok',
    payload: { choice: 'Ok' },
    quoted: { type: 'template' },
  })
})

test('our variables in its values are filled in by the server, as they are, whichever call sends it', async () => {
  const phone = String(number++)
  const contactId = await createContact(tenant, { number: phone, name: 'João & {{user}} Ltda' })
  await withTenant(tenantId, ({ db }) =>
    db
      .update(schema.contacts)
      .set({ extraInfo: [{ name: 'Pedido', value: '77' }] })
      .where(eq(schema.contacts.id, contactId)),
  )
  const id = await createTicket(tenant, { contactId, connectionId, userId: agent.id })
  const template = {
    ...filled,
    header: ['{{extra.Pedido}}'],
    body: ['{{name}}', '{{ user }}'],
    buttons: { 0: 'p/{{extra.Pedido}}' },
  }
  const said = `Oi João & {{user}} Ltda, seu pedido chega ${agent.name}.`
  expect(await send(id, { template })).toMatchObject({
    status: 200,
    body: {
      body: `Pedido 77\n\n${said}\n\nLoja Aurora`,
      payload: { template: { body: ['João & {{user}} Ltda', agent.name], buttons: { 0: 'p/77' } } },
    },
  })
  expect(await received(phone)).toMatchObject({ header: 'Pedido 77', text: said })
})

test.each(['TemplateText', 'TemplateComponents', 'TemplateTest'])(
  'it goes by the call of the name %s too',
  async (name) => {
    const { id: ticketId, phone } = await openTicket()
    const sent = await as(agent).post(`/wabameta${name}/${connectionId}`, { ticketId, template: filled })
    expect(sent).toMatchObject({ status: 200, body: { type: 'template', ticketId } })
    expect((await received(phone)).text).toBe('Oi Ana, seu pedido chega amanhã.')
  },
)

test('a template with a file in its header carries it', async () => {
  const { id: ticketId, phone } = await openTicket()
  const template = { name: 'oferta', language: 'pt_BR' }
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const image = await storeFile({ tenantId, userId: agent.id, bytes: png, name: 'foto.png' })
  const text = await storeFile({ tenantId, userId: agent.id, bytes: Buffer.from('oi'), name: 'a.txt' })
  const wanted = [{ path: 'mediaId', message: 'Escolha a imagem do cabeçalho.' }]
  expect((await send(ticketId, { template })).body).toMatchObject({ error: 'ERR_VALIDATION', details: wanted })
  expect((await send(ticketId, { template, mediaId: text.id })).body).toMatchObject({ details: wanted })
  expect(await send(ticketId, { template, mediaId: image.id })).toMatchObject({
    status: 200,
    body: { media: { id: image.id } },
  })
  expect((await received(phone)).media?.bytes.equals(png)).toBe(true)
})

test.each([
  ['unknown', { name: 'nunca_existiu' }, 'template'],
  ['in another language', { language: 'en_US' }, 'template'],
  ['not approved', { name: 'em_analise' }, 'template'],
  ['with a value missing', { body: ['Ana'] }, 'template.body'],
  ['with a value too many', { header: ['1', '2'] }, 'template.header'],
  ['with an empty value', { body: ['Ana', ' '] }, 'template.body.1'],
  ['with lines in a value', { body: ['Ana', 'a\nb'] }, 'template.body.1'],
  ['without the end of its address', { buttons: {} }, 'template.buttons.0'],
  ['with a value for a plain button', { buttons: { 0: 'x', 1: 'y' } }, 'template.buttons.1'],
  ['with an unknown variable', { body: ['{{nome}}', '1'] }, 'template.body.0'],
  ['with an unknown variable in its button', { buttons: { 0: '{{pedido}}' } }, 'template.buttons.0'],
  ['with a variable the contact has no value for', { header: ['{{email}}'] }, 'template.header.0'],
  ['too long once filled in', { body: ['Ana', 'a'.repeat(1_010)] }, 'template.body'],
])('a template %s is refused at its field', async (_name, more, path) => {
  const { id } = await openTicket()
  const reply = await send(id, { template: { ...filled, ...more } })
  expect(reply).toMatchObject({ status: 422, body: { details: [{ path }] } })
})

test('a channel without templates refuses them; a pending or closed conversation too', async () => {
  const { id } = await openTicket(await createConnection(tenant))
  expect((await send(id, {})).body).toMatchObject({ error: 'ERR_CHANNEL_UNSUPPORTED' })
  const pending = await createTicket(tenant, { connectionId, status: 'pending' })
  expect(
    (await as(admin).post(`/messages/${pending}`, { id: v7(), type: 'template', template: filled })).body.error,
  ).toBe('ERR_INVALID_TRANSITION')
  const closed = await createTicket(tenant, { connectionId, status: 'closed', userId: agent.id })
  expect((await send(closed, {})).body.error).toBe('ERR_TICKET_CLOSED')
})

test('a paused template is told by the provider, and refused from then on', async () => {
  sim.setWebhook(`${url}/hooks/waba`) // the address of a whole Meta app: this change names no number
  const loop = await startTestWorkers('templates')
  try {
    await sim.reviewTemplate('oferta', 'PAUSED')
    expect(sim.webhooks.at(-1)).toMatchObject({ status: 200 })
    await until(async () => (await list('&status=PAUSED')).items.length === 1)
    const { id } = await openTicket()
    expect((await send(id, { template: { name: 'oferta', language: 'pt_BR' } })).body.details).toEqual([
      { path: 'template', message: 'Este modelo não pode ser enviado agora: está pausado na Meta. Escolha outro.' },
    ])
    await sim.reviewTemplate('oferta', 'APPROVED')
    await until(async () => (await list('&status=PAUSED')).items.length === 0)
  } finally {
    await loop.stop()
    sim.setWebhook(`${url}/hooks/waba/${connectionId}`)
  }
})

test('whoever types another company’s account hears nothing of it, and does not silence its owner', async () => {
  const thief = await seedTenant()
  const theirs = await createConnection(thief, {
    kind: 'waba',
    externalId: 'numero-do-ladrao',
    config: {
      accessToken: 'x'.repeat(30),
      phoneNumberId: '9999',
      wabaId: '2001',
      appSecret: 'segredo-do-ladrao-123',
      verifyToken: 'palavra',
      apiVersion: 'v25.0',
    },
  })
  sim.setWebhook(`${url}/hooks/waba`)
  await sim.emitChange('account_update', { event: 'VERIFIED_ACCOUNT' })
  sim.setWebhook(`${url}/hooks/waba/${connectionId}`)
  expect(sim.webhooks.at(-1)).toMatchObject({ status: 200 })
  const of = (id: string, company: number) =>
    withTenant(company, (tx) => tx.db.select().from(schema.journal).where(eq(schema.journal.connectionId, id)))
  expect(JSON.stringify(await of(connectionId, tenantId))).toContain('account_update')
  expect(await of(theirs, thief.tenantId)).toEqual([])
})

const draft = {
  name: 'aviso_de_entrega',
  language: 'pt_BR',
  category: 'UTILITY',
  header: { kind: 'text', text: 'Pedido {{1}}', example: '42' },
  body: { text: 'Oi {{1}}, chega {{2}} sem falta.', examples: ['Ana', 'amanhã'] },
  footer: 'Loja Aurora',
  buttons: [{ kind: 'url', text: 'Rastrear', value: 'https://ex.com/{{1}}', example: 'AB' }],
}
const write = (more: object = {}) => as(admin).post('/templates', { connectionId, draft: { ...draft, ...more } })

test('a template is written, judged, changed and deleted at Meta; whoever manages them is told of the verdict', async () => {
  sim.policy.reviewAfterMs = undefined
  const made = await write()
  expect(made).toMatchObject({
    status: 201,
    body: { name: 'aviso_de_entrega', status: 'PENDING', category: 'UTILITY' },
  })
  const { id } = made.body
  expect((await as(admin).get(`/templates/${id}`)).body.draft).toMatchObject(draft)
  expect(sim.templates.find(({ name }) => name === draft.name)?.components[1]).toMatchObject({
    example: { body_text: [['Ana', 'amanhã']] },
  })
  expect(await as(admin).put(`/templates/${id}`, { draft })).toMatchObject({ status: 422 })
  const loop = await startTestWorkers('templates')
  try {
    await sim.reviewTemplate(draft.name, 'REJECTED', 'INVALID_FORMAT')
    await until(async () => (await list('&status=REJECTED')).items[0]?.rejectedReason === 'INVALID_FORMAT')
    const bell = await until(async () =>
      (await as(admin).get('/notifications')).body.items.find(({ title }: { title: string }) =>
        title.includes(draft.name),
      ),
    )
    expect(bell).toMatchObject({ title: 'Modelo aviso_de_entrega: recusado', link: '/modelos?busca=aviso_de_entrega' })
    const changed = { ...draft, body: { text: 'Oi {{1}}, chega {{2}}, combinado?', examples: ['Ana', 'hoje'] } }
    expect(await as(admin).put(`/templates/${id}`, { draft: changed })).toMatchObject({
      status: 200,
      body: { status: 'PENDING', shape: { body: { text: 'Oi {{1}}, chega {{2}}, combinado?' } } },
    })
    await sim.reviewTemplate(draft.name, 'APPROVED')
    await sim.gradeTemplate(draft.name, 'RED')
    await sim.recategoriseTemplate(draft.name, 'MARKETING')
    await until(async () =>
      (await list('&category=MARKETING')).items.some((one: { quality: string }) => one.quality === 'RED'),
    )
    expect(await as(admin).put(`/templates/${id}`, { draft: changed })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'draft.category' }] },
    })
    expect((await as(admin).delete(`/templates/${id}`)).status).toBe(204)
    expect(sim.templates.some(({ name }) => name === draft.name)).toBe(false)
    expect(await write()).toMatchObject({ status: 422, body: { message: expect.stringContaining('4 semanas') } })
  } finally {
    await loop.stop()
    sim.policy.reviewAfterMs = 50
  }
})

test('the example of a picture goes up to Meta first', async () => {
  sim.policy.reviewAfterMs = undefined // a verdict would ask for the templates at any later time
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const image = await storeFile({ tenantId, userId: admin.id, bytes: png, name: 'foto.png' })
  expect(await write({ name: 'com_foto', header: { kind: 'image', mediaId: image.id } })).toMatchObject({
    status: 201,
    body: { shape: { header: { kind: 'image' } } },
  })
  const document = await storeFile({ tenantId, userId: admin.id, bytes: Buffer.from('oi'), name: 'a.txt' })
  const wrong = await write({ name: 'com_texto', header: { kind: 'video', mediaId: document.id } })
  expect(wrong.body.details).toMatchObject([{ path: 'draft.header.mediaId' }])
})

test('what Meta would refuse is refused before it is asked; agents write no templates', async () => {
  const asked = sim.requests.length
  expect((await write({ name: 'Aviso!', body: { text: '{{1}} oi', examples: [] } })).body.details).toMatchObject([
    { path: 'draft.name' },
    { path: 'draft.body.text' },
    { path: 'draft.body.text' },
    { path: 'draft.body.examples.0' },
  ])
  expect((await write({ name: 'oferta' })).body.details).toMatchObject([{ path: 'draft.name' }])
  expect(sim.requests.length).toBe(asked)
  expect((await as(agent).post('/templates', { connectionId, draft })).status).toBe(403)
})

test('an access code is written by its three choices, read back by them, and sent with its code twice', async () => {
  const access = { warns: true, minutes: 5, button: 'Copiar' }
  const wrong = await write({ name: 'codigo', category: 'AUTHENTICATION', access: { ...access, button: '' } })
  expect(wrong.body.details).toMatchObject([{ path: 'draft.access.button' }])
  const made = await write({ name: 'codigo', category: 'AUTHENTICATION', access })
  expect(made).toMatchObject({ status: 201, body: { category: 'AUTHENTICATION' } })
  await sim.reviewTemplate('codigo', 'APPROVED')
  await sync()
  expect((await as(admin).get(`/templates/${made.body.id}`)).body).toMatchObject({
    draft: { access, body: { text: '' } },
    shape: { body: { places: ['1'] }, footer: 'Este código expira em 5 minutos.' },
  })
  const { id, phone } = await openTicket()
  const use = { name: 'codigo', language: 'pt_BR', body: ['918273'], buttons: { 0: '918273' } }
  expect((await send(id, { template: use })).status).toBe(200)
  expect(await received(phone)).toMatchObject({
    text: expect.stringContaining('*918273* é seu código'),
    buttons: [{ title: 'Copiar', url: expect.stringMatching(/otp918273$/) }],
  })
})

test('an answer overtaken by that of a later question changes nothing', async () => {
  await sync()
  const before = (await list()).items
  const minuteAgo = new Date(Date.now() - 60_000)
  expect(await withTenant(tenantId, (tx) => replaceTemplates(tx, connectionId, [], minuteAgo))).toBeUndefined()
  expect((await list()).items).toEqual(before)
  expect(before).not.toEqual([])
})

test('once a day each connection is asked, and one that fails again after ten minutes', async () => {
  const due = (at: Date) =>
    withTenant(tenantId, (tx) =>
      tx.db.update(schema.connections).set({ templatesDueAt: at }).where(eq(schema.connections.id, connectionId)),
    )
  const asked = () => sim.requests.filter((one) => one.path.endsWith('/message_templates')).length
  await due(new Date(Date.now() + 60_000))
  const before = asked()
  await syncDue()
  expect(asked()).toBe(before)
  await due(new Date(Date.now() - 1_000))
  sim.faults.next({ status: 503, match: 'message_templates' })
  await Promise.all([syncDue(), syncDue()])
  await syncDue()
  expect(asked()).toBe(before + 1)
  await due(new Date(Date.now() - 1_000))
  await syncDue()
  const [row] = await withTenant(tenantId, (tx) =>
    tx.db.select().from(schema.connections).where(eq(schema.connections.id, connectionId)),
  )
  expect((row?.templatesDueAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(23 * 3_600_000)
})

const option = (title: string, description = '') => ({ id: title.toLowerCase(), title, description })
const choices = (...titles: string[]) => ({ kind: 'buttons', options: titles.map((title) => option(title)) })
const ask = (ticketId: string, interactive: object, more: object = {}) =>
  as(agent).post('/sendButton', { id: v7(), ticketId, body: 'Como prefere pagar?', interactive, ...more })
const inWindow = async () => {
  const ticket = await openTicket()
  const customer = sim.customer({ waId: ticket.phone })
  await customer.sendText('oi')
  await sim.idle()
  await until(async () => (await as(agent).get(`/messages/${ticket.id}`)).body.items.length > 0)
  return ticket
}

test('three choices are buttons, more are a list, and the pressed one comes back with its id', async () => {
  const { id, phone } = await inWindow()
  const reply = await ask(id, choices('Pix', 'Boleto'))
  expect(reply).toMatchObject({
    status: 200,
    body: {
      type: 'buttons',
      body: 'Como prefere pagar?',
      payload: { interactive: { options: [{ title: 'Pix' }, {}] } },
    },
  })
  const customer = sim.customer({ waId: phone })
  const line = await until(async () => customer.inbox.at(-1))
  expect(line).toMatchObject({ type: 'interactive', buttons: [{ id: 'pix' }, { id: 'boleto' }] })
  await customer.press(line.id, 'boleto')
  await until(async () => (await as(agent).get(`/messages/${id}`)).body.items.at(-1)?.payload?.choice === 'boleto')
  await ask(id, choices('Pix', 'Boleto', 'Cartão', 'Dinheiro'), { force: true })
  const list = await until(async () => customer.inbox.length === 2 && customer.inbox.at(-1))
  expect(list).toMatchObject({ payload: { interactive: { type: 'list', action: { button: 'Ver opções' } } } })
})

test('a long word is no button of WhatsApp: the choices go as a list', async () => {
  const { id, phone } = await inWindow()
  await ask(id, choices('Falar com uma atendente', 'Sair'))
  expect(await received(phone)).toMatchObject({ payload: { interactive: { type: 'list' } } })
})

test.each([
  ['without words', { body: ' ' }, 'body'],
  ['without choices', { interactive: null }, 'interactive'],
  ['with the same choice twice', { interactive: choices('Sim', 'sim') }, 'interactive'],
  [
    'with eleven',
    { interactive: choices(...Array.from({ length: 11 }, (_, at) => `Opção ${at}`)) },
    'interactive.options',
  ],
])('choices %s are refused at their field', async (_name, more, path) => {
  const { id } = await openTicket()
  expect(await ask(id, choices('Sim'), more)).toMatchObject({
    status: 422,
    body: { details: [expect.objectContaining({ path })] },
  })
})

test('choices are free text to WhatsApp: not outside the window', async () => {
  const { id } = await openTicket()
  expect((await ask(id, choices('Sim', 'Não'))).body.error).toBe('ERR_WINDOW_CLOSED')
})

test('odd characters in a choice are stored without those the database refuses', async () => {
  const { id, phone } = await inWindow()
  const reply = await ask(id, { kind: 'buttons', options: [option('A\0b'), option('😀')] })
  expect(reply.status).toBe(200)
  expect((await stored(reply.body.id))?.payload?.interactive?.options[0]?.title).toBe('Ab')
  await received(phone)
})
