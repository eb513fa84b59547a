import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { wallAfter, wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import type { WabaCustomer, WabaSimulator } from '@balcao/simulators/waba.ts'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, openNumber } from './channels.ts'
import { drag } from './drag.ts'
import { allTickets, inboxOf, staffQueue } from './inbox.ts'
import {
  as,
  type Company,
  client,
  closeWindows,
  createAgent,
  goTo,
  type Login,
  openAs,
  openCompany,
  type Server,
  toast,
  until,
} from './kit.ts'

const timeZone = 'America/Sao_Paulo'
let server: Server
let browser: Browser
let admin: Company['admin']
let waba: WabaSimulator
let ana: Login
let bruno: Login
let sandra: Login

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const { queueId, people } = await staffQueue(server, admin.session, ['Ana Souza', 'Bruno Dias'])
  ;[ana, bruno] = people as [Login, Login]
  sandra = await createAgent(server, admin.session.token, {
    name: 'Sandra Reis',
    queueIds: [queueId],
    profile: 'super',
  })
  await admin.api.post('/tags', { name: 'Cliente fiel', color: '#15803D' })
  waba = (await openNumber(server, admin.api, { name: 'Loja', queueId })).number
})
afterAll(closeChannels)
closeWindows(
  () => browser,
  () => server,
  { staying: () => [ana, sandra, admin.session] },
)

let customers = 0
/** Somebody who has just written; her conversation, in Ana's hands. */
const newTicket = async (name: string): Promise<{ customer: WabaCustomer; ticket: Ticket }> => {
  customers += 1
  const customer = waba.customer({ waId: `55119${84_000_000 + customers}`, name })
  await customer.sendText(`Oi, aqui é ${name}`)
  const ticket = await until('her ticket', async () =>
    (await allTickets(admin.api)).find((one) => one.contact.name === name),
  )
  await client(server.url, ana.token).put(`/tickets/${ticket.id}`, { status: 'open', userId: ana.userId })
  return { customer, ticket }
}
const openTicket = async (login: Login, ticket: Ticket) => {
  const page = await openAs(browser, server.url, login, `/atendimento/${ticket.id}`)
  const inbox = inboxOf(page)
  await inbox.said(`Oi, aqui é ${ticket.contact.name}`).waitFor()
  return { page, inbox }
}
const panelOf = async (page: Page) => {
  const panel = page.getByRole('complementary', { name: 'Dados do contato' })
  const opener = inboxOf(page).chat.getByRole('button', { name: 'Dados do contato' })
  if ((await opener.getAttribute('aria-expanded')) === 'false') await opener.click()
  await panel.waitFor()
  return panel
}
const heard = (customer: WabaCustomer, text: string) =>
  until(`her phone shows “${text}”`, () => customer.inbox.find((line) => line.text?.includes(text)))
/** Something only the clock brings: the journey turns its hands. */
const inDatabase = async (statement: string, values: unknown[]) => {
  const database = new pg.Client({ connectionString: server.databaseUrl })
  await database.connect()
  const { rowCount } = await database.query(statement, values).finally(() => database.end())
  expect(rowCount).toBe(1)
}

const today = wallTimeOf(new Date(), timeZone).slice(0, 10)
const nextMonth = wallAfter(`${today.slice(0, 7)}-01T00:00`, 31).slice(0, 7)
/** A day of the month after this one, as the calendar names it. */
const dayName = (day: number) =>
  new Intl.DateTimeFormat('pt-BR', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(`${nextMonth}-${day}T00:00:00Z`),
  )
const calendarOf = (page: Page) => {
  const day = (number: number) => page.getByRole('listitem', { name: dayName(number) })
  return {
    day,
    item: (number: number, text: string) => day(number).getByRole('button', { name: text }),
    next: async () => {
      await page.getByRole('button', { name: 'Mês seguinte' }).click()
      await day(10).waitFor()
    },
  }
}
const view = (page: Page, name: 'Lista' | 'Quadro' | 'Mês') =>
  page.getByRole('radiogroup', { name: 'Como ver' }).locator('label').filter({ hasText: name }).click()
