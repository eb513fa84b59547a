import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, inject } from 'vitest'
import { sessionEntries } from '../apps/web/src/kit/session.ts'
import type { Login, Server } from './server.ts'

const desktop = { width: 1440, height: 900 }
/** Longer than a person would wait: a shared machine may stand still for many seconds. */
const patienceMs = 45_000
/** Without motion: what has been closed is gone at once, and nothing moves away from under the mouse. */
const person = { locale: 'pt-BR', timezoneId: 'America/Sao_Paulo', reducedMotion: 'reduce' } as const

/** A browser window of nobody in particular. */
export const openWindow = async (browser: Browser, url: string, viewport = desktop): Promise<Page> => {
  const page = await openEmpty(browser, new URL(url).origin, viewport)
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
  const owner = JSON.stringify([url, login.userId, login.configs, viewport])
  const rested = takeRested(browser, owner)
  if (rested) {
    await rested.evaluate(() => {
      for (const close of document.querySelectorAll<HTMLElement>('[data-toast] [aria-label="Fechar aviso"]'))
        close.click()
    })
    await goTo(rested, path)
    return rested
  }
  const { refreshToken, ...session } = login
  const page = await openEmpty(browser, url, viewport)
  const context = page.context()
  const kept = refreshToken.matchAll(/(?:^|,)(?<name>[^=;,]+)=(?<value>[^;]*);[^,]*Path=(?<path>[^;,]*)/g)
  const cookies = [...kept].map(({ groups: { name = '', value = '', path: under = '/' } = {} }) => ({
    name,
    value,
    path: under,
  }))
  await context.addCookies(cookies.map((one) => ({ ...one, domain: 'localhost', httpOnly: true, sameSite: 'Lax' })))
  await page.goto(`${url}${blank}`)
  const entries = sessionEntries(session)
  await page.evaluate((all) => {
    for (const [key, text] of Object.entries(all)) localStorage.setItem(key, text)
  }, entries)
  await page.goto(`${url}${path}`)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Page.resetNavigationHistory')
  await devtools.detach() // with two sessions, a page loaded without a network would believe that it has one
  owners.set(context, { owner, userId: login.userId, stored: Object.keys(entries) })
  return page
}

/** A page of the server's where none of our code runs. */
const blank = '/health'
/** Windows that nobody is in any more, by the server they have been on: the app's code need not come to them again. */
const vacant: { origin: string; page: Page }[] = []
const mostVacant = 4

const openEmpty = async (browser: Browser, origin: string, viewport: typeof desktop): Promise<Page> => {
  const at = vacant.findIndex(({ page, ...one }) => {
    return !page.isClosed() && one.origin === origin && page.context().browser() === browser
  })
  const page = at < 0 ? undefined : vacant.splice(at, 1)[0]?.page
  if (page) {
    await page.setViewportSize(viewport)
    return page
  }
  const context = await browser.newContext({ viewport, ...person })
  context.setDefaultTimeout(patienceMs)
  return context.newPage()
}

/** Leaves nothing of whoever was in it: what they kept here, were given, had asked for, and where they had been. */
const vacate = async (page: Page, origin: string) => {
  const context = page.context()
  await Promise.all([
    context.setOffline(false),
    context.setExtraHTTPHeaders({}),
    context.clearPermissions(),
    page.mouse.move(-1, -1),
  ])
  page.removeAllListeners('console')
  await page.goto(`${origin}${blank}`)
  await page.evaluate(() => sessionStorage.clear())
  const devtools = await context.newCDPSession(page)
  // The service worker and the page it keeps are everybody's.
  const storageTypes = 'cookies,file_systems,indexeddb,local_storage'
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes })
  await context.clearCookies()
  await devtools.send('Page.resetNavigationHistory')
  await devtools.detach()
  owners.delete(context)
  vacant.push({ origin, page })
}

