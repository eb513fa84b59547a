import { id } from '@balcao/contract/common.ts'
import { type Mail, mail, mailsPage, mailsQuery } from '@balcao/contract/people/mails.ts'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import { mails } from '../../../db/schema/people/mails.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { likePattern, readCursor, toPage } from '../../../kit/cursor.ts'
import { AppError } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { mailWaits } from './outbox.ts'

const pageSize = 40
const params = z.object({ id })

/** The mails sent to the people of a company, and what became of them. What they said is not kept. */
export const mailRoutes: Routes = (app) => {
  app.get(
    '/mails',
    {
      config: { can: 'users.write', summary: 'Listar os e-mails enviados à equipe' },
      schema: { querystring: mailsQuery, response: { 200: mailsPage } },
    },
    ({ actor, query }) => withTenant(actor.tenantId, (tx) => listMails(tx, query)),
  )

  app.post(
    '/mails/:id/retry',
    {
      config: {
        can: 'users.write',
        summary: 'Tentar de novo o envio de um e-mail que espera',
        errors: ['ERR_CONFLICT'],
      },
      schema: { params, response: { 200: mail } },
    },
    ({ actor, params }) =>
      withTenant(actor.tenantId, async (tx) => {
        const mine = and(eq(mails.tenantId, tx.tenantId), eq(mails.id, params.id))
        const [row] = await tx.db.select().from(mails).where(mine).for('update')
        if (!row) throw new AppError('ERR_NOT_FOUND')
        if (row.state !== 'queued')
          throw new AppError('ERR_CONFLICT', { message: 'Este e-mail não espera mais. Envie outro convite ou link.' })
        const [renewed] = await tx.db.update(mails).set({ attemptAt: new Date() }).where(mine).returning()
        await writeAudit(tx, actor, {
          action: 'mail.retried',
          entity: 'mail',
          entityId: row.id,
          after: { email: row.to },
        })
        mailWaits(tx)
        return present(renewed ?? row)
      }),
  )
}

const listMails = async (tx: Tx, { state, searchParam, cursor, limit = pageSize }: z.output<typeof mailsQuery>) => {
  const [at, last] = cursor ? readCursor(cursor, z.tuple([z.iso.datetime(), z.uuid()])) : []
  const rows = await tx.db
    .select()
    .from(mails)
    .where(
      and(
        eq(mails.tenantId, tx.tenantId),
        state.length ? inArray(mails.state, state) : undefined,
        searchParam ? sql`${mails.to} like ${likePattern(searchParam.toLowerCase())}` : undefined,
        at ? sql`(${mails.createdAt}, ${mails.id}) < (${at}, ${last})` : undefined,
      ),
    )
    .orderBy(desc(mails.createdAt), desc(mails.id))
    .limit(limit + 1)
  const page = toPage(rows, limit, (row) => [row.createdAt.toISOString(), row.id])
  return { ...page, items: page.items.map(present) }
}

const present = (row: typeof mails.$inferSelect): Mail => ({
  id: row.id,
  kind: row.kind,
  to: row.to,
  state: row.state,
  attempts: row.attempts,
  error: row.error,
  attemptAt: row.state === 'queued' ? row.attemptAt.toISOString() : null,
  sentAt: row.sentAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
})
