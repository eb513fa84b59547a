import type { WabaSimulator } from '@balcao/simulators/waba.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, openNumber } from './channels.ts'
import { newTicket, openTicket, phoneShows, staffQueue } from './inbox.ts'
import { type Company, closeWindows, goTo, type Login, openAs, openCompany, type Server, toast, until } from './kit.ts'

let server: Server
let browser: Browser
let waba: WabaSimulator
let admin: Company['admin']
let ana: Login

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const { queueId, people } = await staffQueue(server, admin.session, ['Ana Souza'])
  ;[ana] = people as [Login]
  const number = await openNumber(server, admin.api, { queueId })
  waba = number.number
  waba.addTemplate({
    name: 'novidades',
    language: 'pt_BR',
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'Chegaram as canecas novas!', example: {} }],
  })
  await admin.api.post('/templates/sync', { connectionId: number.connection.id })
})
afterAll(closeChannels)
closeWindows(
  () => browser,
  () => server,
)

test('SAIR is answered once, listed, holds campaigns back, and is given back with a proof', async () => {
  const { customer, ticket } = await newTicket(server, admin.api, waba, { name: 'Rita Alves', acceptedBy: ana })
  const list = await openAs(browser, server.url, admin.session, '/descadastrados')
  await list.getByText('Ninguém pediu para sair').waitFor()
  await customer.sendText('sair!')
  await phoneShows(customer, 'Você não vai mais receber nossas campanhas')
  const row = list.getByRole('row').filter({ hasText: 'Rita Alves' })
  await row.getByText('Escreveu “sair!”').last().waitFor() // while one looks on
  await goTo(list, `/contatos?registro=${ticket.contact.id}`)
  const card = list.getByRole('dialog', { name: 'Editar contato' })
  await card
    .getByRole('list', { name: 'O que vale agora' })
    .getByText('Não quer campanhas e promoções · WhatsApp Cloud API')
    .waitFor()
  await card.getByRole('list', { name: 'Registros' }).getByText('Escreveu “sair!”').waitFor()
  await card.getByRole('button', { name: 'Bloquear número' }).click()
  await list
    .getByRole('dialog', { name: /^Bloquear/ })
    .getByRole('button', { name: 'Bloquear' })
    .click()
  await card.getByText('Bloqueado: o que ele escreve').waitFor()
  await card.getByRole('button', { name: 'Desbloquear' }).click()
  await card.getByRole('button', { name: 'Bloquear número' }).waitFor()
  await card.getByRole('button', { name: 'Iniciar conversa' }).click()
  const open = list.getByRole('dialog', { name: 'Iniciar conversa com Rita Alves' }).getByLabel('Em andamento')
  await open.getByRole('button', { name: /Ana Souza/ }).waitFor()
  await list.keyboard.press('Escape')
  await goTo(list, '/descadastrados')
  await customer.sendText('Stop')
  const { page, inbox } = await openTicket(browser, server.url, ana, ticket, 'Stop')
  expect(customer.inbox.filter(({ text }) => text?.includes('não vai mais receber'))).toHaveLength(1)

  const promote = async () => {
    await inbox.chat.getByRole('button', { name: 'Anexar' }).click()
    await page.getByRole('menuitem', { name: 'Modelo aprovado' }).click()
    const dialog = page.getByRole('dialog', { name: 'Enviar modelo' })
    await dialog.getByRole('button', { name: 'novidades' }).click()
    await dialog.getByRole('button', { name: 'Enviar modelo' }).click()
    return dialog
  }
  await promote()
  await page.getByText('O contato pediu para não receber mensagens deste tipo').first().waitFor()
  await page.keyboard.press('Escape')

  await row.getByRole('button', { name: 'Voltar a enviar para Rita Alves' }).click()
  const dialog = list.getByRole('dialog', { name: 'Voltar a enviar?' })
  await dialog.getByRole('button', { name: 'Voltar a enviar' }).click()
  await dialog.getByText('Diga como o contato pediu.').waitFor()
  await dialog.getByLabel('Como o contato pediu').fill('Pediu no balcão')
  await dialog.getByRole('button', { name: 'Voltar a enviar' }).click()
  await toast(list, 'O contato voltou a receber.').waitFor()
  await list.getByText('Ninguém pediu para sair').waitFor()
  await promote()
  await phoneShows(customer, 'Chegaram as canecas novas!')
})

