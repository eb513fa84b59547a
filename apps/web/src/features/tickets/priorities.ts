import type { Priority } from '@balcao/contract/tickets.ts'

export const priorityLabels: Record<Priority, string> = {
  low: 'Baixa',
  normal: 'Normal',
  high: 'Alta',
  urgent: 'Urgente',
}
