import { randomUUID } from 'node:crypto'
import type { Tag } from '@balcao/contract/contacts/tags.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { Priority } from '@balcao/contract/conversations/urgency.ts'
import type { Queue } from '@balcao/contract/service/queues.ts'
import type { WabaSimulator } from '@balcao/simulators/waba.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { closeChannels, openNumber } from './channels.ts'
import { allTickets, inboxOf, newPhone, newTicket } from './inbox.ts'
import {
  arrowTo,
  as,
  type Company,
  closeWindows,
  createAgent,
  hasFocus,
  type Login,
  marked,
  openAs,
  openCompany,
  type Server,
  until,
  wheel,
} from './kit.ts'

let server: Server
let browser: Browser
let admin: Company['admin']
/** The counter at which both serve: they see it, and nothing else. */
let queue: Queue
let number: WabaSimulator
let ana: Login
let bruno: Login

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  queue = await admin.api.post<Queue>('/queue', { name: 'Balcão', color: '#B45309' })
  number = (await openNumber(server, admin.api, { name: 'Zap do balcão', queueId: queue.id })).number
  ;[ana, bruno] = await Promise.all([hire('Ana Lima'), hire('Bruno Sá')])
})
afterAll(closeChannels)
const hire = (name: string) => createAgent(server, admin.session.token, { name, queueIds: [queue.id] })
/** Every journey begins at an empty counter. */
afterEach(async () => {
  for (const { id } of await allTickets(admin.api)) await admin.api.delete(`/tickets/${id}`)
})
closeWindows(
  () => browser,
  () => server,
  { staying: () => [ana] },
)

/** Somebody who has just written; her conversation, in these hands when said so. */
const arrive = (name: string, acceptedBy?: Login, text?: string) =>
  newTicket(server, admin.api, number, { name, text, acceptedBy })
const put = (login: Login, ticket: Ticket, change: object) =>
  as(server, login).put<Ticket>(`/tickets/${ticket.id}`, change)
const pause = (login: Login, ticket: Ticket) =>
  as(server, login).post(`/ticketsPause/${ticket.id}/pause`, { until: null, wakesOnReply: false })
const schedule = (login: Login, ticket: Ticket) =>
  as(server, login).post('/messagesSchedule', {
    contactId: ticket.contactId,
    connectionId: ticket.whatsappId,
    body: 'Até amanhã!',
    scheduleDate: new Date(Date.now() + 86_400_000).toISOString(),
  })
const mention = (login: Login, ticket: Ticket, whom: Login, name: string) =>
  as(server, login).post(`/messages/${ticket.id}`, {
    id: randomUUID(),
    type: 'note',
    body: `@${name} pode ver?`,
    mentions: [whom.userId],
  })
const share = (login: Login, ticket: Ticket, whom: Login) =>
  as(server, login).post('/ticket-shared', { ticketId: ticket.id, userIds: [whom.userId] })
const follow = (login: Login, ticket: Ticket) =>
  as(server, login).put(`/tickets/${ticket.id}/marks`, { isFollowed: true })

const openList = async (login: Login, path = '/atendimento') => {
  const page = await openAs(browser, server.url, login, path)
  const inbox = inboxOf(page)
  await inbox.list.getByRole('tab', { name: 'Abertos' }).waitFor()
  return { page, inbox }
}

/** The list shows these and no others, in this order when it is told. */
const shows = async (page: Page, names: readonly string[], { inOrder = false } = {}) => {
  const { list } = inboxOf(page)
  let seen: string[] = []
  await until(`the list shows ${names.join(', ')}`, async () => {
    seen = await list.getByRole('link').allInnerTexts()
    const at = names.map((name) => seen.findIndex((row) => row.includes(name)))
    return seen.length === names.length && !at.includes(-1) && (!inOrder || at.every((place, index) => place === index))
  }).catch((error: Error) => {
    throw new Error(`${error.message}; it shows ${JSON.stringify(seen)}`)
  })
}
const counts = (page: Page, tab: string, count: number) =>
  inboxOf(page)
    .list.getByRole('tab', { name: new RegExp(`^${tab}\\s*${count}$`) })
    .waitFor()
const addressSays = (page: Page, name: string, ...values: string[]) =>
  until(`the address says ${name}=${values.join()}`, () => {
    const told = new URL(page.url()).searchParams.getAll(name)
    return told.length === values.length && values.every((value) => told.includes(value))
  })

