import type { Tag } from '@balcao/contract/contacts/tags.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { WabaSimulator } from '@balcao/simulators/waba.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, openNumber } from './channels.ts'
import { inboxOf, newTicket, openTicket, phoneShows, staffQueue } from './inbox.ts'
import { as, type Company, closeWindows, type Login, openAs, openCompany, type Server, toast, until } from './kit.ts'

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
)

/** A customer who has just written; her ticket, accepted by somebody when asked for. */
const arrive = (name: string, acceptedBy?: Login) => newTicket(server, admin.api, number, { name, acceptedBy })
const open = (login: Login, ticket: Ticket, url = server.url) =>
  openTicket(browser, url, login, ticket, 'Oi, preciso de ajuda')

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
  release()
  await toast(other.page, 'Ana Souza já aceitou este atendimento.').waitFor()
  const now = await admin.api.get<Ticket>(`/tickets/${ticket.id}`)
  expect(now).toMatchObject({ status: 'open', userId: ana.userId })
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

test('what is being written outlives a reload and is there on the other device', async () => {
  const { ticket } = await arrive('Karina Teles', ana)
  const { page, inbox } = await open(ana, ticket)
  await inbox.field.fill('Verifiquei aqui e o seu pedido')
  await page.reload()
  await until('the text is back', async () => (await inbox.field.inputValue()) === 'Verifiquei aqui e o seu pedido')
  await inbox.field.press('End')
  await inbox.field.pressSequentially(' sai hoje')
  const written = 'Verifiquei aqui e o seu pedido sai hoje'
  await until('the server has the draft', async () =>
    JSON.stringify(await as(server, ana).get(`/tickets/${ticket.id}/draft`)).includes(written),
  )
  const device = await open(ana, ticket)
  await until('the text is on the other device', async () => (await device.inbox.field.inputValue()) === written)
})

test('without a network nothing is lost: a banner says so, what was missed appears, what was written is sent once', async () => {
  const { customer, ticket } = await arrive('Lia Moura', ana)
  // Under another name of this machine: the socket's library hears nothing of a lost network on localhost.
  const { page, inbox } = await open(ana, ticket, server.url.replace('localhost', 'balcao.localhost'))
  await page.context().setOffline(true)
  await page.getByText('Você está sem internet.').waitFor()
  await inbox.answer('Escrito sem rede')
  await inbox.log.getByText('Aguardando conexão.').waitFor()
  await arrive('Marta Luz', ana)
  expect(await inbox.row('Marta Luz').count()).toBe(0)

  await page.context().setOffline(false)
  await inbox.row('Marta Luz').waitFor()
  await phoneShows(customer, 'Escrito sem rede')
  await inbox.tick('Entregue').waitFor()
  await page.getByText('Você está sem internet.').waitFor({ state: 'hidden' })
  expect(customer.inbox.filter((line) => line.text?.includes('Escrito sem rede'))).toHaveLength(1)
})

test('when the customer wrote while one was writing, sending asks first', async () => {
  const { customer, ticket } = await arrive('Nádia Fontes', ana)
  const { inbox } = await open(ana, ticket)
  await inbox.field.fill('A loja fica na')
  await customer.sendText('Deixa, já achei o endereço!')
  await inbox.said('Deixa, já achei o endereço!').waitFor()
  await inbox.field.fill('A loja fica na rua das Flores')
  await inbox.send()
  await inbox.log.getByText('O cliente escreveu enquanto você escrevia.').waitFor()
  expect(customer.inbox).toHaveLength(0)
  await inbox.log.getByRole('button', { name: 'Enviar assim mesmo' }).click()
  await phoneShows(customer, 'rua das Flores')
  expect(customer.inbox).toHaveLength(1)
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

  await page.goto(`${server.url}/contatos`)
  await page.getByText(script('name')).first().waitFor()
  expect(await hacked()).toBe('undefined0')
  await page.goto(`${server.url}/etiquetas`)
  await page.getByText(script('tag')).first().waitFor()
  expect(await hacked()).toBe('undefined0')
})
