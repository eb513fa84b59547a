import { momentAt } from '@balcao/contract/core/wall-time.ts'
import type { Opportunity } from '@balcao/contract/sales/opportunities.ts'
import { useQuery } from '@tanstack/react-query'
import { formatCents } from '../../../kit/format.ts'
import { MonthGrid, type MonthItem, useMonth } from '../../../kit/month-grid.tsx'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { opportunitiesBetween } from './api.ts'
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
  return (
    <MonthGrid
      at={at}
      list={list}
      items={(list.data ?? []).map((one) => itemOf(one, timezone, at.today))}
      none="Nenhum fechamento previsto neste mês."
      onOpen={onOpen}
      onCreate={onCreate}
      onShowDay={onShowDay}
      createLabel={() => (mayWrite ? 'Criar oportunidade' : undefined)}
    />
  )
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