test('Abertos, Pendentes and Fechados hold what they should, count live, and a reload finds them again', async () => {
  const [alice, , fabio, paula] = await Promise.all([
    arrive('Alice Aberta', ana),
    arrive('Pedro Pendente'),
    arrive('Fábio Fechado', ana),
    arrive('Paula Pausada', ana),
  ])
  await Promise.all([put(ana, fabio.ticket, { status: 'closed' }), pause(ana, paula.ticket)])
  const { page, inbox } = await openList(ana)
  await shows(page, ['Alice Aberta'])
  await Promise.all([counts(page, 'Abertos', 1), counts(page, 'Pendentes', 1), counts(page, 'Fechados', 1)])

  await inbox.tab('Pendentes')
  await shows(page, ['Pedro Pendente'])
  await addressSays(page, 'aba', 'pendentes')
  const { ticket: nina } = await arrive('Nina Nova')
  await shows(page, ['Pedro Pendente', 'Nina Nova'], { inOrder: true }) // who waits longest comes first
  await counts(page, 'Pendentes', 2)
  await put(bruno, nina, { status: 'open', userId: bruno.userId })
  await shows(page, ['Pedro Pendente'])
  await Promise.all([counts(page, 'Abertos', 2), counts(page, 'Pendentes', 1)])

  await inbox.tab('Fechados')
  await shows(page, ['Fábio Fechado'])
  await put(ana, alice.ticket, { status: 'closed' })
  await shows(page, ['Alice Aberta', 'Fábio Fechado'])
  await Promise.all([counts(page, 'Abertos', 1), counts(page, 'Fechados', 2)])
  await page.reload()
  await shows(page, ['Alice Aberta', 'Fábio Fechado'])
  await addressSays(page, 'aba', 'fechados')
  await Promise.all([counts(page, 'Abertos', 1), counts(page, 'Pendentes', 1), counts(page, 'Fechados', 2)])
})

test('each view holds its own, takes in what comes while one looks, and a reload finds it again', async () => {
  const names = ['Paula Pausa', 'Gil Agenda', 'Meire Menção', 'Cora Comum', 'Saulo Segue', 'Lívia Viva', 'Bento Viva']
  const tickets: Record<string, Ticket> = {}
  await Promise.all(
    names.map(async (name) => {
      const owner = name === 'Cora Comum' || name === 'Bento Viva' ? bruno : ana
      tickets[name] = (await arrive(name, owner)).ticket
    }),
  )
  const of = (name: string) => tickets[name] ?? expect.fail(name)
  await Promise.all([
    pause(ana, of('Paula Pausa')),
    schedule(ana, of('Gil Agenda')),
    share(bruno, of('Cora Comum'), ana),
    follow(ana, of('Saulo Segue')),
    share(ana, of('Meire Menção'), bruno).then(() => mention(bruno, of('Meire Menção'), ana, 'Ana Lima')),
    share(ana, of('Lívia Viva'), bruno),
  ])
  const { page, inbox } = await openList(ana)
  const views = [
    { view: 'Seguidos', path: 'seguidos', holds: 'Saulo Segue', comes: () => follow(ana, of('Lívia Viva')) },
    { view: 'Agendados', path: 'agendados', holds: 'Gil Agenda', comes: () => schedule(ana, of('Lívia Viva')) },
    {
      view: 'Menções',
      path: 'mencoes',
      holds: 'Meire Menção',
      comes: () => mention(bruno, of('Lívia Viva'), ana, 'Ana Lima'),
    },
    {
      view: 'Comigo',
      path: 'compartilhados',
      holds: 'Cora Comum',
      enters: 'Bento Viva',
      comes: () => share(bruno, of('Bento Viva'), ana),
    },
    { view: 'Pausados', path: 'pausados', holds: 'Paula Pausa', comes: () => pause(ana, of('Lívia Viva')) },
  ]
  for (const { view, path, holds, comes, enters = 'Lívia Viva' } of views) {
    await counts(page, view, 1)
    await inbox.tab(view)
    await shows(page, [holds])
    await addressSays(page, 'aba', path)
    await comes()
    await shows(page, [holds, enters])
    await counts(page, view, 2)
  }
  await page.reload()
  await shows(page, ['Paula Pausa', 'Lívia Viva'])
  await inbox.list.getByRole('tab', { name: 'Pausados', selected: true }).waitFor()
})

