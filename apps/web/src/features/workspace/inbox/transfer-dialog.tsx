import type { ticketLoads } from '@balcao/contract/conversations/tickets.ts'
import type { UserOption } from '@balcao/contract/people/users.ts'
import { Combobox, Modal, Select, Stack, Text, Textarea, TextInput, useCombobox } from '@mantine/core'
import { IconUsersGroup } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { SummaryButton } from '../../automation/copilot/summary-button.tsx'
import { queueOptions } from '../../core/pickers/options.ts'
import { StateDot } from '../../people/presence/state-dot.tsx'
import { userOptions } from '../../people/users/api.ts'
import { lastChoice, rememberChoice } from './last-choice.ts'
import classes from './transfer-dialog.module.css'
import { type Target, transferTargets } from './transfer-targets.ts'

export type TransferTo = { userId?: string; queueId?: string; note: string; name: string }
type Props = {
  ticketId: string
  busy: boolean
  currentUserId: string | null
  onTransfer: (to: TransferTo) => void
  onClose: () => void
}

const loadsQuery = queryOptions({
  queryKey: ['tickets', 'loads'],
  queryFn: ({ signal }) => api.get<z.output<typeof ticketLoads>>('/ticketsLoad', { signal, quiet: true }),
  staleTime: 5_000,
})

/** To somebody or to a queue, by one press; before it, a word for whoever takes over and another queue. */
export const TransferDialog = ({ ticketId, busy, currentUserId, onTransfer, onClose }: Props) => {
  const [words, setWords] = useState('')
  const [queueId, setQueueId] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const [last] = useState(() => lastChoice('transfer'))
  const people = useQuery(userOptions).data ?? []
  const queues = useQuery(queueOptions).data ?? []
  const loads = useQuery(loadsQuery).data?.items ?? []
  const targets = transferTargets({
    people,
    holderId: currentUserId,
    queues,
    loads: new Map(loads.map(({ userId, open }) => [userId, open])),
    queueId,
    words,
    last,
  })
  const handlePick = (key: string) => {
    const target = targets.find((one) => one.key === key)
    if (!target || busy) return
    rememberChoice('transfer', key)
    const to = target.kind === 'queue' ? { queueId: target.id } : { userId: target.id, ...(queueId && { queueId }) }
    onTransfer({ ...to, note: note.trim(), name: target.kind === 'queue' ? `a fila ${target.name}` : target.name })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={<Text fw={600}>Transferir atendimento</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <Stack gap="sm">
        <TargetPicker
          targets={targets}
          people={people}
          words={words}
          onWords={setWords}
          isBusy={busy}
          onPick={handlePick}
          onClose={onClose}
        />
        <Textarea
          label="Recado"
          description="Opcional. Só a equipe vê. Escreva antes de escolher para quem."
          rows={2}
          maxLength={2_000}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <SummaryButton ticketId={ticketId} of="transfer" label="Resumir no recado" text={note} onText={setNote} />
        <Select
          label="Fila"
          description="Opcional. Mostra só as pessoas dela e muda a fila do atendimento."
          placeholder="Manter a fila atual"
          clearable
          data={queues.filter((queue) => queue.isActive).map(({ id, name }) => ({ value: id, label: name }))}
          value={queueId}
          onChange={setQueueId}
        />
      </Stack>
    </Modal>
  )
}

type PickerProps = {
  targets: readonly Target[]
  people: readonly UserOption[]
  words: string
  onWords: (words: string) => void
  isBusy: boolean
  onPick: (key: string) => void
  onClose: () => void
}
/** The first is marked, so that Enter takes it. */
const TargetPicker = ({ targets, people, words, onWords, isBusy, onPick, onClose }: PickerProps) => {
  const store = useCombobox({ opened: true })
  const first = targets[0]?.key
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store is another object with each drawing
  useEffect(() => {
    if (first) store.selectFirstOption()
  }, [first, words])
  return (
    <Combobox store={store} onOptionSubmit={onPick}>
      <Combobox.EventsTarget>
        <TextInput
          label="Para quem"
          placeholder="Nome da pessoa ou da fila"
          data-autofocus
          value={words}
          onChange={(event) => onWords(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && onClose()} // the list, always open, keeps it from the dialog
        />
      </Combobox.EventsTarget>
      {/* What scrolls would be a stop of Tab by itself, and swallow the letters meant for the note. */}
      <Combobox.Options className={classes.list} aria-label="Pessoas e filas" aria-busy={isBusy} tabIndex={-1}>
        {targets.map((target) => (
          <Combobox.Option key={target.key} value={target.key} className={classes.option}>
            <TargetMark target={target} person={people.find((one) => one.id === target.id)} />
            <span className={`truncate ${classes.name}`}>{target.name}</span>
            <span className={`tabular ${classes.load}`}>{target.note}</span>
          </Combobox.Option>
        ))}
        {targets.length === 0 && <Combobox.Empty>Ninguém com este nome.</Combobox.Empty>}
      </Combobox.Options>
    </Combobox>
  )
}

const TargetMark = ({ target, person }: { target: Target; person: UserOption | undefined }) =>
  target.kind === 'queue' ? <IconUsersGroup size={16} stroke={1.75} aria-hidden /> : <StateDot person={person} />
