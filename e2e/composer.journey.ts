import type { Page as Paged } from '@balcao/contract/common.ts'
import type { Tag } from '@balcao/contract/contacts/tags.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { Schedule } from '@balcao/contract/operations/schedules.ts'
import type { WabaCustomer, WabaSimulator } from '@balcao/simulators/waba.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { closeChannels, openNumber } from './channels.ts'
import { inboxOf, newTicket, openTicket, picture, staffQueue } from './inbox.ts'
import {
  as,
  type Company,
  closeWindows,
  goTo,
  type Login,
  launchBrowser,
  logIn,
  openAs,
  openCompany,
  type Server,
  toast,
  until,
} from './kit.ts'

let server: Server
let browser: Browser
let waba: WabaSimulator
let admin: Company['admin']
let ana: Login

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const { queueId, people } = await staffQueue(server, admin.session, ['Ana Souza'])
  ;[ana] = people as [Login]
  waba = (await openNumber(server, admin.api, { queueId })).number
})
afterAll(closeChannels)
closeWindows(
  () => browser,
  () => server,
  { staying: () => [ana, admin.session] },
)

const pdf = { name: 'orçamento.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 x') }
/** A customer who has just written, in Ana's hands, and the conversation open before Ana. */
const inConversation = async (name: string, { url = server.url, on = browser, by = ana } = {}) => {
  const { customer, ticket } = await newTicket(server, admin.api, waba, { name, acceptedBy: by })
  const { page, inbox } = await openTicket(on, url, by, ticket, 'Oi, preciso de ajuda')
  await inbox.field.waitFor()
  return { customer, ticket, page, inbox, ...composerOf(page) }
}
const composerOf = (page: Page) => {
  const { chat, field } = inboxOf(page)
  const caption = (file: string) => chat.getByLabel(`Legenda de ${file}`)
  return {
    caption,
    attach: async (...files: { name: string; mimeType: string; buffer: Buffer }[]) => {
      await chat.getByLabel('Arquivos', { exact: true }).setInputFiles(files)
      for (const { name } of files) await caption(name).waitFor()
    },
    /** The words in the composer are these. */
    holds: (text: string) => until(`the composer holds “${text}”`, async () => (await field.inputValue()) === text),
  }
}
/** What her phone has got, once it is so many. */
const received = async (customer: WabaCustomer, count: number) => {
  await until(`her phone shows ${count}`, () => customer.inbox.length >= count)
  return customer.inbox
}

test('what was sent is taken back within its seconds, with its file and its quote; not taken back, it arrives once', async () => {
  const { customer, page, inbox, attach, caption, holds } = await inConversation('Alice Reis')
  await inbox.chat.getByRole('button', { name: 'Opções de envio' }).click()
  const waits = page.getByRole('menuitemcheckbox', { name: 'Esperar 5 s para poder desfazer' })
  await waits.click()
  await waits.and(page.getByRole('menuitemcheckbox', { checked: true })).waitFor()
  await page.keyboard.press('Escape')
  await waits.waitFor({ state: 'hidden' })
  await inbox.menuOf('Oi, preciso de ajuda')
  await page.getByRole('menuitem', { name: 'Responder' }).click()
  const quote = inbox.chat.getByText('Respondendo a Alice Reis')
  await quote.waitFor()
  await attach(picture)
  await inbox.field.fill('Esta é a caneca')
  await inbox.field.press('Enter')
  await inbox.log.getByRole('button', { name: 'Desfazer' }).click() // in time: the rest is looked at below
  await holds('Esta é a caneca')
  await caption(picture.name).waitFor()
  await quote.waitFor()
  await inbox.said('Esta é a caneca').waitFor({ state: 'hidden' })

  await inbox.field.press('End')
  await inbox.field.pressSequentially(' azul')
  await inbox.field.press('Enter')
  await inbox.log.getByText(/Enviando em \d s/).waitFor()
  expect(customer.inbox).toHaveLength(0)
  await holds('')
  await quote.waitFor({ state: 'hidden' })
  const [line] = await received(customer, 1)
  expect(line?.text).toContain('Esta é a caneca azul')
  expect(line?.media?.mimeType).toBe('image/jpeg')
  expect(line?.replyTo).toBe(customer.transcript.find((one) => one.from === 'customer')?.id)
  await inbox.log.getByRole('button', { name: /^Alice Reis\s*Oi, preciso de ajuda/ }).waitFor()
  await inbox.tick('Entregue').waitFor()
  expect(customer.inbox).toHaveLength(1)
})

