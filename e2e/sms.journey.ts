import { startSmsSimulator } from '@balcao/simulators/sms.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, openNumber } from './channels.ts'
import { allTickets, inboxOf, newPhone, newTicket, phoneShows, staffQueue } from './inbox.ts'
import { type Company, closeWindows, type Login, openAs, openCompany, type Server, until } from './kit.ts'

let server: Server
let browser: Browser
let admin: Company['admin']
let ana: Login
let queueId: string
const key = `chave-da-smsdev-${process.env.VITEST_POOL_ID}`
const sms = await startSmsSimulator({ provider: 'smsdev', key })

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const staff = await staffQueue(server, admin.session, ['Ana Souza'])
  queueId = staff.queueId
  ;[ana] = staff.people as [Login]
})
afterAll(() => Promise.all([closeChannels(), sms.close()]))
closeWindows(
  () => browser,
  () => server,
)

test('an account of SMS is added; who is known from WhatsApp writes by it, and is answered as it is counted', async () => {
  const { number } = await openNumber(server, admin.api, { queueId })
  const phone = newPhone()
  await newTicket(server, admin.api, number, { name: 'Rita Alves', waId: phone })

  const page = await openAs(browser, server.url, admin.session, '/configuracoes/sms')
  await page.getByText('Nenhuma conta de SMS ainda').waitFor()
  await page.getByRole('button', { name: 'Adicionar SMS' }).first().click()
  const form = page.getByRole('dialog', { name: 'Adicionar SMS' })
  await form.getByLabel('Account SID').waitFor()
  await form.getByRole('combobox', { name: 'Provedor' }).click()
  await page.getByRole('option', { name: 'SMSDev' }).click()
  await form.getByLabel('Account SID').waitFor({ state: 'detached' })
  await form.getByRole('textbox', { name: 'Nome', exact: true }).fill('SMS da loja')
  await form.getByLabel('Chave (KEY)').fill(key)
  await form.getByLabel('Preço de cada SMS, em reais').fill('0,09')
  await form.getByLabel('Endereço da API').fill(sms.url)
  await form.getByRole('button', { name: 'Adicionar', exact: true }).click()
  const edit = page.getByRole('dialog', { name: 'SMS da loja' })
  const address = edit.getByRole('textbox', { name: 'Endereço dos avisos' })
  await address.waitFor()
  sms.setHook(await address.inputValue())
  await page.keyboard.press('Escape')
  const card = page.getByRole('article', { name: 'SMS da loja' })
  await card.getByText('Conectado', { exact: true }).waitFor()

  const rita = sms.customer({ phone })
  await rita.sendText('Voces abrem sabado?')
  expect(sms.webhooks.at(-1)?.status).toBe(204)
  await until('her message by SMS has come', async () =>
    (await allTickets(admin.api)).find(({ lastMessage }) => lastMessage === 'Voces abrem sabado?'),
  )
  const [bySms, byWhatsApp] = await allTickets(admin.api)
  expect(bySms?.contactId).toBe(byWhatsApp?.contactId)

  const agentPage = await openAs(browser, server.url, ana, `/atendimento/${bySms?.id}`)
  const agent = inboxOf(agentPage)
  await agent.accept()
  await agent.chat.getByText('Cada SMS leva 160 caracteres, ou 70 com acentos e emojis.').waitFor()
  // Signed “Ana Souza:” above, which takes eleven of them.
  await agent.field.fill('Abrimos das 9 as 13.')
  await agent.chat.getByText('1 SMS · cabem mais 129 · R$ 0,09').waitFor()
  await agent.field.fill(`Sábado: ${'a'.repeat(70)}`)
  await agent.chat.getByText('2 SMS · cabem mais 45 · 1 crédito · R$ 0,09').waitFor()
  await agent.field.fill('Abrimos sábado, das 9h às 13h.')
  await agent.send()
  await phoneShows(rita, 'Abrimos sábado, das 9h às 13h.')
  await agent.tick('Entregue').waitFor()
})
