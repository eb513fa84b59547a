import { id } from '@balcao/contract/common.ts'
import { z } from 'zod'
import { platformRows, withTenant } from '../../../db/database.ts'
import { AppError } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { log } from '../../../kit/log.ts'
import { announce } from '../../../kit/signals/signals.ts'
import { findVoiceAccount } from './accounts.ts'
import { announceCall } from './voice-calls.loop.ts'
import { accountById, applyFacts } from './voice-calls.rows.ts'

/** Where Vapi tells of calls. What is answered 200 is stored; a repeat, or what comes late, changes nothing. */
export const voiceHookRoutes: Routes = (app) => {
  app.post(
    '/hooks/vapi/:integrationId',
    {
      config: {
        public: true,
        summary: 'Receber os avisos de ligações da Vapi',
        errors: ['ERR_NOT_FOUND', 'ERR_WEBHOOK_SIGNATURE'],
      },
      schema: { params: z.object({ integrationId: id }), body: z.unknown() },
      bodyLimit: 10 * 1024 * 1024,
    },
    async ({ params: { integrationId }, headers, body }) => {
      const [owner] = await platformRows<{ tenantId: number }>(accountById, [integrationId])
      const account = owner && (await withTenant(owner.tenantId, (tx) => findVoiceAccount(tx, integrationId)))
      if (!account) throw new AppError('ERR_NOT_FOUND')
      if (!account.door.verify(headers, account.context)) {
        log.warn({ tenantId: owner.tenantId, integrationId }, 'webhook refused: bad signature')
        throw new AppError('ERR_WEBHOOK_SIGNATURE')
      }
      const news = account.door.hear(body, account.context)
      if (news.is === 'question') return news.answer
      if (news.is === 'call')
        await withTenant(owner.tenantId, async (tx) => {
          const row = await applyFacts(tx, integrationId, news.facts)
          if (!row) return
          if (row.isWhole) tx.afterCommit(() => announce('voiceCalls.waiting'))
          await announceCall(tx, row)
        })
      return {}
    },
  )
}
