import { campaignStep } from '@balcao/contract/operations/campaigns/content.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { campaigns } from '../../../db/schema/operations/campaigns.ts'

const { as, seedTenant, createConnection, createContact, createTicket, schema, withTenant } = await startTestApp()
type Tenant = Awaited<ReturnType<typeof seedTenant>>
const text = (body: string) => campaignStep.parse({ variants: [{ content: { parts: [{ kind: 'text', body }] } }] })
const draft = async (tenant: Tenant, body: object) =>
  (
    await as(tenant.supervisor).post('/campaigns', {
      name: 'Natal',
      audience: { include: [{ kind: 'everybody' }] },
      ...body,
    })
  ).body.id as string
const rehearse = async (tenant: Tenant, id: string) =>
  (await as(tenant.supervisor).post(`/campaigns/${id}/rehearsal`)).body
const warned = (reply: { warnings: { level: string; text: string }[] }, level: string) =>
  reply.warnings.flatMap((one) => (one.level === level ? one.text : [])).join('\n')
const crowd = async (tenant: Tenant, many: number) => {
  for (let n = 0; n < many; n += 1)
    await createContact(tenant, { name: `Cliente${n} Silva`, number: String(5_511_987_700_000 + n) })
}

test('a rehearsal tells who gets it, who does not and why, how long it takes, and ten as they will read', async () => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant, { kind: 'evolution', name: 'Loja' })
  await crowd(tenant, 12)
  await createContact(tenant, { name: 'Sem Fone' })
  const id = await draft(tenant, {
    ...{ connectionIds: [connectionId], steps: [text('{Oi|Oi}, {{primeiro_nome}}! Para sair, responda SAIR.')] },
    ...{
      pace: { minSeconds: 10, maxSeconds: 30 },
      window: { from: '00:00', until: '00:00', days: [0, 1, 2, 3, 4, 5, 6], skipHolidays: false },
    },
  })
  const told = await rehearse(tenant, id)
  expect(told).toMatchObject({
    ...{ found: 13, reached: 12, skipped: [{ reason: 'noWay', count: 1 }], cost: null, segments: null },
    connections: [{ connection: { name: 'Loja' }, count: 12, leftToday: null }],
  })
  expect(warned(told, 'blocks')).toBe('')
  // Twelve, twenty seconds apart on average.
  const seconds = (Date.parse(told.endsAbout) - Date.parse(told.startsAt)) / 1_000
  expect(seconds).toBeGreaterThan(150)
  expect(seconds).toBeLessThan(300)
  expect(told.sample).toHaveLength(10)
  for (const { contact, texts, missing } of told.sample)
    expect([texts, missing]).toEqual([[`Oi, ${contact.name.split(' ')[0]}! Para sair, responda SAIR.`], []])
  // Nothing of it was written.
  expect((await as(tenant.supervisor).get(`/campaigns/contacts/${id}`)).body.items).toEqual([])
  expect((await as(tenant.supervisor).get(`/campaigns/${id}`)).body).toMatchObject({
    state: 'draft',
    numbers: { total: 0 },
  })
})

test('the sample has files, choices as the channel shows them, and what follows where nobody answers', async () => {
  const tenant = await seedTenant()
  const me = as(tenant.supervisor)
  const connectionId = await createConnection(tenant, { kind: 'evolution' })
  await createContact(tenant, { name: 'Rita Alves', number: '5511987700001' })
  const form = new FormData()
  form.append('name', 'Natal')
  form.append('message1', 'Veja, {{primeiro_nome}}')
  form.append('medias', new File(['foto'], 'vitrine.txt', { type: 'text/plain' }))
  const { id, steps } = (await me.post('/campaigns', form)).body
  const options = ['Sim', 'Não'].map((title, at) => ({ id: `opcao-${at + 1}`, title, description: '' }))
  const interactive = { kind: 'buttons', header: '', footer: 'Até sexta', button: '', options }
  const parts = [steps[0].variants[0].content.parts[0], { kind: 'choices', body: 'Quer?', interactive }]
  await me.put(`/campaigns/${id}`, {
    ...{ connectionIds: [connectionId], audience: { include: [{ kind: 'everybody' }] } },
    steps: [
      { variants: [{ content: { parts } }] },
      { ...text('E agora, {{primeiro_nome}}?'), afterHours: 48 },
      { ...text('Pedido {{extra.pedido}}'), afterHours: 48 },
    ],
  })
  expect((await rehearse(tenant, id)).sample).toMatchObject([
    {
      texts: ['[vitrine.txt]\nVeja, Rita', expect.stringMatching(/^Quer\?\n(.*\n)*.*Sim\n(.*\n)*.*Não/)],
      later: [
        { texts: ['E agora, Rita?'], missing: [] },
        { texts: [], missing: ['extra.pedido'] },
      ],
    },
  ])
})