test('the filters stand in the address and work from it; each chip takes its own away', async () => {
  const eva = await hire('Eva Reis') // the list keeps what she last looked for
  const tag = await admin.api.post<Tag>('/tags', { name: 'Devolução', color: '#0B7A75' })
  const other = await admin.api.post<Queue>('/queue', { name: 'Filtros B', color: '#0B7A75', memberIds: [eva.userId] })
  const factory = await openNumber(server, admin.api, { name: 'Fábrica', queueId: queue.id })
  const [zoe, , rui, ivo, lia] = await Promise.all([
    arrive('Zoé Urgente', eva),
    newTicket(server, admin.api, factory.number, { name: 'Davi Fábrica', acceptedBy: eva }),
    arrive('Rui Etiqueta', eva),
    arrive('Ivo Bruno', bruno),
    arrive('Lia Lida', eva),
  ])
  await Promise.all([
    put(eva, zoe.ticket, { priority: 'urgent' }),
    put(eva, rui.ticket, { tagIds: [tag.id], queueId: other.id }),
    put(eva, lia.ticket, { unreadMessages: 0 }),
    share(bruno, ivo.ticket, eva),
  ])
  const { page, inbox } = await openList(eva)
  const everybody = ['Zoé Urgente', 'Davi Fábrica', 'Rui Etiqueta', 'Ivo Bruno', 'Lia Lida']
  await shows(page, everybody)
  const chips = inbox.list.getByRole('list', { name: 'Filtros em uso' })
  const button = inbox.list.getByRole('button', { name: /^Filtros(,|$)/ })
  const form = page.getByRole('dialog', { name: 'Filtros' })
  const cases = [
    {
      field: 'Filas',
      option: 'Filtros B',
      name: 'fila',
      value: other.id,
      holds: ['Rui Etiqueta'],
      chip: 'Fila: Filtros B',
    },
    { field: 'Canais', option: 'Fábrica', name: 'conexao', holds: ['Davi Fábrica'], chip: 'Canal: Fábrica' },
    {
      field: 'Atendentes',
      option: 'Bruno Sá',
      name: 'usuario',
      value: bruno.userId,
      holds: ['Ivo Bruno'],
      chip: 'Atendente: Bruno Sá',
    },
    {
      field: 'Etiquetas',
      option: 'Devolução',
      name: 'etiqueta',
      value: tag.id,
      holds: ['Rui Etiqueta'],
      chip: 'Etiqueta: Devolução',
    },
    {
      field: 'Prioridade',
      option: 'Urgente',
      name: 'prioridade',
      value: 'urgente',
      holds: ['Zoé Urgente'],
      chip: 'Prioridade: urgente',
    },
  ]
  for (const { field, option, name, value, holds, chip } of cases) {
    await button.click()
    await form.getByLabel(field, { exact: true }).first().click()
    await page.getByRole('option', { name: option, exact: true }).click()
    await shows(page, holds)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'hidden' })
    if (value) await addressSays(page, name, value)
    await chips.getByRole('button', { name: `Remover filtro ${chip}` }).click()
    await shows(page, everybody)
    await addressSays(page, name)
  }
  await button.click()
  await form.getByRole('switch', { name: 'Só com mensagens não lidas' }).click()
  await addressSays(page, 'naoLidas', '1')
  await shows(page, everybody.slice(0, 4))
  await lia.customer.sendText('Voltei!')
  await shows(page, everybody)

  await page.goto(`${server.url}/atendimento?etiqueta=${tag.id}&fila=${other.id}`)
  await shows(page, ['Rui Etiqueta'])
  await page.goto(`${server.url}/atendimento?fila=${queue.id}&usuario=${eva.userId}&prioridade=urgente`)
  await shows(page, ['Zoé Urgente'])
  await chips.getByText('Atendente: Eva Reis').waitFor()
})

test('a filter is kept under a name, for oneself, or shared by who may', async () => {
  const gil = await hire('Gil Reis') // the list keeps what she last looked for
  const [zeca] = await Promise.all([arrive('Zeca Urgente', gil), arrive('Nilo Normal', gil), arrive('Tina Espera')])
  await put(gil, zeca.ticket, { priority: 'urgent' })
  const mine = await openList(gil, '/atendimento?prioridade=urgente')
  await shows(mine.page, ['Zeca Urgente'])
  const savedOf = ({ page, inbox }: typeof mine) => ({
    open: () => inbox.list.getByRole('button', { name: 'Filtros salvos' }).click(),
    menu: page.getByRole('dialog', { name: 'Filtros salvos' }),
    dialog: page.getByRole('dialog', { name: 'Salvar filtro' }),
  })
  const saved = savedOf(mine)
  await saved.open()
  await saved.menu.getByRole('button', { name: 'Salvar o filtro atual' }).click()
  await saved.dialog.getByLabel('Nome').fill('Só urgentes')
  expect(await saved.dialog.getByRole('switch', { name: 'Compartilhar com a equipe' }).count()).toBe(0)
  await saved.dialog.getByRole('button', { name: 'Salvar' }).click()
  await saved.dialog.waitFor({ state: 'hidden' })
  await mine.inbox.list.getByRole('button', { name: 'Remover filtro Prioridade: urgente' }).click()
  await shows(mine.page, ['Zeca Urgente', 'Nilo Normal'])
  await saved.open()
  await saved.menu.getByRole('button', { name: 'Só urgentes', exact: true }).click()
  await shows(mine.page, ['Zeca Urgente'])

  const theirs = await openList(admin.session, `/atendimento?aba=pendentes&fila=${queue.id}&ordem=espera`)
  await shows(theirs.page, ['Tina Espera'])
  const sharing = savedOf(theirs)
  await sharing.open()
  await sharing.menu.getByText('Guarde uma combinação').waitFor()
  expect(await sharing.menu.getByText('Só urgentes').count()).toBe(0)
  await sharing.menu.getByRole('button', { name: 'Salvar o filtro atual' }).click()
  await sharing.dialog.getByLabel('Nome').fill('Fila do balcão')
  await sharing.dialog.getByRole('switch', { name: 'Compartilhar com a equipe' }).check()
  await sharing.dialog.getByRole('button', { name: 'Salvar' }).click()
  await sharing.dialog.waitFor({ state: 'hidden' })

  await saved.open()
  await saved.menu
    .getByRole('region', { name: 'Compartilhados' })
    .getByRole('button', { name: 'Fila do balcão' })
    .click()
  await shows(mine.page, ['Tina Espera'])
  await addressSays(mine.page, 'fila', queue.id)
  await mine.inbox.list.getByRole('button', { name: 'Ordem: Maior espera' }).waitFor()
  await mine.page.reload()
  await shows(mine.page, ['Tina Espera'])
})

