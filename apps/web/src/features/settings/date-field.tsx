import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/pt-br'
import { DateInput, type DateInputProps } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { dateFrom, showDate } from './dates.ts'

/** A date typed as we write it (31/12/2026) or picked. */
export const DateField = (props: DateInputProps) => (
  <DateInput
    locale="pt-br"
    firstDayOfWeek={0}
    valueFormat={showDate}
    dateParser={dateFrom}
    placeholder="dd/mm/aaaa"
    leftSection={<IconCalendar size={16} stroke={1.75} aria-hidden />}
    {...props}
  />
)