test('a variant that nobody gets, for all whom it is meant for lack what it says, is told', async () => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant, { kind: 'evolution' })
  await crowd(tenant, 30)
  const [plain] = text('Oi, {{primeiro_nome}}! Responda SAIR para sair.').variants
  const [order] = text('Chegou. Veja em {{email}}. Responda SAIR para sair.').variants
  const told = await rehearse(
    tenant,
    await draft(tenant, { connectionIds: [connectionId], steps: [{ variants: [plain, order] }] }),
  )
  expect(told.reached).toBeGreaterThan(0)
  const lacking = told.found - told.reached
  expect(warned(told, 'danger')).toContain(
    `Ninguém recebe a variante B: às ${lacking} pessoas dela falta “E-mail do contato”. Mude o texto`,
  )
  // Where some have it, the reasons are enough.
  const rita = await createContact(tenant, { name: 'Rita', number: '5511987711111' })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.contacts).set({ email: 'rita@exemplo.com.br' }).where(eq(schema.contacts.id, rita)),
  )
  const one = await rehearse(
    tenant,
    await draft(tenant, { connectionIds: [connectionId], steps: [{ variants: [order] }] }),
  )
  expect(one.reached).toBe(1)
  expect(warned(one, 'danger')).not.toContain('Ninguém recebe')
})

test('so is what follows, each variant of it: nobody of those who get the first has what it says', async () => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant, { kind: 'evolution' })
  await crowd(tenant, 8)
  const noWay = await createContact(tenant, { name: 'Sem Fone' })
  const rita = await createContact(tenant, { name: 'Rita Alves', number: '5511987711111' })
  const mailTo = (id: string) =>
    withTenant(tenant.tenantId, (tx) =>
      tx.db.update(schema.contacts).set({ email: 'rita@exemplo.com.br' }).where(eq(schema.contacts.id, id)),
    )
  // Whoever does not get the first does not get what follows.
  await mailTo(noWay)
  const [plain] = text('E então, {{primeiro_nome}}?').variants
  const [mailed] = text('Veja em {{email}}').variants
  const [staged] = text('Etapa {{kanban}}, pedido {{extra.pedido}}').variants
  const id = await draft(tenant, {
    connectionIds: [connectionId],
    steps: [
      text('Oi! Responda SAIR para sair.'),
      { ...text(''), variants: [plain, mailed], afterHours: 48 },
      { ...text(''), variants: [staged], afterHours: 48 },
    ],
  })
  const told = warned(await rehearse(tenant, id), 'danger')
  expect(told).toContain(
    'Ninguém recebe a variante B do envio 2: a todos que recebem o primeiro falta “E-mail do contato”. Mude o texto',
  )
  expect(told).toContain('Ninguém recebe o envio 3: a todos que recebem o primeiro falta “')
  expect(told).not.toContain('variante A')

  // One of them is enough, and so are words for whoever lacks it.
  await mailTo(rita)
  await as(tenant.supervisor).put(`/campaigns/${id}`, {
    ...{ onMissing: 'fallback', fallbacks: { kanban: 'inicial', 'extra.pedido': 'de hoje' } },
  })
  expect(warned(await rehearse(tenant, id), 'danger')).not.toContain('Ninguém recebe')
})

