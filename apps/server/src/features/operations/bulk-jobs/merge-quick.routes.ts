import { id } from '@balcao/contract/common.ts'
import { quickMergeBody } from '@balcao/contract/service/quick-messages.ts'
import { and, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { type Prepared, withTenant } from '../../../db/database.ts'
import { quickMessages } from '../../../db/schema/service/library.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { emit } from '../../../kit/outbox.ts'
import { audienceOf, readableBy, requireWrite } from '../../service/quick-messages/scope.ts'
import { replaceInSetUp } from './replace-set-up.ts'

/** Two quick messages that say the same become one. */
export const mergeQuickRoutes: Routes = (app) => {
  app.post(
    '/fastreply/:id/merge',
    {
      config: { can: 'quick-messages.write', summary: 'Unir uma mensagem rápida a outra' },
      schema: { params: z.object({ id }), body: quickMergeBody, response: { 204: z.void() } },
    },
    async ({ actor, params, body }, reply) => {
      await mergeQuick(actor, params.id, body.intoId)
      return reply.status(204).send()
    },
  )
}

const mergeQuick = (actor: Actor, goneId: string, intoId: string) =>
  withTenant(actor.tenantId, async (tx) => {
    const rows = await tx.db
      .select()
      .from(quickMessages)
      .where(
        and(
          eq(quickMessages.tenantId, tx.tenantId),
          inArray(quickMessages.id, [goneId, intoId]),
          readableBy(actor, quickMessages),
        ),
      )
      .orderBy(quickMessages.id)
      .for('update')
    const gone = rows.find((row) => row.id === goneId)
    const into = rows.find((row) => row.id === intoId)
    if (!gone) throw new AppError('ERR_NOT_FOUND')
    if (!into || into === gone) throw fieldErrors({ path: 'intoId', message: 'Escolha outra mensagem rápida.' })
    requireWrite(actor, gone)
    const isSeen = into.scope === 'everyone' || (into.scope === gone.scope && into.queueId === gone.queueId)
    if (!isSeen)
      throw fieldErrors({ path: 'intoId', message: 'Fique com a que mais gente usa: quem usa esta ficaria sem ela.' })
    await tx.rows(moveUses, [tx.tenantId, goneId, intoId])
    await replaceInSetUp(tx, { id: goneId, replacementId: intoId }, { userId: actor.userId, name: gone.key })
    await tx.db.delete(quickMessages).where(and(eq(quickMessages.tenantId, tx.tenantId), eq(quickMessages.id, goneId)))
    const after = { key: into.key, message: into.message }
    const before = { key: gone.key, message: gone.message }
    await writeAudit(tx, actor, {
      action: 'quickMessage.merged',
      entity: 'quickMessage',
      entityId: goneId,
      before,
      after,
    })
    await emit(tx, 'quickMessage.deleted', { id: goneId }, audienceOf(gone))
  })

const moveUses: Prepared = {
  name: 'quick_message_uses_move',
  text: `insert into quick_message_uses (tenant_id, quick_message_id, user_id, slot, count, last_at)
    select tenant_id, $3, user_id, slot, count, last_at from quick_message_uses where tenant_id = $1 and quick_message_id = $2
    on conflict (tenant_id, quick_message_id, user_id, slot)
      do update set count = quick_message_uses.count + excluded.count, last_at = greatest(quick_message_uses.last_at, excluded.last_at)`,
}
