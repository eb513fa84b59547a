import type { Assistant } from '@balcao/contract/automation/assistants/assistants.ts'
import { type LlmSimulator, lastText, startLlmSimulator } from '@balcao/simulators/llm.ts'
import type { WabaSimulator } from '@balcao/simulators/waba.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, openNumber } from './channels.ts'
import { allTickets, newPhone, newTicket, openTicket, phoneShows, staffQueue } from './inbox.ts'
import {
  arrowTo,
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
let admin: Company['admin']
let number: WabaSimulator
let ana: Login
let llm: LlmSimulator

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const { queueId, people } = await staffQueue(server, admin.session, ['Ana Souza'])
  ana = people[0] ?? admin.session
  number = (await openNumber(server, admin.api, { queueId })).number
  llm = await startLlmSimulator()
})
afterAll(async () => {
  await closeChannels()
  await llm.close()
})
closeWindows(
  () => browser,
  () => server,
  { staying: () => [admin.session, ana] },
)

test('the copilot by the keyboard: it proposes, rewrites, translates and sums up, what was typed stays, and nothing is sent', async () => {
  const text = 'Qual o prazo de entrega?'
  const { customer, ticket } = await newTicket(server, admin.api, number, { name: 'Maria Lima', text, acceptedBy: ana })
  const { page, inbox } = await openTicket(browser, server.url, ana, ticket, text)
  const button = page.getByRole('button', { name: 'Copiloto', exact: true })
  expect(await button.count()).toBe(0)
  // The account comes while she is writing: the copilot is there without a load.
  await admin.api.post('/integrations', {
    kind: 'chat-gpt',
    name: 'ChatGPT',
    config: { apiKey: 'sk-jornada-0001', wire: 'chat', baseUrl: llm.urls.openai, model: 'balcao-pequeno' },
  })
  await button.waitFor()

  const proposal = page.getByRole('region', { name: 'Proposta do copiloto' })
  await inbox.field.focus()
  await page.keyboard.type('Oi, Maria! ')
  await page.keyboard.press('Control+j')
  await proposal.getByText('de 2 a 4 dias úteis').first().waitFor()
  expect(await inbox.field.inputValue()).toBe('Oi, Maria! ')
  await page.keyboard.press('Escape')
  await proposal.waitFor({ state: 'detached' })
  expect(await inbox.field.inputValue()).toBe('Oi, Maria! ')

  await page.keyboard.press('Control+j')
  await until('it is whole', () => proposal.getByRole('button', { name: 'Usar' }).isEnabled())
  await page.keyboard.press('Enter')
  await until('it is in the field', async () => (await inbox.field.inputValue()).includes('dias úteis'))
  await page.keyboard.press('Escape')
  expect(await inbox.field.inputValue()).toBe('Oi, Maria! ')

  const choose = async (name: string) => {
    await button.focus()
    await page.keyboard.press('Enter')
    await arrowTo(page, page.getByRole('menuitem', { name, exact: true }))
    await page.keyboard.press('Enter')
    await until('the field has the hand', () => hasFocus(inbox.field))
  }
  await inbox.field.fill('vc recebe amanha')
  await choose('Tom mais formal')
  await until('it is rewritten', () => proposal.getByRole('button', { name: 'Usar' }).isEnabled())
  expect(await inbox.field.inputValue()).toBe('vc recebe amanha')
  await page.keyboard.press('Tab')
  await until('taken', async () => (await inbox.field.inputValue()) !== 'vc recebe amanha')
  await page.keyboard.press('Escape')
  expect(await inbox.field.inputValue()).toBe('vc recebe amanha')

  await choose('Para o inglês')
  await proposal.getByText('Tradução para inglês').waitFor()
  await until('it is translated', () => proposal.getByRole('button', { name: 'Usar' }).isEnabled())
  await page.keyboard.press('Escape')
  await choose('Resumir a conversa')
  await proposal.getByText('O cliente procurou a loja').first().waitFor()
  await page.keyboard.press('Escape')
  await proposal.waitFor({ state: 'detached' })
  expect(await inbox.field.inputValue()).toBe('vc recebe amanha')
  expect(customer.inbox).toEqual([])
})

