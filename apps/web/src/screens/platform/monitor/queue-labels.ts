import type { RowQueue } from '@balcao/contract/platform/monitor.ts'

/** Rows that wait for a worker, by what the platform's people call them. */
export const queueLabels: Record<RowQueue, string> = {
  journal: 'Recebimento',
  outbox: 'Avisos às telas',
  sends: 'Envio de mensagens',
  turns: 'Respostas automáticas',
  deliveries: 'Entregas (webhooks, push)',
  mail: 'E-mails',
}
