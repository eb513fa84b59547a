import { pageOf } from '@balcao/contract/common.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import {
  autoReplyChoice,
  autoReplyChoicesQuery,
  autoReplyOrder,
  autoReplyResource,
} from '@balcao/contract/service/auto-replies.ts'
import { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { crud } from '../../../kit/crud.ts'
import type { Routes } from '../../../kit/http.ts'
import { invalidateDirectory } from '../../core/directory/directory.ts'
import { autoReplyOptions, orderAutoReplies } from './auto-replies.rows.ts'
import { choicesExport } from './choices.export.ts'
import { listChoices } from './choices.list.ts'
import { stepRoutes } from './steps.routes.ts'

const can = 'auto-replies.write'
const administration = crud(autoReplyResource, autoReplyOptions)

/** What answers by itself to certain words, its log, and the older form of the same. */
export const autoReplyRoutes: Routes = (app) => {
  administration(app)
  stepRoutes(app)
  app.put(
    '/auto-reply/order',
    {
      config: { can, summary: 'Pôr as respostas automáticas em ordem' },
      schema: { body: autoReplyOrder, response: { 204: z.void() } },
    },
    async ({ actor, body: { ids } }, reply) => {
      await withTenant(actor.tenantId, async (tx) => {
        await orderAutoReplies(tx, ids)
        await writeAudit(tx, actor, { action: 'autoReply.ordered', entity: 'autoReply', entityId: '', after: { ids } })
      })
      invalidateDirectory(actor.tenantId)
      return reply.status(204).send()
    },
  )
  app.get(
    '/auto-reply/choices',
    {
      config: { can, summary: 'Listar o que foi respondido automaticamente' },
      schema: { querystring: autoReplyChoicesQuery, response: { 200: pageOf(autoReplyChoice) } },
    },
    ({ actor, query }) => listChoices(actor, query),
  )
  app.post(
    '/auto-reply/choices/export',
    {
      config: { can, summary: 'Pedir a exportação do que foi respondido automaticamente' },
      schema: { body: autoReplyChoicesQuery, response: { 202: bulkJob } },
    },
    async ({ actor, body }, reply) => reply.status(202).send(await choicesExport.enqueue(actor, body)),
  )
}
