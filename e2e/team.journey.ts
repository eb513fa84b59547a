import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { UserOption } from '@balcao/contract/people/users.ts'
import type { Queue } from '@balcao/contract/service/queues.ts'
import type { WabaSimulator } from '@balcao/simulators/waba.ts'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, openNumber } from './channels.ts'
import { accept, allTickets, inboxOf, newPhone, newTicket, openTicket, phoneShows, ticketWith } from './inbox.ts'
import {
  arrowTo,
  as,
  type Company,
  closeWindows,
  createAgent,
  goTo,
  type Login,
  marked,
  openAs,
  openCompany,
  type Server,
  toast,
  until,
} from './kit.ts'

let server: Server
let browser: Browser
let admin: Company['admin']
let sales: WabaSimulator
let support: WabaSimulator
let warranty: WabaSimulator
/** Of Vendas. */
let ana: Login
let bruno: Login
/** Of Suporte; Elisa of Trocas too. */
let carla: Login
let davi: Login
let elisa: Login
/** Of Garantia. */
let gil: Login
let sandra: Login

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const newQueue = async (name: string) => (await admin.api.post<Queue>('/queue', { name, color: '#B45309' })).id
  const vendas = await newQueue('Vendas')
  const suporte = await newQueue('Suporte')
  const garantia = await newQueue('Garantia')
  const trocas = await newQueue('Trocas')
  const hire = (name: string, queueIds: string[], profile: 'user' | 'super' = 'user') =>
    createAgent(server, admin.session.token, { name, queueIds, profile })
  ana = await hire('Ana Souza', [vendas])
  bruno = await hire('Bruno Dias', [vendas])
  carla = await hire('Carla Nunes', [suporte])
  davi = await hire('Davi Lopes', [suporte])
  elisa = await hire('Elisa Ramos', [suporte, trocas])
  gil = await hire('Gil Matos', [garantia])
  sandra = await hire('Sandra Reis', [suporte], 'super')
  const open = async (name: string, queueId: string) => (await openNumber(server, admin.api, { name, queueId })).number
  sales = await open('Loja', vendas)
  support = await open('Assistência', suporte)
  warranty = await open('Fábrica', garantia)
})
afterAll(closeChannels)
closeWindows(
  () => browser,
  () => server,
  { staying: () => [admin.session, carla, davi, sandra] },
)

/** Somebody who has just written; her conversation, in somebody's hands. */
const arrive = (name: string, text: string, acceptedBy: Login, number = support) =>
  newTicket(server, admin.api, number, { name, text, acceptedBy })
const open = (login: Login, ticket: Ticket, text: string) => openTicket(browser, server.url, login, ticket, text)
/** Their windows have reached the server: colleagues see them at work. */
const areThere = (...people: Login[]) =>
  until('they are online', async () => {
    const options = await admin.api.get<UserOption[]>('/users/options')
    return people.every(({ userId }) => options.some((one) => one.id === userId && one.isOnline && !one.isAway))
  })
/** Whatever they last said of themselves. */
const backToWork = (login: Login) => as(server, login).put(`/users/${login.userId}/availability`, { state: 'online' })
/** In the menu of one's own profile. */
const say = async (page: Page, login: Login, state: string) => {
  await page.getByRole('button', { name: `Perfil de ${login.username}` }).click()
  await page.getByRole('menuitemradio', { name: state }).click()
}
const awayBanner = (page: Page, reason: string) => page.getByRole('status').filter({ hasText: `Em pausa: ${reason}` })

