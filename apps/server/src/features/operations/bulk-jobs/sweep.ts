import { type Prepared, platformRows } from '../../../db/database.ts'

/** Who asked for it has long seen how it ended: a job goes thirty days after that. The audit keeps who did what. */
export const sweepJobs = () => platformRows(statement, [])

const statement: Prepared = {
  name: 'old_bulk_jobs',
  text: `delete from bulk_jobs where (tenant_id, id) in (
    select tenant_id, id from bulk_jobs where finished_at < now() - interval '30 days' limit 5000)`,
}
