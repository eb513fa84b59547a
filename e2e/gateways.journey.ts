import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, numbersByCode, openEvolution } from './channels.ts'
import { inboxOf, newPhone, phoneShows, staffQueue } from './inbox.ts'
import { type Company, closeWindows, type Login, openAs, openCompany, type Server, until } from './kit.ts'

let server: Server
let browser: Browser
let admin: Company['admin']
let queueId: string
let ana: Login
type Member = ReturnType<Awaited<ReturnType<typeof openEvolution>>['evolution']['customer']>

beforeAll(async () => {
  ;({ server, browser, admin } = await openCompany())
  const staff = await staffQueue(server, admin.session, ['Ana Souza'])
  queueId = staff.queueId
  ;[ana] = staff.people as [Login]
})
afterAll(closeChannels)
closeWindows(
  () => browser,
  () => server,
)

test('a phone is linked by the code on the screen, which changes; a customer writes, an agent answers', async () => {
  const { evolution, instance } = await openEvolution(admin.api, queueId)
  const page = await openAs(browser, server.url, admin.session, '/sessoes')
  await page.getByRole('button', { name: 'Conectar WhatsApp da loja' }).click()
  const dialog = page.getByRole('dialog', { name: 'Conectar WhatsApp da loja' })
  const square = dialog.getByRole('img', { name: 'QR code para ler com o celular' })
  const first = await square.getAttribute('src')
  await evolution.rotate(instance)
  await until('the next code is drawn', async () => (await square.getAttribute('src')) !== first)
  await evolution.scan(instance)
  await dialog.getByText('Telefone conectado').waitFor()
  await dialog.getByText('Loja de Teste · +5511940001000').waitFor()
  await dialog.getByRole('button', { name: 'Concluir' }).click()

  const rita = evolution.customer({ phone: newPhone(), name: 'Rita Alves' })
  await rita.sendText('Bom dia! Meu pedido saiu?')
  const agent = inboxOf(await openAs(browser, server.url, ana, '/atendimento?aba=pendentes'))
  await agent.open('Rita Alves')
  await agent.accept()
  await agent.answer('Saiu hoje cedo.')
  const line = await phoneShows(rita, 'Saiu hoje cedo.')
  await rita.read()
  await agent.tick('Lida').waitFor()
  await evolution.ownPhone(rita, 'Respondi do celular')
  await agent.said('Respondi do celular').waitFor()
  expect(rita.inbox.filter(({ id }) => id === line.id)).toHaveLength(1)

  const card = page.getByRole('article', { name: 'WhatsApp da loja' })
  await card.getByRole('button', { name: 'Mais ações de WhatsApp da loja' }).click()
  await page.getByRole('menuitem', { name: 'Parar' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Parar' }).click()
  await card.getByText('Parado: nada é enviado').waitFor()
  await card.getByRole('button', { name: 'Iniciar WhatsApp da loja' }).click()
  await card.getByText('Conectado', { exact: true }).waitFor()

  await evolution.drop(instance, 401)
  await card.getByText('O telefone desconectou este canal.').waitFor()
})

test('a group is one conversation: members by name, who comes, calls, answers, and one of them alone', async () => {
  const { evolution, instance } = await openEvolution(admin.api, queueId, 'WhatsApp dos grupos')
  await evolution.scan(instance)
  const [rui, lia, bia] = ['Rui Prado', 'Lia Costa', 'Bia Nunes'].map((name) =>
    evolution.customer({ phone: newPhone(), name }),
  ) as [Member, Member, Member]
  const group = evolution.group('Vizinhança', [rui, lia])
  await rui.sendText('Bom dia, pessoal', { group })
  await lia.sendText(`Alguém da loja? @${rui.lid} você sabe?`, { group })

  const page = await openAs(browser, server.url, ana, '/atendimento?aba=pendentes')
  const agent = inboxOf(page)
  await agent.open('Vizinhança')
  await agent.said('@Rui Prado').waitFor()
  expect(await agent.list.getByRole('link').filter({ hasText: 'Vizinhança' }).count()).toBe(1)
  await agent.accept()
  group.members.push({ customer: bia, isAdmin: false })
  const added = { id: group.jid, action: 'add', participants: [{ id: `${bia.lid}@lid`, phoneNumber: bia.jid }] }
  await evolution.emit(instance, 'group-participants.update', added)
  await agent.said('entrou no grupo.').waitFor()

  await agent.field.pressSequentially('Somos nós, @cos')
  await agent.chat.getByRole('option', { name: 'Lia Costa' }).waitFor()
  await agent.field.press('Enter')
  await agent.field.pressSequentially('pode falar')
  await agent.send()
  await phoneShows(lia, 'pode falar')
  expect(evolution.mentionedIn(group).join()).toContain(lia.phone)

  await agent.menuOf('Bom dia, pessoal')
  await page.getByRole('menuitem', { name: 'Responder', exact: true }).click()
  await agent.chat.getByText('Respondendo a Rui Prado').waitFor()
  await agent.answer('Bom dia, Rui!')
  await agent.bubbles('Bom dia, Rui!').getByText('Rui Prado').waitFor()

  await agent.chat.getByRole('button', { name: 'Anexar' }).click()
  await page.getByRole('menuitem', { name: 'Enquete' }).click()
  const poll = page.getByRole('dialog', { name: 'Enquete' })
  await page.keyboard.type('Que dia fica melhor?')
  await poll.getByRole('textbox', { name: 'Opção 1' }).fill('Sábado')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Domingo')
  await page.keyboard.press('Enter')
  await poll.getByRole('textbox', { name: 'Opção 3' }).waitFor()
  await poll.getByRole('button', { name: 'Enviar' }).click()
  const asked = await phoneShows(rui, 'Que dia fica melhor?')
  await rui.vote(asked.id, [0], { group })
  await agent.log.getByText('1 pessoa votou').waitFor()
  await lia.vote(asked.id, [1], { group })
  await rui.vote(asked.id, [1], { group })
  await agent.log.getByRole('button', { name: 'Domingo: 2 votos. Ver quem votou' }).click()
  const voters = page.getByRole('dialog', { name: 'Quem votou em Domingo' })
  await voters.getByText('Lia Costa').waitFor()
  await page.keyboard.press('Escape')
  await voters.waitFor({ state: 'detached' })

  const panel = page.getByRole('complementary', { name: 'Dados do grupo' })
  if (!(await panel.isVisible())) await agent.chat.getByRole('button', { name: 'Dados do grupo' }).click()
  await panel.getByText('Participantes').waitFor()
  await panel.getByRole('button', { name: 'Conversar com Rui Prado' }).click()
  const dialog = page.getByRole('dialog', { name: 'Iniciar conversa com Rui Prado' })
  await dialog.getByRole('button', { name: 'Iniciar conversa' }).click()
  await page.getByRole('region', { name: 'Conversa com Rui Prado', exact: true }).waitFor()
})

const ways = Object.keys(numbersByCode) as (keyof typeof numbersByCode)[]
test.each(ways)('%s: a phone is linked by the code on the screen, a customer writes, an agent answers', async (way) => {
  const name = `Loja por ${way}`
  const number = await numbersByCode[way](admin.api, name)
  const page = await openAs(browser, server.url, admin.session, '/sessoes')
  await page.getByRole('button', { name: `Conectar ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: `Conectar ${name}` })
  await dialog.getByRole('img', { name: 'QR code para ler com o celular' }).waitFor()
  await number.scan()
  await dialog.getByText('Telefone conectado').waitFor()

  const customer = { phone: newPhone(), name: `Lia de ${way}` }
  await number.write(customer, 'Vocês abrem hoje?')
  const agent = inboxOf(await openAs(browser, server.url, ana, '/atendimento?aba=pendentes'))
  await agent.open(customer.name)
  await agent.accept()
  await agent.answer('Abrimos às nove.')
  await until('the answer is on her phone', () =>
    number.got(customer.phone).some((text) => text.includes('Abrimos às nove.')),
  )
})

test('whom the phone of a channel knows becomes contacts by an import, and its groups are known', async () => {
  const { evolution, instance } = await openEvolution(admin.api, queueId, 'WhatsApp da agenda')
  await evolution.scan(instance)
  const davi = evolution.customer({ phone: newPhone(), name: 'Davi da Agenda' })
  evolution.group('Revendedoras', [davi])
  await until('the channel is connected', async () => {
    const { items } = await admin.api.get<{ items: { name: string; status: string }[] }>('/whatsapp')
    return items.some(({ name, status }) => name === 'WhatsApp da agenda' && status === 'CONNECTED')
  })
  const page = await openAs(browser, server.url, admin.session, '/contatos/importar')
  await page.getByRole('button', { name: 'Agenda de um canal' }).click()
  await page.getByRole('menuitem', { name: 'Grupos de WhatsApp da agenda' }).click()
  // Its own event may have told of it before.
  await page
    .getByLabel('Avisos')
    .getByText(/1 grupo novo|1 já conhecido/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Agenda de um canal' }).click()
  await page.getByRole('menuitem', { name: 'WhatsApp da agenda', exact: true }).click()
  await page.getByRole('link', { name: 'Ver contatos' }).click()
  await page.getByRole('row').filter({ hasText: 'Davi da Agenda' }).waitFor()
})
