import { mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Flow } from '@balcao/contract/automation/flows/flows.ts'
import type { Tag } from '@balcao/contract/contacts/tags.ts'
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, openNumber } from './channels.ts'
import { allTickets, inboxOf, newPhone, picture, staffQueue } from './inbox.ts'
import {
  type Api,
  goTo,
  type Login,
  logInToPlatform,
  openAs,
  openCompany,
  openWindow,
  type Server,
  until,
} from './kit.ts'

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
const folder = join(tmpdir(), 'balcao-screens')
/** The table itself would bring the whole web app along; a row added to it is inspected without anyone asking. */
const rows = readFileSync(new URL('../apps/web/src/app/screens.ts', import.meta.url), 'utf8').split('\n')
const screenPaths = rows
  .filter((row) => !row.includes('redirects: true'))
  .flatMap((row) => /\{ path: '([^']+)'/.exec(row)?.[1] ?? [])
  // One frame draws all reports: as lines, as a heat map, as a list.
  .concat('/relatorios/volume', '/relatorios/horarios', '/relatorios/lista-contatos')
const publicPaths = [
  '/login',
  '/login?recuperar',
  '/signup',
  `/reset/1.${'x'.repeat(43)}`,
  '/masterkey',
  '/masterkey?tokenSetup=um-link',
  `/protocolo/1.${'x'.repeat(43)}`,
  `/proposta/1-${'x'.repeat(43)}`,
]
let server: Server
let browser: Browser
let admin: Login
let superadmin: Login
let ticketId: string
let flowId: string

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  const company = await openCompany()
  ;({ server, browser } = company)
  admin = company.admin.session
  superadmin = await logInToPlatform(server)
  ticketId = await furnish(company.admin.api)
})
afterAll(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()))
  await closeChannels()
})
/** A company at work: some of everything a screen can show. */
const furnish = async (api: Api) => {
  const { queueId, people } = await staffQueue(server, admin, ['Ana Souza', 'Bruno Dias'])
  const { number } = await openNumber(server, api, { name: 'WhatsApp da loja', queueId })
  await api.post('/whatsapp', {
    kind: 'webchat',
    name: 'Chat do site',
    queueId,
    config: { domains: ['loja.com.br'], title: 'Loja Teste' },
  })
  const tags = await Promise.all(
    [
      ['Cliente VIP', '#B45309'],
      ['Troca', '#0B7A75'],
      ['Atrasado', '#C62828'],
    ].map(([name, color]) => api.post<Tag>('/tags', { name, color })),
  )
  const names = ['Rita Alves', 'Sofia Melo', 'Vera Pinto', 'Otávio Nogueira de Albuquerque Lins', 'Zé']
  const customers = names.map((name) => number.customer({ waId: newPhone(), name }))
  for (const customer of customers) await customer.sendText('Bom dia! Meu pedido 4821 já saiu para entrega?')
  const tickets = await until('the tickets', async () => {
    const all = await allTickets(api)
    return all.length === names.length && all
  })
  const ticketOf = (name: string) => tickets.find((ticket) => ticket.contact.name === name)?.id ?? ''
  const mine = ticketOf('Rita Alves')
  await api.put(`/tickets/${mine}`, { status: 'open', userId: admin.userId, tagIds: tags.map((tag) => tag.id) })
  await api.put(`/tickets/${ticketOf('Vera Pinto')}`, { status: 'open', userId: people[0]?.userId })
  await api.put(`/tickets/${ticketOf('Zé')}`, { status: 'closed' })
  const [rita] = customers
  await rita?.sendImage(undefined, 'O comprovante')
  await rita?.sendAudio()
  await rita?.sendDocument()
  await rita?.sendPlace({ latitude: -23.55, longitude: -46.63, name: 'Praça da Sé', address: 'São Paulo' })
  await rita?.sendCard({ name: 'Bia Ramos', phone: '+55 11 97777-6666' })
  const inbox = inboxOf(await openAs(browser, server.url, admin, `/atendimento/${mine}`))
  await inbox.said('Bia Ramos').waitFor()
  await inbox.answer('Bom dia, Rita! Saiu hoje cedo e chega até as 18 h. https://exemplo.com.br/rastreio')
  await inbox.answerWithPicture('A etiqueta')
  await inbox.log.getByRole('button', { name: `Abrir imagem ${picture.name}` }).waitFor()
  const line = await until('her phone shows it', () => rita?.inbox[0])
  await rita?.react(line.id, '❤️')
  await rita?.replyTo(line.id, 'Que ótimo!')
  flowId = (await api.post<Flow>('/chat-flow', { name: 'Recepção', model: 'clinica' })).id
  await api.post('/fastreply', { key: 'pix', message: 'Nossa chave Pix é financeiro@loja.com.br', scope: 'everyone' })
  await Promise.all(browser.contexts().map((context) => context.close()))
  return mine
}

type Rule = { id: string; enabled: boolean; impact: string; tags: string[] }
/** axe tells a rule's weight nowhere else; what is not serious is not even looked for. */
const seriousRules = (Reflect.get(axe, '_audit') as { rules: Rule[] }).rules
  .filter(({ enabled, tags }) => enabled && !tags.includes('experimental'))
  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
  .map(({ id }) => id)
