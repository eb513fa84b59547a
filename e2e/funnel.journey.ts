import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { drag } from './drag.ts'
import {
  type Company,
  closeWindows,
  createAgent,
  goTo,
  hasFocus,
  openAs,
  openCompany,
  openWindow,
  type Server,
  until,
} from './kit.ts'

let server: Server
let browser: Browser
let admin: Company['admin']
let opportunity: { id: string }

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  await admin.api.post('/pipelines', { name: 'Vendas' })
  const { items: stages } = await admin.api.get<{ items: { id: string }[] }>('/stages')
  const contact = await admin.api.post<{ id: string }>('/contacts', { name: 'Padaria Sol' })
  opportunity = await admin.api.post<{ id: string }>('/opportunities', {
    ...{ name: 'Reforma da cozinha', stageId: stages[0]?.id, contactId: contact.id },
    items: [
      { name: 'Forno', quantity: 2, price: 100_050, discountPercent: 10 },
      { name: 'Frete', quantity: 1, price: 5_000, discountPercent: 0 },
    ],
  })
  await admin.api.post('/tags', { name: 'Em negociação', color: '#1D4ED8' })
})
closeWindows(
  () => browser,
  () => server,
  { staying: () => [admin.session] },
)

const phoneScreen = { width: 390, height: 844 }

/** All of what a field holds is selected. */
const untilChosen = (field: Locator) =>
  until('what is there is chosen', () =>
    field.evaluate(
      (one) => one instanceof HTMLInputElement && one.selectionStart === 0 && one.selectionEnd === one.value.length,
    ),
  )

test('a proposal is made of the products, read and accepted by the customer, and the seller sees who accepted', async () => {
  const page = await openAs(browser, server.url, admin.session, `/funil/kanban?registro=${opportunity.id}`)
  const proposals = page.getByRole('region', { name: 'Propostas' })
  await proposals.getByRole('button', { name: 'Fazer proposta' }).click()
  await proposals.getByLabel('Condições').fill('Em duas vezes, com entrega em dez dias.')
  await proposals.getByRole('button', { name: 'Fazer proposta' }).click()
  const link = await proposals.getByRole('textbox', { name: 'Link da proposta nº 1' }).inputValue()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    proposals.getByRole('button', { name: 'Baixar a proposta 1 em PDF' }).click(),
  ])
  expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-')

  const theirs = await openWindow(browser, `${server.url}${new URL(link).pathname}`, phoneScreen)
  const offer = theirs.getByRole('region', { name: 'Proposta', exact: true })
  await offer.getByText('Em duas vezes, com entrega em dez dias.').waitFor()
  await offer.getByRole('row', { name: /Total.*1\.850,90/ }).waitFor()
  await theirs.getByLabel('Seu nome completo').fill('Rita Sol')
  await theirs.getByRole('button', { name: /^Aceitar por/ }).click()
  await theirs.getByRole('region', { name: 'Aceite' }).getByText('Por Rita Sol').waitFor()

  await proposals.getByText(/por Rita Sol, em .*IP/).waitFor()
  await page.getByText(/Proposta nº 1 aceita por Rita Sol/).waitFor()
})

test('a number is erased to type another one, and nothing is what an emptied amount stands for', async () => {
  const page = await openAs(browser, server.url, admin.session, `/funil/kanban?registro=${opportunity.id}`)
  const field = (name: string) => page.getByRole('textbox', { name })
  const erase = async (name: string) => {
    await field(name).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Backspace')
    expect(await field(name).inputValue()).toBe('')
  }
  await erase('Quantidade do produto 1')
  await page.keyboard.type('3')
  await erase('Preço do produto 1')
  await page.keyboard.type('2500,5')
  await erase('Desconto do produto 1')
  await erase('Quantidade do produto 2')
  await page.keyboard.press('Tab')
  const shown = (names: string[]) => Promise.all(names.map((name) => field(name).inputValue()))
  expect(
    await shown(['Quantidade do produto 1', 'Preço do produto 1', 'Desconto do produto 1', 'Quantidade do produto 2']),
  ).toEqual(['3', 'R$ 2.500,50', '0%', '1'])
})

