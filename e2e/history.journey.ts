import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { sampleMedia } from '@balcao/simulators/samples.ts'
import type { TelegramSimulator } from '@balcao/simulators/telegram.ts'
import type { WabaSimulator } from '@balcao/simulators/waba.ts'
import pg from 'pg'
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, openBot, openNumber, openShop } from './channels.ts'
import { accept, inboxOf, newTicket, openTicket, phoneShows, staffQueue, ticketWith } from './inbox.ts'
import {
  type Company,
  closeWindows,
  hasFocus,
  type Login,
  openAs,
  openCompany,
  openWindow,
  type Server,
  toast,
  until,
  wheel,
} from './kit.ts'
import { openChat, write } from './webchat.ts'

let server: Server
let browser: Browser
let waba: WabaSimulator
let telegram: TelegramSimulator
let shop: Awaited<ReturnType<typeof openShop>>
let admin: Company['admin']
let ana: Login

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const { queueId, people } = await staffQueue(server, admin.session, ['Ana Souza'])
  ;[ana] = people as [Login]
  waba = (await openNumber(server, admin.api, { queueId })).number
  telegram = await openBot(admin.api, queueId)
  shop = await openShop(server, admin.api, queueId)
})
afterAll(closeChannels)
closeWindows(
  () => browser,
  () => server,
  { staying: () => [ana] },
)

/** Whoever has just written; the conversation, in Ana's hands. */
const arrive = (name: string, text: string) => newTicket(server, admin.api, waba, { name, text, acceptedBy: ana })
/** What has been written elsewhere, taken up by Ana. */
const takeUp = (text: string) => ticketWith(admin.api, text).then((ticket) => accept(server, ana, ticket))
const arriveOnTelegram = async (firstName: string, text: string) => {
  const customer = telegram.customer({ firstName })
  await customer.sendText(text)
  return { customer, ticket: await takeUp(text) }
}
const open = (ticket: Ticket, text: string) => openTicket(browser, server.url, ana, ticket, text)

const long = 260
const words = (n: number) => `Linha ${String(n).padStart(3, '0')} da conversa`
const hourMs = 3_600_000
const writtenAt = (n: number) => new Date(Date.now() - (long - n) * 4 * hourMs)
const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)
/** Six weeks of talk, a line every four hours; the 20th of what was paid, the last but one answering the 30th. */
const seedTalk = async ({ id, contactId, whatsappId }: Ticket) => {
  const db = new pg.Client({ connectionString: server.databaseUrl })
  await db.connect()
  const lines = Array.from({ length: long }, (_, at) => {
    const n = at + 1
    const body =
      n === 20 ? 'A INSCRIÇÃO da promoção já está paga' : n === long - 1 ? 'Voltando a este assunto' : words(n)
    return { body, from_me: n % 2 === 0, at: writtenAt(n) }
  })
  await db.query('update messages set created_at = $2, timestamp = $2 where ticket_id = $1', [id, writtenAt(0)])
  await db.query(
    `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, from_me, type, body, status, timestamp, created_at)
      select t.tenant_id, gen_random_uuid(), t.id, $2, $3, l.from_me, 'text', l.body,
        case when l.from_me then 'read' else 'received' end, l.at, l.at
      from tickets t, jsonb_to_recordset($4::jsonb) l(body text, from_me boolean, at timestamptz) where t.id = $1
      order by l.at`,
    [id, contactId, whatsappId, JSON.stringify(lines)],
  )
  await db.query(
    `update messages m set quoted_id = q.id from messages q
      where m.ticket_id = $1 and m.body = 'Voltando a este assunto' and q.ticket_id = $1 and q.body = $2`,
    [id, words(30)],
  )
  await db.end()
}
/** Whether a person sees it: on the screen, and not behind the edge of the conversation. */
const isInSight = async (line: Locator, log: Locator) => {
  if ((await line.count()) === 0) return false
  const [box, frame] = await Promise.all([
    line.boundingBox({ timeout: 500 }).catch(() => null),
    log.boundingBox({ timeout: 500 }).catch(() => null),
  ])
  return box !== null && frame !== null && box.y >= frame.y && box.y + box.height <= frame.y + frame.height
}

