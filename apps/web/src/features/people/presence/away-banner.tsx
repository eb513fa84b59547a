import { Button } from '@mantine/core'
import { IconCoffee } from '@tabler/icons-react'
import { relativeTime } from '../../../kit/format.ts'
import { useNow } from '../../../ui/clock.ts'
import { nowMs } from '../../../ui/server-time.ts'
import { useAvailability } from './availability.ts'
import classes from './away-banner.module.css'

/** Nobody forgets that they stepped away: while they are, nothing new is handed to them. */
export const AwayBanner = () => {
  const { state, awayReason, awaySince, isBusy, choose } = useAvailability()
  const now = useNow()
  if (state !== 'away' || !awaySince) return null
  return (
    <div className={classes.banner} role="status">
      <IconCoffee size={16} stroke={1.75} aria-hidden />
      <span className={classes.text}>
        Em pausa{awayReason ? `: ${awayReason}` : ''} ·{' '}
        <span className="tabular">{relativeTime(awaySince, Math.max(now, nowMs() - 20_000))}</span>
      </span>
      <Button
        className={classes.back}
        size="compact-sm"
        variant="default"
        loading={isBusy}
        onClick={() => choose({ state: 'online' })}
      >
        Voltar
      </Button>
    </div>
  )
}
