import type { Schedule } from '@balcao/contract/schedules.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCan } from '../../kit/use-can.ts'
import { MonthGrid, type MonthItem, useMonth } from '../../ui/month-grid.tsx'
import { type SchedulesAsked, schedulesBetween } from './api.ts'

type Props = {
  asked: SchedulesAsked
  onOpen: (id: string) => void
  onCreate: (day: string) => void
  onShowDay: (day: string) => void
}

/** A month of messages. */
export const ScheduleCalendar = ({ asked, ...does }: Props) => {
  const at = useMonth()
  const mayWrite = useCan('schedules.write')
  const list = useQuery({
    ...schedulesBetween({ ...asked, dateFrom: at.days[0] ?? '', dateTo: at.days.at(-1) ?? '' }),
    placeholderData: keepPreviousData,
  })
  return (
    <MonthGrid
      at={at}
      list={list}
      items={(list.data ?? []).map(itemOf)}
      none="Nenhuma mensagem agendada neste mês."
      createLabel={(day) => (mayWrite && day >= at.today ? 'Agendar mensagem' : undefined)}
      {...does}
    />
  )
}

const marks: Record<Schedule['state'], MonthItem['mark']> = {
  pending: undefined,
  sending: 'doing',
  sent: 'done',
  failed: 'failed',
  canceled: 'canceled',
}
const itemOf = (row: Schedule): MonthItem => ({
  id: row.id,
  at: row.scheduleDate,
  label: row.contact.name,
  title: `${row.contact.name}: ${row.body || row.media?.name}`,
  mark: marks[row.state],
  isStruck: row.state === 'canceled',
})