test('a queue gives to whoever has fewest: by turns, nothing during a pause, never beyond the limit', async () => {
  const office = await openAs(browser, server.url, admin.session, '/filas')
  const row = office.getByRole('row').filter({ hasText: 'Vendas' })
  await row.getByRole('button', { name: 'Vendas' }).click()
  const form = office.getByRole('dialog')
  await form.getByRole('combobox', { name: 'Distribuição' }).click()
  await office.getByRole('option', { name: 'Menos conversas' }).click()
  await form.getByRole('button', { name: 'Salvar' }).click()
  await form.waitFor({ state: 'hidden' })
  const hers = await openAs(browser, server.url, ana, '/atendimento?aba=pendentes')
  const his = await openAs(browser, server.url, bruno, '/atendimento?aba=pendentes')
  const inbox = inboxOf(hers)
  await areThere(ana, bruno)

  /** Another customer writes; whom the conversation was handed to, and who was told. */
  const write = async (name: string): Promise<{ ticket: Ticket; to: Login }> => {
    await sales.customer({ waId: newPhone(), name }).sendText(`Oi, aqui é ${name}`)
    const ticket = await until(`${name} is handed to somebody`, async () =>
      (await allTickets(admin.api)).find((one) => one.name === name && one.userId),
    )
    const [to, page] = ticket.userId === ana.userId ? [ana, hers] : [bruno, his]
    await toast(page, `${name} espera por você em Vendas.`).waitFor()
    return { ticket, to }
  }
  const first = await write('Alice')
  await inbox.open('Alice')
  await inbox.accept()
  const others = [await write('Beto'), await write('Célia'), await write('Dora'), await write('Edu')]
  expect([first, ...others].map(({ to }) => to.username)).toEqual(
    [ana, bruno, ana, bruno, ana].map(({ username }) => username),
  )
  for (const { ticket, to } of others) await accept(server, to, ticket)

  await say(hers, ana, 'Almoço')
  await awayBanner(hers, 'Almoço').waitFor()
  expect((await write('Fausto')).to).toBe(bruno)
  expect(await toast(hers, 'Fausto espera').count()).toBe(0)
  expect((await admin.api.get<Ticket>(`/tickets/${first.ticket.id}`)).userId).toBe(ana.userId) // what she had stays hers
  await hers.getByRole('button', { name: 'Voltar', exact: true }).click()
  await awayBanner(hers, 'Almoço').waitFor({ state: 'hidden' })
  expect((await write('Guto')).to).toBe(ana)

  // He has three and she has four, but three is his limit.
  await goTo(office, '/usuarios')
  await office.getByRole('row').filter({ hasText: 'Bruno Dias' }).getByRole('button', { name: 'Bruno Dias' }).click()
  const person = office.getByRole('dialog')
  await person.getByLabel('Conversas ao mesmo tempo').fill('3')
  await person.getByRole('button', { name: 'Salvar' }).click()
  await person.waitFor({ state: 'hidden' })
  expect((await write('Hilda')).to).toBe(ana)
})

test('a promise shows its time left; broken, its agent is told and it stands first among the shortest', async () => {
  const office = await openAs(browser, server.url, admin.session, '/configuracoes/prazos')
  await office.getByRole('button', { name: 'Adicionar prazo' }).click()
  const promise = office.getByRole('group', { name: 'Prazo 1' })
  await promise.getByRole('combobox', { name: 'Fila' }).selectOption('Garantia')
  await promise.getByRole('textbox', { name: 'Primeira resposta' }).fill('5')
  await office.getByText('Há prazos não salvos.').waitFor()
  await office.getByRole('button', { name: 'Salvar' }).click()
  await toast(office, 'Prazos de atendimento salvos.').waitFor()
  await until('all of it is saved', async () => {
    const { slaTargets } = await admin.api.get<{ slaTargets: { firstAnswer: number }[] }>('/settings')
    return slaTargets.some((one) => one.firstAnswer === 5)
  })

  const page = await openAs(browser, server.url, gil, '/atendimento')
  const inbox = inboxOf(page)
  await areThere(gil)
  await arrive('Júlia Sena', 'Qual é o endereço?', gil, warranty)
  const { ticket, customer } = await arrive('Igor Melo', 'O conserto ficou pronto?', gil, warranty)
  const inOrder = (what: string, ...names: string[]) =>
    until(what, async () => {
      const rows = await inbox.list.getByRole('link').allInnerTexts()
      return rows.length === names.length && rows.every((row, at) => row.includes(names[at] ?? ''))
    })
  await inOrder('the newest is first', 'Igor Melo', 'Júlia Sena')
  const left = inbox.row('Igor Melo').getByTitle(/^Prazo: /)
  await inbox.list.getByRole('button', { name: 'Ordem: Mais recentes' }).click()
  await page.getByRole('menuitem', { name: 'Prazo mais próximo primeiro' }).click()
  await inOrder('the shortest is first', 'Júlia Sena', 'Igor Melo')
  await left.getByText(/prazo [45] min/).waitFor()

  const database = new pg.Client({ connectionString: server.databaseUrl })
  await database.connect()
  await database.query(`update tickets set sla_first_due_at = now() - interval '30 seconds' where id = $1`, [ticket.id])
  await database.end()
  // The watch goes round every ten seconds.
  const notice = toast(page, 'O prazo da primeira resposta venceu. Conversa com Igor Melo.')
  await notice.waitFor({ timeout: 25_000 })
  await page.getByLabel('Avisos').getByRole('button', { name: 'Abrir' }).first().click()
  await left.getByText('atraso 1 min').waitFor()
  await inOrder('the late one is first', 'Igor Melo', 'Júlia Sena')
  await inbox.said('O conserto ficou pronto?').waitFor()
  await inbox.list.getByRole('button', { name: 'Ordem: Menor prazo' }).waitFor() // the list stays as it was
  await inbox.answer('Ficou, pode vir buscar.')
  await phoneShows(customer, 'Ficou, pode vir buscar.')
  await left.getByText(/8h00|7h5\d/).waitFor() // now the end is what is promised
})

