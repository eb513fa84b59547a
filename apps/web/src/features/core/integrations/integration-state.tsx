import { type Integration, integrationStateLabels } from '@balcao/contract/core/integrations/index.ts'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'

const tones: Record<Integration['state'], StatusTone> = { unchecked: 'quiet', working: 'good', broken: 'bad' }

export const IntegrationState = ({ of: { state, isAuthorized } }: { of: Integration }) =>
  isAuthorized === false ? (
    <StatusDot tone="waiting" label="Falta autorizar" />
  ) : (
    <StatusDot tone={tones[state]} label={integrationStateLabels[state]} />
  )
