import {
  type Action,
  type ActionKind,
  actionKinds,
  blankAction,
  definitionOf,
} from '@balcao/contract/conversations/actions/index.ts'
import { plainWords } from '@balcao/contract/core/plain-words.ts'
import { ActionIcon, Button, Combobox, useCombobox } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ActionFields } from './action-fields.tsx'
import classes from './actions-field.module.css'

type Props = {
  steps: readonly Action[]
  onChange: (steps: Action[]) => void
  /** What may be added; left out, everything there is. */
  offered?: readonly ActionKind[]
  /** What the form says of a field of a step, by `actions.<index>.<field>`. */
  errorOf: (path: string) => ReactNode
}

/** Actions in order: added, changed, moved up and down, taken out. */
export const ActionsField = ({ steps, onChange, offered = actionKinds, errorOf }: Props) => {
  const list = useRef<HTMLOListElement>(null)
  const change = (at: number, step: Action) => onChange(steps.toSpliced(at, 1, step))
  const move = (at: number, to: number) => {
    const step = steps[at]
    if (!step || to < 0 || to >= steps.length) return
    onChange(steps.toSpliced(at, 1).toSpliced(to, 0, step))
    const direction = to < at ? 'up' : 'down'
    requestAnimationFrame(() =>
      list.current?.children[to]?.querySelector<HTMLElement>(`[data-move="${direction}"]`)?.focus(),
    )
  }
  return (
    <fieldset className={classes.field}>
      <legend className={classes.legend}>Passos</legend>
      <ol ref={list} className={classes.list}>
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step has no name but its place
          <li key={at} className={classes.step}>
            <div className={classes.head}>
              <strong>
                {at + 1}. {definitionOf(step.kind).label}
              </strong>
              <ActionIcon
                size={32}
                data-move="up"
                aria-label={`Subir o passo ${at + 1}`}
                disabled={at === 0}
                onClick={() => move(at, at - 1)}
              >
                <IconArrowUp size={16} />
              </ActionIcon>
              <ActionIcon
                size={32}
                data-move="down"
                aria-label={`Descer o passo ${at + 1}`}
                disabled={at === steps.length - 1}
                onClick={() => move(at, at + 1)}
              >
                <IconArrowDown size={16} />
              </ActionIcon>
              <ActionIcon
                size={32}
                aria-label={`Remover o passo ${at + 1}`}
                onClick={() => onChange(steps.toSpliced(at, 1))}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </div>
            <ActionFields
              action={step}
              onChange={(next) => change(at, next)}
              errorOf={(name) => errorOf(`actions.${at}.${name}`)}
            />
            {errorOf(`actions.${at}.kind`) && (
              <p className={classes.error} role="alert">
                {errorOf(`actions.${at}.kind`)}
              </p>
            )}
          </li>
        ))}
      </ol>
      {errorOf('actions') && (
        <p className={classes.error} role="alert">
          {errorOf('actions')}
        </p>
      )}
      <AddAction
        offered={offered}
        disabled={steps.length >= 20}
        onAdd={(kind) => onChange([...steps, blankAction(kind)])}
      />
    </fieldset>
  )
}

const AddAction = ({
  offered,
  disabled,
  onAdd,
}: {
  offered: readonly ActionKind[]
  disabled: boolean
  onAdd: (kind: ActionKind) => void
}) => {
  const [search, setSearch] = useState('')
  const combobox = useCombobox({
    onDropdownClose: () => {
      setSearch('')
      combobox.resetSelectedOption()
      combobox.focusTarget()
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: of what is found now, the first
  useEffect(() => {
    if (search) combobox.selectFirstOption()
  }, [search])
  const found = offered.filter((kind) => plainWords(definitionOf(kind).label).includes(plainWords(search)))
  return (
    <Combobox
      store={combobox}
      keepMounted={false}
      position="bottom-start"
      width={280}
      onOptionSubmit={(kind) => {
        onAdd(kind as ActionKind)
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target targetType="button">
        <Button
          className={classes.add}
          variant="default"
          size="sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={disabled}
          onClick={() => combobox.toggleDropdown()}
        >
          Adicionar passo
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          ref={focusAtOnce}
          aria-label="Buscar passo"
          placeholder="Buscar passo"
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <Combobox.Options className={classes.options}>
          {found.map((kind) => (
            <Combobox.Option key={kind} value={kind}>
              {definitionOf(kind).label}
            </Combobox.Option>
          ))}
          {found.length === 0 && <Combobox.Empty>Nenhum passo com este nome.</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** Before the next key: the first letters of whoever types right after the click would go to the button. */
const focusAtOnce = (field: HTMLInputElement | null) => field?.focus({ preventScroll: true })
