import type { Connection } from '@balcao/contract/channels/connections.ts'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'

const states: Record<Connection['status'], { tone: StatusTone; label: string }> = {
  CONNECTED: { tone: 'good', label: 'Conectado' },
  OPENING: { tone: 'waiting', label: 'Conectando' },
  DISCONNECTED: { tone: 'quiet', label: 'Desconectado' },
  ERROR: { tone: 'bad', label: 'Com problema' },
}

export const ConnectionState = ({ status }: { status: Connection['status'] }) => <StatusDot {...states[status]} />
