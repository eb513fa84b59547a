import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type Company, closeWindows, goTo, openAs, openCompany, openWindow, type Server } from './kit.ts'

let server: Server
let browser: Browser
let admin: Company['admin']
let opportunity: { id: string }

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  await admin.api.post('/pipelines', { name: 'Vendas' })
  const { items: stages } = await admin.api.get<{ items: { id: string }[] }>('/stages')
  const contact = await admin.api.post<{ id: string }>('/contacts', { name: 'Padaria Sol' })
  opportunity = await admin.api.post<{ id: string }>('/opportunities', {
    ...{ name: 'Reforma da cozinha', stageId: stages[0]?.id, contactId: contact.id },
    items: [
      { name: 'Forno', quantity: 2, price: 100_050, discountPercent: 10 },
      { name: 'Frete', quantity: 1, price: 5_000, discountPercent: 0 },
    ],
  })
  await admin.api.post('/tags', { name: 'Em negociação', color: '#1D4ED8' })
})
closeWindows(
  () => browser,
  () => server,
  { staying: () => [admin.session] },
)

const phoneScreen = { width: 390, height: 844 }

test('a proposal is made of the products, read and accepted by the customer, and the seller sees who accepted', async () => {
  const page = await openAs(browser, server.url, admin.session, `/funil/kanban?registro=${opportunity.id}`)
  const proposals = page.getByRole('region', { name: 'Propostas' })
  await proposals.getByRole('button', { name: 'Fazer proposta' }).click()
  await proposals.getByLabel('Condições').fill('Em duas vezes, com entrega em dez dias.')
  await proposals.getByRole('button', { name: 'Fazer proposta' }).click()
  const link = await proposals.getByRole('textbox', { name: 'Link da proposta nº 1' }).inputValue()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    proposals.getByRole('button', { name: 'Baixar a proposta 1 em PDF' }).click(),
  ])
  expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-')

  const theirs = await openWindow(browser, `${server.url}${new URL(link).pathname}`, phoneScreen)
  const offer = theirs.getByRole('region', { name: 'Proposta', exact: true })
  await offer.getByText('Em duas vezes, com entrega em dez dias.').waitFor()
  await offer.getByRole('row', { name: /Total.*1\.850,90/ }).waitFor()
  await theirs.getByLabel('Seu nome completo').fill('Rita Sol')
  await theirs.getByRole('button', { name: /^Aceitar por/ }).click()
  await theirs.getByRole('region', { name: 'Aceite' }).getByText('Por Rita Sol').waitFor()

  await proposals.getByText(/por Rita Sol, em .*IP/).waitFor()
  await page.getByText(/Proposta nº 1 aceita por Rita Sol/).waitFor()
})

test('an action shows whom it would reach before it is turned on, and then what it did', async () => {
  const page = await openAs(browser, server.url, admin.session, '/funil/acao')
  await page.getByRole('button', { name: 'Criar ação do funil' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Nome').fill('Marca quem negocia')
  await form.getByRole('combobox', { name: 'O que faz' }).click()
  await page.getByRole('option', { name: 'Etiquetar' }).click()
  await form.getByRole('combobox', { name: 'Etiqueta do contato' }).click()
  await page.getByRole('option', { name: 'Em negociação' }).click()
  await form.getByLabel('Dias na etapa').fill('0')
  await form.getByRole('button', { name: /^(Criar|Salvar)/ }).click()

  await page.getByRole('button', { name: 'O que Marca quem negocia faria agora' }).click()
  const rehearsal = page.getByRole('dialog', { name: 'O que “Marca quem negocia” faria agora' })
  await rehearsal.getByText('Ligada, alcançaria 1 oportunidade. Nada sai enquanto está desligada.').waitFor()
  await rehearsal.getByRole('list', { name: 'Quem alcança' }).getByText('Reforma da cozinha').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('switch', { name: 'Marca quem negocia: ligada' }).press('Space')

  await goTo(page, '/funil/acao?parte=registro')
  const done = page.getByRole('row').filter({ hasText: 'Marca quem negocia' })
  await done.getByText('Reforma da cozinha · Padaria Sol').waitFor()
  const { items } = await admin.api.get<{ items: { tags: { name: string }[] }[] }>('/contacts?searchParam=Padaria')
  expect(items[0]?.tags.map(({ name }) => name)).toEqual(['Em negociação'])
})