test('who cares for a customer gets her back; while they are away, with the overflow on, the queue does', async () => {
  const { customer, ticket } = await arrive('Kátia Brum', 'Gostei do atendimento', davi)
  const { page, inbox } = await open(davi, ticket, 'Gostei do atendimento')
  await areThere(davi)
  await page.getByRole('button', { name: 'Mais campos' }).click()
  await page.getByRole('button', { name: 'Responsável: escolher quem cuida do contato' }).click()
  await page.getByRole('checkbox', { name: 'Davi Lopes' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: 'Mais campos', exact: true }).getByText('Davi Lopes').waitFor()

  const office = await openAs(browser, server.url, admin.session, '/configuracoes/visibilidade')
  const bystander = inboxOf(await openAs(browser, server.url, carla, '/atendimento'))
  await bystander.row('Kátia Brum').waitFor()
  const turnOn = async (name: string) => {
    // It turns once what is being read is out of the way: the toast tells of it.
    await office.getByRole('switch', { name }).click({ force: true })
    await toast(office, `${name}: ligado.`).waitFor()
  }
  await turnOn('Encaminhar para a carteira')
  await bystander.row('Kátia Brum').waitFor({ state: 'detached' })
  await inbox.close()
  await customer.sendText('Voltei com outra dúvida')
  const back = await ticketWith(admin.api, 'Voltei com outra dúvida')
  expect(back).toMatchObject({ status: 'open', userId: davi.userId })
  await inbox.tab('Abertos')
  await inbox.open('Kátia Brum')
  await inbox.said('Voltei com outra dúvida').waitFor()
  await inbox.answer('Oi, Kátia, sou eu de novo.')
  await phoneShows(customer, 'sou eu de novo')
  await inbox.close()

  await office.getByRole('searchbox', { name: 'Buscar em Configurações' }).fill('transbordo')
  await office.getByRole('link', { name: 'Transbordo da carteira' }).click()
  await turnOn('Transbordo da carteira')
  await say(page, davi, 'Reunião')
  await awayBanner(page, 'Reunião').waitFor()
  const colleague = inboxOf(await openAs(browser, server.url, carla, '/atendimento?aba=pendentes'))
  await customer.sendText('Mais uma coisinha')
  await colleague.open('Kátia Brum')
  await colleague.said('Mais uma coisinha').waitFor()
  expect(await ticketWith(admin.api, 'Mais uma coisinha')).toMatchObject({ status: 'pending', userId: null })
  await colleague.accept()
  await page.getByRole('button', { name: 'Voltar', exact: true }).click()
  await awayBanner(page, 'Reunião').waitFor({ state: 'hidden' })
})

