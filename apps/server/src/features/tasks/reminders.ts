import { platformRows } from '../../db/database.ts'
import { repeat } from '../../kit/repeat.ts'

const everyMs = 15_000

/**
 * Tells the owner of every task whose limit time has passed, once: the mark and the event are one statement, so that
 * neither two processes nor a crash between them tell twice or never. The relay's poll carries the events out.
 */
export const remindDueTasks = async (): Promise<void> => {
  let told = batch
  while (told === batch) told = (await platformRows(remind, [])).length
}

/** The worker's reminder loop. */
export const startTaskReminders = () => repeat('task reminders', everyMs, remindDueTasks)

const batch = 500
const remind = {
  name: 'task_reminders',
  text: `with due as (
      select tenant_id, id from tasks where limit_date <= now() and reminded_at is null and status <> 'done'
      limit ${batch} for update skip locked),
    told as (
      update tasks k set reminded_at = now() from due where k.tenant_id = due.tenant_id and k.id = due.id
      returning k.tenant_id, k.id, k.name, k.limit_date, k.owner_id)
    insert into outbox (tenant_id, name, payload, audience)
    select tenant_id, 'task.due',
      jsonb_build_object('id', id, 'name', name, 'ownerId', owner_id,
        'limitDate', to_char(limit_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
      jsonb_build_object('kind', 'user', 'userId', owner_id)
    from told returning seq`,
}
