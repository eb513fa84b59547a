import type { Queue } from '@balcao/contract/queues.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { sampleMedia } from '@balcao/simulators/samples.ts'
import type { Locator, Page } from 'playwright-core'
import { client, createAgent, type Login, type Server } from './kit.ts'

const { bytes: buffer, mimeType } = sampleMedia('image')
export const picture = { name: 'caneca.jpg', mimeType, buffer }

/** Every ticket of the company, closed ones too. */
export const allTickets = async (api: ReturnType<typeof client>) =>
  (await api.get<{ items: Ticket[] }>('/tickets?showAll=true&limit=100&status=open&status=pending&status=closed')).items

/** The company's first queue with these people in it, each logged in. */
export const staffQueue = async <Name extends string>(server: Server, admin: Login, names: readonly Name[]) => {
  const api = client(server.url, admin.token)
  const { items } = await api.get<{ items: Queue[] }>('/queue')
  const queueId = items[0]?.id ?? ''
  const logins: Login[] = []
  for (const name of names) {
    const email = `${name.toLowerCase().replace(/\W+/g, '.')}@teste.local`
    logins.push(await createAgent(server, admin.token, { name, email, queueIds: [queueId] }))
  }
  return { queueId, people: logins }
}

/** What an agent does in /atendimento, in the words of the screen. */
export const inboxOf = (page: Page) => {
  const list = page.getByRole('region', { name: 'Atendimentos', exact: true })
  const chat = page.getByRole('region', { name: /^Conversa com / })
  const log = chat.getByRole('log', { name: 'Mensagens' })
  const field = chat.getByRole('textbox', { name: 'Mensagem', exact: true })
  /** At once: without the seconds in which it may be taken back. */
  const send = () => field.press('Control+Enter')
  return {
    list,
    chat,
    log,
    field,
    send,
    row: (name: string): Locator => list.getByRole('link').filter({ hasText: name }),
    tab: (name: 'Abertos' | 'Pendentes' | 'Fechados') => list.getByRole('tab', { name }).click(),
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
      const bubble = log.locator('[id^="m-"]').filter({ hasText: text }).last()
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
