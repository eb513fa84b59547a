import { type Prepared, platformRows } from '../../../db/database.ts'

/**
 * Who asked for it has long seen how it ended: a job goes thirty days after that, its file after seven. The audit keeps
 * who did what.
 */
export const sweepJobs = async () => {
  await platformRows(oldJobs, [])
  await platformRows(oldResults, [])
}

const oldJobs: Prepared = {
  name: 'old_bulk_jobs',
  text: `delete from bulk_jobs where (tenant_id, id) in (
    select tenant_id, id from bulk_jobs where finished_at < now() - interval '30 days' limit 5000)`,
}
/** What a job that did not end well had written goes at once. */
const oldResults: Prepared = {
  name: 'old_job_results',
  text: `with over as (
      select tenant_id, id from bulk_jobs j where state in ('done', 'failed', 'canceled')
        and (not has_result or finished_at < now() - interval '7 days')
        and (result_file_id is not null
          or exists (select from job_parts p where p.tenant_id = j.tenant_id and p.job_id = j.id)) limit 100),
    gone as (delete from job_parts p using over o where p.tenant_id = o.tenant_id and p.job_id = o.id)
    update bulk_jobs j set has_result = false, result_file_id = null from over o where j.tenant_id = o.tenant_id and j.id = o.id`,
}
