import { id } from '@balcao/contract/common.ts'
import { bulkJob, replaceBody, rowUses } from '@balcao/contract/operations/bulk-jobs.ts'
import { replaceKinds } from '@balcao/contract/operations/replace-kinds.ts'
import { oneNamed } from '@balcao/contract/resource.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { enqueueReplacement, readUses } from './replace.service.ts'
import { replaceable } from './replaceable.ts'

const params = z.object({ id })

/** Where a tag, a queue or a reason is used, and another in its place. */
export const replaceRoutes: Routes = (app) => {
  for (const kind of replaceKinds) {
    const { path, can, label } = replaceable[kind].resource
    app.get(
      `${path}/:id/uses`,
      {
        config: { can: can.write, summary: `Contar onde se usa ${oneNamed(label)}` },
        schema: { params, response: { 200: rowUses } },
      },
      (request) => readUses(request.actor, kind, request.params.id),
    )
    app.post(
      `${path}/:id/replace`,
      {
        config: { can: can.write, summary: `Trocar ${oneNamed(label)} por ${'feminine' in label ? 'outra' : 'outro'}` },
        schema: { params, body: replaceBody, response: { 202: bulkJob } },
      },
      async ({ actor, params, body }, reply) =>
        reply.status(202).send(await enqueueReplacement(actor, kind, { ...params, ...body })),
    )
  }
}