test('what keeps it from starting is told with its field, and nothing breaks without audience, channel or words', async () => {
  const tenant = await seedTenant()
  const empty = await rehearse(tenant, await draft(tenant, { audience: { include: [] } }))
  expect(empty).toMatchObject({ found: 0, reached: 0, sample: [] })
  expect(empty.warnings.map((one: { path: string }) => one.path)).toEqual(['connectionIds', 'audience', 'steps'])
  const official = await createConnection(tenant, { kind: 'waba' })
  const id = await draft(tenant, { connectionIds: [official], steps: [text('Oi')], endsAt: '2020-01-01T00:00:00.000Z' })
  const paths = (await rehearse(tenant, id)).warnings.flatMap((one: { level: string; path: string }) =>
    one.level === 'blocks' ? one.path : [],
  )
  expect(paths).toEqual(['steps.0.variants.0.content.template', 'endsAt', 'audience'])
  const phone = await createConnection(tenant, { kind: 'evolution' })
  const begun = await rehearse(
    tenant,
    await draft(tenant, { connectionIds: [phone], steps: [text('{Oi|Olá, {{nome}}')] }),
  )
  expect(begun.warnings.filter(({ text: said }: { text: string }) => said.startsWith('Falta uma chave'))).toMatchObject(
    [{ level: 'danger', path: 'steps' }],
  )
  const mail = await createConnection(tenant, { kind: 'email' })
  const two = { ...text('A'), variants: [...text('A').variants, ...text('B').variants] }
  const letters = await rehearse(tenant, await draft(tenant, { connectionIds: [mail], steps: [two, text('C')] }))
  expect(letters.warnings.map((one: { text: string }) => one.text).slice(0, 3)).toEqual([
    'Envio 1, Variante A: Escreva o assunto do e-mail.',
    'Envio 1, Variante B: Escreva o assunto do e-mail.',
    'Envio 2: Escreva o assunto do e-mail.',
  ])
})

test('a template costs by its category, what has no price is told apart, and the tier of the number counts', async () => {
  const tenant = await seedTenant({
    settings: { templatePrices: { MARKETING: 3_500, UTILITY: 300, AUTHENTICATION: 300 } },
  })
  const connectionId = await createConnection(tenant, { kind: 'waba', name: 'Oficial' })
  await withTenant(tenant.tenantId, async (tx) => {
    await tx.db
      .update(schema.connections)
      .set({ health: { tier: '2', quality: 'YELLOW' } })
      .where(eq(schema.connections.id, connectionId))
    await tx.db.insert(schema.messageTemplates).values({
      ...{
        tenantId: tx.tenantId,
        connectionId,
        externalId: '1',
        name: 'natal',
        language: 'pt_BR',
        category: 'MARKETING',
        status: 'APPROVED',
      },
      components: [{ type: 'BODY', text: 'Olá, {{1}}! Seu pedido {{2}}.', example: { body_text: [['Ana', '1']] } }],
      syncedAt: new Date(),
    })
  })
  await crowd(tenant, 3)
  await createContact(tenant, { name: 'Marie Curie', number: '33612345678' })
  const use = { name: 'natal', language: 'pt_BR', body: ['{{primeiro_nome}}', '{{extra.pedido}}'] }
  const id = await draft(tenant, {
    ...{ connectionIds: [connectionId], steps: [campaignStep.parse({ variants: [{ content: { template: use } }] })] },
    ...{ onMissing: 'fallback', fallbacks: { 'extra.pedido': 'novo' } },
  })
  const told = await rehearse(tenant, id)
  expect(told).toMatchObject({ reached: 4, cost: 3 * 3_500, connections: [{ count: 4, leftToday: 2 }] })
  expect(told.sample[0].texts[0]).toMatch(/^Olá, \S+! Seu pedido novo\.$/)
  expect(warned(told, 'note')).toContain('1 destinatário de fora do Brasil não entra')
  expect(warned(told, 'note')).toContain('cabem hoje mais 2 envios')
  expect(warned(told, 'danger')).toContain('qualidade de Oficial está média')
  // Without words for what is missing everybody lacks, nobody is left.
  await as(tenant.supervisor).put(`/campaigns/${id}`, { onMissing: 'skip' })
  expect(await rehearse(tenant, id)).toMatchObject({
    reached: 0,
    skipped: [{ reason: 'missingVariable', missing: 'extra.pedido', count: 4 }],
  })
})