test('where the field is narrow its invitation is one that fits', async () => {
  const { ticket } = await newTicket(server, admin.api, waba, { name: 'Nara Pires', acceptedBy: ana })
  const phone = { width: 390, height: 844 }
  const page = await openAs(browser, server.url, ana, `/atendimento/${ticket.id}`, phone)
  const field = page.getByRole('textbox', { name: 'Mensagem', exact: true })
  await field.waitFor()
  expect(await field.getAttribute('placeholder')).toBe('Escreva uma mensagem')
  await page.getByRole('button', { name: /^Nota interna/ }).click()
  const note = page.getByRole('textbox', { name: 'Nota interna', exact: true })
  expect(await note.getAttribute('placeholder')).toBe('Escreva uma nota. Só a equipe vê.')
})

test('a contact nothing reached is shown so until another message arrives', async () => {
  const { page, inbox } = await inConversation('Irene Prado')
  waba.faults.next({
    ...{ status: 400, body: { error: { code: 131026, message: 'x' } } },
    match: (one) => JSON.stringify(one.body).includes('não chega'),
  })
  await inbox.answer('Esta não chega')
  const mark = page.getByText('Não recebe', { exact: true })
  await mark.waitFor()
  await inbox.answer('Esta sim')
  await inbox.tick('Entregue').waitFor()
  await mark.waitFor({ state: 'hidden' })
})

test('tried again by mouse, a message leaves the keyboard where one writes', async () => {
  const { page, inbox, holds } = await inConversation('Helena Prado')
  waba.faults.next({
    ...{ status: 400, body: { error: { code: 131026, message: 'x' } } },
    match: (one) => JSON.stringify(one.body).includes('recusada'),
  })
  await inbox.answer('Esta foi recusada')
  const again = inbox.log.getByRole('button', { name: 'Tentar de novo' })
  await again.waitFor()
  await inbox.field.pressSequentially('E tam')
  await again.click()
  await again.waitFor({ state: 'hidden' })
  await page.keyboard.type('bém')
  await holds('E também')
  expect(await inbox.field.evaluate((field) => field === document.activeElement)).toBe(true)
})

test('without a network what is written waits, outlives a reload and goes once and in order; what was missed appears', async () => {
  // Under another name of this machine: the socket's library hears nothing of a lost network on localhost.
  const url = server.url.replace('localhost', 'balcao.localhost')
  const { customer, page, inbox, attach, caption } = await inConversation('Beatriz Lima', { url })
  const network = page.context()
  const isOffline = page.getByText('Você está sem internet.')
  await page.locator('html[data-worker=ready], html[data-worker=cached]').waitFor({ state: 'attached' })
  await page.reload() // what the app is made of comes through its worker now, which keeps it
  await inbox.said('Oi, preciso de ajuda').waitFor()
  await network.setOffline(true)
  await isOffline.waitFor()
  await attach(picture)
  await inbox.chat.getByRole('status').getByText('Aguardando conexão.').waitFor()
  await inbox.answer('Primeiro a caneca')
  await inbox.answer('Depois o preço: R$ 40')
  await until('both wait', async () => (await inbox.log.getByText('Aguardando conexão.').count()) === 2)
  await attach(pdf)
  await caption(pdf.name).fill('E o orçamento')

  await page.reload()
  await isOffline.waitFor()
  expect(customer.inbox).toHaveLength(0)
  await network.setOffline(false)
  await received(customer, 2)
  await inbox.tick('Entregue').waitFor()
  expect(await inbox.log.getByText('Aguardando conexão.').count()).toBe(0)
  await until('the caption is back', async () => (await caption(pdf.name).inputValue()) === 'E o orçamento')
  await inbox.send()
  const lines = await received(customer, 3)
  expect(lines.map((line) => line.text?.split('\n').at(-1))).toEqual([
    'Primeiro a caneca',
    'Depois o preço: R$ 40',
    'E o orçamento',
  ])
  expect(lines.map((line) => line.media?.mimeType)).toEqual(['image/jpeg', undefined, 'application/pdf'])

  await network.setOffline(true)
  await isOffline.waitFor()
  await inbox.answer('Escrito sem rede')
  await inbox.log.getByText('Aguardando conexão.').waitFor()
  await newTicket(server, admin.api, waba, { name: 'Marta Luz', acceptedBy: ana })
  expect(await inbox.row('Marta Luz').count()).toBe(0)
  await network.setOffline(false)
  await inbox.row('Marta Luz').waitFor()
  await received(customer, 4)
  await inbox.tick('Entregue').waitFor()
  await isOffline.waitFor({ state: 'hidden' })
  expect(customer.inbox.filter((line) => line.text?.includes('Escrito sem rede'))).toHaveLength(1)
})

