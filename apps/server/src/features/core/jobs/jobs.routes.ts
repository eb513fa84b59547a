import { id, pageOf } from '@balcao/contract/common.ts'
import { bulkJob, bulkJobsQuery, jobRefusal } from '@balcao/contract/operations/bulk-jobs.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import {
  cancelJob,
  getJob,
  listJobs,
  listRefusals,
  openResult,
  pauseJob,
  resumeJob,
  retryJob,
  undoJob,
} from './jobs.service.ts'

const params = z.object({ id })

/** What somebody asked for and watches; of all, for who looks after the company's. */
export const jobRoutes: Routes = (app) => {
  app.get(
    '/bulkJobs',
    {
      config: { can: 'self.write', summary: 'Listar as ações em lote' },
      schema: { querystring: bulkJobsQuery, response: { 200: pageOf(bulkJob) } },
    },
    ({ actor, query }) => listJobs(actor, query),
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
    '/bulkJobs/:id/result',
    {
      config: {
        can: 'self.write',
        summary: 'Baixar o arquivo que uma ação em lote fez',
        gives: 'application/octet-stream',
      },
      schema: { params },
    },
    async ({ actor, params: { id } }, reply) => {
      const { name, mime, stream } = await openResult(actor, id)
      return reply.headers(attached(mime, name)).send(stream)
    },
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
  app.post(
    '/bulkJobs/:id/undo',
    {
      config: { can: 'self.write', summary: 'Desfazer uma ação em lote', errors: ['ERR_CONFLICT'] },
      schema: { params, response: { 202: bulkJob } },
    },
    async ({ actor, params: { id } }, reply) => reply.status(202).send(await undoJob(actor, id)),
  )
  app.post(
    '/bulkJobs/:id/retry',
    {
      config: {
        can: 'self.write',
        summary: 'Tentar de novo o que uma ação em lote não conseguiu fazer',
        errors: ['ERR_CONFLICT'],
      },
      schema: { params, response: { 202: bulkJob } },
    },
    async ({ actor, params: { id } }, reply) => reply.status(202).send(await retryJob(actor, id)),
  )
}

/** To be saved, never shown: a page inside it would be one of ours. */
const attached = (mime: string, name: string) => ({
  'content-type': mime,
  'content-disposition': `attachment; filename="${name.replace(/[^\w. -]/g, '')}"`,
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-store',
})
