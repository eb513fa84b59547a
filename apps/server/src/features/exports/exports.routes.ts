import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { id } from '@balcao/contract/common.ts'
import { type ExportFormat, exportQuery } from '@balcao/contract/exports.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { withTenant } from '../../db/database.ts'
import { writeAudit } from '../../kit/audit.ts'
import type { Routes } from '../../kit/http.ts'
import { createLimit } from '../../kit/limit.ts'
import { asText } from './as-text.ts'
import { type Conversation, openConversation } from './conversation.ts'

/** Setting pages is work for the processor: two at a time leave room for everybody else. */
const pdfs = createLimit(2)

export const exportRoutes: Routes = (app) => {
  app.get(
    '/exportMessages/:ticketId',
    {
      config: {
        can: 'messages.read',
        rateLimit: { max: 120, timeWindow: '1 minute', keyGenerator: (req: FastifyRequest) => req.actor.userId },
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
        .send(await bodyOf(query.format, conversation))
    },
  )
}

/** Formats that need their libraries bring them only when they are asked for. */
const bodyOf = async (format: ExportFormat, conversation: Conversation): Promise<Readable> => {
  if (format === 'text') return Readable.from(asText(conversation), { objectMode: false })
  if (format === 'html')
    return Readable.from((await import('./as-html.ts')).asHtml(conversation), { objectMode: false })
  return pdfOf(conversation)
}

/** Set whole on the disk first: a slow reader then holds up nobody, and what goes wrong is still told as an error. */
const pdfOf = async (conversation: Conversation): Promise<Readable> => {
  const { writePdf } = await import('./as-pdf.ts')
  const folder = await mkdtemp(join(tmpdir(), 'balcao-export-'))
  const clean = () => rm(folder, { recursive: true, force: true })
  try {
    const path = join(folder, 'conversa.pdf')
    await pdfs(() => writePdf(conversation, createWriteStream(path, { mode: 0o600 })))
    return createReadStream(path).on('close', () => void clean())
  } catch (error) {
    await clean()
    throw error
  }
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
