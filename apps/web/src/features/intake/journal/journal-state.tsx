import type { JournalEntry, JournalState as State } from '@balcao/contract/intake/journal.ts'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'

export const journalStateOf: Record<State, { tone: StatusTone; label: string }> = {
  received: { tone: 'waiting', label: 'Na fila' },
  done: { tone: 'good', label: 'Tratado' },
  unknown: { tone: 'waiting', label: 'Não reconhecido' },
  failed: { tone: 'bad', label: 'Falhou' },
}

export const JournalState = ({ of: { state } }: { of: Pick<JournalEntry, 'state'> }) => (
  <StatusDot {...journalStateOf[state]} />
)
