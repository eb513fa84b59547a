import type { WabaSimulator } from '@balcao/simulators/waba.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, openNumber } from './channels.ts'
import { newTicket, openTicket, picture, staffQueue } from './inbox.ts'
import { type Company, closeWindows, goTo, type Login, openCompany, type Server, until } from './kit.ts'

let server: Server
let browser: Browser
let waba: WabaSimulator
let admin: Company['admin']
let ana: Login

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const { queueId, people } = await staffQueue(server, admin.session, ['Ana Souza'])
  ;[ana] = people as [Login]
  waba = (await openNumber(server, admin.api, { queueId })).number
})
afterAll(closeChannels)
closeWindows(
  () => browser,
  () => server,
  { staying: () => [ana] },
)

test('three parts are kept ready, taken back once, and sent in order by one press', async () => {
  const { customer, ticket } = await newTicket(server, admin.api, waba, { name: 'Rita Lima', acceptedBy: ana })
  const { page, inbox } = await openTicket(browser, server.url, ana, ticket, 'Oi, preciso de ajuda')
  await inbox.chat.getByRole('button', { name: 'Opções de envio' }).click()
  const waits = page.getByRole('menuitemcheckbox', { name: 'Esperar 5 s para poder desfazer' })
  await waits.click()
  await waits.and(page.getByRole('menuitemcheckbox', { checked: true })).waitFor()

  await goTo(page, '/mensagens-rapidas')
  await page.getByRole('button', { name: 'Criar mensagem rápida' }).first().click()
  const form = page.getByRole('dialog', { name: 'Criar mensagem rápida' })
  await form.getByLabel('Atalho').fill('oferta')
  await form.getByLabel('Texto', { exact: true }).fill('Olá, {{primeiro_nome}}!')
  const add = async (kind: string) => {
    await form.getByRole('button', { name: 'Adicionar parte' }).click()
    await page.getByRole('menuitem', { name: kind }).click()
  }
  await add('Arquivo')
  await form.locator('input[type=file]').setInputFiles(picture)
  await form.getByRole('button', { name: 'Remover arquivo' }).waitFor()
  await add('Botões ou lista')
  await form.getByLabel('Texto da parte 3').fill('Gostou?')
  await form.getByRole('button', { name: 'Criar', exact: true }).click()
  await page.getByRole('row', { name: /oferta/ }).waitFor()

  await goTo(page, `/atendimento/${ticket.id}`)
  await inbox.field.waitFor()
  await inbox.field.pressSequentially('/gostou') // by its words
  await page.getByRole('option', { name: /oferta/ }).waitFor()
  await inbox.field.press('Enter')
  const card = page.getByRole('region', { name: 'Mensagem rápida /oferta' })
  await card.getByText('Olá, Rita!').waitFor()
  expect(await card.getByRole('listitem').count()).toBe(3)

  await inbox.field.press('Enter')
  await inbox.chat.getByRole('button', { name: 'Desfazer' }).click()
  await card.getByText('Gostou?').waitFor()
  await inbox.field.press('Control+Enter')
  await until('the customer has all three', () => customer.inbox.length >= 3)
  expect(customer.inbox.slice(-3).map(({ type }) => type)).toEqual(['text', 'image', 'interactive'])
})
