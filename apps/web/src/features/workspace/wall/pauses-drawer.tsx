import type { AgentPause, AgentPauses } from '@balcao/contract/people/users.ts'
import { Button, Drawer, Stack, Text } from '@mantine/core'
import { IconClockPause } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { dayOf, formatDateTime, formatDuration, formatTime } from '../../../kit/format.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'
import { useNow } from '../../../ui/clock.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { type Period, PeriodFilter } from '../../../ui/period-filter.tsx'
import { nowMs } from '../../../ui/server-time.ts'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import classes from './pauses-drawer.module.css'

const pausesQuery = (userId: string, { from, to }: Period) => ({
  ...pagedList<AgentPauses>(['users', userId, 'pauses', from, to], `/users/${userId}/pauses`, {
    dateFrom: from || undefined,
    dateTo: to || undefined,
    limit: pageSize,
  }),
  refetchInterval: 60_000,
})

type Props = { person: { id: string; name: string }; onClose: () => void }

/** When a colleague stepped away in some days, and for how long by reason. */
export const PausesDrawer = ({ person, onClose }: Props) => {
  const [period, setPeriod] = useState<Period>(today)
  const list = useInfiniteQuery(pausesQuery(person.id, period))
  const pauses = list.data?.pages.flatMap((page) => page.items) ?? []
  const totals = list.data?.pages[0]?.totals ?? []
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={460}
      title={<Text fw={600}>Pausas de {person.name}</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <Stack gap="md">
        <div>
          <PeriodFilter label="Qualquer dia" value={period} onChange={setPeriod} />
        </div>
        {list.isPending ? (
          <SkeletonList rows={4} height={44} />
        ) : list.isError && !pauses.length ? (
          <ErrorState message={messageOf(list.error)} onRetry={() => void list.refetch()} />
        ) : pauses.length === 0 ? (
          <EmptyState icon={<IconClockPause size={26} stroke={1.5} />} title="Nenhuma pausa">
            {period.from || period.to ? 'Escolha outros dias para ver mais.' : 'As pausas desta pessoa aparecem aqui.'}
          </EmptyState>
        ) : (
          <>
            <Totals totals={totals} />
            <ul className={classes.pauses} aria-label="Pausas">
              {pauses.map((pause) => (
                <Pause key={pause.id} pause={pause} />
              ))}
            </ul>
            {list.hasNextPage && (
              <Button variant="subtle" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                Carregar mais
              </Button>
            )}
          </>
        )}
      </Stack>
    </Drawer>
  )
}

const today = (): Period => ({ from: dayOf(new Date(nowMs())), to: dayOf(new Date(nowMs())) })

const Totals = ({ totals }: Pick<AgentPauses, 'totals'>) => (
  <table className={classes.totals} aria-label="Tempo por motivo">
    <thead>
      <tr>
        <th>Motivo</th>
        <th>Pausas</th>
        <th>Tempo</th>
      </tr>
    </thead>
    <tbody>
      {totals.map(({ reason, times, seconds }) => (
        <tr key={reason}>
          <th scope="row">{reason}</th>
          <td>{times}</td>
          <td>{formatDuration(seconds * 1000)}</td>
        </tr>
      ))}
    </tbody>
    {totals.length > 1 && (
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td>{totals.reduce((all, { times }) => all + times, 0)}</td>
          <td>{formatDuration(totals.reduce((all, { seconds }) => all + seconds, 0) * 1000)}</td>
        </tr>
      </tfoot>
    )}
  </table>
)

const Pause = ({ pause }: { pause: AgentPause }) => {
  const now = useNow()
  const took = formatDuration((pause.endedAt ? Date.parse(pause.endedAt) : now) - Date.parse(pause.startedAt))
  const end = !pause.endedAt
    ? 'agora'
    : dayOf(pause.endedAt) === dayOf(pause.startedAt)
      ? formatTime(pause.endedAt)
      : formatDateTime(pause.endedAt)
  return (
    <li className={classes.pause} data-now={pause.endedAt === null}>
      <span className={classes.words}>
        <span className={classes.reason}>{pause.reason}</span>
        <span className={`tabular ${classes.meta}`}>
          {formatDateTime(pause.startedAt)} até {end}
        </span>
      </span>
      <span className="tabular">{took}</span>
    </li>
  )
}
