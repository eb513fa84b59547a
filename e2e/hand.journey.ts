import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { WabaSimulator } from '@balcao/simulators/waba.ts'
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, openNumber } from './channels.ts'
import { allTickets, inboxOf, newPhone, newTicket, openTicket, phoneShows, staffQueue } from './inbox.ts'
import {
  as,
  type Company,
  closeWindows,
  hasFocus,
  type Login,
  marked,
  openAs,
  openCompany,
  prefer,
  type Server,
  toast,
  until,
} from './kit.ts'

let server: Server
let browser: Browser
let admin: Company['admin']
let ana: Login
let store: WabaSimulator
let queueId: string

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const staff = await staffQueue(server, admin.session, ['Ana Souza', 'Bruno Reis'])
  queueId = staff.queueId
  const [first] = staff.people as [Login, Login]
  ana = await prefer(server, first, { opensNext: true })
  store = (await openNumber(server, admin.api, { name: 'Loja', queueId })).number
})
afterAll(closeChannels)
closeWindows(
  () => browser,
  () => server,
  { staying: () => [ana] },
)

const arrive = (name: string, text: string) => newTicket(server, admin.api, store, { name, text })
const find = (ticket: Ticket) => admin.api.get<Ticket>(`/tickets/${ticket.id}`)

test('who accepts and types writes to the customer; letters are shortcuts in the list and on the frame alone', async () => {
  const { customer, ticket } = await arrive('Olga Prates', 'A caneca azul acabou?')
  const page = await openAs(browser, server.url, ana, '/atendimento?aba=pendentes')
  const inbox = inboxOf(page)
  await inbox.open('Olga Prates')
  await inbox.chat.getByRole('button', { name: 'Aceitar' }).click()
  await page.keyboard.type('Entendi, vou verificar')
  await page.keyboard.press('Control+Enter')
  await phoneShows(customer, 'Entendi, vou verificar')
  expect(await find(ticket)).toMatchObject({ status: 'open', userId: ana.userId })

  // A click beside the field takes nothing away: the next letter is text again.
  await inbox.said('Entendi, vou verificar').first().click()
  await page.keyboard.type('e temos a verde')
  expect(await inbox.field.inputValue()).toBe('e temos a verde')
  await inbox.field.fill('')
  // On the frame "n" is a shortcut, "q" is not.
  await page.keyboard.press('Escape')
  await page.keyboard.press('n')
  await inbox.chat.getByRole('textbox', { name: 'Nota interna' }).waitFor()
  await page.keyboard.press('Escape')
  await inbox.field.waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.type('quer ver?')
  expect(await inbox.field.inputValue()).toBe('quer ver?')
  await inbox.field.fill('')
  // Walked to with the letters of the list, a conversation leaves the keyboard there.
  await inbox.tab('Abertos')
  await inbox.row('Olga Prates').waitFor()
  await page.goto(`${server.url}/atendimento`)
  await inbox.row('Olga Prates').waitFor()
  await page.keyboard.press('j')
  await inbox.chat.waitFor()
  await until('the row has the keyboard', () => hasFocus(inbox.row('Olga Prates')))
  await as(server, ana).put(`/tickets/${ticket.id}`, { status: 'closed' })
})

test('by mouse: one click takes the next and begins to write, one closes and is on the next, two hand over, two put away', async () => {
  const names = ['Um', 'Dois', 'Três', 'Quatro'].map((name) => `Freguês ${name}`)
  const tickets: Ticket[] = []
  for (const [n, name] of names.entries())
    tickets.push((await newTicket(server, admin.api, store, { name, acceptedBy: n ? ana : undefined })).ticket)
  const page = await openAs(browser, server.url, ana, '/atendimento')
  const inbox = inboxOf(page)
  for (const name of names.slice(1)) await inbox.row(name).waitFor()
  let clicks = 0
  const click = async (one: Locator) => {
    clicks += 1
    await one.click()
  }
  let open = ''
  const nextIsHere = () =>
    until('another is open and takes letters', async () => {
      const label = (await inbox.chat.count()) === 1 && (await inbox.chat.getAttribute('aria-label'))
      if (!label || label === open || !(await hasFocus(inbox.field))) return false
      open = label
      return true
    })
  /** How many clicks it took until the next letter goes to another customer. */
  const counted = async (...pressed: Locator[]) => {
    clicks = 0
    for (const one of pressed) await click(one)
    await nextIsHere()
    return clicks
  }
  const inHeader = (name: string) => inbox.chat.getByRole('button', { name, exact: true })

  expect(await counted(inbox.list.getByRole('button', { name: 'Assumir próximo' }))).toBe(1)
  expect(open).toBe('Conversa com Freguês Um')
  await page.keyboard.type('Oi')
  expect(await inbox.field.inputValue()).toBe('Oi')
  await inbox.field.fill('')
  expect(await counted(inHeader('Encerrar'))).toBe(1)
  expect(await counted(inHeader('Transferir'), page.getByRole('option', { name: 'Bruno Reis' }))).toBe(2)
  clicks = 0
  await click(inHeader('Pausar'))
  await click(page.getByRole('button', { name: '1 hora' }))
  await inbox.chat.getByText(/^Pausado até/).waitFor()
  expect(clicks).toBe(2)
  for (const { id } of tickets.slice(1)) await admin.api.put(`/ticketsForce/${id}`)
})