test('a word from six weeks ago is found by its period, seen in its place, and from there one comes back to now', async () => {
  const { ticket } = await arrive('Zilda Prado', 'Bom dia, loja')
  await seedTalk(ticket)
  await arrive('Yara Lopes', 'Minha inscrição caiu na promoção?')
  const page = await openAs(browser, server.url, ana, '/atendimento')
  const inbox = inboxOf(page)
  await inbox.list.getByRole('button', { name: 'Buscar mensagens' }).click()
  const drawer = page.getByRole('dialog', { name: 'Buscar mensagens' })
  await drawer.getByLabel('Buscar mensagens').last().fill('inscricao')
  const recent = drawer.getByRole('button', { name: 'Minha inscrição caiu' }).first() // a second try has said it twice
  await recent.waitFor()
  await drawer.getByRole('button', { name: 'A INSCRIÇÃO da promoção' }).first().waitFor()
  await drawer.getByRole('button', { name: 'Período' }).click()
  await page.getByLabel('De', { exact: true }).fill(dayOf(new Date(writtenAt(20).getTime() - 72 * hourMs)))
  await page.getByLabel('Até', { exact: true }).fill(dayOf(new Date(writtenAt(20).getTime() + 72 * hourMs)))
  await recent.waitFor({ state: 'hidden' })
  const found = drawer.getByRole('button', { name: 'A INSCRIÇÃO da promoção' }).first()
  await found.waitFor()
  await drawer.getByLabel('Buscar mensagens').last().press('ArrowDown')
  await until('the arrow leads to what was found', () => hasFocus(found))
  await page.keyboard.press('Enter')

  const seen = (what: string, text: string) => until(what, () => isInSight(inbox.said(text).last(), inbox.log))
  await seen('it is on the screen', 'A INSCRIÇÃO da promoção já está paga')
  await seen('what was said before it', words(19))
  await seen('and after it', words(21))
  const back = inbox.chat.getByRole('button', { name: 'Voltar para agora' })
  await back.waitFor()
  expect(await inbox.said(words(long)).count()).toBe(0)
  await inbox.log.hover()
  await until('what came later is read on', async () => {
    await wheel(page, 250)
    return isInSight(inbox.said(words(70)), inbox.log)
  })
  expect(await inbox.log.getByText('Novas mensagens').count()).toBe(0) // six weeks old is no news
  await back.click()
  await seen('now', words(long))
  await back.waitFor({ state: 'hidden' })

  await inbox
    .bubbles('Voltando a este assunto')
    .getByRole('button', { name: words(30) })
    .click()
  await seen('what she answers', words(30))
  await seen('and what was said around it', words(31))
  await back.click()
  await seen('now again', words(long))
})

test('two messages forwarded to two people, one on another channel, arrive once each, in order', async () => {
  const { customer, ticket } = await arrive('Íris Campos', 'O endereço é rua das Flores, 10')
  await customer.sendImage(sampleMedia('image'), 'A fachada é esta')
  const julio = await arrive('Júlio Braga', 'Onde fica a loja?')
  const katia = await arriveOnTelegram('Kátia', 'Qual é o endereço?')
  const { page, inbox } = await open(ticket, 'A fachada é esta')
  await inbox.menuOf('A fachada é esta')
  await page.getByRole('menuitem', { name: 'Selecionar mensagens' }).click()
  await inbox.log.getByRole('checkbox', { name: 'Selecionar: O endereço é rua das Flores, 10' }).check()
  const bar = inbox.chat.getByRole('toolbar', { name: 'Mensagens selecionadas' })
  await bar.getByText('2 mensagens').waitFor()
  await bar.getByRole('button', { name: 'Encaminhar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Encaminhar 2 mensagens' })
  await dialog.getByRole('button', { name: 'Júlio Braga' }).click()
  await dialog.getByRole('button', { name: 'Kátia' }).click()
  const targets = dialog.getByRole('list', { name: 'Destinatários' })
  await targets.getByRole('listitem').filter({ hasText: 'Júlio Braga' }).getByText('WhatsApp').waitFor()
  await targets.getByRole('listitem').filter({ hasText: 'Kátia' }).getByText('Bot da loja').waitFor()
  await dialog.getByRole('button', { name: 'Encaminhar para 2 contatos' }).click()
  const outcome = page.getByRole('dialog', { name: 'Encaminhamento' })
  await outcome.getByText('2 mensagens na fila de envio').nth(1).waitFor()

  for (const one of [julio.customer, katia.customer]) {
    await phoneShows(one, 'A fachada é esta')
    expect(one.inbox.map((line) => line.text)).toEqual(['O endereço é rua das Flores, 10', 'A fachada é esta'])
    expect(one.inbox[1]?.media?.mimeType).toMatch(/^image\//)
  }
  await outcome.getByRole('button', { name: 'Abrir a conversa com Kátia' }).click()
  await inbox.said('Qual é o endereço?').waitFor()
  await inbox.said('A fachada é esta').waitFor()
  await inbox.log.getByRole('img', { name: 'Encaminhada' }).last().waitFor()
  await inbox.tick('Enviada').waitFor()
  expect(customer.inbox).toHaveLength(0)
  expect([...julio.customer.inbox, ...katia.customer.inbox]).toHaveLength(4)
})

/** The files of a zip, by their names. */
const unzip = (bytes: Buffer): Map<string, Buffer> => {
  const files = new Map<string, Buffer>()
  const end = bytes.lastIndexOf('PK\x05\x06')
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [size, nameLength] = [bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28)]
    const start = bytes.readUInt32LE(at + 42)
    const from = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28)
    const packed = bytes.subarray(from, from + size)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    files.set(name, bytes.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed)
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return files
}

