import { spanOf } from '@balcao/contract/core/span.ts'
import { platformRows, withTenant } from '../../../db/database.ts'
import { byRule } from '../../../kit/actor.ts'
import { createLimit } from '../../../kit/limit.ts'
import { log } from '../../../kit/log.ts'
import type { Round } from '../../../kit/workers.ts'
import { closeByItself } from '../../conversations/actions/close-by-itself.ts'
import { lockTicket } from '../../conversations/tickets/ticket-rows.ts'
import { getDirectory } from '../../core/directory/directory.ts'

/** Of one company in one round: however much one has to close, the others have their turn. */
const perCompany = 50
/** Transactions at one time: people's requests need the database too. */
const inTurn = createLimit(3)
const failedForMs = 10 * 60_000
/** Those that could not be closed rest a while, so that they do not stand before the others. */
const failed = new Map<string, number>()

/** Conversations the customer has left are closed (settings.autoClose). */
export const closeIdle = async (): Promise<Round> => {
  for (const [id, at] of failed) if (at < Date.now() - failedForMs) failed.delete(id)
  const idle = await platformRows<Idle>(findIdle, [perCompany, [...failed.keys()]])
  const done = await Promise.all(idle.map((one) => inTurn(() => attempt(one))))
  const did = done.filter(Boolean).length
  return { did, isMore: did >= perCompany }
}

type Idle = { tenantId: number; id: string; minutes: number }
const attempt = async (idle: Idle): Promise<boolean> => {
  try {
    return await close(idle)
  } catch (error) {
    log.error({ err: error, tenantId: idle.tenantId, ticketId: idle.id }, 'idle ticket not closed')
    failed.set(idle.id, Date.now())
    return false
  }
}

/** Two processes may look at the same rows: the lock lets one through, and what it finds must still be so. */
const close = async ({ tenantId, id, minutes }: Idle): Promise<boolean> => {
  const directory = await getDirectory(tenantId)
  if (!directory.settings.autoClose) return false
  return withTenant(tenantId, async (tx) => {
    const [held] = await tx.rows<{ id: string }>(lockIdle, [tenantId, id, directory.settings.autoCloseTime])
    const before = held && (await lockTicket(tx, id))
    if (!before) return false
    const line = `Encerrado por falta de resposta: ${spanOf(minutes)} sem mensagens.`
    await closeByItself(tx, before, {
      directory,
      author: byRule('Encerramento automático'),
      told: { log: 'autoClose', note: line, line },
      cause: { kind: 'idle' },
      // Who never answered what we began is told nothing: nobody was speaking with them.
      text: before.userId ? directory.settings.autoCloseMessage : '',
    })
    return true
  })
}

/**
 * Open, in nobody's drawer, private, and the last word was ours: who waits for our answer is never closed by the clock
 * (docs/decisions/0011).
 */
const isIdle = (
  minutes: string,
) => `t.status = 'open' and not t.is_group and t.paused_at is null and t.waiting_since is null
  and coalesce(t.last_message_at, t.created_at) < now() - make_interval(mins => ${minutes})`
const minutesOfCompany = `coalesce((c.settings->>'autoCloseTime')::int, 1440)`

const findIdle = {
  name: 'tickets_idle',
  text: `select i."tenantId", i.id, ${minutesOfCompany} as minutes
    from tenants c cross join lateral (
      select t.tenant_id as "tenantId", t.id from tickets t
      where t.tenant_id = c.id and t.id <> all($2::uuid[]) and ${isIdle(minutesOfCompany)}
      order by coalesce(t.last_message_at, t.created_at) limit $1) i
    where c.status = 'active' and (c.settings->>'autoClose')::boolean`,
}
const lockIdle = {
  name: 'ticket_lock_idle',
  text: `select t.id from tickets t where t.tenant_id = $1 and t.id = $2 and ${isIdle('$3')} for no key update skip locked`,
}
