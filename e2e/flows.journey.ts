import type { Flow, FlowDraft } from '@balcao/contract/automation/flows/flows.ts'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import {
  type Company,
  closeWindows,
  createAgent,
  hasFocus,
  type Login,
  openAs,
  openCompany,
  type Server,
  toast,
  until,
} from './kit.ts'

let server: Server
let browser: Browser
let admin: Company['admin']
let sandra: Login

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  sandra = await createAgent(server, admin.session.token, { name: 'Sandra Reis', profile: 'super' })
})
closeWindows(
  () => browser,
  () => server,
  { staying: () => [admin.session, sandra] },
)

const canvasOf = (page: Page) => page.getByRole('region', { name: /^Quadro do fluxo/ })
const cards = (page: Page) => page.locator('.react-flow__node')
const lines = (page: Page) => page.locator('.react-flow__edge')
const palette = (page: Page) => page.getByRole('navigation', { name: 'Passos que podem ser adicionados' })
const saved = (page: Page) =>
  page
    .getByRole('status')
    .filter({ hasText: /^Salvo/ })
    .waitFor()
const draftOf = (id: string) => admin.api.get<FlowDraft>(`/chat-flow/${id}/draft`)
const openFlow = async (flow: Flow) => {
  const page = await openAs(browser, server.url, admin.session, `/chat-flow/builder/${flow.id}`)
  await canvasOf(page).waitFor()
  return page
}

test('a flow is made from blank by mouse and keyboard, stays over a reload, and is published', async () => {
  const page = await openAs(browser, server.url, admin.session, '/chat-flow')
  await page.getByRole('button', { name: 'Criar fluxo' }).first().click()
  const form = page.getByRole('dialog', { name: 'Criar fluxo' })
  await form.getByRole('radio', { name: /^Em branco/ }).waitFor()
  await form.getByLabel('Nome').fill('Recepção')
  await form.getByRole('button', { name: 'Criar', exact: true }).click()
  const canvas = canvasOf(page)
  await canvas.waitFor()
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''

  // By mouse: what comes after the start, at its port.
  await page.getByRole('button', { name: 'Adicionar um passo depois de “Depois” de Início' }).click()
  await page.getByRole('combobox', { name: 'Buscar passo' }).fill('menu')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Texto', exact: true }).fill('Olá! Como podemos ajudar?')
  await page.getByRole('textbox', { name: 'Opção 1', exact: true }).fill('Vendas')
  await page.getByRole('textbox', { name: 'Opção 2', exact: true }).fill('Suporte')
  await canvas.getByText('Vendas').waitFor()
  expect(await lines(page).count()).toBe(1)

  // By keyboard alone: Escape leads back to the canvas, plus adds behind the chosen step.
  await page.keyboard.press('Escape')
  await until('the canvas has the focus', () => hasFocus(canvas))
  await page.keyboard.press('+')
  await page.getByRole('combobox', { name: 'Buscar passo' }).fill('equipe')
  await page.keyboard.press('Enter')
  await until('a second line', async () => (await lines(page).count()) === 2)
  await until('the canvas has the focus again', () => hasFocus(canvas))
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('complementary', { name: 'Passo: Menu de opções' }).waitFor()
  await page.keyboard.press('Enter')
  await until('the form has the focus', () => hasFocus(page.getByRole('textbox', { name: 'Texto', exact: true })))
  await page.keyboard.press('Escape')
  await page.keyboard.press('+')
  await page.getByRole('combobox', { name: 'Buscar passo' }).fill('encerrar')
  await page.keyboard.press('Enter')
  await until('a third line', async () => (await lines(page).count()) === 3)

  // What is taken out comes back with its lines.
  await until('the canvas has the focus', () => hasFocus(canvas))
  await page.keyboard.press('Delete')
  await until('it is gone', async () => (await cards(page).count()) === 3)
  await page.keyboard.press('Control+z')
  await until('it is back', async () => (await cards(page).count()) === 4 && (await lines(page).count()) === 3)
  await page.keyboard.press('Control+y')
  await until('it is gone again', async () => (await cards(page).count()) === 3)
  await page.keyboard.press('Control+z')
  await until('it is back again', async () => (await cards(page).count()) === 4)

  await saved(page)
  await page.reload()
  await until('everything is there after a reload', async () => (await lines(page).count()) === 3)
  const { nodes } = await draftOf(id)
  expect(nodes.map(({ kind }) => kind).toSorted()).toEqual(['close', 'handOver', 'menu', 'start'])
  expect(nodes.find(({ kind }) => kind === 'menu')?.data).toMatchObject({
    body: 'Olá! Como podemos ajudar?',
    options: [{ title: 'Vendas' }, { title: 'Suporte' }],
  })

  await page.getByRole('button', { name: 'Publicar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Publicar fluxo' })
  await dialog.getByLabel('O que mudou').fill('Primeira versão')
  await dialog.getByRole('button', { name: 'Publicar' }).click()
  await toast(page, 'Publicado. Novas conversas já seguem esta versão.').waitFor()
  await page.getByText('versão 1 publicada').waitFor()
})

