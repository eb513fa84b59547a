import { type Connection, connectionStateLabels } from '@balcao/contract/channels/connections.ts'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'

const tones: Record<Connection['status'], StatusTone> = {
  CONNECTED: 'good',
  OPENING: 'waiting',
  DISCONNECTED: 'quiet',
  ERROR: 'bad',
}

export const ConnectionState = ({ status }: { status: Connection['status'] }) => (
  <StatusDot tone={tones[status]} label={connectionStateLabels[status]} />
)
