import type { FlowProblem } from '@balcao/contract/automation/flows/flows.ts'
import {
  type FlowNode,
  isDrawing,
  type NodeKind,
  nodeLabels,
  portsOf,
} from '@balcao/contract/automation/flows/graph.ts'
import { ActionIcon, Alert, Button, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconCopy, IconPlus, IconTrash, IconX } from '@tabler/icons-react'
import { memo, useEffect, useRef } from 'react'
import { useBuilder } from '../../../features/automation/flows/builder-context.ts'
import { connected, tidied } from '../../../features/automation/flows/edits.ts'
import { kinds } from '../../../features/automation/flows/kinds.ts'
import { isOwnEscape } from './is-own-escape.ts'
import { StepForm } from './step-forms/step-form.tsx'
import classes from './step-panel.module.css'
import { StepSelect } from './step-select.tsx'

type Props = {
  node: FlowNode
  flowId: string
  problems: readonly FlowProblem[]
  /** Grows when the keyboard is to come along. */
  asked: number
  onClose: () => void
  onDuplicate: () => void
  onRemove: () => void
}

/** The form of the chosen step: its name, what it says or does, and where each of its ways leads. */
export const StepPanel = ({ node, flowId, problems, asked, onClose, onDuplicate, onRemove }: Props) => {
  const { desk, readOnly } = useBuilder()
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!asked) return
    const find = (what: string) => panel.current?.querySelector<HTMLElement>(what)
    const field = find('[data-fields] textarea') ?? find('[data-fields] input:not([type="hidden"])')
    field?.focus()
    if (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)
      field.setSelectionRange(field.value.length, field.value.length)
  }, [asked])
  const { icon: Icon } = kinds[node.kind]
  const change = (next: FlowNode) => {
    const now = desk.get().nodes.get(node.id)
    // The form was drawn with what the step was; where it stands and leads may have changed since.
    if (now)
      desk.change({ upserts: [tidied({ ...next, x: now.x, y: now.y, next: now.next })], removes: [] }, `${node.id}`)
  }
  const errorOf = (path: string) => problems.find((one) => one.path === path && one.level === 'error')?.message
  const others = problems.filter(({ path, level }) => path === '' || level === 'warning')
  return (
    <aside
      ref={panel}
      className={classes.panel}
      aria-label={`Passo: ${nodeLabels[node.kind]}`}
      onKeyDown={(event) => isOwnEscape(event) && onClose()}
    >
      <header className={classes.head}>
        <Icon size={18} stroke={1.75} aria-hidden />
        <h2 className={classes.title}>{nodeLabels[node.kind]}</h2>
        {!readOnly && node.kind !== 'start' && (
          <>
            <ActionIcon size={32} aria-label="Duplicar passo" onClick={onDuplicate}>
              <IconCopy size={17} stroke={1.75} />
            </ActionIcon>
            <ActionIcon size={32} aria-label="Excluir passo" onClick={onRemove}>
              <IconTrash size={17} stroke={1.75} />
            </ActionIcon>
          </>
        )}
        <ActionIcon size={32} aria-label="Fechar painel" onClick={onClose}>
          <IconX size={17} stroke={1.75} />
        </ActionIcon>
      </header>
      <fieldset className={classes.fields} disabled={readOnly} tabIndex={readOnly ? 0 : undefined} data-fields>
        {others.map(({ message, level }) => (
          <Alert
            key={message}
            variant="light"
            color={level === 'error' ? 'red' : 'amber'}
            icon={<IconAlertTriangle size={17} />}
            p="xs"
          >
            {message}
          </Alert>
        ))}
        {node.kind !== 'start' && (
          <TextInput
            label="Nome do passo"
            placeholder={nodeLabels[node.kind]}
            maxLength={80}
            value={node.name}
            onChange={(event) => change({ ...node, name: event.currentTarget.value })}
          />
        )}
        <StepForm key={node.id} node={node} flowId={flowId} onChange={change} errorOf={errorOf} />
        {!isDrawing(node.kind) && portsOf(node).length > 0 && (
          <fieldset className={classes.ways}>
            <legend className={classes.legend}>Para onde vai</legend>
            {portsOf(node).map(({ id, label, isOptional }) => (
              <Way
                key={id}
                nodeId={node.id}
                port={id}
                label={label}
                placeholder={whereElse(node.kind, id, isOptional)}
                error={errorOf(`next.${id}`)}
                to={node.next[id] ?? ''}
              />
            ))}
          </fieldset>
        )}
      </fieldset>
    </aside>
  )
}

/** What happens where this way leads to no step. */
const whereElse = (kind: NodeKind, port: string, isOptional: boolean) => {
  if (kind === 'wait' && port === 'answer') return 'Continua esperando'
  if (port === 'failed' && (kind === 'action' || kind === 'http')) return 'Segue por “Depois”'
  if (isOptional) return 'Como nas configurações'
  return port === 'next' && kind !== 'start' ? 'Fim: passa para a equipe' : 'Escolha o passo'
}

type WayProps = { nodeId: string; port: string; label: string; placeholder: string; error?: string; to: string }
/** One way out of the step: not drawn anew for what is written in the step. */
const Way = memo(({ nodeId, port, label, placeholder, error, to }: WayProps) => {
  const { desk, offerAfter } = useBuilder()
  return (
    <div className={classes.way}>
      <StepSelect
        label={label}
        className={classes.target}
        placeholder={placeholder}
        error={error}
        value={to}
        onChange={(id) => desk.change(connected(desk.get().nodes, { id: nodeId, port }, id || null))}
      />
      <Button
        variant="default"
        px={8}
        aria-label={`${to ? 'Inserir' : 'Criar'} passo depois de “${label}”`}
        onClick={(event) => {
          const { left, bottom } = event.currentTarget.getBoundingClientRect()
          offerAfter({ id: nodeId, port }, { x: left, y: bottom })
        }}
      >
        <IconPlus size={17} aria-hidden />
      </Button>
    </div>
  )
})
