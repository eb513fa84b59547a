import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { drag } from './drag.ts'
import { arrowTo, type Company, closeWindows, openAs, openCompany, toast, until } from './kit.ts'

let company: Company
beforeAll(async () => {
  company = await openCompany()
})
closeWindows(
  () => company?.browser,
  () => company?.server,
  { staying: () => [company.admin.session] },
)

const folder = mkdtempSync(join(tmpdir(), 'balcao-journey-'))
const csv = (name: string, text: string) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const chooseFile = async (page: Page, path: string) => {
  await page.getByRole('button', { name: 'Importar CSV' }).click()
  const dialog = page.getByRole('dialog', { name: /^Importar / })
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    dialog.getByRole('button', { name: 'Escolher arquivo' }).click(),
  ])
  await chooser.setFiles(path)
  return dialog
}
const saved = async (page: Page) => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Baixar CSV' }).click(),
  ])
  return readFileSync(await download.path(), 'utf8')
}
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('tags come from a file with their groups, leave as one, and two alike become one everywhere', async () => {
  const { server, browser, admin } = company
  const page = await openAs(browser, server.url, admin.session, '/etiquetas')
  const file = csv('etiquetas.csv', 'Nome;Cor;Grupo\nCliente VIP;#1D4ED8;Perfil\nCliente Vip.;#B45309;\nFeira;azul;\n')
  const dialog = await chooseFile(page, file)
  await dialog.getByText('Linha 4').waitFor()
  await dialog.getByText('Grupos novos: Perfil.').waitFor()
  await dialog.getByRole('button', { name: 'Importar', exact: true }).click()
  await toast(page, 'Importação concluída: 2 novas, 0 alteradas.').waitFor()
  await row(page, 'Cliente VIP').getByText('Perfil').waitFor()
  const text = await saved(page)
  expect(text).toContain('Cliente VIP;#1D4ED8;Perfil')
  // Read back, nothing is new.
  const again = await chooseFile(page, csv('de-novo.csv', text))
  await again.getByText('Já iguais').waitFor()
  expect(await again.getByRole('button', { name: 'Importar', exact: true }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await again.waitFor({ state: 'hidden' })

  const { items } = await admin.api.get<{ items: { id: string; name: string }[] }>('/tags')
  const idOf = (name: string) => items.find((one) => one.name === name)?.id ?? ''
  const contact = await admin.api.post<{ id: string }>('/contacts', {
    name: 'Rita Alves',
    tagIds: [idOf('Cliente Vip.')],
  })
  await page.getByRole('button', { name: 'Repetidas' }).click()
  const pairs = page.getByRole('dialog', { name: 'Etiquetas repetidas' })
  await pairs.getByRole('button', { name: 'Unir, ficando Cliente VIP', exact: true }).click()
  await pairs.getByText('Nada repetido à vista.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('Ações em massa').getByText('Pronto').waitFor()
  await row(page, 'Cliente Vip.').waitFor({ state: 'hidden' })
  await until('the contact has the other', async () => {
    const { tags } = await admin.api.get<{ tags: { name: string }[] }>(`/contacts/${contact.id}`)
    return tags.map(({ name }) => name).join() === 'Cliente VIP'
  })
})

test('quick messages come from a file with folders, leave as one, and go into a folder by mouse and by menu', async () => {
  const { server, browser, admin } = company
  const page = await openAs(browser, server.url, admin.session, '/mensagens-rapidas')
  const text = 'Atalho;Mensagem;Pasta\npix;Nossa chave: 11 99999-0000;Pagamento\nhorario;Das 9 às 18 h;\nsem;;\n'
  const dialog = await chooseFile(page, csv('rapidas.csv', text))
  await dialog.getByText('Linha 4').waitFor()
  await dialog.getByText('Pastas novas: Pagamento.').waitFor()
  await dialog.getByRole('button', { name: 'Importar', exact: true }).click()
  await toast(page, 'Importação concluída: 2 novas, 0 alteradas.').waitFor()
  await row(page, '/pix').getByText('Pagamento').waitFor()
  expect(await saved(page)).toContain('horario;Das 9 às 18 h')
  const folders = page.getByRole('navigation', { name: 'Pastas' })
  await folders.getByRole('button', { name: 'Sem pasta' }).click()
  await row(page, '/pix').waitFor({ state: 'hidden' })
  await drag(row(page, '/horario').getByText('/horario'), folders.getByRole('button', { name: 'Pagamento' }))
  await row(page, '/horario').waitFor({ state: 'hidden' })
  await folders.getByRole('button', { name: 'Pagamento' }).click()
  await row(page, '/horario').waitFor()
  await page.reload()
  await row(page, '/horario').waitFor()
  await page.getByRole('button', { name: 'Mover /pix para uma pasta' }).focus()
  await page.keyboard.press('Enter')
  await arrowTo(page, page.getByRole('menuitem', { name: 'Sem pasta' }))
  await page.keyboard.press('Enter')
  await row(page, '/pix').waitFor({ state: 'hidden' })
  await page.getByLabel('Avisos').getByRole('button', { name: 'Desfazer' }).click()
  await row(page, '/pix').waitFor()
})
