import { startHubSimulator } from '@balcao/simulators/hub.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allTickets, inboxOf, phoneShows, staffQueue } from './inbox.ts'
import { type Company, closeWindows, type Login, openAs, openCompany, type Server, until } from './kit.ts'

let server: Server
let browser: Browser
let admin: Company['admin']
let ana: Login
const token = `token-do-notificame-${process.env.VITEST_POOL_ID}`
const channels = [
  { id: `canal-insta-${process.env.VITEST_POOL_ID}`, name: 'Loja Aurora', channel: 'instagram' as const },
  { id: `canal-olx-${process.env.VITEST_POOL_ID}`, name: 'Anúncios', channel: 'olx' as const },
]
const hub = await startHubSimulator({ token, channels })

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  ;[ana] = (await staffQueue(server, admin.session, ['Ana Souza'])).people as [Login]
})
afterAll(() => hub.close())
closeWindows(
  () => browser,
  () => server,
)

test('the token is given once; a channel behind it is connected with one press, hears and answers', async () => {
  const page = await openAs(browser, server.url, admin.session, '/configuracoes/hub')
  await page.getByRole('button', { name: 'Informar token' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Token da conta').fill(token)
  await form.getByLabel('Endereço da API').fill(hub.url)
  await form.getByRole('button', { name: 'Adicionar', exact: true }).click()
  const list = page.getByRole('region', { name: 'Canais da conta' })
  await list.getByRole('button', { name: 'Conectar Anúncios, OLX' }).waitFor()
  await list.getByRole('button', { name: 'Conectar Loja Aurora, Instagram' }).click()
  await page.getByRole('dialog', { name: 'Loja Aurora · Instagram' }).waitFor()
  await page.keyboard.press('Escape')
  await list.getByRole('button', { name: 'Abrir Loja Aurora · Instagram' }).waitFor()
  await page.getByRole('article', { name: 'Loja Aurora · Instagram' }).getByText('Conectado', { exact: true }).waitFor()

  const rita = hub.customer({ id: '7410258963012345', name: 'Rita Alves', channel: channels[0]?.id })
  await rita.sendText('Fazem entrega?')
  expect(hub.webhooks.at(-1)?.status).toBe(200)
  const ticket = await until('her message has come', async () =>
    (await allTickets(admin.api)).find(({ lastMessage }) => lastMessage === 'Fazem entrega?'),
  )
  const agent = inboxOf(await openAs(browser, server.url, ana, `/atendimento/${ticket.id}`))
  await agent.accept()
  await agent.field.fill('Fazemos, sim.')
  await agent.send()
  await phoneShows(rita, 'Fazemos, sim.')
  await agent.tick('Entregue').waitFor()
})
