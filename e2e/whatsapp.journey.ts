import type { WabaSimulator } from '@balcao/simulators/waba.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeChannels, openNumber } from './channels.ts'
import { allTickets, inboxOf, newPhone, phoneShows, staffQueue } from './inbox.ts'
import { type Company, closeWindows, type Login, openAs, openCompany, type Server, until } from './kit.ts'

let server: Server
let browser: Browser
let waba: WabaSimulator
let admin: Company['admin']
let ana: Login

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const { queueId, people } = await staffQueue(server, admin.session, ['Ana Souza'])
  ;[ana] = people as [Login]
  waba = (await openNumber(server, admin.api, { queueId })).number
})
afterAll(closeChannels)
closeWindows(
  () => browser,
  () => server,
  { staying: () => [ana] },
)
beforeEach(() => {
  waba.faults.clear()
  waba.policy.emitsStatuses = true
})

/** Only what is sent to somebody; not the receipts. */
const toPeople = (request: { path: string; body: unknown }) =>
  request.path.endsWith('/messages') && JSON.stringify(request.body).includes('"to"')

test('a customer writes, an agent accepts, answers with text and a picture and closes; she writes again: a new ticket', async () => {
  const agent = inboxOf(await openAs(browser, server.url, ana, '/atendimento?aba=pendentes'))
  await agent.list.getByText('Ninguém esperando').waitFor()
  const rita = waba.customer({ waId: '5511988881111', name: 'Rita Alves' })
  await rita.sendText('Bom dia! Meu pedido saiu?')
  await rita.sendImage(undefined, 'O comprovante')

  await agent.open('Rita Alves')
  await agent.said('Bom dia! Meu pedido saiu?').waitFor()
  await agent.said('O comprovante').waitFor()
  const photo = agent.log.getByRole('button', { name: /^Abrir imagem/ }).locator('img')
  await until('her picture is drawn', () => photo.evaluate((image: HTMLImageElement) => image.naturalWidth > 0))
  expect(rita.transcript.every((line) => line.from !== 'customer' || line.state !== 'read')).toBe(true) // espiar marks nothing

  await agent.accept()
  waba.policy.emitsStatuses = false
  await agent.answer('Bom dia, Rita! Saiu hoje cedo.')
  const line = await phoneShows(rita, 'Saiu hoje cedo.')
  await waba.emitStatus(line.id, 'sent')
  await agent.tick('Enviada').waitFor()
  await waba.emitStatus(line.id, 'delivered')
  await agent.tick('Entregue').waitFor()
  await rita.read()
  await agent.tick('Lida').waitFor()
  await waba.emitStatus(line.id, 'delivered') // late news changes nothing
  waba.policy.emitsStatuses = true

  await agent.answerWithPicture('Aqui está a etiqueta')
  const photoLine = await phoneShows(rita, 'Aqui está a etiqueta')
  expect(photoLine.media?.mimeType).toMatch(/^image\//)
  expect(photoLine.media?.bytes.length).toBeGreaterThan(100)
  await rita.read()
  await until(
    'nothing is short of read',
    async () => (await agent.log.getByRole('img', { name: /Enviada|Entregue/ }).count()) === 0,
  )

  await rita.react(line.id, '❤️')
  await agent.log.getByRole('button', { name: 'Reações: ❤️ Rita Alves' }).waitFor()
  await rita.replyTo(line.id, 'Que ótimo, era isto')
  await agent.bubbles('Que ótimo, era isto').getByText('Saiu hoje cedo.').waitFor()

  await agent.menuOf('Que ótimo, era isto')
  const menu = agent.chat.page().getByRole('menu')
  await menu.getByRole('menuitem', { name: 'Reagir com 👍' }).click()
  await until('her phone shows the reaction', () => rita.transcript.some((one) => one.reactions.business === '👍'))
  await agent.menuOf('Que ótimo, era isto')
  await menu.getByRole('menuitem', { name: 'Responder' }).click()
  await agent.chat.getByText('Respondendo a Rita Alves').waitFor()
  await agent.answer('Obrigada pela preferência!')
  const quoted = await phoneShows(rita, 'Obrigada pela preferência!')
  expect(quoted.replyTo).toBe(rita.transcript.find((one) => one.text === 'Que ótimo, era isto')?.id)

  await agent.close()
  await rita.sendText('Ah, e a nota fiscal?')
  await agent.tab('Pendentes')
  await agent.row('Ah, e a nota fiscal?').waitFor()
  expect((await allTickets(admin.api)).map((ticket) => ticket.status).toSorted()).toEqual(['closed', 'pending'])
})

test('a provider that fails twice is tried again, and the customer gets the message once', async () => {
  const sofia = waba.customer({ waId: newPhone(), name: 'Sofia Melo' })
  await sofia.sendText('Oi!')
  const agent = inboxOf(await openAs(browser, server.url, ana, '/atendimento?aba=pendentes'))
  await agent.open('Sofia Melo')
  await agent.accept()
  waba.faults.next({ status: 503, body: 'Service Unavailable', times: 2, match: toPeople })
  await agent.answer('Chegou mesmo assim')
  await phoneShows(sofia, 'Chegou mesmo assim')
  await agent.tick('Entregue').waitFor()
  expect(sofia.inbox.filter((line) => line.text?.includes('Chegou mesmo assim'))).toHaveLength(1)
})

test('a final failure is shown with its reason, and “Tentar de novo” sends it', async () => {
  const vera = waba.customer({ waId: '5511988883333', name: 'Vera Pinto', isOnWhatsApp: false })
  await vera.sendText('Oi!')
  const agent = inboxOf(await openAs(browser, server.url, ana, '/atendimento?aba=pendentes'))
  await agent.open('Vera Pinto')
  await agent.accept()
  await agent.answer('Vai falhar')
  await agent.tick('Não enviada').waitFor()
  const problem = agent.log
    .getByRole('status')
    .filter({ has: agent.chat.page().getByRole('button', { name: 'Tentar de novo' }) })
  expect((await problem.innerText()).replace('Tentar de novo', '').trim().length).toBeGreaterThan(20)
  vera.isOnWhatsApp = true
  await problem.getByRole('button', { name: 'Tentar de novo' }).click()
  await phoneShows(vera, 'Vai falhar')
  await agent.tick('Entregue').waitFor()
  expect(await agent.log.getByRole('button', { name: 'Tentar de novo' }).count()).toBe(0)
})
