import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { Queue } from '@balcao/contract/service/queues.ts'
import type { WabaSimulator } from '@balcao/simulators/waba.ts'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, openNumber } from './channels.ts'
import { allTickets, inboxOf, newPhone, newTicket, openTicket, phoneShows } from './inbox.ts'
import {
  as,
  type Company,
  closeWindows,
  createAgent,
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
let ana: Login
let carla: Login
let sonia: Login
let store: WabaSimulator
let factory: WabaSimulator
let sale: WabaSimulator

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const newQueue = async (name: string) => (await admin.api.post<Queue>('/queue', { name, color: '#B45309' })).id
  const [support, returns, clearance] = [
    await newQueue('Suporte'),
    await newQueue('Trocas'),
    await newQueue('Liquidação'),
  ]
  const hire = (name: string, queueId: string, profile: 'user' | 'super' = 'user') =>
    createAgent(server, admin.session.token, { name, queueIds: [queueId], profile })
  ana = await hire('Ana Souza', support)
  carla = await hire('Carla Nunes', returns)
  sonia = await hire('Sônia Reis', clearance, 'super')
  const open = async (name: string, queueId: string) => (await openNumber(server, admin.api, { name, queueId })).number
  store = await open('Loja', support)
  factory = await open('Fábrica', support)
  sale = await open('Promoção', clearance)
})
afterAll(closeChannels)
closeWindows(
  () => browser,
  () => server,
  { staying: () => [ana, sonia] },
)

/** Somebody who has just written to a number; her conversation, in Ana's hands. */
const arrive = (name: string, text: string, { number = store, waId = newPhone() } = {}) =>
  newTicket(server, admin.api, number, { name, text, waId, acceptedBy: ana })
const open = (login: Login, ticket: Ticket, text: string) => openTicket(browser, server.url, login, ticket, text)
const gone = (what: string, page: Page, name: string) =>
  until(what, async () => (await inboxOf(page).row(name).count()) === 0)

