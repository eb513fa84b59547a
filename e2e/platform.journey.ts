import type { Tenant } from '@balcao/contract/platform/tenants.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Api,
  as,
  closeWindows,
  hasFocus,
  type Login,
  logIn,
  logInToPlatform,
  type OwnServer,
  openAs,
  openBrowser,
  openWindow,
  password,
  setUp,
  startServer,
  toast,
  until,
} from './kit.ts'

let server: OwnServer
let browser: Browser
let superadmin: Login
let platform: Api

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  await setUp(server)
  superadmin = await logInToPlatform(server)
  platform = as(server, superadmin)
})
afterAll(() => server?.stop())
closeWindows(
  () => browser,
  () => server,
  { staying: () => [superadmin] },
)

const companyNamed = async (name: string) => {
  const { items } = await platform.get<{ items: Tenant[] }>(`/tenants?searchParam=${encodeURIComponent(name)}`)
  const [company] = items
  if (!company) throw new Error(`No company ${name}`)
  return company
}
const logInBy = async (page: Page, email: string, plain: string) => {
  const enter = page.getByRole('button', { name: 'Entrar' })
  await enter.waitFor()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Senha', { exact: true }).fill(plain)
  await enter.click()
}
/** Opens a company's drawer by keyboard, as its row is reached. */
const openCompany = async (page: Page, name: string) => {
  const row = page.getByRole('button', { name, exact: true })
  await row.focus()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name })
  await drawer.getByRole('button', { name: 'Salvar' }).waitFor()
  return { row, drawer }
}

test('the platform creates a company, whose administrator comes in; suspended, she may only look until it is back', async () => {
  const page = await openAs(browser, server.url, superadmin, '/tenants')
  const create = page.getByRole('button', { name: 'Criar empresa' }).first()
  await create.focus()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Criar empresa' })
  const name = drawer.getByRole('textbox', { name: 'Empresa' })
  await until('the keyboard stands in the first field', () => hasFocus(name))
  await page.keyboard.type('Padaria Estrela')
  await drawer.getByRole('textbox', { name: 'Nome' }).fill('Otília Ramos')
  await drawer.getByRole('textbox', { name: 'E-mail' }).fill('otilia@')
  await drawer.getByRole('textbox', { name: 'Senha' }).fill('curta')
  await drawer.getByRole('button', { name: 'Criar' }).click()
  const summary = drawer.getByRole('alert').filter({ hasText: 'Confira antes de salvar' })
  await summary.getByText('E-mail do administrador: ').waitFor()
  await summary.getByText('Senha: Use uma senha com pelo menos 8 caracteres.').waitFor()
  expect(await name.inputValue()).toBe('Padaria Estrela')

  await drawer.getByRole('textbox', { name: 'E-mail' }).fill('otilia@estrela.local')
  await drawer.getByRole('textbox', { name: 'Senha' }).fill(password)
  await drawer.getByRole('button', { name: 'Criar' }).click()
  await toast(page, 'Padaria Estrela: empresa criada.').waitFor()
  await until('the keyboard is back', () => hasFocus(create))

  const office = await openWindow(browser, `${server.url}/login`)
  await logInBy(office, 'otilia@estrela.local', password)
  await office.waitForURL('**/home')

  await openCompany(page, 'Padaria Estrela')
  await page.getByRole('button', { name: 'Suspender' }).click()
  const question = page.getByRole('dialog', { name: 'Suspender Padaria Estrela?' })
  await question.getByLabel('Para confirmar, digite Padaria Estrela').fill('Padaria Estrela')
  await question.getByRole('button', { name: 'Suspender' }).click()
  await toast(page, 'Padaria Estrela está suspensa.').waitFor()
  await office.waitForURL('**/login')
  await logInBy(office, 'otilia@estrela.local', password)
  const notice = office.getByText('O acesso da sua empresa está suspenso: você pode consultar e exportar.')
  await notice.waitFor()

  await openCompany(page, 'Padaria Estrela')
  await page.getByRole('button', { name: 'Reativar' }).click()
  const again = page.getByRole('dialog', { name: 'Reativar Padaria Estrela?' })
  await again.getByLabel('Para confirmar, digite Padaria Estrela').fill('Padaria Estrela')
  await again.getByRole('button', { name: 'Reativar' }).click()
  await toast(page, 'Padaria Estrela voltou a ter acesso.').waitFor()
  await notice.waitFor({ state: 'hidden' })
  await office.getByRole('link', { name: 'Início' }).first().waitFor()
})

