import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/** A stretch of days in the page's address: `de=2026-11-01&ate=2026-11-30`. */
export const usePeriod = () => {
  const [params, setParams] = useSearchParams()
  const set = useCallback(
    (period: { from: string; to: string }) =>
      setParams(
        (now) => {
          const next = new URLSearchParams(now)
          for (const [name, day] of [
            ['de', period.from],
            ['ate', period.to],
          ] as const) {
            if (day) next.set(name, day)
            else next.delete(name)
          }
          return next
        },
        { replace: true },
      ),
    [setParams],
  )
  return [{ from: dayIn(params.get('de')), to: dayIn(params.get('ate')) }, set] as const
}

const dayIn = (text: string | null) => (text && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : '')
