import type { Connection } from '@balcao/contract/channels/connections.ts'
import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { TelegramSimulator } from '@balcao/simulators/telegram.ts'
import type { WabaCustomer, WabaSimulator } from '@balcao/simulators/waba.ts'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { v7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, openBot, openNumber, openShop } from './channels.ts'
import {
  accept,
  allTickets,
  inboxOf,
  newPhone,
  newTicket,
  openTicket,
  phoneShows,
  picture,
  staffQueue,
  ticketWith,
} from './inbox.ts'
import {
  as,
  type Company,
  closeWindows,
  type Login,
  openAs,
  openCompany,
  openWindow,
  type Server,
  until,
} from './kit.ts'
import { openChat, write } from './webchat.ts'

const day = 24 * 3_600_000
let server: Server
let browser: Browser
let waba: WabaSimulator
let whatsapp: Connection
let telegram: TelegramSimulator
let shop: Awaited<ReturnType<typeof openShop>>
let admin: Company['admin']
let ana: Login

const sync = () => admin.api.post('/templates/sync', { connectionId: whatsapp.id })

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const { queueId, people } = await staffQueue(server, admin.session, ['Ana Souza'])
  ;[ana] = people as [Login]
  ;({ number: waba, connection: whatsapp } = await openNumber(server, admin.api, { queueId }))
  telegram = await openBot(admin.api, queueId)
  shop = await openShop(server, admin.api, queueId)

  const language = 'pt_BR'
  waba.addTemplate({
    name: 'oferta_da_semana',
    language,
    category: 'MARKETING',
    components: [
      { type: 'HEADER', format: 'IMAGE', example: {} },
      { type: 'BODY', text: '{{1}}, separamos novidades: a coleção com *{{2}}* de desconto.', example: {} },
      { type: 'FOOTER', text: 'Para não receber ofertas, responda SAIR' },
      { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Quero ver' }] },
    ],
  })
  waba.addTemplate({
    name: 'retomar_conversa',
    language,
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Olá, {{1}}! Podemos continuar o atendimento?', example: {} }],
  })
  waba.addTemplate({
    name: 'aviso_de_entrega',
    language,
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'O seu pedido chega {{1}}.', example: {} }],
  })
  await sync()
})
afterAll(closeChannels)
closeWindows(
  () => browser,
  () => server,
  { staying: () => [ana] },
)

/** Somebody who has just written to the store's WhatsApp; her conversation, in Ana's hands. */
const arrive = (name: string, text: string) => newTicket(server, admin.api, waba, { name, text, acceptedBy: ana })
/** What has been written elsewhere, taken up by Ana. */
const takeUp = (text: string) => ticketWith(admin.api, text).then((ticket) => accept(server, ana, ticket))
const open = (ticket: Ticket, text: string) => openTicket(browser, server.url, ana, ticket, text)

/** As if she had written a day ago: free text may be sent for so long still. */
const windowEndsIn = async ({ customer, ticket }: { customer: WabaCustomer; ticket: Ticket }, ms: number) => {
  const endsAt = Date.now() + ms
  const db = new pg.Client({ connectionString: server.databaseUrl })
  await db.connect()
  const heardAt = [ticket.id, new Date(endsAt - day)]
  await db.query('update tickets set last_inbound_at = $2 where id = $1', heardAt)
  await db.query('update messages set timestamp = $2 where ticket_id = $1 and not from_me', heardAt)
  await db.end()
  customer.lastInboundAt = endsAt - day
  return endsAt
}

const shut = 'A janela de 24 horas fechou. Envie um modelo aprovado.'
const templateDialog = (page: Page) => {
  const dialog = page.getByRole('dialog', { name: 'Enviar modelo' })
  const form = dialog.getByRole('form', { name: 'Preencher o modelo' })
  return {
    dialog,
    form,
    choose: (name: string) => dialog.getByRole('button', { name }).click(),
    send: () => form.getByRole('button', { name: 'Enviar modelo' }).click(),
  }
}

