import type { Connection } from '@balcao/contract/connections.ts'
import { startWabaSimulator, type WabaSimulator } from '@balcao/simulators/waba.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { allTickets, inboxOf, staffQueue } from './inbox.ts'
import { closeWindows, type Login, openAs, openBrowser, type Server, setUp, startServer, until } from './kit.ts'

const secrets = {
  appSecret: 'segredo-do-aplicativo',
  verifyToken: 'verifica',
  accessToken: 'token-de-acesso-do-sistema',
  wabaId: '200300',
  phoneNumberId: '551100',
  displayPhoneNumber: '+55 11 3000-2000',
}
let server: Server
let browser: Browser
let waba: WabaSimulator
let admin: Awaited<ReturnType<typeof setUp>>
let ana: Login

beforeAll(async () => {
  ;[server, browser, waba] = await Promise.all([startServer(), openBrowser(), startWabaSimulator(secrets)])
  admin = await setUp(server)
  const { queueId, people } = await staffQueue(server, admin.session, ['Ana Souza'])
  ;[ana] = people as [Login]
  const connection = await admin.api.post<Connection>('/whatsapp', {
    kind: 'waba',
    name: 'WhatsApp',
    queueId,
    config: { ...secrets, apiVersion: 'v25.0', baseUrl: waba.url },
  })
  waba.setWebhook(`${server.url}/hooks/waba/${connection.id}`)
})
afterAll(async () => {
  await browser?.close()
  await waba?.close()
  await server?.stop()
})
closeWindows(
  () => browser,
  () => server,
)
beforeEach(() => {
  waba.faults.clear()
  waba.policy.emitsStatuses = true
})

/** Only what is sent to somebody; not the receipts. */
const toPeople = (request: { path: string; body: unknown }) =>
  request.path.endsWith('/messages') && JSON.stringify(request.body).includes('"to"')
const lastInInbox = (customer: ReturnType<WabaSimulator['customer']>, text: string) =>
  until(`her phone shows “${text}”`, () => customer.inbox.find((line) => line.text?.includes(text)))

test('a customer writes, an agent accepts, answers with text and a picture and closes; she writes again: a new ticket', async () => {
  const agent = inboxOf(await openAs(browser, server.url, ana, '/atendimento?aba=pendentes'))
  await agent.list.getByText('Ninguém esperando').waitFor()
  const rita = waba.customer({ waId: '5511988881111', name: 'Rita Alves' })
  await rita.sendText('Bom dia! Meu pedido saiu?')
  await rita.sendImage(undefined, 'O comprovante')

  await agent.row('Rita Alves').click()
  await agent.said('Bom dia! Meu pedido saiu?').waitFor()
  await agent.said('O comprovante').waitFor()
  const photo = agent.log.getByRole('button', { name: /^Abrir imagem/ }).locator('img')
  await until('her picture is drawn', () => photo.evaluate((image: HTMLImageElement) => image.naturalWidth > 0))
  expect(rita.transcript.every((line) => line.from !== 'customer' || line.state !== 'read')).toBe(true) // espiar marks nothing

  await agent.accept()
  waba.policy.emitsStatuses = false
  await agent.answer('Bom dia, Rita! Saiu hoje cedo.')
  const line = await lastInInbox(rita, 'Saiu hoje cedo.')
  await waba.emitStatus(line.id, 'sent')
  await agent.tick('Enviada').waitFor()
  await waba.emitStatus(line.id, 'delivered')
  await agent.tick('Entregue').waitFor()
  await rita.read()
  await agent.tick('Lida').waitFor()
  await waba.emitStatus(line.id, 'delivered') // late news changes nothing
  waba.policy.emitsStatuses = true

  await agent.answerWithPicture('Aqui está a etiqueta')
  const photoLine = await lastInInbox(rita, 'Aqui está a etiqueta')
  expect(photoLine.media?.mimeType).toMatch(/^image\//)
  expect(photoLine.media?.bytes.length).toBeGreaterThan(100)
  await rita.read()
  await until(
    'nothing is short of read',
    async () => (await agent.log.getByRole('img', { name: /Enviada|Entregue/ }).count()) === 0,
  )

  await rita.react(line.id, '❤️')
  await agent.log.getByTitle('Reação do cliente').getByText('❤️').waitFor()
  await rita.replyTo(line.id, 'Que ótimo, era isto')
  const quoting = agent.log.locator('[id^="m-"]').filter({ hasText: 'Que ótimo, era isto' })
  await quoting.getByText('Saiu hoje cedo.').waitFor()

  await agent.menuOf('Que ótimo, era isto')
  const menu = agent.chat.page().getByRole('menu')
  await menu.getByRole('menuitem', { name: 'Reagir com 👍' }).click()
  await until('her phone shows the reaction', () => rita.transcript.some((one) => one.reactions.business === '👍'))
  await agent.menuOf('Que ótimo, era isto')
  await menu.getByRole('menuitem', { name: 'Responder' }).click()
  await agent.chat.getByText('Respondendo a Rita Alves').waitFor()
  await agent.answer('Obrigada pela preferência!')
  const quoted = await lastInInbox(rita, 'Obrigada pela preferência!')
  expect(quoted.replyTo).toBe(rita.transcript.find((one) => one.text === 'Que ótimo, era isto')?.id)

  await agent.close()
  await rita.sendText('Ah, e a nota fiscal?')
  await agent.tab('Pendentes')
  await agent.row('Ah, e a nota fiscal?').waitFor()
  expect((await allTickets(admin.api)).map((ticket) => ticket.status).toSorted()).toEqual(['closed', 'pending'])
})

test('a provider that fails twice is tried again, and the customer gets the message once', async () => {
  const sofia = waba.customer({ waId: '5511988882222', name: 'Sofia Melo' })
  await sofia.sendText('Oi!')
  const agent = inboxOf(await openAs(browser, server.url, ana, '/atendimento?aba=pendentes'))
  await agent.row('Sofia Melo').click()
  await agent.accept()
  waba.faults.next({ status: 503, body: 'Service Unavailable', times: 2, match: toPeople })
  await agent.answer('Chegou mesmo assim')
  await lastInInbox(sofia, 'Chegou mesmo assim')
  await agent.tick('Entregue').waitFor()
  expect(sofia.inbox.filter((line) => line.text?.includes('Chegou mesmo assim'))).toHaveLength(1)
})

test('a final failure is shown with its reason, and “Reenviar” sends it', async () => {
  const vera = waba.customer({ waId: '5511988883333', name: 'Vera Pinto', isOnWhatsApp: false })
  await vera.sendText('Oi!')
  const agent = inboxOf(await openAs(browser, server.url, ana, '/atendimento?aba=pendentes'))
  await agent.row('Vera Pinto').click()
  await agent.accept()
  await agent.answer('Vai falhar')
  await agent.tick('Não enviada').waitFor()
  const problem = agent.log
    .getByRole('status')
    .filter({ has: agent.chat.page().getByRole('button', { name: 'Reenviar' }) })
  expect((await problem.innerText()).replace('Reenviar', '').trim().length).toBeGreaterThan(20)
  vera.isOnWhatsApp = true
  await problem.getByRole('button', { name: 'Reenviar' }).click()
  await lastInInbox(vera, 'Vai falhar')
  await agent.tick('Entregue').waitFor()
  expect(await agent.log.getByRole('button', { name: 'Reenviar' }).count()).toBe(0)
})
