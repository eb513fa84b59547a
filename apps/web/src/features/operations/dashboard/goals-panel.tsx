import type { Statistics } from '@balcao/contract/operations/statistics.ts'
import type { Goals } from '@balcao/contract/people/settings.ts'
import { Button, Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { dayOf, formatDuration, formatNumber } from '../../../kit/format.ts'
import { useCan } from '../../../kit/use-can.ts'
import { useNow } from '../../../ui/clock.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { settingsQuery } from '../../people/settings/api.ts'
import classes from './goals-panel.module.css'
import { Panel } from './panel.tsx'
import { statisticsQuery } from './statistics-api.ts'

const GoalsDialog = lazy(async () => ({ default: (await import('./goals-dialog.tsx')).GoalsDialog }))

/** How this month stands beside what the company wants of it; of all queues, whatever the filter says. */
export const GoalsPanel = () => {
  const [isEditing, setEditing] = useState(false)
  const mayEdit = useCan('settings.write')
  const today = dayOf(new Date(useNow()))
  const month = useQuery(statisticsQuery({ startDate: `${today.slice(0, 7)}-01`, endDate: today, queues: [] }))
  const settings = useQuery(settingsQuery)
  const goals = settings.data?.goals
  const rows = goals && month.data ? progressOf(goals, month.data.times, today) : []
  const edit = mayEdit && goals && (
    <Button size="compact-sm" variant="subtle" onClick={() => setEditing(true)}>
      {rows.length ? 'Mudar' : 'Definir metas'}
    </Button>
  )
  return (
    <Panel title="Metas do mês" actions={rows.length > 0 && edit}>
      {goals && month.data && rows.length === 0 ? (
        <EmptyState title="Sem metas neste mês" action={edit}>
          {mayEdit
            ? 'Diga quantos atendimentos, que tempo de resposta e que nota a empresa quer.'
            : 'Quem administra a empresa pode definir as metas.'}
        </EmptyState>
      ) : (
        <ul className={classes.goals}>
          {rows.map(({ key, label, value, goal, share, isGood, hint }) => (
            <li key={key}>
              <span className={classes.line}>
                <span>{label}</span>
                <b className="tabular">
                  {value} <small>de {goal}</small>
                </b>
              </span>
              <Progress
                value={100 * share}
                color={isGood ? 'green' : 'amber'}
                aria-label={`${label}: ${value}, meta ${goal}`}
              />
              <Text size="sm" c="dimmed">
                {hint}
              </Text>
            </li>
          ))}
        </ul>
      )}
      {isEditing && goals && (
        <Suspense fallback={null}>
          <GoalsDialog goals={goals} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </Panel>
  )
}

type Row = { key: string; label: string; value: string; goal: string; share: number; isGood: boolean; hint: string }
const atMost = (share: number) => Math.min(1, Math.max(0, share))
const percent = (share: number) => `${formatNumber(Math.round(100 * share))}%`

const progressOf = (goals: Goals, times: Statistics['times'], today: string): Row[] => {
  const rows: Row[] = []
  const days = new Date(Number(today.slice(0, 4)), Number(today.slice(5, 7)), 0).getDate()
  const passed = Number(today.slice(8)) / days
  if (goals.attendances !== null) {
    const share = times.qtd_total_atendimentos / goals.attendances
    rows.push({
      key: 'attendances',
      label: 'Atendimentos',
      value: formatNumber(times.qtd_total_atendimentos),
      goal: formatNumber(goals.attendances),
      share: atMost(share),
      isGood: share >= passed,
      hint: share >= 1 ? 'Meta alcançada.' : `${percent(share)} da meta, com ${percent(passed)} do mês.`,
    })
  }
  if (goals.firstAnswerMinutes !== null) {
    const goalS = goals.firstAnswerMinutes * 60
    const { TPR } = times
    rows.push({
      key: 'firstAnswer',
      label: 'Primeira resposta',
      value: TPR === null ? '—' : formatDuration(TPR * 1_000),
      goal: formatDuration(goalS * 1_000),
      share: TPR === null ? 0 : atMost(goalS / Math.max(1, TPR)),
      isGood: TPR !== null && TPR <= goalS,
      hint: TPR === null ? 'Ninguém respondeu ainda.' : TPR <= goalS ? 'Dentro da meta.' : 'Acima da meta.',
    })
  }
  if (goals.rating !== null) {
    const { nota } = times
    rows.push({
      key: 'rating',
      label: 'Nota média',
      value: nota === null ? '—' : formatNumber(Math.round(10 * nota) / 10),
      goal: formatNumber(goals.rating),
      share: nota === null ? 0 : atMost(nota / goals.rating),
      isGood: nota !== null && nota >= goals.rating,
      hint:
        nota === null
          ? 'Ninguém avaliou ainda.'
          : `${formatNumber(times.qtd_notas)} ${times.qtd_notas === 1 ? 'avaliação' : 'avaliações'}.`,
    })
  }
  return rows
}