test('an assistant from nothing: prompt, knowledge, a case, published; it answers from a passage and hands over with a summary', async () => {
  const name = 'Aurora'
  const page = await openAs(browser, server.url, admin.session, '/conhecimento')
  await page.getByRole('button', { name: 'Criar base' }).first().click()
  await page.getByRole('dialog').getByLabel('Nome').fill('Perguntas da loja')
  await page.getByRole('dialog').getByRole('button', { name: 'Criar', exact: true }).click()
  await page.getByRole('button', { name: 'Acrescentar' }).first().click()
  await page.getByRole('menuitem', { name: 'Texto', exact: true }).click()
  const source = page.getByRole('dialog', { name: 'Acrescentar texto' })
  await source.getByLabel('Título').fill('Entregas e trocas')
  await source
    .getByRole('textbox', { name: 'Texto' })
    .fill(
      '# Entrega\nEntregas para a capital levam de 2 a 4 dias úteis depois do pagamento.\n\n# Troca\nA troca pode ser feita em até 30 dias, com a etiqueta na peça.',
    )
  await source.getByRole('button', { name: 'Salvar' }).click()
  await page.getByText('Lida', { exact: true }).last().waitFor()

  await page.goto(`${server.url}/assistentes`)
  await page.getByRole('button', { name: 'Criar assistente' }).first().click()
  await page.getByRole('dialog').getByLabel('Nome').fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Criar', exact: true }).click()
  await page.getByLabel('O que faz').fill('Tire dúvidas sobre entregas e trocas.')
  await page.getByRole('combobox', { name: 'Contas, na ordem' }).click()
  await page.getByRole('option', { name: /^ChatGPT/ }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Bases de conhecimento' }).click()
  await page.getByRole('option', { name: 'Perguntas da loja' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('switch', { name: 'Todas as conversas novas' }).check()
  await page.getByLabel('Esperar antes de responder').fill('0')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await toast(page, 'Rascunho salvo.').waitFor()

  await page.getByRole('tab', { name: 'Avaliação' }).click()
  await page.getByRole('button', { name: 'Criar caso' }).click()
  const dialog = page.getByRole('dialog', { name: 'Criar caso' })
  await dialog.getByLabel('Nome').fill('Prazo')
  await dialog.getByLabel('O que o cliente escreve').fill('Qual o prazo de entrega para a capital?')
  await dialog.getByLabel('Texto esperado').fill('dias úteis')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await page.getByText('A resposta contém: dias úteis').waitFor()
  await page.getByRole('button', { name: 'Publicar' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publicar', exact: true }).click()
  await page.getByText('Versão 1', { exact: true }).waitFor()
  const { items } = await admin.api.get<{ items: Assistant[] }>('/assistants')
  expect(items.find((one) => one.name === name)?.published?.number).toBe(1)

  const customer = number.customer({ waId: newPhone(), name: 'João Prado' })
  await customer.sendText('Qual o prazo de entrega para a capital?')
  await phoneShows(customer, 'de 2 a 4 dias úteis')
  await customer.sendText('quero falar com um atendente')
  const ticket = await until('it waits for the team', async () =>
    (await allTickets(admin.api)).find((one) => one.contact.name === 'João Prado' && one.bot === null),
  )
  const { page: hers } = await openTicket(browser, server.url, ana, ticket, `Resumo do assistente ${name}`)
  await hers.getByRole('button', { name: 'Assistente', exact: true }).click()
  const story = hers.getByRole('complementary', { name: 'Dados do contato' })
  await story.getByRole('button', { name: 'Respondeu' }).first().click()
  await story.getByText('1 trecho usado').click()
  await story.getByText('Entregas para a capital levam de 2 a 4 dias úteis depois do pagamento.').last().waitFor()
  expect(llm.turns.some((turn) => lastText(turn).includes('prazo de entrega'))).toBe(true)
})

test('a budget is what was typed as people write it, also on a machine that lags', async () => {
  const page = await openAs(browser, server.url, admin.session, '/configuracoes/uso-ia')
  const limit = page.getByLabel('Limite mensal')
  const write = async (typed: string, amount: string) => {
    await limit.click()
    await page.keyboard.type(typed)
    await page.keyboard.press('Tab')
    await toast(page, 'Orçamento salvo.').waitFor()
    await page.reload()
    await limit.waitFor()
    expect(await limit.inputValue()).toBe(amount)
  }
  await write('250,50', 'R$ 250,50')
  await write('1.500', 'R$ 1.500,00')
  await write(',9', 'R$ 0,90')
  await page.evaluate(() => {
    const later = window.setTimeout
    window.setTimeout = ((run: () => void, ms = 0) => later(run, ms + 1_000)) as typeof window.setTimeout
  })
  await write('250,50', 'R$ 250,50')
})
