import {
  type VoiceCallRow,
  type VoiceCallsQuery,
  voiceCallDirectionLabels,
  voiceCallStatusLabels,
  voiceCallsQuery,
} from '@balcao/contract/automation/voice-calls.ts'
import { type CsvColumn, momentText } from '../../../kit/csv.ts'
import { defineCsvExport } from '../../core/jobs/csv-export.ts'
import { countVoiceCalls, listVoiceCalls } from './voice-calls.list.ts'
import { secondsOf } from './voice-calls.present.ts'

const columnsIn = (timezone: string): CsvColumn<VoiceCallRow>[] => {
  const textOf = momentText(timezone)
  return [
    { label: 'Quando', value: (row) => textOf(row.createdAt) },
    { label: 'Sentido', value: (row) => voiceCallDirectionLabels[row.direction] },
    { label: 'Nome', value: (row) => row.contact?.name ?? row.name },
    { label: 'Número', value: (row) => row.number },
    { label: 'Protocolo', value: (row) => row.protocol },
    { label: 'Pedida por', value: (row) => row.user?.name },
    { label: 'Situação', value: (row) => voiceCallStatusLabels[row.status] },
    { label: 'Como terminou', value: (row) => row.problem ?? row.endedReason },
    { label: 'Duração (s)', value: (row) => secondsOf(row) || '' },
    { label: 'Custo (US$)', value: (row) => row.costUsd?.toFixed(4).replace('.', ',') },
    { label: 'Resumo', value: (row) => row.summary },
  ]
}

export const voiceCallsCsv = defineCsvExport<VoiceCallsQuery, VoiceCallRow>({
  kind: 'exportVoiceCalls',
  can: 'calls.read',
  params: voiceCallsQuery,
  file: 'ligacoes',
  columns: ({ timezone }) => columnsIn(timezone),
  count: countVoiceCalls,
  read: (actor, query) => listVoiceCalls(actor, { ...query, count: false }),
  audit: ({ dateFrom, dateTo, status, direction }) => ({
    ...{ action: 'voiceCall.exported', entity: 'voiceCall', entityId: '' },
    after: { dateFrom, dateTo, status, direction },
  }),
})