const choose = async (page: Page, field: string, option: string, typed?: string) => {
  const box = page.getByRole('dialog').getByRole('combobox', { name: field })
  await box.click()
  if (typed) await box.fill(typed)
  await page.getByRole('option', { name: option }).click()
}
/** One choice of a filter above a list. */
const filter = async (page: Page, name: string, option: string) => {
  await page.getByRole('button', { name, exact: true }).click()
  const box = page.getByRole('checkbox', { name: option, exact: true })
  await box.click()
  await box.and(page.getByRole('checkbox', { checked: true })).waitFor() // the address has it
  await page.keyboard.press('Escape')
  await box.waitFor({ state: 'hidden' })
}

test('a message is planned on the calendar with its repeats, changed, found in the list and taken back', async () => {
  await newTicket('Aurora Pinto')
  const page = await openAs(browser, server.url, ana, '/agendamentos?ver=mes')
  const calendar = calendarOf(page)
  await calendar.next()
  await calendar.day(10).hover()
  await calendar
    .day(10)
    .getByRole('button', { name: `Agendar mensagem em ${dayName(10)}` })
    .click()
  const form = page.getByRole('dialog', { name: 'Agendar mensagem' })
  expect(await form.getByLabel('Data e hora do envio').inputValue()).toBe(
    `10/${nextMonth.slice(5)}/${nextMonth.slice(0, 4)} 09:00`,
  )
  await choose(page, 'Contato', 'Aurora Pinto', 'aurora')
  await choose(page, 'Canal', 'Loja')
  await form.getByRole('textbox', { name: 'Mensagem' }).fill('Olá, {{firstName}}! Hora da revisão.')
  await form.getByRole('region', { name: 'Prévia' }).getByText('Hora da revisão.').waitFor()
  await choose(page, 'Repetir', 'Toda semana')
  await form.getByRole('textbox', { name: 'Quantas vezes mais' }).fill('2')
  await form.getByRole('button', { name: 'Agendar', exact: true }).click()
  await toast(page, 'Mensagem agendada.').waitFor()
  for (const day of [10, 17, 24]) await calendar.item(day, '09:00 Aurora Pinto').waitFor()

  await calendar.item(17, '09:00 Aurora Pinto').click()
  const edit = page.getByRole('dialog', { name: 'Mensagem agendada' })
  await edit.getByLabel('Data e hora do envio').fill(`${nextMonth}-11T10:30`)
  await edit.getByRole('button', { name: 'Salvar' }).click()
  await edit.waitFor({ state: 'hidden' })
  for (const day of [11, 18, 25]) await calendar.item(day, '10:30 Aurora Pinto').waitFor()
  expect(await calendar.day(10).getByRole('button', { name: 'Aurora Pinto' }).count()).toBe(0)

  await view(page, 'Lista')
  const row = page.getByRole('row').filter({ hasText: 'Aurora Pinto' })
  await row.getByLabel('Toda semana, mais 2 vezes').waitFor()
  await row.getByRole('cell', { name: 'Agendada', exact: true }).waitFor()
  await row.getByText('Hora da revisão.').click()
  await edit.getByRole('button', { name: 'Cancelar envio' }).click()
  const question = page.getByRole('dialog', { name: 'Cancelar este envio?' })
  await question.getByText('nem as repetições que viriam depois').waitFor()
  await question.getByRole('button', { name: 'Cancelar envio' }).click()
  await row.waitFor({ state: 'hidden' })
  await filter(page, 'Situação: por enviar', 'Cancelada')
  await row.getByRole('cell', { name: 'Cancelada', exact: true }).click()
  await edit.getByRole('button', { name: 'Agendar de novo' }).click()
  await form.getByRole('region', { name: 'Prévia' }).getByText('Hora da revisão.').waitFor()
  await form.getByRole('button', { name: 'Amanhã 9h' }).click()
  await form.getByRole('button', { name: 'Agendar', exact: true }).click()
  await form.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Limpar filtro Situação' }).click()
  await row.getByText('amanhã 09:00').waitFor()
})

