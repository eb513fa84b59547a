import { platformRows } from '../../../db/database.ts'
import { createLimit } from '../../../kit/limit.ts'
import { log } from '../../../kit/log.ts'
import type { Round } from '../../../kit/workers.ts'
import { type Due, writeDue } from './write-due.ts'

const batch = 200
/** Transactions at one time: people's requests need the database too. */
const inTurn = createLimit(4)

/** What is due is written to its conversation. Two processes may look at the same rows: each row has one writer. */
export const writeAllDue = async (): Promise<Round> => {
  const due = await platformRows<Due>(findDue, [batch])
  const done = await Promise.all(due.map((one) => inTurn(() => attempt(one))))
  const did = done.filter(Boolean).length
  return { did, isMore: due.length === batch && did > 0 }
}

/** A slip of ours must not hold up the others nor lose the message: it is tried again, ever less often. */
const attempt = async (due: Due): Promise<boolean> => {
  try {
    return await writeDue(due)
  } catch (error) {
    log.error({ err: error, tenantId: due.tenantId, scheduleId: due.id }, 'scheduled message not written')
    await platformRows(postpone, [due.tenantId, due.id])
    return true
  }
}

export const isScheduleDue = `select from schedules where state = 'pending' and attempt_at <= now()`
const findDue = {
  name: 'schedules_due',
  text: `select s.tenant_id as "tenantId", s.id, s.connection_id as "connectionId" from schedules s
    join tenants t on t.id = s.tenant_id and t.status = 'active'
    where s.state = 'pending' and s.attempt_at <= now() order by s.attempt_at limit $1`,
}
const postpone = {
  name: 'schedule_postpone',
  text: `update schedules set attempts = attempts + 1, attempt_at = now() + make_interval(secs => least(300, 2 ^ least(attempts, 9)))
    where tenant_id = $1 and id = $2 and state = 'pending'`,
}
