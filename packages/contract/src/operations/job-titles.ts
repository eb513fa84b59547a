import type { BulkJobKind } from './bulk-jobs.ts'

/** What each does, as people read it. */
export const bulkJobTitles: Record<BulkJobKind, string> = {
  closeTickets: 'Encerrar atendimentos',
  transferQueue: 'Transferir de fila',
  moveChannel: 'Mudar de canal',
  markRead: 'Marcar como lido',
  tagTickets: 'Etiquetar atendimentos',
  replaceTag: 'Trocar etiqueta',
  replaceQueue: 'Trocar fila',
  replaceReason: 'Trocar motivo',
  exportContacts: 'Exportar contatos',
  exportConversation: 'Exportar conversa',
  exportAudit: 'Exportar auditoria',
  exportPlatformAudit: 'Exportar auditoria da plataforma',
  exportRatings: 'Exportar avaliações',
  replayEvents: 'Processar avisos de novo',
}
