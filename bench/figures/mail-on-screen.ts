import type { Page } from 'playwright-core'
import { type Bench, bearer } from '../bench.ts'
import { atMost, percentile, rounded } from '../report.ts'
import { tenantId } from '../seed.ts'
import { lastMessages, openInbox, type Target, timeToOpen } from './browser.ts'

const row =
  '<table><tr><td style="color:#333" onclick="parent.hurt=1"><a href="https://x.example/">Produto</a> R$ 10,00<img src="https://x.example/espia.gif"></td></tr></table>\n'
const hostile = '<script>parent.hurt = 1</script><img src=x onerror="parent.hurt = 1"><p>Bom dia</p>'

/** A mail of ten megabytes as a person meets it: from the click on its conversation until its first words are painted. */
export const measureMailOnScreen = async (bench: Bench) => {
  const { db } = bench
  const { browser, page } = await openInbox(bench)
  await page.setExtraHTTPHeaders(bearer(bench.admin)) // a frame asks by the cookie of a login, which nobody did here
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).hostname))
  const { rows } = await db.query<Target>(
    `${lastMessages} where t.tenant_id = $1 and t.id = any($2::uuid[]) order by t.id limit 2`,
    [tenantId, await page.locator('[data-ticket]').evaluateAll((all) => all.map((one) => one.dataset.ticket))],
  )
  const [mailed, other] = rows
  if (!mailed || !other) throw new Error('Nothing to open')
  const payload = { mail: { subject: 'Catálogo', cc: [], isFormatted: true } }
  const { rows: kept } = await db.query<{ payload: object | null }>(
    'select payload from messages where tenant_id = $1 and id = $2',
    [tenantId, mailed.lastMessageId],
  )
  const keep = (is: object | null | undefined) =>
    db.query('update messages set payload = $3 where tenant_id = $1 and id = $2', [tenantId, mailed.lastMessageId, is])
  try {
    await db.query('insert into mail_bodies (tenant_id, message_id, html) values ($1, $2, $3)', [
      tenantId,
      mailed.lastMessageId,
      hostile + row.repeat(10_000_000 / row.length),
    ])
    await keep(payload)
    const times: number[] = []
    for (let n = 0; n < 7; n += 1) {
      await timeToOpen(page, other)
      times.push(await timeToMail(page, mailed))
    }
    atMost(1_000, {
      name: 'browser: a mail of 10 MB, from the click to its first words painted, p50 of 7',
      value: percentile(times, 50),
      unit: 'ms',
      compared: { first: rounded(times[0] ?? Number.NaN), dearest: rounded(Math.max(...times)) },
    })
    const hurt = await page.evaluate(() => 'hurt' in window)
    atMost(0, {
      name: 'browser: what that mail ran, and other servers it asked',
      value: Number(hurt) + asked.filter((host) => host !== 'localhost').length,
      unit: 'times',
    })
  } finally {
    await keep(kept[0]?.payload)
    await db.query('delete from mail_bodies where tenant_id = $1 and message_id = $2', [tenantId, mailed.lastMessageId])
    await browser.close()
  }
}

const timeToMail = (page: Page, { id }: Target) =>
  page.evaluate(
    (ticketId) =>
      new Promise<number>((resolve, reject) => {
        const startedAt = performance.now()
        const look = () => {
          const frame = document.querySelector<HTMLIFrameElement>('iframe[title="Catálogo"]')
          const isThere = frame?.contentDocument?.body?.textContent?.includes('Bom dia') && frame.offsetHeight > 200
          if (isThere) return requestAnimationFrame(() => resolve(performance.now() - startedAt))
          if (performance.now() - startedAt > 20_000) return reject(new Error('The mail was not shown'))
          requestAnimationFrame(look)
        }
        document.querySelector<HTMLElement>(`[data-ticket="${ticketId}"]`)?.click()
        look()
      }),
    id,
  )