test('put away until the customer answers, it leaves the open ones and comes back awake with her message', async () => {
  const { customer, ticket } = await arrive('Olga Prates', 'Vou ver a medida em casa')
  const { page, inbox } = await open(ana, ticket, 'Vou ver a medida em casa')
  await inbox.row('Olga Prates').waitFor()
  await inbox.chat.getByRole('button', { name: 'Pausar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Pausar atendimento' })
  expect(await dialog.getByLabel('Voltar antes se o cliente responder').isChecked()).toBe(true)
  await dialog.getByLabel('Motivo').fill('Ela vai medir a janela')
  await dialog.getByRole('button', { name: 'Sem data' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const banner = inbox.chat.getByRole('status').filter({ hasText: 'Pausado até o cliente responder.' })
  await banner.getByText('Ela vai medir a janela').waitFor()
  await gone('it left the open ones', page, 'Olga Prates')

  await customer.sendText('São 1,20 m por 90 cm')
  await inbox.said('São 1,20 m por 90 cm').waitFor()
  await inbox.row('Olga Prates').waitFor()
  await banner.waitFor({ state: 'hidden' })
  expect(await admin.api.get<Ticket>(`/tickets/${ticket.id}`)).toMatchObject({ status: 'open', pausedAt: null })
})

test('put away until a time, it waits among the paused ones until a hand takes it up again', async () => {
  const { customer, ticket } = await arrive('Paula Vidal', 'Me chame daqui a pouco')
  const { page, inbox } = await open(ana, ticket, 'Me chame daqui a pouco')
  await inbox.chat.getByRole('button', { name: 'Pausar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Pausar atendimento' })
  await dialog.getByLabel('Voltar antes se o cliente responder').uncheck()
  await dialog.getByRole('button', { name: 'Amanhã às 8h' }).click()
  await inbox.chat.getByText(/^Pausado até .*08:00\./).waitFor()
  await gone('it left the open ones', page, 'Paula Vidal')
  await customer.sendText('Ainda não posso') // she was told not to wake it
  await inbox.said('Ainda não posso').waitFor()
  expect(await inbox.row('Paula Vidal').count()).toBe(0)

  await inbox.tab('Pausados')
  await inbox.row('Paula Vidal').waitFor()
  await inbox.chat.getByRole('button', { name: 'Retomar' }).click()
  await inbox.said('Ana Souza retomou o atendimento.').waitFor()
  await gone('it left the paused ones', page, 'Paula Vidal')
  await inbox.tab('Abertos')
  await inbox.row('Paula Vidal').waitFor()
  expect(await inbox.chat.getByText(/^Pausado até/).count()).toBe(0)
})

test('shared with a colleague of another queue, who sees it live and answers; taken out, she sees it no more', async () => {
  const { customer, ticket } = await arrive('Quitéria Lobo', 'Quero trocar a cor')
  const hers = await openAs(browser, server.url, carla, '/atendimento')
  const other = inboxOf(hers)
  await other.list.getByText('Nenhum atendimento aberto').waitFor()
  const { page, inbox } = await open(ana, ticket, 'Quero trocar a cor')
  await inbox.more('Compartilhar')
  const dialog = page.getByRole('dialog', { name: 'Compartilhar atendimento' })
  await dialog.getByRole('combobox', { name: 'Convidar colegas' }).fill('Carla')
  await page.getByRole('option', { name: 'Carla Nunes' }).click()
  await dialog.getByRole('button', { name: 'Convidar' }).click()
  const invited = dialog.getByRole('list', { name: 'Quem participa' })
  await invited.getByText('Carla Nunes').waitFor()

  await toast(hers, 'Ana Souza compartilhou com você a conversa com Quitéria Lobo.').waitFor()
  await other.open('Quitéria Lobo')
  await other.said('Quero trocar a cor').waitFor()
  await customer.sendText('Da azul para a verde')
  await other.said('Da azul para a verde').waitFor()
  await other.answer('Pode mandar a azul, a verde já está separada.')
  await phoneShows(customer, 'a verde já está separada')
  await inbox.said('Pode mandar a azul, a verde já está separada.').waitFor()

  await invited.getByRole('button', { name: 'Retirar Carla Nunes' }).click()
  await hers.getByText('Atendimento não encontrado').waitFor()
  await gone('it left her list', hers, 'Quitéria Lobo')
  await customer.sendText('Obrigada!')
  await inbox.said('Obrigada!').waitFor()
  await expect(as(server, carla).get(`/tickets/${ticket.id}`)).rejects.toThrow('404')
})

test('two conversations of one customer become one, and the old address leads to it', async () => {
  const waId = newPhone()
  const first = await arrive('Raul Teixeira', 'Comprei na loja ontem', { waId })
  const second = await arrive('Raul Teixeira', 'Falei com a fábrica também', { waId, number: factory })
  expect(second.ticket.contactId).toBe(first.ticket.contactId)
  const { page, inbox } = await open(ana, second.ticket, 'Falei com a fábrica também')
  await until('both are listed', async () => (await inbox.row('Raul Teixeira').count()) === 2)
  await inbox.more('Unir com outro atendimento')
  const dialog = page.getByRole('dialog', { name: 'Unir com outro atendimento' })
  await dialog.getByRole('radio', { name: `Protocolo ${first.ticket.protocol}` }).click()
  await dialog.getByRole('radio', { name: 'O outro, por Loja' }).click()
  await dialog.getByText('As próximas respostas saem por Loja.').waitFor()
  await dialog.getByRole('button', { name: 'Unir atendimentos' }).click()

  await page.waitForURL(`**/atendimento/${first.ticket.id}**`)
  await inbox.said('Comprei na loja ontem').waitFor()
  await inbox.said('Falei com a fábrica também').waitFor()
  await inbox.said(`Ana Souza uniu a este atendimento o protocolo ${second.ticket.protocol}.`).waitFor()
  await until('one is left', async () => (await inbox.row('Raul Teixeira').count()) === 1)
  await inbox.answer('Juntei as suas duas conversas, Raul.')
  await phoneShows(first.customer, 'Juntei as suas duas conversas')
  expect(second.customer.inbox).toHaveLength(0)

  await page.goto(`${server.url}/atendimento/${second.ticket.id}`)
  await page.waitForURL(`**/atendimento/${first.ticket.id}**`)
  await inbox.said('Juntei as suas duas conversas, Raul.').waitFor()
  await inbox.said('Falei com a fábrica também').waitFor()
})

test('a supervisor marks a whole queue as read and closes it, and sees how far it has come', async () => {
  const many = 30
  const { ticket: elsewhere } = await arrive('Sara Mota', 'Estou em outra fila')
  const buyers = Array.from({ length: many }, (_, n) => sale.customer({ waId: newPhone(), name: `Comprador ${n + 1}` }))
  await Promise.all(buyers.map((buyer) => buyer.sendText('Ainda tem a promoção?')))
  const waiting = async () => (await allTickets(admin.api)).filter((one) => one.queue?.name === 'Liquidação')
  const ids = await until('all of them wait', async () => {
    const found = await waiting()
    return found.length === many && found.map((one) => one.id).toSorted()
  })

  const page = await openAs(browser, server.url, sonia, '/atendimento?aba=pendentes')
  const inbox = inboxOf(page)
  await inbox.list.getByText('1 não lida').first().waitFor()
  const begin = async (action: string, title: string) => {
    await inbox.list.getByRole('button', { name: 'Ações em massa' }).click()
    await page.getByRole('menuitem', { name: action }).click()
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.getByRole('combobox', { name: 'Fila' }).click()
    await page.getByRole('option', { name: 'Liquidação' }).click()
    return dialog
  }
  const jobs = inbox.list.getByRole('region', { name: 'Ações em massa' })
  const reading = await begin('Marcar tudo como lido', 'Marcar como lido')
  await reading.getByText(`${many} atendimentos com mensagens não lidas passam a lidos.`).waitFor()
  await reading.getByRole('button', { name: `Marcar ${many} atendimentos` }).click()
  await jobs.getByText(`Pronto: ${many} feitos.`).waitFor()
  await until('nothing is unread', async () => (await inbox.list.getByText(/não lidas?/).count()) === 0)
  await jobs.getByRole('button', { name: 'Dispensar' }).click()
  await jobs.waitFor({ state: 'hidden' })

  const closing = await begin('Encerrar atendimentos', 'Encerrar atendimentos')
  await closing.getByText('Pendentes').click()
  await closing.getByText(`${many} atendimentos serão encerrados sem motivo`).waitFor()
  // Somebody else holds the last of them for a moment, so that there is something to watch.
  const holder = new pg.Client({ connectionString: server.databaseUrl })
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query('select 1 from tickets where id = $1 for update', [ids.at(-1)])
    await closing.getByRole('button', { name: `Encerrar ${many} atendimentos` }).click()
    await jobs.getByText(`25 de ${many}`).waitFor()
    await jobs.getByRole('progressbar', { name: 'Encerrar atendimentos' }).waitFor()
    await holder.query('commit')
  } finally {
    await holder.end()
  }
  await jobs.getByText(`Pronto: ${many} feitos.`).waitFor()
  await inbox.list.getByText('Ninguém esperando').waitFor()
  await inbox.tab('Fechados')
  await inbox.row('Comprador').first().waitFor()
  expect((await waiting()).every((one) => one.status === 'closed')).toBe(true)
  expect((await admin.api.get<Ticket>(`/tickets/${elsewhere.id}`)).status).toBe('open')
  expect(buyers.flatMap((buyer) => buyer.inbox)).toEqual([])
})

test('a supervisor says what presses and what it is worth, and calls the one responsible, who opens it from the toast', async () => {
  const { ticket } = await arrive('Tânia Freitas', 'Quero fechar o pedido grande')
  const hers = await openAs(browser, server.url, ana, '/atendimento')
  const agent = inboxOf(hers)
  await agent.row('Tânia Freitas').waitFor()
  const { page, inbox } = await open(sonia, ticket, 'Quero fechar o pedido grande')
  await inbox.more('Prioridade e valor')
  const dialog = page.getByRole('dialog', { name: 'Prioridade e valor' })
  await dialog.getByText('Urgente').click()
  await dialog.getByLabel('Valor negociado').pressSequentially('12500,5')
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await agent.row('Tânia Freitas').getByRole('img', { name: 'Prioridade urgente' }).waitFor()

  await inbox.more('Chamar responsáveis')
  await toast(page, 'Você chamou Ana Souza.').waitFor()
  await toast(hers, 'Sônia Reis chama você na conversa com Tânia Freitas.').waitFor()
  await hers.getByLabel('Avisos').getByRole('button', { name: 'Abrir' }).click()
  await agent.said('Quero fechar o pedido grande').waitFor()
  await agent.more('Prioridade e valor')
  const shown = hers.getByRole('dialog', { name: 'Prioridade e valor' })
  expect(await shown.getByLabel('Valor negociado').inputValue()).toBe('R$ 12.500,50')
  expect(await shown.getByRole('radio', { name: 'Urgente' }).isChecked()).toBe(true)
})

test('moved to another number, the next answer goes out there, and her reply there comes into the same conversation', async () => {
  const waId = newPhone()
  const before = await arrive('Úrsula Pires', 'É da fábrica?', { waId, number: factory })
  await admin.api.put(`/tickets/${before.ticket.id}`, { status: 'closed' })
  const { customer, ticket } = await arrive('Úrsula Pires', 'Então falo com a loja', { waId })
  const { page, inbox } = await open(ana, ticket, 'Então falo com a loja')
  await inbox.more('Mudar de canal')
  const dialog = page.getByRole('dialog', { name: 'Mudar de canal' })
  await dialog.getByRole('combobox', { name: 'Novo canal' }).click()
  await page.getByRole('option', { name: 'Fábrica' }).click()
  await dialog.getByRole('button', { name: 'Mudar de canal' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await inbox.said('Ana Souza mudou o canal do atendimento para Fábrica.').waitFor()
  await inbox.chat.getByText('Suporte · Fábrica').waitFor()
  await inbox.answer('Agora quem responde é a fábrica.')
  await phoneShows(before.customer, 'Agora quem responde é a fábrica.')
  await inbox.tick('Entregue').waitFor()
  expect(customer.inbox).toHaveLength(0)

  await before.customer.sendText('Que bom, obrigada!')
  await inbox.said('Que bom, obrigada!').waitFor()
  await until('one is left', async () => (await inbox.row('Úrsula Pires').count()) === 1)
})

test('moved to a number she never wrote to, no free text is offered until she writes there', async () => {
  const { customer, ticket } = await arrive('Valéria Rocha', 'Tem desconto?')
  const { page, inbox } = await open(ana, ticket, 'Tem desconto?')
  await inbox.field.waitFor()
  await inbox.more('Mudar de canal')
  const dialog = page.getByRole('dialog', { name: 'Mudar de canal' })
  await dialog.getByRole('combobox', { name: 'Novo canal' }).click()
  await page.getByRole('option', { name: 'Promoção' }).click()
  await dialog.getByRole('button', { name: 'Mudar de canal' }).click()
  await inbox.chat.getByText('A janela de 24 horas fechou. Envie um modelo aprovado.').waitFor()
  expect(await inbox.field.count()).toBe(0)

  const there = sale.customer({ waId: customer.waId, name: 'Valéria Rocha' })
  await there.sendText('Escrevo por aqui, então')
  await inbox.said('Escrevo por aqui, então').waitFor()
  await inbox.answer('Tem, sim: dez por cento.')
  await phoneShows(there, 'Tem, sim: dez por cento.')
  expect(customer.inbox).toHaveLength(0)
})
