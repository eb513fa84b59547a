import { Readable } from 'node:stream'
import { id } from '@balcao/contract/common.ts'
import { type ExportFormat, exportQuery } from '@balcao/contract/conversations/exports.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { asPdf } from './as-pdf.ts'
import { asText } from './as-text.ts'
import { type Conversation, openConversation } from './conversation.ts'

export const exportRoutes: Routes = (app) => {
  app.get(
    '/exportMessages/:ticketId',
    {
      config: {
        can: 'messages.read',
        rateLimit: { max: 120, timeWindow: '1 minute', keyGenerator: (req: FastifyRequest) => req.actor.userId },
        summary: 'Exportar uma conversa em PDF, HTML, texto ou ZIP',
        errors: ['ERR_NO_TICKET_FOUND', 'ERR_TOO_HEAVY'],
        gives: 'application/octet-stream',
      },
      schema: { params: z.object({ ticketId: id }), querystring: exportQuery },
    },
    async (req, reply) => {
      const { actor, query } = req
      const conversation = await openConversation(actor, req.params.ticketId, query)
      const { ticket } = conversation
      await withTenant(actor.tenantId, (tx) =>
        writeAudit(tx, actor, { action: 'ticket.exported', entity: 'ticket', entityId: ticket.id, after: query }),
      )
      return reply
        .headers(headersOf(query.format, `conversa ${ticket.name} ${ticket.protocol}`))
        .send(await bodyOf(query.format, conversation, { tenantId: actor.tenantId, signal: untilGone(req) }))
    },
  )
}

type Asked = { tenantId: number; signal: AbortSignal }

const bodyOf = async (format: ExportFormat, conversation: Conversation, asked: Asked): Promise<Readable> => {
  if (format === 'pdf') return asPdf(conversation, asked)
  if (format === 'text') return Readable.from(asText(conversation), { objectMode: false })
  // Its libraries come when they are asked for.
  return Readable.from((await import('./as-html.ts')).asHtml(conversation), { objectMode: false })
}

/** Nobody waits any more: the work for it may end. */
const untilGone = ({ raw }: FastifyRequest): AbortSignal => {
  const gone = new AbortController()
  raw.socket.once('close', () => gone.abort(new AppError('ERR_UNAVAILABLE')))
  return gone.signal
}

const kinds = {
  pdf: { type: 'application/pdf', extension: 'pdf' },
  html: { type: 'application/zip', extension: 'zip' },
  text: { type: 'text/plain; charset=utf-8', extension: 'txt' },
} as const satisfies Record<ExportFormat, { type: string; extension: string }>

/** `conversa-joao-da-silva-20261118000123.pdf`: a name every file system takes. */
const headersOf = (format: ExportFormat, words: string) => {
  const { type, extension } = kinds[format]
  const name = words
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100)
  return {
    'content-type': type,
    'content-disposition': `attachment; filename="${name}.${extension}"`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  }
}
