import { createHmac } from 'node:crypto'
import type { Connection } from '@balcao/contract/channels/connections.ts'
import { type ShopPageOptions, startShopPage } from '@balcao/simulators/demo-shop.ts'
import axe, { type AxeResults } from 'axe-core'
import type { Browser, Frame, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, startMailbox } from './channels.ts'
import { allTickets, inboxOf, picture, staffQueue } from './inbox.ts'
import {
  type Company,
  closeWindows,
  freePort,
  hasFocus,
  type Login,
  openAs,
  openCompany,
  openWindow,
  type Server,
  until,
} from './kit.ts'
import { callOpen, openChat, write } from './webchat.ts'

const identitySecret = 'segredo-da-loja-para-assinar'
let server: Server
let browser: Browser
let admin: Company['admin']
let ana: Login
let connection: Connection
let shopPort: number
let shop: Awaited<ReturnType<typeof startShopPage>> | undefined

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  shopPort = await freePort()
  const { queueId, people } = await staffQueue(server, admin.session, ['Ana Souza'])
  ;[ana] = people as [Login]
  connection = await admin.api.post<Connection>('/whatsapp', {
    kind: 'webchat',
    name: 'Chat da loja',
    queueId,
    config: { domains: [`127.0.0.1:${shopPort}`], title: 'Ateliê Jatobá', identitySecret },
  })
})
afterAll(async () => {
  await shop?.close()
  await closeChannels()
})
closeWindows(
  () => browser,
  () => server,
)

/** The shop lives on 127.0.0.1, the product on localhost: two sites to a browser. */
const openShop = async (options: Partial<ShopPageOptions> = {}): Promise<Page> => {
  await shop?.close()
  shop = await startShopPage({
    port: shopPort,
    hostname: '127.0.0.1',
    balcaoUrl: server.url,
    channelKey: connection.channelKey ?? '',
    ...options,
  })
  return openWindow(browser, shop.url)
}

const tickets = () => allTickets(admin.api)

/** What axe finds in the window against WCAG 2.2 AA. */
const barriersIn = async (chat: Frame) => {
  await chat.evaluate(axe.source)
  const { violations }: AxeResults = await chat.evaluate(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] })",
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

test('a visitor writes, an agent accepts, answers with text and a picture and closes; the visitor writes again: a new ticket', async () => {
  const agent = inboxOf(await openAs(browser, server.url, ana, '/atendimento?aba=pendentes'))
  await agent.list.getByText('Ninguém esperando').waitFor()

  const page = await openShop()
  let chat = await openChat(page)
  await chat.getByText('Olá! Como podemos ajudar?').waitFor()
  await write(chat, 'Vocês têm a caneca azul?')

  await agent.row('Vocês têm a caneca azul?').click()
  await agent.said('Vocês têm a caneca azul?').waitFor()
  await agent.accept()
  await agent.answer('Temos sim! Vou mandar uma foto.')
  await chat.getByRole('log').getByText('Temos sim! Vou mandar uma foto.').waitFor()
  await agent.tick('Lida').waitFor()
  await chat.getByRole('heading', { name: 'Ana Souza' }).waitFor()

  await agent.answerWithPicture('Esta é a caneca')
  const isDrawn = (log: Locator) =>
    log.locator('button img').evaluate((image: HTMLImageElement) => image.naturalWidth > 0)
  await until('the picture is drawn', () => isDrawn(chat.getByRole('log')))
  await until('so it is for the agent', () => isDrawn(agent.log))
  await chat.getByRole('log').getByText('Esta é a caneca').waitFor()
  await agent.tick('Lida').waitFor()
  await until(
    'nothing is short of read',
    async () => (await agent.log.getByRole('img', { name: /Enviada|Entregue/ }).count()) === 0,
  )

  // A window that was left open has links that live no more.
  let pages = 0
  await page.route('**/api/webchat/messages?before=*', async (route) => {
    const reply = await route.fetch()
    const body = await reply.text()
    await route.fulfill({ response: reply, body: pages++ ? body : body.replace(/&s=[\w-]+/g, '&s=velha') })
  })
  await page.reload()
  chat = await openChat(page)
  await until('it is drawn by its new address', () => isDrawn(chat.getByRole('log')))

  await agent.close()
  await chat.getByText('Atendimento encerrado. Para falar de novo, é só escrever.').waitFor()
  const [first] = await tickets()

  await write(chat, 'Mais uma coisa: entregam em Minas?')
  await agent.tab('Pendentes')
  await agent.row('Mais uma coisa: entregam em Minas?').waitFor()
  const all = await tickets()
  expect(all.map((ticket) => ticket.status).toSorted()).toEqual(['closed', 'pending'])
  expect(new Set(all.map((ticket) => ticket.protocol)).size).toBe(2)
  expect(all.every((ticket) => ticket.contactId === first?.contactId)).toBe(true)
})

test('on a page with a strict content security policy the chat opens and talks, and nothing is refused', async () => {
  const refused: string[] = []
  const page = await openShop({ csp: true })
  page.on('console', (line) => line.text().includes('Content Security Policy') && refused.push(line.text()))
  await page.reload()
  const chat = await openChat(page)
  await write(chat, 'Olá de uma página rigorosa')
  expect(await page.evaluate("getComputedStyle(document.querySelector('#balcao-webchat')).display")).not.toBe('none')
  expect(refused).toEqual([])
})