test('by longest wait and by least time left, the order stays right while messages come', async () => {
  const lia = await hire('Lia Reis') // the list keeps what she last looked for
  const promise = (priority: Priority, firstAnswer: number) => ({
    queueId: queue.id,
    priority,
    firstAnswer,
    resolution: firstAnswer * 2,
  })
  await admin.api.put('/settings', {
    slaTargets: [promise('urgent', 30), promise('high', 60), promise('normal', 240)],
  })
  const one = await arrive('Um Antunes', lia)
  const two = await arrive('Dois Barros', lia)
  const three = await arrive('Três Castro', lia)
  await put(lia, two.ticket, { priority: 'high' })
  await put(lia, three.ticket, { priority: 'urgent' })
  const { page, inbox } = await openList(lia)
  const order = async (now: string, next: string) => {
    await inbox.list.getByRole('button', { name: `Ordem: ${now}` }).click()
    await page.getByRole('menuitem', { name: next }).click()
  }
  const inOrder = { inOrder: true }
  await order('Mais recentes', 'Quem espera há mais tempo primeiro')
  await addressSays(page, 'ordem', 'espera')
  await shows(page, ['Um Antunes', 'Dois Barros', 'Três Castro'], inOrder)
  await one.customer.sendText('Alguém aí?')
  await inbox.row('Um Antunes').getByText('Alguém aí?').waitFor()
  await shows(page, ['Um Antunes', 'Dois Barros', 'Três Castro'], inOrder)
  await inbox.open('Um Antunes')
  await inbox.said('Alguém aí?').waitFor()
  await inbox.answer('Estou aqui!')
  await shows(page, ['Dois Barros', 'Três Castro', 'Um Antunes'], inOrder)
  await two.customer.sendText('Também estou esperando')
  await inbox.row('Dois Barros').getByText('Também estou esperando').waitFor()
  await one.customer.sendText('Que bom, obrigado')
  await inbox.row('Um Antunes').getByText('Que bom, obrigado').waitFor()
  await shows(page, ['Dois Barros', 'Três Castro', 'Um Antunes'], inOrder)

  await order('Maior espera', 'Prazo mais próximo primeiro')
  await shows(page, ['Três Castro', 'Dois Barros', 'Um Antunes'], inOrder)
  await one.customer.sendText('Mais uma coisa')
  await inbox.row('Um Antunes').getByText('Mais uma coisa').waitFor()
  await shows(page, ['Três Castro', 'Dois Barros', 'Um Antunes'], inOrder)
  await put(lia, two.ticket, { priority: 'urgent' })
  await shows(page, ['Dois Barros', 'Três Castro', 'Um Antunes'], inOrder)
  await page.reload()
  await shows(page, ['Dois Barros', 'Três Castro', 'Um Antunes'], inOrder)
})

