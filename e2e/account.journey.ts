import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import {
  addressOf,
  as,
  type Company,
  closeWindows,
  createAgent,
  goTo,
  logIn,
  openAs,
  openCompany,
  openWindow,
  password,
  type Server,
  toast,
  until,
} from './kit.ts'

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

const fillLogin = async (page: Page, email: string, plain: string) => {
  const enter = page.getByRole('button', { name: 'Entrar' })
  await enter.waitFor() // the page before may still be leaving, and has an e-mail field too
  const secret = page.getByLabel('Senha', { exact: true })
  await until('the last guess is wiped out', async () => (await secret.inputValue()) === '')
  await page.getByLabel('E-mail').fill(email)
  await secret.fill(plain)
  await enter.click()
}

test('a blocked person reads that they were blocked; the sixth guess has to wait', async () => {
  const [email, nobody] = [addressOf('beto'), addressOf('ninguem')]
  const blocked = await createAgent(server, admin.session.token, { name: 'Beto Lima', email })
  await admin.api.put(`/users/${blocked.userId}`, { isBlocked: true })
  const page = await openWindow(browser, `${server.url}/login`)

  await page.getByRole('button', { name: 'Entrar' }).click()
  await page.getByText('Informe seu e-mail.').waitFor()
  await fillLogin(page, email, password)
  await toast(page, 'Seu acesso foi bloqueado. Fale com o administrador.').waitFor()
  expect(await page.getByLabel('E-mail').inputValue()).toBe(email)

  for (let guess = 1; guess <= 6; guess += 1) {
    const answer = page.waitForResponse('**/api/auth/login/**')
    await fillLogin(page, nobody, `chute-${guess}-errado`)
    expect((await answer).status()).toBe(guess < 6 ? 401 : 429)
  }
  await toast(page, 'Muitas tentativas. Tente novamente em 1 minuto.').waitFor()
})

