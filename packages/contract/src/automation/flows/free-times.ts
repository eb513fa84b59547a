import { momentAt, wallAfter, wallTimeOf } from '../../core/wall-time.ts'
import type { NodeData } from './graph.ts'

export type Busy = { from: Date; to: Date }
type Asked = Pick<NodeData<'calendar'>, 'minutes' | 'days' | 'noticeHours' | 'offers'> & {
  now: Date
  timezone: string
  busy: readonly Busy[]
  isOpen: (moment: Date) => boolean
}
const minuteMs = 60_000
const gridMinutes = 30
const mostAday = 4

/** Until when times are looked for. */
export const lookUntil = ({ days, now }: Pick<Asked, 'days' | 'now'>) =>
  new Date(now.getTime() + (days + 1) * 1_440 * minuteMs)

/**
 * The next times that are free and within the hours, as moments: on the half hour (or closer, where one takes less), a few of
 * each day, so that another day is offered too.
 */
export const freeTimes = ({ minutes, days, noticeHours, offers, now, timezone, busy, isOpen }: Asked): string[] => {
  const earliest = now.getTime() + noticeHours * 60 * minuteMs
  const today = wallTimeOf(now, timezone).slice(0, 10)
  const everyMinutes = Math.min(gridMinutes, minutes)
  const found: string[] = []
  for (let ahead = 0; ahead <= days && found.length < offers; ahead += 1) {
    const day = wallAfter(`${today}T00:00`, ahead).slice(0, 10)
    let ofDay = 0
    for (let at = 0; at < 1_440 && ofDay < mostAday && found.length < offers; at += everyMinutes) {
      const begins = Date.parse(momentAt(`${day}T${clockOf(at)}`, timezone))
      const ends = begins + minutes * minuteMs
      const isFree =
        begins >= earliest &&
        isOpen(new Date(begins)) &&
        isOpen(new Date(ends - minuteMs)) &&
        !busy.some(({ from, to }) => from.getTime() < ends && to.getTime() > begins)
      if (!isFree) continue
      found.push(new Date(begins).toISOString())
      ofDay += 1
    }
  }
  return found
}
const clockOf = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

const weekdays = ['dom', 'seg', 'ter', 'qua', 'qui', 'sex', 'sáb']
/** As customers read it: “qui 27/11, 14:30”. */
export const timeLabel = (moment: string, timezone: string): string => {
  const wall = wallTimeOf(moment, timezone)
  const [year = '', month = '', day = ''] = wall.slice(0, 10).split('-')
  const weekday = weekdays[new Date(`${year}-${month}-${day}T12:00:00Z`).getUTCDay()]
  return `${weekday} ${day}/${month}, ${wall.slice(11, 16)}`
}
/** Other words for it: its hour alone. */
export const timeWords = (moment: string, timezone: string): string[] => {
  const clock = wallTimeOf(moment, timezone).slice(11, 16)
  const [hour = '', minute = ''] = clock.split(':')
  return [clock, `${hour}h${minute}`, ...(minute === '00' ? [`${Number(hour)}h`, `${Number(hour)} horas`] : [])]
}