test('a note calls a colleague and a queue, who are told and find it; reading clears it; the customer never knows', async () => {
  const { customer, ticket } = await arrive('Lúcio Prado', 'A peça chegou trocada', carla)
  const his = await openAs(browser, server.url, davi, '/atendimento')
  const hers = await openAs(browser, server.url, elisa, '/atendimento')
  const [d, e] = [inboxOf(his), inboxOf(hers)]
  await areThere(davi, elisa)
  await Promise.all([d, e].map(({ row }) => row('Lúcio Prado').waitFor()))
  const { page, inbox } = await open(carla, ticket, 'A peça chegou trocada')
  await inbox.chat.getByRole('button', { name: 'Nota interna' }).click()
  const note = inbox.chat.getByRole('textbox', { name: 'Nota interna' })
  const mention = async (typed: string, name: string) => {
    await note.pressSequentially(typed)
    await inbox.chat.getByRole('listbox', { name: 'Colegas e filas' }).getByRole('option', { name }).waitFor()
    await note.press('Enter')
  }
  await note.pressSequentially('Preciso de ajuda com a nota fiscal, ')
  await mention('@dav', 'Davi Lopes')
  await note.pressSequentially('e ')
  await mention('@tro', 'Trocas')
  await note.press('Enter')
  await inbox.said('Preciso de ajuda com a nota fiscal').waitFor()
  await inbox.field.waitFor() // back to answering

  const told = 'Carla Nunes mencionou você na conversa com Lúcio Prado.'
  await Promise.all([toast(his, told).waitFor(), toast(hers, told).waitFor()])
  const mark = (of: typeof d) => of.row('Lúcio Prado').getByRole('img', { name: 'Mencionaram você' })
  await d.list.getByRole('tab', { name: /^Menções\s*1$/ }).click()
  await d.list.getByRole('tab', { name: 'Menções', selected: true }).waitFor()
  await mark(d).waitFor()
  await until('no other is listed', async () => (await d.list.getByRole('link').count()) === 1)
  await d.open('Lúcio Prado')
  await d.said('Preciso de ajuda com a nota fiscal').waitFor()
  await mark(d).waitFor({ state: 'hidden' })
  await d.tab('Abertos')
  await d.row('Lúcio Prado').waitFor()
  await d.list.getByRole('tab', { name: 'Menções', exact: true }).waitFor()

  await mark(e).waitFor() // hers is still unread
  await hers.getByRole('button', { name: 'Notificações, 1 não lida', exact: true }).click()
  await hers.getByText('Você foi mencionado').click()
  await e.said('Preciso de ajuda com a nota fiscal').waitFor()
  await mark(e).waitFor({ state: 'hidden' })

  await inbox.answer('Já estamos vendo com o estoque.')
  await phoneShows(customer, 'Já estamos vendo com o estoque.')
  expect(customer.inbox).toHaveLength(1)
  await inbox.tick('Entregue').waitFor()
  expect(JSON.stringify(customer.transcript)).not.toContain('nota fiscal')
  expect(JSON.stringify(support.requests)).not.toContain('nota fiscal')
  await page.close()
})

