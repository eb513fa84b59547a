import { SimpleGrid } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { FilterPopover } from './filter-popover.tsx'

// A calendar is heavy and most visits open none.
const DateField = lazy(async () => ({ default: (await import('./date-field.tsx')).DateField }))

/** Days as `2026-11-18`; empty: open at that end. */
export type Period = { from: string; to: string }
type Props = { label: string; value: Period; onChange: (value: Period) => void }

/** A stretch of days of a list: its name while it rests, the days while it works. */
export const PeriodFilter = ({ label, value, onChange }: Props) => {
  const { from, to } = value
  return (
    <FilterPopover
      label={label}
      title={from || to ? titleOf(value) : null}
      icon={<IconCalendar size={16} aria-hidden />}
      onClear={() => onChange({ from: '', to: '' })}
    >
      <SimpleGrid cols={2} spacing="xs">
        <Suspense fallback={null}>
          <DateField
            label="De"
            popoverProps={{ withinPortal: false }}
            value={from}
            maxDate={to || undefined}
            onChange={(day) => onChange({ from: day, to })}
          />
          <DateField
            label="Até"
            popoverProps={{ withinPortal: false, position: 'bottom-end' }}
            value={to}
            minDate={from || undefined}
            onChange={(day) => onChange({ from, to: day })}
          />
        </Suspense>
      </SimpleGrid>
    </FilterPopover>
  )
}

const titleOf = ({ from, to }: Period) => {
  if (from && from === to) return short(from)
  if (!to) return `desde ${short(from)}`
  return from ? `${short(from)} a ${short(to)}` : `até ${short(to)}`
}
const short = (day: string) =>
  day
    .split('-')
    .reverse()
    .join('/')
    .replace(/\/\d\d(\d\d)$/, '/$1')
