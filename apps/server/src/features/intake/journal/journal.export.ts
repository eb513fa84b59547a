import { type JournalEntry, journalExport, journalStateLabels, whatCame } from '@balcao/contract/intake/journal.ts'
import { z } from 'zod'
import { type CsvColumn, momentText } from '../../../kit/csv.ts'
import { defineCsvExport } from '../../core/jobs/csv-export.ts'
import { countEntries } from './journal.queries.ts'
import { listJournal, within } from './journal.service.ts'

const params = journalExport.extend({ connectionId: z.uuid() })
type Query = z.output<typeof params>

const columnsIn = (timeZone: string): CsvColumn<JournalEntry>[] => {
  const moment = momentText(timeZone, 'medium')
  return [
    { label: 'Recebido em', value: (row) => moment(row.receivedAt) },
    { label: 'O que foi', value: whatCame },
    { label: 'Situação', value: (row) => journalStateLabels[row.state] },
    { label: 'Erro', value: (row) => row.error },
    { label: 'Tentativas com erro', value: (row) => row.attempts },
    { label: 'Processado em', value: (row) => moment(row.processedAt) },
    { label: 'Aviso', value: (row) => row.id },
  ]
}

/** What came over a channel and what became of it, without what the provider wrote: that has customers' words in it. */
export const journalCsv = defineCsvExport<Query, JournalEntry>({
  kind: 'exportJournal',
  can: 'journal.read',
  params,
  file: 'diario',
  columns: ({ timezone }) => columnsIn(timezone),
  count: (actor, { connectionId, state, ...days }) =>
    within(actor, connectionId, (tx, { timezone }) =>
      countEntries(tx, { connectionId, states: state, ...days, timezone }, null),
    ),
  read: (actor, { connectionId, ...query }) => listJournal(actor, connectionId, query),
  subject: (actor, { connectionId }) => within(actor, connectionId, async (_, { name }) => name),
  audit: ({ connectionId, ...after }) => ({
    action: 'journal.exported',
    entity: 'connection',
    entityId: connectionId,
    after,
  }),
})
