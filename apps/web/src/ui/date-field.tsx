import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/pt-br'
import { DateInput, type DateInputProps } from '@mantine/dates'
import { IconCalendar, IconCalendarClock } from '@tabler/icons-react'
import { dateFrom, momentFrom, showDate, showMoment } from './dates.ts'

type Props = Omit<DateInputProps, 'value' | 'defaultValue' | 'onChange' | 'valueFormat' | 'dateParser' | 'withTime'> & {
  /** `2026-12-31`, with `T14:00` where it has a time; empty: none. */
  value: string
  onChange: (value: string) => void
}

const shared = { locale: 'pt-br', firstDayOfWeek: 0, allowDeselect: true } as const

/** A date typed as we write it (31/12/2026) or picked. */
export const DateField = ({ value, onChange, ...props }: Props) => (
  <DateInput
    {...shared}
    valueFormat={showDate}
    dateParser={dateFrom}
    placeholder="dd/mm/aaaa"
    leftSection={<IconCalendar size={16} stroke={1.75} aria-hidden />}
    value={value || null}
    onChange={(next) => onChange(next ?? '')}
    {...props}
  />
)

/** A date and a time on the company's clock, typed (31/12/2026 14:00) or picked; picked, a day begins at nine. */
export const MomentField = ({ value, onChange, ...props }: Props) => (
  <DateInput
    {...shared}
    withTime
    valueFormat={showMoment}
    dateParser={momentFrom}
    placeholder="dd/mm/aaaa hh:mm"
    leftSection={<IconCalendarClock size={16} stroke={1.75} aria-hidden />}
    value={value ? `${value.replace('T', ' ')}:00` : null}
    onChange={(next) => {
      const wall = (next ?? '').slice(0, 16).replace(' ', 'T')
      onChange(value ? wall : wall.replace('T00:00', 'T09:00'))
    }}
    {...props}
  />
)
