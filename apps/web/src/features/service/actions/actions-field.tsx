import {
  type Action,
  type ActionKind,
  actionKinds,
  blankAction,
  definitionOf,
} from '@balcao/contract/conversations/actions/index.ts'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
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
      <Menu position="bottom-start" width={240}>
        <Menu.Target>
          <Button
            variant="default"
            size="sm"
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={steps.length >= 20}
          >
            Adicionar passo
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={classes.menu}>
          {offered.map((kind) => (
            <Menu.Item key={kind} onClick={() => onChange([...steps, blankAction(kind)])}>
              {definitionOf(kind).label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </fieldset>
  )
}
