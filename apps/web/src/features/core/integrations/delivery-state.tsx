import type { Delivery, DeliveryState as State } from '@balcao/contract/core/integrations/deliveries.ts'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'

export const deliveryStateOf: Record<State, { tone: StatusTone; label: string }> = {
  waiting: { tone: 'waiting', label: 'Na fila' },
  delivered: { tone: 'good', label: 'Entregue' },
  dead: { tone: 'bad', label: 'Não entregue' },
}

export const DeliveryState = ({ of: { state, attempts } }: { of: Pick<Delivery, 'state' | 'attempts'> }) => (
  <StatusDot
    {...(state === 'waiting' && attempts > 0
      ? { tone: 'waiting' as const, label: 'Tentando' }
      : deliveryStateOf[state])}
  />
)