test('with a keyboard alone the chat is opened, its question answered, a message written and the chat left', async () => {
  const config = {
    domains: [`127.0.0.1:${shopPort}`],
    title: 'Ateliê Jatobá',
    preChat: [{ key: 'nome', label: 'Seu nome', target: 'name' }],
  }
  const asking = await admin.api.post<Connection>('/whatsapp', { kind: 'webchat', name: 'Chat que pergunta', config })
  const page = await openShop({ channelKey: asking.channelKey ?? '' })
  await page.waitForFunction(() => Reflect.get(window, 'Balcao')?.isLoaded)
  await until('the tab key reaches its button', async () => {
    await page.keyboard.press('Tab')
    return page.evaluate("document.activeElement?.id === 'balcao-webchat'")
  })
  await page.keyboard.press('Enter')
  const chat = await until('the frame of the chat', () =>
    page.frames().find((frame) => frame.url().includes('/webchat/frame')),
  )
  const question = chat.getByRole('textbox', { name: 'Seu nome' })
  await question.waitFor()
  await until('one answers it next', () =>
    chat.evaluate("document.hasFocus() && document.activeElement.id === 'field-0'"),
  )
  await page.keyboard.type('Lia Prado')
  await page.keyboard.press('Enter')
  await until('one writes next', () => hasFocus(chat.getByRole('textbox', { name: 'Mensagem' })))
  await page.keyboard.type('Vocês abrem no sábado?')
  await page.keyboard.press('Enter')
  await chat.getByRole('button', { name: 'Responder: Vocês abrem no sábado?' }).waitFor()
  await page.keyboard.press('Escape')
  await until('it is closed', () =>
    page.evaluate("document.activeElement?.id === 'balcao-webchat' && document.hasFocus()"),
  )
})

test('opened by its own address the chat is a column in the middle of a wide window', async () => {
  const page = await openWindow(browser, `${server.url}/webchat/frame?c=${connection.channelKey}`)
  const { x, width } = (await page.getByRole('dialog').boundingBox()) ?? { x: 0, width: 0 }
  expect(width).toBeLessThanOrEqual(720)
  expect(Math.abs(x + width / 2 - 720)).toBeLessThanOrEqual(1)
})

test('a reload resumes the conversation, and what the visitor writes goes on in it', async () => {
  const page = await openShop()
  await write(await openChat(page), 'Esta é a primeira')
  const before = await tickets()
  await page.reload()
  const chat = await openChat(page)
  await chat.getByRole('log').getByText('Esta é a primeira').waitFor()
  await write(chat, 'E esta veio depois')
  const mine = await until('the message is in its ticket', async () =>
    (await tickets()).find((ticket) => ticket.lastMessage.includes('E esta veio depois')),
  )
  expect(before.map((ticket) => ticket.id)).toContain(mine.id)
  expect(await tickets()).toHaveLength(before.length)
})

