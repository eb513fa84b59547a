import type { FieldProblem } from '@balcao/contract/errors.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../../kit/api.ts'
import { messageOf, problemsOf } from '../../../kit/api-error.ts'
import { plural } from '../../../kit/format.ts'
import { notify } from '../../../ui/notify.ts'
import { SearchSelect } from '../../../ui/search-select.tsx'
import { connectionList } from '../../channels/connections/api.ts'
import { type BulkTarget, bulkCountOf, receiveJob } from '../../conversations/tickets/bulk-api.ts'
import { queueOptions } from '../../core/pickers/options.ts'
import { userOptions } from '../../people/users/api.ts'

export type BulkAction = 'read' | 'close' | 'queue' | 'channel'
type Values = {
  status: 'open' | 'pending'
  whatsappId: string | null
  queueId: string | null
  newWhatsappId: string | null
  destinationQueueId: string | null
  userId: string | null
}
type Kind = {
  title: string
  /** The button, with and without the number. */
  verb: (many?: string) => string
  /** What will happen, said with the number. */
  effect: (count: number, values: Values) => string
  needs: (keyof Values)[]
  target: (values: Values) => BulkTarget
  send: (values: Values) => Promise<BulkJob>
}

const tickets = (count: number) => plural(count, 'atendimento', 'atendimentos')
const one = (count: number, single: string, many: string) => (count === 1 ? single : many)
const place = ({ whatsappId, queueId }: Values) => ({
  ...(whatsappId && { whatsappId }),
  ...(queueId && { queueId }),
})
const kinds: Record<BulkAction, Kind> = {
  read: {
    title: 'Marcar como lido',
    verb: (many) => (many ? `Marcar ${many}` : 'Marcar como lido'),
    effect: (count) => `${tickets(count)} com mensagens não lidas ${one(count, 'passa a lido', 'passam a lidos')}.`,
    needs: [],
    target: (values) => ({ kind: 'markRead', ...place(values) }),
    send: (values) => api.put('/ticketsUpdateAllUnreadMessages', place(values)),
  },
  close: {
    title: 'Encerrar atendimentos',
    verb: (many = '') => `Encerrar ${many}`,
    effect: (count) =>
      `${tickets(count)} ${one(count, 'será encerrado', 'serão encerrados')} sem motivo e sem mensagem de fechamento. O cliente não é avisado.`,
    needs: [],
    target: (values) => ({ kind: 'closeTickets', status: [values.status], ...place(values) }),
    send: (values) => api.post(values.status === 'open' ? '/closeAllOpen' : '/closeAllPending', place(values)),
  },
  queue: {
    title: 'Transferir entre filas',
    verb: (many = '') => `Transferir ${many}`,
    effect: (count, { userId }) =>
      `${tickets(count)} ${one(count, 'muda', 'mudam')} de fila${
        userId ? ` e ${one(count, 'passa', 'passam')} para esta pessoa.` : '. Quem está atendendo continua atendendo.'
      }`,
    needs: ['queueId', 'destinationQueueId'],
    target: ({ queueId }) => ({ kind: 'transferQueue', ...(queueId && { queueId }) }),
    send: ({ queueId, destinationQueueId, userId }) =>
      api.post('/ticketsTransferBetweenQueues', { sourceQueueId: queueId, destinationQueueId, userId }),
  },
  channel: {
    title: 'Mover de canal',
    verb: (many = '') => `Mover ${many}`,
    effect: (count) =>
      `${tickets(count)} ${one(count, 'passa', 'passam')} para o novo canal. Quem não puder ser alcançado por ele, ou já tiver atendimento lá, fica onde está.`,
    needs: ['whatsappId', 'newWhatsappId'],
    target: ({ whatsappId }) => ({ kind: 'moveChannel', ...(whatsappId && { whatsappId }) }),
    send: ({ whatsappId, newWhatsappId }) => api.put('/ticketsChannel', { whatsappId, newWhatsappId }),
  },
}
const empty: Values = {
  status: 'open',
  whatsappId: null,
  queueId: null,
  newWhatsappId: null,
  destinationQueueId: null,
  userId: null,
}
/** The server names the source of a transfer otherwise. */
const fieldOf = (path: string) => (path === 'sourceQueueId' ? 'queueId' : path)