test('who wrote today gets words and costs nothing; a follow-up costs once more and ends later', async () => {
  const tenant = await seedTenant({
    settings: { templatePrices: { MARKETING: 3_500, UTILITY: 300, AUTHENTICATION: 300 } },
  })
  const connectionId = await createConnection(tenant, { kind: 'waba', name: 'Oficial' })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.insert(schema.messageTemplates).values({
      ...{
        tenantId: tx.tenantId,
        connectionId,
        externalId: '1',
        name: 'natal',
        language: 'pt_BR',
        category: 'MARKETING',
      },
      ...{ status: 'APPROVED', components: [{ type: 'BODY', text: 'Olá!' }], syncedAt: new Date() },
    }),
  )
  await crowd(tenant, 3)
  const contactId = await createContact(tenant, { name: 'Ana', number: '5511977770001' })
  const ticketId = await createTicket(tenant, { contactId, connectionId })
  await withTenant(tenant.tenantId, async (tx) => {
    await tx.db.update(schema.tickets).set({ lastInboundAt: new Date() }).where(eq(schema.tickets.id, ticketId))
    await tx.db
      .update(schema.contactActivity)
      .set({ lastMessageAt: new Date() })
      .where(eq(schema.contactActivity.contactId, contactId))
  })
  const template = { name: 'natal', language: 'pt_BR' }
  const both = campaignStep.parse({ variants: [{ content: { template, parts: [{ kind: 'text', body: 'Oi!' }] } }] })
  const id = await draft(tenant, {
    connectionIds: [connectionId],
    steps: [both],
    window: { from: '00:00', until: '00:00' },
  })
  const first = await rehearse(tenant, id)
  expect(first).toMatchObject({ reached: 4, cost: 3 * 3_500 })
  const again = campaignStep.parse({ variants: [{ content: { template } }], afterHours: 48 })
  await as(tenant.supervisor).put(`/campaigns/${id}`, { steps: [both, again] })
  const told = await rehearse(tenant, id)
  expect(told.cost).toBe((3 + 4) * 3_500)
  expect(Date.parse(told.endsAbout) - Date.parse(told.startsAt)).toBeGreaterThan(47 * 3_600_000)
})

test('who lacks what would be said to them now is left out: the words of the 24 hours, or else the template', async () => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant, { kind: 'waba', name: 'Oficial' })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.insert(schema.messageTemplates).values([
      {
        ...{ tenantId: tx.tenantId, connectionId, externalId: '1', name: 'natal', language: 'pt_BR' },
        ...{ category: 'MARKETING', status: 'APPROVED', syncedAt: new Date() },
        components: [{ type: 'BODY', text: 'Olá!' }],
      },
      {
        ...{ tenantId: tx.tenantId, connectionId, externalId: '2', name: 'pedido', language: 'pt_BR' },
        ...{ category: 'MARKETING', status: 'APPROVED', syncedAt: new Date() },
        components: [{ type: 'BODY', text: 'Pedido {{1}}.', example: { body_text: [['12']] } }],
      },
    ]),
  )
  await crowd(tenant, 3)
  const contactId = await createContact(tenant, { name: 'Ana', number: '5511977770001' })
  const ticketId = await createTicket(tenant, { contactId, connectionId })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.tickets).set({ lastInboundAt: new Date() }).where(eq(schema.tickets.id, ticketId)),
  )
  const say = (template: object, body: string) =>
    campaignStep.parse({ variants: [{ content: { template, parts: [{ kind: 'text', body }] } }] })
  const plain = say({ name: 'natal', language: 'pt_BR' }, 'Pedido {{extra.pedido}}')
  const id = await draft(tenant, { connectionIds: [connectionId], steps: [plain] })
  expect(await rehearse(tenant, id)).toMatchObject({ reached: 3, skipped: [{ reason: 'missingVariable', count: 1 }] })
  const asked = say({ name: 'pedido', language: 'pt_BR', body: ['{{extra.pedido}}'] }, 'Oi!')
  await as(tenant.supervisor).put(`/campaigns/${id}`, { steps: [asked] })
  expect(await rehearse(tenant, id)).toMatchObject({ reached: 1, skipped: [{ reason: 'missingVariable', count: 3 }] })
})