test("a row's menu pins, follows and marks unread, by keyboard alone", async () => {
  const { ticket } = await arrive('Rita Primeira', ana)
  await put(ana, ticket, { unreadMessages: 0 })
  await arrive('Sara Segunda', ana)
  const { page, inbox } = await openList(ana)
  await shows(page, ['Sara Segunda', 'Rita Primeira'], { inOrder: true })
  const choose = async (name: string, action: string) => {
    const row = inbox.row(name)
    const kebab = inbox.list.getByRole('button', { name: `Ações de ${name}` })
    const menu = page.getByRole('menu', { name: `Ações de ${name}` })
    // A row that has just moved has lost the keyboard: one goes on until one is there.
    let steps = 0
    await until(`the keys reach ${name}`, async () => {
      if (await hasFocus(kebab)) return true
      if (await hasFocus(row)) await page.keyboard.press('Tab')
      else await page.keyboard.press(steps++ % 4 < 2 ? 'ArrowDown' : 'ArrowUp')
      return false
    })
    await page.keyboard.press('Enter')
    await arrowTo(page, menu.getByRole('menuitem', { name: action, exact: true }))
    await page.keyboard.press('Enter')
    await menu.waitFor({ state: 'hidden' })
  }
  await choose('Rita Primeira', 'Fixar no topo')
  await inbox.list.getByRole('region', { name: 'Fixados' }).getByText('Rita Primeira').waitFor()
  await shows(page, ['Rita Primeira', 'Sara Segunda'], { inOrder: true })
  await choose('Rita Primeira', 'Marcar como não lida')
  await inbox.row('Rita Primeira').getByText('1 não lida').waitFor()
  await choose('Rita Primeira', 'Seguir')
  await inbox.list.getByRole('tab', { name: /^Seguidos\s*1$/ }).focus()
  await page.keyboard.press('Enter')
  await shows(page, ['Rita Primeira'])
  await page.reload()
  await shows(page, ['Rita Primeira'])
  await choose('Rita Primeira', 'Desafixar')
  await until('it is not pinned', async () => (await inbox.list.getByRole('region', { name: 'Fixados' }).count()) === 0)
  await choose('Rita Primeira', 'Deixar de seguir')
  await inbox.list.getByText('Você não segue nenhuma conversa').waitFor()
})

test('back by the menu, one finds the conversation one left; down from the search leads to what was found', async () => {
  const { ticket } = await arrive('Rosa Volta', ana)
  await arrive('Rosa Outra', ana)
  const { page, inbox } = await openList(ana, `/atendimento/${ticket.id}`)
  const chat = page.getByRole('region', { name: 'Conversa com Rosa Volta' })
  await chat.waitFor()
  const menu = page.getByRole('navigation', { name: 'Menu principal' })
  await menu.getByRole('link', { name: 'Contatos', exact: true }).click()
  await chat.waitFor({ state: 'detached' })
  await menu.getByRole('link', { name: 'Atendimento', exact: true }).click()
  await chat.waitFor()

  await inbox.list.getByRole('searchbox', { name: 'Buscar atendimentos' }).fill('Rosa Outra')
  await inbox.row('Rosa Volta').waitFor({ state: 'detached' })
  await page.keyboard.press('ArrowDown')
  await until('what was found has the keyboard', () => hasFocus(inbox.row('Rosa Outra')))
})

test('a whole morning by keyboard alone', async () => {
  const second = await arrive('Bia Manhã')
  const first = await arrive('Abel Manhã')
  const { page, inbox } = await openList(ana, '/atendimento?aba=pendentes')
  await shows(page, ['Bia Manhã', 'Abel Manhã'], { inOrder: true })
  const press = (key: string) => page.keyboard.press(key)
  const open = (name: string) => page.getByRole('region', { name: `Conversa com ${name}` }).waitFor()
  await press('Shift+?')
  await page.getByRole('dialog', { name: 'Atalhos do teclado' }).getByText('Próximo atendimento').waitFor()
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })

  await press('j')
  await open('Bia Manhã')
  await press('j')
  await open('Abel Manhã')
  await press('k')
  await open('Bia Manhã')
  await inbox.chat.getByRole('button', { name: 'Aceitar' }).waitFor()
  await press('a')
  await inbox.field.waitFor()
  await shows(page, ['Abel Manhã'])

  // In a field every letter is only a letter.
  await until('the field has the focus', () => hasFocus(inbox.field))
  await page.keyboard.type('jkaent? Bom dia, Bia')
  expect(await inbox.field.inputValue()).toBe('jkaent? Bom dia, Bia')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await press('Control+Enter')
  await inbox.said('jkaent? Bom dia, Bia').waitFor()
  await until('her phone shows it', () => second.customer.inbox.some((line) => line.text?.includes('Bom dia, Bia')))
  await press('Escape')

  await press('n')
  const note = inbox.chat.getByRole('textbox', { name: 'Nota interna' })
  await until('the note has the focus', () => hasFocus(note))
  await page.keyboard.type('Cliente antiga')
  await press('Enter')
  await inbox.said('Cliente antiga').waitFor()
  await inbox.field.waitFor()
  await press('Escape')

  await press('t')
  const transfer = page.getByRole('dialog', { name: 'Transferir atendimento' })
  await transfer.waitFor()
  const toWhom = transfer.getByLabel('Para quem')
  await until('the dialog has the keyboard', () => hasFocus(toWhom))
  await press('Tab')
  await page.keyboard.type('Ela prefere você')
  await press('Shift+Tab')
  await until('the field has the keyboard again', () => hasFocus(toWhom))
  await page.keyboard.type('Bruno')
  await marked(transfer, 'Bruno Sá').waitFor()
  await press('Enter')
  await transfer.waitFor({ state: 'hidden' })
  await until(
    'it is his',
    async () => (await as(server, bruno).get<Ticket>(`/tickets/${second.ticket.id}`)).userId === bruno.userId,
  )

  await press('j')
  await open('Abel Manhã')
  await inbox.chat.getByRole('button', { name: 'Aceitar' }).waitFor()
  await press('a')
  await until('the field has the focus', () => hasFocus(inbox.field))
  await press('Escape')
  await press('e')
  await until(
    'it is closed',
    async () => (await as(server, ana).get<Ticket>(`/tickets/${first.ticket.id}`)).status === 'closed',
  )
  expect(first.customer.inbox).toHaveLength(0)

  await press('/')
  await page.keyboard.type('abel a')
  await addressSays(page, 'busca', 'abel a')
})