test('a step is put on a line by mouse and by keyboard, undone at once, and written in without a click', async () => {
  const flow = await admin.api.post<Flow>('/chat-flow', { name: 'No meio' })
  const { revision, nodes } = await draftOf(flow.id)
  const step = (id: string, kind: string, x: number, data: object, next = {}) => ({
    ...{ id, kind, name: '', x, y: 0, data, next },
  })
  await admin.api.post(`/chat-flow/${flow.id}/draft`, {
    base: revision,
    upserts: [
      ...nodes.map((node) => ({ ...node, next: { next: 'm' } })),
      step('m', 'menu', 640, { body: 'Oi', options: [{ id: 'a', title: 'Voltar ao começo' }] }, { a: 'j' }),
      step('j', 'jump', 1_240, { to: 'm' }),
    ],
  })
  const page = await openFlow(flow)
  const nexts = async () => Object.fromEntries((await draftOf(flow.id)).nodes.map((node) => [node.id, node]))
  await until('two lines, and one of the jump', async () => (await lines(page).count()) === 3)
  expect(
    await page
      .locator('.react-flow__edge[data-id="j:jump"] path')
      .evaluate((one) => getComputedStyle(one).strokeDasharray),
  ).toBe('5px, 5px')

  // By mouse: on the line from the start to the menu. The next letters are the message.
  await page.locator('.react-flow__edge[data-id="start:next"]').getByRole('button').click()
  const picker = page.getByRole('combobox', { name: 'Buscar passo' })
  await picker.fill('encerrar')
  await page.getByText('Nenhum passo com estas palavras.').waitFor()
  await picker.fill('mensagem')
  await page.keyboard.press('Enter')
  await until('a step between', async () => (await lines(page).count()) === 4)
  await until('the canvas has the focus', () => hasFocus(canvasOf(page)))
  await page.keyboard.type('Bom dia')
  await cards(page).getByText('Bom dia').waitFor()
  const between = await until('it is stored', async () => {
    const { start } = await nexts()
    const made = (await nexts())[start?.next.next ?? '']
    return made?.next.next === 'm' && JSON.stringify(made.data).includes('Bom dia') && made
  })

  // By keyboard: all ways of the chosen step lead somewhere, so plus puts the new one on its line.
  await page.keyboard.press('Escape')
  await until('the canvas has the focus', () => hasFocus(canvasOf(page)))
  await page.keyboard.press('+')
  await picker.fill('pausa')
  await page.keyboard.press('Enter')
  await until('one more between', async () => (await lines(page).count()) === 5)
  await until('the canvas has the focus', () => hasFocus(canvasOf(page)))
  await page.keyboard.press('Control+z')
  await until('as before, in one step', async () => (await lines(page).count()) === 4)
  await saved(page)
  expect((await nexts())[between.id]?.next).toEqual({ next: 'm' })
  // The same from the form of the step, at each of its ways.
  await cards(page).getByText('Bom dia').click()
  await page.getByRole('button', { name: 'Inserir passo depois de “Depois”' }).focus()
  await page.keyboard.press('Enter')
  await picker.fill('condição')
  await page.keyboard.press('Enter')
  await until('a condition between', async () => {
    const all = await nexts()
    return all[all[between.id]?.next.next ?? '']?.next.else === 'm'
  })
})

