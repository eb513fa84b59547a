import { type Birthday, greetingLabels, upcomingQuery } from '@balcao/contract/operations/birthdays.ts'
import type { CsvColumn } from '../../../kit/csv.ts'
import { defineCsvExport } from '../../core/jobs/csv-export.ts'
import { countUpcoming, listUpcoming } from './birthdays.list.ts'

const dayText = (date: string) => date.split('-').toReversed().join('/')
const columns: CsvColumn<Birthday>[] = [
  { label: 'Dia', value: (row) => dayText(row.day) },
  { label: 'Contato', value: (row) => row.name },
  { label: 'Telefone', value: (row) => row.number },
  { label: 'Nascimento', value: (row) => dayText(row.birthdayDate) },
  { label: 'Responsáveis', value: (row) => row.owners.map(({ name }) => name).join(', ') },
  { label: 'Situação', value: (row) => row.state && greetingLabels[row.state] },
  { label: 'Canal', value: (row) => row.connection },
  { label: 'Observação', value: (row) => row.problem ?? (row.isOptedOut ? 'Não quer receber campanhas' : null) },
]

/** Whose day comes as a spreadsheet. */
export const birthdaysExport = defineCsvExport({
  kind: 'exportBirthdays',
  can: 'contacts.export',
  params: upcomingQuery,
  file: 'aniversariantes',
  columns: () => columns,
  count: countUpcoming,
  read: (actor, query) => listUpcoming(actor, query),
  audit: ({ onlyToday }) => ({ action: 'birthday.exported', entity: 'contact', entityId: '', after: { onlyToday } }),
})
