import chromium from '@sparticuz/chromium'
import { type Page, chromium as playwright } from 'playwright-core'
import { sessionEntries } from '../../apps/web/src/kit/session.ts'
import type { Bench } from '../bench.ts'
import { connect } from '../load.ts'
import { atMost, percentile, rounded, tell } from '../report.ts'
import { tenantId } from '../seed.ts'
import { activeCustomers, sweep, webhook } from '../webhook.ts'
import { longestTicket } from './history.ts'

/**
 * The inbox as a person has it, in a real browser on this same machine: the server, PostgreSQL and the browser share
 * its cores, so these figures are worse than a person's.
 */
export const measureBrowser = async (bench: Bench) => {
  await sweep(bench.db)
  // What is unread opens at its first new message; here every conversation opens at its end.
  await bench.db.query(`update tickets set unread_messages = 0 where tenant_id = $1 and status <> 'closed'`, [tenantId])
  const { browser, page } = await openInbox(bench)
  try {
    await measureOpening(bench, page)
    await measureTyping(bench, page)
    await measureRush(bench, page)
  } finally {
    await browser.close()
    await sweep(bench.db)
  }
}

export const openInbox = async (bench: Bench) => {
  const opened = await openPage(bench, '/atendimento/chats/?showAll=true')
  await opened.page.locator('[data-ticket]').first().waitFor()
  return opened
}
export const openPage = async ({ server, admin, sessionOf }: Bench, path: string) => {
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu'],
    headless: true,
  })
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.addInitScript(
    (entries) => {
      for (const [key, text] of Object.entries(entries)) localStorage.setItem(key, text)
      const long: number[] = []
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) long.push(entry.duration)
      }).observe({ entryTypes: ['longtask'] })
      Object.assign(window, { long })
    },
    { ...sessionEntries(await sessionOf(admin)) },
  )
  await page.goto(`http://localhost:${server.port}${path}`)
  return { browser, page }
}

export type Target = { id: string; lastMessageId: string }
export const lastMessages = `select t.id, (select m.id from messages m where m.tenant_id = t.tenant_id and m.ticket_id = t.id order by m.seq desc limit 1) as "lastMessageId" from tickets t`

/** Opens a ticket as a click does and answers how long until its last message and the composer are there. */
export const timeToOpen = (page: Page, target: Target) =>
  page.evaluate(
    ({ id, lastMessageId }) =>
      new Promise<number>((resolve, reject) => {
        const startedAt = performance.now()
        const look = () => {
          const isThere =
            location.pathname.endsWith(id) && document.getElementById(`m-${lastMessageId}`)?.checkVisibility()
          const canWrite = [...document.querySelectorAll('textarea')].some((field) => field.checkVisibility())
          if (isThere && canWrite) return resolve(performance.now() - startedAt)
          if (performance.now() - startedAt > 10_000) return reject(new Error(`${id} did not open`))
          requestAnimationFrame(look)
        }
        const row = document.querySelector<HTMLElement>(`[data-ticket="${id}"]`)
        if (row) row.click()
        else {
          history.pushState({}, '', `/atendimento/${id}${location.search}`)
          dispatchEvent(new PopStateEvent('popstate'))
        }
        look()
      }),
    target,
  )
export const longestTask = (page: Page) =>
  page.evaluate(() => {
    const { long } = window as unknown as { long: number[] }
    return Math.max(0, ...long.splice(0))
  })

const measureOpening = async ({ db }: Bench, page: Page) => {
  const { ticketId } = await longestTicket(db)
  const { rows: own } = await db.query<Target>(`${lastMessages} where t.tenant_id = $1 and t.id = $2`, [
    tenantId,
    ticketId,
  ])
  const shown = await page
    .locator('[data-ticket]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-ticket')))
  const { rows: others } = await db.query<Target>(`${lastMessages} where t.tenant_id = $1 and t.id = any($2::uuid[])`, [
    tenantId,
    shown,
  ])
  const [long] = own
  const [one, two] = others
  if (!long || !one || !two) throw new Error('Nothing to open')

  await timeToOpen(page, one) // the route's code arrives with the first
  await longestTask(page)
  const opened = await timeToOpen(page, long)
  atMost(500, { name: 'browser: a conversation of 100,000 messages, usable', value: opened, unit: 'ms' })
  atMost(100, { name: 'browser: longest task while it opens', value: await longestTask(page), unit: 'ms' })

  await timeToOpen(page, two)
  const switches: number[] = []
  for (let n = 0; n < 20; n += 1) {
    await page.waitForTimeout(150)
    switches.push(await timeToOpen(page, n % 2 ? two : one))
  }
  atMost(100, {
    name: 'browser: switch between two open tickets, p95',
    value: percentile(switches, 95),
    unit: 'ms',
    compared: { p50Ms: rounded(percentile(switches, 50)) },
  })
}

