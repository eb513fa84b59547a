import type { Browser } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inboxOf } from './inbox.ts'
import {
  closeWindows,
  goTo,
  type OwnServer,
  openBrowser,
  openWindow,
  password,
  startServer,
  toast,
  until,
} from './kit.ts'

let server: OwnServer
let browser: Browser

// As somebody starts it who has nothing yet, each time: an empty folder, and the database it brings itself.
beforeEach(async () => {
  ;[server, browser] = await Promise.all([startServer({ DATABASE_URL: '' }), openBrowser()])
})
afterEach(() => server?.stop())
closeWindows(
  () => browser,
  () => server,
)

test('the first hour: from the set-up link to the first answered customer, led by the checklist alone', async () => {
  const link = await until('the setup link', () => /http\S+\/masterkey\?tokenSetup=\S+/.exec(server.output())?.[0])
  const page = await openWindow(browser, `${server.url}/login`)
  await page.getByRole('heading', { name: 'Falta configurar o Balcão' }).waitFor()
  await page.getByLabel('Link de configuração').fill(link.replace(/.$/, ''))
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.getByText('Este link não vale mais').waitFor()
  await page.getByLabel('Link de configuração').fill(link)
  await page.getByRole('button', { name: 'Continuar' }).click()
  await page.getByLabel('Nome da empresa').fill('Loja Teste')
  await page.getByLabel('Seu nome').fill('Marina Prado')
  await page.getByLabel('Seu e-mail').fill('marina@teste.local')
  await page.getByLabel('Senha', { exact: true }).fill('curta')
  await page.getByRole('button', { name: 'Concluir instalação' }).click()
  await page.getByText('Use uma senha com pelo menos 8 caracteres.').waitFor()
  expect(await page.getByLabel('Nome da empresa').inputValue()).toBe('Loja Teste')
  await page.getByLabel('Senha', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Concluir instalação' }).click()
  await page.waitForURL('**/home')

  const steps = page.getByRole('region', { name: 'Primeiros passos' })
  const step = (name: string) => steps.getByRole('listitem').filter({ hasText: name })
  const done = (name: string) => step(name).getByLabel('Feito').waitFor()
  await steps.getByRole('link', { name: 'Adicionar canal' }).click()
  await page.getByRole('button', { name: 'Chat do site' }).click()
  const channel = page.getByRole('dialog', { name: 'Adicionar Chat do site' })
  await channel.getByLabel('Domínios autorizados').fill('loja.com.br')
  await channel.getByRole('button', { name: 'Adicionar' }).click()
  await page.getByRole('article', { name: 'Chat do site' }).getByRole('button', { name: 'Editar' }).click()
  const settings = page.getByRole('dialog', { name: 'Chat do site', exact: true })
  await settings.getByLabel('Domínios autorizados').fill('https://www.loja.com.br/contato')
  await settings.getByRole('button', { name: 'Salvar' }).click()
  await toast(page, 'Alterações salvas.').waitFor()
  await until('nothing is left to save', () => settings.getByRole('button', { name: 'Testar' }).isEnabled())
  expect(await settings.getByLabel('Domínios autorizados').inputValue()).toBe('www.loja.com.br')

  await goTo(page, '/home')
  await done('Ligue um canal')
  await done('Escolha a fila do canal') // the first queue takes what comes in
  await steps.getByRole('link', { name: 'Convidar pessoa' }).click()
  const form = page.getByRole('dialog', { name: 'Criar usuário' })
  await form.getByRole('textbox', { name: 'Nome', exact: true }).fill('Ana')
  await form.getByRole('textbox', { name: 'E-mail' }).fill('ana@teste.local')
  await form.getByRole('button', { name: 'Criar' }).click()
  const invitation = page.getByRole('dialog', { name: 'Convite de Ana' })
  const address = await invitation.getByRole('textbox', { name: 'Link do convite' }).inputValue()

  const guest = await openWindow(browser, address)
  await guest.getByRole('heading', { name: 'Boas-vindas ao Balcão' }).waitFor()
  await guest.getByLabel('Seu nome').fill('Ana Souza')
  await guest.getByLabel('Senha', { exact: true }).fill(password)
  await guest.getByLabel('Repita a senha').fill(password)
  await guest.getByRole('button', { name: 'Criar meu acesso' }).click()
  await guest.getByRole('button', { name: 'Entrar' }).waitFor()

  await invitation.getByRole('button', { name: 'Pronto' }).click()
  await goTo(page, '/home')
  await done('Chame a equipe')
  const [chat] = await Promise.all([
    page.context().waitForEvent('page'),
    steps.getByRole('link', { name: 'Abrir o chat' }).click(),
  ])
  await chat.getByRole('textbox', { name: 'Mensagem' }).fill('Vocês entregam hoje?')
  await chat.getByRole('button', { name: 'Enviar mensagem' }).click()

  await steps.getByRole('link', { name: 'Ver atendimentos' }).click()
  const inbox = inboxOf(page)
  await inbox.row('Vocês entregam hoje?').click()
  await inbox.accept()
  await inbox.answer('Entregamos até as 18h.')
  await chat.getByRole('log').getByText('Entregamos até as 18h.').waitFor()

  await goTo(page, '/home')
  await page.getByRole('region', { name: 'Mensagens por hora' }).waitFor()
  await until('the checklist is done', async () => (await steps.count()) === 0)

  await page.getByRole('button', { name: 'Perfil de Marina Prado' }).click()
  await page.getByRole('menuitem', { name: 'Mudar para a plataforma' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mudar para a plataforma' })
  await dialog.getByLabel('Sua senha').fill('outra-senha')
  await dialog.getByRole('button', { name: 'Mudar' }).click()
  await dialog.getByText('A senha atual não confere.').waitFor()
  await dialog.getByLabel('Sua senha').fill(password)
  await dialog.getByRole('button', { name: 'Mudar' }).click()
  await page.waitForURL('**/assinatura')
  await page.getByRole('button', { name: 'Perfil de Marina Prado' }).click()
  await page.getByRole('menuitem', { name: 'Voltar para Loja Teste' }).click()
  await page.waitForURL('**/home')

  const again = await openWindow(browser, link)
  await again.getByRole('heading', { name: 'Este link já foi usado' }).waitFor()
  await again.getByRole('link', { name: 'Ir para o login' }).click()
  await again.getByRole('button', { name: 'Entrar' }).waitFor()
})
