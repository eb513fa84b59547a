import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Company, closeWindows, openAs, openCompany } from './kit.ts'

let company: Company
beforeAll(async () => {
  company = await openCompany()
})
closeWindows(
  () => company?.browser,
  () => company?.server,
)

const sheet = `Nome;Celular;E-mail\nMaria da Planilha;(11) 98765-4321;maria@exemplo.com.br\nJosé da Planilha;11 8765-4322;errado\nNinguém;;\n`

test('a spreadsheet is dropped, looked at, imported and taken back; what is listed leaves as a workbook', async () => {
  const { server, browser, admin } = company
  const file = join(mkdtempSync(join(tmpdir(), 'balcao-journey-')), 'clientes.csv')
  writeFileSync(file, sheet)
  const page = await openAs(browser, server.url, admin.session, '/contatos')
  await page.getByRole('link', { name: 'Importar', exact: true }).click()
  const wide = Array.from({ length: 500 }, (_, at) => `c${at}`).join(';')
  const choose = page.getByLabel('Escolher arquivo de contatos')
  await choose.setInputFiles({ name: 'larga.csv', mimeType: 'text/csv', buffer: Buffer.from(`${wide}\n${wide}`) })
  await page.getByRole('alert').getByText('O arquivo tem 500 colunas. Deixe no máximo 200 e envie de novo.').waitFor()
  await choose.setInputFiles(file)
  expect(await page.getByLabel('O que é Celular').inputValue()).toBe('phone')
  await page.getByRole('button', { name: 'Conferir', exact: true }).click()
  await page.getByText('Nada foi gravado ainda').waitFor()
  await page.getByRole('button', { name: '1 Com problema', exact: true }).click()
  await page.getByText('Sem telefone, e-mail ou CPF.').waitFor()
  await page.getByRole('button', { name: 'Importar 2 contatos' }).click()
  await page.getByRole('link', { name: 'Ver contatos' }).click()
  await page.getByText('Maria da Planilha').waitFor()
  await page.getByText('2 de 2', { exact: true }).waitFor() // and nobody else
  await page.getByRole('button', { name: 'Baixar Excel (XLSX)' }).click()
  const link = page.getByLabel('Ações em massa').getByRole('button', { name: /Baixar/ })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toBe('contatos.xlsx')
  await page.goBack()
  await page.getByRole('button', { name: 'Desfazer', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Desfazer' }).click()
  await page.getByText('Desfeita: 2 contatos apagados', { exact: true }).waitFor()
})
