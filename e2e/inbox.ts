import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { Queue } from '@balcao/contract/service/queues.ts'
import type { Line } from '@balcao/simulators/handset.ts'
import { sampleMedia } from '@balcao/simulators/samples.ts'
import type { WabaSimulator } from '@balcao/simulators/waba.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { type Api, as, createAgent, type Login, openAs, type Server, until } from './kit.ts'

const { bytes: buffer, mimeType } = sampleMedia('image')
export const picture = { name: 'caneca.jpg', mimeType, buffer }

/** Every ticket of the company, closed ones too. */
export const allTickets = async (api: Api) =>
  (await api.get<{ items: Ticket[] }>('/tickets?showAll=true&limit=100&status=open&status=pending&status=closed')).items

/** The conversation in which this was said last; of this customer, where several say the same. */
export const ticketWith = (api: Api, lastMessage: string, name?: string): Promise<Ticket> =>
  until(`the ticket of “${lastMessage}”`, async () =>
    (await allTickets(api)).find(
      (one) => one.lastMessage === lastMessage && (name === undefined || one.contact.name === name),
    ),
  )
export const accept = (server: Server, login: Login, ticket: Ticket) =>
  as(server, login).put<Ticket>(`/tickets/${ticket.id}`, { status: 'open', userId: login.userId })

let phones = 0
/** A phone that nobody has had yet. */
export const newPhone = () => {
  phones += 1
  return `55119${81_000_000 + phones}`
}
type Arrival = { name: string; text?: string; waId?: string; acceptedBy?: Login }
/** Somebody who has just written to a number of ours; her conversation, in these hands when said so. */
export const newTicket = async (
  server: Server,
  api: Api,
  number: WabaSimulator,
  { name, text = 'Oi, preciso de ajuda', waId = newPhone(), acceptedBy }: Arrival,
) => {
  const customer = number.customer({ waId, name })
  await customer.sendText(text)
  const ticket = await ticketWith(api, text, name)
  if (acceptedBy) await accept(server, acceptedBy, ticket)
  return { customer, ticket }
}
/** What a customer's phone has got from us, once it shows this. */
export const phoneShows = (customer: { inbox: Line[] }, text: string) =>
  until(`the phone shows “${text}”`, () => customer.inbox.find((line) => line.text?.includes(text)))

/** The company's first queue with these people in it, each logged in. */
export const staffQueue = async <Name extends string>(server: Server, admin: Login, names: readonly Name[]) => {
  const { items } = await as(server, admin).get<{ items: Queue[] }>('/queue')
  const queueId = items[0]?.id ?? ''
  const logins: Login[] = []
  for (const name of names) {
    logins.push(await createAgent(server, admin.token, { name, queueIds: [queueId] }))
  }
  return { queueId, people: logins }
}

/** What an agent does in /atendimento, in the words of the screen. */
export const inboxOf = (page: Page) => {
  const list = page.getByRole('region', { name: 'Atendimentos', exact: true })
  const chat = page.getByRole('region', { name: /^Conversa com / })
  const log = chat.getByRole('log', { name: 'Mensagens' })
  const field = chat.getByRole('textbox', { name: 'Mensagem', exact: true })
  const row = (name: string): Locator => list.getByRole('link').filter({ hasText: name })
  /** The bubbles that say this. */
  const bubbles = (text: string): Locator => log.locator('[id^="m-"]').filter({ hasText: text })
  /** At once: without the seconds in which it may be taken back. */
  const send = () => field.press('Control+Enter')
  return {
    list,
    chat,
    log,
    field,
    send,
    row,
    /** Goes to somebody's conversation; the one before may take a while to leave. */
    open: async (name: string) => {
      await row(name).click()
      await page.getByRole('region', { name: `Conversa com ${name}`, exact: true }).waitFor()
    },
    tab: (name: string) => list.getByRole('tab', { name }).click(),
    bubbles,
    said: (text: string): Locator => log.getByText(text),
    /** How far our last message has come: Enviada, Entregue, Lida… */
    tick: (state: string): Locator => log.getByRole('img', { name: state, exact: true }).last(),
    accept: async () => {
      await chat.getByRole('button', { name: 'Aceitar' }).click()
      await field.waitFor()
    },
    answer: async (text: string) => {
      await field.fill(text)
      await send()
      await log.getByText(text).waitFor()
    },
    answerWithPicture: async (caption: string) => {
      await chat.locator('input[type=file]').first().setInputFiles(picture)
      await chat.getByLabel(`Legenda de ${picture.name}`).waitFor()
      await field.fill(caption)
      await send()
      await log.getByRole('button', { name: `Abrir imagem ${picture.name}` }).waitFor()
    },
    /** The menu of the bubble that says this. */
    menuOf: async (text: string) => {
      const bubble = bubbles(text).last()
      await bubble.hover()
      await bubble.getByRole('button', { name: 'Ações da mensagem' }).click()
    },
    /** One of the header's further actions. */
    more: async (action: string) => {
      await chat.getByRole('button', { name: 'Mais ações' }).click()
      await page.getByRole('menuitem', { name: action, exact: true }).click()
    },
    close: async () => {
      await chat.getByRole('button', { name: 'Encerrar' }).click()
      await chat.getByText('Atendimento encerrado').waitFor()
    },
  }
}

/** A conversation before somebody, once this stands in it. */
export const openTicket = async (browser: Browser, url: string, login: Login, ticket: Ticket, text: string) => {
  const page = await openAs(browser, url, login, `/atendimento/${ticket.id}`)
  const inbox = inboxOf(page)
  await inbox.said(text).waitFor()
  return { page, inbox }
}
