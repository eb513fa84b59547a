import { readFileSync } from 'node:fs'
import chromium from '@sparticuz/chromium'
import { type Browser, type Locator, type Page, chromium as playwright } from 'playwright-core'
import { inject } from 'vitest'
import { foundCompany, type Server, until } from './server.ts'

export * from './server.ts'
export * from './windows.ts'

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
