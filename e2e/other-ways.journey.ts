import pg from 'pg'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, openNumber, startMailbox } from './channels.ts'
import { allTickets, newTicket, openTicket, phoneShows, staffQueue } from './inbox.ts'
import { type Company, closeWindows, hasFocus, type Login, openCompany, type Server, until } from './kit.ts'

let server: Server
let browser: Browser
let admin: Company['admin']
let ana: Login
let queueId: string

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const staff = await staffQueue(server, admin.session, ['Ana Souza'])
  ;[ana] = staff.people as [Login]
  queueId = staff.queueId
})
afterAll(closeChannels)
closeWindows(
  () => browser,
  () => server,
)

test('whom WhatsApp no longer lets us answer is answered by e-mail from the same place, and so is her reply seen', async () => {
  const { number } = await openNumber(server, admin.api, { name: 'Loja', queueId })
  const mailbox = await startMailbox()
  const rita = mailbox.customer({ address: 'rita@example.com', name: 'Rita Alves' })
  const { address, password } = mailbox.account
  await admin.api.post('/whatsapp', {
    ...{ kind: 'email', name: 'Caixa da loja', queueId },
    config: {
      ...{ address, password },
      ...{ imapHost: '127.0.0.1', imapPort: mailbox.imapPort, imapSecurity: 'none' },
      ...{ smtpHost: '127.0.0.1', smtpPort: mailbox.smtpPort, smtpSecurity: 'none' },
    },
  })
  await until('the mailbox is read', async () => mailbox.requests.some(({ path }) => path.startsWith('FETCH')))
  const { customer, ticket } = await newTicket(server, admin.api, number, {
    ...{ name: 'Rita Alves', text: 'Preciso da nota fiscal', acceptedBy: ana },
  })
  await admin.api.put(`/contacts/${ticket.contactId}`, { name: 'Rita Alves', email: 'rita@example.com' })
  const db = new pg.Client({ connectionString: server.databaseUrl })
  await db.connect()
  const longAgo = [ticket.id, new Date(Date.now() - 30 * 3_600_000)]
  await db.query('update tickets set last_inbound_at = $2 where id = $1', longAgo)
  await db.query('update messages set timestamp = $2, created_at = $2 where ticket_id = $1 and not from_me', longAgo)
  await db.end()

  const { page, inbox } = await openTicket(browser, server.url, ana, ticket, 'Preciso da nota fiscal')
  await inbox.chat.getByText('A janela de 24 horas fechou. Envie um modelo aprovado.').waitFor()
  await inbox.chat.getByRole('button', { name: /^Responder por .*Loja$/ }).click()
  await page.getByRole('menuitem', { name: /Caixa da loja.*rita@example\.com/ }).click()
  await until('she can write at once', () => hasFocus(inbox.field))
  await inbox.chat.getByLabel('Assunto').fill('Nota fiscal')
  await inbox.answer('Segue a nota, Rita.')
  await inbox.said('mudou o canal do atendimento para Caixa da loja').waitFor()
  await phoneShows(rita, 'Segue a nota, Rita.')

  await rita.write({ subject: 'Re: Nota fiscal', text: 'Recebi por e-mail, obrigada!' })
  await inbox.said('Recebi por e-mail, obrigada!').waitFor()
  await customer.sendText('E o pedido novo?')
  await inbox.said('Rita Alves escreveu por Loja: o atendimento continua por lá.').waitFor()
  await inbox.said('E o pedido novo?').waitFor()
  await inbox.chat.getByRole('button', { name: /^Responder por .*Loja$/ }).waitFor()
  expect((await allTickets(admin.api)).map(({ id }) => id)).toEqual([ticket.id])
})
