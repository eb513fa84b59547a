import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, openNumber } from './channels.ts'
import { newTicket } from './inbox.ts'
import {
  as,
  type Company,
  closeWindows,
  createAgent,
  hasFocus,
  openAs,
  openCompany,
  type Server,
  until,
} from './kit.ts'

let server: Server
let browser: Browser
let admin: Company['admin']

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
})
afterAll(closeChannels)
closeWindows(
  () => browser,
  () => server,
  { staying: () => [admin.session] },
)

const commandBar = (page: Page) => page.getByRole('combobox', { name: /^Buscar/ })
const chosen = (page: Page) => page.getByRole('option', { selected: true })
/** The screen behind is as alive as before. */
const stands = (page: Page) => page.getByRole('main').getByRole('heading', { name: 'Contatos' }).waitFor()

test('the command bar goes by arrows, by mouse and by Esc, and leaves the screen standing', async () => {
  const page = await openAs(browser, server.url, admin.session, '/contatos')
  await stands(page)
  const bar = commandBar(page)
  const open = async () => {
    await page.keyboard.press('Control+k')
    await until('it is ready for words', () => hasFocus(bar))
  }

  await open()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await until('the third is chosen', async () => (await chosen(page).getAttribute('id')) === 'hit-2')
  for (const at of [4, 1, 3]) {
    await page.getByRole('option').nth(at).hover()
    await until('the mouse chooses', async () => (await chosen(page).getAttribute('id')) === `hit-${at}`)
  }
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'hidden' })
  await stands(page)

  await open()
  await page.keyboard.type('fila')
  await page.mouse.click(5, 890)
  await bar.waitFor({ state: 'hidden' })
  await stands(page)

  // A single setting, by other words than its name.
  await open()
  await page.keyboard.type('relogio cidade')
  await chosen(page).filter({ hasText: 'Fuso horário' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/configuracoes/geral#setting-timezone')
  await until('the setting has the focus', () => hasFocus(page.locator('#setting-timezone')))
})

test('on a phone the search and the areas open from the bar below', async () => {
  const page = await openAs(browser, server.url, admin.session, '/contatos', { width: 390, height: 844 })
  await stands(page)
  await page.getByRole('button', { name: 'Mais' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Buscar' }).click()
  const bar = commandBar(page)
  await bar.fill('etiqu')
  await chosen(page)
    .filter({ hasText: /^Etiquetas/ })
    .waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'hidden' })
  await stands(page)

  await page.getByRole('button', { name: 'Mais' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Configurações' }).click()
  await page.getByRole('link', { name: 'Etiquetas' }).click()
  await page.getByRole('main').getByRole('heading', { name: 'Etiquetas' }).waitFor()
})

test('the menu holds what a person may open and no more, and their name is changed in their own profile', async () => {
  const agent = await createAgent(server, admin.session.token, {
    name: 'Lia Prado',
  })
  const page = await openAs(browser, server.url, agent, '/filas')
  const menu = page.getByRole('navigation', { name: 'Menu principal' })
  await menu.getByRole('link', { name: 'Filas' }).and(page.locator('[aria-current=page]')).waitFor()
  expect(await menu.getByRole('link', { name: /Início|Relatórios|Usuários|Canais/ }).count()).toBe(0)

  // What stands in no open column appears under the mouse.
  await menu.getByRole('link', { name: 'Atendimento', exact: true }).hover()
  await page.getByRole('link', { name: 'Tarefas' }).click()
  await page.waitForURL('**/tarefas')

  await page.getByRole('button', { name: 'Perfil de Lia Prado' }).click()
  await page.getByRole('menuitem', { name: 'Meu perfil' }).click()
  await page.getByRole('textbox', { name: 'Nome' }).fill('Lia Prado Neves')
  await page.getByRole('button', { name: 'Salvar' }).click()
  await page.getByRole('button', { name: 'Perfil de Lia Prado Neves' }).waitFor()
  expect(await as(server, agent).get(`/users/${agent.userId}`)).toMatchObject({ name: 'Lia Prado Neves' })
})

test('what is typed before the command bar is loaded is not lost', async () => {
  const page = await openAs(browser, server.url, admin.session, '/contatos')
  const { promise: line, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/assets/command-bar*.js', (route) => line.then(() => route.continue()))
  await page.reload()
  await stands(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('etiqx')
  await page.keyboard.press('Backspace')
  release()
  await until('the letters are in it', async () => (await commandBar(page).inputValue()) === 'etiq')
  await page.keyboard.press('Escape')
  await commandBar(page).waitFor({ state: 'hidden' })
  await page.keyboard.press('Control+k')
  await until('it begins anew', async () => (await commandBar(page).inputValue()) === '')
})

test('the command bar acts on the open conversation and finds people and phones as people write them', async () => {
  const { number } = await openNumber(server, admin.api, { name: 'Zap da loja' })
  await admin.api.post('/tags', { name: 'Cliente fiel', color: '#0B7A75' })
  const { ticket } = await newTicket(server, admin.api, number, { name: 'Íris Conceição', acceptedBy: admin.session })
  const page = await openAs(browser, server.url, admin.session, `/atendimento/${ticket.id}`)
  await page.getByRole('region', { name: 'Conversa com Íris Conceição' }).waitFor()
  const bar = commandBar(page)
  const ask = async (words: string) => {
    await page.keyboard.press('Control+k')
    await bar.fill(words)
  }

  await ask('etiquetar fiel')
  await chosen(page).filter({ hasText: 'Etiquetar com Cliente fiel' }).waitFor()
  await page.keyboard.press('Enter')
  await until('it has the tag', async () => {
    const { tags } = await admin.api.get<Ticket>(`/tickets/${ticket.id}`)
    return tags.some(({ name }) => name === 'Cliente fiel')
  })

  await ask('passar colega')
  await chosen(page).filter({ hasText: 'Transferir' }).waitFor()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Transferir atendimento' })
  await until('the dialog has the keyboard', () => hasFocus(dialog.locator(':focus')))
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })

  await ask('iris')
  const contact = page.getByRole('group', { name: 'Contatos' }).getByRole('option', { name: /Íris Conceição/ })
  await contact.filter({ hasText: /\+55 \d\d \d{4,5}-\d{4}/ }).waitFor()
  // Enter before the answer to the new word has come: not to whoever the word before it found.
  const { id } = await admin.api.post<{ id: string }>('/contacts', { name: 'Wanda Brito', number: '5511977770002' })
  await bar.fill('wanda brito')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/contatos?registro=${id}`)
  await ask('prado')
  await page
    .getByRole('group', { name: 'Equipe' })
    .getByRole('option', { name: /Marina Prado/ })
    .click()
  await page.waitForURL('**/usuarios?registro=*')
})

test('when its code does not come, the page tries again by itself, and then says so instead of staying blank', async () => {
  const page = await openAs(browser, server.url, admin.session, '/contatos')
  await stands(page)
  await page.context().setExtraHTTPHeaders({ 'cache-control': 'no-cache' }) // what the browser keeps would come in any case
  const code = '**/assets/index-*.js'
  let refused = 0
  await page.route(code, (route) => (refused++ ? route.continue() : route.abort()))
  await page.reload()
  await stands(page)
  expect(refused).toBeGreaterThan(1)

  await page.unroute(code)
  await page.route(code, (route) => route.abort())
  await page.reload()
  await page.getByRole('alert').getByText('Não conseguimos abrir o Balcão.').waitFor()
  await page.unroute(code)
  await page.getByRole('button', { name: 'Tentar de novo' }).click()
  await stands(page)
})
