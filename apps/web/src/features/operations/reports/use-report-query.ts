import type { ReportDefinition } from '@balcao/contract/operations/reports/definitions.ts'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { usePeriod } from '../../../kit/use-period.ts'
import type { Query } from './api.ts'

/** All that narrows a report, in the address; `query` says it as the server reads it. */
export const useReportQuery = (report: ReportDefinition) => {
  const [period, setPeriod] = usePeriod()
  const dimension = useUrlState('por', report.dimensions[0])
  const time = useUrlState('tempo', 'calendar')
  const moment = useUrlState('contar', 'opened')
  const compare = useUrlState('comparar')
  const segment = useUrlState('segmento')
  const [valueMin, setValueMin] = useUrlState('valorDe')
  const [valueMax, setValueMax] = useUrlState('valorAte')
  const lists = {
    queuesIds: useUrlList('fila'),
    userIds: useUrlList('atendente'),
    tagIds: useUrlList('etiqueta'),
    whatsappIds: useUrlList('canal'),
    channels: useUrlList('tipo'),
    reasonIds: useUrlList('motivo'),
    status: useUrlList('situacao'),
    states: useUrlList('estado'),
    kanbanIds: useUrlList('etapa'),
    walletIds: useUrlList('carteira'),
  }
  const filters: Query = {
    ...(period.from && { dateFrom: period.from }),
    ...(period.to && { dateTo: period.to }),
    ...(moment[0] !== 'opened' && { moment: moment[0] }),
    ...(segment[0] && { segmentId: segment[0] }),
    ...(valueMin && { valueMin }),
    ...(valueMax && { valueMax }),
    ...Object.fromEntries(Object.entries(lists).flatMap(([name, [values]]) => (values.length ? [[name, values]] : []))),
  }
  const isKnown = report.dimensions.some((one) => one === dimension[0])
  const query: Query = {
    ...filters,
    ...(isKnown && { dimension: dimension[0] }),
    ...(time[0] === 'business' && { time: 'business' }),
    ...(compare[0] === 'sim' && { compare: true }),
  }
  const value = { from: valueMin, to: valueMax, setFrom: setValueMin, setTo: setValueMax }
  return { ...{ period, setPeriod, dimension, time, moment, compare, segment, value, lists }, filters, query }
}
export type ReportState = ReturnType<typeof useReportQuery>
