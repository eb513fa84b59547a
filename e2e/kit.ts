import { mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { type Browser, type Locator, type Page, chromium as playwright } from 'playwright-core'
import { afterEach, inject } from 'vitest'
import { sessionEntries } from '../apps/web/src/kit/session.ts'
import { foundCompany, type Login, type Server, until } from './server.ts'

export * from './server.ts'

/**
 * Chromium from npm, without that package's own flags: they put everything in one process, which dies with its second
 * window, and turn off the very security of the web that the journeys rely on. Its microphone hums.
 */
export const launchBrowser = async (more: readonly string[] = []): Promise<Browser> =>
  playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [
      ...['--no-sandbox', '--no-zygote', '--disable-gpu', '--disable-domain-reliability', '--no-pings'],
      ...['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
      ...more,
    ],
    headless: true,
  })
let launched: Promise<Browser> | undefined
/** One for all files that this process runs, one after the other; it ends with the process. */
export const openBrowser = (): Promise<Browser> => {
  launched ??= launchBrowser()
  return launched
}

/** What most journeys stand on: the server of the whole run, this process's browser, a company of the file's own. */
export const openCompany = async () => {
  const { log, ...address } = inject('journeys')
  const server: Server = { ...address, output: () => readFileSync(log, 'utf8') }
  const [browser, admin] = await Promise.all([openBrowser(), foundCompany(server)])
  return { server, browser, admin }
}
export type Company = Awaited<ReturnType<typeof openCompany>>

const desktop = { width: 1440, height: 900 }
/** Longer than a person would wait: a shared machine may stand still for many seconds. */
const patienceMs = 45_000
/** Without motion: what has been closed is gone at once, and nothing moves away from under the mouse. */
const person = { locale: 'pt-BR', timezoneId: 'America/Sao_Paulo', reducedMotion: 'reduce' } as const

/** A browser window of nobody in particular. */
export const openWindow = async (browser: Browser, url: string, viewport = desktop): Promise<Page> => {
  const context = await browser.newContext({ viewport, ...person })
  context.setDefaultTimeout(patienceMs)
  const page = await context.newPage()
  await page.goto(url)
  return page
}

/** A browser window in which somebody is already logged in, as if they had come back the next morning. */
export const openAs = async (
  browser: Browser,
  url: string,
  login: Login,
  path: string,
  viewport = desktop,
): Promise<Page> => {
  const { refreshToken, ...session } = login
  const context = await browser.newContext({ viewport, ...person })
  context.setDefaultTimeout(patienceMs)
  const kept = refreshToken.matchAll(/(?:^|,)(?<name>[^=;,]+)=(?<value>[^;]*);[^,]*Path=(?<path>[^;,]*)/g)
  const cookies = [...kept].map(({ groups: { name = '', value = '', path: under = '/' } = {} }) => ({
    name,
    value,
    path: under,
  }))
  await context.addCookies(cookies.map((one) => ({ ...one, domain: 'localhost', httpOnly: true, sameSite: 'Lax' })))
  await context.addInitScript((entries: Record<string, string>) => {
    if (sessionStorage.getItem('journey') !== null) return // once: a reload finds what the product left
    sessionStorage.setItem('journey', '')
    for (const [key, text] of Object.entries(entries)) localStorage.setItem(key, text)
  }, sessionEntries(session))
  const page = await context.newPage()
  await page.goto(`${url}${path}`)
  return page
}

/** What a toast says, whatever else is on the screen. */
export const toast = (page: Page, text: string) => page.getByLabel('Avisos').getByText(text)

export const hasFocus = (one: Locator) =>
  one.evaluateAll((elements) => elements.some((element) => element === document.activeElement))

/** The choice that Enter takes. */
export const marked = (within: Locator, name: string) =>
  within.locator('[role=option][data-combobox-selected]').filter({ hasText: name })

/** By the arrows to an item of the menu that has just been opened. */
export const arrowTo = (page: Page, item: Locator) =>
  until('the arrows reach it', async () => {
    if (await hasFocus(item)) return true
    if (await hasFocus(page.getByRole('menu').locator(':focus'))) await page.keyboard.press('ArrowDown')
    return false
  })

/** Turns the wheel once; the next look finds the screen where it led. */
export const wheel = async (page: Page, pixels: number) => {
  await page.mouse.wheel(0, pixels)
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}

/** Ends every journey with no window left open; of a failed one, with a picture of what each showed and the server's log. */
export const closeWindows = (browser: () => Browser | undefined, server: () => Server | undefined) =>
  afterEach(async ({ task }) => {
    const contexts = browser()?.contexts() ?? []
    const pages = contexts.flatMap((context) => context.pages())
    if (task.result?.state === 'fail') {
      const folder = join(tmpdir(), 'balcao-journeys')
      mkdirSync(folder, { recursive: true })
      for (const [n, page] of pages.entries()) {
        const path = join(folder, `${task.name.replace(/[^a-z0-9]+/gi, '-').slice(0, 60)}-${n}.png`)
        await page.screenshot({ path, timeout: 5_000 }).catch(() => undefined) // a window may be past drawing
        console.log(`${page.url()} → ${path}`)
      }
      console.log(server()?.output().slice(-3_000))
    }
    await Promise.all(pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' }))) // a request may be on its way
    await Promise.all(contexts.map((context) => context.close()))
  })