const wallScreen = { width: 2560, height: 1200 }
test('from the wall a supervisor listens in unnoticed, whispers, takes over and hands on by keyboard', async () => {
  const { customer, ticket } = await arrive('Mirela Gomes', 'Meu pedido veio errado', carla)
  await backToWork(davi)
  const hers = await openAs(browser, server.url, carla, '/atendimento')
  const his = await openAs(browser, server.url, davi, '/atendimento')
  const agent = inboxOf(hers)
  await agent.row('Mirela Gomes').getByText('1 não lida').waitFor()
  await areThere(carla, davi)
  const page = await openAs(browser, server.url, sandra, '/painel-atendimentos', wallScreen)
  const column = (name: string) => page.getByRole('region', { name, exact: true })
  const cardIn = (name: string) => column(name).getByRole('article', { name: 'Atendimento de Mirela Gomes' })
  await column('Carla Nunes').getByText('Online').waitFor()
  await column('Davi Lopes').getByText('Online').waitFor()

  await cardIn('Carla Nunes').getByRole('button').filter({ hasText: 'Mirela Gomes' }).click()
  const drawer = page.getByRole('dialog', { name: 'Conversa com Mirela Gomes' })
  await drawer.getByText('Você está só olhando: nada é marcado como lido e ninguém é avisado.').waitFor()
  await drawer.getByRole('log').getByText('Meu pedido veio errado').waitFor()
  await customer.sendText('Alguém pode me ajudar?')
  await drawer.getByRole('log').getByText('Alguém pode me ajudar?').waitFor()
  await agent.row('Mirela Gomes').getByText('2 não lidas').waitFor()
  expect((await admin.api.get<Ticket>(`/tickets/${ticket.id}`)).unreadMessages).toBe(2)
  expect(customer.transcript.map((line) => line.state)).not.toContain('read')

  const whisper = drawer.getByRole('textbox', { name: 'Sussurrar para Carla Nunes' })
  await whisper.fill('Ofereça a troca sem frete.')
  await whisper.press('Enter')
  await toast(hers, 'Sandra Reis mencionou você na conversa com Mirela Gomes.').waitFor()
  await drawer.getByRole('log').getByText('Ofereça a troca sem frete.').waitFor()

  await drawer.getByRole('button', { name: 'Assumir' }).click()
  await drawer.getByText('Este atendimento é seu: responda abrindo a conversa.').waitFor()
  await drawer.getByRole('button', { name: 'Fechar' }).click()
  await drawer.waitFor({ state: 'hidden' })
  await cardIn('Sandra Reis').waitFor()
  await cardIn('Carla Nunes').waitFor({ state: 'hidden' })

  await cardIn('Sandra Reis').getByRole('button', { name: 'Ações de Mirela Gomes' }).focus()
  await page.keyboard.press('Enter')
  await arrowTo(page, page.getByRole('menuitem', { name: 'Mover para…' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Transferir atendimento' })
  await dialog.getByLabel('Recado').fill('Ela aceita a troca.')
  await dialog.getByLabel('Para quem').focus()
  await page.keyboard.type('Davi')
  await marked(dialog, 'Davi Lopes').waitFor()
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  await cardIn('Davi Lopes').waitFor()
  const next = inboxOf(his)
  await next.open('Mirela Gomes')
  await next.said('Ela aceita a troca.').waitFor()
  await next.answer('Oi, Mirela, vou trocar o seu pedido.')
  await phoneShows(customer, 'vou trocar o seu pedido')
  expect(customer.inbox).toHaveLength(1)
})

test('a supervisor says for a colleague what they do now, everybody sees it, and the pauses are there to read', async () => {
  await backToWork(davi)
  const his = await openAs(browser, server.url, davi, '/atendimento')
  await areThere(davi)
  const page = await openAs(browser, server.url, sandra, '/painel-atendimentos', wallScreen)
  const column = page.getByRole('region', { name: 'Davi Lopes', exact: true })
  const menu = async (item: string) => {
    await column.getByRole('button', { name: 'Ações de Davi Lopes' }).click()
    await page.getByRole(item === 'Pausas' ? 'menuitem' : 'menuitemradio', { name: item }).click()
  }
  await menu('Treinamento')
  await toast(page, 'Davi Lopes: em pausa, Treinamento.').waitFor()
  await awayBanner(his, 'Treinamento').waitFor()
  await column.getByText(/^Treinamento há /).waitFor()
  const home = await openAs(browser, server.url, sandra, '/home')
  const load = home.getByRole('row').filter({ hasText: 'Davi Lopes' })
  await load.getByText('Treinamento').waitFor()
  await load.getByRole('img', { name: 'Em pausa' }).waitFor()

  await menu('Online')
  await toast(page, 'Davi Lopes: online.').waitFor()
  await awayBanner(his, 'Treinamento').waitFor({ state: 'hidden' })
  await load.getByRole('img', { name: 'Online' }).waitFor()
  await load.getByText('Treinamento').waitFor({ state: 'hidden' })

  await menu('Pausas')
  const drawer = page.getByRole('dialog', { name: 'Pausas de Davi Lopes' })
  await drawer.getByRole('button', { name: 'Limpar filtro Qualquer dia' }).click() // it may be midnight
  await drawer.getByRole('list', { name: 'Pausas' }).getByText('Treinamento').waitFor()
  await drawer
    .getByRole('table', { name: 'Tempo por motivo' })
    .getByRole('row', { name: /^Treinamento 1 / })
    .waitFor()
})