test('what cannot run is said before it is published, and leads to its step', async () => {
  const flow = await admin.api.post<Flow>('/chat-flow', { name: 'Com problema' })
  const page = await openFlow(flow)
  await palette(page).getByRole('button', { name: 'Pergunta' }).click()
  await page.getByRole('complementary', { name: 'Passo: Pergunta' }).waitFor()
  await page.getByRole('button', { name: 'Publicar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ainda não dá para publicar' })
  await dialog.getByRole('button', { name: /Pergunta.*Escreva a pergunta/ }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('textbox', { name: 'Pergunta', exact: true }).fill('Qual é o seu nome?')
  await page.getByRole('button', { name: /problema/ }).waitFor({ state: 'detached' })
})

test('a line is drawn by hand, a card is dragged, and a colleague sees both at once', async () => {
  const flow = await admin.api.post<Flow>('/chat-flow', { name: 'A quatro mãos' })
  const { revision, nodes } = await draftOf(flow.id)
  const message = (id: string, x: number, y: number, body: string) => ({
    ...{ id, kind: 'message', name: '', x, y, next: {} },
    data: { parts: [{ kind: 'text', body, mediaId: null, interactive: null }] },
  })
  await admin.api.post(`/chat-flow/${flow.id}/draft`, {
    base: revision,
    upserts: [...nodes, message('a', 400, -60, 'Primeira'), message('b', 400, 160, 'Segunda')],
  })
  const page = await openFlow(flow)
  const other = await openAs(browser, server.url, sandra, `/chat-flow/builder/${flow.id}`)
  await canvasOf(other).waitFor()
  await cards(other).getByText('Primeira').waitFor()
  await page.getByRole('img', { name: 'Também aqui: Sandra Reis' }).waitFor()

  await page
    .getByRole('button', { name: 'Adicionar um passo depois de “Depois” de Início' })
    .dragTo(page.locator('[data-id="a"] [data-handleid="in"]'))
  await until('the line is drawn', async () => (await lines(page).count()) === 1)
  await until('the colleague sees it', async () => (await lines(other).count()) === 1)

  const card = page.locator('.react-flow__node[data-id="b"]')
  const before = await card.boundingBox()
  if (!before) throw new Error('No card')
  await page.mouse.move(before.x + 60, before.y + 15)
  await page.mouse.down()
  await page.mouse.move(before.x + 90, before.y + 60, { steps: 4 })
  await page.mouse.move(before.x + 60, before.y + 115, { steps: 4 })
  await page.mouse.up()
  const moved = await until('it is saved where it was put', async () => {
    const now = (await draftOf(flow.id)).nodes.find(({ id }) => id === 'b')
    return now && now.y > 200 && now
  })
  await until('the colleague sees it there', () =>
    other
      .locator('.react-flow__node[data-id="b"]')
      .evaluate((one, y) => one.style.transform.includes(`${y}px`), moved.y),
  )

  // The same step at the same time: who was first keeps it, the other is told and may bring theirs back.
  await other.context().setOffline(true)
  await cards(other).getByText('Segunda').click()
  await other.getByRole('textbox', { name: 'Texto', exact: true }).fill('Da colega')
  await other.getByText('Sem conexão: nada se perde').waitFor()
  await cards(page).getByText('Segunda').click()
  await page.getByRole('textbox', { name: 'Texto', exact: true }).fill('Da primeira')
  await saved(page)
  await until('it is stored', async () => JSON.stringify(await draftOf(flow.id)).includes('Da primeira'))
  await other.context().setOffline(false)
  const told = other.getByRole('region', { name: 'Mudança de outra pessoa' })
  await told.getByText(/^Marina Prado salvou “Mensagem” enquanto você editava/).waitFor()
  await cards(other).getByText('Da primeira').waitFor()
  await told.getByRole('button', { name: 'Ver o que mudou' }).click()
  const shown = other.getByRole('textbox', { name: 'Texto', exact: true })
  await until('theirs is shown', async () => (await shown.inputValue()) === 'Da primeira')
  // What was typed is there after a reload too, until somebody decides.
  await other.reload()
  await told.getByRole('button', { name: 'Usar a minha' }).click()
  await told.waitFor({ state: 'detached' })
  await cards(page).getByText('Da colega').waitFor()
})

test('steps are copied from one flow into another', async () => {
  const [from, to] = await Promise.all([
    admin.api.post<Flow>('/chat-flow', { name: 'De cá', model: 'clinica' }),
    admin.api.post<Flow>('/chat-flow', { name: 'Para lá' }),
  ])
  const page = await openFlow(from)
  await cards(page).nth(3).waitFor()
  const count = (await draftOf(from.id)).nodes.length
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+c')
  await page.goto(`${server.url}/chat-flow/builder/${to.id}`)
  await cards(page).first().waitFor()
  await canvasOf(page).focus()
  await page.keyboard.press('Control+v')
  await until('they are there', async () => (await draftOf(to.id)).nodes.length === count)
  await page.keyboard.press('Control+f')
  await page.getByRole('textbox', { name: 'Buscar no fluxo' }).fill('convenio')
  await page.getByText(/^\S+ de \d+$/).waitFor()
})

test('a search brings what it finds near enough to read, and leaves it chosen', async () => {
  const flow = await admin.api.post<Flow>('/chat-flow', { name: 'De longe', model: 'clinica' })
  const page = await openFlow(flow)
  await cards(page).nth(3).waitFor()
  const words = cards(page).getByText('Qual é o convênio?')
  await until('it is too small to read', async () => {
    await page.getByRole('button', { name: 'Afastar' }).click()
    return !(await words.isVisible())
  })
  await canvasOf(page).focus()
  await page.keyboard.press('Control+f')
  const field = page.getByRole('textbox', { name: 'Buscar no fluxo' })
  await field.fill('qual e o convenio')
  await field.press('Enter')
  await words.waitFor()
  await field.press('Escape')
  await until('the canvas has the focus', () => hasFocus(canvasOf(page)))
  expect(await page.locator('.react-flow__node.selected').count()).toBe(1)
  await page.keyboard.press('Enter')
  const text = page.getByRole('complementary', { name: 'Passo: Pergunta' }).getByRole('textbox', { name: 'Pergunta' })
  await until('its form has the focus', () => hasFocus(text))
})

test('steps from the list lie beside each other, and Escape closes what is on top alone', async () => {
  const flow = await admin.api.post<Flow>('/chat-flow', { name: 'Lado a lado' })
  const page = await openFlow(flow)
  for (const kind of ['Encerrar', 'Comentário', 'Ações']) {
    await palette(page).getByRole('button', { name: kind, exact: true }).click()
    await page.getByRole('complementary', { name: `Passo: ${kind}` }).waitFor()
    if (kind === 'Ações') break
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
  }
  const places = await until('they are stored', async () => {
    const { nodes } = await draftOf(flow.id)
    return nodes.length === 4 && nodes.map(({ x, y }) => `${x} ${y}`)
  })
  expect(new Set(places).size).toBe(4)
  const panel = page.getByRole('complementary', { name: 'Passo: Ações' })
  await panel.getByRole('button', { name: 'Adicionar passo' }).click()
  await page.keyboard.type('sms')
  const item = page.getByRole('option', { name: 'Enviar SMS' })
  await item.waitFor()
  await page.keyboard.press('Escape')
  await item.waitFor({ state: 'hidden' })
  expect(await panel.isVisible()).toBe(true)
})
