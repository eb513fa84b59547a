import { and, eq, sql } from 'drizzle-orm'
import { type Prepared, platformRows, type Tx, withTenant } from '../../../db/database.ts'
import { campaigns } from '../../../db/schema/operations/campaigns.ts'
import { log } from '../../../kit/log.ts'
import { takeDue } from '../../../kit/queue-sql.ts'
import type { Round } from '../../../kit/workers.ts'
import { brakeFor, countLastHour } from './brake.ts'
import type { StoredCampaign } from './campaigns.present.ts'
import { freezeSlice, prepareSlice } from './prepare.ts'
import { signOf } from './signs.ts'
import { beginScheduled, end, fromNow, goOn, move, pauseByItself, stopBecause } from './transitions.ts'
import { winnerOf } from './variants.ts'

const atOnce = 10
/** One that was taken and not spoken of again, because its process ended, is looked at anew after so long. */
const leaseS = 120
/** A running campaign is looked at so often. */
const lookMs = 5_000
/** Whoever comes to belong to it is looked for so often, a slice at a time. */
const lateMs = 5 * 60_000

const isDue = `state in ('scheduled', 'preparing', 'running', 'paused') and due_at <= now()`
export const isCampaignDue = `select from campaigns where ${isDue}`

type Due = { tenantId: number; id: string }
/** Campaigns that have something to do about themselves: begin, freeze their audience, find a winner, stop, go on, end. */
export const lookAfterCampaigns = async (): Promise<Round> => {
  const due = await platformRows<Due>(claim, [atOnce, leaseS])
  const more = await Promise.all(due.map(attempt))
  return { did: due.length, isMore: more.some(Boolean) }
}
const claim: Prepared = {
  name: 'campaigns_claim',
  text: takeDue({
    table: 'campaigns',
    key: ['tenant_id', 'id'],
    where: isDue,
    order: 'due_at',
    set: 'due_at = now() + make_interval(secs => $2)',
    returning: 'q.tenant_id as "tenantId", q.id',
  }),
}

/** Answers whether it goes on at once. */
const attempt = async (due: Due): Promise<boolean> => {
  const { tenantId, id } = due
  try {
    const prepared = await prepareSlice(tenantId, id, { whole, stuck: stopBecause })
    if (prepared) {
      const goesOn = !prepared.isWhole && !prepared.isWaiting
      if (goesOn) await withTenant(tenantId, (tx) => lookAgain(tx, id, 0))
      return goesOn
    }
    await withTenant(tenantId, async (tx) => {
      const { row, now } = (await hold(tx, id)) ?? {}
      if (!row || !now) return
      if (row.state === 'scheduled') await beginScheduled(tx, row)
      if (row.state === 'running') await lookAfter(tx, row, now)
      if (row.state === 'paused') await lookAfterCanary(tx, row, now)
    })
    return false
  } catch (error) {
    log.error({ err: error, tenantId, campaignId: id }, 'campaign not looked after')
    return false
  }
}

/** With the moment by the database's clock, as who feeds it has it. */
const hold = async (tx: Tx, id: string): Promise<{ row: StoredCampaign; now: Date } | undefined> => {
  const [held] = await tx.db
    .select({ row: campaigns, now: sql<string>`now()` })
    .from(campaigns)
    .where(and(eq(campaigns.tenantId, tx.tenantId), eq(campaigns.id, id)))
    .for('no key update')
  return held && { row: held.row, now: new Date(held.now) }
}
const lookAgain = (tx: Tx, id: string, inMs: number) =>
  tx.db
    .update(campaigns)
    .set({ dueAt: fromNow(inMs) })
    .where(and(eq(campaigns.tenantId, tx.tenantId), eq(campaigns.id, id)))

/** Its audience is frozen whole: it runs, the first few before the others where that was asked for. */
const whole = (tx: Tx, row: StoredCampaign) =>
  move(tx, row, {
    state: 'running',
    preparedAt: fromNow(),
    canaryLeft: row.plan.canary?.size ?? null,
    dueAt: fromNow(lookMs),
  })
