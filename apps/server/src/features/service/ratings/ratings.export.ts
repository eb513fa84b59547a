import { type Rating, ratingsQuery } from '@balcao/contract/service/ratings.ts'
import { type CsvColumn, momentText } from '../../../kit/csv.ts'
import { defineCsvExport } from '../../core/jobs/csv-export.ts'
import { countRatings, listRatings } from './ratings.list.ts'

const statusNames: Record<Rating['status'], string> = {
  pending: 'Aguardando resposta',
  answered: 'Respondida',
  expired: 'Sem resposta',
}
/** The ratings as a spreadsheet for people. */
export const ratingColumns = (timeZone: string): CsvColumn<Rating>[] => {
  const moment = momentText(timeZone)
  return [
    { label: 'Protocolo', value: (row) => row.protocol },
    { label: 'Contato', value: (row) => row.contact.name },
    { label: 'Atendente', value: (row) => row.user?.name },
    { label: 'Fila', value: (row) => row.queue?.name },
    { label: 'Situação', value: (row) => statusNames[row.status] },
    { label: 'Nota', value: (row) => row.grade },
    { label: 'Comentário', value: (row) => row.comment },
    { label: 'Perguntada em', value: (row) => moment(row.createdAt) },
    { label: 'Respondida em', value: (row) => moment(row.answeredAt) },
  ]
}

export const ratingsExport = defineCsvExport({
  kind: 'exportRatings',
  can: 'ratings.read',
  params: ratingsQuery,
  file: 'avaliacoes',
  columns: ({ timezone }) => ratingColumns(timezone),
  count: countRatings,
  read: (actor, query) => listRatings(actor, { ...query, count: false }),
  audit: ({ dateFrom, dateTo }) => ({
    action: 'rating.exported',
    entity: 'rating',
    entityId: '',
    after: { dateFrom, dateTo },
  }),
})