test('an hour by keyboard alone: ten customers taken, answered, handed over, put away and closed', async () => {
  const many = 10
  await admin.api.put('/settings', { NotViewAssignedTickets: true })
  const customers = Array.from({ length: many }, (_, n) =>
    store.customer({ waId: newPhone(), name: `Cliente ${n + 1}` }),
  )
  await Promise.all(customers.map((customer) => customer.sendText('Oi, preciso de ajuda')))
  const waiting = async () => (await allTickets(admin.api)).filter((one) => one.status === 'pending').length
  await until('all of them wait', async () => (await waiting()) === many)
  const page = await openAs(browser, server.url, ana, '/atendimento')
  const inbox = inboxOf(page)
  await inbox.list.getByRole('button', { name: 'Assumir próximo' }).waitFor()

  /** Keys that are no text. */
  let strokes = 0
  const press = async (key: string) => {
    strokes += 1
    await page.keyboard.press(key)
  }
  const answered = `Oi, é a Ana. E já vi o seu pedido!`
  let before = ''
  const take = async () => {
    await press('Control+g')
    before = await until('the next is here', async () => {
      if ((await inbox.chat.count()) === 0 || !(await hasFocus(inbox.field))) return undefined
      const label = await inbox.chat.getAttribute('aria-label')
      return label !== before && label
    })
    await page.keyboard.type(answered)
  }
  const named = () => before.replace('Conversa com ', '')
  const handedOver: string[] = []
  const putAway: string[] = []
  for (let n = 0; n < many; n += 1) {
    await take()
    if (n % 5 === 3) {
      await press('Control+Enter')
      await press('Escape')
      await press('t')
      const dialog = page.getByRole('dialog', { name: 'Transferir atendimento' })
      await until('the dialog has the keyboard', () => hasFocus(dialog.getByLabel('Para quem')))
      if (handedOver.length === 0) await page.keyboard.type('Bruno') // afterwards he stands first
      await marked(dialog, 'Bruno Reis').waitFor()
      await press('Enter')
      await dialog.waitFor({ state: 'hidden' })
      handedOver.push(named())
    } else if (n % 5 === 4) {
      await press('Control+Enter')
      await press('Escape')
      await press('p')
      const dialog = page.getByRole('dialog', { name: 'Pausar atendimento' })
      await until('the dialog has the keyboard', () => hasFocus(dialog.getByRole('button', { name: '1 hora' })))
      await press('Enter')
      await dialog.waitFor({ state: 'hidden' })
      putAway.push(named())
    } else {
      await press('Control+Shift+Enter')
      await inbox.chat.getByText('Atendimento encerrado').waitFor()
    }
  }

  // Two keys for a customer who is answered and done; five for one who is handed over or put away.
  expect(strokes).toBe(6 * 2 + 2 * 5 + 2 * 5)
  for (const customer of customers) await phoneShows(customer, answered)
  const tickets = (await allTickets(admin.api)).filter((one) => one.name.startsWith('Cliente '))
  const of = (names: string[]) => tickets.filter((one) => names.includes(one.name))
  expect(of(handedOver).map((one) => one.username)).toEqual(Array(2).fill('Bruno Reis'))
  expect(of(putAway).every((one) => one.pausedAt !== null && one.status === 'open')).toBe(true)
  expect(tickets.filter((one) => one.status === 'closed')).toHaveLength(6)
  expect(customers.every((customer) => customer.inbox.length === 1)).toBe(true)
})

test('closed by mistake, it is back before the customer hears of it; words that fit no reason close nothing', async () => {
  await admin.api.post('/reasons', { name: 'Venda concluída', color: '#15803D' })
  const polite = (await openNumber(server, admin.api, { name: 'Fábrica', queueId, farewellMessage: 'Até logo!' }))
    .number
  const { customer, ticket } = await newTicket(server, admin.api, polite, {
    name: 'Quitéria Lobo',
    text: 'Era só isso',
    acceptedBy: ana,
  })
  const careful = await prefer(server, ana, { undoSend: true })
  const { page, inbox } = await openTicket(browser, server.url, careful, ticket, 'Era só isso')
  await until('the field has the focus', () => hasFocus(inbox.field))
  const dialog = page.getByRole('dialog', { name: 'Encerrar atendimento' })
  const reason = dialog.getByRole('combobox', { name: 'Motivo' })
  await page.keyboard.press('Escape')
  await page.keyboard.press('e')
  await until('the dialog has the keyboard', () => hasFocus(reason))
  await page.keyboard.type('zzz')
  await page.keyboard.press('Enter')
  await page.getByText('Nenhum motivo com este nome.').waitFor()
  expect(await find(ticket)).toMatchObject({ status: 'open' })
  await reason.fill('venda')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await inbox.chat.getByText('Atendimento encerrado').waitFor()
  await toast(page, 'Atendimento de Quitéria Lobo encerrado.').waitFor()
  await page.keyboard.press('Control+z')
  await until('one may go on writing', () => hasFocus(inbox.field))
  expect(await find(ticket)).toMatchObject({ status: 'open', userId: ana.userId, reason: null })
  expect(customer.inbox).toHaveLength(0)

  await page.keyboard.type('Até mais')
  await page.keyboard.press('Control+Shift+Enter')
  await until('the dialog has the keyboard', () => hasFocus(reason))
  expect(await reason.inputValue()).toBe('Venda concluída') // as the last time
  await page.keyboard.press('Enter')
  await phoneShows(customer, 'Até logo!')
  expect(customer.inbox).toHaveLength(2)
})
