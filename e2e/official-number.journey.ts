import type { WabaSimulator } from '@balcao/simulators/waba.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { closeChannels, openNumber } from './channels.ts'
import { newTicket, openTicket, phoneShows, staffQueue } from './inbox.ts'
import {
  type Company,
  closeWindows,
  hasFocus,
  type Login,
  openAs,
  openCompany,
  type Server,
  toast,
  until,
} from './kit.ts'

let server: Server
let browser: Browser
let waba: WabaSimulator
let admin: Company['admin']
let ana: Login

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const { queueId, people } = await staffQueue(server, admin.session, ['Ana Souza'])
  ;[ana] = people as [Login]
  ;({ number: waba } = await openNumber(server, admin.api, { queueId }))
  waba.shop.flows.push({ id: '771', name: 'Agendar prova', status: 'PUBLISHED' })
})
afterAll(closeChannels)
closeWindows(
  () => browser,
  () => server,
)

test('a template is written by keyboard, approved, sent and priced; a form goes out and comes back filled in', async () => {
  const boss = await openAs(browser, server.url, admin.session, '/modelos')
  await boss.getByRole('button', { name: 'Novo modelo' }).first().press('Enter')
  const editor = boss.getByRole('dialog', { name: 'Novo modelo' })
  await until('one may write its name', () => hasFocus(editor.getByRole('textbox', { name: 'Nome' })))
  const { keyboard } = boss
  await keyboard.type('Pedido pronto')
  for (const _ of ['Categoria', 'Idioma', 'Cabeçalho', 'Mensagem']) await keyboard.press('Tab')
  await keyboard.type('Oi, {{1}}! Seu pedido já pode ser retirado na loja.')
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await keyboard.type('Maria')
  await editor.getByText('Oi, Maria! Seu pedido já pode ser retirado na loja.').waitFor()
  await keyboard.press('Enter')
  await toast(boss, 'Modelo pedido_pronto enviado à análise da Meta.').waitFor()
  await boss
    .getByRole('row', { name: /pedido_pronto/ })
    .getByText('Aprovado')
    .last()
    .waitFor()

  const { customer, ticket } = await newTicket(server, admin.api, waba, {
    name: 'Rita Alves',
    text: 'Já está pronto?',
    acceptedBy: ana,
  })
  const { page, inbox } = await openTicket(browser, server.url, ana, ticket, 'Já está pronto?')
  const attach = async (item: string) => {
    await inbox.chat.getByRole('button', { name: 'Anexar' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await attach('Modelo aprovado')
  const picker = page.getByRole('dialog', { name: 'Enviar modelo' })
  await picker.getByRole('button', { name: 'pedido pronto' }).click()
  await picker.getByLabel('Variável 1', { exact: true }).fill('Rita')
  await picker.getByRole('button', { name: 'Enviar modelo' }).click()
  await phoneShows(customer, 'Oi, Rita! Seu pedido já pode ser retirado na loja.')

  await attach('Pedido, link ou catálogo')
  const dialog = page.getByRole('dialog', { name: 'Pedido, link ou catálogo' })
  await dialog.getByRole('combobox', { name: 'O que o cliente faz' }).click()
  await page.getByRole('option', { name: 'Preencher um formulário' }).click()
  await dialog.getByRole('textbox', { name: 'Mensagem' }).fill('Marque um horário para provar.')
  await dialog.getByRole('button', { name: 'Enviar' }).click()
  await dialog.getByText('Escolha o formulário.').waitFor()
  await dialog.getByRole('combobox', { name: 'Formulário' }).click()
  await page.getByRole('option', { name: 'Agendar prova' }).click()
  await dialog.getByRole('textbox', { name: 'Texto do botão' }).fill('Agendar')
  await dialog.getByRole('button', { name: 'Enviar' }).click()
  const asked = await phoneShows(customer, 'Marque um horário para provar.')
  await customer.press(asked.id, 'flow')
  const card = inbox.bubbles('Formulário respondido').last()
  await card.getByText('Sábado', { exact: true }).waitFor()

  await boss.goto(`${server.url}/configuracoes/precos`)
  const costs = boss.getByRole('table', { name: 'Gasto por canal, país e categoria' })
  await costs.getByRole('row', { name: /Brasil Utilidade 1 .*R\$\s0,0374/ }).waitFor()
})
