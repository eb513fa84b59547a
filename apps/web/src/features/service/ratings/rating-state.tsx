import type { Rating } from '@balcao/contract/service/ratings.ts'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'

const states: Record<Rating['status'], { tone: StatusTone; label: string }> = {
  answered: { tone: 'good', label: 'Respondida' },
  pending: { tone: 'waiting', label: 'Aguardando' },
  expired: { tone: 'quiet', label: 'Sem resposta' },
}
export const ratingStateOptions = (['answered', 'pending', 'expired'] as const).map((value) => ({
  value,
  label: states[value].label,
}))

export const RatingState = ({ status }: { status: Rating['status'] }) => <StatusDot {...states[status]} />