test('a conversation is exported as PDF, as a page with its files and as text; a hostile name stays text', async () => {
  const hostile = `<img src=x onerror="alert(1)"> Lurdes`
  const { customer, ticket } = await arrive(hostile, 'Segue a foto do defeito <script>alert(2)</script>')
  const photo = sampleMedia('image')
  await customer.sendImage(photo, 'A alça descosturada')
  const { page, inbox } = await open(ticket, 'A alça descosturada')
  await inbox.answer('Vamos trocar, Lurdes.')
  const exported = async (format: 'PDF' | 'HTML' | 'Texto') => {
    await inbox.more('Exportar conversa')
    const dialog = page.getByRole('dialog', { name: 'Exportar conversa' })
    await dialog.getByRole('radio', { name: format }).check()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Exportar' }).click(),
    ])
    await dialog.waitFor({ state: 'hidden' })
    expect(download.suggestedFilename()).toMatch(/^conversa-img-src-x-onerror-alert-1-lurdes-\d+\.(pdf|zip|txt)$/)
    return readFileSync(await download.path())
  }
  const pdf = await exported('PDF')
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  expect(pdf.toString('latin1').trimEnd()).toMatch(/%%EOF$/)
  expect(pdf.toString('latin1')).toContain('/Subtype /Image')

  const text = (await exported('Texto')).toString()
  for (const line of [hostile, 'Segue a foto do defeito', 'A alça descosturada', 'Vamos trocar, Lurdes.', '[Arquivo: '])
    expect(text).toContain(line)

  const files = unzip(await exported('HTML'))
  const html = files.get('conversa.html')?.toString() ?? ''
  expect(html).toContain('Vamos trocar, Lurdes.')
  expect(html).not.toMatch(/<script|<img src=x/i)
  const [, source = ''] = /<img src="([^"]+)"/.exec(html) ?? []
  expect(files.get(decodeURIComponent(source))?.equals(photo.bytes)).toBe(true)
  const opened = await browser.newPage()
  await opened.setContent(html)
  await opened.getByRole('heading', { name: hostile }).first().waitFor()
  await opened.getByText('<script>alert(2)</script>').waitFor()
  await opened.context().close()
})

