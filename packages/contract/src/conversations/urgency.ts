/** A customer who waits longer than this is late, whatever was promised. */
export const waitLimitMs = 15 * 60_000

export const priorities = ['low', 'normal', 'high', 'urgent'] as const
export type Priority = (typeof priorities)[number]
export const priorityLabels: Record<Priority, string> = {
  low: 'Baixa',
  normal: 'Normal',
  high: 'Alta',
  urgent: 'Urgente',
}