test('what opens over the conversation and cannot be had without a network leaves it as it is', async () => {
  const { page, inbox, holds } = await inConversation('Joana Prado')
  await page.route('**/assets/transfer-dialog-*.js', (route) => route.abort())
  await page.reload()
  await inbox.field.waitFor()
  await page.context().setOffline(true)
  await inbox.field.fill('Já transfiro ')
  await inbox.chat.getByRole('button', { name: 'Transferir' }).click()
  await toast(page, 'Isso só abre com internet. O resto continua funcionando.').waitFor()
  await page.keyboard.type('você')
  await holds('Já transfiro você')
  await page.unrouteAll()
  await page.context().setOffline(false)
  const dialog = page.getByRole('dialog', { name: 'Transferir atendimento' })
  // A browser that was refused a piece of code asks for it no more: the page loads itself anew.
  await until('it opens with the network', async () => {
    await inbox.chat.getByRole('button', { name: 'Transferir' }).click()
    return dialog.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    )
  })
  await page.keyboard.press('Escape')
  await holds('Já transfiro você')
})

test('what is typed after a press beside an open dialog does nothing behind it', async () => {
  const { page, inbox, holds } = await inConversation('Karina Prado')
  await inbox.field.fill('Um momento')
  await inbox.chat.getByRole('button', { name: 'Transferir' }).click()
  const dialog = page.getByRole('dialog', { name: 'Transferir atendimento' })
  await dialog.waitFor()
  await page.mouse.click(620, 880)
  await page.keyboard.type('n r x')
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await holds('Um momento')
})

test('what waits for its file leaves although one goes to another screen; two windows show it once', async () => {
  const { customer, ticket, page, inbox, attach } = await inConversation('Bruna Pires')
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.route('**/api/media', async (route) => {
    await held
    await route.continue()
  })
  await attach(picture)
  await inbox.answer('Esta é a caneca')
  await inbox.answer('Custa R$ 40')
  await inbox.log.getByText(/Enviando o arquivo… \d+%/).waitFor()
  await inbox.log.getByText('Aguardando o arquivo anterior.').waitFor()
  const other = await page.context().newPage()
  await other.goto(`${server.url}/atendimento/${ticket.id}`)
  const beside = inboxOf(other)
  await beside.said('Custa R$ 40').waitFor()

  await page.getByRole('link', { name: 'Contatos', exact: true }).click()
  await page.getByRole('heading', { name: 'Contatos' }).waitFor()
  goOn()
  const lines = await received(customer, 2)
  expect(lines.map((line) => line.text?.split('\n').at(-1))).toEqual(['Esta é a caneca', 'Custa R$ 40'])
  await page.goBack()
  for (const { said, tick } of [inbox, beside]) {
    await tick('Entregue').waitFor()
    expect(await said('Custa R$ 40').count()).toBe(1)
  }
  expect(customer.inbox).toHaveLength(2)
})

