import type { Connection } from '@balcao/contract/channels/connections.ts'
import type { PageSimulator } from '@balcao/simulators/meta.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, openInstagram, startPage } from './channels.ts'
import { inboxOf, phoneShows, staffQueue } from './inbox.ts'
import { type Company, closeWindows, type Login, openAs, openCompany, type Server, until } from './kit.ts'

let server: Server
let browser: Browser
let admin: Company['admin']
let ana: Login
let instagram: PageSimulator
let connection: Connection

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const staff = await staffQueue(server, admin.session, ['Ana Souza'])
  ;[ana] = staff.people as [Login]
  ;({ instagram, connection } = await openInstagram(server, admin.api, staff.queueId))
})
afterAll(closeChannels)
closeWindows(
  () => browser,
  () => server,
)

test('a page is connected in the form, whose address is that of the whole app; who writes is answered once', async () => {
  const { page: facebook, config } = await startPage(server)
  const page = await openAs(browser, server.url, admin.session, '/configuracoes/meta')
  await page.getByRole('button', { name: 'Adicionar canal' }).first().click()
  await page.getByRole('button', { name: 'Messenger' }).click()
  const form = page.getByRole('dialog', { name: 'Adicionar Messenger' })
  await form.getByLabel('ID da página').fill(config.pageId)
  await form.getByLabel('Token de acesso da página').fill(config.accessToken)
  await form.getByLabel('Segredo do aplicativo').fill(config.appSecret)
  await form.getByLabel('Token de verificação').fill(config.verifyToken)
  await form.getByLabel('Endereço da API').fill(config.baseUrl)
  await form.getByRole('button', { name: 'Adicionar' }).click()
  const card = page.getByRole('article', { name: 'Messenger' })
  await card.getByText('Conectado', { exact: true }).waitFor()
  expect(facebook.isSubscribed).toBe(true)
  const webhook = page.getByRole('textbox', { name: 'Endereço do webhook' })
  expect(new URL(await webhook.inputValue()).pathname).toBe('/hooks/messenger')

  const rita = facebook.customer({ name: 'Rita Alves' })
  const asked = await rita.sendText('Vocês entregam em Niterói?')
  const agent = inboxOf(await openAs(browser, server.url, ana, '/atendimento?aba=pendentes'))
  await agent.open('Rita Alves')
  await agent.accept()
  await agent.answer('Entregamos, sim.')
  const line = await phoneShows(rita, 'Entregamos, sim.')
  await agent.tick('Entregue').waitFor()
  await rita.read()
  await agent.tick('Lida').waitFor()
  await facebook.echo(rita, 'Amanhã mesmo!')
  await agent.said('Amanhã mesmo!').waitFor()
  expect(await agent.bubbles('Entregamos, sim.').count()).toBe(1)
  expect(rita.inbox.filter(({ id }) => id === line.id)).toHaveLength(1)

  await agent.bubbles('Vocês entregam em Niterói?').hover()
  await agent.log.getByRole('button', { name: 'Reagir com ❤️: Vocês entregam em Niterói?' }).click()
  await until('her phone shows the heart', () => rita.transcript.some((one) => one.reactions.business === '❤️'))
  await rita.unsend(asked)
  await agent.said('Mensagem apagada').waitFor()

  facebook.setAccessToken('outro-token')
  await agent.field.fill('E o frete é grátis.')
  await agent.send()
  await agent.log
    .getByText(/Não enviada|O token da Meta venceu/)
    .first()
    .waitFor()
  await card
    .getByText(/O token da Meta venceu ou foi revogado/)
    .first()
    .waitFor()
})

test('an answer to a story says so, with the way to the story; a mention brings the picture', async () => {
  const caio = instagram.customer({ name: 'Caio Prado', username: 'caioprado' })
  await caio.replyToStory('Tem no tamanho M?')
  await caio.mentionInStory()
  await caio.like()
  const window = await openAs(browser, server.url, ana, '/atendimento?aba=pendentes')
  const agent = inboxOf(window)
  await agent.open('Caio Prado')
  await agent.said('Respondeu ao seu story').waitFor()
  expect(await agent.log.getByRole('link', { name: 'Ver story' }).getAttribute('href')).toContain('/cdn/')
  await agent.said('Mencionou você no story').waitFor()
  const photo = agent.log.getByRole('button', { name: /^Abrir imagem/ }).locator('img')
  await until('the picture is drawn', () => photo.evaluate((image: HTMLImageElement) => image.naturalWidth > 0))
  await agent.accept()
  await agent.answer('Temos, Caio!')
  await phoneShows(caio, 'Temos, Caio!')
  await caio.read()
  await agent.tick('Lida').waitFor()
  expect(connection.abilities).toMatchObject({ windowHours: 24, personWindowHours: null, reactions: ['❤️'] })
})
