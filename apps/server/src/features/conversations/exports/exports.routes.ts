import { id } from '@balcao/contract/common.ts'
import { exportQuery } from '@balcao/contract/conversations/exports.ts'
import { bulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { bodyOf, fileNameOf, mimeOf } from './as-file.ts'
import { openConversation } from './conversation.ts'
import { enqueueExport } from './export-job.ts'

const params = z.object({ ticketId: id })

export const exportRoutes: Routes = (app) => {
  const config = {
    can: 'messages.read',
    rateLimit: { max: 120, timeWindow: '1 minute', keyGenerator: (req: FastifyRequest) => req.actor.userId },
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_TOO_HEAVY'],
  } as const
  app.get(
    '/exportMessages/:ticketId',
    {
      config: {
        ...config,
        summary: 'Exportar uma conversa em PDF, HTML, texto ou ZIP',
        errors: [...config.errors],
        gives: 'application/octet-stream',
      },
      schema: { params, querystring: exportQuery },
    },
    async (req, reply) => {
      const { actor, query } = req
      const conversation = await openConversation(actor, req.params.ticketId, query)
      const { ticket } = conversation
      await withTenant(actor.tenantId, (tx) =>
        writeAudit(tx, actor, { action: 'ticket.exported', entity: 'ticket', entityId: ticket.id, after: query }),
      )
      return reply
        .headers({
          'content-type': mimeOf(query.format),
          'content-disposition': `attachment; filename="${fileNameOf(query.format, ticket)}"`,
          'x-content-type-options': 'nosniff',
          'cache-control': 'private, no-store',
        })
        .send(await bodyOf(query.format, conversation, { tenantId: actor.tenantId, signal: untilGone(req) }))
    },
  )
  app.post(
    '/exportMessages/:ticketId',
    {
      config: { ...config, summary: 'Pedir a exportação de uma conversa', errors: [...config.errors] },
      schema: { params, body: exportQuery, response: { 202: bulkJob } },
    },
    async ({ actor, params, body }, reply) =>
      reply.status(202).send(await enqueueExport(actor, { ...body, ticketId: params.ticketId })),
  )
}

/** Nobody waits any more: the work for it may end. */
const untilGone = ({ raw }: FastifyRequest): AbortSignal => {
  const gone = new AbortController()
  raw.socket.once('close', () => gone.abort(new AppError('ERR_UNAVAILABLE')))
  return gone.signal
}
