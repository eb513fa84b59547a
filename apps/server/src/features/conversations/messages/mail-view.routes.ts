import { id, queryFlag } from '@balcao/contract/common.ts'
import { z } from 'zod'
import { type Prepared, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { policyText } from '../../../kit/content-security.ts'
import { AppError } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { presentMedia, type StoredFile } from '../../core/media/media.present.ts'
import { readFileReader } from '../../core/media/media.routes.ts'
import { showMail } from '../mail-html/show-mail.ts'
import { shownAtFirst } from '../mail-html/shown-mail.ts'
import type { MailBody } from '../timeline/store.ts'
import { requireMessage } from './visible.ts'

const query = z.object({ pictures: queryFlag.default(false), whole: queryFlag.default(false) })

/** A formatted e-mail as a page for a frame, which asks as pictures are asked for: by the session's cookie. */
export const mailViewRoutes: Routes = (app) => {
  app.get(
    '/media/mails/:id',
    {
      config: {
        public: true,
        summary: 'Ver um e-mail formatado',
        gives: 'text/html',
        errors: ['ERR_FETCH_WAPP_MSG', 'ERR_TOO_HEAVY'],
      },
      schema: { params: z.object({ id }), querystring: query },
    },
    async (req, reply) => {
      const actor = await readFileReader(req)
      const { html, pictures } = await readMail(actor, req.params.id, req.query.whole)
      const isWithRemote = req.query.pictures
      const { page } = await showMail(actor.tenantId, { html, pictures, isWithRemote, isWhole: req.query.whole })
      return reply
        .headers({
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': `${policyText({
            'default-src': ["'none'"],
            'img-src': ["'self'", 'data:', ...(isWithRemote ? ['https:', 'http:'] : [])],
            'style-src': ["'unsafe-inline'"],
            'base-uri': ["'none'"],
            'form-action': ["'none'"],
            'frame-ancestors': ["'self'"],
          })}; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox`,
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cache-control': 'private, max-age=300',
        })
        .send(page)
    },
  )
}

const readMail = async (actor: Actor, messageId: string, isWhole: boolean) => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    const { message } = await requireMessage(tx, actor, directory, messageId)
    const [body] = message.isDeleted ? [] : await tx.rows<MailBody>(bodyOf, [tx.tenantId, messageId, isWhole])
    if (!body) throw new AppError('ERR_FETCH_WAPP_MSG')
    const files = await tx.rows<{ cid: string; file: StoredFile }>(drawnFiles, [
      tx.tenantId,
      message.connectionId,
      Array.from({ length: mostParts }, (_, at) => `${message.providerId}:${at + 1}`),
      message.ticketId,
    ])
    const pictures = Object.fromEntries([
      ...body.pictures.map(({ cid, mime, base64 }) => [cid, `data:${mime};base64,${base64}`]),
      ...files.map(({ cid, file }) => [cid, presentMedia(file, { tenantId: tx.tenantId }).url]),
    ])
    return { html: body.html, pictures }
  })
}
/** The files of a mail are messages under its id with their place. */
const mostParts = 25

const bodyOf: Prepared = {
  name: 'mail_body',
  text: `select case when $3 then html else left(html, ${shownAtFirst + 1}) end as html, pictures
    from mail_bodies where tenant_id = $1 and message_id = $2`,
}
const drawnFiles: Prepared = {
  name: 'mail_drawn_files',
  text: `select m.payload #>> '{drawn,cid}' as cid, jsonb_build_object('id', f.id, 'kind', f.kind, 'name', f.name, 'mime', f.mime, 'size', f.size,
      'width', f.width, 'height', f.height, 'durationMs', f.duration_ms, 'thumbKey', f.thumb_key) as file
    from messages m join files f on f.tenant_id = m.tenant_id and f.id = m.media_id
    where m.tenant_id = $1 and m.connection_id = $2 and m.provider_id = any($3::text[]) and m.ticket_id = $4
      and m.payload ? 'drawn' and not m.is_deleted`,
}
