import { bulkJob, replaceBody, replaceKinds, rowUses } from '@balcao/contract/bulk-jobs.ts'
import { id } from '@balcao/contract/common.ts'
import { z } from 'zod'
import type { Routes } from '../../kit/http.ts'
import { enqueueReplacement, readUses } from './replace.service.ts'
import { replaceable } from './replaceable.ts'

const params = z.object({ id })

/** Where a tag, a queue or a reason is used, and another in its place. */
export const replaceRoutes: Routes = (app) => {
  for (const kind of replaceKinds) {
    const { path, can } = replaceable[kind].resource
    app.get(
      `${path}/:id/uses`,
      { config: { can: can.write }, schema: { params, response: { 200: rowUses } } },
      (request) => readUses(request.actor, kind, request.params.id),
    )
    app.post(
      `${path}/:id/replace`,
      { config: { can: can.write }, schema: { params, body: replaceBody, response: { 202: bulkJob } } },
      async ({ actor, params, body }, reply) =>
        reply.status(202).send(await enqueueReplacement(actor, kind, { ...params, ...body })),
    )
  }
}
