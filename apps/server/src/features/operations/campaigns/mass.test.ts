import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { campaignRecipients } from '../../../db/schema/operations/campaigns.ts'

const { as, seedTenant, createConnection, createContact, schema, withTenant } = await startTestApp()
const { createJobs } = await import('../../core/jobs/jobs.loop.ts')
const { prepareSlice } = await import('./prepare.ts')
type Tenant = Awaited<ReturnType<typeof seedTenant>>

/** Imports run, then whoever is meant is frozen. */
const freeze = async (tenant: Tenant, id: string) => {
  const jobs = createJobs()
  for (let did = 1; did > 0; ) did = (await jobs.run()).did
  await jobs.finish()
  await prepareSlice(tenant.tenantId, id, { whole: async () => {}, stuck: async () => {} })
  return withTenant(tenant.tenantId, (tx) =>
    tx.db
      .select({ number: schema.contacts.number, state: campaignRecipients.state, vars: campaignRecipients.vars })
      .from(campaignRecipients)
      .innerJoin(schema.contacts, eq(schema.contacts.id, campaignRecipients.contactId))
      .where(eq(campaignRecipients.campaignId, id))
      .orderBy(schema.contacts.number),
  )
}

test('numbers of a call become a campaign that starts now: junk, twice the same and the ninth digit are sorted out', async () => {
  const tenant = await seedTenant()
  const me = as(tenant.supervisor)
  const whatsappId = await createConnection(tenant, { kind: 'evolution' })
  const ana = await createContact(tenant, { name: 'Ana', number: '5511987651001' })
  const reply = await me.post('/bulk', {
    ...{
      whatsappId,
      whatsappType: 'evolution',
      message: 'Oi!',
      min: 15,
      max: 30,
      groups: false,
      idFront: 'x',
      sendType: 'chat',
    },
    arrayNumbers: [
      '(11) 98765-1001',
      '551187651001',
      11987651002,
      { number: '11987651002' },
      'lixo',
      '=1+1',
      '',
      '123',
    ],
  })
  expect(reply).toMatchObject({
    status: 201,
    body: { state: 'preparing', origin: 'text', pace: { minSeconds: 15, maxSeconds: 30 } },
  })
  const rows = await freeze(tenant, reply.body.id)
  expect(rows.map(({ number, state }) => [number, state])).toEqual([
    ['5511987651001', 'waiting'],
    ['5511987651002', 'waiting'],
  ])
  const { numbers, audience, steps } = (await me.get(`/campaigns/${reply.body.id}`)).body
  expect(numbers).toMatchObject({ total: 6, skipped: 4, waiting: 2 })
  expect([audience.include[0].kind, steps[0].variants[0].content.parts[0].body]).toEqual(['import', 'Oi!'])
  expect(ana).toBeDefined()
  expect((await me.post('/bulkClose', { whatsappId, message: 'Oi', contactIds: [ana] })).status).toBe(201)
  expect((await me.post('/individual', { whatsappId, message: 'Oi', number: '11987651003' })).body.origin).toBe('api')
})

test('a recording comes with its numbers as a form', async () => {
  const tenant = await seedTenant()
  const whatsappId = await createConnection(tenant, { kind: 'evolution' })
  const form = new FormData()
  for (const [name, value] of Object.entries({
    whatsappId,
    min: '5',
    max: '9',
    groups: 'false',
    arrayNumbers: '["11987651009"]',
  }))
    form.append(name, value)
  form.append('voice', new File(['som'], 'recado.ogg', { type: 'audio/ogg' }))
  const reply = await as(tenant.supervisor).post('/bulk', form)
  expect(reply).toMatchObject({ status: 201, body: { state: 'preparing', pace: { minSeconds: 5, maxSeconds: 9 } } })
  const { steps } = (await as(tenant.supervisor).get(`/campaigns/${reply.body.id}`)).body
  expect(steps[0].variants[0].content.parts).toMatchObject([{ kind: 'voice', mediaId: expect.any(String) }])
})

