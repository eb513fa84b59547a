import { readFileSync } from 'node:fs'
import type { Campaign } from '@balcao/contract/operations/campaigns/campaigns.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, openBot, openEvolution } from './channels.ts'
import { newPhone, phoneShows, staffQueue, ticketWith } from './inbox.ts'
import { type Company, closeWindows, goTo, hasFocus, openAs, openCompany, type Server, toast, until } from './kit.ts'

let server: Server
let browser: Browser
let admin: Company['admin']
let queueId: string

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  ;({ queueId } = await staffQueue(server, admin.session, ['Ana Souza']))
})
afterAll(() => closeChannels())
closeWindows(
  () => browser,
  () => server,
)

test('a campaign is written, rehearsed and started; it arrives, and an answer opens a conversation in its queue', async () => {
  const { id: answersId } = await admin.api.post<{ id: string }>('/queue', { name: 'Promoções', color: '#b45309' })
  const bot = await openBot(admin.api, queueId)
  const rita = bot.customer({ id: 880_077, firstName: 'Rita', lastName: 'Alves' })
  await rita.sendText('Oi, quanto custa?')
  const first = await ticketWith(admin.api, 'Oi, quanto custa?')
  await admin.api.put(`/tickets/${first.id}`, { status: 'closed', userId: admin.session.userId })

  const page = await openAs(browser, server.url, admin.session, '/campanhas')
  await page.getByRole('button', { name: 'Criar campanha' }).first().click()
  await page.getByRole('button', { name: 'Adicionar público' }).click()
  await page.getByRole('menuitem', { name: 'Todos os contatos' }).click()
  await page
    .getByRole('textbox', { name: 'Texto', exact: true })
    .fill('{Oi|Olá}, {{primeiro_nome}}! Chegou novidade. SAIR para não receber.')
  const sending = page.getByRole('region', { name: 'Canais e ritmo' })
  await sending.getByRole('combobox', { name: 'Canais' }).click()
  await page.getByRole('option', { name: /Bot da loja/ }).click()
  await page.keyboard.press('Escape')
  // All day, every day: whenever the journey runs.
  await sending.getByText('Dom', { exact: true }).click()
  await sending.getByLabel('Enviar a partir das').fill('00:00')
  await sending.getByLabel('Enviar até as').fill('23:59')
  await page.getByRole('combobox', { name: 'Fila' }).click()
  await page.getByRole('option', { name: 'Promoções' }).click()
  await page.getByText('Tudo salvo').waitFor()

  // What was written is there after a reload; a channel that is still on its way is not called deleted.
  const channels = Promise.withResolvers<void>()
  await page.route('**/api/whatsapp', (route) => channels.promise.then(() => route.continue()))
  await page.reload()
  const text = page.getByRole('textbox', { name: 'Texto', exact: true })
  await until('the text is back', async () => (await text.inputValue()).includes('Chegou novidade'))
  await sending.getByText('Lendo…').waitFor()
  channels.resolve()
  await sending.getByText(/Bot da loja/).waitFor()
  await page.getByRole('button', { name: 'Ensaiar' }).click()
  const rehearsal = page.getByRole('complementary', { name: 'Ensaio' })
  await rehearsal.getByText(/(Oi|Olá), Rita! Chegou novidade/).waitFor()

  await page.getByRole('button', { name: 'Iniciar', exact: true }).click()
  const asked = page.getByRole('dialog', { name: 'Iniciar a campanha?' })
  await asked.getByText(/Vai para 1 pessoa por Bot da loja/).waitFor()
  await asked.getByRole('button', { name: 'Iniciar' }).click()
  await phoneShows(rita, 'Chegou novidade')
  await page.getByText(/^Finalizada/).waitFor()
  await page.getByRole('cell', { name: 'Rita Alves' }).first().waitFor()

  // From the list of people to what they read; there is nothing to be reopened, but somebody to talk to.
  await page
    .getByRole('button', { name: 'Abrir a conversa de Rita Alves' })
    .or(page.getByRole('link', { name: 'Abrir a conversa de Rita Alves' }))
    .click()
  await page.getByText('Envios de campanhas').waitFor()
  expect(await page.getByRole('button', { name: 'Reabrir' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Conversar' }).click()
  await page.getByRole('dialog').getByText('Rita Alves').first().waitFor()
  await page.keyboard.press('Escape')
  await page.goBack()
  await page.getByText(/^Finalizada/).waitFor()

  await rita.sendText('Quero ver!')
  const answer = await ticketWith(admin.api, 'Quero ver!')
  expect(answer.id).not.toBe(first.id)
  expect(answer.queueId).toBe(answersId)
  await page.getByRole('cell', { name: 'Respondeu', exact: true }).waitFor()

  await page.getByRole('button', { name: 'Exportar' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: /^Baixar/ }).click()
  expect(readFileSync(await (await downloading).path(), 'utf8')).toContain('Rita Alves')

  const { pathname } = new URL(page.url())
  await page.getByRole('button', { name: /^Respondidas: 1\./ }).click()
  await page.waitForURL(/respondeu=yes/)
  await page.goBack()
  await page.waitForURL((url) => url.pathname === pathname && url.search === '')

  await goTo(page, '/campanhas')
  await page.getByRole('button', { name: 'Exportar CSV' }).click()
  const list = page.waitForEvent('download')
  await page.getByRole('button', { name: /^Baixar/ }).click()
  const [heads = '', line = ''] = readFileSync(await (await list).path(), 'utf8').split('\r\n')
  const told = Object.fromEntries(heads.split(';').map((head, at) => [head, line.split(';')[at]]))
  expect(told).toMatchObject({ Situação: 'Finalizada', Enviadas: '1', Respondidas: '1', Falhas: '0' })
})

test('on a slow line a campaign begun with two clicks is one, and what is typed next is its name', async () => {
  const page = await openAs(browser, server.url, admin.session, '/campanhas')
  const create = page.getByRole('button', { name: 'Criar campanha' }).first()
  await create.waitFor()
  const { count } = await admin.api.get<{ count: number }>('/campaigns?count=true')
  // What was made is shown without being read again.
  await page.route(/\/api\/campaigns\/[0-9a-f-]{36}$/, (route) =>
    route.request().method() === 'GET' ? route.abort() : route.continue(),
  )
  await create.evaluate((button: HTMLElement) => {
    button.click()
    button.click()
  })
  const name = page.getByRole('textbox', { name: 'Nome' })
  await until('the name is ready to be written', () => hasFocus(name))
  await page.keyboard.type('Volta às aulas')
  await page.getByText('Tudo salvo').waitFor()
  expect(await name.inputValue()).toBe('Volta às aulas')
  const countNow = async () => (await admin.api.get<{ count: number }>('/campaigns?count=true')).count
  expect(await countNow()).toBe(count + 1)

  await page.getByRole('textbox', { name: 'Texto', exact: true }).fill('Oi!')
  await page.getByRole('button', { name: 'Criar variante B' }).click()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('Olá!')
  await page.getByRole('tab', { name: /^A/ }).click()
  expect(await page.getByRole('textbox', { name: 'Texto', exact: true }).inputValue()).toBe('Oi!')
  await page.getByRole('tab', { name: /^B/ }).click()
  expect(await page.getByRole('textbox', { name: 'Texto', exact: true }).inputValue()).toBe('Olá!')

  // So is a copy, also where the first answer was lost.
  await page.getByText('Tudo salvo').waitFor()
  let answers = 0
  await page.route('**/api/campaigns/*/duplicate', async (route) => {
    await route.fetch()
    answers += 1
    return answers === 1 ? route.abort() : route.continue()
  })
  const duplicate = async (clicks: number) => {
    await page.getByRole('button', { name: 'Mais ações' }).click()
    await page.getByRole('menuitem', { name: 'Duplicar' }).evaluate((item: HTMLElement, many) => {
      for (let at = 0; at < many; at += 1) item.click()
    }, clicks)
  }
  await duplicate(1)
  await toast(page, 'O servidor não respondeu.').waitFor()
  await duplicate(2)
  await page.getByRole('heading', { name: 'Volta às aulas (cópia)' }).waitFor()
  expect(await countNow()).toBe(count + 2)
})

test('two windows write one campaign: what each wrote stays, and only of the same words one is asked', async () => {
  const { id } = await admin.api.post<{ id: string }>('/campaigns', { name: 'Junina' })
  const open = async () => {
    const page = await openAs(browser, server.url, admin.session, `/campanhas/${id}`)
    const name = page.getByRole('textbox', { name: 'Nome' })
    const words = page.getByRole('textbox', { name: 'Texto', exact: true })
    await words.waitFor()
    return { page, name, words, over: page.getByText('Salvar por cima') }
  }
  const [one, other] = [await open(), await open()]
  // Nothing of the other window is heard of meanwhile.
  const held = Promise.withResolvers<void>()
  await other.page.route('**/api/campaigns/*', (route) =>
    route.request().method() === 'PUT' ? held.promise.then(() => route.continue()) : route.continue(),
  )
  await other.name.fill('Festa junina')
  await other.page.getByText('Salvando…').waitFor()
  await one.words.fill('Oi, vem pra festa?')
  const bodyNow = async () => {
    const now = await admin.api.get<Campaign>(`/campaigns/${id}`)
    return { name: now.name, words: now.steps[0]?.variants[0]?.content.parts[0]?.body }
  }
  await until('the words are saved', async () => (await bodyNow()).words === 'Oi, vem pra festa?')
  held.resolve()
  await until('so is the name', async () => (await bodyNow()).name === 'Festa junina')
  expect(await bodyNow()).toEqual({ name: 'Festa junina', words: 'Oi, vem pra festa?' })
  await until('both show both', async () => (await one.name.inputValue()) === 'Festa junina')
  await until('both show both', async () => (await other.words.inputValue()) === 'Oi, vem pra festa?')
  expect([await one.over.count(), await other.over.count()]).toEqual([0, 0])

  await other.page.unroute('**/api/campaigns/*')
  const again = Promise.withResolvers<void>()
  await other.page.route('**/api/campaigns/*', (route) =>
    route.request().method() === 'PUT' ? again.promise.then(() => route.continue()) : route.continue(),
  )
  await other.words.fill('Oi! Sábado tem festa.')
  await other.page.getByText('Salvando…').waitFor()
  await one.words.fill('Oi, vem hoje?')
  await until('the words are saved', async () => (await bodyNow()).words === 'Oi, vem hoje?')
  again.resolve()
  await other.over.waitFor()
  expect(await other.words.inputValue()).toBe('Oi! Sábado tem festa.')
  await other.over.click()
  await until('written over', async () => (await bodyNow()).words === 'Oi! Sábado tem festa.')
})

test('Back leads from a send that is being written to the list, with all that was typed', async () => {
  const { evolution, instance } = await openEvolution(admin.api, queueId, 'WhatsApp da praça')
  await evolution.scan(instance)
  const page = await openAs(browser, server.url, admin.session, '/massa/texto')
  await page.getByRole('button', { name: 'Novo envio' }).first().click()
  const name = page.getByRole('textbox', { name: 'Nome' })
  await until('the name is ready to be written', () => hasFocus(name))
  await page.keyboard.type('Sábado na praça')
  await page.goBack()
  await page.waitForURL((url) => url.pathname === '/massa/texto' && url.search === '')
  await page.getByRole('row').filter({ hasText: 'Sábado na praça' }).waitFor()
  await page.goForward()
  await until('the draft is back', async () => (await name.inputValue()) === 'Sábado na praça')
})

test('a send of what no channel carries is not begun: the way leads to a channel', async () => {
  const page = await openAs(browser, server.url, admin.session, '/massa/sms')
  const way = page.getByRole('main').getByRole('link', { name: 'Conectar um canal' })
  await way.first().waitFor()
  await page.getByText('Conecte uma conta de SMS').first().waitFor()
  expect(await page.getByRole('button', { name: 'Novo envio' }).count()).toBe(0)
  await way.first().click()
  await page.waitForURL('**/sessoes?registro=novo')
})

test('numbers of the audience are checked by a phone, and who has no WhatsApp is left out', async () => {
  const { evolution, instance, id: connectionId } = await openEvolution(admin.api, queueId, 'WhatsApp da feira')
  await evolution.scan(instance)
  const [there, absent] = [newPhone(), newPhone()]
  evolution.customer({ phone: there, name: 'Lia Costa' })
  const contactIds: string[] = []
  for (const [name, number] of [
    ['Lia Costa', there],
    ['Zé Ninguém', absent],
  ])
    contactIds.push((await admin.api.post<{ id: string }>('/contacts', { name, number })).id)
  const { id } = await admin.api.post<{ id: string }>('/campaigns', {
    ...{ name: 'Feira de sábado', connectionIds: [connectionId] },
    audience: { include: [{ kind: 'contacts', contactIds }] },
    steps: [{ variants: [{ content: { parts: [{ kind: 'text', body: 'Oi! SAIR para não receber.' }] } }] }],
  })
  const page = await openAs(browser, server.url, admin.session, `/campanhas/${id}`)
  const rehearsal = page.getByRole('complementary', { name: 'Ensaio' })
  await rehearsal.getByRole('button', { name: 'Ensaiar' }).click()
  await rehearsal.getByText('2 pessoas').first().waitFor()
  await rehearsal.getByRole('button', { name: 'Conferir números' }).click()
  await rehearsal.getByRole('button', { name: 'Baixar arquivo' }).waitFor()
  await rehearsal.getByRole('button', { name: 'Ensaiar' }).click()
  await rehearsal.getByText('O número não tem WhatsApp').waitFor()
})

test('two people adjust a campaign at once: what each changed stays, and of the same field one is asked', async () => {
  const { evolution, instance, id: connectionId } = await openEvolution(admin.api, queueId, 'WhatsApp da loja')
  await evolution.scan(instance)
  const { id } = await admin.api.post<{ id: string }>('/campaigns', {
    ...{
      name: 'Para amanhã',
      connectionIds: [connectionId],
      startsAt: new Date(Date.now() + 86_400_000).toISOString(),
    },
    audience: { include: [{ kind: 'everybody' }] },
    steps: [{ variants: [{ content: { parts: [{ kind: 'text', body: 'Oi! SAIR para não receber.' }] } }] }],
  })
  await admin.api.post(`/campaigns/start/${id}`)
  const open = async () => {
    const page = await openAs(browser, server.url, admin.session, `/campanhas/${id}`)
    await page.getByRole('button', { name: 'Ajustar' }).click()
    return { page, drawer: page.getByRole('dialog', { name: 'Ajustar a campanha' }) }
  }
  const [one, other] = [await open(), await open()]
  const failing = one.drawer.getByLabel('Falharem')
  // Emptied to type another number, it waits for that.
  await failing.click()
  for (let letters = 0; letters < 4; letters += 1) await failing.press('Backspace')
  await failing.pressSequentially('20')
  await one.drawer.getByLabel('Máximo por dia em cada canal').fill('500')
  await other.drawer.getByLabel('Falharem').fill('10')
  await other.drawer.getByRole('button', { name: 'Salvar' }).click()
  await other.drawer.waitFor({ state: 'hidden' })

  await one.drawer.getByRole('button', { name: 'Salvar' }).click()
  await one.drawer.getByText('Parar quando falharem: 15 → 10').waitFor()
  await one.drawer.getByRole('button', { name: 'Salvar por cima' }).click()
  await one.drawer.waitFor({ state: 'hidden' })
  expect(await admin.api.get(`/campaigns/${id}`)).toMatchObject({
    pace: { dailyMost: 500 },
    brake: { failedPercent: 20 },
  })

  // By the keyboard: what paused it resumes it.
  const { page } = one
  await page.getByRole('button', { name: 'Pausar' }).press('Enter')
  await until('the way back is at hand', () => hasFocus(page.getByRole('button', { name: 'Retomar' })))
  await page.keyboard.press('Enter')
  await until('and the way there', () => hasFocus(page.getByRole('button', { name: 'Pausar' })))

  // Late with the very same, one hears how it stands, not that something failed.
  await one.page.route('**/api/campaigns/*/pause', async (route) => {
    await admin.api.post(`/campaigns/${id}/pause`)
    await route.continue()
  })
  await one.page.getByRole('button', { name: 'Pausar' }).click()
  await toast(one.page, 'A campanha já mudou em outra janela: pausada.').waitFor()
  await one.page.getByRole('button', { name: 'Retomar' }).waitFor()
})
