import { id } from '@balcao/contract/common.ts'
import { segmentUses } from '@balcao/contract/contacts/segments/segments.ts'
import { and, eq, or } from 'drizzle-orm'
import { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { segments } from '../../../db/schema/contacts/segments.ts'
import { AppError } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { findFlowsNaming } from '../../automation/flows/flows-naming.ts'
import { findCampaignsNaming } from '../campaigns/named-segments.ts'

/** Where a segment is used, before it goes. */
export const segmentUseRoutes: Routes = (app) => {
  app.get(
    '/segments/:id/uses',
    {
      config: { can: 'contacts.read', summary: 'Ver onde se usa um segmento' },
      schema: { params: z.object({ id }), response: { 200: segmentUses } },
    },
    ({ actor, params }) =>
      withTenant(actor.tenantId, async (tx) => {
        const isMine = or(eq(segments.isShared, true), eq(segments.userId, actor.userId))
        const [found] = await tx.db
          .select({ id: segments.id })
          .from(segments)
          .where(and(eq(segments.tenantId, tx.tenantId), eq(segments.id, params.id), isMine))
        if (!found) throw new AppError('ERR_NOT_FOUND')
        const mayRead = actor.permissions.has('campaigns.read')
        return {
          flows: await findFlowsNaming(tx, params.id),
          campaigns: mayRead ? await findCampaignsNaming(tx, params.id) : [],
        }
      }),
  )
}
