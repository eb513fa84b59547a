import { momentAt, wallAfter, wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import { firstOpen, isSendingDay } from '@balcao/contract/operations/campaigns/forecast.ts'
import type { Directory } from '../../core/directory/directory.ts'
import type { StoredCampaign } from './campaigns.present.ts'
import { loadOf, type Paced, type WrittenToday } from './pace.ts'
import { opensForAny } from './zones.ts'

/** Of those who wait by one connection for one step: when the first and the last of them are due. */
export type Lane = { connectionId: string; step: number; isRest: boolean; firstAt: Date; lastAt: Date }
/** Why nothing of a running campaign leaves now, and when it goes on; null: not known. */
export type Hold = { text: string; until: Date | null }
type Way = Paced & WrittenToday & { id: string; name: string }
type Here = Pick<Directory, 'settings' | 'timezone'>

/** What everything that waits of it waits for; undefined: something may leave now, or nobody waits. */
export const holdOf = (
  { plan, winners, startedAt }: Pick<StoredCampaign, 'plan' | 'winners' | 'startedAt'>,
  { ways, lanes }: { ways: readonly Way[]; lanes: readonly Lane[] },
  here: Here,
  now = new Date(),
): Hold | undefined => {
  if (!lanes.length) return undefined
  const opens = opensForAny(plan.window, here, now)
  if (!opens || opens > now) return { text: closedText(plan, here, now), until: opens }
  const calendar = { window: plan.window, holidays: here.settings.holidays, timeZone: here.timezone }
  const open = lanes.filter(({ step, isRest }) => !isRest || winners[step] !== undefined)
  const due = open.filter(({ firstAt }) => firstAt <= now)
  if (!due.length) {
    const tested = lanes.find((one) => !open.includes(one))
    if (tested) return testHold(plan.steps[tested.step], tested.step === 0 ? startedAt : null)
    const next = open.reduce((first, one) => (one.firstAt < first.firstAt ? one : first))
    const text = next.step
      ? `O envio ${next.step + 1} ainda não chegou à sua hora.`
      : plan.window.byRecipientState
        ? 'Ainda não é hora de envio nos estados de quem falta.'
        : 'Quem falta espera a sua hora.'
    return { text, until: firstOpen(calendar, next.firstAt) }
  }
  const holds = ways
    .filter(({ id }) => due.some(({ connectionId }) => connectionId === id))
    .map((way) => wayHold(way, { plan, calendar, now }))
  const [soonest] = holds.toSorted((a, b) => (a?.until?.getTime() ?? Infinity) - (b?.until?.getTime() ?? Infinity))
  return holds.every((one) => one !== undefined) ? soonest : undefined
}

const testHold = (step: StoredCampaign['plan']['steps'][number] | undefined, from: Date | null): Hold => ({
  text: 'O teste ainda não terminou: o resto recebe a variante vencedora.',
  until: from && step?.test ? new Date(from.getTime() + step.test.hours * 3_600_000) : null,
})

const closedText = ({ window }: StoredCampaign['plan'], { settings, timezone }: Here, now: Date): string => {
  const today = wallTimeOf(now, timezone).slice(0, 10)
  if (isSendingDay(today, { window, holidays: settings.holidays })) return 'Agora está fora do horário de envio.'
  const isHoliday = !isSendingDay(today, {
    window: { ...window, days: [0, 1, 2, 3, 4, 5, 6] },
    holidays: settings.holidays,
  })
  return isHoliday ? 'Hoje é feriado.' : 'Hoje não é dia de envio.'
}

type Asking = { plan: StoredCampaign['plan']; calendar: Parameters<typeof firstOpen>[0]; now: Date }
/** What keeps one connection from sending more of it now. */
const wayHold = (way: Way, { plan, calendar, now }: Asking): Hold | undefined => {
  const { timeZone } = calendar
  const { name, sentToday, writtenToday, options } = way
  const { leftToday, quiet } = loadOf(way, { count: 1, sentToday, writtenToday, pace: plan.pace, timeZone, now })
  const loud = firstOpen(calendar, now, quiet)
  if (quiet && (!loud || loud > now)) return { text: `${name} está nas horas de silêncio.`, until: loud }
  if (leftToday === null || leftToday > 0) return undefined
  const tomorrow = momentAt(wallAfter(`${wallTimeOf(now, timeZone).slice(0, 10)}T00:00`, 1), timeZone)
  const isOwn = plan.pace.dailyMost !== null && writtenToday >= plan.pace.dailyMost
  const text = isOwn
    ? `O máximo por dia da campanha já saiu hoje por ${name}.`
    : options.warmUpFirst !== undefined && (options.dailyMost === undefined || sentToday < options.dailyMost)
      ? `${name} está em aquecimento e já enviou o que pode hoje.`
      : `${name} já enviou o máximo de hoje.`
  return { text, until: firstOpen(calendar, new Date(tomorrow), quiet) }
}