test('a forgotten password where no mail is sent: the screen says whom to ask, and the link of the log works once', async () => {
  const email = addressOf('caio')
  await createAgent(server, admin.session.token, { name: 'Caio Reis', email })
  const page = await openWindow(browser, `${server.url}/login`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('link', { name: 'Esqueci a senha' }).click()
  await page.getByRole('heading', { name: 'Esqueci a senha' }).waitFor()
  expect(await page.getByLabel('E-mail').inputValue()).toBe(email)
  const before = server.output().length
  await page.getByRole('button', { name: 'Pedir link' }).click()
  await page.getByRole('status').getByText('Fale com o administrador da sua empresa').waitFor()

  const link = await until(
    'the reset link',
    () => /http[^\s"]+\/reset\/[^\s"]+/.exec(server.output().slice(before))?.[0],
  )
  await page.goto(link)
  await page.getByLabel('Nova senha', { exact: true }).fill('outra-senha-2')
  await page.getByLabel('Repita a nova senha').fill('outra-senha-diferente')
  await page.getByRole('button', { name: 'Salvar nova senha' }).click()
  await page.getByText('As senhas não conferem.').waitFor()
  await page.getByLabel('Repita a nova senha').fill('outra-senha-2')
  await page.getByRole('button', { name: 'Salvar nova senha' }).click()
  await toast(page, 'Senha redefinida com sucesso!').waitFor()
  await fillLogin(page, email, 'outra-senha-2')
  await page.waitForURL((address) => !address.pathname.startsWith('/login'))

  const again = await openWindow(browser, link)
  await again.getByRole('heading', { name: 'Este link não vale mais' }).waitFor()
  await again.getByRole('link', { name: 'Pedir um novo link' }).click()
  await again.waitForURL('**/login?recuperar')
})

test('a visitor is sent to the login with a reason; a hidden menu is closed by address, menu and API', async () => {
  const visitor = await openWindow(browser, `${server.url}/contatos`)
  await toast(visitor, 'Necessário realizar login').waitFor()
  await visitor.goto(`${server.url}/signup`) // open to all: says who gives access
  await visitor.getByRole('heading', { name: 'Criar conta' }).waitFor()
  await visitor.getByRole('link', { name: 'Voltar para o login' }).click()
  await visitor.getByRole('heading', { name: 'Entrar' }).waitFor()
  await visitor.waitForURL('**/login')

  const agent = await createAgent(server, admin.session.token, {
    name: 'Davi Rocha',
    email: addressOf('davi'),
    menuPermissions: { etiquetas: false },
  })
  const page = await openAs(browser, server.url, agent, '/etiquetas')
  await toast(page, 'Acesso negado').waitFor()
  await page.waitForURL('**/contatos')
  await page.getByRole('link', { name: 'Configurações' }).click()
  await page.getByRole('link', { name: 'Filas' }).first().waitFor()
  expect(await page.getByRole('link', { name: 'Etiquetas' }).count()).toBe(0)
  await expect(as(server, agent).post('/tags', { name: 'Minha', color: '#0B7A75' })).rejects.toThrow(
    'ERR_NO_PERMISSION',
  )
  // Opened from a login of before: the window learns what changed meanwhile, and what changes while one looks on.
  const show = (protocolos: boolean) => admin.api.put(`/users/${agent.userId}`, { menuPermissions: { protocolos } })
  await show(false)
  const left = await openAs(browser, server.url, agent, '/protocolos')
  await toast(left, 'Seu acesso mudou. Você não tem mais: Protocolos.').waitFor()
  await left.waitForURL('**/contatos')
  await show(true)
  await toast(left, 'Seu acesso mudou. Agora você também tem: Protocolos.').waitFor()
  await goTo(left, '/protocolos')
  await left.getByLabel('Buscar protocolo ou contato').waitFor()
})

test('ctrl-click on the menu is left to the browser, which opens a tab, and leaves the page where it is', async () => {
  const page = await openAs(browser, server.url, admin.session, '/etiquetas')
  await page.getByText('Ainda não há etiquetas').waitFor() // nothing moves under the pointer any more
  const link = page.getByRole('link', { name: 'Filas' }).first()
  // The tab itself stays out of it: one that opens fast is sometimes never told of to who drives the browser.
  await page.evaluate(() =>
    window.addEventListener('click', (event) => {
      document.body.dataset.taken = String(event.defaultPrevented)
      event.preventDefault()
    }),
  )
  await link.click({ modifiers: ['Control'] })
  expect(await page.evaluate(() => document.body.dataset.taken)).toBe('false')
  expect(await link.getAttribute('href')).toBe('/filas')
  expect(page.url()).toContain('/etiquetas')
})

test('two windows that slept past the end of their token renew it once between them, and nothing is refused', async () => {
  const login = await createAgent(server, admin.session.token, { name: 'Olga Prado' })
  const page = await openAs(browser, server.url, login, '/atendimento')
  const other = await page.context().newPage()
  await other.goto(`${server.url}/atendimento`)
  const asked: string[] = []
  const refused: string[] = []
  for (const window of [page, other]) {
    await window.getByRole('region', { name: 'Atendimentos', exact: true }).waitFor()
    window.on('response', (reply) => {
      if (reply.url().includes('refresh_token')) asked.push(reply.url())
      if (reply.status() === 401) refused.push(reply.url())
    })
  }
  const ended = await page.evaluate(() => {
    const [head, claims = '', sign] = JSON.parse(localStorage.getItem('token') ?? '""').split('.')
    const text = atob(claims.replaceAll('-', '+').replaceAll('_', '/'))
    const past = btoa(JSON.stringify({ ...JSON.parse(text), exp: Math.floor(Date.now() / 1_000) - 60 }))
    const token = JSON.stringify(
      `${head}.${past.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}.${sign}`,
    )
    localStorage.setItem('token', token)
    dispatchEvent(new StorageEvent('storage', { key: 'token', newValue: token }))
    return token
  })
  await until(
    'another token is at hand',
    async () => (await other.evaluate(() => localStorage.getItem('token'))) !== ended,
  )
  await Promise.all([goTo(page, '/contatos'), goTo(other, '/contatos')])
  for (const window of [page, other]) await window.getByRole('heading', { name: 'Contatos' }).first().waitFor()
  expect(asked).toHaveLength(1)
  expect(refused).toEqual([])
  await other.close()
})

test('when the password changes, every device is sent to the login', async () => {
  const email = addressOf('eva')
  const agent = await createAgent(server, admin.session.token, { name: 'Eva Nunes', email })
  const elsewhere = await openAs(browser, server.url, await logIn(server.url, email), '/contatos')
  await elsewhere.getByRole('heading', { name: 'Contatos' }).waitFor()
  const page = await openAs(browser, server.url, agent, '/contatos')

  await page.getByRole('button', { name: 'Perfil de Eva Nunes' }).first().click()
  await page.getByRole('menuitem', { name: 'Meu perfil' }).click()
  await page.getByRole('button', { name: 'Alterar senha' }).click()
  await page.getByLabel('Senha atual').fill('não é esta')
  await page.getByLabel('Nova senha', { exact: true }).fill('nova-senha-da-eva')
  await page.getByLabel('Repita a nova senha').fill('nova-senha-da-eva')
  const dialog = page.getByRole('dialog', { name: 'Alterar senha' })
  await dialog.getByRole('button', { name: 'Alterar senha' }).click()
  await page.getByText('A senha atual não confere.').waitFor()
  await page.getByLabel('Senha atual').fill(password)
  await dialog.getByRole('button', { name: 'Alterar senha' }).click()
  await toast(page, 'Senha alterada. Entre de novo com ela, aqui e nos outros aparelhos.').waitFor()

  await elsewhere.waitForURL('**/login')
  await page.waitForURL('**/login')
  await fillLogin(page, email, 'nova-senha-da-eva')
  await page.waitForURL((address) => !address.pathname.startsWith('/login'))
})

test('an error of the server is told in a toast, and the screen offers to try again', async () => {
  const page = await openAs(browser, server.url, admin.session, '/usuarios')
  await page.route('**/api/queue?**', (route) =>
    route.fulfill({
      status: 500,
      json: { error: 'ERR_INTERNAL', message: 'Ocorreu um erro não identificado.', requestId: 'r' },
    }),
  )
  await page.getByRole('link', { name: 'Filas' }).first().click()
  await toast(page, 'Ocorreu um erro não identificado.').waitFor()
  await page.unroute('**/api/queue?**')
  await page.getByRole('button', { name: 'Tentar de novo' }).click()
  await page.getByRole('cell', { name: 'Atendimento', exact: true }).waitFor()
})
