import { pageOf } from '@balcao/contract/common.ts'
import { tenantMail, tenantMailsQuery } from '@balcao/contract/people/mails.ts'
import { eq, inArray } from 'drizzle-orm'
import { withPlatform } from '../../../db/database.ts'
import { mails } from '../../../db/schema/people/mails.ts'
import { tenants } from '../../../db/schema/platform/companies.ts'
import type { Routes } from '../../../kit/http.ts'
import { pageOfMails, presentMail } from '../../people/mail/mails.service.ts'

/** What became of the mails of every company: where a mail server fails, it is seen here first. */
export const tenantMailRoutes: Routes = (app) => {
  app.get(
    '/tenantMails',
    {
      config: { can: 'tenants.write', summary: 'Listar os e-mails enviados às equipes das empresas' },
      schema: { querystring: tenantMailsQuery, response: { 200: pageOf(tenantMail) } },
    },
    ({ query: { tenantId, ...query } }) =>
      withPlatform('tenantMails', async (tx) => {
        const page = await pageOfMails(tx, query, tenantId === undefined ? undefined : eq(mails.tenantId, tenantId))
        const ids = [...new Set(page.items.map((row) => row.tenantId))]
        const companies = ids.length
          ? await tx.db.select({ id: tenants.id, name: tenants.name }).from(tenants).where(inArray(tenants.id, ids))
          : []
        const nameOf = new Map(companies.map(({ id, name }) => [id, name]))
        const items = page.items.map((row) => ({
          ...presentMail(row),
          tenant: { id: row.tenantId, name: nameOf.get(row.tenantId) ?? '' },
        }))
        return { ...page, items }
      }),
  )
}