/** Sends messages of customers at this pace, over a few kept connections as Meta does, until told to stop. */
const rain = async ({ db, server }: Bench, perSecond: number) => {
  const customers = await activeCustomers(db)
  let isOver = false
  const lines = await Promise.all(
    Array.from({ length: 16 }, async () => ({
      ...(await connect(server.port)),
      last: Promise.resolve() as Promise<unknown>,
    })),
  )
  const startedAt = performance.now()
  const falling = (async () => {
    let sent = 0
    while (!isOver) {
      const wait = startedAt + (sent * 1_000) / perSecond - performance.now()
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
      const customer = customers[(sent * 11) % customers.length]
      const line = lines[sent % lines.length]
      if (!customer || !line) throw new Error('Nobody writes')
      const request = webhook(customer, `Bom dia, meu pedido ${sent} já saiu?`)
      line.last = line.last.then(() => line.send(request))
      sent += 1
    }
    await Promise.all(lines.map(({ last }) => last))
    for (const line of lines) line.close()
    return sent / ((performance.now() - startedAt) / 1_000)
  })()
  return {
    stop: () => {
      isOver = true
      return falling
    },
  }
}

/** Typing while the list holds 5,000 tickets and 20 messages a second arrive: a frame that comes late is seen. */
const measureTyping = async (bench: Bench, page: Page) => {
  const rows = await loadRows(page, bench.scale < 1 ? 200 : 5_000)
  const weather = await rain(bench, 20)
  await page.waitForTimeout(1_000)
  await page.locator('textarea:visible').first().focus()
  const frames = page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const gaps: number[] = []
        const endsAt = performance.now() + 8_000
        let before = performance.now()
        const frame = (now: number) => {
          gaps.push(now - before)
          before = now
          if (now < endsAt) requestAnimationFrame(frame)
          else resolve(gaps.slice(1))
        }
        requestAnimationFrame(frame)
      }),
  )
  await longestTask(page)
  await page.keyboard.type('Bom dia! Seu pedido saiu hoje de manhã e chega até sexta-feira. '.repeat(2), { delay: 45 })
  const gaps = await frames
  await weather.stop()
  const late = gaps.filter((gap) => gap > 34).length
  atMost(0, {
    name: 'browser: frames dropped while typing (8 s)',
    value: late,
    unit: 'frames',
    compared: {
      frames: gaps.length,
      longestMs: rounded(Math.max(...gaps)),
      rows,
      longestTaskMs: await longestTask(page),
    },
  })
  await page.locator('textarea:visible').first().fill('')
}

/** Scrolls the list until it holds this many. */
const loadRows = async (page: Page, wanted: number) => {
  let loaded = 0
  page.on('response', (response) => {
    if (/\/api\/tickets\?/.test(response.url())) loaded += 40
  })
  const endsAt = Date.now() + 90_000
  while (loaded < wanted && Date.now() < endsAt) {
    await scrollList(page, 1e9)
    await page.waitForTimeout(40)
  }
  await scrollList(page, 0)
  return loaded
}

const scrollList = (page: Page, top: number) =>
  page.evaluate((wanted) => {
    let frame = document.querySelector<HTMLElement>('[data-ticket]')?.parentElement
    while (frame && !['auto', 'scroll'].includes(getComputedStyle(frame).overflowY)) frame = frame.parentElement
    if (frame) frame.scrollTop = wanted
  }, top)

/** A rush of 200 messages a second to one browser: the person still works. */
const measureRush = async (bench: Bench, page: Page) => {
  const weather = await rain(bench, 200)
  await page.waitForTimeout(2_000)
  const interactions: number[] = []
  for (let n = 0; n < 24; n += 1) {
    interactions.push(await timeToPaint(page, n))
    await page.waitForTimeout(200)
  }
  const perSecond = await weather.stop()
  atMost(200, {
    name: 'browser: interaction during 200 events/s, p95',
    value: percentile(interactions, 95),
    unit: 'ms',
    compared: {
      p50Ms: rounded(percentile(interactions, 50)),
      maxMs: rounded(Math.max(...interactions)),
      perSecond: rounded(perSecond),
    },
  })
  tell({ name: 'browser: longest task during it', value: await longestTask(page), unit: 'ms' })
}

/** From a press of a key or a click on a row to the frame that shows it. */
const timeToPaint = (page: Page, n: number) =>
  page.evaluate(
    (turn) =>
      new Promise<number>((resolve) => {
        const rows = document.querySelectorAll<HTMLElement>('[data-ticket]')
        const row = rows[1 + (turn % 5)]
        const id = row?.getAttribute('data-ticket') ?? ''
        const startedAt = performance.now()
        row?.click()
        const look = () =>
          location.pathname.endsWith(id) || performance.now() - startedAt > 5_000
            ? requestAnimationFrame(() => resolve(performance.now() - startedAt))
            : requestAnimationFrame(look)
        look()
      }),
    n,
  )
