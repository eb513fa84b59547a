import { readFile } from 'node:fs/promises'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { WabaSimulator } from '@balcao/simulators/waba.ts'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, openNumber } from './channels.ts'
import { allTickets, inboxOf, newPhone, newTicket, openTicket, phoneShows, staffQueue } from './inbox.ts'
import {
  type Company,
  closeWindows,
  type Login,
  logIn,
  openAs,
  openCompany,
  openWindow,
  type Server,
  toast,
  until,
} from './kit.ts'

const idleText = 'Oi, Helena! Como não tivemos retorno, encerramos por aqui.'
const phoneScreen = { width: 390, height: 844 }

let server: Server
let browser: Browser
let admin: Company['admin']
let ana: Login
let boss: Login
/** A number that asks nobody anything, and one that asks for a grade. */
let store: WabaSimulator
let asking: WabaSimulator

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const { queueId, people } = await staffQueue(server, admin.session, ['Ana Souza'])
  ;[ana] = people as [Login]
  await admin.api.post('/reasons', { name: 'Venda concluída', color: '#15803D' })
  await admin.api.post('/farewellPrivateMessage', {
    name: 'Compra concluída',
    message: 'Pedido confirmado, {{firstName}}! Protocolo {{protocol}}.',
  })
  await admin.api.put('/settings', {
    forceReason: true,
    closeKeywords: ['encerrar', 'só isso'],
    autoClose: true,
    autoCloseTime: 60,
    autoCloseMessage: 'Oi, {{firstName}}! Como não tivemos retorno, encerramos por aqui.',
  })
  boss = await logIn(server.url, admin.session.email) // with the settings as they are now
  store = (await openNumber(server, admin.api, { name: 'Loja', queueId, sendEvaluation: false })).number
  asking = (await openNumber(server, admin.api, { name: 'Vendas', queueId, sendEvaluation: true })).number
})
afterAll(closeChannels)
closeWindows(
  () => browser,
  () => server,
  { staying: () => [ana, boss] },
)

/** Somebody who has just written to a number; her conversation, in Ana's hands. */
const arrive = (name: string, text: string, number = store) =>
  newTicket(server, admin.api, number, { name, text, acceptedBy: ana })
const ticketsOf = async (name: string) => (await allTickets(admin.api)).filter((one) => one.contact.name === name)
const find = (ticket: Ticket) => admin.api.get<Ticket>(`/tickets/${ticket.id}`)
const open = (login: Login, ticket: Ticket, text: string) => openTicket(browser, server.url, login, ticket, text)

/** The question that stands before closing. */
const beginClosing = async (page: Page) => {
  await inboxOf(page).chat.getByRole('button', { name: 'Encerrar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Encerrar atendimento' })
  await dialog.getByRole('combobox', { name: 'Motivo' }).waitFor()
  const choose = async (field: string, option: string) => {
    await dialog.getByRole('combobox', { name: field }).click()
    await page.getByRole('option', { name: option }).click()
  }
  return { dialog, choose }
}
/** Something only the clock brings: the journey turns its hands. */
const inDatabase = async (statement: string, values: unknown[]) => {
  const database = new pg.Client({ connectionString: server.databaseUrl })
  await database.connect()
  const { rowCount } = await database.query(statement, values).finally(() => database.end())
  expect(rowCount).toBe(1)
}

test('closed with the reason that is asked for, a value and a message of the library, which the customer gets', async () => {
  const { customer, ticket } = await arrive('Bianca Rios', 'Pode fechar o pedido')
  const { page, inbox } = await open(ana, ticket, 'Pode fechar o pedido')
  const { dialog, choose } = await beginClosing(page)
  await choose('Mensagem de fechamento', 'Compra concluída')
  await dialog
    .getByRole('region', { name: 'O cliente recebe' })
    .getByText(`Pedido confirmado, Bianca! Protocolo ${ticket.protocol}.`)
    .waitFor()
  await dialog.getByLabel('Valor negociado').pressSequentially('1250,9')
  await dialog.getByRole('button', { name: 'Enviar e encerrar' }).click()
  await dialog.getByText('Escolha o motivo do encerramento.').waitFor()
  expect(await find(ticket)).toMatchObject({ status: 'open' })

  await choose('Motivo', 'Venda concluída')
  await dialog.getByRole('button', { name: 'Enviar e encerrar' }).click()
  await inbox.chat.getByText('Atendimento encerrado').waitFor()
  await inbox.said(`Pedido confirmado, Bianca! Protocolo ${ticket.protocol}.`).waitFor()
  await phoneShows(customer, `Pedido confirmado, Bianca! Protocolo ${ticket.protocol}.`)
  expect(customer.inbox).toHaveLength(1)

  const panel = page.getByRole('complementary', { name: 'Dados do contato' })
  await panel.getByRole('definition').filter({ hasText: 'Venda concluída' }).waitFor()
  await panel.getByRole('listitem').filter({ hasText: 'Este' }).getByText('R$ 1.250,90').waitFor()
  expect(await find(ticket)).toMatchObject({ status: 'closed', value: 125_090, reason: { name: 'Venda concluída' } })
})

