import { type VoiceCall, type VoiceCallStatus, voiceCallStatusLabels } from '@balcao/contract/automation/voice-calls.ts'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'

const tones: Record<VoiceCallStatus, StatusTone> = {
  queued: 'quiet',
  ringing: 'waiting',
  talking: 'good',
  ended: 'quiet',
  failed: 'bad',
  uncertain: 'waiting',
}
export const CallState = ({ status }: Pick<VoiceCall, 'status'>) => (
  <StatusDot tone={tones[status]} label={voiceCallStatusLabels[status]} />
)

/** How long it lasted; null: it was not talked, or still is. */
export const spanOf = ({ startedAt, endedAt }: Pick<VoiceCall, 'startedAt' | 'endedAt'>) => {
  const seconds = startedAt && endedAt ? Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 1_000) : 0
  if (seconds <= 0) return null
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
export const dollars = (costUsd: number | null) =>
  costUsd?.toLocaleString('pt-BR', { style: 'currency', currency: 'USD' })
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
