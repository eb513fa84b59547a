import { id } from '@balcao/contract/common.ts'
import { mail, mailsPage, mailsQuery } from '@balcao/contract/people/mails.ts'
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { mails } from '../../../db/schema/people/mails.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { pageOfMails, presentMail } from './mails.service.ts'
import { mailWaits } from './outbox.ts'

const params = z.object({ id })

/** The mails sent to the people of a company, and what became of them. What they said is not kept. */
export const mailRoutes: Routes = (app) => {
  app.get(
    '/mails',
    {
      config: { can: 'users.write', summary: 'Listar os e-mails enviados à equipe' },
      schema: { querystring: mailsQuery, response: { 200: mailsPage } },
    },
    ({ actor, query }) =>
      withTenant(actor.tenantId, async (tx) => {
        const page = await pageOfMails(tx, query, eq(mails.tenantId, tx.tenantId))
        return { ...page, items: page.items.map(presentMail) }
      }),
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
        return presentMail(renewed ?? row)
      }),
  )
}
