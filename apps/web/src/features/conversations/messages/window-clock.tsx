import { IconHourglass, IconHourglassOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { formatDuration, formatTime } from '../../../kit/format.ts'
import { useNow } from '../../../ui/clock.ts'
import { channelsQuery, windowEnd } from './abilities.ts'
import classes from './window-clock.module.css'

/** When the end of the window is near enough to be said where one writes. */
export const soonMs = 2 * 3_600_000
const lastMs = 15 * 60_000

/** Amber in the last two hours, red in the last quarter of an hour. */
const windowTone = (leftMs: number) => (leftMs < lastMs ? 'last' : leftMs < soonMs ? 'soon' : undefined)

type Props = { endsAt: number; children?: string }

/** How long free text may still be sent. */
export const WindowClock = ({ endsAt, children }: Props) => {
  const left = endsAt - useNow(endsAt)
  if (left <= 0)
    return (
      <span className={classes.clock} data-tone="over" title="A janela de resposta fechou.">
        <IconHourglassOff size={13} aria-hidden />
        <span className={classes.words}>Janela de resposta fechada</span>
      </span>
    )
  const title = `Restam ${formatDuration(left)} para responder com texto livre: a janela fecha às ${formatTime(new Date(endsAt))}.`
  return (
    <span className={`tabular ${classes.clock}`} data-tone={windowTone(left)} title={title}>
      <IconHourglass size={13} aria-hidden />
      <span className={classes.words}>Janela de resposta: restam </span>
      {children}
      <span>{hoursAndMinutes(left)}</span>
    </span>
  )
}

type RowProps = { channel: string; lastInboundAt: string | null; status: string }

/** The same on a row of the list once it presses: in the last hours, or over. */
export const RowWindow = ({ channel, lastInboundAt, status }: RowProps) => {
  const now = useNow()
  const { data } = useQuery(channelsQuery)
  const found = data && Object.entries(data).find(([kind]) => kind === channel)?.[1]
  const endsAt = windowEnd(found, lastInboundAt)
  return endsAt === null || endsAt - now > soonMs || status === 'closed' ? null : <WindowClock endsAt={endsAt} />
}

/** "6 dias", "3h07", "45 min"; the last minute is still a minute. */
const hoursAndMinutes = (milliseconds: number) => {
  const minutes = Math.max(1, Math.floor(milliseconds / 60_000))
  if (minutes >= 2 * 24 * 60) return `${Math.floor(minutes / (24 * 60))} dias`
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}`
}
