import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type Company, closeWindows, goTo, hasFocus, marked, openAs, openCompany, type Server, until } from './kit.ts'

let server: Server
let browser: Browser
let admin: Company['admin']

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
})
closeWindows(
  () => browser,
  () => server,
  { staying: () => [admin.session] },
)

/** Lets nothing of this address through until it is released, and counts what has come. */
const hold = async (page: Page, address: string, method: string) => {
  const { promise: line, resolve: release } = Promise.withResolvers<void>()
  let asked = 0
  await page.route(address, (route) => {
    if (route.request().method() !== method) return route.fallback()
    asked += 1
    return line.then(() => route.continue())
  })
  return { release, asked: () => asked }
}

test('what is pressed keeps the keyboard while it is busy, does it once, and the row that goes hands it on', async () => {
  for (const name of ['Ligar para Ana', 'Medir a sala', 'Pedir o tecido']) await admin.api.post('/todoLists', { name })
  const page = await openAs(browser, server.url, admin.session, '/tarefas?ordem=name')
  const finish = (name: string) => page.getByRole('button', { name: `Finalizar ${name}` })
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  const saving = await hold(page, '**/api/todoLists/*', 'PUT')

  await finish('Medir a sala').press('Enter')
  await until('it is busy', () => finish('Medir a sala').isDisabled())
  await page.keyboard.press('Enter')
  await page.keyboard.press('Space')
  await finish('Medir a sala').dblclick({ force: true })
  expect(await hasFocus(finish('Medir a sala'))).toBe(true)
  saving.release()
  await until('the next row has it', () => hasFocus(row('Pedir o tecido')))
  expect(saving.asked()).toBe(1)

  // What was pressed twice in haste is done to one alone.
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  expect(await hasFocus(finish('Pedir o tecido'))).toBe(true)
  await page.keyboard.press('Enter')
  await until('of the last row the one before', () => hasFocus(row('Ligar para Ana')))
  const { items } = await admin.api.get<{ items: { name: string; status: string }[] }>('/todoLists')
  expect(items.filter(({ status }) => status !== 'done').map(({ name }) => name)).toEqual(['Ligar para Ana'])
})

test('a row deleted beside its list leaves the keyboard with its neighbour, and what is saved with what opened it', async () => {
  for (const name of ['Atacado', 'Urgente', 'Varejo']) await admin.api.post('/tags', { name, color: '#15803D' })
  const page = await openAs(browser, server.url, admin.session, '/etiquetas')
  const form = page.getByRole('dialog')
  const tag = (name: string) => page.getByRole('table').getByRole('button', { name, exact: true })

  await tag('Atacado').press('Enter')
  await form.getByLabel('Nome').press('End')
  await page.keyboard.type(' grande')
  await page.keyboard.press('Enter')
  await form.waitFor({ state: 'detached' })
  await until('what opened it has it', () => hasFocus(tag('Atacado grande')))

  await tag('Urgente').press('Enter')
  await form.and(page.locator(':focus-within')).waitFor() // a dialog that comes takes the focus, once
  await form.getByRole('button', { name: 'Excluir' }).press('Enter')
  const question = page.getByRole('dialog', { name: /^Excluir/ })
  await question.and(page.locator(':focus-within')).waitFor()
  await question.getByRole('button', { name: /xcluir$/ }).press('Enter')
  await form.first().waitFor({ state: 'detached' })
  await until('the next row has it', () => hasFocus(page.getByRole('row').filter({ hasText: 'Varejo' })))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  expect(await hasFocus(tag('Varejo'))).toBe(true)
})

test('a switch that saves at once is turned back by the same key', async () => {
  const page = await openAs(browser, server.url, admin.session, '/configuracoes/motivos')
  const force = page.getByRole('switch', { name: 'Exigir motivo ao encerrar' })
  const isForced = async () => (await admin.api.get<{ forceReason: boolean }>('/settings')).forceReason
  const was = await isForced()
  await until('it is known how it stands', () => force.isEnabled())
  await force.focus()
  for (const wanted of [!was, was]) {
    await page.keyboard.press('Space')
    await until('it is saved', async () => (await isForced()) === wanted)
    await until('the keyboard is back', async () => (await force.isEnabled()) && (await hasFocus(force)))
  }
})

test('a number is erased to type another one; emptied, it shows again what counts, and a comma loses nothing', async () => {
  const page = await openAs(browser, server.url, admin.session, '/avaliacoes/configurar')
  const attempts = page.getByLabel('Tentativas')
  const kept = await attempts.inputValue()
  await attempts.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  expect(await attempts.inputValue()).toBe('')
  await page.keyboard.press('Tab')
  expect(await attempts.inputValue()).toBe(kept)

  // The marked choice is taken also where the list opens slowly.
  await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: 12 })
  await goTo(page, '/segmentos')
  await page.getByRole('button', { name: 'Criar segmento' }).first().press('Enter')
  const form = page.getByRole('dialog', { name: 'Criar segmento' })
  await page.keyboard.type('Quem gosta')
  await until('it is written', async () => (await form.getByLabel('Nome').inputValue()) === 'Quem gosta')
  await form.getByRole('combobox', { name: 'Condição 1: o que comparar' }).fill('Média das notas')
  await marked(page.locator('body'), 'Média das notas').waitFor()
  await page.keyboard.press('Enter')
  await form.getByRole('textbox', { name: 'Condição 1: valor' }).focus()
  await page.keyboard.type('4,5')
  expect(await form.getByRole('textbox', { name: 'Condição 1: valor' }).inputValue()).toBe('4,5')
  await form.getByRole('button', { name: 'Criar', exact: true }).press('Enter')
  await form.waitFor({ state: 'detached' })
  const { items } = await admin.api.get<{ items: { name: string; rules: unknown }[] }>('/segments')
  expect(items).toMatchObject([{ name: 'Quem gosta', rules: { rules: [{ value: 4.5 }] } }])
})
