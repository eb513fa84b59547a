import { Checkbox, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import classes from './filter-menu.module.css'
import { FilterPopover } from './filter-popover.tsx'

export type FilterOption = { value: string; label: string; mark?: ReactNode }
type Props = { label: string; options: FilterOption[]; value: string[]; onChange: (value: string[]) => void }

/** One filter of a list: its name while it rests, what was chosen while it works, the choices below. */
export const FilterMenu = ({ label, options, value, onChange }: Props) => {
  const [search, setSearch] = useState('')
  const chosen = options.filter((option) => value.includes(option.value))
  const shown = options.filter((option) => plain(option.label).includes(plain(search)))
  const toggle = (one: string) =>
    onChange(value.includes(one) ? value.filter((other) => other !== one) : [...value, one])
  const title = value.length
    ? `${label}: ${chosen[0]?.label ?? '1'}${value.length > 1 ? ` +${value.length - 1}` : ''}`
    : null
  return (
    <FilterPopover
      label={label}
      title={title}
      onClear={() => onChange([])}
      onClose={() => setSearch('')}
      p="xs"
      w={260}
    >
      {options.length > 8 && (
        <TextInput
          size="sm"
          mb="xs"
          aria-label={`Buscar em ${label.toLowerCase()}`}
          placeholder="Buscar"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          data-autofocus
        />
      )}
      <fieldset className={classes.options}>
        <legend className={classes.unseen}>{label}</legend>
        {shown.slice(0, 100).map((option) => (
          <Checkbox
            key={option.value}
            checked={value.includes(option.value)}
            onChange={() => toggle(option.value)}
            label={
              <span className={classes.option}>
                {option.mark}
                <span className="truncate">{option.label}</span>
              </span>
            }
            classNames={{
              root: classes.choice,
              body: classes.line,
              labelWrapper: classes.words,
              label: classes.label,
            }}
          />
        ))}
        {shown.length === 0 && <p className={classes.none}>{search ? 'Nada encontrado' : 'Nada para escolher'}</p>}
      </fieldset>
    </FilterPopover>
  )
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
