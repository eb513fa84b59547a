import type { Opportunity } from '@balcao/contract/sales/opportunities.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { app, as, seedTenant, createContact, withTenant, schema } = kit
const { storeFile } = await import('../../core/media/media.service.ts')

const day = (ahead: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(new Date(Date.now() + ahead * 86_400_000))
const items = [
  { name: 'Forno', quantity: 2, price: 100_050, discountPercent: 10 },
  { name: 'Frete', quantity: 1, price: 5_000, discountPercent: 0 },
]

const seed = async () => {
  const tenant = await seedTenant()
  const call = as(tenant.admin)
  const pipeline = (await call.post('/pipelines', { name: 'Vendas' })).body
  const [first, second] = (await call.get('/stages')).body.items as { id: string; name: string }[]
  const contactId = await createContact(tenant, { name: 'Padaria Sol', number: '5511987654321' })
  const make = async (more: object = {}): Promise<Opportunity> =>
    (await call.post('/opportunities', { name: 'Reforma', stageId: first?.id, contactId, items, ...more })).body
  const story = async (id: string) =>
    (await call.get(`/opportunities/${id}/timeline`)).body.map(({ to }: { to: string }) => to) as string[]
  return { ...tenant, call, pipeline, first, second, contactId, make, story }
}
const tokenOf = (url: string) => url.split('/').at(-1) ?? ''
const publicly = as(undefined)

test('a proposal has a number of the company and an address without a login, on which the customer accepts once', async () => {
  const shop = await seed()
  const made = await shop.make()
  const { body: first } = await shop.call.post(`/opportunities/${made.id}/proposals`, { text: 'À vista.' })
  expect(first).toMatchObject({ number: 1, state: 'open', value: 185_090, accepted: null })
  const token = tokenOf(first.url)
  expect(token).toMatch(/^[0-9a-z]+-[\w-]{43}$/)
  const page = await publicly.get(`/proposal/${token}`)
  expect(page.headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'private, no-store' })
  expect(page.body).toMatchObject({
    ...{ number: 1, title: 'Reforma', contact: 'Padaria Sol', text: 'À vista.', value: 185_090, accepted: null },
  })
  expect(page.body.items).toHaveLength(2)
  expect((await publicly.post(`/proposal/${token}/accept`, { name: ' ' })).status).toBe(422)
  const accepted = await app.inject({
    ...{ method: 'POST', url: `/api/proposal/${token}/accept`, payload: { name: 'Maria Lima' } },
    headers: { 'user-agent': 'Navegador da Maria' },
  })
  expect(accepted.json().accepted).toMatchObject({ name: 'Maria Lima' })
  // Whoever comes after finds what was accepted.
  expect((await publicly.post(`/proposal/${token}/accept`, { name: 'Outra Pessoa' })).body.accepted.name).toBe(
    'Maria Lima',
  )
  const { body } = await shop.call.get(`/opportunities/${made.id}/proposals`)
  expect(body.items).toMatchObject([
    { state: 'accepted', accepted: { name: 'Maria Lima', ip: '127.0.0.1', userAgent: 'Navegador da Maria' } },
  ])
  expect((await shop.story(made.id))[0]).toBe('Proposta nº 1 aceita por Maria Lima (IP 127.0.0.1, Navegador da Maria)')
  const { body: second } = await shop.call.post(`/opportunities/${made.id}/proposals`)
  expect(second.number).toBe(2)
  const other = await seed()
  expect((await other.call.post(`/opportunities/${(await other.make()).id}/proposals`)).body.number).toBe(1)
  expect((await other.call.get(`/opportunities/${made.id}/proposals`)).status).toBe(404)
})

test('an address that is old, taken back, wrong or of something that changed leads nowhere', async () => {
  const shop = await seed()
  const made = await shop.make()
  const offer = async () => (await shop.call.post(`/opportunities/${made.id}/proposals`)).body
  const status = async (url: string) => (await publicly.get(`/proposal/${tokenOf(url)}`)).status
  const first = await offer()
  const second = await offer()
  expect([await status(first.url), await status(second.url)]).toEqual([404, 200])
  await shop.call.put(`/opportunities/${made.id}`, { items: [{ ...items[0], price: 90_000 }] })
  expect(await status(second.url)).toBe(404)
  expect(await shop.story(made.id)).toContain('Proposta nº 2 revogada: o que se oferece mudou')
  const third = await offer()
  await shop.call.put(`/opportunities/${made.id}`, { description: 'Outra coisa' })
  expect(await status(third.url)).toBe(200)
  expect((await shop.call.delete(`/opportunities/${made.id}/proposals/${third.id}`)).status).toBe(204)
  expect((await publicly.post(`/proposal/${tokenOf(third.url)}/accept`, { name: 'Maria Lima' })).status).toBe(404)
  const fourth = await offer()
  await withTenant(shop.tenantId, (tx) =>
    tx.db
      .update(schema.proposals)
      .set({ expiresAt: new Date(0) })
      .where(eq(schema.proposals.id, fourth.id)),
  )
  expect(await status(fourth.url)).toBe(404)
  expect(await status('http://x/proposta/zz-errado')).toBe(404)
  const empty = await shop.make({ items: [] })
  expect((await shop.call.post(`/opportunities/${empty.id}/proposals`)).body.details).toMatchObject([{ path: 'items' }])
})

test('its PDF carries the words, for the team and for whoever has the address', async () => {
  const shop = await seed()
  const made = await shop.make()
  const { body } = await shop.call.post(`/opportunities/${made.id}/proposals`, { text: 'Entrega em 10 dias. 🚚' })
  for (const [url, user] of [
    [`/api/opportunities/${made.id}/proposals/${body.id}/pdf`, shop.admin],
    [`/api/proposal/${tokenOf(body.url)}/pdf`, undefined],
  ] as const) {
    const headers = user ? { authorization: `Bearer ${user.token}` } : {}
    const reply = await app.inject({ method: 'GET', url, headers })
    expect(reply.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="proposta-1.pdf"',
    })
    expect(reply.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    expect(reply.rawPayload.length).toBeGreaterThan(5_000)
  }
})

