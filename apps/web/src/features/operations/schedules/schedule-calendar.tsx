import { repeatsOf, type Schedule } from '@balcao/contract/operations/schedules.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MonthGrid, type MonthItem, useMonth } from '../../../kit/month-grid.tsx'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { type SchedulesAsked, schedulesBetween } from './api.ts'

type Props = {
  asked: SchedulesAsked
  onOpen: (id: string) => void
  onCreate: (day: string) => void
  onShowDay: (day: string) => void
}

/** A month of messages, with what will repeat in it. */
export const ScheduleCalendar = ({ asked, ...does }: Props) => {
  const at = useMonth()
  const mayWrite = useCan('schedules.write')
  const { timezone } = useCurrentSession().user.tenant
  const [dateFrom = '', dateTo = ''] = [at.days[0], at.days.at(-1)]
  const list = useQuery({
    ...schedulesBetween({ ...asked, dateFrom, dateTo, withRepeats: true }),
    placeholderData: keepPreviousData,
  })
  const items = (list.data ?? []).flatMap((row) => [
    itemOf(row),
    ...repeatsOf(row, timezone, dateTo).map((moment) => repeatOf(row, moment)),
  ])
  return (
    <MonthGrid
      at={at}
      list={list}
      items={items.toSorted((a, b) => a.at.localeCompare(b.at) || a.id.localeCompare(b.id))}
      none="Nenhuma mensagem agendada neste mês."
      createLabel={(day) => (mayWrite && day >= at.today ? 'Agendar mensagem' : undefined)}
      {...does}
    />
  )
}

/** One that follows: opening it opens what it follows. */
const repeatOf = (row: Schedule, at: string): MonthItem => {
  const item = itemOf(row)
  return { ...item, at, title: `Repetição: ${item.title}`, mark: 'coming' }
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
