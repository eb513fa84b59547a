import { type Statistics, statistics, statisticsQuery } from '@balcao/contract/operations/statistics.ts'
import type { Routes } from '../../../kit/http.ts'
import { readStatistics } from './statistics.service.ts'

/** Each by its own name, as outside callers ask for them. */
const calls: { path: string; part: keyof Statistics; summary: string }[] = [
  { path: 'times', part: 'times', summary: 'Contar os atendimentos e medir seus tempos' },
  { path: 'channels', part: 'channels', summary: 'Contar os atendimentos por tipo de canal' },
  {
    path: 'evolution-channels',
    part: 'evolutionChannels',
    summary: 'Contar por dia os atendimentos de cada tipo de canal',
  },
  {
    path: 'evolution-channels-name',
    part: 'evolutionChannelsName',
    summary: 'Contar por dia os atendimentos de cada canal',
  },
  { path: 'evolution-by-period', part: 'evolutionByPeriod', summary: 'Contar os atendimentos de cada dia' },
  { path: 'evolution-by-value', part: 'evolutionByValue', summary: 'Somar o valor negociado de cada dia' },
  {
    path: 'per-users-detail',
    part: 'perUsersDetail',
    summary: 'Contar os atendimentos de cada pessoa e medir seus tempos',
  },
  { path: 'queue', part: 'queue', summary: 'Contar os atendimentos por fila' },
  { path: 'user', part: 'user', summary: 'Contar os atendimentos por pessoa' },
  { path: 'status', part: 'status', summary: 'Contar os atendimentos de um período por situação' },
  { path: 'reasons', part: 'reasons', summary: 'Contar os encerramentos por motivo' },
]

export const statisticsRoutes: Routes = (app) => {
  const can = 'dashboard.read' as const
  app.get(
    '/dashboard/statistics',
    {
      config: { can, summary: 'Ler todas as estatísticas de um período' },
      schema: { querystring: statisticsQuery, response: { 200: statistics } },
    },
    (request) => readStatistics(request.actor, request.query),
  )
  for (const { path, part, summary } of calls)
    app.get(
      `/statistics-tickets-${path}`,
      { config: { can, summary }, schema: { querystring: statisticsQuery, response: { 200: statistics.shape[part] } } },
      async (request) => (await readStatistics(request.actor, request.query))[part],
    )
}