test('what closes gives the keyboard back to what opened it', async () => {
  const { ticket } = await arrive('Olga Foco', ana)
  const { page, inbox } = await openList(ana, `/atendimento/${ticket.id}`)
  await inbox.field.waitFor()
  const givesBack = async (name: string, opener: Locator) => {
    const dialog = page.getByRole('dialog', { name })
    await dialog.waitFor()
    await until('the keyboard is in it', () => dialog.evaluate((one) => one.contains(document.activeElement)))
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await until('the keyboard is back', () => hasFocus(opener))
  }
  const transfer = inbox.chat.getByRole('button', { name: 'Transferir' })
  await transfer.press('Enter')
  await givesBack('Transferir atendimento', transfer)

  const more = inbox.chat.getByRole('button', { name: 'Mais ações' })
  await more.press('Enter')
  await page.getByRole('menuitem', { name: 'Exportar conversa' }).press('Enter')
  await givesBack('Exportar conversa', more)

  const actions = inbox.list.getByRole('button', { name: 'Ações de Olga Foco' })
  await actions.press('Enter')
  await page.getByRole('menuitem', { name: 'Transferir' }).press('Enter')
  await givesBack('Transferir atendimento', actions)
})

test('the command bar runs a macro on the open conversation, and leads to another without losing the filter', async () => {
  const note = [{ kind: 'note', body: 'Pediu segunda via' }]
  await admin.api.post('/macros', { name: 'Anotar segunda via', scope: 'everyone', actions: note })
  const { ticket } = await arrive('Nina Comando', ana)
  await arrive('Otto Comando', ana)
  const { page, inbox } = await openList(ana, `/atendimento/${ticket.id}?ordem=espera`)
  await inbox.field.waitFor()
  const bar = page.getByRole('combobox', { name: 'Buscar telas, pessoas e ações' })
  const run = async (text: string, option: Locator) => {
    await page.keyboard.press('Control+k')
    await bar.fill(text)
    await option.and(page.locator('[aria-selected=true]')).waitFor()
    await page.keyboard.press('Enter')
    await bar.waitFor({ state: 'hidden' })
  }
  await run('segunda via', page.getByRole('option', { name: 'Anotar segunda via' }))
  await inbox.said('Pediu segunda via').waitFor()

  await run('otto com', page.getByRole('group', { name: 'Atendimentos' }).getByRole('option', { name: 'Otto Comando' }))
  await page.getByRole('region', { name: 'Conversa com Otto Comando' }).waitFor()
  await addressSays(page, 'ordem', 'espera')
})

