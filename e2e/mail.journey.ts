import { sampleMedia } from '@balcao/simulators/samples.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, startMailbox } from './channels.ts'
import { inboxOf, phoneShows, staffQueue } from './inbox.ts'
import { type Company, closeWindows, hasFocus, type Login, openAs, openCompany, type Server, until } from './kit.ts'

let server: Server
let browser: Browser
let admin: Company['admin']
let ana: Login

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const staff = await staffQueue(server, admin.session, ['Ana Souza'])
  ;[ana] = staff.people as [Login]
})
afterAll(closeChannels)
closeWindows(
  () => browser,
  () => server,
)

test('a mailbox is connected by its form; a customer writes with a file, an agent answers in the same thread', async () => {
  const mailbox = await startMailbox()
  mailbox.mailbox.deliver('From: velho@example.com\r\nSubject: antes\r\n\r\nantes de conectar\r\n')
  const page = await openAs(browser, server.url, admin.session, '/configuracoes/smtp')
  await page.getByRole('button', { name: 'Adicionar E-mail' }).first().click()
  const form = page.getByRole('dialog', { name: 'Adicionar E-mail' })
  const field = (label: string) => form.getByLabel(new RegExp(`^${label}( \\*)?$`)).first()
  const fill = (label: string, value: string) => field(label).fill(value)
  const choose = async (label: string, option: RegExp) => {
    await field(label).click()
    await page.getByRole('option', { name: option }).click()
  }
  await fill('Nome', 'Contato da loja')
  await fill('E-mail da caixa', mailbox.account.address)
  await fill('Nome do remetente', 'Loja Aurora')
  await fill('Senha', mailbox.account.password)
  await fill('Servidor de entrada', '127.0.0.1')
  await fill('Porta de entrada', String(mailbox.imapPort))
  await choose('Segurança da entrada', /^Nenhuma/)
  await fill('Servidor de saída', '127.0.0.1')
  await fill('Porta de saída', String(mailbox.smtpPort))
  await choose('Segurança da saída', /^Nenhuma/)
  await form.getByRole('button', { name: 'Adicionar', exact: true }).click()
  await page.getByRole('article', { name: 'Contato da loja' }).getByText('Conectado', { exact: true }).waitFor()
  await until('the mailbox is read', async () => mailbox.requests.some(({ path }) => path.startsWith('FETCH')))

  const rita = mailbox.customer({ address: 'rita@example.com', name: 'Rita Alves' })
  const asked = await rita.write({
    subject: 'Pedido 123',
    text: 'Bom dia! Meu pedido saiu?',
    html: '<p>Bom dia! Meu pedido <b>saiu</b>?</p><img src="https://mau.example.com/espia.gif"><script>document.title = \'xss\'</script><blockquote type="cite">Olá, Rita!</blockquote>',
    cc: ['financeiro@example.com'],
    files: [sampleMedia('document')],
  })
  const desk = await openAs(browser, server.url, ana, '/atendimento?aba=pendentes')
  const agent = inboxOf(desk)
  await agent.open('Rita Alves')
  const letter = desk.frameLocator('iframe[title="Pedido 123"]')
  await letter.getByText('Bom dia! Meu pedido saiu?').waitFor()
  expect(await letter.locator('details[open]').count()).toBe(0)
  await letter.getByLabel('Texto citado').click()
  await letter.locator('details[open]').getByText('Olá, Rita!').waitFor()
  expect(await letter.locator('img[src], script').count()).toBe(0)
  await agent.log.getByRole('button', { name: 'Mostrar imagens' }).click()
  await letter.locator('img[src="https://mau.example.com/espia.gif"]').waitFor({ state: 'attached' })
  await agent.said('Pedido 123').waitFor()
  await agent.said('Com cópia para financeiro@example.com').waitFor()
  await agent.log.getByText('comprovante.pdf').waitFor()
  expect(await agent.said('antes de conectar').count()).toBe(0)
  await agent.accept()
  await agent.log.getByRole('button', { name: 'Ações da mensagem' }).first().click()
  await desk.getByRole('menuitem', { name: 'Responder a todos' }).click()
  await desk.getByRole('combobox', { name: 'Com cópia oculta para' }).fill('chefe@loja.com.br')
  await desk.keyboard.press('Enter')
  await agent.answer('Saiu hoje cedo.')
  await phoneShows(rita, 'Saiu hoje cedo.')
  const answer = mailbox.outbox.at(-1)
  expect(answer).toMatchObject({
    to: ['rita@example.com', 'financeiro@example.com', 'chefe@loja.com.br'],
    mail: {
      subject: 'Re: Pedido 123',
      inReplyTo: asked,
      html: expect.stringContaining('<div class="signature"><div>Ana Souza</div></div>'),
    },
  })
  expect(answer?.raw.toString()).not.toContain('chefe@')
  if (process.env.PICTURES)
    for (const [name, width] of [
      ['mail-wide', 1440],
      ['mail-narrow', 390],
    ] as const) {
      await desk.setViewportSize({ width, height: 900 })
      await desk.screenshot({ path: `/tmp/${name}.png` })
    }
  await desk.getByRole('button', { name: 'Cc e Cco' }).click()
  const copies = desk.getByRole('combobox', { name: 'Com cópia para' })
  await until('one writes the copies next', () => hasFocus(copies))
  await desk.keyboard.type('fiscal@example.com')
  await desk.keyboard.press('Enter')
  await desk.keyboard.type('fiscal')
  await desk.keyboard.press('Enter')
  await agent.field.fill('Segue a nota')
  await agent.send()
  await desk.getByLabel('Avisos').getByText('“fiscal” não é um e-mail').waitFor()
  expect(await agent.field.inputValue()).toBe('Segue a nota')
  await agent.field.fill('')
  await copies.press('Backspace')
  await desk.getByText('fiscal', { exact: true }).waitFor({ state: 'detached' })
  const copy = desk.getByText('fiscal@example.com', { exact: true })
  await copy.waitFor()
  await desk.keyboard.press('Backspace')
  await copy.waitFor({ state: 'detached' })
  await agent.answerWithPicture('A nota')
  await until('the picture arrives', async () => rita.inbox.at(-1)?.media !== undefined)

  // It comes back: nobody is there.
  mailbox.mailbox.deliver(bounceOf(String(mailbox.outbox.at(-1)?.mail.messageId)))
  await agent.log.getByText(/não foi entregue a rita@example.com: 550 5.1.1 no such user/).waitFor()
})

const bounceOf = (id: string) =>
  [
    'Message-ID: <aviso@mx.example.com>',
    'From: MAILER-DAEMON@mx.example.com',
    'Subject: Undelivered',
    'Auto-Submitted: auto-replied',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=B',
    '',
    '--B',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.com',
    '',
    'Final-Recipient: rfc822; rita@example.com',
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 no such user',
    '',
    '--B',
    'Content-Type: message/rfc822',
    '',
    `Message-ID: ${id}`,
    'To: rita@example.com',
    '',
    'texto',
    '--B--',
    '',
  ].join('\r\n')
