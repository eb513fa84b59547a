import type { AuditEntry } from '@balcao/contract/platform/audit.ts'

/** "Ana Souza", "Suporte: Sofia Reis", "Sistema". */
export const whoOf = ({ user, support }: AuditEntry): string => {
  if (support) return `Suporte: ${support}`
  return user?.name ?? 'Sistema'
}
