import { id, pageOf } from '@balcao/contract/common.ts'
import { bulkJob, jobRefusal } from '@balcao/contract/operations/bulk-jobs.ts'
import { z } from 'zod'
import { csvHeaders } from '../../../kit/csv.ts'
import type { Routes } from '../../../kit/http.ts'
import { cancelJob, getJob, listJobs, listRefusals, openResult, pauseJob, resumeJob } from './jobs.service.ts'

const params = z.object({ id })

/** What somebody asked for and watches: only their own. */
export const jobRoutes: Routes = (app) => {
  app.get(
    '/bulkJobs',
    {
      config: { can: 'self.write', summary: 'Listar as ações em lote' },
      schema: { response: { 200: pageOf(bulkJob) } },
    },
    ({ actor }) => listJobs(actor),
  )
  app.get(
    '/bulkJobs/:id',
    {
      config: { can: 'self.write', summary: 'Ler uma ação em lote' },
      schema: { params, response: { 200: bulkJob } },
    },
    ({ actor, params: { id } }) => getJob(actor, id),
  )
  app.get(
    '/bulkJobs/:id/refusals',
    {
      config: { can: 'self.write', summary: 'Ler o que uma ação em lote não conseguiu fazer' },
      schema: { params, response: { 200: z.array(jobRefusal) } },
    },
    ({ actor, params: { id } }) => listRefusals(actor, id),
  )
  app.get(
    '/bulkJobs/:id/result.csv',
    {
      config: { can: 'self.write', summary: 'Baixar o arquivo que uma ação em lote fez', gives: 'text/csv' },
      schema: { params },
    },
    async ({ actor, params: { id } }, reply) =>
      reply.headers(csvHeaders('exportacao')).send(await openResult(actor, id)),
  )
  const changes = [
    ['cancel', 'Cancelar', cancelJob],
    ['pause', 'Pausar', pauseJob],
    ['resume', 'Continuar', resumeJob],
  ] as const
  for (const [path, verb, change] of changes)
    app.post(
      `/bulkJobs/:id/${path}`,
      {
        config: { can: 'self.write', summary: `${verb} uma ação em lote` },
        schema: { params, response: { 200: bulkJob } },
      },
      ({ actor, params: { id } }) => change(actor, id),
    )
}