test('several rows are tagged and closed in one go', async () => {
  await admin.api.post<Tag>('/tags', { name: 'Troca', color: '#7C3AED' })
  const names = ['Vera Um', 'Vera Dois', 'Vera Três', 'Vera Quatro']
  await Promise.all(names.map((name) => arrive(name, ana)))
  const { page, inbox } = await openList(ana)
  await shows(page, names)
  const box = (name: string) => inbox.list.getByRole('checkbox', { name: `Selecionar ${name}` })
  const bar = inbox.list.getByRole('toolbar', { name: 'Conversas selecionadas' })
  await inbox.row('Vera Um').hover()
  await box('Vera Um').click()
  await box('Vera Três').click()
  await bar.getByText('2 selecionadas').waitFor()
  await bar.getByRole('button', { name: 'Adicionar etiquetas' }).click()
  const tagging = page.getByRole('dialog', { name: 'Adicionar etiquetas: 2 atendimentos' })
  await tagging.getByLabel('Etiquetas').first().click()
  await page.getByRole('option', { name: 'Troca' }).click()
  await page.keyboard.press('Escape')
  await tagging.getByRole('button', { name: 'Adicionar' }).click()
  await tagging.waitFor({ state: 'hidden' })
  const tagged = (name: string) => inbox.row(name).getByRole('img', { name: 'Etiquetas: Troca' })
  await Promise.all([tagged('Vera Um').waitFor(), tagged('Vera Três').waitFor()])
  expect(await tagged('Vera Dois').count()).toBe(0)

  const [top = '', , bottom = ''] = await until('the rows are at rest', async () => {
    const rows = await inbox.list.getByRole('link').allInnerTexts()
    return rows.length === 4 && rows.map((text) => names.find((name) => text.includes(name)) ?? '')
  })
  await inbox.row(top).hover()
  await box(top).click()
  await inbox.row(bottom).click({ modifiers: ['Shift'] })
  await bar.getByText('3 selecionadas').waitFor()
  await bar.getByRole('button', { name: 'Encerrar' }).click()
  const closing = page.getByRole('dialog', { name: 'Encerrar: 3 atendimentos' })
  await closing.getByRole('button', { name: 'Encerrar' }).click()
  await closing.waitFor({ state: 'hidden' })
  await until('one is left', async () => (await inbox.list.getByRole('link').count()) === 1)
  await Promise.all([counts(page, 'Abertos', 1), counts(page, 'Fechados', 3)])
  await inbox.list.getByText('Pronto: 3 feitos.').waitFor()
})

/** A conversation long enough to scroll. */
const longTicket = async (name: string, lines: number, login: Login) => {
  const { customer, ticket } = await arrive(name, login, 'linha 1 do começo')
  for (let line = 2; line <= lines; line += 1) await customer.sendText(`linha ${line} de ${lines}`)
  await until('all are there', async () => {
    const now = await as(server, login).get<Ticket>(`/tickets/${ticket.id}`)
    return now.lastMessage === `linha ${lines} de ${lines}`
  })
  return { customer, ticket }
}
const isInSight = async (page: Page, text: string) =>
  inboxOf(page)
    .said(text)
    .evaluateAll((bubbles) =>
      bubbles.some((bubble) => {
        const box = bubble.getBoundingClientRect()
        const frame = bubble.closest('[role=log]')?.getBoundingClientRect()
        return frame !== undefined && box.height > 0 && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1
      }),
    )
const inSight = (page: Page, text: string) => until(`"${text}" is in sight`, () => isInSight(page, text))

/** A line in the middle of what is in sight, once nothing moves any more. */
const restingPlace = async (page: Page) => {
  const lines = () =>
    inboxOf(page).log.evaluate((log) => {
      const frame = log.getBoundingClientRect()
      return [...log.querySelectorAll('[id^="m-"]')].flatMap((bubble) => {
        const box = bubble.getBoundingClientRect()
        const isInside = box.height > 0 && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1
        const [, line] = (isInside && /linha (\d+) de 50/.exec(bubble.textContent)) || []
        return line ? [Number(line)] : []
      })
    })
  let before: number[] = []
  const still = await until('the conversation rests', async () => {
    const now = await lines()
    const isStill = now.length > 4 && now.join() === before.join()
    before = now
    return isStill && now
  })
  return `linha ${still[Math.floor(still.length / 2)]} de 50`
}

test('addresses lead to a page of a conversation, to the empty chat and to the contacts', async () => {
  const name = `Lena Longa ${newPhone().slice(-6)}` // a second try begins with a customer of its own
  const { ticket } = await longTicket(name, 60, bruno)
  const { page, inbox } = await openList(bruno, `/atendimento/${ticket.id}?pageNumber=2&t=1`) // a load, as of an address that was sent
  await inSight(page, 'linha 20 de 60')
  expect(await isInSight(page, 'linha 60 de 60')).toBe(false)

  await page.goto(`${server.url}/atendimento/chats/`)
  await page.getByText('Escolha um atendimento').waitFor()
  await inbox.open(name)
  await inSight(page, 'linha 60 de 60')

  await page.goto(`${server.url}/atendimento/contatos`)
  const contacts = page.getByRole('region', { name: 'Contatos' })
  await contacts.getByRole('heading', { name: 'Com quem você quer falar?' }).waitFor()
  await contacts.getByText(name).first().waitFor()
})

