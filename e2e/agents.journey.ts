import type { Tag } from '@balcao/contract/contacts/tags.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { WabaSimulator } from '@balcao/simulators/waba.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, openNumber } from './channels.ts'
import { inboxOf, newTicket, openTicket, staffQueue } from './inbox.ts'
import {
  as,
  type Company,
  closeWindows,
  goTo,
  type Login,
  openAs,
  openCompany,
  type Server,
  toast,
  until,
} from './kit.ts'

let server: Server
let browser: Browser
let number: WabaSimulator
let admin: Company['admin']
let ana: Login
let bruno: Login

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const { queueId, people } = await staffQueue(server, admin.session, ['Ana Souza', 'Bruno Dias'])
  ;[ana, bruno] = people as [Login, Login]
  ;({ number } = await openNumber(server, admin.api, { queueId }))
})
afterAll(closeChannels)
closeWindows(
  () => browser,
  () => server,
  { staying: () => [ana, bruno] },
)

/** A customer who has just written; her ticket, accepted by somebody when asked for. */
const arrive = (name: string, acceptedBy?: Login) => newTicket(server, admin.api, number, { name, acceptedBy })
const open = (login: Login, ticket: Ticket) => openTicket(browser, server.url, login, ticket, 'Oi, preciso de ajuda')

test('two agents accept at the same time: one has it, the other is told who', async () => {
  const { ticket } = await arrive('Íris Campos')
  const one = await open(ana, ticket)
  const other = await open(bruno, ticket)
  let release = () => {}
  const anaHasIt = new Promise<void>((resolve) => {
    release = resolve
  })
  await other.page.route(`**/api/tickets/${ticket.id}`, async (route) => {
    if (route.request().method() === 'PUT') await anaHasIt
    await route.continue()
  })
  await other.inbox.chat.getByRole('button', { name: 'Aceitar' }).click()
  await one.inbox.accept()
  // The field is there at once, before the server has answered.
  const now = () => admin.api.get<Ticket>(`/tickets/${ticket.id}`)
  await until('the first has it', async () => (await now()).status === 'open')
  release()
  await toast(other.page, 'Ana Souza já aceitou este atendimento.').waitFor()
  expect(await now()).toMatchObject({ status: 'open', userId: ana.userId })
})

test('a ticket is handed over with a word; it leaves the first one and waits for the second', async () => {
  await admin.api.post('/queue', { name: 'Trocas', color: '#B45309', memberIds: [bruno.userId] })
  const { ticket } = await arrive('Júlia Braga', ana)
  const one = await open(ana, ticket)
  const other = inboxOf(await openAs(browser, server.url, bruno, '/atendimento'))
  await one.inbox.chat.getByRole('button', { name: 'Transferir' }).click()
  const dialog = one.page.getByRole('dialog', { name: 'Transferir atendimento' })
  await dialog.getByLabel('Recado').fill('Ela quer trocar o tamanho, já mandou a foto.')
  await dialog.getByRole('combobox', { name: 'Fila' }).click()
  await one.page.getByRole('option', { name: 'Trocas', exact: true }).click()
  await dialog.getByRole('option', { name: /Bruno Dias/ }).click()
  await dialog.waitFor({ state: 'hidden' })

  await other.open('Júlia Braga')
  await other.said('Ela quer trocar o tamanho, já mandou a foto.').waitFor()
  await other.answer('Oi, Júlia, agora é comigo.')
  await until('it left the list of the first', async () => (await one.inbox.row('Júlia Braga').count()) === 0)
  await one.page.getByText('Atendimento não encontrado').waitFor()
})

test('script stored in a name, a message, a tag, a card, a place and a file name is shown as text (T27)', async () => {
  const script = (place: string) => `<img src=x onerror="window.hacked='${place}'">`
  const { customer, ticket } = await arrive(script('name'), ana)
  await customer.sendText(`${script('message')}<script>window.hacked='script'</script> javascript:alert(1)`)
  await customer.sendCard({ name: script('card'), phone: '+5511977776666' })
  await customer.sendPlace({ latitude: -23.5, longitude: -46.6, name: script('place') })
  await customer.sendDocument({
    bytes: Buffer.from('%PDF-1.4 x'),
    mimeType: 'application/pdf',
    filename: `${script('file')}.pdf`,
  })
  const tag = await admin.api.post<Tag>('/tags', { name: script('tag'), color: '#0B7A75' })
  await as(server, ana).put(`/tickets/${ticket.id}`, { tagIds: [tag.id] })

  const { page, inbox } = await open(ana, ticket)
  const hacked = () => page.evaluate("String(window.hacked) + document.querySelectorAll('img[src=x]').length")
  await page
    .getByRole('heading', { name: script('name') })
    .first()
    .waitFor()
  await inbox.said(script('message')).waitFor()
  await inbox.said(script('card')).waitFor()
  await inbox.said(script('place')).waitFor()
  await page.getByText(script('tag')).filter({ visible: true }).first().waitFor()
  await inbox.answer(script('answer'))
  await inbox.row(script('name')).waitFor()
  expect(await hacked()).toBe('undefined0')
  expect(await inbox.log.locator('a[href^="javascript:"]').count()).toBe(0)

  await goTo(page, '/contatos')
  await page.getByText(script('name')).first().waitFor()
  expect(await hacked()).toBe('undefined0')
  await goTo(page, '/etiquetas')
  await page.getByText(script('tag')).first().waitFor()
  expect(await hacked()).toBe('undefined0')
})
