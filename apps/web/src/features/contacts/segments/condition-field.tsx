import { fieldOf } from '@balcao/contract/contacts/segments/fields.ts'
import { operatorOf } from '@balcao/contract/contacts/segments/kinds.ts'
import type { Condition } from '@balcao/contract/contacts/segments/segments.ts'
import { ActionIcon, MultiSelect, Select, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { DateField } from '../../../ui/date-field.tsx'
import { OptionalNumberField } from '../../../ui/number-field.tsx'
import { SearchSelect } from '../../../ui/search-select.tsx'
import { conditionOn, operators, optionsOf, type SegmentChoices, subjectOf, subjects } from './choices.ts'
import classes from './rules-field.module.css'

type Props = {
  condition: Condition
  onChange: (condition: Condition) => void
  onRemove: () => void
  /** "Condição 2", for who hears it. */
  name: string
  error: ReactNode
  choices: SegmentChoices
}

/** One question: what, how, and with what it is compared. */
export const ConditionField = ({ condition, onChange, onRemove, name, error, choices }: Props) => {
  const { field, op, key } = condition
  const { kind, key: keys } = fieldOf(field)
  const takes = operatorOf(kind, op)?.takes
  const isWide = takes === 'set' || takes === 'text'
  return (
    <div className={classes.condition}>
      <div className={classes.line}>
        <Select
          searchable
          selectFirstOptionOnChange
          allowDeselect={false}
          aria-label={`${name}: o que comparar`}
          data={subjects(choices, condition)}
          value={subjectOf(condition)}
          onChange={(subject) => subject && subject !== subjectOf(condition) && onChange(conditionOn(subject))}
        />
        <ActionIcon aria-label={`Remover ${name.toLowerCase()}`} onClick={onRemove}>
          <IconX size={18} stroke={1.75} />
        </ActionIcon>
      </div>
      {Array.isArray(keys) && (
        <SearchSelect
          aria-label={`${name}: canal e finalidade`}
          data={keys}
          value={key ?? null}
          onChange={(next) => next && onChange({ ...condition, key: next })}
        />
      )}
      <div className={classes.pair}>
        <Select
          className={isWide || takes === 'none' ? classes.wide : undefined}
          allowDeselect={false}
          aria-label={`${name}: como comparar`}
          data={operators(field)}
          value={op}
          error={takes === 'none' ? error : undefined}
          onChange={(next) => next && onChange(withOperator(condition, next))}
        />
        {takes !== 'none' && (
          <ValueInput
            condition={condition}
            onChange={onChange}
            choices={choices}
            label={`${name}: valor`}
            error={error}
          />
        )}
      </div>
    </div>
  )
}

/** What was chosen stays where the other operator takes the same. */
const withOperator = ({ value, ...condition }: Condition, op: string): Condition => {
  const { kind } = fieldOf(condition.field)
  const isSame = operatorOf(kind, op)?.takes === operatorOf(kind, condition.op)?.takes
  return { ...condition, op, ...(isSame && value !== undefined && { value }) }
}

type ValueProps = Pick<Props, 'condition' | 'onChange' | 'choices' | 'error'> & { label: string }
const ValueInput = ({ condition, onChange, choices, label, error }: ValueProps) => {
  const { value, ...rest } = condition
  const set = (next: Condition['value']) =>
    onChange(next === undefined || next === '' ? rest : { ...rest, value: next })
  const shared = { 'aria-label': label, error }
  switch (operatorOf(fieldOf(condition.field).kind, condition.op)?.takes) {
    case 'set': {
      const chosen = Array.isArray(value) ? value : []
      return (
        <MultiSelect
          {...shared}
          className={classes.wide}
          searchable
          hidePickedOptions
          openOnFocus={false}
          maxValues={50}
          nothingFoundMessage="Nada para escolher"
          placeholder={chosen.length ? undefined : 'Escolha'}
          data={optionsOf(choices, condition)}
          value={chosen}
          onChange={(next) => set(next.length ? next : undefined)}
        />
      )
    }
    case 'number':
    case 'days':
      return (
        <OptionalNumberField
          {...shared}
          placeholder={condition.op === 'older' || condition.op === 'within' ? 'Dias' : 'Número'}
          hideControls
          allowDecimal={fieldOf(condition.field).kind === 'number'}
          allowNegative={fieldOf(condition.field).kind === 'number'}
          decimalSeparator=","
          thousandSeparator="."
          value={typeof value === 'number' ? value : null}
          onChange={(next) => set(next ?? undefined)}
        />
      )
    case 'date':
      return <DateField {...shared} value={typeof value === 'string' ? value : ''} onChange={set} />
    default:
      return (
        <TextInput
          {...shared}
          className={classes.wide}
          maxLength={200}
          placeholder="Texto"
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => set(event.currentTarget.value)}
        />
      )
  }
}