test('a message and a note begun in one conversation never meet; both outlive a reload, and the message is on the other device', async () => {
  const { customer, ticket, page, inbox, holds } = await inConversation('Carla Neves')
  const toggle = inbox.chat.getByRole('button', { name: 'Nota interna' })
  const note = inbox.chat.getByRole('textbox', { name: 'Nota interna' })
  await inbox.field.fill('Já vejo o seu pedido')
  await toggle.click()
  await note.waitFor()
  expect(await note.inputValue()).toBe('')
  await note.fill('Ela deve dois meses')
  await toggle.click()
  await holds('Já vejo o seu pedido')
  await page.reload()
  await holds('Já vejo o seu pedido')
  await toggle.click()
  await until('the note is back', async () => (await note.inputValue()) === 'Ela deve dois meses')
  await note.press('Enter')
  await inbox.said('Ela deve dois meses').waitFor()
  await holds('Já vejo o seu pedido')
  await inbox.field.press('End')
  await inbox.field.pressSequentially(' de ontem')
  const written = 'Já vejo o seu pedido de ontem'
  await until('the server has the draft', async () =>
    JSON.stringify(await as(server, ana).get(`/tickets/${ticket.id}/draft`)).includes(written),
  )
  const device = await openTicket(browser, server.url, ana, ticket, 'Ela deve dois meses')
  await composerOf(device.page).holds(written)
  expect(customer.inbox).toHaveLength(0)
})

test('who logs out with something unsent is asked, and leaves nothing of it in the browser', async () => {
  const by = await logIn(server.url, ana.email) // the other journeys go on with hers
  const { page, attach, caption } = await inConversation('Cíntia Melo', { by })
  await attach(picture)
  const leave = async () => {
    await page.getByRole('button', { name: 'Perfil de Ana Souza' }).click()
    await page.getByRole('menuitem', { name: 'Sair' }).click()
  }
  const question = page.getByRole('dialog', { name: 'Sair sem enviar?' })
  await leave()
  await question.getByRole('button', { name: 'Ficar' }).click()
  await question.waitFor({ state: 'hidden' })
  await caption(picture.name).waitFor()
  await leave()
  await question.getByRole('button', { name: 'Sair e apagar' }).click()
  await page.getByRole('button', { name: 'Entrar' }).waitFor()
  const left = await page.evaluate(async () => {
    const files = await new Promise((resolve) => {
      indexedDB.open('balcao').onsuccess = ({ target }) => {
        const counting = (target as IDBOpenDBRequest).result.transaction('arquivos').objectStore('arquivos').count()
        counting.onsuccess = () => resolve(counting.result)
      }
    })
    return { files, kept: Object.keys(localStorage).filter((key) => /^(anexos|naoEnviada):/.test(key)) }
  })
  expect(left).toEqual({ files: 0, kept: [] })
})

test('a voice note is recorded, listened to and sent as one', async () => {
  const { customer, inbox } = await inConversation('Célia Nunes')
  const bar = inbox.chat.getByRole('region', { name: 'Gravação de áudio' })
  await inbox.chat.getByRole('button', { name: 'Gravar áudio' }).click()
  const clock = bar.getByRole('timer')
  await until('a second is recorded', async () => (await clock.innerText()) >= '0:01')
  await bar.getByRole('button', { name: 'Parar e ouvir' }).click()
  await bar.getByRole('button', { name: 'Ouvir áudio' }).click()
  await bar.getByRole('button', { name: 'Pausar áudio' }).waitFor()
  await bar.getByRole('button', { name: 'Enviar áudio' }).click()
  await bar.waitFor({ state: 'hidden' })
  const [line] = await received(customer, 1)
  expect(line?.type).toBe('voice')
  expect(line?.media?.mimeType).toBe('audio/ogg; codecs=opus')
  expect(line?.media?.bytes.subarray(0, 4).toString()).toBe('OggS')
  expect(line?.media?.bytes.length).toBeGreaterThan(1_000)
})

