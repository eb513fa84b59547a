import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { IconArrowMerge } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { formatDateTime } from '../../../kit/format.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { contactTickets } from '../../conversations/tickets/api.ts'
import { mergeTicket } from '../../conversations/tickets/handling.ts'
import classes from './merge-dialog.module.css'
import { forgetMerged } from './merged.ts'
import { useTicketCall } from './use-ticket-call.ts'

type Props = { ticket: Ticket; onClose: () => void }
const statusNames = { open: 'Em atendimento', pending: 'Esperando', closed: 'Encerrado' }

/** Two conversations of one customer become one: which, and what will happen. */
export const MergeDialog = ({ ticket, onClose }: Props) => {
  const cache = useQueryClient()
  const all = useQuery({ ...contactTickets(ticket.contactId), staleTime: 0 })
  const [otherId, setOtherId] = useState<string | null>(null)
  const [stays, setStays] = useState<'this' | 'other'>('this')
  const { busy, run, problemOf } = useTicketCall()
  const isClosed = ticket.status === 'closed'
  // What is closed can join, never take in: from a closed conversation only the active ones are offered.
  const others = (all.data?.items ?? []).filter(
    (one) => one.id !== ticket.id && !one.mergedIntoId && (!isClosed || one.status !== 'closed'),
  )
  const other = others.find((one) => one.id === otherId)
  const hasChoice = !isClosed && other !== undefined && other.status !== 'closed'
  const isOtherStaying = isClosed || (hasChoice && stays === 'other')
  const [source, target] = isOtherStaying ? [ticket, other] : [other, ticket]

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (!source || !target) return
    const isMerged = await run(async () => {
      const merged = await mergeTicket(source.id, target.id)
      forgetMerged(cache, source.id, target.id)
      return merged
    })
    if (isMerged) onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size={520}
      title={<Text fw={600}>Unir com outro atendimento</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {all.isPending ? (
        <SkeletonList rows={3} height={56} />
      ) : all.isError ? (
        <ErrorState message={messageOf(all.error)} onRetry={() => void all.refetch()} />
      ) : others.length === 0 ? (
        <EmptyState icon={<IconArrowMerge size={26} stroke={1.5} />} title="Não há com o que unir">
          {isClosed
            ? `${ticket.name} não tem outro atendimento em andamento.`
            : `Este é o único atendimento de ${ticket.name} que você vê.`}
        </EmptyState>
      ) : (
        <form onSubmit={handleSubmit}>
          <Stack gap="md">
            <Radio.Group
              label={`Outros atendimentos de ${ticket.name}`}
              value={otherId}
              onChange={setOtherId}
              error={problemOf('intoId')}
            >
              <div className={classes.list}>
                {others.map((one) => (
                  <Radio.Card
                    key={one.id}
                    value={one.id}
                    className={classes.card}
                    aria-label={`Protocolo ${one.protocol}`}
                  >
                    <Radio.Indicator />
                    <span className={classes.words}>
                      <span className={`tabular ${classes.title}`}>
                        {one.protocol} · {statusNames[one.status]}
                      </span>
                      <span className={`truncate ${classes.hint}`}>
                        {[one.whatsapp.name, one.username, formatDateTime(one.lastMessageAt ?? one.createdAt)]
                          .filter(Boolean)
                          .join(' · ')}
                      </span>
                      {one.lastMessage && <span className={`truncate ${classes.hint}`}>{one.lastMessage}</span>}
                    </span>
                  </Radio.Card>
                ))}
              </div>
            </Radio.Group>
            {hasChoice && (
              <Radio.Group
                label="Qual continua?"
                value={stays}
                onChange={(value) => setStays(value === 'other' ? 'other' : 'this')}
              >
                <Stack gap={8} mt={6}>
                  <Radio value="this" label={`Este, por ${ticket.whatsapp.name}`} />
                  <Radio value="other" label={`O outro, por ${other.whatsapp.name}`} />
                </Stack>
              </Radio.Group>
            )}
            {source && target && (
              <div className={classes.preview} role="status">
                <p>
                  As mensagens, notas, tarefas, menções, rascunhos e etiquetas do protocolo{' '}
                  <b className="tabular">{source.protocol}</b> passam para <b className="tabular">{target.protocol}</b>.
                </p>
                <p>
                  {source.status === 'closed' ? 'Ele continua encerrado' : 'Ele é encerrado'} e passa a levar para o que
                  fica. O cliente não é avisado, e não dá para desfazer.
                </p>
                {source.whatsappId !== target.whatsappId && (
                  <p>As próximas respostas saem por {target.whatsapp.name}.</p>
                )}
              </div>
            )}
          </Stack>
          <Group justify="flex-end" gap="xs" mt="lg">
            <Button variant="default" onClick={onClose}>
              Cancelar
            </Button>
            <Button type="submit" loading={busy} disabled={!source || !target}>
              Unir atendimentos
            </Button>
          </Group>
        </form>
      )}
    </Modal>
  )
}
