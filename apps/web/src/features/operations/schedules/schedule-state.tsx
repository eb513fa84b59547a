import { type Schedule, type ScheduleState, scheduleStateLabels } from '@balcao/contract/operations/schedules.ts'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'

const tones: Record<ScheduleState, StatusTone> = {
  pending: 'waiting',
  sending: 'note',
  sent: 'good',
  failed: 'bad',
  canceled: 'quiet',
}

export const ScheduleMark = ({
  schedule: { state, isLate, error },
}: {
  schedule: Pick<Schedule, 'state' | 'isLate' | 'error'>
}) => (
  <StatusDot
    tone={tones[state]}
    label={
      state === 'sent' && isLate
        ? 'Enviada com atraso'
        : state === 'pending' && error
          ? 'Esperando outra conversa terminar'
          : scheduleStateLabels[state]
    }
  />
)