test('a recording left for another conversation waits among the files, and the microphone is not opened again', async () => {
  const { customer, inbox } = await inConversation('Dora Nunes')
  await newTicket(server, admin.api, waba, { name: 'Outra Pessoa', acceptedBy: ana })
  const bar = inbox.chat.getByRole('region', { name: 'Gravação de áudio' })
  await inbox.chat.getByRole('button', { name: 'Gravar áudio' }).click()
  await until('a second is recorded', async () => (await bar.getByRole('timer').innerText()) >= '0:01')
  await inbox.open('Outra Pessoa')
  await inbox.open('Dora Nunes')
  await inbox.chat.getByRole('button', { name: /^Remover .+\.ogg$/ }).waitFor()
  expect(await bar.count()).toBe(0)
  await inbox.send()
  const [line] = await received(customer, 1)
  expect(line?.type).toBe('voice')
})

test('a refused microphone says what to do; what was written is still there', async () => {
  const refusing = await launchBrowser(['--use-fake-ui-for-media-stream=deny'])
  onTestFinished(() => refusing.close())
  const { customer, inbox, holds } = await inConversation('Cátia Luz', { on: refusing })
  await inbox.field.fill('Ouça')
  const bar = inbox.chat.getByRole('region', { name: 'Gravação de áudio' })
  await inbox.chat.getByRole('button', { name: 'Gravar áudio' }).click()
  const help = bar.getByRole('alert').filter({ hasText: 'permita o microfone e tente de novo' })
  await help.waitFor()
  await help.getByRole('button', { name: 'Tentar de novo' }).click()
  await help.getByRole('button', { name: 'Fechar' }).click()
  await bar.waitFor({ state: 'hidden' })
  await holds('Ouça')
  expect(customer.inbox).toHaveLength(0)
})