test('two who change a company at once: the second reads what changed, and decides; nothing typed is lost', async () => {
  const page = await openAs(browser, server.url, superadmin, '/tenants')
  const { row, drawer } = await openCompany(page, 'Loja Teste')
  await drawer.getByRole('textbox', { name: 'CNPJ ou CPF' }).fill('11222333000181')
  const company = await companyNamed('Loja Teste')
  await platform.put(`/tenants/${company.id}`, { maxUsers: 77, timezone: 'America/Manaus' })
  await drawer.getByRole('button', { name: 'Salvar' }).click()
  const notice = drawer.getByRole('alert').filter({ hasText: 'Outra pessoa mudou isto enquanto você editava' })
  await notice.getByText('Usuários: 50 → 77').waitFor()
  await notice.getByText('Fuso horário: “São Paulo” → “Manaus”').waitFor()
  expect(await drawer.getByRole('textbox', { name: 'CNPJ ou CPF' }).inputValue()).toBe('11222333000181')

  await notice.getByRole('button', { name: 'Recarregar' }).click()
  await notice.waitFor({ state: 'hidden' })
  expect(await drawer.getByRole('textbox', { name: 'CNPJ ou CPF' }).inputValue()).toBe('')
  expect(await drawer.getByRole('textbox', { name: 'Usuários' }).inputValue()).toBe('77')
  await drawer.getByRole('textbox', { name: 'CNPJ ou CPF' }).fill('52998224725')
  await drawer.getByRole('button', { name: 'Salvar' }).click()
  await drawer.waitFor({ state: 'hidden' })
  expect(await companyNamed('Loja Teste')).toMatchObject({ identity: '52998224725', maxUsers: 77 })
  await until('the keyboard is back', () => hasFocus(row))
})

test('the people of every company stand in one list: found, blocked and out; an address of nobody says so', async () => {
  const marina = await logIn(server.url, 'marina@teste.local')
  const office = await openAs(browser, server.url, marina, '/contatos')
  await office.getByRole('heading', { name: 'Contatos' }).waitFor()
  const page = await openAs(browser, server.url, superadmin, '/usuariotenants')
  await page.getByRole('searchbox', { name: 'Buscar pessoa, e-mail ou empresa' }).fill('ninguém assim')
  await page.getByText('Nada encontrado para “ninguém assim”').waitFor()
  await page.getByRole('button', { name: 'Limpar busca e filtros' }).click()
  await page.getByRole('button', { name: 'Marina Prado' }).click()
  const drawer = page.getByRole('dialog', { name: 'Editar usuário' })
  await drawer.getByRole('switch', { name: 'Bloqueado' }).check({ force: true })
  await drawer.getByRole('button', { name: 'Salvar' }).click()
  await drawer
    .getByRole('alert')
    .getByText('A empresa precisa de pelo menos um administrador ativo, que veja o menu Usuários.')
    .waitFor() // the company would be left to nobody
  await drawer.getByRole('switch', { name: 'Bloqueado' }).uncheck({ force: true })
  await drawer.getByRole('switch', { name: 'Suporte' }).check({ force: true })
  await drawer.getByRole('button', { name: 'Salvar' }).click()
  await drawer.waitFor({ state: 'hidden' })
  await page.getByRole('searchbox', { name: 'Buscar pessoa, e-mail ou empresa' }).fill('marina')
  await page.getByText('1 de 1', { exact: true }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Marina Prado' }).getByText('Suporte').waitFor()
  expect(await drawer.count()).toBe(0) // what was closed a moment ago does not come back with the search

  await page.goto(`${server.url}/usuariotenants?registro=0193a1c2-7b1e-7c44-9d2f-1f2e3d4c5b6a`)
  await page.getByRole('dialog', { name: 'Não encontramos este usuário' }).waitFor()
  await page.getByRole('button', { name: 'Voltar à lista' }).click()
  await page.getByRole('button', { name: 'Marina Prado' }).waitFor()
})

test('a long form on a phone scrolls between its title and its buttons, never away into blank ground', async () => {
  const marina = await logIn(server.url, 'marina@teste.local')
  const page = await openAs(browser, server.url, marina, '/usuarios?registro=novo', { width: 390, height: 844 })
  const drawer = page.getByRole('dialog', { name: 'Criar usuário' })
  await drawer.getByRole('switch', { name: 'Limitar os horários em que a pessoa entra' }).check({ force: true })
  await drawer.getByRole('group', { name: 'Domingo' }).waitFor()
  const beyond = await drawer.evaluate((section) => section.scrollHeight - section.clientHeight)
  expect(beyond).toBe(0)
})
