import { ChannelError } from '../../../channels/adapter.ts'
import { withTenant } from '../../../db/database.ts'
import { log } from '../../../kit/log.ts'
import { allRows } from './connections.queries.ts'
import { findConnection } from './context.ts'

/**
 * Whom the company blocked is blocked at its providers too, where they can: then nothing of them is even sent to us. Meta
 * blocks only who wrote in the last 24 hours (general knowledge), so a refusal is noted and nothing more.
 */
export const blockAtProviders = async (
  tenantId: number,
  { number, isBlocked }: { number: string; isBlocked: boolean },
) => {
  const rows = await withTenant(tenantId, allRows)
  const able = rows.filter(({ status, abilities }) => status === 'CONNECTED' && abilities.supports.includes('block'))
  await Promise.all(
    able.map(async ({ id }) => {
      const connection = await findConnection(id)
      const to = [{ kind: 'phone' as const, value: number }]
      await connection?.adapter.block?.({ to, isBlocked }, connection.context).catch((error: unknown) => {
        const why = error instanceof ChannelError ? error.message : 'unexpected'
        log.warn({ err: error, tenantId, connectionId: id, why }, 'not blocked at the provider')
      })
    }),
  )
}