test('what is due goes out while one looks on and leaves the next behind; what cannot go is told', async () => {
  const { customer, ticket } = await newTicket('Berta Reis')
  const page = await openAs(browser, server.url, ana, '/agendamentos')
  await page.getByRole('button', { name: 'Agendar mensagem' }).first().click()
  const form = page.getByRole('dialog', { name: 'Agendar mensagem' })
  await choose(page, 'Contato', 'Berta Reis', 'berta')
  await choose(page, 'Canal', 'Loja')
  await form.getByRole('button', { name: 'Em 30 min' }).click()
  await form.getByRole('textbox', { name: 'Mensagem' }).fill('Oi, {{firstName}}, já pode retirar.')
  await choose(page, 'Repetir', 'Todo dia')
  await form.getByRole('button', { name: 'Agendar', exact: true }).click()
  const row = page.getByRole('row').filter({ hasText: 'Berta Reis' })
  await row.getByLabel('Todo dia, mais 1 vez').waitFor()
  expect(customer.inbox).toHaveLength(0)

  const letDue = `update schedules set due_at = now(), attempt_at = now() where contact_id = $1 and state = 'pending'`
  await inDatabase(letDue, [ticket.contactId])
  await heard(customer, 'Oi, Berta, já pode retirar.')
  await row.getByLabel('Todo dia, mais 1 vez').waitFor({ state: 'hidden' })
  await row.getByRole('cell', { name: 'Agendada', exact: true }).waitFor() // the next one, and no further
  await filter(page, 'Situação: por enviar', 'Enviada')
  await row.getByRole('cell', { name: 'Enviada', exact: true }).click()
  const done = page.getByRole('dialog', { name: 'Mensagem agendada' })
  await done.getByRole('link', { name: 'Abrir o atendimento' }).click()
  await inboxOf(page).said('Oi, Berta, já pode retirar.').waitFor()

  await inDatabase(`update tickets set last_inbound_at = now() - interval '25 hours' where id = $1`, [ticket.id])
  await inDatabase(letDue, [ticket.contactId])
  await toast(page, 'A mensagem agendada para Berta Reis não saiu.').waitFor()
  await page.getByLabel('Avisos').getByRole('button', { name: 'Abrir' }).click()
  await done.getByText('Falhou').waitFor()
  await done.getByRole('button', { name: 'Agendar de novo' }).waitFor()
  expect(customer.inbox).toHaveLength(1)
})

test('a contact goes over the board by mouse and by key, before the eyes of a colleague, and back again', async () => {
  for (const [position, name] of ['Novo', 'Cliente'].entries())
    await admin.api.post('/kanban', { name, color: '#1D4ED8', position })
  const contact = await admin.api.post<{ id: string }>('/contacts', { name: 'Dora Lima' })
  const [page, other] = [
    await openAs(browser, server.url, ana, '/kanban'),
    await openAs(browser, server.url, admin.session, '/kanban/kanbans'),
  ]
  const cardIn = (window: Page, column: string) =>
    window.getByRole('region', { name: column }).getByRole('article').filter({ hasText: 'Dora Lima' })
  await cardIn(other, 'Sem etapa').waitFor()
  await drag(cardIn(page, 'Sem etapa'), page.getByRole('region', { name: 'Novo' }))
  await cardIn(page, 'Novo').waitFor()
  await cardIn(other, 'Novo').waitFor()
  await cardIn(page, 'Novo').getByRole('button', { name: 'Dora Lima', exact: true }).focus()
  await page.keyboard.press('Shift+ArrowRight')
  await until('the keyboard stays on the card', () =>
    cardIn(page, 'Cliente').evaluate((card) => card.contains(document.activeElement)),
  )
  await cardIn(other, 'Cliente').waitFor()
  await page.getByLabel('Avisos').getByRole('button', { name: 'Desfazer' }).click()
  await cardIn(page, 'Novo').waitFor()
  await cardIn(other, 'Novo').waitFor()
  await page.reload()
  await cardIn(page, 'Novo').getByRole('button', { name: 'Ações de Dora Lima' }).click()
  await page.getByRole('menuitem', { name: 'Criar tarefa' }).click()
  await page.getByRole('dialog', { name: 'Nova tarefa' }).locator('input[value="Dora Lima"]').first().waitFor()
  await page.keyboard.press('Escape')
  await cardIn(page, 'Novo').getByRole('button', { name: 'Dora Lima', exact: true }).click()
  await page.getByRole('dialog', { name: 'Editar contato' }).waitFor()
  await page.goBack()
  await cardIn(page, 'Novo').waitFor()
  await admin.api.delete(`/contacts/${contact.id}`)
  await cardIn(page, 'Novo').waitFor({ state: 'detached' })
})

