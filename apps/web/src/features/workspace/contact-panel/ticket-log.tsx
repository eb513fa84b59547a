import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { messageOf } from '../../../kit/api-error.ts'
import { formatDateTime } from '../../../kit/format.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { logsQuery, type TicketLog } from '../../conversations/tickets/api.ts'
import classes from './contact-panel.module.css'
import { MoreButton } from './more-button.tsx'
import { None } from './panel-section.tsx'

const logLabels: Record<TicketLog['type'], string> = {
  create: 'Atendimento criado',
  open: 'Aceito',
  pending: 'Devolvido para a espera',
  closed: 'Encerrado',
  reopen: 'Reaberto',
  transfered: 'Transferido',
  receivedTransfer: 'Recebido por transferência',
  queue: 'Fila alterada',
  userDefine: 'Atendente definido',
  tags: 'Etiquetas alteradas',
  note: 'Nota',
  access: 'Visualizado',
  delete: 'Excluído',
  pause: 'Pausado',
  resume: 'Retomado',
  share: 'Compartilhamento alterado',
  priority: 'Prioridade alterada',
  value: 'Valor alterado',
  bot: 'Robô alterado',
  channel: 'Canal alterado',
  merge: 'Unido a outro atendimento',
  distributed: 'Distribuído',
  slaBreach: 'Prazo vencido',
  autoClose: 'Encerrado por inatividade',
  customerClose: 'Encerrado pelo cliente',
  undo: 'Desfeito',
  rating: 'Avaliação',
  protocol: 'Protocolo',
}

/** What happened to this conversation, newest first. */
export const History = ({ ticket }: { ticket: Ticket }) => {
  const logs = useInfiniteQuery(logsQuery(ticket.id, ticket.version))
  if (logs.isPending) return <SkeletonList rows={3} height={36} />
  if (logs.isError) return <ErrorState message={messageOf(logs.error)} onRetry={() => void logs.refetch()} />
  const entries = logs.data.pages.flatMap((page) => page.items)
  if (!entries.length) return <None text="Nada registrado ainda." />
  return (
    <>
      <ol className={classes.timeline}>
        {entries.map((entry) => (
          <li key={entry.id}>
            <span>{logLabels[entry.type]}</span>
            <span className={`${classes.meta} tabular`}>
              {[formatDateTime(entry.createdAt), entry.user?.name, entry.queue?.name].filter(Boolean).join(' · ')}
            </span>
            {entry.note && <span className={classes.logNote}>{entry.note}</span>}
          </li>
        ))}
      </ol>
      <MoreButton list={logs}>Mais antigos</MoreButton>
    </>
  )
}