test('a table sends each row its own values, whatever these contain', async () => {
  const tenant = await seedTenant()
  const whatsappId = await createConnection(tenant, { kind: 'evolution' })
  const reply = await as(tenant.supervisor).post('/bulkVariable', {
    ...{ whatsappId, message: 'Pedido {{pedido}}, {{ primeiro_nome }}' },
    rows: [
      { number: '11987652001', variables: { pedido: '{{name}} =cmd|', nome: 'Ana Lima' } },
      { number: '11987652002', variables: { pedido: '', nome: 'Bia Lima' } },
    ],
  })
  expect(reply.status).toBe(201)
  const [first, second] = await freeze(tenant, reply.body.id)
  expect(first).toMatchObject({ state: 'waiting', vars: { pedido: '{{name}} =cmd|' } })
  expect(second).toMatchObject({ number: '5511987652002', state: 'skipped' })
  const { steps } = (await as(tenant.admin).get(`/campaigns/${reply.body.id}`)).body
  expect(steps[0].variants[0].content.parts[0].body).toBe('Pedido {{extra.pedido}}, {{ primeiro_nome }}')
})

test('what cannot be sent is told at the field of the call, and leaves neither campaign nor contacts behind', async () => {
  const tenant = await seedTenant()
  const me = as(tenant.supervisor)
  const official = await createConnection(tenant, { kind: 'waba' })
  const paths = (reply: { body: { details: { path: string }[] } }) => reply.body.details.map(({ path }) => path)
  expect(paths(await me.post('/bulk', { whatsappId: official, message: 'Oi', arrayNumbers: ['11987653001'] }))).toEqual(
    ['template'],
  )
  expect(paths(await me.post('/bulk', { whatsappId: official, message: 'Oi' }))).toEqual(['arrayNumbers'])
  const other = await seedTenant()
  const theirs = await createConnection(other, { kind: 'evolution' })
  expect(paths(await me.post('/bulk', { whatsappId: theirs, message: 'Oi', arrayNumbers: ['11987653001'] }))).toEqual([
    'connectionIds',
  ])
  expect((await me.post('/bulkSms', { message: 'Oi', arrayNumbers: ['11987653001'] })).status).toBe(404)
  expect(
    (await as(tenant.agent).post('/bulk', { whatsappId: official, message: 'Oi', arrayNumbers: ['1'] })).status,
  ).toBe(403)
  expect((await me.get('/campaigns')).body.items).toEqual([])
  expect((await me.get('/contacts')).body.items).toEqual([])
})

test('a template is sent with its values as Meta writes them, one row or one for each', async () => {
  const tenant = await seedTenant()
  const me = as(tenant.supervisor)
  const whatsappId = await createConnection(tenant, { kind: 'waba' })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.insert(schema.messageTemplates).values({
      ...{
        tenantId: tx.tenantId,
        connectionId: whatsappId,
        externalId: '1',
        name: 'pedido',
        language: 'pt_BR',
        category: 'UTILITY',
        status: 'APPROVED',
      },
      components: [
        { type: 'BODY', text: 'Pedido {{1}}', example: { body_text: [['1']] } },
        { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Ver', url: 'https://loja.com.br/{{1}}', example: ['x'] }] },
      ],
      syncedAt: new Date(),
    }),
  )
  const components = [
    { type: 'body', parameters: [{ type: 'text', text: '{{numero_pedido}}' }] },
    { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'p/1' }] },
  ]
  const rows = [{ number: '11987654001', variables: { numero_pedido: '77' } }]
  const template = { name: 'pedido', language: { code: 'pt_BR' }, components }
  const reply = await me.post('/wabametaBulkTemplateComponents', { whatsappId, template, rows })
  expect(reply).toMatchObject({ status: 201, body: { origin: 'templateVariables' } })
  const { steps } = (await me.get(`/campaigns/${reply.body.id}`)).body
  expect(steps[0].variants[0].content.template).toEqual({
    ...{ name: 'pedido', language: 'pt_BR', header: [], body: ['{{extra.numero_pedido}}'], buttons: { 0: 'p/1' } },
  })
  const simple = { whatsappId, components: [], arrayNumbers: ['11987654002'] }
  expect(
    (await me.post('/wabametaBulkTemplateComponents', { ...simple, templateName: 'outro' })).body.details,
  ).toMatchObject([{ path: 'template' }])
})

test('an SMS goes by the company’s own account, by whichever provider’s name it is called', async () => {
  const tenant = await seedTenant()
  await createConnection(tenant, { kind: 'sms' })
  for (const path of ['/sendSms', '/sendSmsConecta', '/sendSmsLivson', '/bulkSms', '/bulkSmsConecta', '/bulkSmsLivson'])
    expect(await as(tenant.supervisor).post(path, { message: 'Oi', number: '11987655001' })).toMatchObject({
      ...{ status: 201, body: { origin: 'sms', connections: [{ kind: 'sms' }] } },
    })
})
