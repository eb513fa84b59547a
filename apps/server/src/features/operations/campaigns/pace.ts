import { paceOf } from '@balcao/contract/channels/define.ts'
import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import type { ConnectionOptions } from '@balcao/contract/channels/options.ts'
import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import type { CampaignPace } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { endOfSteps, firstOpen, type Load, type Wait } from '@balcao/contract/operations/campaigns/forecast.ts'
import type { Directory } from '../../core/directory/directory.ts'
import type { StoredCampaign } from './campaigns.present.ts'

/** What of a connection says how much it sends, and how fast. */
export type Paced = { kind: ChannelKind; options: ConnectionOptions; createdAt: Date }

/** Seconds between two sends on average: the connection's own rest, or the campaign's where that is longer. */
export const restSecondsOf = ({ kind, options }: Paced, { minSeconds, maxSeconds }: CampaignPace): number =>
  Math.max(options.restSeconds ?? 1 / paceOf(channels[kind]).perSecond, (minSeconds + maxSeconds) / 2)

const dayOf = (at: Date, timeZone: string) =>
  Date.parse(`${wallTimeOf(at, timeZone).slice(0, 10)}T00:00:00Z`) / 86_400_000

/** How much a connection may send on its day so many days from now; null: as much as it can. A new number begins with little. */
export const mostOnDay =
  ({ options, createdAt }: Paced, { dailyMost }: Pick<CampaignPace, 'dailyMost'>, timeZone: string, now = new Date()) =>
  (day: number): number | null => {
    const age = Math.min(30, dayOf(now, timeZone) + day - dayOf(createdAt, timeZone))
    const warm = options.warmUpFirst === undefined ? null : Math.floor(options.warmUpFirst * 1.5 ** Math.max(0, age))
    const given = [options.dailyMost, warm, dailyMost].flatMap((one) => one ?? [])
    return given.length ? Math.min(...given) : null
  }

/** What left today by a connection, by whatever, and what of that the campaign itself wrote by it. */
export type WrittenToday = { sentToday: number; writtenToday: number }
type Loading = WrittenToday & {
  count: number
  pace: CampaignPace
  timeZone: string
  now?: Date
  /** When the first may leave: what left today counts for today alone. */
  from?: Date
}

/** What a connection has to send from then on, and what holds it back. */
export const loadOf = (
  way: Paced,
  { count, sentToday, writtenToday, pace, timeZone, now = new Date(), from = now }: Loading,
): Load => {
  const isToday = dayOf(from, timeZone) <= dayOf(now, timeZone)
  const most = mostOnDay(way, { dailyMost: null }, timeZone, from)(0)
  const left = (most: number, gone: number) => Math.max(0, most - (isToday ? gone : 0))
  const first = [
    ...(most === null ? [] : [left(most, sentToday)]),
    ...(pace.dailyMost === null ? [] : [left(pace.dailyMost, writtenToday)]),
  ]
  const { quietFrom, quietUntil } = way.options
  return {
    ...{ count, restSeconds: restSecondsOf(way, pace), mostOn: mostOnDay(way, pace, timeZone, from) },
    leftToday: first.length ? Math.min(...first) : null,
    quiet: quietFrom && quietUntil ? { from: quietFrom, until: quietUntil } : null,
  }
}

type Plan = StoredCampaign['plan']
/** Hours from one send to the next, from this one on; what is left of a test waits for its end. */
export const laterHours = ({ steps }: Plan, from: number): number[] =>
  steps.slice(from).map(({ afterHours, test }) => afterHours + (test?.hours ?? 0))
/** What the first send waits for, of `count` by one connection, which has this share of all: its first few, and its test. */
export const waitsOf = ({ canary, steps }: Plan, count: number, share: number): Wait[] => {
  const test = steps[0]?.test
  return [
    ...(canary?.minutes ? [{ first: Math.ceil(canary.size * share), hours: canary.minutes / 60 }] : []),
    ...(test ? [{ first: Math.ceil((count * test.percent) / 100), hours: test.hours }] : []),
  ]
}

/** The last of those of a step who wait: when they are due. */
export type LastDue = { step: number; dueAt: Date }

/**
 * When the last who waits, and every send that follows where nobody answers, will have left, shared out evenly. `dues`: of
 * each step that has anybody waiting, in order.
 */
export const endsAbout = (
  { plan, endsAt, winners, startedAt }: StoredCampaign,
  ways: readonly (Paced & WrittenToday)[],
  { waiting, dues }: { waiting: number; dues: readonly LastDue[] },
  { settings, timezone }: Pick<Directory, 'settings' | 'timezone'>,
  now = new Date(),
): Date | null => {
  if (!ways.length) return null
  const calendar = { window: plan.window, holidays: settings.holidays, timeZone: timezone }
  const count = Math.ceil(waiting / ways.length)
  const ends = ways.map((way) => {
    const test = plan.steps[0]?.test
    // Those of a test that is not decided leave after it, however few they are.
    const restFrom = test && winners[0] === undefined && startedAt ? startedAt.getTime() + test.hours * 3_600_000 : 0
    const from = new Date(Math.max(now.getTime(), restFrom))
    const { sentToday, writtenToday } = way
    const load = loadOf(way, {
      ...{ count, sentToday, writtenToday, pace: plan.pace, timeZone: timezone, now, from },
    })
    return endOfSteps(load, laterHours(plan, (dues[0]?.step ?? 0) + 1), calendar, from)
  })
  if (ends.some((one) => one === null)) return endsAt
  const follow = dues.map(({ step, dueAt }) => {
    const hours = plan.steps.slice(step + 1).reduce((sum, { afterHours }) => sum + afterHours, 0)
    return firstOpen(calendar, new Date(dueAt.getTime() + hours * 3_600_000))?.getTime() ?? 0
  })
  const last = new Date(Math.max(...ends.map((one) => one?.getTime() ?? 0), ...follow))
  return endsAt && endsAt < last ? endsAt : last
}
