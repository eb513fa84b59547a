import type { NoticePreferences, Notification, NotificationKind } from './notifications.ts'

/** How a person can be told: a line in the bell, a notice of the computer, a push to the device, a sound. */
export const noticeWays = ['bell', 'desktop', 'push', 'sound'] as const
export type NoticeWay = (typeof noticeWays)[number]

/** Whether this kind is told this way now; `clock` is the time of day where the company is. The bell is never silenced by the hour. */
export const isToldBy = (
  way: NoticeWay,
  kind: NotificationKind,
  { off, quiet }: NoticePreferences,
  clock: string,
): boolean => {
  if (off[kind]?.includes(way)) return false
  return way === 'bell' || !quiet || !isBetween(clock, quiet.from, quiet.to)
}

const isBetween = (clock: string, from: string, to: string) =>
  from <= to ? clock >= from && clock < to : clock >= from || clock < to

/** What stands on a screen once: a newer one of the same takes its place. */
export const tagOf = ({ kind, ticketId, link }: Pick<Notification, 'kind' | 'ticketId' | 'link'>) =>
  `${kind}:${ticketId ?? link}`
