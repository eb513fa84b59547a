import { channels } from '@balcao/contract/channels/index.ts'
import {
  consentSourceLabels,
  type OptOut,
  type OptOutsQuery,
  optOutsQuery,
  purposeLabels,
} from '@balcao/contract/contacts/consent.ts'
import { type CsvColumn, momentText } from '../../../kit/csv.ts'
import { defineCsvExport } from '../../core/jobs/csv-export.ts'
import { phoneText } from '../contacts/phone-text.ts'
import { countOptOuts, listOptOuts } from './opt-outs.ts'

const columnsFor = (timeZone: string): CsvColumn<OptOut>[] => {
  const textOf = momentText(timeZone)
  return [
    { label: 'Contato', value: (row) => row.contact?.name },
    { label: 'Identificação', value: ({ identity: { kind, value } }) => (kind === 'phone' ? phoneText(value) : value) },
    { label: 'Canal', value: (row) => channels[row.channel].label },
    { label: 'Não quer receber', value: (row) => row.purposes.map((purpose) => purposeLabels[purpose]) },
    { label: 'Como', value: (row) => consentSourceLabels[row.source] },
    { label: 'Prova', value: (row) => row.proof },
    { label: 'Quem anotou', value: (row) => row.author.name },
    { label: 'Quando', value: (row) => textOf(row.at) },
  ]
}

export const optOutsExport = defineCsvExport<OptOutsQuery, OptOut>({
  kind: 'exportOptOuts',
  can: 'contacts.export',
  params: optOutsQuery,
  file: 'descadastrados',
  columns: ({ timezone }) => columnsFor(timezone),
  count: countOptOuts,
  read: (actor, query) => listOptOuts(actor, { ...query, count: false }),
  audit: ({ channels, purposes, sources }) => ({
    action: 'optOut.exported',
    entity: 'contact',
    entityId: 'all',
    after: { channels, purposes, sources },
  }),
})
