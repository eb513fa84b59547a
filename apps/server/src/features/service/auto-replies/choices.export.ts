import {
  type AutoReplyChoice,
  autoReplyChoicesQuery,
  keywordModeLabels,
} from '@balcao/contract/service/auto-replies.ts'
import { type CsvColumn, momentText } from '../../../kit/csv.ts'
import { defineCsvExport } from '../../core/jobs/csv-export.ts'
import { countChoices, listChoices } from './choices.list.ts'

const columnsIn = (timeZone: string): CsvColumn<AutoReplyChoice>[] => {
  const moment = momentText(timeZone)
  return [
    { label: 'Quando', value: (row) => moment(row.at) },
    { label: 'Contato', value: (row) => row.contact.name },
    { label: 'Canal', value: (row) => row.connection.name },
    { label: 'O que escreveu', value: (row) => row.said },
    { label: 'Palavra', value: (row) => row.keyword },
    { label: 'Como combinou', value: (row) => row.mode && keywordModeLabels[row.mode] },
    { label: 'Resposta', value: (row) => row.rule.name },
    { label: 'O que não foi possível', value: (row) => row.problem },
  ]
}

/** The log of automatic answers as a spreadsheet. */
export const choicesExport = defineCsvExport({
  kind: 'exportAutoReplies',
  can: 'auto-replies.write',
  params: autoReplyChoicesQuery,
  file: 'respostas-automaticas',
  columns: ({ timezone }) => columnsIn(timezone),
  count: countChoices,
  read: (actor, query) => listChoices(actor, { ...query, count: false }),
  audit: ({ dateFrom, dateTo }) => ({
    action: 'autoReply.exported',
    entity: 'autoReply',
    entityId: '',
    after: { dateFrom, dateTo },
  }),
})
