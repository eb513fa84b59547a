import { readFile } from 'node:fs/promises'
import type { Browser, Locator } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type Company, closeWindows, goTo, openAs, openCompany, type Server, until } from './kit.ts'

let server: Server
let browser: Browser
let admin: Company['admin']

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  for (const name of ['Ana', 'Bia']) await admin.api.post('/contacts', { name })
})
closeWindows(
  () => browser,
  () => server,
  { staying: () => [admin.session] },
)

const paper = { width: 794, height: 1123 }

test('on paper a report stands alone, with an axis whose days do not run into each other', async () => {
  const page = await openAs(browser, server.url, admin.session, '/relatorios/lista-contatos')
  const chart = page.getByRole('figure', { name: /Lista de contatos/ })
  await chart.waitFor()
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize(paper)
  const days = chart.locator('[class*=xAxis-tick-labels] text')
  await until('the chart has the width of the paper', async () => {
    const box = await chart.boundingBox()
    return box !== null && box.width <= paper.width && (await days.count()) > 3
  })
  await until('no day stands on the next', async () => !overlap(await edgesOf(days)))
  expect(await page.getByRole('navigation').filter({ visible: true }).count()).toBe(0)
  await page.emulateMedia({ media: 'screen' })
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('a period that ends before it begins is refused in words, and the file of a report is what stands on the screen', async () => {
  const page = await openAs(
    browser,
    server.url,
    admin.session,
    '/relatorios/lista-contatos?de=2026-11-10&ate=2026-11-01',
  )
  await page.getByText('O fim do período vem antes do começo.').waitFor()
  await goTo(page, '/relatorios')
  await goTo(page, '/relatorios/lista-contatos')
  const table = page.getByRole('table', { name: 'Lista de contatos' })
  await table.getByRole('row', { name: /Total.*2/ }).waitFor()
  await page.getByRole('button', { name: 'Exportar' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV', exact: true }).click(),
  ])
  expect(await readFile(await file.path(), 'utf8')).toMatch(/Total[";]+2/)
})

test('a saved report takes over the filters of the moment, and says of which days contacts are', async () => {
  const page = await openAs(browser, server.url, admin.session, '/relatorios/contatos-por-etiquetas')
  await page.getByText('De qualquer data').waitFor()
  const dialog = (name: string) => page.getByRole('dialog', { name })
  await page.getByRole('button', { name: 'Salvos' }).click()
  await page.getByRole('menuitem', { name: 'Salvar e enviar por e-mail…' }).click()
  await dialog('Salvar relatório').getByLabel('Nome').fill('Meus contatos')
  await page.keyboard.press('Enter')
  await goTo(page, '/relatorios')
  await page.getByRole('link', { name: /Meus contatos/ }).click()
  await page.getByRole('button', { name: /^Estado/ }).click()
  await page
    .getByRole('checkbox', { name: 'Acre' })
    .or(page.getByRole('menuitemcheckbox', { name: 'Acre' }))
    .click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Meus contatos (alterado)' }).click()
  await page.getByRole('menuitem', { name: 'Editar “Meus contatos”' }).click()
  await dialog('Editar relatório salvo').getByRole('switch', { name: 'Trocar pelos filtros de agora' }).press('Space')
  await dialog('Editar relatório salvo').getByRole('button', { name: 'Salvar' }).click()
  await page.getByRole('button', { name: 'Meus contatos', exact: true }).waitFor()
  const { items } = await admin.api.get<{ items: { query: string }[] }>('/reportViews')
  expect(items.map(({ query }) => query)).toEqual(['estado=AC'])
})

const edgesOf = (texts: Locator) =>
  texts.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, right]))
const overlap = (edges: number[][]) => edges.some(([left = 0], at) => at > 0 && left < (edges[at - 1]?.[1] ?? 0))
