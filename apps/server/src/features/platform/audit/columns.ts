import type { AuditEntry } from '@balcao/contract/platform/audit.ts'
import { auditAction, auditChanges, auditEntities, auditSubject } from '@balcao/contract/platform/audit-words.ts'
import { type CsvColumn, momentText } from '../../../kit/csv.ts'

/** The audit as a spreadsheet for people. */
export const columnsIn = (timeZone: string): CsvColumn<AuditEntry>[] => {
  const moment = momentText(timeZone, 'medium')
  return [
    { label: 'Quando', value: (row) => moment(row.at) },
    { label: 'Quem', value: (row) => row.user?.name ?? (row.support || row.isImpersonated ? '' : 'Sistema') },
    { label: 'Suporte', value: (row) => row.support },
    { label: 'Ação', value: (row) => auditAction(row.action) },
    { label: 'O quê', value: (row) => auditEntities[row.entity] ?? row.entity },
    { label: 'Nome', value: auditSubject },
    {
      label: 'Mudanças',
      value: (row) =>
        auditChanges(row)
          .map(({ label, before, after }) =>
            before === null ? `${label}: ${after}` : `${label}: ${before || 'vazio'} → ${after || 'vazio'}`,
          )
          .join(' | '),
    },
  ]
}