test('a site that is not on the list is refused, by the browser and by the server', async () => {
  const page = await openShop({ port: await freePort() })
  await callOpen(page)
  const tree = await page.context().newCDPSession(page)
  await until('the visitor is told', async () => {
    const { nodes } = await tree.send('Accessibility.getFullAXTree')
    return nodes.some((node) => node.name?.value === 'Não conseguimos abrir o chat agora.')
  })
  expect(page.frames().some((frame) => frame.url().startsWith(server.url))).toBe(false)

  const reply = await fetch(`${server.url}/api/webchat/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      channelKey: connection.channelKey,
      origin: 'https://outro-site.com.br',
      page: { url: 'https://outro-site.com.br/', title: 'Outro' },
      locale: 'pt-BR',
    }),
  })
  expect(reply.status).toBe(403)
  expect(await reply.json()).toMatchObject({ error: 'ERR_WEBCHAT_DOMAIN' })
})

test('who the shop signed for is known by name on any device; a false signature makes a stranger', async () => {
  const ticketOf = (text: string) =>
    until('the ticket', async () => (await tickets()).find((ticket) => ticket.lastMessage.includes(text)))
  const hmac = createHmac('sha256', identitySecret).update('cliente-77').digest('hex')
  const helena = { identity: { id: 'cliente-77', name: 'Helena Dias', hmac } }
  await write(await openChat(await openShop(helena)), 'Sou cliente da casa')
  const hers = await ticketOf('Sou cliente da casa')
  expect(hers.contact.name).toBe('Helena Dias')

  const elsewhere = await openChat(await openShop(helena))
  await elsewhere.getByRole('log').getByText('Sou cliente da casa').waitFor()

  const forged = await openChat(await openShop({ identity: { ...helena.identity, hmac: 'f'.repeat(64) } }))
  await write(forged, 'Sou ela, juro')
  expect(await forged.getByText('Sou cliente da casa').count()).toBe(0)
  expect((await ticketOf('Sou ela, juro')).contactId).not.toBe(hers.contactId)
})

test('who the shop’s token names is known by it alone, and is not asked again', async () => {
  const part = (told: object) => Buffer.from(JSON.stringify(told)).toString('base64url')
  const exp = Math.floor(Date.now() / 1_000) + 600
  const claims = { sub: 'cliente-88', name: 'Joana Prado', email: 'joana@example.com', aud: connection.channelKey, exp }
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  const jwt = `${signed}.${createHmac('sha256', identitySecret).update(signed).digest('base64url')}`
  await write(await openChat(await openShop({ identity: { jwt } })), 'Entrei pela minha conta')
  const hers = await until('the ticket', async () =>
    (await tickets()).find((ticket) => ticket.lastMessage.includes('Entrei pela minha conta')),
  )
  expect(hers.contact.name).toBe('Joana Prado')
})

test('the site begins: its message offers itself on its page, opens as our first line, and is kept once it is answered', async () => {
  const offer = {
    id: 'trocas',
    text: 'Dúvidas sobre trocas?',
    texts: { en: '', es: '' },
    addresses: ['/trocas'],
    afterS: 0,
  }
  await admin.api.put(`/whatsapp/${connection.id}`, {
    version: (await admin.api.get<Connection>(`/whatsapp/${connection.id}`)).version,
    config: { proactive: [offer] },
  })
  const page = await openShop()
  await page.goto(`${shop?.url}/trocas`)
  const tree = await page.context().newCDPSession(page)
  await until('the bubble is there', async () => {
    const { nodes } = await tree.send('Accessibility.getFullAXTree')
    return nodes.some((node) => node.role?.value === 'button' && node.name?.value?.includes(offer.text))
  })
  const chat = await openChat(page)
  const log = chat.getByRole('log')
  await log.getByText(offer.text).waitFor()
  expect(await chat.getByText('Olá! Como podemos ajudar?').count()).toBe(0)
  await write(chat, 'Sim: a peça chegou quebrada')

  await page.reload()
  const again = (await openChat(page)).getByRole('log')
  await again.getByText('Sim: a peça chegou quebrada').waitFor()
  expect(await again.getByText(offer.text).count()).toBe(1)
})

test('the help is read before and beside the conversation, and is easy to use for everybody', async () => {
  await admin.api.post('/fastreply', {
    key: 'prazo',
    message: 'De 3 a 7 dias úteis. Veja em https://loja.com.br/entregas',
    scope: 'everyone',
    helpTitle: 'Qual é o prazo de entrega?',
  })
  const chat = await openChat(await openShop())
  await chat.locator('input[type=file]').setInputFiles(picture)
  const attached = chat.getByRole('list', { name: 'Arquivos a enviar' }).getByText(picture.name)
  await attached.waitFor()
  await chat.getByRole('button', { name: 'Ajuda' }).click()
  const search = chat.getByRole('searchbox', { name: 'Procurar na ajuda' })
  await until('the search has the focus', () => search.evaluate((field) => field === document.activeElement))
  await search.fill('uteis')
  await chat.getByText('Qual é o prazo de entrega?').click()
  await chat.getByRole('link', { name: 'https://loja.com.br/entregas' }).waitFor()
  expect(await barriersIn(chat)).toEqual([])
  await search.fill('foguete')
  await chat.getByRole('status').getByText('Não achamos nada com essas palavras.').waitFor()
  await search.press('Escape')
  await attached.waitFor()
  await write(chat, 'Não achei o que procurava')
})

test('a copy of the conversation goes to the address whose code the visitor types, by keyboard alone', async () => {
  const mailbox = await startMailbox()
  const { address: user, password } = mailbox.account
  const rita = mailbox.customer({ address: 'rita@example.com', name: 'Rita Alves' })
  const lastMail = () => rita.inbox.at(-1)?.text ?? ''
  await admin.api.post('/integrations', {
    ...{ kind: 'smtp', name: 'E-mail da loja' },
    config: { ...{ from: user, user, password, host: '127.0.0.1' }, port: mailbox.smtpPort, security: 'none' },
  })
  const page = await openShop()
  const chat = await openChat(page)
  await write(chat, 'Quanto custa o frete para Recife?')
  await chat.getByRole('button', { name: 'Receber cópia por e-mail' }).press('Enter')
  const form = chat.getByRole('form', { name: 'Receber cópia por e-mail' })
  await form.getByRole('textbox', { name: 'Enviar uma cópia desta conversa para' }).fill('rita@example.com')
  expect(await barriersIn(chat)).toEqual([])
  await page.keyboard.press('Enter')
  const code = form.getByRole('textbox', { name: /^Código de 6 números/ })
  await until('the field of the code has the focus', () => code.evaluate((field) => field === document.activeElement))
  const told = await until('the code', async () => /\b\d{6}\b/.exec(lastMail())?.[0])
  await code.fill(told)
  await page.keyboard.press('Enter')
  await form.getByRole('status').getByText('a cópia está a caminho de rita@example.com').waitFor()
  expect(await barriersIn(chat)).toEqual([])
  await until('the copy', async () => lastMail().includes('Quanto custa o frete para Recife?'))
})