test('the window shuts while one writes: templates from that second on, and free text again once she answers', async () => {
  const { customer, ticket } = await arrive('Rita Alves', 'Ainda tem a caneca?')
  const { page, inbox } = await open(ticket, 'Ainda tem a caneca?')
  await inbox.field.fill('Rita, a caneca azul')
  const endsAt = await windowEndsIn({ customer, ticket }, 8_000)
  await admin.api.put(`/tickets/${ticket.id}`, { priority: 'high' }) // any news of it tells the screen
  await inbox.chat.getByText('A janela de 24 horas fecha em').waitFor()
  await inbox.chat.getByText(shut).waitFor()
  expect(Math.abs(Date.now() - endsAt)).toBeLessThan(3_000)
  await inbox.chat.getByText('O que você escreveu está guardado.').waitFor()
  expect(await inbox.field.count()).toBe(0)
  await expect(
    as(server, ana).post(`/messages/${ticket.id}`, { id: v7(), body: 'Só mais isto', force: true }),
  ).rejects.toThrow('ERR_WINDOW_CLOSED')

  await inbox.chat.getByRole('button', { name: 'Escolher modelo' }).click()
  const { dialog, form, choose, send } = templateDialog(page)
  await dialog.getByRole('button', { name: 'retomar conversa' }).waitFor()
  await dialog.getByLabel('Buscar modelo').fill('colecao') // by what it says, without the accents
  await dialog.getByRole('button', { name: 'retomar conversa' }).waitFor({ state: 'hidden' })
  await choose('oferta da semana')
  await form.getByLabel('Variável 1', { exact: true }).fill('Rita')
  await form.getByText('Rita, separamos novidades: a coleção com {{2}} de desconto.').waitFor()
  await send()
  await form.getByText('Preencha este campo.').waitFor()
  await form.getByText('Escolha a imagem do cabeçalho.').waitFor()
  await form.getByLabel('Variável 2', { exact: true }).fill('15%')
  await form.getByText('Rita, separamos novidades: a coleção com 15% de desconto.').waitFor()
  await form.locator('input[type=file]').setInputFiles(picture)
  await form.getByRole('button', { name: 'Remover arquivo' }).waitFor()
  await form.getByText(/R\$\s0,34/).waitFor()
  await form.getByText('Categoria Marketing').waitFor()
  await send()
  await dialog.waitFor({ state: 'hidden' })

  const line = await phoneShows(customer, 'Rita, separamos novidades: a coleção com *15%* de desconto.')
  expect(line).toMatchObject({
    type: 'template',
    footer: 'Para não receber ofertas, responda SAIR',
    buttons: [{ title: 'Quero ver' }],
  })
  expect(line.media?.mimeType).toMatch(/^image\//)
  await inbox.tick('Entregue').waitFor()
  const bubble = inbox.bubbles('separamos novidades')
  await bubble.getByText('Rita, separamos novidades: a coleção com 15% de desconto.').waitFor()
  await bubble.getByText('Para não receber ofertas, responda SAIR').waitFor()
  await bubble.getByRole('list', { name: 'Botões' }).getByText('Quero ver').waitFor()
  const photo = bubble.getByRole('button', { name: /^Abrir imagem/ }).locator('img')
  await until('its picture is drawn', () => photo.evaluate((image: HTMLImageElement) => image.naturalWidth > 0))

  await customer.press(line.id, 'Quero ver')
  await inbox.said('Quero ver').last().waitFor()
  await inbox.field.waitFor()
  expect(await inbox.field.inputValue()).toBe('Rita, a caneca azul')
  expect(await inbox.chat.getByText(shut).count()).toBe(0)
  await inbox.field.fill('')
  await inbox.answer('Rita, a caneca azul chegou.')
  await phoneShows(customer, 'a caneca azul chegou')
})

test('a template that WhatsApp refuses is told in words, and another one, or the same put right, goes', async () => {
  const hers = await arrive('Sofia Melo', 'Depois eu respondo')
  await windowEndsIn(hers, -3_600_000)
  const { page, inbox } = await open(hers.ticket, 'Depois eu respondo')
  const { dialog, form, choose, send } = templateDialog(page)
  const template = (name: string) => {
    const found = waba.templates.find((one) => one.name === name)
    if (!found) throw new Error(`no template ${name}`)
    return found
  }
  const use = async (name: string, ...values: string[]) => {
    await inbox.chat.getByRole('button', { name: 'Escolher modelo' }).click()
    await choose(name)
    for (const [at, value] of values.entries()) await form.getByLabel(`Variável ${at + 1}`, { exact: true }).fill(value)
    await send()
    await dialog.waitFor({ state: 'hidden' })
  }
  // Paused a moment ago, and we have not been told.
  template('retomar_conversa').status = 'PAUSED'
  await use('retomar conversa', 'Sofia')
  await inbox.log.getByText('A Meta pausou este modelo por baixa qualidade. Escolha outro.').waitFor()
  await inbox.tick('Não enviada').waitFor()
  template('retomar_conversa').status = 'APPROVED'
  await inbox.log.getByRole('button', { name: 'Tentar de novo' }).click()
  await phoneShows(hers.customer, 'Olá, Sofia! Podemos continuar o atendimento?')
  await inbox.tick('Entregue').waitFor()

  // Changed there, and still as it was here.
  const [body] = template('aviso_de_entrega').components
  if (body) body.text = 'O seu pedido {{1}} chega {{2}}.'
  await use('aviso de entrega', 'amanhã')
  const wrong = 'O número de variáveis não é o que este modelo pede hoje. Escolha o modelo de novo.'
  await inbox.log.getByText(wrong).waitFor()
  await sync()
  await use('O seu pedido {{1}} chega {{2}}.', '4821', 'amanhã') // the list may still have it as it was
  await phoneShows(hers.customer, 'O seu pedido 4821 chega amanhã.')
  await inbox.said('O seu pedido 4821 chega amanhã.').waitFor()
  expect(hers.customer.inbox).toHaveLength(2)
})

type Question = { words: string; kind?: 'Lista'; options: string[]; told: RegExp }
/** Asks with choices, as the composer's menu offers; the preview says how this channel carries them. */
const askWith = async (page: Page, { words, kind, options, told }: Question) => {
  await inboxOf(page).chat.getByRole('button', { name: 'Anexar' }).click()
  await page.getByRole('menuitem', { name: 'Botões ou lista' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mensagem com opções' })
  if (kind) await dialog.getByText(kind, { exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Mensagem', exact: true }).fill(words)
  for (const [at, option] of options.entries()) {
    if (at > 1) await dialog.getByRole('button', { name: 'Adicionar opção' }).click()
    await dialog.getByRole('textbox', { name: `Opção ${at + 1}`, exact: true }).fill(option)
  }
  await dialog.getByRole('region', { name: 'Prévia' }).getByText(told).waitFor()
  await dialog.getByRole('button', { name: 'Enviar' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

test('choices on WhatsApp are buttons or a list, and what is pressed comes back', async () => {
  const { customer, ticket } = await arrive('Vera Pinto', 'Como pago?')
  const { page, inbox } = await open(ticket, 'Como pago?')
  await askWith(page, { words: 'Como prefere pagar?', options: ['Pix', 'Boleto'], told: /responde com um toque/ })
  const buttons = await phoneShows(customer, 'Como prefere pagar?')
  expect(buttons).toMatchObject({ type: 'interactive', buttons: [{ title: 'Pix' }, { title: 'Boleto' }] })
  const asked = inbox.bubbles('Como prefere pagar?').first()
  await asked.getByRole('list', { name: 'Botões' }).getByText('Boleto').waitFor()
  await customer.press(buttons.id, buttons.buttons?.[1]?.id ?? '')
  await inbox.bubbles('Boleto').nth(1).waitFor()

  // One more than WhatsApp's three buttons.
  const sizes = ['P', 'M', 'G', 'GG']
  await askWith(page, { words: 'Qual tamanho?', options: sizes, told: /até 3 botões: com 4 opções, vai como lista/ })
  const list = await phoneShows(customer, 'Qual tamanho?')
  expect(list.payload).toMatchObject({ interactive: { type: 'list', action: { button: 'Ver opções' } } })
  expect(list.buttons?.map((one) => one.title)).toEqual(sizes)
  await inbox.log.getByRole('list', { name: 'Opções da lista' }).getByText('GG').waitFor()
  await customer.press(list.id, list.buttons?.[3]?.id ?? '')
  await inbox.bubbles('GG').nth(1).waitFor()
})

test('choices on the web chat are drawn there, and one tap is one answer', async () => {
  const chat = await openChat(await openWindow(browser, shop.url))
  await write(chat, 'Quero trocar a blusa')
  const ticket = await takeUp('Quero trocar a blusa')
  const agent = await open(ticket, 'Quero trocar a blusa')
  await askWith(agent.page, {
    words: 'Troca por qual?',
    kind: 'Lista',
    options: ['A verde', 'A azul'],
    told: /abre a lista e escolhe/,
  })
  const thread = chat.getByRole('log', { name: 'Mensagens' })
  await thread.getByText('Troca por qual?').first().waitFor()
  const green = thread.getByRole('button', { name: 'A verde', exact: true })
  await green.dblclick()
  await agent.inbox.bubbles('A verde').nth(1).waitFor()
  await until('it may not be answered again', () => green.isDisabled())
  expect(await green.getAttribute('aria-pressed')).toBe('true')
  const { items } = await admin.api.get<{ items: { fromMe: boolean; body: string }[] }>(`/messages/${ticket.id}`)
  expect(items.filter((one) => !one.fromMe).map((one) => one.body)).toEqual(['Quero trocar a blusa', 'A verde'])
})

test('Telegram has no lists: the choices are buttons there; forwarded, they are a numbered text', async () => {
  const otto = telegram.customer({ firstName: 'Otto', lastName: 'Braga' })
  await otto.sendText('Bom dia, vocês entregam?')
  const ticket = await takeUp('Bom dia, vocês entregam?')
  const { page, inbox } = await open(ticket, 'Bom dia, vocês entregam?')
  await askWith(page, {
    words: 'Em qual bairro?',
    kind: 'Lista',
    options: ['Centro', 'Lapa', 'Mooca', 'Outro'],
    told: /Telegram não tem listas: as opções vão como botões/,
  })
  const asked = await phoneShows(otto, 'Em qual bairro?')
  expect(asked.buttons?.map((one) => one.title)).toEqual(['Centro', 'Lapa', 'Mooca', 'Outro'])
  await inbox.tick('Enviada').waitFor()
  await otto.press(asked.id, asked.buttons?.[1]?.id ?? '')
  await inbox.bubbles('Lapa').nth(1).waitFor()

  const petra = telegram.customer({ firstName: 'Petra', lastName: 'Luz' })
  await petra.sendText('Eu também quero saber')
  await takeUp('Eu também quero saber')
  await inbox.menuOf('Mooca')
  await page.getByRole('menuitem', { name: 'Encaminhar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Encaminhar mensagem' })
  await dialog.getByRole('button', { name: 'Petra Luz' }).click()
  await dialog.getByRole('list', { name: 'Destinatários' }).getByText('Bot da loja').waitFor()
  await dialog.getByRole('button', { name: 'Encaminhar', exact: true }).click()
  expect((await phoneShows(petra, 'Em qual bairro?')).text).toBe(
    'Ana Souza:\nEm qual bairro?\n\n1. Centro\n2. Lapa\n3. Mooca\n4. Outro',
  )
})

test('a new conversation begins with a template, offered at once, and goes on when she answers', async () => {
  const phone = newPhone()
  await admin.api.post<Contact>('/contacts', { name: 'Wanda Reis', number: phone })
  const page = await openAs(browser, server.url, ana, '/atendimento')
  const inbox = inboxOf(page)
  await inbox.list.getByRole('button', { name: 'Nova conversa' }).click()
  const picker = page.getByRole('dialog', { name: 'Nova conversa' })
  await picker.getByLabel('Buscar contato').fill('wanda')
  await picker.getByRole('button', { name: 'Wanda Reis' }).click()
  const starting = page.getByRole('dialog', { name: 'Iniciar conversa com Wanda Reis' })
  await starting.getByRole('radio', { name: 'WhatsApp' }).click()
  await starting.getByText('precisa ser um modelo aprovado').waitFor()
  await starting.getByRole('button', { name: 'Iniciar conversa' }).click()

  const { dialog, form, choose, send } = templateDialog(page)
  await choose('retomar conversa')
  await form.getByRole('button', { name: 'Inserir dado do contato em Variável 1' }).click()
  await page.getByRole('menuitem', { name: 'Primeiro nome do contato' }).click()
  await form.getByText('Olá, Wanda! Podemos continuar o atendimento?').waitFor()
  await send()
  await dialog.waitFor({ state: 'hidden' })
  const wanda = waba.customer({ waId: phone, name: 'Wanda Reis' })
  await phoneShows(wanda, 'Olá, Wanda! Podemos continuar o atendimento?')
  await inbox.said('Olá, Wanda! Podemos continuar o atendimento?').waitFor()
  await inbox.chat.getByText(shut).waitFor()

  await wanda.sendText('Podemos, sim!')
  await inbox.said('Podemos, sim!').waitFor()
  await inbox.answer('Que bom, Wanda.')
  await phoneShows(wanda, 'Que bom, Wanda.')
  const [ticket] = (await allTickets(admin.api)).filter((one) => one.contact.name === 'Wanda Reis')
  expect(ticket).toMatchObject({ status: 'open', userId: ana.userId })
})
