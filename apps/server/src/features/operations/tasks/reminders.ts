import { platformRows } from '../../../db/database.ts'
import type { Round } from '../../../kit/workers.ts'

/**
 * Tells of every task whose limit comes soon, as its owner asked, and of every one whose limit has passed, each once: the
 * mark and the event are one statement, so that neither two processes nor a crash between them tell twice or never. The
 * relay's poll carries the events out.
 */
export const remindDueTasks = async (): Promise<Round> => {
  let did = 0
  for (const statement of [remindSoon, remind]) {
    let told = batch
    while (told === batch) {
      told = (await platformRows(statement, [])).length
      did += told
    }
  }
  return { did }
}

const batch = 500
const tell = (isSoon: boolean) => `insert into outbox (tenant_id, name, payload, audience)
    select k.tenant_id, 'task.due',
      jsonb_build_object('id', k.id, 'name', k.name, 'ownerId', k.owner_id, 'ownerName', o.name, 'userId', k.user_id,
        'isSoon', ${isSoon},
        'limitDate', to_char(k.limit_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
      jsonb_build_object('kind', 'users', 'userIds', ${isSoon ? 'jsonb_build_array(k.owner_id)' : 'case when k.owner_id = k.user_id then jsonb_build_array(k.owner_id) else jsonb_build_array(k.owner_id, k.user_id) end'})
    from told k join users o on o.tenant_id = k.tenant_id and o.id = k.owner_id returning seq`
const told = 'returning k.tenant_id, k.id, k.name, k.limit_date, k.owner_id, k.user_id'
const remindSoon = {
  name: 'task_reminders_soon',
  text: `with soon as (
      select tenant_id, id from tasks where remind_at <= now() and remind_at is not null and status <> 'done'
      limit ${batch} for update skip locked),
    told as (update tasks k set remind_at = null from soon where k.tenant_id = soon.tenant_id and k.id = soon.id ${told})
    ${tell(true)}`,
}
const remind = {
  name: 'task_reminders',
  text: `with due as (
      select tenant_id, id from tasks where limit_date <= now() and reminded_at is null and status <> 'done'
      limit ${batch} for update skip locked),
    told as (
      update tasks k set reminded_at = now(), remind_at = null from due
      where k.tenant_id = due.tenant_id and k.id = due.id ${told})
    ${tell(false)}`,
}
