import type { Holiday } from '@balcao/contract/core/business-hours.ts'
import { nationalHolidays, withHolidays } from '@balcao/contract/core/holidays.ts'
import { ActionIcon, Button, Input, Select, Switch, TextInput } from '@mantine/core'
import { IconCalendarPlus, IconPlus, IconX } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { plural } from '../../../kit/format.ts'
import { useUrlState } from '../../../kit/url-state.ts'
import { DateField } from '../../../ui/date-field.tsx'
import { showDate, weekdayOf } from '../../../ui/dates.ts'
import { writeHolidays } from './api.ts'
import classes from './holidays-panel.module.css'
import { SettingSection } from './setting-row.tsx'
import type { Save } from './use-auto-save.ts'
import { useDraft } from './use-draft.ts'

type Props = { holidays: readonly Holiday[]; today: string; problem?: string; save: Save }

/** Days on which the company is closed whatever the week says, a year at a time. */
export const HolidaysPanel = ({ holidays, today, problem, save }: Props) => {
  const thisYear = today.slice(0, 4)
  const [year, setYear] = useUrlState('ano', thisYear)
  const change = (next: Holiday[], done: string) =>
    save({ at: 'holidays', done, patch: { holidays: next }, write: writeHolidays })

  const shown = holidays.filter((one) => one.date.startsWith(`${year}-`))
  const missing = withHolidays(holidays, nationalHolidays(Number(year))).length - holidays.length
  const replace = (changed: Holiday, done: string) =>
    change(
      holidays.map((one) => (one.date === changed.date ? changed : one)),
      done,
    )

  return (
    <SettingSection
      title="Feriados"
      note="Em um feriado ativo a empresa fica fechada o dia todo, mesmo que a semana diga outra coisa."
      actions={
        <Select
          aria-label="Ano"
          size="xs"
          w={92}
          data={yearsOf(holidays, Number(thisYear))}
          value={year}
          onChange={(next) => next && setYear(next)}
          allowDeselect={false}
        />
      }
    >
      <ul className={classes.list}>
        {shown.map((one) => (
          <Row
            key={one.date}
            holiday={one}
            isPast={one.date < today}
            onChange={replace}
            onRemove={() =>
              void change(
                holidays.filter((other) => other.date !== one.date),
                `Feriado de ${showDate(one.date)} removido.`,
              )
            }
          />
        ))}
      </ul>
      {shown.length === 0 && <p className={classes.none}>Nenhum feriado cadastrado em {year}.</p>}
      {missing > 0 && (
        <div className={classes.national}>
          <Button
            variant="light"
            size="xs"
            leftSection={<IconCalendarPlus size={16} aria-hidden />}
            onClick={() =>
              void change(
                withHolidays(holidays, nationalHolidays(Number(year))),
                `${plural(missing, 'feriado adicionado', 'feriados adicionados')} em ${year}.`,
              )
            }
          >
            Adicionar feriados nacionais de {year}
          </Button>
          <span className={classes.hint}>Carnaval e Corpus Christi vêm desligados: são pontos facultativos.</span>
        </div>
      )}
      <AddForm
        taken={holidays}
        onAdd={async (one) => {
          const isSaved = await change(withHolidays(holidays, [one]), `Feriado de ${showDate(one.date)} adicionado.`)
          if (isSaved) setYear(one.date.slice(0, 4))
          return isSaved
        }}
      />
      {problem && (
        <Input.Error role="alert" className={classes.problem}>
          {problem}
        </Input.Error>
      )}
    </SettingSection>
  )
}

type RowProps = {
  holiday: Holiday
  isPast: boolean
  onChange: (next: Holiday, done: string) => Promise<boolean>
  onRemove: () => void
}

const Row = ({ holiday, isPast, onChange, onRemove }: RowProps) => {
  const date = showDate(holiday.date)
  const [description, setDescription] = useDraft(holiday.description, {
    isReady: (text) => text.trim().length <= 120,
    onSave: (text) => onChange({ ...holiday, description: text.trim() }, `Feriado de ${date} salvo.`),
    delayMs: 1_200,
  })
  return (
    <li className={classes.row} data-past={isPast} data-off={!holiday.active}>
      <span className={classes.date}>
        <span className="tabular">{date.slice(0, 5)}</span>{' '}
        <span className={classes.weekday}>{weekdayOf(holiday.date)}</span>
      </span>
      <TextInput
        className={classes.description}
        variant="unstyled"
        aria-label={`Descrição do feriado de ${date}`}
        placeholder="Sem descrição"
        title={description}
        maxLength={120}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Switch
        aria-label={`Feriado de ${date} ativo`}
        checked={holiday.active}
        onChange={(event) => {
          const active = event.currentTarget.checked
          void onChange({ ...holiday, active }, `Feriado de ${date} ${active ? 'ligado' : 'desligado'}.`)
        }}
      />
      <ActionIcon aria-label={`Remover o feriado de ${date}`} onClick={onRemove}>
        <IconX size={16} />
      </ActionIcon>
    </li>
  )
}

type AddProps = { taken: readonly Holiday[]; onAdd: (holiday: Holiday) => Promise<boolean> }

const AddForm = ({ taken, onAdd }: AddProps) => {
  const [date, setDate] = useState('')
  const [description, setDescription] = useState('')
  const [error, setError] = useState<string>()
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (!date) return setError('Informe a data.')
    if (taken.some((one) => one.date === date)) return setError('Esta data já está na lista.')
    if (!(await onAdd({ date, description: description.trim(), active: true }))) return
    setDate('')
    setDescription('')
  }
  return (
    <form className={classes.add} onSubmit={(event) => void handleSubmit(event)} noValidate>
      <DateField
        label="Data"
        size="sm"
        value={date}
        error={error}
        onChange={(next) => {
          setDate(next)
          setError(undefined)
        }}
      />
      <TextInput
        label="Descrição"
        placeholder="Aniversário da cidade"
        maxLength={120}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" leftSection={<IconPlus size={16} aria-hidden />}>
        Adicionar
      </Button>
    </form>
  )
}

/** Last year, this one and the next two, and every year that has a holiday. */
const yearsOf = (holidays: readonly Holiday[], thisYear: number) => {
  const near = [-1, 0, 1, 2].map((away) => String(thisYear + away))
  return [...new Set([...near, ...holidays.map((one) => one.date.slice(0, 4))])].sort()
}
