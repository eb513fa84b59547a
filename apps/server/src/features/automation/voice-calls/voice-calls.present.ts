import { endedReasonText, isCallOver, type VoiceCall } from '@balcao/contract/automation/voice-calls.ts'
import type { Directory } from '../../core/directory/directory.ts'
import type { CallRow } from './voice-calls.rows.ts'

export const presentCall = (row: CallRow, { people }: Pick<Directory, 'people'>): VoiceCall => ({
  id: row.id,
  ticketId: row.ticketId,
  user: row.userId ? { id: row.userId, name: people.get(row.userId)?.name ?? 'Usuário removido' } : null,
  direction: row.direction,
  name: row.name,
  number: row.number,
  status: row.status,
  problem: row.problem,
  endedReason: row.endedReason && endedReasonText(row.endedReason),
  startedAt: row.startedAt?.toISOString() ?? null,
  endedAt: row.endedAt?.toISOString() ?? null,
  summary: row.summary,
  transcript: row.transcript,
  costUsd: row.costUsd,
  createdAt: row.createdAt.toISOString(),
  version: row.version,
})

/** The result of a call as the team reads it in the conversation; what does not fit is read in the list of calls. */
export const resultText = (row: CallRow, most: number): string => {
  const { direction, startedAt, endedAt, endedReason, costUsd, summary, transcript, problem, status } = row
  if (problem && isCallOver(status)) return `Ligação do assistente de voz: ${problem}`
  const seconds = secondsOf({ startedAt, endedAt })
  const facts = [
    seconds > 0 && `durou ${spanText(seconds)}`,
    endedReason && endedReasonText(endedReason),
    costUsd !== null && `custou ${costUsd.toLocaleString('pt-BR', { style: 'currency', currency: 'USD' })}`,
  ].filter(Boolean)
  const head = `${direction === 'inbound' ? 'Ligação recebida pelo' : 'Ligação do'} assistente de voz${facts.length ? `: ${facts.join(', ')}` : ''}.`
  const text = [head, summary && `Resumo: ${summary}`, transcript && `Transcrição:\n${transcript}`]
    .filter(Boolean)
    .join('\n\n')
  return text.length <= most
    ? text
    : `${text.slice(0, most - 60).trimEnd()}…\n(O restante está em Ligar, no menu do atendimento.)`
}
export const secondsOf = ({
  startedAt,
  endedAt,
}: {
  startedAt: Date | string | null
  endedAt: Date | string | null
}) => (startedAt && endedAt ? Math.max(0, Math.round((+new Date(endedAt) - +new Date(startedAt)) / 1_000)) : 0)
const spanText = (seconds: number) =>
  [seconds >= 60 && `${Math.floor(seconds / 60)} min`, seconds % 60 > 0 && `${seconds % 60} s`]
    .filter(Boolean)
    .join(' ')
