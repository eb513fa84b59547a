import { channels } from '@balcao/contract/channels/index.ts'
import type { Ticket, TicketPatch } from '@balcao/contract/conversations/tickets.ts'
import { Button, Select } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { reasonOf } from '../../../kit/api-error.ts'
import { formatDateTime } from '../../../kit/format.ts'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { useCan } from '../../../kit/use-can.ts'
import { notify } from '../../../ui/notify.ts'
import { putTicket } from '../../conversations/tickets/api.ts'
import { receiveTicket } from '../../conversations/tickets/live.ts'
import { queueOptions } from '../../core/pickers/options.ts'
import { userOptions } from '../../people/users/api.ts'
import classes from './contact-panel.module.css'
import { Copy, Field, None, Section } from './panel-section.tsx'
import { TagPicker } from './tag-picker.tsx'

const VisibilityDialog = lazyPart(async () => ({ default: (await import('./visibility-dialog.tsx')).VisibilityDialog }))

/** What this conversation is, and in whose hands. */
export const TicketPart = ({ ticket }: { ticket: Ticket }) => {
  const cache = useQueryClient()
  const canWrite = useCan('tickets.write')
  const canExplain = useCan('users.write')
  const [isExplaining, setExplaining] = useState(false)
  const queues = useQuery(queueOptions)
  const people = useQuery(userOptions)
  const isClosed = ticket.status === 'closed'
  const save = async (patch: Partial<TicketPatch>) => {
    try {
      receiveTicket(cache, await putTicket(ticket.id, patch))
    } catch (error) {
      notify.error(reasonOf(error))
    }
  }
  return (
    <Section name="atendimento" title="Atendimento" isOpenAtFirst>
      <dl className={classes.fields}>
        {ticket.protocol && (
          <Field label="Protocolo">
            <span className="tabular">{ticket.protocol}</span> <Copy text={ticket.protocol} label="Copiar protocolo" />
          </Field>
        )}
        <Field label="Canal">{[...new Set([channels[ticket.channel].label, ticket.whatsapp.name])].join(' · ')}</Field>
        <Field label="Fila">
          <Select
            size="xs"
            aria-label="Fila"
            placeholder="Sem fila"
            searchable
            clearable
            disabled={!canWrite || isClosed}
            data={withCurrent(queues.data ?? [], ticket.queue)}
            value={ticket.queueId}
            onChange={(queueId) => void save({ queueId })}
          />
        </Field>
        <Field label="Atendente">
          <Select
            size="xs"
            aria-label="Atendente"
            placeholder="Ninguém"
            searchable
            disabled={!canWrite || isClosed}
            data={withCurrent(
              people.data ?? [],
              ticket.userId ? { id: ticket.userId, name: ticket.username ?? 'Atendente' } : null,
            )}
            value={ticket.userId}
            allowDeselect={false}
            onChange={(userId) => void save({ userId })}
          />
        </Field>
        <Field label="Etiquetas">
          <TagPicker
            label="Etiquetas do atendimento"
            tags={ticket.tags}
            readOnly={!canWrite || isClosed}
            onChange={(tagIds) => void save({ tagIds })}
          />
        </Field>
        {ticket.sharedWith.length > 0 && (
          <Field label="Com">
            {ticket.sharedWith.map((id) => people.data?.find((person) => person.id === id)?.name ?? '…').join(', ')}
          </Field>
        )}
        {isClosed && <Field label="Motivo">{ticket.reason?.name ?? <None text="Sem motivo" />}</Field>}
        <Field label="Início">{formatDateTime(ticket.createdAt)}</Field>
      </dl>
      {canExplain && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconEye size={16} aria-hidden />}
          onClick={() => setExplaining(true)}
        >
          Por que vejo / não vejo este atendimento
        </Button>
      )}
      {isExplaining && (
        <Suspense fallback={null}>
          <VisibilityDialog ticketId={ticket.id} onClose={() => setExplaining(false)} />
        </Suspense>
      )}
    </Section>
  )
}

/** The chosen one is named even before the options have loaded, or after it left them. */
const withCurrent = (
  options: readonly { id: string; name: string }[],
  current: { id: string; name: string } | null,
) => {
  const all = current && !options.some((option) => option.id === current.id) ? [current, ...options] : options
  return all.map((option) => ({ value: option.id, label: option.name }))
}