/** Which conversations, and what becomes of them: nothing is sent before the number was read. */
export const BulkDialog = ({ action, onClose }: { action: BulkAction; onClose: () => void }) => {
  const cache = useQueryClient()
  const kind = kinds[action]
  const [values, setValues] = useState(empty)
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [busy, setBusy] = useState(false)
  const isReady = kind.needs.every((name) => values[name])
  const counted = useQuery({ ...bulkCountOf(kind.target(values)), enabled: isReady })
  const count = isReady ? counted.data?.count : undefined

  const set = (change: Partial<Values>) => {
    setProblems([])
    setValues({ ...values, ...change })
  }
  const errorOf = (name: keyof Values) => problems.find(({ path }) => fieldOf(path) === name)?.message
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (!count || busy) return
    setBusy(true)
    try {
      receiveJob(cache, await kind.send(values))
      onClose()
    } catch (error) {
      const told = problemsOf(error)
      if (told.length) setProblems(told)
      else notify.error(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>{kind.title}</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={handleSubmit}>
        <Stack gap="sm">
          <Fields action={action} values={values} onChange={set} errorOf={errorOf} />
          <Text size="sm" c={count === 0 ? 'dimmed' : undefined} role="status" mih={40}>
            {!isReady
              ? 'Escolha de onde e para onde.'
              : counted.isError
                ? messageOf(counted.error)
                : count === undefined
                  ? 'Contando…'
                  : count === 0
                    ? 'Nenhum atendimento para isso.'
                    : kind.effect(count, values)}
          </Text>
        </Stack>
        <Group justify="flex-end" gap="xs" mt="md">
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" color={action === 'close' ? 'red' : undefined} loading={busy} disabled={!count}>
            {kind.verb(count ? tickets(count) : undefined)}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

type FieldsProps = {
  action: BulkAction
  values: Values
  onChange: (change: Partial<Values>) => void
  errorOf: (name: keyof Values) => string | undefined
}
const Fields = ({ action, values, onChange, errorOf }: FieldsProps) => {
  const connections = (useQuery(connectionList).data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const queues = useQuery(queueOptions).data ?? []
  const people = useQuery({ ...userOptions, enabled: action === 'queue' }).data ?? []
  const choose = (
    name: keyof Values,
    label: string,
    data: { value: string; label: string }[],
    placeholder?: string,
  ) => (
    <SearchSelect
      label={label}
      placeholder={placeholder ?? 'Escolha'}
      nothingFoundMessage="Nada com este nome."
      clearable
      data={data}
      value={values[name]}
      onChange={(id) => onChange({ [name]: id })}
      error={errorOf(name)}
    />
  )
  const all = queues.map(({ id, name }) => ({ value: id, label: name }))
  const active = queues.filter((queue) => queue.isActive).map(({ id, name }) => ({ value: id, label: name }))
  if (action === 'queue')
    return (
      <>
        {choose('queueId', 'Da fila', all)}
        {choose(
          'destinationQueueId',
          'Para a fila',
          active.filter(({ value }) => value !== values.queueId),
        )}
        {choose(
          'userId',
          'Atendente',
          people.map(({ id, name }) => ({ value: id, label: name })),
          'Manter quem atende',
        )}
      </>
    )
  if (action === 'channel')
    return (
      <>
        {choose('whatsappId', 'Do canal', connections)}
        {choose(
          'newWhatsappId',
          'Para o canal',
          connections.filter(({ value }) => value !== values.whatsappId),
        )}
      </>
    )
  return (
    <>
      {action === 'close' && (
        <SegmentedControl
          fullWidth
          aria-label="Quais"
          data={[
            { value: 'open', label: 'Abertos' },
            { value: 'pending', label: 'Pendentes' },
          ]}
          value={values.status}
          onChange={(status) => onChange({ status: status === 'pending' ? 'pending' : 'open' })}
        />
      )}
      {choose('whatsappId', 'Canal', connections, 'Todos os canais')}
      {choose('queueId', 'Fila', all, 'Todas as filas')}
    </>
  )
}