test('an e-mail is shown with the way out that each will find in it', async () => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant, { kind: 'email' })
  const contactId = await createContact(tenant, { name: 'Ana Lima' })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.contacts).set({ email: 'ana@exemplo.com' }).where(eq(schema.contacts.id, contactId)),
  )
  const step = campaignStep.parse({
    variants: [{ content: { subject: 'Novidades', parts: [{ kind: 'text', body: 'Oi, {{primeiro_nome}}!' }] } }],
  })
  const { sample } = await rehearse(tenant, await draft(tenant, { connectionIds: [connectionId], steps: [step] }))
  expect(sample[0].texts).toEqual(['Oi, Ana!\n\nPara não receber mais: (link de cada pessoa)'])
})

test('an SMS costs by its parts', async () => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant, { kind: 'sms', config: { price: '0,10' } })
  await crowd(tenant, 5)
  const id = await draft(tenant, { connectionIds: [connectionId], steps: [text('a'.repeat(200))] })
  expect(await rehearse(tenant, id)).toMatchObject({ reached: 5, segments: 10, cost: 10_000 })
})

test('what gets numbers banned is told: strangers, one text for all, haste, short links, capitals, no way out, a new number', async () => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant, { kind: 'evolution', name: 'Loja' })
  await crowd(tenant, 120)
  const id = await draft(tenant, {
    connectionIds: [connectionId],
    steps: [text('OFERTA IMPERDÍVEL DE HOJE PARA VOCÊ bit.ly/abc')],
  })
  const told = warned(await rehearse(tenant, id), 'danger')
  for (const said of [
    'nunca escreveram',
    'mesmo texto',
    'rápido demais',
    'bit.ly/abc',
    'maiúsculas',
    'parar de receber',
    'aquecimento',
  ])
    expect(told, said).toContain(said)
})

test('campaigns of the same time are told, by channel and by people', async () => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant, { kind: 'evolution' })
  await crowd(tenant, 3)
  // Whatever the hour at which this runs: the night would put one of them off.
  const window = { from: '00:00', until: '00:00', days: [0, 1, 2, 3, 4, 5, 6], skipHolidays: false }
  const other = await draft(tenant, { name: 'Ano-novo', connectionIds: [connectionId], steps: [text('Oi')], window })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(campaigns).set({ state: 'scheduled', startsAt: new Date() }).where(eq(campaigns.id, other)),
  )
  const id = await draft(tenant, { connectionIds: [connectionId], steps: [text('Oi')], window })
  expect(warned(await rehearse(tenant, id), 'note')).toContain(
    '“Ano-novo” acontece ao mesmo tempo, usa o mesmo canal: as duas vão mais devagar, 3 pessoas recebem as duas.',
  )
  // One that runs, and will be over long before.
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .update(campaigns)
      .set({ state: 'running', startedAt: new Date(), preparedAt: new Date() })
      .where(eq(campaigns.id, other)),
  )
  expect(warned(await rehearse(tenant, id), 'note')).toContain('“Ano-novo”')
  const startsAt = new Date(Date.now() + 30 * 86_400_000).toISOString()
  await as(tenant.supervisor).put(`/campaigns/${id}`, { startsAt })
  expect(warned(await rehearse(tenant, id), 'note')).not.toContain('“Ano-novo”')
})

const evolution = { baseUrl: 'https://evolution.teste.local', apiKey: 'chave-de-teste-0123456789' }
test('a test goes to oneself, counts nowhere, and shows by name what is not known of oneself', async () => {
  const tenant = await seedTenant()
  const connectionId = await createConnection(tenant, { kind: 'evolution', config: evolution })
  const id = await draft(tenant, {
    connectionIds: [connectionId],
    steps: [text('Oi, {{primeiro_nome}}! Pedido {{extra.pedido}}.')],
  })
  const me = as(tenant.supervisor)
  const test = (body: object) => me.post(`/campaigns/${id}/test`, { connectionId, to: '11 98765-9001', ...body })
  expect((await test({})).body.texts).toEqual(['Oi, Bruna! Pedido [extra.pedido].'])
  expect((await test({})).status).toBe(200)
  expect((await test({ to: 'lixo' })).body.details).toMatchObject([{ path: 'to' }])
  expect((await test({ variant: 3 })).body.details).toMatchObject([{ path: 'variant' }])
  const other = await seedTenant()
  expect(
    (await test({ connectionId: await createConnection(other, { kind: 'evolution', config: evolution }) })).status,
  ).toBe(404)
  expect((await me.get(`/campaigns/${id}`)).body.numbers.total).toBe(0)
})