test('files stay with the opportunity, and its story tells of them', async () => {
  const shop = await seed()
  const made = await shop.make()
  const file = await storeFile({
    ...{ tenantId: shop.tenantId, userId: shop.admin.id, name: 'planta.txt', bytes: Buffer.from('planta baixa') },
  })
  const { body } = await shop.call.post(`/opportunities/${made.id}/files`, { mediaId: file.id })
  expect(body.items).toMatchObject([{ media: { name: 'planta.txt' }, user: { id: shop.admin.id } }])
  expect((await shop.story(made.id))[0]).toBe('planta.txt')
  const uses = await withTenant(shop.tenantId, (tx) =>
    tx.db.select().from(schema.fileUses).where(eq(schema.fileUses.fileId, file.id)),
  )
  expect(uses.map(({ entity }) => entity)).toContain('opportunity_files.media_id')
  const other = await seed()
  expect((await other.call.post(`/opportunities/${(await other.make()).id}/files`, { mediaId: file.id })).status).toBe(
    422,
  )
  expect((await shop.call.delete(`/opportunities/${made.id}/files/${body.items[0].id}`)).body.items).toEqual([])
})

test('a task belongs to an opportunity, and outlives it', async () => {
  const shop = await seed()
  const made = await shop.make()
  const { body: task } = await shop.call.post('/todoLists', { name: 'Ligar', opportunityId: made.id })
  expect(task.opportunity).toEqual({ id: made.id, name: 'Reforma' })
  const listed = async () => (await shop.call.get(`/todoLists?opportunityId=${made.id}`)).body.items
  expect(await listed()).toHaveLength(1)
  const other = await seed()
  expect((await other.call.post('/todoLists', { name: 'x', opportunityId: made.id })).body.details).toMatchObject([
    { path: 'opportunityId' },
  ])
  await shop.call.delete(`/opportunities/${made.id}`)
  expect((await shop.call.get(`/todoLists/${task.id}`)).body.opportunity).toBeNull()
})

test('a file of opportunities is checked line by line, and read twice makes nothing twice', async () => {
  const shop = await seed()
  await createContact(shop, { name: 'João Dias' })
  await createContact(shop, { name: 'João Dias' })
  const lines = [
    'Oportunidade;Contato;Telefone;Etapa;Valor;Previsão;Responsável;Origem',
    `Forno novo;;(11) 98765-4321;Contato;R$ 1.234,56;${day(9).split('-').reverse().join('/')};Carla Dias;Site`,
    'Mesas;padaria sol;;;500;;;',
    'Dois;João Dias;;;1;;;',
    'Ninguém;Fulano;;;1;;;',
    'Mal;Padaria Sol;;Inexistente;1;;;',
    'Valor;Padaria Sol;;;mil;;;',
    'Antes;Padaria Sol;;;1;01/01/2020;;',
  ]
  const send = (dryRun: boolean) =>
    shop.call.post('/opportunities/import', { csv: lines.join('\n'), pipelineId: shop.pipeline.id, dryRun })
  const { body: report } = await send(true)
  expect(report).toMatchObject({ created: 2, same: 0 })
  expect(report.refused.map(({ line }: { line: number }) => line)).toEqual([4, 5, 6, 7, 8])
  expect(report.refused[0].reason).toBe('Há 2 contatos com este nome. Informe o telefone.')
  expect((await shop.call.get('/opportunities')).body.items).toEqual([])
  await send(false)
  expect((await send(false)).body).toMatchObject({ created: 0, same: 2 })
  const { items: rows } = (await shop.call.get('/opportunities?sort=value')).body
  expect(rows).toMatchObject([
    {
      ...{ name: 'Forno novo', value: 123_456, closingForecast: day(9), stageId: shop.second?.id, source: 'Site' },
      responsible: { id: shop.admin.id },
    },
    { name: 'Mesas', value: 50_000, stageId: shop.first?.id },
  ])
  expect(await shop.story(rows[0].id)).toEqual(['Contato'])
})

test('goals of a month are set at once and reached by what was won in it', async () => {
  const shop = await seed()
  const month = day(0).slice(0, 7)
  const win = async (responsibleId: string) => {
    const made = await shop.make({ responsibleId })
    await shop.call.put(`/opportunities/${made.id}`, { status: 'win' })
  }
  await win(shop.admin.id)
  await win(shop.agent.id)
  const of = { pipelineId: shop.pipeline.id, month }
  const goals = [
    { userId: null, measure: 'value', target: 500_000 },
    { userId: shop.agent.id, measure: 'wins', target: 3 },
  ]
  expect((await shop.call.put('/funnel-goals', { ...of, goals })).body.items).toEqual([
    { user: null, measure: 'value', target: 500_000, reached: 370_180 },
    { user: { id: shop.agent.id, name: 'Ana Souza' }, measure: 'wins', target: 3, reached: 1 },
  ])
  expect((await shop.call.put('/funnel-goals', { ...of, goals: [goals[0], goals[0]] })).status).toBe(422)
  expect((await as(shop.agent).put('/funnel-goals', { ...of, goals })).status).toBe(403)
  expect(
    (await as(shop.agent).get(`/funnel-goals?pipelineId=${of.pipelineId}&month=${month}`)).body.items,
  ).toHaveLength(2)
  expect((await shop.call.get(`/funnel-goals?pipelineId=${of.pipelineId}&month=2020-01`)).body.items).toEqual([])
})