test('asked for a grade after the end: a word is asked again, a grade is thanked and listed, and opens nothing', async () => {
  const { customer, ticket } = await arrive('Carmen Luz', 'Era só a nota fiscal', asking)
  const { page, inbox } = await open(ana, ticket, 'Era só a nota fiscal')
  const { dialog, choose } = await beginClosing(page)
  await dialog.getByText('Depois de encerrar, o cliente recebe o pedido de avaliação.').waitFor()
  await choose('Motivo', 'Venda concluída')
  await dialog.getByRole('button', { name: 'Encerrar', exact: true }).click()
  await inbox.chat.getByText('Atendimento encerrado').waitFor()
  const question = await phoneShows(customer, 'Como você avalia o nosso atendimento?')
  expect(question.buttons?.map((button) => button.title)).toEqual([
    '5 – Ótimo',
    '4 – Bom',
    '3 – Regular',
    '2 – Ruim',
    '1 – Péssimo',
  ])

  await customer.sendText('foi tudo certinho')
  await phoneShows(customer, 'Não entendi. Responda apenas com o número da nota.')
  await customer.sendText('4, só demorou um pouco')
  await phoneShows(customer, 'Obrigado pela sua avaliação!')
  await inbox.said('O cliente avaliou o atendimento: 4 – Bom.').waitFor()

  const list = await openAs(browser, server.url, boss, '/avaliacoes/listar')
  const hers = list.getByRole('table', { name: 'Avaliações' }).getByRole('row').filter({ hasText: 'Carmen Luz' })
  await hers.getByText('Bom').waitFor()
  await hers.getByText('só demorou um pouco').waitFor()
  await hers.getByText('Ana Souza').waitFor()
  // Her thumb on the list corrects it, and is not thanked twice.
  await customer.press(question.id, question.buttons?.[0]?.id ?? '')
  await hers.getByText('Ótimo').waitFor()
  await inbox.said('O cliente avaliou o atendimento: 5 – Ótimo.').waitFor()
  expect(await ticketsOf('Carmen Luz')).toMatchObject([{ id: ticket.id, status: 'closed' }])
  expect(customer.inbox).toHaveLength(3)

  await inbox.tab('Pendentes')
  await inbox.list.getByText('Ninguém esperando').waitFor()
  await customer.sendText('Outra coisa: vocês abrem amanhã?')
  await inbox.row('Outra coisa: vocês abrem amanhã?').waitFor()
  expect((await ticketsOf('Carmen Luz')).map((one) => one.status).toSorted()).toEqual(['closed', 'pending'])
})

test('forced to end by the administrator, without a reason, nobody is asked anything', async () => {
  const { customer, ticket } = await arrive('Dora Paiva', 'Mensagem repetida', asking)
  const { page, inbox } = await open(boss, ticket, 'Mensagem repetida')
  const { dialog } = await beginClosing(page)
  await dialog.getByRole('button', { name: 'Encerrar sem motivo' }).click()
  await inbox.chat.getByText('Atendimento encerrado').waitFor()
  expect(await find(ticket)).toMatchObject({ status: 'closed', reason: null })
  // Had a question been written, it would stand in the conversation.
  expect(await inbox.said('Como você avalia').count()).toBe(0)
  await customer.sendText('5') // no answer to anything: a conversation of its own
  await until('a new ticket', async () => (await ticketsOf('Dora Paiva')).length === 2)
  expect(customer.inbox).toHaveLength(0)
})

test('the customer’s word for the end closes the conversation before the agent’s eyes', async () => {
  const name = `Elza Prado ${newPhone().slice(-6)}` // a second try begins with a customer of its own
  const { customer, ticket } = await arrive(name, 'Onde fica a loja?')
  const { inbox } = await open(ana, ticket, 'Onde fica a loja?')
  await inbox.answer('Rua das Flores, 12.')
  await phoneShows(customer, 'Rua das Flores, 12.')
  await customer.sendText('Era isso, queria encerrar o dia sabendo') // the word within a sentence ends nothing
  await inbox.said('queria encerrar o dia').waitFor()
  await inbox.field.waitFor()
  await customer.sendText('Só isso!')
  await inbox.said('O cliente encerrou o atendimento.').waitFor()
  await inbox.chat.getByText('Atendimento encerrado').waitFor()
  expect(await find(ticket)).toMatchObject({ status: 'closed' })

  await customer.sendText('ENCERRAR')
  await inbox.log.getByText('ENCERRAR', { exact: true }).waitFor() // "encerrar" was said before, in a sentence
  expect(await ticketsOf(name)).toHaveLength(1)
})

