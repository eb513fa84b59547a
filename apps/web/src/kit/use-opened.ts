import { useState } from 'react'
import { useSearchParams } from 'react-router'

const officeOpens = 'T09:00'

/**
 * The row that stands open beside a screen, as its address says (`registro=…`; `nova`: one that is being made).
 * `newAt` is the wall clock a new one begins with, where it was begun from a day.
 */
export const useOpened = () => {
  const [params, setParams] = useSearchParams()
  const [day, setDay] = useState<string | null>(null)
  const setOpened = (id: string | null, onDay: string | null = null) => {
    setDay(onDay)
    setParams((now) => {
      const next = new URLSearchParams(now)
      if (id) next.set('registro', id)
      else next.delete('registro')
      return next
    })
  }
  return { opened: params.get('registro'), newAt: day ? day + officeOpens : '', setOpened }
}
