import { type JournalEntry, journalStateLabels, type JournalState as State } from '@balcao/contract/intake/journal.ts'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'

const tones: Record<State, StatusTone> = { received: 'waiting', done: 'good', unknown: 'waiting', failed: 'bad' }

export const JournalState = ({ of: { state } }: { of: Pick<JournalEntry, 'state'> }) => (
  <StatusDot tone={tones[state]} label={journalStateLabels[state]} />
)
