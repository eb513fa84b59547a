import { channels } from '@balcao/contract/channels/index.ts'
import { contact as contactRow } from '@balcao/contract/contacts/contacts.ts'
import { momentAt, wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import {
  type Schedule,
  type ScheduleCreate,
  scheduleCreate,
  scheduleProblems,
} from '@balcao/contract/operations/schedules.ts'
import { Alert, Button, Group, NumberInput, Select, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { v7 } from 'uuid'
import { sayAfterPress } from '../../../kit/after-press.ts'
import { byField, isApiError, messageOf, problemsOf } from '../../../kit/api-error.ts'
import { resolverOf } from '../../../kit/form.ts'
import { formatNumber } from '../../../kit/format.ts'
import { resourceRow } from '../../../kit/resource-api.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ConflictNotice } from '../../../ui/conflict-notice.tsx'
import { MomentField } from '../../../ui/date-field.tsx'
import { FormDrawer } from '../../../ui/form-drawer.tsx'
import { notify } from '../../../ui/notify.ts'
import { nowMs } from '../../../ui/server-time.ts'
import { connectionList } from '../../channels/connections/api.ts'
import { contactResource } from '../../contacts/contacts/contact-resource.ts'
import { findContacts } from '../../contacts/contacts/find-contacts.ts'
import { unreachableBecause } from '../../contacts/contacts/reach.ts'
import { VariablePreview } from '../../contacts/variables/variable-preview.tsx'
import { VariableTextarea } from '../../contacts/variables/variable-textarea.tsx'
import { ticketCheckQuery } from '../../conversations/tickets/api.ts'
import { MediaField } from '../../core/media/media-field.tsx'
import { type LinkOption, LinkSelect } from '../../core/pickers/link-select.tsx'
import { createSchedule, saveSchedule, scheduleQuery } from './api.ts'
import { presetsAt } from './presets.ts'
import { customInterval, intervalOptions, isUsual } from './recurrence.ts'
import { ScheduleOutcome } from './schedule-outcome.tsx'

type Draft = {
  contactId: string | null
  connectionId: string | null
  body: string
  mediaId: string | null
  /** The wall clock of the company, as the field writes it. */
  when: string
  /** Days between two: `'0'` not at all, `customInterval` as `everyDays` says. */
  interval: string
  everyDays: number | string
  times: number | string
}
type Props = {
  /** Null while it is being written. */
  schedule: Schedule | null
  /** The wall time a new one begins with. */
  newWhen?: string
  /** For whom, over which channel and with what a new one begins. */
  newFor?: { contact: LinkOption; connectionId: string | null; body?: string; media?: Schedule['media'] }
  /** How many others were scheduled with it, to other groups, and wait as it does. */
  same: number
  /** It was scheduled or changed. */
  onSaved?: () => void
  onClose: () => void
  onCancelSchedule: () => void
  /** Writes one more like this one, which is done. */
  onRepeat: () => void
}

/** A scheduled message beside the list. Once it is sent, failed or canceled it is only read. */
export const ScheduleForm = ({ schedule, newWhen = '', newFor, same, onSaved, onClose, ...does }: Props) => {
  const cache = useQueryClient()
  const { timezone } = useCurrentSession().user.tenant
  const mayWrite = useCan('schedules.write')
  const connections = useQuery(connectionList)
  const [base, setBase] = useState(schedule)
  const [newId] = useState(() => v7())
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [isStale, setStale] = useState(false)
  const [alsoSame, setAlsoSame] = useState(false)
  const isPending = !schedule || schedule.state === 'pending'
  const form = sayAfterPress(
    useForm<Draft>({
      initialValues: schedule
        ? draftOf(schedule, timezone)
        : {
            ...emptyDraft,
            when: newWhen,
            contactId: newFor?.contact.value ?? null,
            connectionId: newFor?.connectionId ?? null,
            body: newFor?.body ?? '',
            mediaId: newFor?.media?.id ?? null,
          },
      validate: (draft) => {
        const problems = resolverOf(scheduleCreate, scheduleProblems)(toValues(draft, timezone, base))
        return Object.fromEntries(Object.entries(problems).map(([path, message]) => [fieldOf(path), message]))
      },
      validateInputOnBlur: ['when', 'everyDays', 'times'],
    }),
  )
  const { values } = form
  const contact = useQuery({
    ...resourceRow(contactResource, values.contactId ?? ''),
    enabled: isPending && values.contactId !== null,
    select: (row) => contactRow.parse(row),
  })

  const save = async (over: Schedule | null) => {
    setBusy(true)
    setProblem(null)
    setStale(false)
    try {
      const parsed: ScheduleCreate = scheduleCreate.parse(toValues(form.getValues(), timezone, base))
      const { contactId, ...rest } = parsed
      const saved = over
        ? await saveSchedule(over.id, { ...rest, version: over.version, alsoSame: alsoSame && same > 0 })
        : await createSchedule({ ...rest, contactId, id: newId })
      cache.setQueryData(scheduleQuery(saved.id).queryKey, saved)
      void cache.invalidateQueries({ queryKey: ['resource', 'schedule'] })
      if (!over) notify.success('Mensagem agendada.')
      form.resetDirty()
      onSaved?.()
      onClose()
    } catch (error) {
      if (isApiError(error, 'ERR_CONFLICT')) return setStale(true)
      const problems = problemsOf(error)
      form.setErrors(byField(problems, fieldOf))
      setProblem(messageOf(error))
      if (isApiError(error, 'ERR_SCHEDULE_NOT_PENDING'))
        void cache.invalidateQueries({ queryKey: ['resource', 'schedule'] })
    } finally {
      setBusy(false)
    }
  }

  const readTheirs = async () => {
    const theirs =
      schedule && (await cache.fetchQuery({ ...scheduleQuery(schedule.id), staleTime: 0 }).catch(() => null))
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

  const channelOptions = (connections.data ?? []).map(({ id, name, kind }) => ({
    value: id,
    label: `${name} · ${channels[kind].label}`,
  }))
  if (base && !channelOptions.some((one) => one.value === base.connection.id))
    channelOptions.unshift({ value: base.connection.id, label: base.connection.name })
  const chosen = connections.data?.find((one) => one.id === values.connectionId)
  const obstacle =
    chosen && contact.data && !contact.data.isGroup && unreachableBecause(contact.data, chosen.kind, chosen.abilities)
  const channelNote = obstacle
    ? `${obstacle} Assim, a mensagem não será entregue por este canal.`
    : chosen?.abilities.windowHours
      ? 'Neste canal, só é entregue se o contato tiver escrito nas 24 horas antes do envio.'
      : undefined
  const isHidden = useQuery({
    ...ticketCheckQuery(values.contactId ?? '', values.connectionId ?? ''),
    enabled: isPending && values.contactId !== null && values.connectionId !== null,
    select: (active) => active.exists && active.ticketId === null,
  }).data
  const fieldErrors = Object.entries(form.errors).map(
    ([path, message]) => `${labels[path] ?? path}: ${String(message)}`,
  )
  return (
    <FormDrawer
      opened
      title={schedule ? 'Mensagem agendada' : 'Agendar mensagem'}
      onClose={onClose}
      onSubmit={form.onSubmit(() => void save(base))}
      dirty={isPending && form.isDirty()}
      busy={busy}
      submitLabel={schedule ? 'Salvar' : 'Agendar'}
      problems={fieldErrors.length > 1 || (problem && fieldErrors.length > 0) ? fieldErrors : problem ? [problem] : []}
      readOnly={!mayWrite || !isPending}
      footer={
        schedule &&
        mayWrite &&
        (isPending ? (
          <Button variant="subtle" color="red" onClick={does.onCancelSchedule}>
            Cancelar envio
          </Button>
        ) : (
          <Button variant="subtle" onClick={does.onRepeat}>
            Agendar de novo
          </Button>
        ))
      }
    >
      {isStale && (
        <ConflictNotice
          onReload={() => void handleReload()}
          onOverwrite={() => void readTheirs().then((theirs) => theirs && save(theirs))}
        />
      )}
      {schedule && !isPending ? (
        <ScheduleOutcome schedule={schedule} />
      ) : (
        <>
          {same > 0 && mayWrite && (
            <Switch
              label={`Mudar também em ${same === 1 ? '1 outro grupo' : `outros ${formatNumber(same)} grupos`}`}
              description="Mensagem, arquivo, hora e repetição do que foi agendado junto, para a mesma hora."
              checked={alsoSame}
              onChange={(event) => setAlsoSame(event.currentTarget.checked)}
            />
          )}
          {schedule ? (
            <TextInput label={schedule.contact.isGroup ? 'Grupo' : 'Contato'} value={schedule.contact.name} readOnly />
          ) : (
            <LinkSelect
              label="Contato"
              required
              placeholder="Busque pelo nome ou número"
              kind="contact"
              isFirst
              find={findContacts}
              current={newFor?.contact ?? null}
              {...form.getInputProps('contactId')}
              value={values.contactId}
            />
          )}
          <Select
            label="Canal"
            required
            allowDeselect={false}
            data={channelOptions}
            nothingFoundMessage="Nenhum canal"
            placeholder="Por onde enviar"
            description={channelNote}
            {...form.getInputProps('connectionId')}
          />
          {isHidden && (
            <Alert variant="light" color="amber" role="status">
              Este contato está em uma conversa que você não vê. A mensagem sairá em uma conversa sua, quando aquela
              terminar.
            </Alert>
          )}
          <div>
            <MomentField
              label="Data e hora do envio"
              required
              maxDate="2999-12-31"
              {...form.getInputProps('when')}
              value={form.values.when}
            />
            {mayWrite && (
              <Group gap={6} mt={6}>
                {presetsAt(nowMs(), timezone).map(({ label, wall }) => (
                  <Button
                    key={label}
                    variant="default"
                    size="compact-sm"
                    onClick={() => form.setFieldValue('when', wall)}
                  >
                    {label}
                  </Button>
                ))}
              </Group>
            )}
          </div>
          <VariableTextarea
            label="Mensagem"
            minRows={4}
            maxLength={4_000}
            {...form.getInputProps('body')}
            value={values.body}
          />
          {values.body.includes('{{') && (
            <VariablePreview
              text={values.body}
              values={schedule?.contact.isGroup ? { name: schedule.contact.name, timeZone: timezone } : undefined}
            />
          )}
          <MediaField label="Arquivo" media={base?.media ?? newFor?.media ?? null} {...form.getInputProps('mediaId')} />
          <Select label="Repetir" data={intervalOptions} allowDeselect={false} {...form.getInputProps('interval')} />
          {values.interval !== '0' && (
            <Group grow align="flex-start" gap="sm">
              {values.interval === customInterval && (
                <NumberInput
                  label="A cada quantos dias"
                  min={1}
                  max={366}
                  allowDecimal={false}
                  {...form.getInputProps('everyDays')}
                />
              )}
              <NumberInput
                label="Quantas vezes mais"
                description="Depois do primeiro envio."
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                min={1}
                max={366}
                allowDecimal={false}
                {...form.getInputProps('times')}
              />
            </Group>
          )}
        </>
      )}
    </FormDrawer>
  )
}

/** The field knows minutes; a time nobody touched keeps its seconds. */
const toValues = (draft: Draft, timeZone: string, base: Schedule | null) => {
  const isSame = base && wallTimeOf(base.scheduleDate, timeZone) === draft.when
  const everyDays = draft.interval === customInterval ? draft.everyDays : Number(draft.interval)
  return {
    contactId: draft.contactId,
    connectionId: draft.connectionId,
    body: draft.body,
    mediaId: draft.mediaId,
    scheduleDate: isSame ? base.scheduleDate : draft.when && momentAt(draft.when, timeZone),
    recurrence: draft.interval === '0' ? null : { everyDays, times: draft.times },
  }
}

const emptyDraft: Omit<Draft, 'when'> = {
  contactId: null,
  connectionId: null,
  body: '',
  mediaId: null,
  interval: '0',
  everyDays: 3,
  times: 1,
}

const draftOf = ({ recurrence, ...schedule }: Schedule, timeZone: string): Draft => ({
  contactId: schedule.contact.id,
  connectionId: schedule.connection.id,
  body: schedule.body,
  mediaId: schedule.media?.id ?? null,
  when: wallTimeOf(schedule.scheduleDate, timeZone),
  interval: recurrence ? (isUsual(recurrence.everyDays) ? String(recurrence.everyDays) : customInterval) : '0',
  everyDays: recurrence?.everyDays ?? emptyDraft.everyDays,
  times: recurrence?.times ?? emptyDraft.times,
})

const fieldOf = (path: string) => (path === 'scheduleDate' ? 'when' : path.replace('recurrence.', ''))

const labels: Record<string, string> = {
  contactId: 'Contato',
  connectionId: 'Canal',
  when: 'Data e hora do envio',
  body: 'Mensagem',
  mediaId: 'Arquivo',
  everyDays: 'A cada quantos dias',
  times: 'Quantas vezes mais',
}