test('a list of phones is brought in with a report, holds for who is no contact yet, and is undone', async () => {
  const page = await openAs(browser, server.url, admin.session, '/descadastrados')
  await page.getByRole('button', { name: 'Importar lista' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Importar descadastros' })
  await drawer.getByRole('button', { name: 'Importar' }).click()
  await drawer.getByText('Cole os telefones e e-mails, um por linha.').waitFor()
  await drawer.getByLabel('Telefones e e-mails').fill('telefone\n11 97741-0317\nsem número\n11 97741-0318')
  await drawer.getByText('4 linhas').waitFor()
  await drawer.getByLabel('De onde veio a lista').fill('Lista do Procon')
  await drawer.getByRole('button', { name: 'Importar' }).click()
  await page
    .getByRole('row')
    .filter({ hasText: '+55 11 97741-0317' })
    .getByText('Ainda não é contato')
    .first()
    .waitFor()
  await page
    .getByRole('row')
    .filter({ hasText: '+55 11 97741-0318' })
    .getByText('Lista importada: Lista do Procon')
    .last()
    .waitFor()

  await page.getByRole('button', { name: 'Importar lista' }).first().click()
  await drawer.getByText('2 de 3').waitFor()
  await drawer.getByRole('button', { name: 'Desfazer a lista Lista do Procon' }).click()
  await page
    .getByRole('dialog', { name: 'Desfazer esta lista?' })
    .getByRole('button', { name: 'Desfazer lista' })
    .click()
  await drawer.getByText('desfeita').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Ninguém pediu para sair').waitFor()
})

test('two who look like one are kept apart, suggested again, made one, and made two', async () => {
  const add = (name: string) => admin.api.post<{ id: string }>('/contacts', { name, email: 'dora@exemplo.com' })
  await add('Dora Lima')
  await add('Dora da Loja')
  const page = await openAs(browser, server.url, admin.session, '/contatos/repetidos')
  const row = page.getByRole('row').filter({ hasText: 'Dora Lima' })
  await row.getByText('Mesmo e-mail').last().waitFor()
  await row.getByRole('button', { name: 'Manter separados: Dora Lima e Dora da Loja' }).click()
  await page.getByText('Nenhum contato repetido à vista').waitFor()
  await page.getByLabel('Avisos').getByRole('button', { name: 'Desfazer' }).click()
  await row.waitFor()
  await row.getByRole('button', { name: /^Manter separados/ }).click()
  await page.getByText('Mantidos separados', { exact: true }).first().click()
  await row.getByRole('button', { name: /^Voltar a sugerir/ }).click()
  await page.getByText('Nenhum par mantido separado').waitFor()
  await page.getByText('Sugestões', { exact: true }).click()

  await row.getByRole('button', { name: 'Unir Dora Lima e Dora da Loja' }).click()
  await page.getByRole('dialog', { name: 'Unir contatos' }).getByRole('button', { name: 'Unir contatos' }).click()
  await toast(page, 'Dora da Loja agora faz parte de Dora Lima.').waitFor()
  await page.getByText('Nenhum contato repetido à vista').waitFor()

  await goTo(page, '/contatos')
  await page.getByRole('row').filter({ hasText: 'Dora Lima' }).click()
  await page.getByRole('button', { name: 'Desfazer a união com Dora da Loja' }).click()
  await page
    .getByRole('dialog', { name: 'Desfazer esta união?' })
    .getByRole('button', { name: 'Desfazer união' })
    .click()
  await toast(page, 'Dora da Loja voltou a ser um contato.').waitFor()
  // Whoever makes two of them is not asked again.
  await goTo(page, '/contatos/repetidos?ver=separados')
  await row.waitFor()
})

test('many who look like one are made one by a rule', async () => {
  for (const name of ['Caio Reis', 'Caio R.', 'Beto Nunes', 'Beto N.'])
    await admin.api.post('/contacts', { name, email: `${name.slice(0, 4).trim().toLowerCase()}@exemplo.com` })
  const page = await openAs(browser, server.url, admin.session, '/contatos/repetidos')
  await page.getByRole('row').filter({ hasText: 'Caio Reis' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Beto Nunes' }).waitFor()
  await page.getByRole('button', { name: 'Unir todos' }).click()
  const dialog = page.getByRole('dialog', { name: 'Unir todos de uma vez' })
  await dialog.getByRole('radio', { name: 'O mais novo' }).check()
  await dialog.getByRole('button', { name: 'Unir todos' }).click()
  await page.getByText('Nenhum contato repetido à vista').waitFor()
  const names = async () =>
    (await admin.api.get<{ items: { name: string }[] }>('/contacts?searchParam=caio')).items.map(({ name }) => name)
  await until('the newer one stays', async () => (await names()).join() === 'Caio R.')

  const progress = page.getByRole('region', { name: 'Ações em massa' })
  await progress.getByRole('button', { name: 'Desfazer' }).click()
  await page.getByRole('row').filter({ hasText: 'Caio Reis' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Beto Nunes' }).waitFor()
  await progress.getByText('Desfazer união de contatos').waitFor()
})

test('a card goes over the board by finger on a phone, and back by its menu', async () => {
  for (const [position, name] of ['Novo', 'Cliente'].entries())
    await admin.api.post('/kanban', { name, color: '#1D4ED8', position })
  await admin.api.post('/contacts', { name: 'Nina Prado' })
  const page = await openAs(browser, server.url, ana, '/kanban/kanbans', { width: 390, height: 844 })
  const cardIn = (column: string) =>
    page.getByRole('region', { name: column }).getByRole('article').filter({ hasText: 'Nina Prado' })
  await cardIn('Sem etapa').waitFor()
  const finger = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
  const card = await cardIn('Sem etapa').boundingBox()
  const next = page.getByRole('region', { name: 'Novo' })
  if (!card) throw new Error('No card to drag')
  const from = { x: card.x + card.width / 2, y: card.y + 24 }
  await touch('touchStart', from)
  // Held until it is lifted, then over to the column that comes into sight at the edge.
  await page.locator('[data-dragged=true]').first().waitFor()
  const isOver = async () => (await next.and(page.locator('[data-over=true]')).count()) > 0
  await until('the next column takes it', async () => {
    for (const x of [300, 340, 376]) await touch('touchMove', { x, y: from.y + 30 })
    return isOver()
  })
  // Away from the edge, where the board would go on moving under the finger. On a slow machine it has moved past the column
  // by then: the finger brings it back over the other edge, as a hand does.
  await until('the finger rests on it', async () => {
    const box = await next.boundingBox()
    const middle = (box?.x ?? 0) + (box?.width ?? 0) / 2
    const isInSight = middle > 90 && middle < 300
    await touch('touchMove', { x: isInSight ? middle : middle < 195 ? 60 : 330, y: from.y + 30 })
    return isInSight && (await isOver())
  })
  await touch('touchEnd')
  await cardIn('Novo').waitFor()
  await cardIn('Novo').getByRole('button', { name: 'Ações de Nina Prado' }).click()
  await page.getByRole('menuitem', { name: 'Cliente' }).click()
  await cardIn('Cliente').waitFor()
})