const axeSource = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

type Look = { hour: 'light' | 'dark'; size: keyof typeof sizes }
const looks = new WeakMap<Page, Look>()
/** Again until it is heard: a screen that has just come may not listen yet. */
const turnTo = (page: Page, hour: Look['hour']) =>
  until(`it is ${hour}`, async () => {
    await page.evaluate(
      `localStorage.setItem('isDark', '${hour === 'dark'}'); window.dispatchEvent(new StorageEvent('storage', { key: 'isDark' }))`,
    )
    return page.locator(`html[data-mantine-color-scheme=${hour}]`).count()
  })

/**
 * Each screen at both sizes and both hours: everything that axe calls serious at each size, and only the colours, which
 * alone differ, at its other hour. The next screen begins where this one ended. With PICTURES=1 a picture of each for who
 * wants to look.
 */
const inspect = async (page: Page, name: string, arrive: () => Promise<unknown>) => {
  const look: Look = looks.get(page) ?? { hour: 'light', size: 'desktop' }
  looks.set(page, look)
  const found: string[] = []
  const see = async (rules: string[]) =>
    found.push(...(await analyze(page, `${look.size}-${name}-${look.hour}`, rules)))
  const turn = async () => {
    look.hour = look.hour === 'dark' ? 'light' : 'dark'
    await turnTo(page, look.hour)
  }
  await see(seriousRules)
  await turn()
  await see(['color-contrast'])
  look.size = look.size === 'desktop' ? 'phone' : 'desktop'
  await page.setViewportSize(sizes[look.size])
  await arrive()
  await see(seriousRules)
  await turn()
  await see(['color-contrast'])
  return found
}

const analyze = async (page: Page, name: string, runOnly: string[]) => {
  if (process.env.PICTURES) await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  const options: RunOptions = { runOnly, resultTypes: ['violations'], preload: false }
  const { violations } = await page.evaluate<Pick<AxeResults, 'violations'>>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => ({ violations }))`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${name}: ${id} at ${html}: ${failureSummary?.split('\n')[1]?.trim()}`),
  )
}

const settled = async (page: Page) => {
  await page.getByRole('main').or(page.getByRole('heading')).first().waitFor()
  // Its code has come. A function, not its text: what is asked twice as text is `eval`, and our pages refuse that.
  await page.waitForFunction(() => document.querySelector('main, form')?.textContent?.trim())
  await until('nothing is loading', async () => (await page.getByRole('status', { name: 'Carregando' }).count()) === 0)
  await page.evaluate('document.fonts.ready')
}

const ofPlatform = [
  '/assinatura',
  '/monitor/instalacao',
  '/tenants',
  '/sessoestenants',
  '/usuariotenants',
  '/auditoriatenants',
  '/configuracoesTenant/smtp-tenant',
]
const ofCompany = screenPaths.filter((path) => !ofPlatform.includes(path))
const addressOfScreen = (page: Page) => new URL(page.url()).pathname

const isFirstHalf = (path: string) => ofCompany.indexOf(path) < ofCompany.length * 0.6
/** Two windows at once: while one waits for the server, axe works in the other. */
const windows: [string, () => Promise<{ page: Page; paths: string[]; isLoaded?: boolean }[]>][] = [
  [
    'the first half of the menu',
    async () => [{ page: await openAs(browser, server.url, admin, '/perfil'), paths: ofCompany.filter(isFirstHalf) }],
  ],
  [
    'the other half, what is in no menu, the platform and the doors',
    async () => [
      {
        page: await openAs(browser, server.url, admin, '/perfil'),
        paths: [
          ...ofCompany.filter((path) => !isFirstHalf(path)),
          `/atendimento/${ticketId}`,
          `/chat-flow/builder/${flowId}`,
          '/nao-existe',
          '/atendimento?aba=pendentes',
        ],
      },
      { page: await openAs(browser, server.url, superadmin, '/perfil'), paths: ofPlatform },
      { page: await openWindow(browser, `${server.url}/login`), paths: publicPaths, isLoaded: true },
    ],
  ],
]

test.concurrent.each(windows)(
  'every screen, on a desktop and on a phone, by day and by night: axe finds nothing serious (%s)',
  async (_half, open) => {
    const found: string[] = []
    for (const { page, paths, isLoaded = false } of await open()) {
      const go = (path: string) => (isLoaded ? page.goto(`${server.url}${path}`) : goTo(page, path))
      const settle = async (path: string) => {
        await settled(page).catch((error) => {
          throw new Error(`${path} did not settle`, { cause: error })
        })
        if (path.includes(ticketId)) await inboxOf(page).said('Que ótimo!').waitFor()
      }
      for (const path of paths) {
        await go(path)
        await settle(path)
        const address = addressOfScreen(page)
        const name = path
          .replace(ticketId, 'conversa')
          .replace(flowId, 'fluxo')
          .replace(/[^a-z]+/gi, '-')
          .slice(1, 40)
        const arrive = async () => {
          // What leads on at one size may stay at the other.
          if (address !== path.split('?')[0]) await go(path)
          await settle(path)
        }
        found.push(...(await inspect(page, name, arrive)))
      }
    }
    expect(found).toEqual([])
  },
  480_000,
)
