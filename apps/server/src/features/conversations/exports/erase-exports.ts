import type { Prepared, Tx } from '../../../db/database.ts'
import { type Erased, patternOf } from '../../contacts/contacts/erase.ts'

/**
 * Files that conversations of somebody became, and whose they were; lists made whole since they came, which nobody can look
 * through, and those written in parts that name them. Whoever needs one asks for it again.
 */
export const eraseExports = async (tx: Tx, erased: Erased) => {
  const { contactIds, names } = erased
  const pattern = patternOf(erased)
  await tx.rows(erase, [tx.tenantId, contactIds, pattern ?? null])
  await tx.rows(refusals, [tx.tenantId, names, pattern ?? null])
}
const erase: Prepared = {
  name: 'export_erase',
  text: `with theirs as (
      select id, kind = 'exportConversation' and params ->> 'ticketId' in (
        select id::text from tickets where tenant_id = $1 and contact_id = any($2::uuid[])) as is_about
      from bulk_jobs where tenant_id = $1 and kind like 'export%'),
    gone as (select t.id, t.is_about from theirs t join bulk_jobs j on j.tenant_id = $1 and j.id = t.id
      where t.is_about or (kind <> 'exportConversation' and result_file_id is not null
          and finished_at >= (select min(created_at) from contacts where tenant_id = $1 and id = any($2::uuid[])))
        -- What is still being written would come out without its beginning.
        or (finished_at is not null and exists (select from job_parts p where p.tenant_id = $1 and p.job_id = t.id and p.body ~* $3))),
    parts as (delete from job_parts p using gone where p.tenant_id = $1 and p.job_id = gone.id)
    update bulk_jobs j set subject = case when gone.is_about then null else subject end, has_result = false, result_file_id = null
    from gone where j.tenant_id = $1 and j.id = gone.id`,
}
/** What a job could not do to them. */
const refusals: Prepared = {
  name: 'export_erase_refusals',
  text: `delete from job_refusals where tenant_id = $1 and (item = any($2::text[]) or item ~* $3)`,
}
