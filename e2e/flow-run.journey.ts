import type { Flow, FlowDraft } from '@balcao/contract/automation/flows/flows.ts'
import type { WabaSimulator } from '@balcao/simulators/waba.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, openNumber } from './channels.ts'
import { allTickets, inboxOf, newPhone, phoneShows, staffQueue } from './inbox.ts'
import { type Company, closeWindows, type Login, openAs, openCompany, type Server, until } from './kit.ts'

let server: Server
let browser: Browser
let admin: Company['admin']
let waba: WabaSimulator
let ana: Login
let flow: Flow

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const { queueId, people } = await staffQueue(server, admin.session, ['Ana Souza'])
  ana = people[0] ?? admin.session
  waba = (await openNumber(server, admin.api, { queueId })).number
  flow = await admin.api.post<Flow>('/chat-flow', { name: 'Oficina', model: 'oficina' })
  const { revision } = await admin.api.get<FlowDraft>(`/chat-flow/${flow.id}/draft`)
  await admin.api.post(`/chat-flow/${flow.id}/publish`, { revision })
})
afterAll(closeChannels)
closeWindows(
  () => browser,
  () => server,
  { staying: () => [admin.session, ana] },
)

test('the company’s flow attends whoever writes: by button and in words, until a person goes on and reads what was said', async () => {
  const settings = await openAs(browser, server.url, admin.session, '/configuracoes/conversas')
  await settings
    .getByRole('combobox', { name: /^Fluxo/ })
    .first()
    .click()
  await settings.getByRole('option', { name: 'Oficina' }).click()
  await until('it is saved', async () => {
    const { botTicketActive } = await admin.api.get<{ botTicketActive: string | null }>('/settings')
    return botTicketActive === flow.id
  })

  const customer = waba.customer({ waId: newPhone(), name: 'Maria Lima' })
  await customer.sendText('oi')
  const menu = await phoneShows(customer, 'O que o carro precisa?')
  await customer.press(menu.id, menu.buttons?.find(({ title }) => title === 'Orçamento')?.id ?? '')
  await phoneShows(customer, 'Qual é o modelo e o ano do carro?')
  await customer.sendText('Gol 2015')
  await phoneShows(customer, 'Quantos quilômetros')
  await customer.sendText('não sei')
  await phoneShows(customer, 'Escreva só o número')
  await customer.sendText('80 mil')
  await customer.sendText('80.000')
  await phoneShows(customer, 'O que está acontecendo?')
  await customer.sendText('Barulho na frente')
  await phoneShows(customer, 'Quer mandar uma foto')
  await customer.sendText('não')
  await phoneShows(customer, 'Já passei tudo para a nossa equipe')

  const [ticket] = await allTickets(admin.api)
  const page = await openAs(browser, server.url, ana, `/atendimento/${ticket?.id}`)
  const inbox = inboxOf(page)
  await inbox.log.getByText('Gol 2015', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'O que o fluxo fez' }).click()
  const story = page.getByRole('complementary', { name: 'Dados do contato' })
  await story.getByText('Oficina', { exact: true }).waitFor()
  await story.getByText('80000', { exact: true }).first().waitFor()
  expect(await story.getByText('Não entendido: não sei').count()).toBe(1)
})

test('a conversation is handed to a flow from its menu, and whoever writes to the customer ends it', async () => {
  await admin.api.put('/settings', { botTicketActive: null })
  const customer = waba.customer({ waId: newPhone(), name: 'João Prado' })
  await customer.sendText('boa tarde')
  const ticket = await until('it waits', async () =>
    (await allTickets(admin.api)).find(({ contact }) => contact.name === 'João Prado'),
  )
  const page = await openAs(browser, server.url, ana, `/atendimento/${ticket.id}`)
  const inbox = inboxOf(page)
  await inbox.log.getByText('boa tarde').waitFor()
  await inbox.chat.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Devolver ao robô' }).click()
  const dialog = page.getByRole('dialog', { name: 'Devolver ao robô' })
  await dialog.getByRole('combobox', { name: 'Fluxo' }).click()
  await page.getByRole('option', { name: 'Oficina' }).click()
  await dialog.getByRole('button', { name: 'Passar para o fluxo' }).click()
  await phoneShows(customer, 'O que o carro precisa?')

  await inbox.chat.getByRole('button', { name: 'Aceitar' }).first().click()
  await inbox.field.fill('Oi, João, aqui é a Ana.')
  await inbox.send()
  await phoneShows(customer, 'aqui é a Ana')
  await customer.sendText('1')
  await inbox.log.getByText('1', { exact: true }).waitFor()
  const { chatFlowId } = await admin.api.get<{ chatFlowId: string | null }>(`/tickets/${ticket.id}`)
  expect(chatFlowId).toBeNull()
  expect(customer.inbox.filter(({ text }) => text?.includes('modelo e o ano'))).toEqual([])
})

test('the draft is rehearsed beside the canvas, by button and in words, with the clock in hand', async () => {
  const page = await openAs(browser, server.url, admin.session, `/chat-flow/builder/${flow.id}`)
  await page.getByRole('button', { name: 'Ensaiar', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Ensaio do fluxo' })
  const field = panel.getByRole('textbox', { name: 'Mensagem do cliente' })
  await until('it is ready', () => field.isEnabled())
  await field.fill('oi')
  await field.press('Enter')
  await panel.getByText('Opa, Maria! O que o carro precisa?').waitFor()
  await panel.getByRole('button', { name: 'Revisão' }).click()
  await panel.getByText('Qual é o modelo e o ano do carro?').waitFor()
  await page.keyboard.type('Uno 2010')
  await page.keyboard.press('Enter')
  await panel.getByText('Quantos quilômetros rodados, mais ou menos?').waitFor()
  await page.locator('[data-path="at"]').waitFor()
  await panel.getByRole('button', { name: 'Passar o tempo' }).click()
  await page.getByRole('menuitem', { name: '30 minutos' }).click()
  await panel.getByText('Maria, você ainda está por aí? É só responder por aqui.').waitFor()
  await panel.getByText('Passou para a equipe.').waitFor()
  await panel.getByRole('button', { name: 'Ensaiar de novo' }).click()
  await field.waitFor()
  expect(await page.locator('[data-path]').count()).toBe(0)
  // Escape closes what is on top, and that alone.
  await panel.getByRole('combobox', { name: 'Canal' }).click()
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('option').first().waitFor({ state: 'hidden' })
  expect(await panel.isVisible()).toBe(true)
  await field.focus()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
})
