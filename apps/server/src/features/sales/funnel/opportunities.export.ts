import {
  type Opportunity,
  opportunitiesExportQuery,
  opportunityStatusLabels,
} from '@balcao/contract/sales/opportunities.ts'
import { type CsvColumn, momentText } from '../../../kit/csv.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { defineCsvExport } from '../../core/jobs/csv-export.ts'
import { listOpportunities, namesOfStages } from './opportunities.service.ts'

type Line = Opportunity & { stage: string; pipeline: string }
const dayText = (day: string | null) => day?.split('-').toReversed().join('/')
const columnsIn = ({ timezone }: Directory): CsvColumn<Line>[] => {
  const moment = momentText(timezone)
  return [
    { label: 'Oportunidade', value: (row) => row.name },
    { label: 'Contato', value: (row) => row.contact.name },
    { label: 'Telefone', value: (row) => row.contact.number },
    { label: 'Funil', value: (row) => row.pipeline },
    { label: 'Etapa', value: (row) => row.stage },
    { label: 'Situação', value: (row) => opportunityStatusLabels[row.status] },
    { label: 'Motivo', value: (row) => row.reason?.name },
    { label: 'Valor', value: (row) => (row.value / 100).toFixed(2).replace('.', ',') },
    { label: 'Previsão', value: (row) => dayText(row.closingForecast) },
    { label: 'Responsável', value: (row) => row.responsible?.name },
    { label: 'Origem', value: (row) => row.source },
    { label: 'Descrição', value: (row) => row.description },
    { label: 'Produtos', value: (row) => row.items.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ') },
    { label: 'Na etapa desde', value: (row) => moment(row.stageSince) },
    { label: 'Criada em', value: (row) => moment(row.createdAt) },
    { label: 'Encerrada em', value: (row) => moment(row.closedAt) },
  ]
}

/** Opportunities as a spreadsheet, which the import reads again. */
export const opportunitiesExport = defineCsvExport({
  kind: 'exportOpportunities',
  can: 'funnel.read',
  params: opportunitiesExportQuery,
  file: 'oportunidades',
  columns: columnsIn,
  count: async (actor, query) =>
    (await listOpportunities(actor, { ...query, limit: 1, pageNumber: 1, count: true })).count ?? 0,
  read: async (actor, query) => {
    const page = await listOpportunities(actor, { ...query, count: false })
    const names = await namesOfStages(actor.tenantId)
    return {
      ...page,
      items: page.items.map((row) => ({ ...row, ...(names.get(row.stageId) ?? { stage: '', pipeline: '' }) })),
    }
  },
  audit: ({ pipelineId }) => ({
    ...{ action: 'opportunity.exported', entity: 'opportunity', entityId: '' },
    after: { pipelineId },
  }),
})
