import { useNow } from '../ui/clock.ts'
import { nowMs } from '../ui/server-time.ts'
import { formatExact, relativeTime } from './format.ts'

/** "há 3 min", kept fresh; the exact moment on hover. */
export const RelativeTime = ({ moment, className }: { moment: string; className?: string }) => {
  const now = useNow()
  return (
    <time dateTime={moment} title={formatExact(moment)} className={className ? `tabular ${className}` : 'tabular'}>
      {relativeTime(moment, Math.max(now, nowMs() - 20_000))}
    </time>
  )
}