const lookAfter = async (tx: Tx, row: StoredCampaign, now: Date) => {
  if (row.endsAt && row.endsAt <= now) return end(tx, row, 'finished', null)
  const sign = (await signOf(tx, row, now)) ?? brakeFor(row.plan.brake, await countLastHour(tx, row, now))
  if (sign) return pauseByItself(tx, row, sign)
  await findWinners(tx, row, now)
  if (row.plan.audience.takesLate) await takeLate(tx, row, now)
  else {
    const [open] = await tx.rows<{ isOver: boolean }>(isOver, [tx.tenantId, row.id])
    if (open?.isOver) return end(tx, row, 'finished', null)
  }
  await lookAgain(tx, row.id, lookMs)
}
/** Nobody waits, and what was written has left or will not. */
const isOver: Prepared = {
  name: 'campaign_is_over',
  text: `select not exists (select from campaign_recipients where tenant_id = $1 and campaign_id = $2 and state = 'waiting')
    and not exists (select from campaign_recipients where tenant_id = $1 and campaign_id = $2 and state = 'written') as "isOver"`,
}

/** The next slice of who belongs to it by now, some time after the last one; who is a recipient already stays as they are. */
const takeLate = async (tx: Tx, row: StoredCampaign, now: Date) => {
  const wholeAt = row.preparedAt?.getTime() ?? 0
  if (row.preparedUpTo === null && now.getTime() - wholeAt < lateMs) return
  const { upTo } = await freezeSlice(tx, row, row.preparedUpTo)
  await tx.db
    .update(campaigns)
    .set({ preparedUpTo: upTo, ...(upTo === null && { preparedAt: fromNow() }) })
    .where(and(eq(campaigns.tenantId, tx.tenantId), eq(campaigns.id, row.id)))
}

type Fared = { step: number; variant: number; sent: number; read: number; answered: number; firstAt: Date | null }
/** The test of a step is over so many hours after its first send: what is left of it takes the variant that fared best. */
const findWinners = async (tx: Tx, row: StoredCampaign, now: Date) => {
  const open = row.plan.steps.flatMap(({ test }, step) => (test && !(step in row.winners) ? [{ step, test }] : []))
  if (!open.length) return
  const fared = await tx.rows<Fared>(faredOf, [tx.tenantId, row.id])
  const winners = { ...row.winners }
  for (const { step, test } of open) {
    const tried = fared.filter((one) => one.step === step && one.firstAt)
    const firstAt = Math.min(...tried.map(({ firstAt }) => firstAt?.getTime() ?? Infinity))
    if (firstAt + test.hours * 3_600_000 > now.getTime()) continue
    winners[step] = winnerOf(tried.map((one) => ({ variant: one.variant, sent: one.sent, wins: one[test.by] })))
  }
  if (Object.keys(winners).length > Object.keys(row.winners).length) await move(tx, row, { winners })
}
const faredOf: Prepared = {
  name: 'campaign_fared',
  text: `select step, variant, coalesce(sum(count) filter (where mark = 'sent'), 0)::float8 as sent,
      coalesce(sum(count) filter (where mark = 'read'), 0)::float8 as read,
      coalesce(sum(count) filter (where mark = 'answered'), 0)::float8 as answered, min(at) filter (where mark = 'sent') as "firstAt"
    from campaign_tallies where tenant_id = $1 and campaign_id = $2 and variant >= 0 group by step, variant`,
}

/** The first few were well received, or nobody can say otherwise: the rest goes. */
const lookAfterCanary = async (tx: Tx, row: StoredCampaign, now: Date) => {
  if (row.pauseCode !== 'canary') return
  const sign = (await signOf(tx, row, now)) ?? brakeFor(row.plan.brake, await countLastHour(tx, row, now))
  if (sign) await pauseByItself(tx, row, sign)
  else await goOn(tx, row, null)
}