test('what was not sent is told by its row and its card, whatever is said after it, until it is sent', async () => {
  const { customer, ticket } = await arrive('Vera Pinto', ana)
  const { page, inbox } = await openList(ana, `/atendimento/${ticket.id}`)
  const row = inbox.row('Vera Pinto')
  const refuse = (text: string) => {
    const match = ({ body }: { body: unknown }) => JSON.stringify(body).includes(text)
    number.faults.next({ status: 400, body: { error: { code: 131009, message: 'x' } }, match })
  }
  refuse('Segue o boleto')
  await inbox.answer('Segue o boleto')
  await row.getByText('Não enviada: Segue o boleto').waitFor()
  await inbox.answer('E bom dia')
  await inbox.tick('Entregue').waitFor()
  await customer.sendText('Qual boleto?')
  await inbox.said('Qual boleto?').waitFor()
  await row.getByText('Não enviada: Segue o boleto').waitFor()
  await page.reload()
  await row.getByText('Não enviada: Segue o boleto').waitFor()

  const wall = await openAs(browser, server.url, admin.session, '/painel-atendimentos')
  const card = wall.getByRole('article', { name: 'Atendimento de Vera Pinto' })
  await card.getByText('Não enviada: Segue o boleto').waitFor()

  await inbox.log.getByRole('button', { name: 'Tentar de novo' }).click()
  await row.getByText('Qual boleto?').waitFor()
  await card.getByText('Qual boleto?').waitFor()
  await until('the customer has it', async () => customer.inbox.some(({ text }) => text?.includes('Segue o boleto')))
  expect(await row.getByText('Não enviada').count()).toBe(0)
})

test('going back to a conversation finds what came meanwhile, the draft, and the place where one was reading', async () => {
  const [long] = await Promise.all([longTicket('Clara Longa', 50, ana), arrive('Otávio Outro', ana)])
  const { page, inbox } = await openList(ana, `/atendimento/${long.ticket.id}`)
  // None of it was read: one begins where it begins.
  await inbox.chat.getByText('Novas mensagens', { exact: true }).waitFor()
  await inSight(page, 'linha 3 de 50')
  await inbox.chat.getByRole('button', { name: 'Ir para o fim' }).click()
  await inSight(page, 'linha 50 de 50')
  await inbox.field.fill('Comecei a escrever para Clara')

  await inbox.open('Otávio Outro')
  await inbox.said('Oi, preciso de ajuda').waitFor()
  expect(await inbox.field.inputValue()).toBe('')
  await inbox.field.fill('E para Otávio também')
  await inbox.row('Clara Longa').getByText('Rascunho: Comecei a escrever para Clara').waitFor()
  await long.customer.sendText('Chegou enquanto isso')
  await inbox.row('Clara Longa').getByText('Chegou enquanto isso').waitFor()
  await inbox.row('Clara Longa').getByText('1 não lida').waitFor()

  // Who was at the end is at the end again.
  await inbox.open('Clara Longa')
  await inSight(page, 'Chegou enquanto isso')
  expect(await inbox.field.inputValue()).toBe('Comecei a escrever para Clara')
  await until(
    'it is read',
    async () =>
      (await inbox
        .row('Clara Longa')
        .getByText(/não lidas?/)
        .count()) === 0,
  )

  // Who was reading further up is there again, told of what came.
  await inbox.log.hover()
  await until('one has scrolled up', async () => {
    await wheel(page, -300)
    return isInSight(page, 'linha 25 de 50')
  })
  const place = await restingPlace(page)
  await inbox.open('Otávio Outro')
  expect(await inbox.field.inputValue()).toBe('E para Otávio também')
  await long.customer.sendText('Mais uma pergunta')
  await inbox.row('Clara Longa').getByText('Mais uma pergunta').waitFor()
  await inbox.open('Clara Longa')
  await inSight(page, place)
  await inbox.chat.getByText('1 nova mensagem').waitFor()
  expect(await isInSight(page, place)).toBe(true)
  expect(await inbox.field.inputValue()).toBe('Comecei a escrever para Clara')
  await inbox.chat.getByText('1 nova mensagem').click()
  await inSight(page, 'Mais uma pergunta')

  // A search that led somewhere does not lead there again.
  await inbox.more('Buscar na conversa')
  const search = inbox.chat.getByRole('searchbox', { name: 'Buscar na conversa' })
  await until('the search has the focus', async () => (await search.count()) === 1 && hasFocus(search))
  await page.keyboard.type('linha 30')
  await inbox.chat
    .getByRole('search')
    .getByRole('button', { name: /linha 30 de 50/ })
    .click()
  await inSight(page, 'linha 30 de 50')
  await inbox.log.hover()
  await until('one has scrolled on', async () => {
    await wheel(page, 300)
    return isInSight(page, 'Mais uma pergunta')
  })
  await inbox.open('Otávio Outro')
  await inbox.said('Oi, preciso de ajuda').waitFor()
  await inbox.open('Clara Longa')
  await inSight(page, 'Mais uma pergunta')
  expect(await hasFocus(search)).toBe(false)
  await page.keyboard.press('Escape') // out of the composer, where every letter is only a letter
  await page.keyboard.press('j')
  await page.getByRole('region', { name: 'Conversa com Otávio Outro' }).waitFor()
})
