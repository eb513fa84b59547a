import type { Integration } from '@balcao/contract/core/integrations/index.ts'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'

const states: Record<Integration['state'], { tone: StatusTone; label: string }> = {
  unchecked: { tone: 'quiet', label: 'Não testada' },
  working: { tone: 'good', label: 'Funcionando' },
  broken: { tone: 'bad', label: 'Com problema' },
}

export const IntegrationState = ({ of: { state, isAuthorized } }: { of: Integration }) =>
  isAuthorized === false ? <StatusDot tone="waiting" label="Falta autorizar" /> : <StatusDot {...states[state]} />
