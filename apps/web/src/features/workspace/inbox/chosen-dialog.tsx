import type { FieldProblem } from '@balcao/contract/errors.ts'
import { Button, Group, Modal, MultiSelect, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { messageOf, problemsOf } from '../../../kit/api-error.ts'
import { plural } from '../../../kit/format.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { notify } from '../../../ui/notify.ts'
import { SearchSelect } from '../../../ui/search-select.tsx'
import { type ChosenJob, postChosen, receiveJob } from '../../conversations/tickets/bulk-api.ts'
import { queueOptions, tagOptions } from '../../core/pickers/options.ts'
import { userOptions } from '../../people/users/api.ts'
import { reasonOptions } from './use-closing.ts'

export type ChosenAction = 'close' | 'transfer' | 'tag'
type Props = { action: ChosenAction; ticketIds: string[]; onClose: () => void; onDone: () => void }

const words: Record<ChosenAction, { title: string; verb: string; hint: string }> = {
  close: {
    title: 'Encerrar',
    verb: 'Encerrar',
    hint: 'Nenhuma mensagem de fechamento é enviada. O que já está encerrado fica como está.',
  },
  transfer: {
    title: 'Transferir',
    verb: 'Transferir',
    hint: 'Sem um atendente, quem está atendendo continua atendendo.',
  },
  tag: { title: 'Adicionar etiquetas', verb: 'Adicionar', hint: 'As etiquetas que já estão continuam.' },
}

/** What becomes of the chosen conversations; each is changed as it could be by hand. */
export const ChosenDialog = ({ action, ticketIds, onClose, onDone }: Props) => {
  const cache = useQueryClient()
  const mustReason = useCurrentSession().configuracoes.forceReason === true
  const reasons = useQuery({ ...reasonOptions, enabled: action === 'close' })
  const queues = useQuery({ ...queueOptions, enabled: action === 'transfer' }).data ?? []
  const people = useQuery({ ...userOptions, enabled: action === 'transfer' }).data ?? []
  const tags = useQuery({ ...tagOptions, enabled: action === 'tag' }).data ?? []
  const [reasonId, setReasonId] = useState<string | null>(null)
  const [queueId, setQueueId] = useState<string | null>(null)
  const [userId, setUserId] = useState<string | null>(null)
  const [tagIds, setTagIds] = useState<string[]>([])
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [busy, setBusy] = useState(false)

  const active = (reasons.data ?? []).filter((reason) => reason.isActive)
  const needsReason = mustReason && active.length > 0
  const isReady =
    action === 'close'
      ? reasons.isSuccess && (!needsReason || reasonId !== null)
      : action === 'tag'
        ? tagIds.length > 0
        : queueId !== null
  const jobOf = (): ChosenJob => {
    if (action === 'close') return { kind: 'closeTickets', ticketIds, reasonId }
    if (action === 'tag') return { kind: 'tagTickets', ticketIds, tagIds }
    return { kind: 'transferQueue', ticketIds, destinationQueueId: queueId ?? '', userId }
  }
  const errorOf = (path: string) => problems.find((problem) => problem.path === path)?.message
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isReady || busy) return
    setBusy(true)
    try {
      receiveJob(cache, await postChosen(jobOf()))
      onClose()
      onDone()
    } catch (error) {
      const told = problemsOf(error)
      if (told.length) setProblems(told)
      else notify.error(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const { title, verb, hint } = words[action]
  const named = (items: readonly { id: string; name: string }[]) =>
    items.map(({ id, name }) => ({ value: id, label: name }))
  const how = { clearable: true, openOnFocus: false, nothingFoundMessage: 'Nada com este nome.' }

  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>{`${title}: ${plural(ticketIds.length, 'atendimento', 'atendimentos')}`}</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={handleSubmit} noValidate>
        <Stack gap="sm">
          {action === 'close' && active.length > 0 && (
            <SearchSelect
              {...how}
              label="Motivo"
              placeholder={needsReason ? 'Escolha o motivo' : 'Sem motivo'}
              data-autofocus
              required={needsReason}
              data={named(active)}
              value={reasonId}
              onChange={setReasonId}
              error={errorOf('reasonId')}
            />
          )}
          {action === 'transfer' && (
            <>
              <SearchSelect
                {...how}
                label="Fila"
                placeholder="Escolha a fila"
                data-autofocus
                data={named(queues.filter((queue) => queue.isActive))}
                value={queueId}
                onChange={setQueueId}
                error={errorOf('destinationQueueId')}
              />
              <SearchSelect
                {...how}
                label="Atendente"
                placeholder="Manter quem atende"
                data={named(
                  people.filter((person) => !queueId || person.queueIds.includes(queueId) || person.id === userId),
                )}
                value={userId}
                onChange={setUserId}
                error={errorOf('userId')}
              />
            </>
          )}
          {action === 'tag' && (
            <MultiSelect
              searchable
              {...how}
              label="Etiquetas"
              placeholder={tagIds.length ? undefined : 'Escolha'}
              data-autofocus
              hidePickedOptions
              comboboxProps={{ position: 'top' }} // below lies the button
              data={named(tags)}
              value={tagIds}
              onChange={setTagIds}
              error={errorOf('tagIds')}
            />
          )}
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        </Stack>
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" loading={busy} disabled={!isReady}>
            {verb}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
