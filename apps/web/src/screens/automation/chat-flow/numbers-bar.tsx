import { CloseButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { numbersQuery } from '../../../features/automation/flows/api.ts'
import { useBuilder } from '../../../features/automation/flows/builder-context.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { dayOf, plural } from '../../../kit/format.ts'
import { PeriodFilter } from '../../../ui/period-filter.tsx'
import classes from './canvas-tools.module.css'

const dayMs = 86_400_000
const daysShown = 30

/** How many conversations came through in a stretch of days; each step shows its own. */
export const NumbersBar = ({ flowId, onClose }: { flowId: string; onClose: () => void }) => {
  const { marks } = useBuilder()
  const today = dayOf(new Date())
  const [period, setPeriod] = useState({ from: '', to: '' })
  const from = period.from || dayOf(new Date(Date.now() - (daysShown - 1) * dayMs))
  const to = period.to || today
  const { data, error } = useQuery(numbersQuery(flowId, from, to))
  useEffect(() => {
    marks.set({ numbers: new Map((data?.nodes ?? []).map((one) => [one.nodeId, one])) })
  }, [marks, data])
  useEffect(() => {
    return () => marks.set({ numbers: null })
  }, [marks])
  return (
    <section className={classes.numbers} aria-label="Números do fluxo">
      <PeriodFilter label={`Últimos ${daysShown} dias`} value={period} onChange={setPeriod} />
      <span role="status">
        {error
          ? messageOf(error)
          : data
            ? `${plural(data.started, 'conversa começou', 'conversas começaram')}, ${plural(data.ended, 'terminou', 'terminaram')}.`
            : 'Contando…'}
      </span>
      <CloseButton ml="auto" aria-label="Esconder números" onClick={onClose} />
    </section>
  )
}