test('left without a word for an hour, a conversation says goodbye once and closes by itself', async () => {
  const { customer, ticket } = await arrive('Helena Faro', 'Vou pensar e te falo')
  const { inbox } = await open(ana, ticket, 'Vou pensar e te falo')
  await inbox.answer('Combinado, fico no aguardo.')
  await inbox.tick('Entregue').waitFor()
  await inDatabase(`update tickets set last_message_at = now() - interval '61 minutes' where id = $1`, [ticket.id])
  await until('the clock closes it', async () => (await find(ticket)).status === 'closed')
  await inbox.said(idleText).waitFor()
  await inbox.said('Encerrado por falta de resposta: 1 hora sem mensagens.').waitFor()
  await inbox.chat.getByText('Atendimento encerrado').waitFor()
  await phoneShows(customer, idleText)
  await inbox.tick('Entregue').waitFor()
  expect(customer.inbox.map((line) => line.text)).toEqual(['*Ana Souza*:\nCombinado, fico no aguardo.', idleText])
  expect(await inbox.said(idleText).count()).toBe(1)
})

test('the customer follows a protocol without logging in, keeps a copy that proves itself, until the link is taken back', async () => {
  const { customer, ticket } = await arrive('Flávia Rosa', 'Quero o número do meu protocolo')
  const { page, inbox } = await open(ana, ticket, 'Quero o número do meu protocolo')
  await inbox.more('Enviar protocolo')
  const dialog = page.getByRole('dialog', { name: 'Protocolo' })
  await dialog.getByRole('button', { name: 'Enviar ao cliente' }).click()
  await toast(page, 'Protocolo enviado ao cliente.').waitFor()
  const told = await phoneShows(customer, `Seu protocolo é ${ticket.protocol}.`)
  const [link = ''] = /https?:\/\/\S+\/protocolo\/\S+/.exec(told.text ?? '') ?? []
  expect(link).toContain(server.url)
  await inbox.tick('Entregue').waitFor()

  const hers = await openWindow(browser, link, phoneScreen)
  await hers.getByRole('heading', { name: ticket.protocol }).waitFor()
  await hers.getByRole('region', { name: 'Situação' }).getByText('Em atendimento').waitFor()
  await hers.getByText('Loja Teste').waitFor()
  const [download] = await Promise.all([
    hers.waitForEvent('download'),
    hers.getByRole('link', { name: 'Só texto' }).click(),
  ])
  const copy = await readFile(await download.path())
  expect(copy.toString()).toContain('Quero o número do meu protocolo')
  const check = async (name: string, buffer: Buffer) => {
    await hers.getByLabel('Arquivo da conversa').setInputFiles({ name, mimeType: 'text/plain', buffer })
  }
  await check('conversa.txt', copy)
  await hers.getByText('Cópia autêntica').waitFor()
  const changed = copy.toString().replace('Quero o número', 'Desisti do número')
  expect(changed).not.toBe(copy.toString())
  await check('alterada.txt', Buffer.from(changed))
  await hers.getByText('Não reconhecemos este arquivo').waitFor()
  expect(await hers.getByText('Cópia autêntica').count()).toBe(0)
  const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
  expect(await hers.evaluate(isTooWide)).toBe(false)

  await inbox.more('Enviar protocolo')
  await dialog.getByRole('button', { name: /^Revogar o link criado/ }).click()
  await toast(page, 'Link revogado: ele não abre mais.').waitFor()
  const [refusal] = await Promise.all([
    hers.waitForResponse((reply) => reply.url().includes('/api/protocol/')),
    hers.reload(),
  ])
  expect(refusal.status()).toBe(404)
  await hers.getByRole('alert').getByText('Este link não está mais disponível').waitFor()
  expect(await hers.getByText(ticket.protocol).count()).toBe(0)
})

test('a message scheduled beside the conversation goes out when its time comes', async () => {
  const { customer, ticket } = await arrive('Gilda Nunes', 'Me avise quando chegar')
  const { page, inbox } = await open(ana, ticket, 'Me avise quando chegar')
  const panel = page.getByRole('complementary', { name: 'Dados do contato' })
  await panel.getByRole('button', { name: 'Mensagens agendadas' }).click()
  await panel.getByText('Nenhuma mensagem agendada.').waitFor()
  await panel.getByRole('button', { name: 'Agendar mensagem' }).click()
  const form = page.getByRole('dialog', { name: 'Agendar mensagem' })
  await form.getByRole('button', { name: 'Em 30 min' }).click()
  await form.getByRole('textbox', { name: 'Mensagem' }).fill('Oi, {{firstName}}! A sua encomenda chegou.')
  await form.getByRole('button', { name: 'Agendar', exact: true }).click()
  await toast(page, 'Mensagem agendada.').waitFor()
  const scheduled = panel.getByRole('region', { name: 'Mensagens agendadas' })
  const line = scheduled.getByRole('listitem').filter({ hasText: 'A sua encomenda chegou.' })
  await line.waitFor()
  expect(customer.inbox).toHaveLength(0)

  const half = `due_at - interval '30 minutes'`
  const soon = `due_at > now() + interval '25 minutes'`
  await inDatabase(
    `update schedules set due_at = ${half}, attempt_at = ${half} where contact_id = $1 and state = 'pending' and ${soon}`,
    [ticket.contactId],
  )
  await phoneShows(customer, 'Oi, Gilda! A sua encomenda chegou.')
  await inbox.said('Oi, Gilda! A sua encomenda chegou.').waitFor()
  await inbox.tick('Entregue').waitFor()
  await line.waitFor({ state: 'hidden' })
  expect(customer.inbox).toHaveLength(1)
})
