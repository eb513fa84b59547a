import { priorities, priorityLabels } from '@balcao/contract/conversations/urgency.ts'
import { type slaTarget, slaTargets } from '@balcao/contract/people/settings.ts'
import { ActionIcon, Button, Input, NativeSelect } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { LeaveGuard } from '../../../ui/leave-guard.tsx'
import { queueOptions } from '../../core/pickers/options.ts'
import { writeSettings } from './api.ts'
import { MinutesInput } from './minutes-input.tsx'
import { SettingSection } from './setting-row.tsx'
import classes from './sla-panel.module.css'
import type { Save } from './use-auto-save.ts'

type Target = z.output<typeof slaTarget>
type Props = { targets: readonly Target[]; problem?: string; save: Save }

/** What is promised to customers, by queue and priority; the most exact line counts. */
export const SlaPanel = ({ targets, problem, save }: Props) => {
  const [typed, setTyped] = useState<readonly Target[] | null>(null)
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const draft = typed ?? targets
  const isChanged = JSON.stringify(draft) !== JSON.stringify(targets)
  const issues = slaTargets.safeParse(draft).error?.issues ?? []
  const drop = () => {
    setTyped(null)
    setTried(false)
  }
  const handleSave = async () => {
    setTried(true)
    if (issues.length) return
    setBusy(true)
    const done = 'Prazos de atendimento salvos.'
    const isSaved = await save({ at: 'slaTargets', done, patch: { slaTargets: [...draft] }, write: writeSettings })
    setBusy(false)
    if (isSaved) drop()
  }
  const problemOf = (at: number, field: keyof Target) =>
    issues.find(({ path }) => path[0] === at && path[1] === field)?.message
  return (
    <SettingSection
      title="Prazos de atendimento (SLA)"
      note="Contam só o horário de atendimento da fila ou da empresa, sem feriados nem pausas. Entre várias linhas que servem, vale a mais exata."
      actions={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => setTyped([...draft, freshTarget(draft)])}
        >
          Adicionar prazo
        </Button>
      }
    >
      {draft.length === 0 ? (
        <p className={classes.empty}>
          Nenhum prazo. Adicione um para que cada conversa mostre quanto tempo falta para responder e para resolver.
        </p>
      ) : (
        <div className={classes.table}>
          <div className={classes.head} aria-hidden>
            <span>Fila</span>
            <span>Prioridade</span>
            <span>Primeira resposta</span>
            <span>Resolução</span>
          </div>
          {draft.map((target, at) => (
            <TargetRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name, and lines do not change places
              key={at}
              name={`Prazo ${at + 1}`}
              target={target}
              problemOf={(field) => problemOf(at, field)}
              onChange={(next) => setTyped(draft.with(at, next))}
              onRemove={() => setTyped(draft.toSpliced(at, 1))}
            />
          ))}
        </div>
      )}
      {problem && (
        <Input.Error role="alert" p="sm">
          {problem}
        </Input.Error>
      )}
      {isChanged && (
        <div className={classes.footer}>
          <span className={classes.pending} role="status">
            {tried && issues.length > 0 ? 'Corrija os prazos marcados antes de salvar.' : 'Há prazos não salvos.'}
          </span>
          <Button variant="default" onClick={drop}>
            Descartar
          </Button>
          <Button loading={busy} onClick={() => void handleSave()}>
            Salvar
          </Button>
        </div>
      )}
      <LeaveGuard active={isChanged && !busy} />
    </SettingSection>
  )
}

type RowProps = {
  name: string
  target: Target
  problemOf: (field: keyof Target) => string | undefined
  onChange: (target: Target) => void
  onRemove: () => void
}

const TargetRow = ({ name, target, problemOf, onChange, onRemove }: RowProps) => {
  const queues = useQuery(queueOptions).data ?? []
  const isGone = target.queueId !== null && queues.length > 0 && !queues.some(({ id }) => id === target.queueId)
  return (
    <fieldset className={classes.row}>
      <legend className={classes.unseen}>{name}</legend>
      <span className={classes.field}>
        <span className={classes.label} aria-hidden>
          Fila
        </span>
        <NativeSelect
          aria-label="Fila"
          data={[
            { value: '', label: 'Qualquer fila' },
            ...queues.map(({ id, name }) => ({ value: id, label: name })),
            ...(isGone ? [{ value: target.queueId ?? '', label: 'Fila excluída' }] : []),
          ]}
          value={target.queueId ?? ''}
          error={problemOf('queueId')}
          onChange={(event) => onChange({ ...target, queueId: event.currentTarget.value || null })}
        />
      </span>
      <span className={classes.field}>
        <span className={classes.label} aria-hidden>
          Prioridade
        </span>
        <NativeSelect
          aria-label="Prioridade"
          data={[
            { value: '', label: 'Qualquer' },
            ...priorities.map((value) => ({ value, label: priorityLabels[value] })),
          ]}
          value={target.priority ?? ''}
          onChange={(event) => {
            const chosen = event.currentTarget.value
            onChange({ ...target, priority: priorities.find((one) => one === chosen) ?? null })
          }}
        />
      </span>
      <span className={classes.field}>
        <span className={classes.label} aria-hidden>
          Primeira resposta
        </span>
        <MinutesInput
          label="Primeira resposta"
          value={target.firstAnswer}
          error={problemOf('firstAnswer')}
          onChange={(firstAnswer) => onChange({ ...target, firstAnswer })}
        />
      </span>
      <span className={classes.field}>
        <span className={classes.label} aria-hidden>
          Resolução
        </span>
        <MinutesInput
          label="Resolução"
          value={target.resolution}
          error={problemOf('resolution')}
          onChange={(resolution) => onChange({ ...target, resolution })}
        />
      </span>
      <ActionIcon className={classes.remove} aria-label={`Remover ${name.toLowerCase()}`} onClick={onRemove}>
        <IconX size={16} />
      </ActionIcon>
    </fieldset>
  )
}

/** A new line for the first priority that has none yet for every queue. */
const freshTarget = (targets: readonly Target[]): Target => {
  const wanted = [null, ...[...priorities].reverse()]
  const free = wanted.find((priority) => !targets.some((one) => one.queueId === null && one.priority === priority))
  return { queueId: null, priority: free ?? null, firstAnswer: 30, resolution: 480 }
}
