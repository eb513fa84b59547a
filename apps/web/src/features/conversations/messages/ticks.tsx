import type { MessageStatus } from '@balcao/contract/conversations/messages.ts'
import { IconAlertCircle, IconCheck, IconChecks, IconClock, IconHelpCircle } from '@tabler/icons-react'
import classes from './ticks.module.css'

const labels: Record<MessageStatus, string> = {
  queued: 'Na fila de envio',
  sending: 'Enviando',
  sent: 'Enviada',
  delivered: 'Entregue',
  read: 'Lida',
  played: 'Ouvida',
  failed: 'Não enviada',
  uncertain: 'Entrega incerta',
  received: '',
}
const icons = {
  queued: IconClock,
  sending: IconClock,
  sent: IconCheck,
  delivered: IconChecks,
  read: IconChecks,
  played: IconChecks,
  failed: IconAlertCircle,
  uncertain: IconHelpCircle,
  received: null,
} as const

/** How far a message of ours has come. */
export const Ticks = ({ status }: { status: MessageStatus }) => {
  const Icon = icons[status]
  return (
    Icon && (
      <span
        className={classes.ticks}
        data-status={status}
        role="img"
        aria-label={labels[status]}
        title={labels[status]}
      >
        <Icon size={status === 'queued' || status === 'sending' ? 13 : 15} stroke={2} aria-hidden />
      </span>
    )
  )
}
