import { momentAt, wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import {
  type Task,
  taskCreate,
  taskPriorities,
  taskPriorityLabels,
  taskProblems,
  taskStatuses,
  taskStatusLabels,
} from '@balcao/contract/operations/tasks.ts'
import { Anchor, Button, Group, Select, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { sayAfterPress } from '../../../kit/after-press.ts'
import { isApiError, messageOf, problemsOf } from '../../../kit/api-error.ts'
import { resolverOf } from '../../../kit/form.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { useNewId } from '../../../kit/use-new-id.ts'
import { ConflictNotice } from '../../../ui/conflict-notice.tsx'
import { MomentField } from '../../../ui/date-field.tsx'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { notify } from '../../../ui/notify.ts'
import { findContacts } from '../../contacts/contacts/find-contacts.ts'
import { linkToTicket } from '../../conversations/tickets/address.ts'
import { type LinkOption, LinkSelect } from '../../core/pickers/link-select.tsx'
import { userOptions } from '../../people/users/api.ts'
import { createTask, saveTask, taskQuery } from './api.ts'
import { findTickets } from './links.ts'
import { recurrenceOptions } from './recurrence.ts'
import { reminderOptions } from './reminder.ts'
import { TaskComments } from './task-comments.tsx'

type Draft = Pick<
  Task,
  | 'name'
  | 'description'
  | 'ownerId'
  | 'priority'
  | 'status'
  | 'recurrence'
  | 'remindBefore'
  | 'ticketId'
  | 'contactId'
  | 'opportunityId'
> & {
  /** The wall clock of the company, as the field writes it; empty: no limit. */
  limit: string
}
type Props = {
  /** Null while it is being written down. */
  task: Task | null
  /** The wall time a new one begins with. */
  newLimit?: string
  /** What a new one is about from the start. */
  newLinks?: { contact?: LinkOption; ticket?: LinkOption; opportunity?: LinkOption }
  onClose: () => void
  onDelete: () => void
}

/** A task beside the list: its fields, then its comments. */
export const TaskForm = ({ task, newLimit = '', newLinks, onClose, onDelete }: Props) => {
  const cache = useQueryClient()
  const { userId, user } = useCurrentSession()
  const { timezone } = user.tenant
  const mayWrite = useCan('tasks.write')
  const people = useQuery(userOptions)
  const [base, setBase] = useState(task)
  const [busy, setBusy] = useState(false)
  const newIdOf = useNewId()
  const [problem, setProblem] = useState<string | null>(null)
  const [isStale, setStale] = useState(false)
  /** The field knows minutes; a limit nobody touched keeps its seconds. */
  const toValues = ({ limit, ...draft }: Draft) => {
    const isSame = base?.limitDate && wallTimeOf(base.limitDate, timezone) === limit
    return { ...draft, limitDate: isSame ? base.limitDate : limit ? momentAt(limit, timezone) : null }
  }
  const form = sayAfterPress(
    useForm<Draft>({
      initialValues: task
        ? draftOf(task, timezone)
        : {
            ...emptyDraft,
            ownerId: userId,
            limit: newLimit,
            contactId: newLinks?.contact?.value ?? null,
            ticketId: newLinks?.ticket?.value ?? null,
            opportunityId: newLinks?.opportunity?.value ?? null,
          },
      validate: (draft) => {
        const { limitDate, ...errors } = resolverOf(taskCreate, taskProblems)(toValues(draft))
        return limitDate ? { ...errors, limit: limitDate } : errors
      },
      validateInputOnBlur: true,
    }),
  )

  const save = async (over: Task | null) => {
    setBusy(true)
    setProblem(null)
    setStale(false)
    try {
      const values = toValues(form.getValues())
      const saved = over
        ? await saveTask(over.id, { ...values, version: over.version })
        : await createTask({ ...values, id: newIdOf(values) })
      cache.setQueryData(taskQuery(saved.id).queryKey, saved)
      void cache.invalidateQueries({ queryKey: ['resource', 'task'] })
      if (!over) notify.success('Tarefa criada.')
      form.resetDirty()
      onClose()
    } catch (error) {
      if (isApiError(error, 'ERR_CONFLICT')) return setStale(true)
      const problems = problemsOf(error)
      form.setErrors(
        Object.fromEntries(problems.map(({ path, message }) => [path === 'limitDate' ? 'limit' : path, message])),
      )
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }

  const readTheirs = async () => {
    const theirs = task && (await cache.fetchQuery({ ...taskQuery(task.id), staleTime: 0 }).catch(() => null))
    if (!theirs) onClose()
    return theirs
  }
  const handleReload = async () => {
    const theirs = await readTheirs()
    if (!theirs) return
    const next = draftOf(theirs, timezone)
    form.setValues(next)
    form.resetDirty(next)
    setBase(theirs)
    setStale(false)
  }

  const about = base?.opportunity ? { value: base.opportunity.id, label: base.opportunity.name } : newLinks?.opportunity
  const owners = (people.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  if (task && !owners.some((one) => one.value === task.ownerId))
    owners.unshift({ value: task.ownerId, label: task.owner.name })
  const fieldErrors = Object.entries(form.errors).map(
    ([path, message]) => `${labels[path] ?? path}: ${String(message)}`,
  )
  return (
    <FormDrawer
      opened
      title={task ? 'Tarefa' : 'Nova tarefa'}
      onClose={onClose}
      onSubmit={form.onSubmit(() => void save(base))}
      dirty={form.isDirty()}
      busy={busy}
      submitLabel={task ? 'Salvar' : 'Criar tarefa'}
      problems={fieldErrors.length > 1 || (problem && fieldErrors.length > 0) ? fieldErrors : problem ? [problem] : []}
      readOnly={!mayWrite}
      footer={
        task &&
        mayWrite && (
          <Button variant="subtle" color="red" onClick={onDelete}>
            Excluir
          </Button>
        )
      }
    >
      {isStale && (
        <ConflictNotice
          onReload={() => void handleReload()}
          onOverwrite={() => void readTheirs().then((theirs) => theirs && save(theirs))}
        />
      )}
      <TextInput label="O que fazer" required maxLength={120} data-autofocus {...form.getInputProps('name')} />
      <Textarea
        label="Descrição"
        autosize
        minRows={3}
        maxRows={12}
        maxLength={4_000}
        {...form.getInputProps('description')}
      />
      <Group grow align="flex-start" gap="sm" preventGrowOverflow={false}>
        <MomentField
          label="Prazo"
          maxDate="2999-12-31"
          miw={190}
          {...form.getInputProps('limit')}
          value={form.values.limit}
        />
        <Select
          label="Repetir"
          data={recurrenceOptions(base?.recurrence ?? null)}
          allowDeselect={false}
          {...form.getInputProps('recurrence')}
          value={String(form.values.recurrence ?? 0)}
          onChange={(days) => form.setFieldValue('recurrence', Number(days) || null)}
        />
      </Group>
      <Select
        label="Lembrete"
        data={reminderOptions(base?.remindBefore ?? null)}
        allowDeselect={false}
        disabled={!form.values.limit}
        description={form.values.limit ? undefined : 'Defina o prazo para ser lembrado antes dele.'}
        {...form.getInputProps('remindBefore')}
        value={String(form.values.remindBefore ?? 0)}
        onChange={(minutes) => form.setFieldValue('remindBefore', Number(minutes) || null)}
      />
      <Select
        label="Responsável"
        required
        searchable
        allowDeselect={false}
        data={owners}
        {...form.getInputProps('ownerId')}
      />
      <Group grow align="flex-start" gap="sm">
        <Select
          label="Situação"
          data={taskStatuses.map((value) => ({ value, label: taskStatusLabels[value] }))}
          allowDeselect={false}
          {...form.getInputProps('status')}
        />
        <Select
          label="Prioridade"
          data={taskPriorities.map((value) => ({ value, label: taskPriorityLabels[value] }))}
          allowDeselect={false}
          {...form.getInputProps('priority')}
        />
      </Group>
      <LinkSelect
        label="Contato"
        placeholder="Busque pelo nome ou número"
        kind="contact"
        find={findContacts}
        current={base?.contact ? { value: base.contact.id, label: base.contact.name } : (newLinks?.contact ?? null)}
        {...form.getInputProps('contactId')}
        value={form.values.contactId}
      />
      <LinkSelect
        label="Atendimento"
        placeholder="Busque pelo protocolo ou contato"
        kind="ticket"
        find={findTickets}
        current={base?.ticket ? { value: base.ticket.id, label: base.ticket.protocol } : (newLinks?.ticket ?? null)}
        description={
          form.values.ticketId && (
            <Anchor component={Link} to={linkToTicket(form.values.ticketId)} size="sm">
              Abrir o atendimento
            </Anchor>
          )
        }
        {...form.getInputProps('ticketId')}
        value={form.values.ticketId}
      />
      {about && (
        <Text size="sm">
          Oportunidade:{' '}
          <Anchor component={Link} to={`/funil/kanban?registro=${about.value}`}>
            {about.label}
          </Anchor>
        </Text>
      )}
      {task && <TaskComments taskId={task.id} />}
    </FormDrawer>
  )
}

const emptyDraft: Omit<Draft, 'ownerId' | 'limit'> = {
  name: '',
  description: '',
  priority: 'normal',
  status: 'pending',
  recurrence: null,
  remindBefore: null,
  ticketId: null,
  contactId: null,
  opportunityId: null,
}

const draftOf = (task: Task, timeZone: string): Draft => ({
  name: task.name,
  description: task.description,
  ownerId: task.ownerId,
  priority: task.priority,
  status: task.status,
  recurrence: task.recurrence,
  remindBefore: task.remindBefore,
  ticketId: task.ticketId,
  contactId: task.contactId,
  opportunityId: task.opportunityId,
  limit: task.limitDate ? wallTimeOf(task.limitDate, timeZone) : '',
})

const labels: Record<string, string> = {
  name: 'O que fazer',
  description: 'Descrição',
  limit: 'Prazo',
  ownerId: 'Responsável',
  recurrence: 'Repetir',
  remindBefore: 'Lembrete',
  status: 'Situação',
  priority: 'Prioridade',
  contactId: 'Contato',
  opportunityId: 'Oportunidade',
  ticketId: 'Atendimento',
}
