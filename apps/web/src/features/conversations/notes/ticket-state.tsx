import type { TicketStatus } from '@balcao/contract/conversations/tickets.ts'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'

const states: Record<TicketStatus, { tone: StatusTone; label: string }> = {
  open: { tone: 'good', label: 'Aberto' },
  pending: { tone: 'waiting', label: 'Pendente' },
  closed: { tone: 'quiet', label: 'Encerrado' },
}
export const ticketStateOptions = (['open', 'pending', 'closed'] as const).map((value) => ({
  value,
  label: states[value].label,
}))

export const TicketState = ({ status }: { status: TicketStatus }) => <StatusDot {...states[status]} />
