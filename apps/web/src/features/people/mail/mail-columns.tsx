import { type Mail, type MailState, mailKindLabels, mailStates } from '@balcao/contract/people/mails.ts'
import { formatDateTime } from '../../../kit/format.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'

const stateOf: Record<MailState, { tone: StatusTone; label: string }> = {
  queued: { tone: 'waiting', label: 'Na fila' },
  sent: { tone: 'good', label: 'Enviado' },
  refused: { tone: 'bad', label: 'Recusado' },
  failed: { tone: 'bad', label: 'Não enviado' },
}

/** A mail of ours in a list, whosever it is. */
export const mailColumns: Column<Mail>[] = [
  { key: 'to', label: 'Para' },
  { key: 'kind', label: 'Assunto', wideOnly: true, render: (mail) => mailKindLabels[mail.kind] },
  {
    key: 'state',
    label: 'Situação',
    width: 130,
    render: (mail) => <StatusDot {...stateOf[mail.state]} />,
  },
  {
    key: 'error',
    label: 'Detalhe',
    wideOnly: true,
    render: (mail) => (
      <span className="truncate" title={mail.error ?? undefined}>
        {mail.error && mail.attemptAt
          ? `${mail.error} · nova tentativa em ${formatDateTime(mail.attemptAt)}`
          : mail.error}
      </span>
    ),
  },
  { key: 'createdAt', label: 'Pedido', width: 150, render: (mail) => <RelativeTime moment={mail.createdAt} /> },
]

export const mailStateOptions = mailStates.map((value) => ({ value, label: stateOf[value].label }))
