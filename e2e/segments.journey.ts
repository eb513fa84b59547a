import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { staffQueue } from './inbox.ts'
import {
  type Company,
  closeWindows,
  hasFocus,
  type Login,
  marked,
  openAs,
  openCompany,
  type Server,
  until,
} from './kit.ts'

let server: Server
let browser: Browser
let admin: Company['admin']
let ana: Login

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const { people } = await staffQueue(server, admin.session, ['Ana Souza'])
  ;[ana] = people as [Login]
  const tag = await admin.api.post<{ id: string }>('/tags', { name: 'VIP', color: '#1D4ED8' })
  await admin.api.post('/tags', { name: 'Feira', color: '#B45309' })
  await admin.api.post('/kanban', { name: 'Cliente', color: '#1D4ED8', position: 1 })
  const people_ = [
    { name: 'Rita da Loja', tagIds: [tag.id] },
    { name: 'Caio da Loja' },
    { name: 'Nina Prado', tagIds: [tag.id] },
    { name: 'Beto Nunes' },
  ]
  for (const person of people_) await admin.api.post('/contacts', person)
})
closeWindows(
  () => browser,
  () => server,
  { staying: () => [admin.session] },
)

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const filterBy = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Segmento', exact: true }).click()
  await page.getByRole('dialog', { name: 'Segmento' }).getByRole('checkbox', { name }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: `Segmento: ${name}` }).waitFor()
}

test('a segment is built by keyboard and mouse while it counts, kept for the company, and found in list, file and board', async () => {
  const page = await openAs(browser, server.url, admin.session, '/segmentos')
  await page.getByRole('button', { name: 'Criar segmento' }).first().press('Enter')
  const form = page.getByRole('dialog', { name: 'Criar segmento' })
  await until('the name has the keyboard', () => hasFocus(form.getByLabel('Nome')))
  await page.keyboard.type('Lojas VIP')
  await form.getByText('Complete as condições').waitFor()
  const tags = form.getByRole('combobox', { name: 'Condição 1: valor' })
  await tags.focus()
  await page.keyboard.type('vi')
  await page.getByRole('option', { name: 'VIP' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await form.getByText('2 contatos agora').waitFor()
  // The first Escape is for what is open above the form, the form itself asks before it lets go.
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'hidden' })
  expect(await form.isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  const leaving = page.getByRole('dialog', { name: 'Descartar' })
  await leaving.waitFor()
  await page.keyboard.press('Escape')
  await leaving.waitFor({ state: 'hidden' })

  await form.getByRole('button', { name: 'Condição', exact: true }).click()
  const subject = form.getByRole('combobox', { name: 'Condição 2: o que comparar' })
  await until('the keyboard goes along', () => hasFocus(subject))
  await subject.fill('Nome')
  await marked(page.locator('body'), 'Nome').waitFor()
  await page.keyboard.press('Enter')
  await form.getByRole('textbox', { name: 'Condição 2: valor' }).fill('loja')
  await form.getByText('1 contato agora').waitFor()
  await form.getByRole('combobox', { name: 'Regras: como se combinam' }).click()
  await page.getByRole('option', { name: 'Qualquer uma destas condições' }).click()
  await form.getByText('3 contatos agora').waitFor()
  await form.getByRole('switch', { name: 'Da empresa' }).and(page.locator(':checked')).waitFor()
  await form.getByRole('button', { name: 'Criar', exact: true }).click()
  await rowOf(page, 'Lojas VIP').getByText('Da empresa').waitFor()

  await page.getByRole('link', { name: 'Ver contatos de Lojas VIP' }).click()
  await rowOf(page, 'Caio da Loja').waitFor()
  const names = () => page.getByRole('row').allInnerTexts()
  const isNarrowed = async () => {
    const all = (await names()).join()
    return all.includes('Nina Prado') && all.includes('Rita da Loja') && !all.includes('Beto Nunes')
  }
  await until('the list is the segment', isNarrowed)
  await page.reload()
  await page.getByRole('button', { name: 'Segmento: Lojas VIP' }).waitFor()
  await until('a reload keeps it', isNarrowed)

  await page.getByRole('button', { name: 'Baixar CSV' }).click()
  const link = page.getByLabel('Ações em massa').getByRole('button', { name: 'Baixar arquivo' })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(lines).toHaveLength(4)
  expect(lines.join()).not.toContain('Beto Nunes')

  await page.goBack()
  await page.getByRole('link', { name: 'Ver Lojas VIP no quadro' }).click()
  await page.getByRole('article').filter({ hasText: 'Caio da Loja' }).waitFor()
  expect(await page.getByRole('article').count()).toBe(3)
  await page.reload()
  await page.getByRole('article').filter({ hasText: 'Nina Prado' }).waitFor()
  expect(await page.getByRole('article').filter({ hasText: 'Beto Nunes' }).count()).toBe(0)
  await page.goBack()
  await rowOf(page, 'Lojas VIP').waitFor()
})

test('a colleague finds the segment of the company in the filter, and may not change it', async () => {
  const page = await openAs(browser, server.url, ana, '/contatos')
  await rowOf(page, 'Beto Nunes').waitFor()
  await filterBy(page, 'Lojas VIP')
  await rowOf(page, 'Beto Nunes').waitFor({ state: 'hidden' })
  await rowOf(page, 'Nina Prado').waitFor()
  await page.getByRole('button', { name: 'Limpar filtro Segmento' }).click()
  await rowOf(page, 'Beto Nunes').waitFor()
  await page.getByRole('link', { name: 'Segmentos', exact: true }).click()
  await rowOf(page, 'Lojas VIP').getByText('Lojas VIP').click()
  const drawer = page.getByRole('dialog', { name: 'Segmento', exact: true })
  await drawer.getByRole('button', { name: 'Fechar' }).last().waitFor()
  expect(await drawer.getByRole('button', { name: 'Salvar' }).count()).toBe(0)
})

test('all of a segment are changed at once, seen in the list, and taken back', async () => {
  const page = await openAs(browser, server.url, admin.session, '/contatos')
  await filterBy(page, 'Lojas VIP')
  await rowOf(page, 'Beto Nunes').waitFor({ state: 'hidden' })
  await page.getByRole('checkbox', { name: 'Selecionar Caio da Loja' }).check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Mudar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mudar vários contatos' })
  await dialog.getByRole('button', { name: 'Mudar 1 contato' }).click()
  await dialog.getByText('Escolha', { exact: false }).first().waitFor()
  await dialog.getByRole('combobox', { name: 'Etiquetas' }).click()
  await page.getByRole('option', { name: 'Feira' }).click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('radio', { name: 'Todos desta lista (3)' }).check()
  await dialog.getByRole('button', { name: 'Mudar 3 contatos' }).click()
  const progress = page.getByLabel('Ações em massa')
  await progress.getByText('Pronto: 3 feitos').waitFor()
  await until('the list shows it', async () => (await page.getByRole('table').getByText('Feira').count()) === 3)
  await progress.getByRole('button', { name: 'Desfazer' }).click()
  await progress.filter({ hasText: 'Desfazer mudança de contatos' }).getByText('Pronto: 3 feitos').waitFor()
  await until('the list shows that, too', async () => (await page.getByRole('table').getByText('Feira').count()) === 0)
  expect(await progress.getByRole('button', { name: 'Desfazer' }).count()).toBe(0)
})