test('a task whose answer was lost on the way is there once when it is asked for again', async () => {
  const page = await openAs(browser, server.url, ana, '/tarefas')
  let isLost = false
  await page.route('**/api/todoLists', async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.fallback()
    isLost = true
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Criar tarefa' }).first().click()
  const form = page.getByRole('dialog', { name: 'Nova tarefa' })
  await form.getByRole('textbox', { name: 'O que fazer' }).fill('Ligar uma vez só')
  await form.getByRole('button', { name: 'Criar tarefa' }).click()
  await form.getByRole('alert').waitFor()
  await form.getByRole('button', { name: 'Criar tarefa' }).click()
  await toast(page, 'Tarefa criada.').waitFor()
  await page.unroute('**/api/todoLists')
  const { items } = await as(server, ana).get<{ items: { name: string }[] }>('/todoLists')
  expect(items.filter(({ name }) => name === 'Ligar uma vez só')).toHaveLength(1)
})

test('a task that repeats goes over the board by key and by mouse, stands in its month, and rings at its time', async () => {
  const { ticket } = await newTicket('Célia Rocha')
  const page = await openAs(browser, server.url, ana, '/tarefas')
  await page.getByRole('button', { name: 'Criar tarefa' }).first().click()
  const form = page.getByRole('dialog', { name: 'Nova tarefa' })
  await form.getByRole('textbox', { name: 'O que fazer' }).fill('Conferir o pagamento')
  await choose(page, 'Repetir', 'Toda semana')
  await form.getByRole('button', { name: 'Criar tarefa' }).click()
  await form.getByText('Informe o prazo: a repetição conta a partir dele.').first().waitFor()
  await form.getByLabel('Prazo', { exact: true }).fill(`${nextMonth}-10T14:00`)
  await choose(page, 'Prioridade', 'Alta')
  await choose(page, 'Contato', 'Célia Rocha', 'celia')
  await choose(page, 'Atendimento', ticket.protocol, ticket.protocol)
  await form.getByRole('button', { name: 'Criar tarefa' }).click()
  await toast(page, 'Tarefa criada.').waitFor()
  await page
    .getByRole('row')
    .filter({ hasText: 'Conferir o pagamento' })
    .getByRole('cell', { name: 'Célia Rocha' })
    .waitFor()

  await view(page, 'Quadro')
  const cardIn = (state: string) =>
    page.getByRole('region', { name: state }).getByRole('article').filter({ hasText: 'Conferir o pagamento' })
  await cardIn('Pendente').getByRole('button', { name: 'Mover Conferir o pagamento' }).focus()
  await page.keyboard.press('Enter')
  const doing = page.getByRole('menuitem', { name: 'Em andamento' })
  await doing.waitFor()
  await until('the arrows reach it', async () => {
    if (await doing.evaluate((item) => item === document.activeElement)) return true
    await page.keyboard.press('ArrowDown')
    return false
  })
  await page.keyboard.press('Enter')
  await cardIn('Em andamento').waitFor()
  await cardIn('Em andamento').getByRole('button', { name: 'Conferir o pagamento', exact: true }).focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await cardIn('Pendente').waitFor()
  await until('the keyboard stays on the card', () =>
    cardIn('Pendente').evaluate((card) => card.contains(document.activeElement)),
  )
  await page.keyboard.press('Shift+ArrowRight')
  await cardIn('Em andamento').waitFor()
  await drag(cardIn('Em andamento'), page.getByRole('region', { name: 'Finalizada' }))
  await toast(page, 'Tarefa finalizada. A próxima já está na lista.').waitFor()
  await cardIn('Finalizada').waitFor()
  await cardIn('Pendente').waitFor()

  await view(page, 'Mês')
  const calendar = calendarOf(page)
  await calendar.next()
  await calendar.item(10, '14:00 Conferir o pagamento').waitFor()
  await calendar.item(17, '14:00 Conferir o pagamento').click()
  const task = page.getByRole('dialog', { name: 'Tarefa', exact: true })
  await task.getByRole('textbox', { name: 'Novo comentário' }).fill('O banco só abre às dez.')
  await task.getByRole('button', { name: 'Comentar' }).click()
  await task.getByRole('region', { name: 'Comentários' }).getByText('O banco só abre às dez.').waitFor()
  await task.getByRole('link', { name: 'Abrir o atendimento' }).click()
  const panel = await panelOf(page)
  await panel.getByRole('button', { name: 'Tarefas', exact: true }).click()
  await panel.getByRole('button', { name: /^Conferir o pagamento/ }).waitFor()

  await as(server, ana).post('/notifications/read', {})
  await inDatabase(`update tasks set limit_date = now() where contact_id = $1 and status = 'pending'`, [
    ticket.contactId,
  ])
  await toast(page, 'Chegou o prazo da tarefa “Conferir o pagamento”.').waitFor({ timeout: 25_000 }) // the watch goes round every 15 s
  // The bell is the same in every window and after a reload: it is the server's.
  const back = await openAs(browser, server.url, ana, '/contatos')
  await back.getByRole('button', { name: 'Notificações, 1 não lida' }).waitFor()
  await page.getByLabel('Avisos').getByRole('button', { name: 'Abrir' }).click()
  await task.getByRole('textbox', { name: 'O que fazer' }).waitFor()
  const bell = back.getByRole('button', { name: 'Notificações', exact: true })
  await bell.waitFor()
  await back.reload()
  await bell.click()
  const history = back.getByRole('dialog', { name: 'Notificações' })
  await history.getByText('Nenhum aviso novo').waitFor()
  await history.getByRole('button', { name: /^Chegou o prazo da tarefa “Conferir o pagamento”/ }).click()
  await back.getByRole('dialog', { name: 'Tarefa', exact: true }).waitFor()
  await back.goto(`${server.url}/tarefas?situacao=late`)
  await back
    .getByRole('row')
    .filter({ hasText: 'Conferir o pagamento' })
    .getByRole('cell', { name: /atrasada/ })
    .last()
    .waitFor()
})

test('a note of the team is found by a word, put right and taken away, and never reaches the customer', async () => {
  const { customer, ticket } = await newTicket('Dalva Nunes')
  const { page, inbox } = await openTicket(ana, ticket)
  await inbox.chat.getByRole('button', { name: 'Nota interna' }).click()
  const note = inbox.chat.getByRole('textbox', { name: 'Nota interna' })
  await note.fill('Prefere receber à tarde')
  await note.press('Enter')
  await inbox.said('Prefere receber à tarde').waitFor()
  await inbox.menuOf('Prefere receber à tarde')
  await page.getByRole('menuitem', { name: 'Marcar com estrela' }).click()
  await inbox.log.getByRole('img', { name: 'Com estrela' }).waitFor()

  const office = await openAs(browser, server.url, sandra, '/notas')
  const row = office.getByRole('row').filter({ hasText: 'Dalva Nunes' })
  await row.getByText('Prefere receber à tarde').waitFor()
  const search = office.getByRole('searchbox', { name: 'Buscar em notas' })
  await search.fill('frete')
  await office.getByText('Nada encontrado').waitFor()
  await search.fill('RECEBER A TARDE')
  await row.getByText('Ana Souza').waitFor()

  await inbox.menuOf('Prefere receber à tarde')
  await page.getByRole('menuitem', { name: 'Editar' }).click()
  await note.fill('Prefere receber à tarde, na portaria')
  await note.press('Enter')
  await inbox.said('na portaria').waitFor()
  await row.getByText('na portaria').click()
  await inboxOf(office).said('na portaria').waitFor()
  await office.goBack()
  await row.waitFor()

  await inbox.menuOf('na portaria')
  await page.getByRole('menuitem', { name: 'Apagar' }).click()
  await page.getByRole('dialog', { name: 'Apagar a nota?' }).getByRole('button', { name: 'Apagar' }).click()
  await office.getByText('Nada encontrado').waitFor()
  expect(customer.inbox).toHaveLength(0)
})

test('the panel keeps a field of one’s own, a tag, the story and the gallery; the field is written into a message', async () => {
  const { customer, ticket } = await newTicket('Elza Prado')
  const office = await openAs(browser, server.url, admin.session, '/contatos')
  await office.getByRole('button', { name: 'Campos personalizados' }).click()
  await office
    .getByRole('dialog', { name: 'Campos personalizados' })
    .getByRole('button', { name: 'Criar campo' })
    .click()
  const field = office.getByRole('dialog', { name: 'Criar campo' })
  await field.getByRole('textbox', { name: 'Nome' }).fill('Plano atual')
  await field.getByRole('button', { name: 'Criar', exact: true }).click()
  await field.waitFor({ state: 'hidden' })
  await goTo(office, '/configuracoes/variaveis')
  await office
    .getByRole('row')
    .filter({ hasText: '{{extra.plano_atual}}' })
    .getByText('Plano atual, do contato')
    .waitFor()

  const { page, inbox } = await openTicket(ana, ticket)
  const panel = await panelOf(page)
  const email = panel.getByRole('textbox', { name: 'E-mail' })
  await email.fill('elza@exemplo')
  await email.press('Enter')
  await panel.locator('input[aria-label="E-mail"][aria-invalid]').waitFor()
  expect(await email.inputValue()).toBe('elza@exemplo')
  await email.fill('elza@exemplo.com.br')
  await email.press('Enter')
  await until('the address is kept', async () => {
    const { email: kept } = await admin.api.get<{ email: string | null }>(`/contacts/${ticket.contactId}`)
    return kept === 'elza@exemplo.com.br'
  })
  await panel.getByRole('button', { name: 'Mais campos' }).click()
  await panel.getByRole('textbox', { name: 'Plano atual' }).fill('Ouro')
  await panel.getByRole('textbox', { name: 'Plano atual' }).press('Enter')
  await panel.getByRole('button', { name: 'Etiqueta: escolher etiquetas do contato' }).click()
  await page.getByRole('checkbox', { name: 'Cliente fiel' }).click()
  await page.keyboard.press('Escape')
  await panel.getByRole('region', { name: 'Contato' }).getByText('Cliente fiel').waitFor()
  await until('the field is kept', async () => {
    const { extraInfo } = await admin.api.get<{ extraInfo: { name: string; value: string }[] }>(
      `/contacts/${ticket.contactId}`,
    )
    return extraInfo.some((one) => one.name === 'plano_atual' && one.value === 'Ouro')
  })

  await inbox.field.fill('O seu plano é o {{extra.plano_atual}}.')
  await inbox.chat.getByText('O cliente lê:').locator('..').getByText('O seu plano é o Ouro.').waitFor()
  await inbox.send()
  await heard(customer, 'O seu plano é o Ouro.')

  await panel.getByRole('button', { name: 'Mídia e links' }).click()
  await panel.getByText('Nenhuma foto trocada com este contato.').waitFor()
  await customer.sendImage(undefined, 'A fachada')
  await panel.getByRole('button', { name: /^Abrir / }).click()
  const viewer = page.getByRole('dialog')
  await viewer.getByRole('img').first().waitFor()
  await page.keyboard.press('Escape')
  await viewer.waitFor({ state: 'hidden' })
  const story = panel.getByRole('listitem').filter({ hasText: 'Este' })
  await story.getByText('A fachada').waitFor()
})

test('a reason and a goodbye made by the administrator are asked for and offered at the end, and the protocol is found', async () => {
  const office = await openAs(browser, server.url, admin.session, '/configuracoes/motivos')
  await office.getByRole('button', { name: 'Criar motivo' }).first().click()
  const form = office.getByRole('dialog')
  await form.getByRole('textbox', { name: 'Nome' }).fill('Pedido entregue')
  await form.getByRole('button', { name: 'Criar', exact: true }).click()
  await office.getByRole('row').filter({ hasText: 'Pedido entregue' }).getByText('Ativo').waitFor()
  await office.getByRole('switch', { name: 'Exigir motivo ao encerrar' }).click()
  await toast(office, 'Encerrar passa a exigir um motivo.').waitFor()
  await goTo(office, '/fechamento')
  await office
    .getByRole('button', { name: /^Criar / })
    .first()
    .click()
  await form.getByRole('textbox', { name: 'Nome' }).fill('Até a próxima')
  await form.getByRole('textbox', { name: 'Mensagem' }).fill('Até a próxima, {{firstName}}!')
  await form.getByRole('button', { name: 'Criar', exact: true }).click()
  const farewell = office.getByRole('row').filter({ hasText: 'Até a próxima' })
  await farewell.waitFor()
  const search = office.getByRole('searchbox', { name: 'Buscar em mensagens' })
  await search.fill('bom dia')
  await office.getByText('Nada encontrado para “bom dia”').waitFor()
  await search.fill('proxima')
  await farewell.waitFor()

  const { customer, ticket } = await newTicket('Fátima Leal')
  const { page, inbox } = await openTicket(ana, ticket)
  await inbox.chat.getByRole('button', { name: 'Encerrar' }).click()
  const closing = page.getByRole('dialog', { name: 'Encerrar atendimento' })
  await choose(page, 'Mensagem de fechamento', 'Até a próxima')
  await closing.getByRole('button', { name: 'Enviar e encerrar' }).click()
  await closing.getByText('Escolha o motivo do encerramento.').waitFor()
  await choose(page, 'Motivo', 'Pedido entregue')
  await closing.getByRole('button', { name: 'Enviar e encerrar' }).click()
  await inbox.chat.getByText('Atendimento encerrado').waitFor()
  await heard(customer, 'Até a próxima, Fátima!')

  await goTo(office, '/protocolos')
  const row = office.getByRole('row').filter({ hasText: ticket.protocol })
  await row.waitFor()
  await filter(office, 'Situação', 'Aberto')
  await row.waitFor({ state: 'hidden' })
  await office.getByRole('button', { name: 'Limpar filtro Situação' }).click()
  await filter(office, 'Situação', 'Encerrado')
  await office.getByRole('searchbox', { name: 'Buscar protocolo ou contato' }).fill(ticket.protocol)
  await row.getByRole('cell', { name: 'Fátima Leal', exact: true }).click()
  await inboxOf(office).said('Até a próxima, Fátima!').waitFor()
})

test('on the wall a conversation is dragged from one agent to another', async () => {
  const { ticket } = await newTicket('Gilda Ramos')
  const his = await openAs(browser, server.url, bruno, '/atendimento')
  const page = await openAs(browser, server.url, sandra, '/painel-atendimentos')
  const column = (name: string) => page.getByRole('region', { name, exact: true })
  const cardOf = (name: string) => column(name).getByRole('article', { name: 'Atendimento de Gilda Ramos' })
  // Who comes online moves forward: the columns stand still once both are.
  for (const name of ['Bruno Dias', 'Sandra Reis']) await column(name).getByText('Online').waitFor()
  await drag(cardOf('Ana Souza'), column('Bruno Dias'))
  await cardOf('Bruno Dias').waitFor()
  await inboxOf(his).row('Gilda Ramos').waitFor()
  // The card is where it was dropped before the server has said so.
  await until('it is his', async () => (await admin.api.get<Ticket>(`/tickets/${ticket.id}`)).userId === bruno.userId)
})