test('a photo is taken with the camera and sent', async () => {
  const { customer, page, inbox, caption } = await inConversation('Dora Paiva')
  await inbox.chat.getByRole('button', { name: 'Anexar' }).click()
  await page.getByRole('menuitem', { name: 'Câmera' }).click()
  const dialog = page.getByRole('dialog', { name: 'Tirar foto' })
  await dialog.getByRole('button', { name: 'Tirar foto' }).click()
  await dialog.getByRole('img', { name: 'Foto tirada agora' }).waitFor()
  await dialog.getByRole('button', { name: 'Anexar' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await caption('foto.jpg').waitFor()
  await inbox.field.fill('A loja agora')
  await inbox.send()
  const [line] = await received(customer, 1)
  expect(line?.text).toContain('A loja agora')
  expect(line?.media?.mimeType).toBe('image/jpeg')
  expect(line?.media?.bytes.length).toBeGreaterThan(1_000)
})

test('files are put in order by keyboard and arrive in that order, each with its caption', async () => {
  const { customer, inbox, attach, caption } = await inConversation('Elisa Prado')
  await attach(picture, pdf)
  await caption(picture.name).fill('A caneca')
  await caption(pdf.name).fill('O orçamento')
  const grip = (name: RegExp) => inbox.chat.getByRole('button', { name })
  await grip(/^Mover caneca\.jpg: 1 de 2/).press('Alt+ArrowRight')
  const moved = grip(/^Mover caneca\.jpg: 2 de 2/)
  await until('the hand is still on it', () => moved.evaluate((button) => button === document.activeElement))
  await moved.press('Alt+ArrowLeft')
  await grip(/^Mover caneca\.jpg: 1 de 2/).press('Alt+ArrowRight')
  await moved.waitFor()
  await inbox.field.press('Control+Enter')
  const lines = await received(customer, 2)
  expect(lines.map((line) => line.text?.split('\n').at(-1))).toEqual(['O orçamento', 'A caneca'])
  expect(lines.map((line) => line.media?.mimeType)).toEqual(['application/pdf', 'image/jpeg'])
})

test('placeholders are offered, shown as the customer reads them, and refused when they stand for nothing', async () => {
  const { customer, ticket, page, inbox, holds } = await inConversation('João & Cia')
  await inbox.field.pressSequentially('Olá, {{nam')
  const list = page.getByRole('listbox', { name: 'Variáveis' })
  await list.getByRole('option', { name: '{{name}}' }).getByText('João & Cia').waitFor()
  await inbox.field.press('Enter')
  await holds('Olá, {{name}}')
  await inbox.field.pressSequentially('! Anote: {{protocol}} {{cupom}}')
  await inbox.chat.getByRole('alert').getByText('Variável desconhecida: {{cupom}}.').waitFor()
  await inbox.send()
  await holds('Olá, {{name}}! Anote: {{protocol}} {{cupom}}')
  expect(await inbox.said('Anote:').count()).toBe(0)

  await inbox.field.pressSequentially('obrigada') // the unknown one is selected: it is written over
  await holds('Olá, {{name}}! Anote: {{protocol}} obrigada')
  const said = `Olá, João & Cia! Anote: ${ticket.protocol} obrigada`
  await inbox.chat.getByText('O cliente lê:').locator('..').getByText(said).waitFor()
  await inbox.send()
  await inbox.said(said).waitFor()
  const [line] = await received(customer, 1)
  expect(line?.text?.split('\n').at(-1)).toBe(said)
  expect(customer.inbox).toHaveLength(1)
})

test('a macro of several steps is made, and run from the composer: once, though pressed twice and told twice', async () => {
  const tag = await admin.api.post<Tag>('/tags', { name: 'Orçamento', color: '#0B7A75' })
  const { customer, ticket, page, inbox } = await inConversation('Flávia Moura')
  await goTo(page, '/mensagens-rapidas')
  await page.getByRole('button', { name: 'Criar mensagem rápida' }).first().waitFor()
  await page.getByText('Macros', { exact: true }).click()
  await page.getByRole('button', { name: 'Criar macro' }).first().click()
  const form = page.getByRole('dialog', { name: 'Criar macro' })
  await form.getByLabel('Nome').fill('Enviar orçamento')
  await form.getByLabel('Texto').fill('Já preparo o seu orçamento, {{firstName}}.')
  const step = async (kind: string) => {
    await form.getByRole('button', { name: 'Adicionar passo' }).click()
    await page.keyboard.type(kind.slice(0, 12).toLowerCase())
    await page.getByRole('option', { name: kind, exact: true }).waitFor()
    await page.keyboard.press('Enter')
  }
  await step('Adicionar etiquetas')
  await form.getByRole('combobox', { name: 'Etiquetas' }).click()
  await page.getByRole('option', { name: 'Orçamento' }).click()
  await page.keyboard.press('Tab') // the list stays open for more
  await step('Definir prioridade')
  await form.getByRole('combobox', { name: 'Prioridade' }).click()
  await page.getByRole('option', { name: 'Urgente' }).click()
  await step('Pausar')
  await form.getByRole('button', { name: 'Criar', exact: true }).click()
  await form.waitFor({ state: 'hidden' })
  await page.getByText('Enviar orçamento').first().waitFor()

  await goTo(page, `/atendimento/${ticket.id}`)
  let runs = 0
  await page.route('**/api/macros/*/run', async (route) => {
    runs += 1
    await route.fetch() // the network tells it twice
    await route.continue()
  })
  await inbox.field.fill('\\orç')
  await page.getByRole('listbox', { name: 'Macros' }).getByRole('option', { name: 'Enviar orçamento' }).dblclick()
  await toast(page, 'Enviar orçamento: 4 passos feitos.').waitFor()
  await inbox.chat.getByText('Pausado até o cliente responder.').waitFor()
  await received(customer, 1)
  const after = await admin.api.get<Ticket>(`/tickets/${ticket.id}`)
  expect(after).toMatchObject({ priority: 'urgent', status: 'open' })
  expect(after.tags.map(({ id }) => id)).toEqual([tag.id])
  await inbox.answer('Mais alguma coisa?')
  const lines = await received(customer, 2) // what was sent twice would stand between
  expect(lines.map((line) => line.text?.split('\n').at(-1))).toEqual([
    'Já preparo o seu orçamento, Flávia.',
    'Mais alguma coisa?',
  ])
  expect(runs).toBe(1)
})

test('the customer and colleagues see one typing; what was written past her answer is asked about: put right, or sent as it is', async () => {
  const { customer, ticket, inbox, holds } = await inConversation('Helena Dias')
  const boss = await openAs(browser, server.url, admin.session, `/atendimento/${ticket.id}`)
  await inboxOf(boss).said('Oi, preciso de ajuda').waitFor()
  await inbox.field.pressSequentially('Fica na rua das Flores')
  await until('her phone shows the typing', () => customer.isBusinessTyping)
  await inboxOf(boss).chat.getByText('Ana Souza está escrevendo…').waitFor()
  await customer.sendText('Achei a loja! Até que horas abre?')
  await inbox.said('Achei a loja! Até que horas abre?').waitFor()
  await inbox.send()
  const question = inbox.log.getByRole('status').filter({ hasText: 'O cliente escreveu enquanto você escrevia.' })
  await question.getByRole('button', { name: 'Voltar a editar' }).click()
  await holds('Fica na rua das Flores')
  expect(await question.count()).toBe(0)
  await inbox.answer('Até as 18h')
  const lines = await received(customer, 1)
  await inbox.tick('Entregue').waitFor()
  expect(lines.map((line) => line.text?.split('\n').at(-1))).toEqual(['Até as 18h'])

  await inbox.field.fill('No sábado')
  await customer.sendText('E no sábado?')
  await inbox.said('E no sábado?').waitFor()
  await inbox.field.fill('No sábado, até as 13h')
  await inbox.send()
  await question.waitFor()
  expect(customer.inbox).toHaveLength(1)
  await question.getByRole('button', { name: 'Enviar assim mesmo' }).click()
  const both = await received(customer, 2)
  expect(both.map((line) => line.text?.split('\n').at(-1))).toEqual(['Até as 18h', 'No sábado, até as 13h'])
})

test('the end of the conversation stays in sight while the composer grows', async () => {
  const { customer, page, inbox, attach } = await inConversation('Iara Sá')
  for (let n = 1; n <= 20; n += 1) await customer.sendText(`Item ${n} da lista`)
  const last = inbox.said('Item 20 da lista')
  await last.waitFor()
  const toEnd = inbox.chat.getByText('Ir para o fim')
  const isInSight = (what: string) =>
    until(`${what}, and no way to the end is offered`, async () => {
      const [box, frame] = [await last.boundingBox(), await inbox.log.boundingBox()]
      const isInside = box && frame && box.y >= frame.y && box.y + box.height <= frame.y + frame.height
      return isInside && (await toEnd.count()) === 0
    })
  await isInSight('the last one, to begin with')
  await inbox.field.fill(Array.from({ length: 8 }, (_, n) => `Linha ${n + 1}`).join('\n'))
  await isInSight('the last one, over eight lines')
  await attach(picture, pdf)
  await isInSight('the last one, over two files')
  await inbox.bubbles('Item 20 da lista').hover()
  await inbox.log.getByRole('button', { name: 'Responder: Item 20 da lista' }).click()
  await inbox.chat.getByText('Respondendo a Iara Sá').waitFor()
  await isInSight('the last one, over a quote')
  await inbox.log.getByRole('button', { name: 'Reagir com 👍: Item 20 da lista' }).click()
  await inbox
    .bubbles('Item 20 da lista')
    .getByRole('button', { name: /^Reações: .* Equipe$/ })
    .waitFor()
  await isInSight('the last one, with a reaction')
  await inbox.send()
  await inbox.said('Linha 8').waitFor()
  await until('our last is in sight', () => inbox.said('Linha 8').isVisible())

  await inbox.chat.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Buscar na conversa' }).click()
  const search = inbox.chat.getByRole('search')
  await search.getByRole('searchbox').fill('da lista')
  await search.getByRole('status').getByText('20').waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await search.getByText('2 de 20').waitFor()
  await search.getByRole('button', { name: 'Resultado mais novo' }).click()
  await search.getByText('1 de 20').waitFor()
  await page.keyboard.press('Escape')

  await inbox.field.fill(`Contrato: ${'cláusula '.repeat(500)}`)
  await inbox.chat.getByText(/^\d+ a mais$/).waitFor()
  expect(await inbox.chat.getByRole('button', { name: 'Enviar', exact: true }).isDisabled()).toBe(true)
  await inbox.answer(`Contrato: ${'cláusula '.repeat(400)}`)
  const giant = inbox.bubbles('Contrato:').last()
  const height = async () => (await giant.boundingBox())?.height ?? 0
  await until('it shows its beginning', async () => (await height()) < 500)
  await giant.getByRole('button', { name: 'Ver mais' }).click()
  await until('it shows all', async () => (await height()) > 800)
})

test('what is sent while the conversation cannot be loaded stays in view, and the rest comes by “Tentar de novo”', async () => {
  const { customer, ticket } = await newTicket(server, admin.api, waba, { name: 'Karen Dias', acceptedBy: ana })
  const page = await openAs(browser, server.url, ana, '/atendimento')
  const history = `**/api/messages/${ticket.id}?*`
  await page.route(history, (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ status: 500, json: { error: 'ERR_INTERNAL' } })
      : route.continue(),
  )
  const inbox = inboxOf(page)
  await inbox.row('Karen Dias').click()
  await inbox.chat.getByRole('alert').waitFor()
  await inbox.answer('Já vejo para você')
  await received(customer, 1)
  await inbox.tick('Entregue').waitFor()
  await page.unroute(history)
  await inbox.chat.getByRole('button', { name: 'Tentar de novo' }).click()
  await inbox.said('Oi, preciso de ajuda').waitFor()
  await inbox.said('Já vejo para você').waitFor()
})

test('a message is scheduled from the send menu and taken back; lists opened by mouse leave nothing behind', async () => {
  const { customer, ticket, page, inbox, attach, caption, holds } = await inConversation('Joana Prates')
  const pending = async () =>
    (await admin.api.get<Paged<Schedule>>(`/scheduleMessages?state=pending&contactId=${ticket.contactId}`)).items
  const sendMenu = async (item: string) => {
    await inbox.chat.getByRole('button', { name: 'Opções de envio' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await attach(picture)
  await inbox.field.fill('Amanhã mando o orçamento')
  await sendMenu('Amanhã 9h')
  const told = page.getByLabel('Avisos').getByRole('status').filter({ hasText: 'Agendada para' })
  await told.waitFor()
  await holds('')
  const made = await pending()
  expect(made.map(({ body, media }) => [body, media?.name])).toEqual([['Amanhã mando o orçamento', picture.name]])
  await told.getByRole('button', { name: 'Desfazer' }).click()
  await holds('Amanhã mando o orçamento')
  await caption(picture.name).waitFor()
  await until('nothing is scheduled', async () => (await pending()).length === 0)

  await sendMenu('Escolher data e hora')
  const form = page.getByRole('dialog', { name: 'Agendar mensagem' })
  await form.getByRole('button', { name: 'Em 7 dias 9h' }).click()
  await form.getByRole('button', { name: 'Agendar', exact: true }).click()
  await form.waitFor({ state: 'hidden' })
  await holds('')
  expect(await pending()).toHaveLength(1)
  expect(customer.inbox).toHaveLength(0)

  for (const [button, list] of [
    ['Mensagens rápidas', 'Mensagens rápidas'],
    ['Macros', 'Macros'],
  ] as const) {
    const offered = page.getByRole('listbox', { name: list })
    await inbox.field.fill('Bom dia')
    await inbox.chat.getByRole('button', { name: button }).click()
    await offered.waitFor()
    await holds('Bom dia')
    await inbox.log.click()
    await offered.waitFor({ state: 'hidden' })
    await holds('Bom dia')
  }
})