test('a message is starred, corrected with its history kept, and another is deleted for everyone', async () => {
  const chat = await openChat(await openWindow(browser, shop.url))
  await write(chat, 'Quando chega?')
  const ticket = await takeUp('Quando chega?')
  const thread = chat.getByRole('log', { name: 'Mensagens' })
  const { page: desk, inbox } = await open(ticket, 'Quando chega?')
  const act = async (text: string, action: string) => {
    await inbox.menuOf(text)
    await desk.getByRole('menuitem', { name: action }).click()
  }
  await inbox.answer('Chega na quinta')
  await thread.getByText('Chega na quinta').waitFor()
  await act('Chega na quinta', 'Marcar com estrela')
  await inbox.log.getByRole('img', { name: 'Com estrela' }).waitFor()

  await act('Chega na quinta', 'Editar')
  await inbox.chat.getByText('Editando').waitFor()
  await until('it is there to correct', async () => (await inbox.field.inputValue()) === 'Chega na quinta')
  await inbox.field.fill('Chega na sexta')
  await inbox.send()
  await inbox.said('Chega na sexta').waitFor()
  await thread.getByText('Chega na sexta').waitFor()
  await thread.getByText('editada').waitFor()
  await inbox.log.getByRole('button', { name: 'editada' }).click()
  const edits = desk.getByRole('dialog', { name: 'Edições da mensagem' })
  await edits.getByText('Chega na quinta').waitFor()
  await desk.keyboard.press('Escape')
  await edits.waitFor({ state: 'hidden' })

  await inbox.answer('A senha do cofre é 1234')
  await thread.getByText('A senha do cofre é 1234').waitFor()
  await act('A senha do cofre é 1234', 'Apagar')
  await desk.getByRole('dialog', { name: 'Apagar a mensagem?' }).getByRole('button', { name: 'Apagar' }).click()
  await inbox.said('Mensagem apagada').waitFor()
  await thread.getByText('Mensagem apagada').waitFor()
  expect(await thread.getByText('A senha do cofre').count()).toBe(0)

  await desk.keyboard.press('Control+Shift+F')
  const drawer = desk.getByRole('dialog', { name: 'Buscar mensagens' })
  await drawer.getByRole('tab', { name: 'Com estrela' }).click()
  await drawer.getByRole('button', { name: 'Chega na sexta' }).click()
  await until('it is on the screen', () => isInSight(inbox.said('Chega na sexta').last(), inbox.log))
})

test('a place and a contact card go out from the composer', async () => {
  await admin.api.post('/places', {
    name: 'Loja da Praia',
    address: 'Av. Atlântica, 1',
    latitude: -22.97,
    longitude: -43.18,
  })
  await admin.api.post('/contacts', { name: 'Oficina do Zé', number: '5511977770001' })
  const { customer, ticket } = await arrive('Mara Fontes', 'Onde retiro?')
  const { page, inbox } = await open(ticket, 'Onde retiro?')
  const attach = async (what: string) => {
    await inbox.chat.getByRole('button', { name: 'Anexar' }).click()
    await page.getByRole('menuitem', { name: what }).click()
  }
  await attach('Localização')
  const place = page.getByRole('dialog', { name: 'Enviar localização' })
  await place
    .getByLabel('CEP, link do mapa ou coordenadas')
    .fill('https://www.google.com/maps/@-23.55052,-46.63331,17z')
  await place.getByRole('link', { name: 'Conferir no mapa' }).waitFor()
  await place.getByLabel('Nome do lugar').fill('Loja do Centro')
  await place.getByLabel('Endereço', { exact: true }).fill('Praça da Sé, 1')
  await place.getByRole('button', { name: 'Enviar', exact: true }).click()
  const pin = await until('her phone shows the place', () => customer.inbox.find((line) => line.place))
  expect(pin.place).toMatchObject({
    latitude: -23.55052,
    longitude: -46.63331,
    name: 'Loja do Centro',
    address: 'Praça da Sé, 1',
  })
  await inbox.log.getByRole('link', { name: 'Loja do Centro' }).waitFor()

  await attach('Localização')
  const [street, district, city, state] = ['Avenida Paulista', 'Bela Vista', 'São Paulo', 'SP']
  const found = { cep: '01310100', street, district, city, state, latitude: -23.5630994, longitude: -46.6543387 }
  await page.route('**/api/cep/01310100', (route) => route.fulfill({ json: found })) // the public service is not ours
  await place.getByLabel('CEP, link do mapa ou coordenadas').fill('01310-100')
  await until('the address is found', async () =>
    (await place.getByLabel('Endereço', { exact: true }).inputValue()).startsWith('Avenida Paulista'),
  )
  await place.getByRole('button', { name: 'Enviar', exact: true }).click()
  await until('her phone shows the address', () => customer.inbox.find((line) => line.place?.latitude === -23.5630994))

  await attach('Localização')
  await page.getByRole('button', { name: 'Loja da Praia' }).click()
  await until('her phone shows the store', () => customer.inbox.find((line) => line.place?.name === 'Loja da Praia'))

  await attach('Contato')
  const cards = page.getByRole('dialog', { name: 'Enviar contato' })
  await cards.getByLabel('Buscar contato').fill('oficina do ze')
  await cards.getByRole('button', { name: 'Oficina do Zé' }).click()
  const card = await until('her phone shows the card', () => customer.inbox.find((line) => line.cards?.length))
  expect(card.cards).toEqual([{ name: 'Oficina do Zé', phone: '+5511977770001' }])
  await inbox.log.getByText('Oficina do Zé').waitFor()
  await inbox.tick('Entregue').waitFor()
})

