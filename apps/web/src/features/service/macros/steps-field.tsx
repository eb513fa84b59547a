import { priorities } from '@balcao/contract/conversations/tickets.ts'
import { type MacroAction, macroStepLabels } from '@balcao/contract/service/macros.ts'
import { ActionIcon, Button, Menu, MultiSelect, NumberInput, Select } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { VariableTextarea } from '../../contacts/variables/variable-textarea.tsx'
import { priorityLabels } from '../../conversations/tickets/priorities.ts'
import classes from './steps-field.module.css'
import { useNames } from './use-names.ts'

type Props = {
  steps: readonly MacroAction[]
  onChange: (steps: MacroAction[]) => void
  /** What the form says of a field of a step, by `actions.<index>.<field>`. */
  errorOf: (path: string) => ReactNode
}
const kinds = Object.keys(macroStepLabels) as MacroAction['kind'][] // the keys of a record of exactly these

/** The steps of a macro, in order: added, changed, moved up and down, taken out. */
export const StepsField = ({ steps, onChange, errorOf }: Props) => {
  const list = useRef<HTMLOListElement>(null)
  const change = (at: number, step: MacroAction) => onChange(steps.toSpliced(at, 1, step))
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
                {at + 1}. {macroStepLabels[step.kind]}
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
            <StepFields
              step={step}
              onChange={(next) => change(at, next)}
              errorOf={(name) => errorOf(`actions.${at}.${name}`)}
            />
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
        <Menu.Dropdown>
          {kinds.map((kind) => (
            <Menu.Item key={kind} onClick={() => onChange([...steps, blankStep(kind)])}>
              {macroStepLabels[kind]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </fieldset>
  )
}

type StepProps = { step: MacroAction; onChange: (step: MacroAction) => void; errorOf: (field: string) => ReactNode }
const StepFields = ({ step, onChange, errorOf }: StepProps) => {
  const { tags, queues, reasons, people } = useNames()
  const options = (all: readonly { id: string; name: string }[]) =>
    all.map(({ id, name }) => ({ value: id, label: name }))
  const kind = errorOf('kind')
  const fields = () => {
    switch (step.kind) {
      case 'send':
      case 'note':
        return (
          <VariableTextarea
            label="Texto"
            required
            minRows={2}
            maxLength={4_000}
            value={step.body}
            onChange={(body) => onChange({ ...step, body })}
            error={errorOf('body')}
          />
        )
      case 'addTags':
      case 'removeTags':
        return (
          <MultiSelect
            label="Etiquetas"
            required
            searchable
            data={options(tags)}
            value={step.tagIds}
            onChange={(tagIds) => onChange({ ...step, tagIds })}
            error={errorOf('tagIds')}
          />
        )
      case 'transfer':
        return (
          <>
            <Select
              label="Fila"
              placeholder="Manter a fila"
              clearable
              searchable
              data={options(queues)}
              value={step.queueId}
              onChange={(queueId) => onChange({ ...step, queueId })}
              error={errorOf('queueId')}
            />
            <Select
              label="Atendente"
              placeholder="Ninguém: fica em espera"
              clearable
              searchable
              data={options(people)}
              value={step.userId}
              onChange={(userId) => onChange({ ...step, userId })}
              error={errorOf('userId')}
            />
          </>
        )
      case 'priority':
        return (
          <Select
            label="Prioridade"
            allowDeselect={false}
            data={priorities.map((value) => ({ value, label: priorityLabels[value] }))}
            value={step.priority}
            onChange={(value) => onChange({ ...step, priority: value ?? step.priority })}
          />
        )
      case 'pause':
        return (
          <NumberInput
            label="Por quantos minutos"
            description="Em branco, até o cliente responder."
            min={5}
            max={43_200}
            value={step.minutes ?? ''}
            onChange={(value) => onChange({ ...step, minutes: typeof value === 'number' ? value : null })}
            error={errorOf('minutes')}
          />
        )
      case 'close':
        return (
          <Select
            label="Motivo"
            placeholder="Sem motivo"
            clearable
            searchable
            data={options(reasons)}
            value={step.reasonId}
            onChange={(reasonId) => onChange({ ...step, reasonId })}
            error={errorOf('reasonId')}
          />
        )
    }
  }
  return (
    <>
      {fields()}
      {kind && (
        <p className={classes.error} role="alert">
          {kind}
        </p>
      )}
    </>
  )
}

const blankStep = (kind: MacroAction['kind']): MacroAction => {
  switch (kind) {
    case 'send':
    case 'note':
      return { kind, body: '' }
    case 'addTags':
    case 'removeTags':
      return { kind, tagIds: [] }
    case 'transfer':
      return { kind, queueId: null, userId: null }
    case 'priority':
      return { kind, priority: 'high' }
    case 'pause':
      return { kind, minutes: null }
    case 'close':
      return { kind, reasonId: null }
  }
}
