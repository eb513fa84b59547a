import type { quickMessageScopes } from '@balcao/contract/quick-messages.ts'

export const scopeLabels: Record<(typeof quickMessageScopes)[number], string> = {
  mine: 'Só para mim',
  queue: 'Para uma fila',
  everyone: 'Para todos',
}