test('what is typed while a form’s code is on a slow line is in its first field, and opens it once', async () => {
  const page = await openAs(browser, server.url, admin.session, '/funil/kanban')
  const { promise: line, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/assets/opportunity-drawer*.js', (route) => line.then(() => route.continue()))
  await page.reload()
  await page.getByRole('button', { name: 'Criar oportunidade' }).first().press('Enter')
  await page.keyboard.type('Loja nobvo')
  for (let letters = 0; letters < 3; letters++) await page.keyboard.press('Backspace')
  await page.keyboard.type('va ')
  await page.keyboard.press('Enter') // too early to send it
  release()
  const name = page.getByRole('dialog').getByRole('textbox', { name: 'Nome' })
  await until('it is written', async () => (await name.inputValue()) === 'Loja nova ')
  await page.keyboard.type('da Rita')
  expect(await name.inputValue()).toBe('Loja nova da Rita')
  expect(await page.getByRole('dialog').count()).toBe(1)
  await page.unrouteAll({ behavior: 'wait' })
  // An opener by mouse, a field chosen by mouse: nothing typed in between goes there.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Descartar' }).click()
})

test('an action shows whom it would reach before it is turned on, and then what it did', async () => {
  const page = await openAs(browser, server.url, admin.session, '/funil/acao')
  await page.getByRole('button', { name: 'Criar ação do funil' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Nome').fill('Marca quem negocia')
  await form.getByRole('combobox', { name: 'O que faz' }).click()
  await page.getByRole('option', { name: 'Etiquetar' }).click()
  await form.getByRole('combobox', { name: 'Etiqueta do contato' }).click()
  await page.getByRole('option', { name: 'Em negociação' }).click()
  await form.getByLabel('Dias na etapa').fill('0')
  await form.getByRole('button', { name: /^(Criar|Salvar)/ }).click()

  await page.getByRole('button', { name: 'O que Marca quem negocia faria agora' }).click()
  const rehearsal = page.getByRole('dialog', { name: 'O que “Marca quem negocia” faria agora' })
  await rehearsal.getByText('Ligada, alcançaria 1 oportunidade. Nada sai enquanto está desligada.').waitFor()
  await rehearsal.getByRole('list', { name: 'Quem alcança' }).getByText('Reforma da cozinha').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('switch', { name: 'Marca quem negocia: ligada' }).press('Space')

  await goTo(page, '/funil/acao?parte=registro')
  const done = page.getByRole('row').filter({ hasText: 'Marca quem negocia' })
  await done.getByText('Reforma da cozinha · Padaria Sol').waitFor()
  const { items } = await admin.api.get<{ items: { tags: { name: string }[] }[] }>('/contacts?searchParam=Padaria')
  expect(items[0]?.tags.map(({ name }) => name)).toEqual(['Em negociação'])
})

test('a card goes over the board by mouse and by key before a colleague, asks for what a stage requires, and back to its place', async () => {
  const { id: pipelineId } = await admin.api.post<{ id: string }>('/pipelines', { name: 'Reformas' })
  const { items: stages } = await admin.api.get<{ items: { id: string; name: string; version: number }[] }>(
    `/stages?pipelineId=${pipelineId}`,
  )
  const [first, , third] = stages
  await admin.api.put(`/stages/${third?.id}`, { requires: ['value'], version: third?.version })
  const contact = await admin.api.post<{ id: string }>('/contacts', { name: 'Clínica Mar' })
  for (const name of ['Telhado', 'Muro', 'Piso'])
    await admin.api.post('/opportunities', { name, stageId: first?.id, contactId: contact.id })
  const board = `/funil/kanban?funil=${pipelineId}`
  const [page, other] = [
    await openAs(browser, server.url, admin.session, board),
    await openAs(browser, server.url, admin.session, board),
  ]
  const column = (window: Page, name: string) => window.getByRole('region', { name, exact: true })
  const card = (window: Page, stage: string, name: string) =>
    column(window, stage).getByRole('article').filter({ hasText: name })
  const namesIn = (window: Page, stage: string) =>
    column(window, stage)
      .getByRole('article')
      .evaluateAll((cards) => cards.map((one) => one.querySelector('button')?.textContent))

  await card(other, 'Novo', 'Muro').waitFor()
  await drag(card(page, 'Novo', 'Muro'), column(page, 'Contato'))
  await card(other, 'Contato', 'Muro').waitFor()
  await page.getByLabel('Avisos').getByRole('button', { name: 'Desfazer' }).click()
  await card(other, 'Novo', 'Muro').waitFor()
  expect(await namesIn(page, 'Novo')).toEqual(['Piso', 'Muro', 'Telhado'])

  await card(page, 'Novo', 'Piso').getByRole('button', { name: 'Piso', exact: true }).focus()
  await page.keyboard.press('Shift+ArrowRight')
  await card(page, 'Contato', 'Piso').waitFor()
  await until('the keyboard is on the card', () =>
    card(page, 'Contato', 'Piso').evaluate((one) => one.contains(document.activeElement)),
  )
  await page.keyboard.press('Shift+ArrowLeft')
  await card(other, 'Novo', 'Piso').waitFor()
  await until('the keyboard stays on the card', () =>
    card(page, 'Novo', 'Piso').evaluate((one) => one.contains(document.activeElement)),
  )
  await drag(card(page, 'Novo', 'Piso'), column(page, 'Proposta'))
  const form = page.getByRole('dialog', { name: 'Oportunidade' })
  await form.getByText('Valor: preencha para entrar em “Proposta”.').waitFor()
  await until('the field has the keyboard', () => hasFocus(form.getByLabel('Valor')))
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  await card(page, 'Novo', 'Piso').waitFor()
  await drag(card(page, 'Novo', 'Piso'), column(page, 'Proposta'))
  // What is typed replaces what was there, and a comma stays while the cents are put right.
  await untilChosen(form.getByLabel('Valor'))
  await page.keyboard.type('1500,9')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('00')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await card(other, 'Proposta', 'Piso').getByText('R$ 1.500,00').waitFor()
})

test('what is typed beside an opportunity survives its end, and a note goes with what is saved', async () => {
  const contact = await admin.api.post<{ id: string }>('/contacts', { name: 'Hotel Serra' })
  const { items: stages } = await admin.api.get<{ items: { id: string }[] }>('/stages')
  const made = await admin.api.post<{ id: string }>('/opportunities', {
    ...{ name: 'Cortinas', stageId: stages[0]?.id, contactId: contact.id, value: 100_000 },
  })
  const page = await openAs(browser, server.url, admin.session, `/funil/kanban?registro=${made.id}`)
  const form = page.getByRole('dialog', { name: 'Oportunidade' })
  await form.getByLabel('Valor').click()
  await untilChosen(form.getByLabel('Valor'))
  await page.keyboard.type('250')
  await form.getByLabel('Descrição').fill('Trilho suíço')
  await form.getByRole('button', { name: 'Ganhar' }).click()
  const why = page.getByRole('dialog', { name: 'Ganhar a oportunidade' })
  await why.getByRole('button', { name: 'Ganhar' }).click()
  await form.getByText('Ganha', { exact: true }).waitFor()
  await form.getByLabel('Nova anotação').fill('Pagou o sinal')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Continuar editando' }).click()
  expect(await form.getByLabel('Descrição').inputValue()).toBe('Trilho suíço')
  await form.getByRole('button', { name: 'Salvar' }).click()
  await form.waitFor({ state: 'detached' })
  expect(await admin.api.get(`/opportunities/${made.id}`)).toMatchObject({
    ...{ status: 'win', description: 'Trilho suíço', value: 25_000 },
  })
  const story = await admin.api.get<{ to: string | null }[]>(`/opportunities/${made.id}/timeline`)
  expect(story.map(({ to }) => to)).toContain('Pagou o sinal')
})

test('what the company makes private leaves the board of who has it open, and comes back', async () => {
  const { id: pipelineId } = await admin.api.post<{ id: string }>('/pipelines', { name: 'Reservada' })
  const { items: stages } = await admin.api.get<{ items: { id: string }[] }>(`/stages?pipelineId=${pipelineId}`)
  const contact = await admin.api.post<{ id: string }>('/contacts', { name: 'Hotel Mar' })
  const seller = await createAgent(server, admin.session.token, { name: 'Nina Reis' })
  for (const [name, responsibleId] of [
    ['De Nina', seller.userId],
    ['De outra pessoa', admin.session.userId],
  ])
    await admin.api.post('/opportunities', { name, responsibleId, stageId: stages[0]?.id, contactId: contact.id })
  const page = await openAs(browser, server.url, seller, `/funil/kanban?funil=${pipelineId}`)
  const card = (name: string) => page.getByRole('article').filter({ hasText: name })
  await card('De outra pessoa').waitFor()

  await admin.api.put('/settings', { privacidadeFunil: true })
  await card('De outra pessoa').waitFor({ state: 'detached' })
  await card('De Nina').waitFor()

  await admin.api.put('/settings', { privacidadeFunil: false })
  await card('De outra pessoa').waitFor()
})

test('a stage that holds opportunities is deleted after they pass to another, before who has the board open', async () => {
  const { id: pipelineId } = await admin.api.post<{ id: string }>('/pipelines', { name: 'Mudanças' })
  const { items: stages } = await admin.api.get<{ items: { id: string; name: string }[] }>(
    `/stages?pipelineId=${pipelineId}`,
  )
  const contact = await admin.api.post<{ id: string }>('/contacts', { name: 'Mercado Lua' })
  const stageId = stages.find(({ name }) => name === 'Novo')?.id
  for (const name of ['Balcão novo', 'Vitrine'])
    await admin.api.post('/opportunities', { name, stageId, contactId: contact.id })
  const page = await openAs(browser, server.url, admin.session, `/funil/pipelines?parte=etapas&funil=${pipelineId}`)
  const board = await openAs(browser, server.url, admin.session, `/funil/kanban?funil=${pipelineId}`)
  await board.getByRole('region', { name: 'Novo', exact: true }).getByRole('article').first().waitFor()

  await page.getByRole('row').filter({ hasText: 'Novo' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Excluir' }).click()
  const question = page.getByRole('dialog', { name: 'Excluir etapa do funil “Novo”?' })
  await question.getByText('Há 2 oportunidades aqui.').waitFor()
  await question.getByRole('combobox', { name: 'Passar todas para' }).click()
  await page.getByRole('option', { name: 'Proposta' }).first().click() // those of its own pipeline come first
  await question.getByRole('button', { name: 'Passar e excluir' }).click()

  const taking = board.getByRole('region', { name: 'Proposta', exact: true })
  for (const name of ['Balcão novo', 'Vitrine']) await taking.getByRole('article').filter({ hasText: name }).waitFor()
  await board.getByRole('region', { name: 'Novo', exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('row').filter({ hasText: 'Novo' }).waitFor({ state: 'detached' })
  await page.getByText('Pronto: 2 feitos.').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('the contact of an opportunity is written to from its card and beside it, by the channel one chooses', async () => {
  const contact = await admin.api.post<{ id: string }>('/contacts', {
    name: 'Floricultura Íris',
    email: 'iris@flor.test',
  })
  const { items: stages } = await admin.api.get<{ items: { id: string; pipelineId: string }[] }>('/stages')
  const made = await admin.api.post<{ id: string }>('/opportunities', {
    ...{ name: 'Buquês do mês', stageId: stages[0]?.id, contactId: contact.id },
  })
  const address = `/funil/kanban?funil=${stages[0]?.pipelineId}&registro=${made.id}`
  const page = await openAs(browser, server.url, admin.session, address)
  const asked = page.getByRole('dialog', { name: 'Iniciar conversa com Floricultura Íris' })
  await page.getByRole('dialog', { name: 'Oportunidade' }).getByRole('button', { name: 'Escrever' }).click()
  await asked.waitFor()
  await asked.getByRole('button', { name: 'Fechar' }).click()
  await asked.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Ações de Buquês do mês' }).click()
  await page.getByRole('menuitem', { name: 'Escrever ao contato' }).click()
  await asked.waitFor()
})