test('two contacts of one person become one, and two again; what one wants to receive is read and noted down', async () => {
  const email = 'beatriz@exemplo.com.br'
  const { ticket, customer } = await arrive('Beatriz Nóbrega', 'Comprei pelo WhatsApp')
  const other = await arriveOnTelegram('Bia', 'Agora escrevo por aqui')
  for (const one of [ticket, other.ticket]) await admin.api.put(`/contacts/${one.contactId}`, { email })
  const contactOf = async ({ id }: Ticket) => (await admin.api.get<Ticket>(`/tickets/${id}`)).contactId
  const page = await openAs(browser, server.url, admin.session, '/contatos/repetidos')
  await page.getByText('Mesmo e-mail').last().waitFor()
  await page.getByRole('button', { name: /^Unir (Bia e Beatriz Nóbrega|Beatriz Nóbrega e Bia)$/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Unir contatos' })
  const names = dialog.getByRole('radiogroup', { name: 'Nome' })
  await names.getByRole('radio', { name: 'Beatriz Nóbrega' }).check()
  await dialog.getByText(/mudam: 1 atendimento/).waitFor()
  await dialog.getByRole('button', { name: 'Unir contatos' }).click()
  await toast(page, 'agora faz parte de Beatriz Nóbrega.').waitFor()
  await page.getByText('Nenhum contato repetido à vista').waitFor()
  expect(await contactOf(ticket)).toBe(await contactOf(other.ticket))

  const contact = await admin.api.get<Contact>(`/contacts/${await contactOf(ticket)}`)
  expect(contact.identities.map((one) => one.kind).toSorted()).toEqual(expect.arrayContaining(['phone', 'telegram']))
  await page.goto(`${server.url}/contatos?registro=${contact.id}`)
  await page.getByRole('button', { name: /^Desfazer a união com / }).click()
  await page
    .getByRole('dialog', { name: 'Desfazer esta união?' })
    .getByRole('button', { name: 'Desfazer união' })
    .click()
  await toast(page, 'voltou a ser um contato.').waitFor()
  await page.getByText('Nenhum outro contato faz parte deste.').waitFor()
  expect(await contactOf(ticket)).not.toBe(await contactOf(other.ticket))

  await page.goto(`${server.url}/contatos?registro=${await contactOf(ticket)}`)
  await page.getByText('O contato não pediu nem recusou nada.').waitFor()
  await customer.sendText('SAIR')
  await page.getByText('Escreveu “SAIR”').waitFor() // while one looks on
  await page.getByRole('button', { name: 'Anotar pedido do contato' }).click()
  const note = page.getByRole('dialog', { name: 'Anotar pedido do contato' })
  await note.getByRole('button', { name: 'Anotar', exact: true }).click()
  await note.getByText('Diga como o contato pediu.').waitFor()
  await note.getByRole('radio', { name: 'aceita receber', exact: true }).check()
  await note.getByLabel('Como o contato pediu').fill('No balcão, com o vendedor')
  await note.getByRole('button', { name: 'Anotar', exact: true }).click()
  await page.getByText('Aceita campanhas e promoções').waitFor()
  await page.getByText('Não quer pedidos de avaliação').waitFor()
  await page.getByRole('dialog', { name: 'Editar contato' }).waitFor() // the form around it was not sent with it
})
