import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import type { TelegramSimulator } from '@balcao/simulators/telegram.ts'
import type { WabaSimulator } from '@balcao/simulators/waba.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, openBot, openNumber } from './channels.ts'
import { newPhone, phoneShows, picture, staffQueue, ticketWith } from './inbox.ts'
import { type Company, closeWindows, openAs, openCompany, type Server, toast, until } from './kit.ts'

let server: Server
let browser: Browser
let admin: Company['admin']
let waba: WabaSimulator
let telegram: TelegramSimulator

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const { queueId } = await staffQueue(server, admin.session, ['Ana Souza'])
  await admin.api.post('/queue', { name: 'Financeiro', color: '#1d4ed8' })
  waba = (await openNumber(server, admin.api, { queueId })).number
  telegram = await openBot(admin.api, queueId)
})
afterAll(closeChannels)
closeWindows(
  () => browser,
  () => server,
  { staying: () => [admin.session] },
)

test('a customer writes a word and gets picture and text; the conversation is in the right queue, and the log says why', async () => {
  const page = await openAs(browser, server.url, admin.session, '/auto-resposta')
  await page.getByRole('button', { name: 'Criar resposta' }).first().click()
  const form = page.getByRole('dialog', { name: 'Criar resposta automática' })
  await form.getByLabel('Nome').fill('Segunda via')
  await form.getByRole('textbox', { name: 'Palavra 1' }).fill('boleto')
  await form.getByLabel('Como procurar a palavra 1').click()
  await page.getByRole('option', { name: 'Parecido com' }).click()
  await form.getByRole('textbox', { name: /^Texto/ }).fill('Olá, aqui está o caminho do seu boleto:')
  await form.getByRole('button', { name: 'Adicionar parte' }).click()
  await page.getByRole('menuitem', { name: 'Arquivo' }).click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    form.getByRole('button', { name: 'Escolher arquivo' }).click(),
  ])
  await chooser.setFiles(picture)
  await form.getByText(picture.name).first().waitFor()
  await form.getByRole('button', { name: 'Adicionar passo' }).click()
  await page.getByRole('option', { name: 'Mudar de fila' }).click()
  await form.getByRole('combobox', { name: 'Fila' }).click()
  await page.getByRole('option', { name: 'Financeiro' }).click()
  await form.getByRole('button', { name: 'Criar', exact: true }).click()
  await page.getByRole('table').getByText('Segunda via').waitFor()

  await page.getByRole('button', { name: 'Testar' }).click()
  const trying = page.getByRole('dialog', { name: 'Testar respostas' })
  await trying.getByLabel('O cliente escreve').fill('me manda o bolteo')
  await trying.getByText('Responde: Segunda via').waitFor()
  await page.keyboard.press('Escape')

  const customer = waba.customer({ waId: newPhone(), name: 'Maria Lima' })
  await customer.sendText('Me manda o bolteo por favor')
  await phoneShows(customer, 'Olá, aqui está o caminho do seu boleto:')
  await until('the picture is there too', () => customer.inbox.find((line) => line.type === 'image'))
  const ticket = await until('it is in the queue', async () => {
    const found = await ticketWith(admin.api, 'Me manda o bolteo por favor')
    return found.queue?.name === 'Financeiro' ? found : undefined
  })
  expect(ticket.status).toBe('pending')

  await page.getByRole('radiogroup', { name: 'O que mostrar' }).getByText('O que foi respondido').click()
  await page.getByRole('cell', { name: 'Me manda o bolteo por favor' }).waitFor()
})

test('the page of birthdays sends by hand, and a second press sends nothing', async () => {
  const today = wallTimeOf(new Date(), 'America/Sao_Paulo').slice(4, 10)
  const customer = telegram.customer({ id: 880_001, firstName: 'Clara', lastName: 'Nunes' })
  await customer.sendText('oi')
  const ticket = await ticketWith(admin.api, 'oi', 'Clara Nunes')
  await admin.api.put(`/contacts/${ticket.contact.id}`, { birthdayDate: `1990${today}` })

  const page = await openAs(browser, server.url, admin.session, '/aniversarios')
  await page.getByRole('cell', { name: 'Clara Nunes' }).waitFor()
  await page.getByRole('button', { name: 'Parabenizar hoje (1)' }).click()
  const dialog = page.getByRole('dialog', { name: 'Dar os parabéns' })
  await dialog.getByRole('combobox', { name: 'Canal' }).click()
  await page.getByRole('option', { name: /Telegram/ }).click()
  await dialog.getByRole('textbox', { name: 'Mensagem' }).fill('Parabéns, {{primeiro_nome}}!')
  await dialog.getByRole('button', { name: 'Parabenizar 1 pessoa' }).click()
  await toast(page, '1 mensagem na fila de envio.').waitFor()
  await phoneShows(customer, 'Parabéns, Clara!')
  await page
    .getByRole('row', { name: /Clara Nunes/ })
    .getByText('Parabenizado', { exact: true })
    .waitFor()
  expect(await page.getByRole('button', { name: 'Parabenizar hoje' }).isDisabled()).toBe(true)
  const again = await admin.api.post('/messages/sendBirthday', { whatsappId: ticket.whatsappId, message: 'De novo' })
  expect(again).toMatchObject({ sent: 0, skipped: [] })
})
