import type { PanelKey } from '@balcao/contract/operations/dashboard-panels.ts'
import { Button, Skeleton } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconLayoutGrid } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { queueOptions } from '../../../features/core/pickers/options.ts'
import { dashboardToday } from '../../../features/operations/dashboard/api.ts'
import { FirstSteps } from '../../../features/operations/dashboard/first-steps.tsx'
import { PanelGrid, resetPanels, usePanels } from '../../../features/operations/dashboard/panel-grid.tsx'
import { panelViews } from '../../../features/operations/dashboard/panel-views.tsx'
import { statisticsQuery } from '../../../features/operations/dashboard/statistics-api.ts'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { dayOf } from '../../../kit/format.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useUrlList } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { usePeriod } from '../../../kit/use-period.ts'
import { useNow } from '../../../ui/clock.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { PeriodFilter } from '../../../ui/period-filter.tsx'
import { useLate } from '../../../ui/use-late.ts'
import classes from './home-screen.module.css'

const dayMs = 86_400_000
const defaultDays = 7

/** How the work goes: the panels a person chose, of today and of the days and queues in the address. */
export default function HomeScreen() {
  const mayRead = useCan('dashboard.read')
  return mayRead ? <Home /> : <ForbiddenState />
}

const Home = () => {
  const [isArranging, setArranging] = useState(false)
  const [period, setPeriod] = usePeriod()
  const [queues, setQueues] = useUrlList('fila')
  const now = useNow()
  const { placed, isArranged } = usePanels()
  const queueList = useQuery(queueOptions)

  const day = dayOf(new Date(now))
  const endDate = period.to || [period.from, day].toSorted().at(-1) || day
  const startDate = period.from || dayOf(new Date(Date.parse(`${endDate}T12:00:00Z`) - (defaultDays - 1) * dayMs))
  const shown = placed.filter((one) => !one.isHidden).map(({ key }) => panelViews[key].of)
  const today = useQuery({ ...dashboardToday, enabled: shown.includes('today') })
  const statistics = useQuery({
    ...statisticsQuery({ startDate, endDate, queues }),
    enabled: shown.includes('period'),
  })
  const failed = [today, statistics].find(({ isError }) => isError)
  if (isApiError(failed?.error, 'ERR_NO_PERMISSION')) return <ForbiddenState />
  const readAt = Math.max(today.dataUpdatedAt, statistics.dataUpdatedAt)

  const draw = (key: PanelKey): ReactNode => {
    const panel = panelViews[key]
    if (panel.of === 'itself') return <panel.View />
    if (panel.of === 'today')
      return today.data ? <panel.View today={today.data} readAt={today.dataUpdatedAt} /> : <Waiting of={today} />
    return statistics.data ? (
      <panel.View of={statistics.data} days={`${startDate}-a-${endDate}`} />
    ) : (
      <Waiting of={statistics} />
    )
  }
  return (
    <Page
      header={
        <PageHeader
          title="Início"
          purpose="Como está o atendimento, agora e nos dias que você escolher."
          actions={
            <>
              {readAt > 0 && (
                <span className={classes.fresh} data-stale={failed !== undefined}>
                  {failed ? 'Sem atualizar desde ' : 'Atualizado '}
                  <RelativeTime moment={new Date(readAt).toISOString()} />
                </span>
              )}
              {isArranging && isArranged && (
                <Button
                  variant="subtle"
                  leftSection={<IconArrowBackUp size={18} aria-hidden />}
                  onClick={() => resetPanels(placed)}
                >
                  Voltar ao padrão
                </Button>
              )}
              <Button
                variant={isArranging ? 'filled' : 'default'}
                aria-pressed={isArranging}
                leftSection={
                  isArranging ? <IconCheck size={18} aria-hidden /> : <IconLayoutGrid size={18} aria-hidden />
                }
                onClick={() => setArranging(!isArranging)}
              >
                {isArranging ? 'Concluir' : 'Organizar'}
              </Button>
            </>
          }
        >
          <PeriodFilter label="Últimos 7 dias" value={period} onChange={setPeriod} />
          <FilterMenu
            label="Filas"
            options={(queueList.data ?? []).map(({ id, name, color }) => ({
              value: id,
              label: name,
              mark: <ColorDot color={color} />,
            }))}
            value={queues}
            onChange={setQueues}
          />
        </PageHeader>
      }
    >
      <FirstSteps />
      <PanelGrid placed={placed} isArranging={isArranging} draw={draw} />
    </Page>
  )
}

type Reading = { isError: boolean; error: Error | null; refetch: () => unknown }
const Waiting = ({ of }: { of: Reading }) => {
  const isLate = useLate(!of.isError)
  if (of.isError) return <ErrorState message={messageOf(of.error)} onRetry={() => void of.refetch()} />
  return isLate && <Skeleton height={160} radius="md" />
}
