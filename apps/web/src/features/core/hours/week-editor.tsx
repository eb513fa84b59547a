import type { BusinessDay } from '@balcao/contract/core/business-hours.ts'
import { ActionIcon, Button, Input, Menu, SegmentedControl } from '@mantine/core'
import { IconCopy, IconPlus, IconX } from '@tabler/icons-react'
import { TimeInput } from './time-input.tsx'
import {
  changeDay,
  copyDayTo,
  dayProblem,
  everyDay,
  fullWeek,
  hasBreak,
  overnightHint,
  withBreak,
  workdays,
} from './week.ts'
import classes from './week-editor.module.css'

type Props = {
  value: readonly BusinessDay[]
  onChange: (value: BusinessDay[]) => void
  /** What a day that is wrong means where it stands: "Ainda não foi salvo." */
  problemNote?: string
}

const types = [
  { value: 'H', label: 'Horários' },
  { value: 'O', label: 'Dia todo' },
  { value: 'C', label: 'Fechado' },
]

/** When each weekday is attended: all day, never, or in up to two periods. */
export const WeekEditor = ({ value, onChange, problemNote }: Props) => (
  <div className={classes.week}>
    {fullWeek(value).map((day) => (
      <Day
        key={day.day}
        day={day}
        onChange={(next) => onChange(changeDay(value, next))}
        onCopy={(targets) => onChange(copyDayTo(value, day, targets))}
        problemNote={problemNote}
      />
    ))}
  </div>
)

type DayProps = {
  day: BusinessDay
  onChange: (day: BusinessDay) => void
  onCopy: (targets: number[]) => void
  problemNote: string | undefined
}

const Day = ({ day, onChange, onCopy, problemNote }: DayProps) => {
  const problem = dayProblem(day)
  const hint = overnightHint(day)
  return (
    <fieldset className={classes.day}>
      <legend className={classes.unseen}>{day.label}</legend>
      <span className={classes.name} aria-hidden>
        {day.label.replace('-feira', '')}
      </span>
      <SegmentedControl
        className={classes.type}
        size="xs"
        aria-label={`${day.label}: situação`}
        data={types}
        value={day.type}
        onChange={(type) => onChange({ ...day, type: type as BusinessDay['type'] /* one of `types` */ })}
      />
      <div className={classes.hours}>
        {day.type === 'H' && <Periods day={day} onChange={onChange} />}
        {hint && <span className={classes.hint}>{hint}</span>}
      </div>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon className={classes.copy} aria-label={`Copiar ${day.label} para outros dias`}>
            <IconCopy size={18} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Copiar {day.label.toLowerCase()} para</Menu.Label>
          <Menu.Item onClick={() => onCopy(workdays)}>Segunda a sexta</Menu.Item>
          <Menu.Item onClick={() => onCopy(everyDay)}>Todos os dias</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {problem && (
        <Input.Error className={classes.problem} role="alert">
          {problem} {problemNote}
        </Input.Error>
      )}
    </fieldset>
  )
}

const Periods = ({ day, onChange }: { day: BusinessDay; onChange: (day: BusinessDay) => void }) => (
  <>
    <Period day={day} from="hr1" to="hr2" name="primeiro período" onChange={onChange} />
    {hasBreak(day) ? (
      <span className={classes.period}>
        <Period day={day} from="hr3" to="hr4" name="segundo período" onChange={onChange} />
        <ActionIcon
          aria-label={`${day.label}: tirar o segundo período`}
          onClick={() => onChange(withBreak(day, false))}
        >
          <IconX size={16} />
        </ActionIcon>
      </span>
    ) : (
      <Button
        variant="subtle"
        size="xs"
        leftSection={<IconPlus size={14} aria-hidden />}
        aria-label={`${day.label}: adicionar período`}
        onClick={() => onChange(withBreak(day, true))}
      >
        Período
      </Button>
    )}
  </>
)

type Clock = 'hr1' | 'hr2' | 'hr3' | 'hr4'
type PeriodProps = { day: BusinessDay; from: Clock; to: Clock; name: string; onChange: (day: BusinessDay) => void }

/** The end of a first period alone carries the absent second one along. */
const Period = ({ day, from, to, name, onChange }: PeriodProps) => {
  const handleChange = (next: BusinessDay) => onChange(hasBreak(day) ? next : { ...next, hr3: next.hr2, hr4: next.hr2 })
  return (
    <span className={classes.period}>
      <TimeInput
        label={`${day.label}: ${name}, início`}
        value={day[from]}
        onChange={(value) => handleChange({ ...day, [from]: value })}
      />
      <span aria-hidden>–</span>
      <TimeInput
        label={`${day.label}: ${name}, fim`}
        value={day[to]}
        onChange={(value) => handleChange({ ...day, [to]: value })}
      />
    </span>
  )
}
