import { id } from '@balcao/contract/common.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { funnelReplaceKinds } from '@balcao/contract/operations/replace-kinds.ts'
import { oneNamed } from '@balcao/contract/resource.ts'
import { funnelReplaceBody, funnelUses } from '@balcao/contract/sales/pipelines.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { enqueueFunnelReplacement, funnelParts, readFunnelUses } from './replace-stage.service.ts'

const params = z.object({ id })

/** What stands in a stage or a pipeline, and its way to another stage before it is deleted. */
export const replaceStageRoutes: Routes = (app) => {
  for (const kind of funnelReplaceKinds) {
    const { path, can, label } = funnelParts[kind].resource
    app.get(
      `${path}/:id/uses`,
      {
        config: { can: can.write, summary: `Contar as oportunidades de ${oneNamed(label)}` },
        schema: { params, response: { 200: funnelUses } },
      },
      (request) => readFunnelUses(request.actor, kind, request.params.id),
    )
    app.post(
      `${path}/:id/replace`,
      {
        config: { can: can.write, summary: `Passar as oportunidades a outra etapa e excluir ${oneNamed(label)}` },
        schema: { params, body: funnelReplaceBody, response: { 202: bulkJob } },
      },
      async ({ actor, params, body }, reply) =>
        reply.status(202).send(await enqueueFunnelReplacement(actor, kind, { ...params, ...body })),
    )
  }
}