/** As a link of the menu does, without loading the app anew; the screen before has gone when this ends. */
export const goTo = async (page: Page, path: string) => {
  await page.evaluate((to) => {
    for (const child of document.querySelectorAll('main > *')) child.setAttribute('data-before', '')
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.locator('[data-before]').first().waitFor({ state: 'detached' })
}

type Owner = { owner: string; userId: string; stored: string[] }
const owners = new WeakMap<BrowserContext, Owner>()
/** Windows of people who stay from one journey to the next: where nothing happens, with nothing of the journey before. */
const resting: { owner: string; page: Page }[] = []
const nowhere = '/entre-duas-jornadas'

const takeRested = (browser: Browser, owner: string) => {
  const at = resting.findIndex((one) => one.owner === owner && one.page.context().browser() === browser)
  return at < 0 ? undefined : resting.splice(at, 1)[0]?.page
}

/** Leaves the screen and what it kept in the browser. What cannot be left so is no window for another journey. */
const rest = async (page: Page, { owner, stored }: Owner) => {
  await page.context().setOffline(false)
  await page.mouse.move(-1, -1)
  await goTo(page, nowhere)
  await page.evaluate((names) => {
    for (const key of Object.keys(localStorage).filter((one) => !names.includes(one))) {
      localStorage.removeItem(key)
      dispatchEvent(new StorageEvent('storage', { key, newValue: null, storageArea: localStorage }))
    }
  }, stored)
  const open = page.locator('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]').filter({ visible: true })
  if (new URL(page.url()).pathname !== nowhere || (await open.count()) > 0) throw new Error('Not left')
  resting.push({ owner, page })
}

/** Whether it has been nowhere but on the server of all journeys, in one page. */
const mayBeAnothers = (page: Page) =>
  vacant.filter((one) => !one.page.isClosed()).length < mostVacant &&
  page.context().pages().length === 1 &&
  new URL(page.url()).origin === originOfAll()
const originOfAll = () => inject('journeys').url

/** Given to the next who needs one; what cannot be left so is closed. */
const handOver = async (context: BrowserContext) => {
  const [page] = context.pages()
  if (!page || !mayBeAnothers(page)) return context.close()
  page.setDefaultTimeout(5_000)
  await vacate(page, originOfAll()).then(
    () => page.setDefaultTimeout(patienceMs),
    () => context.close(),
  )
}

const isKept = (context: BrowserContext) => [...resting, ...vacant].some(({ page }) => page.context() === context)

/**
 * Ends every journey with no window left open but those of people who stay, to whom the next one goes without a load;
 * of a failed one, with a picture of what each showed and the server's log.
 */
export const closeWindows = (
  browser: () => Browser | undefined,
  server: () => Server | undefined,
  { staying = () => [] }: { staying?: () => readonly Login[] } = {},
) => {
  afterEach(async ({ task }) => {
    const contexts = (browser()?.contexts() ?? []).filter((one) => !isKept(one))
    const pages = contexts.flatMap((context) => context.pages())
    const hasFailed = task.result?.state === 'fail'
    if (hasFailed) {
      const folder = join(tmpdir(), 'balcao-journeys')
      mkdirSync(folder, { recursive: true })
      for (const [n, page] of pages.entries()) {
        const name = task.name.replace(/[^a-z0-9]+/gi, '-').slice(0, 60)
        const path = join(folder, `${name}-${Date.now()}-${n}.png`)
        await page.screenshot({ path, timeout: 5_000 }).catch(() => undefined) // a window may be past drawing
        console.log(`${page.url()} → ${path}`)
      }
      console.log(server()?.output().slice(-3_000))
    }
    await Promise.all(pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' }))) // a request may be on its way
    const stay = new Set(staying().map(({ userId }) => userId))
    const end = async (context: BrowserContext) => {
      const owner = owners.get(context)
      const [page, ...more] = context.pages()
      const stays = owner && stay.has(owner.userId) && page && more.length === 0
      if (hasFailed) return context.close()
      if (!stays) return handOver(context)
      page.setDefaultTimeout(3_000)
      await rest(page, owner).then(
        () => page.setDefaultTimeout(patienceMs),
        () => context.close(),
      )
    }
    await Promise.all(contexts.map(end))
  })
  afterAll(async () => {
    resting.length = 0
    await Promise.all((browser()?.contexts() ?? []).filter((one) => !isKept(one)).map(handOver))
  })
}
