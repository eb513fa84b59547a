import { momentAt } from '@balcao/contract/core/wall-time.ts'
import type { CalendarEvent } from '@balcao/contract/sales/calendar.ts'
import type { Opportunity } from '@balcao/contract/sales/opportunities.ts'
import { useQuery } from '@tanstack/react-query'
import { dayOf, formatCents } from '../../../kit/format.ts'
import { MonthGrid, type MonthItem, useMonth } from '../../../kit/month-grid.tsx'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { calendarEventsQuery, opportunitiesBetween } from './api.ts'
import type { Funnel } from './use-funnel.ts'

type Props = { funnel: Funnel; onOpen: (id: string) => void; onCreate: () => void; onShowDay: (day: string) => void }

/** Opportunities by the day they are expected to be won. */
export const OpportunityCalendar = ({ funnel, onOpen, onCreate, onShowDay }: Props) => {
  const at = useMonth()
  const { timezone } = useCurrentSession().user.tenant
  const mayWrite = useCan('funnel.write')
  const [startDate = '', endDate = startDate] = [at.days[0], at.days.at(-1)]
  const list = useQuery({
    ...opportunitiesBetween({ ...funnel.asked, startDate, endDate, sort: 'closingForecast', direction: 'asc' }),
    enabled: funnel.pipeline !== undefined,
  })
  const events = useQuery(calendarEventsQuery({ startDate, endDate }))
  return (
    <MonthGrid
      at={at}
      list={list}
      items={[
        ...(list.data ?? []).map((one) => itemOf(one, timezone, at.today)),
        ...(events.data ?? [])
          .filter(({ opportunityId }) => !opportunityId)
          .flatMap((one) => daysOf(one, timezone, at.days)),
      ]}
      none="Nenhum fechamento previsto neste mês."
      onOpen={(id) => {
        const url = events.data?.find((one) => id.startsWith(one.id))?.url
        if (url) window.open(url, '_blank', 'noopener')
        else if (!id.includes('@')) onOpen(id)
      }}
      onCreate={onCreate}
      onShowDay={onShowDay}
      createLabel={() => (mayWrite ? 'Criar oportunidade' : undefined)}
    />
  )
}

/** What else stands in the company's calendar, on each of its days that are shown; it opens where it stands. */
const daysOf = (event: CalendarEvent, timeZone: string, days: readonly string[]): MonthItem[] => {
  const first = event.startDay ?? (event.startDateTime ? dayOf(event.startDateTime) : '')
  const isWhole = event.startDay !== null
  const isOn = (day: string) => day === first || (isWhole && day > first && event.endDay !== null && day < event.endDay)
  return days.filter(isOn).map((day) => ({
    id: `${event.id}@${day}`,
    at: event.startDateTime ?? momentAt(`${day}T08:00`, timeZone),
    label: event.summary || '(sem título)',
    title: ['Google Agenda', event.summary, event.location].filter(Boolean).join(': '),
    mark: 'doing',
    isAllDay: isWhole,
  }))
}

const itemOf = (
  { id, name, contact, value, closingForecast, status }: Opportunity,
  timeZone: string,
  today: string,
): MonthItem => {
  const day = closingForecast ?? today
  const mark = status === 'win' ? 'done' : status === 'lose' ? 'canceled' : day < today ? 'failed' : 'coming'
  const label = `${formatCents(value)} · ${name}`
  return {
    id,
    at: momentAt(`${day}T09:00`, timeZone),
    label,
    title: `${name}, ${contact.name}: ${formatCents(value)}`,
    mark,
    isStruck: status === 'lose',
    isAllDay: true,
  }
}
