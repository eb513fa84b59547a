import { type Prepared, platformRows } from '../../../db/database.ts'

/** Calls whose process died: what they may have cost stays counted. Results are forgotten after their hour. */
export const sweepCalls = async () => {
  await platformRows(lose, [])
  await platformRows(forget, [])
}

const lose: Prepared = {
  name: 'ai_calls_lose',
  text: `update ai_usage set state = 'lost', ended_at = now() where (tenant_id, id) in (
    select tenant_id, id from ai_usage where state = 'open' and created_at < now() - interval '15 minutes' limit 500 for update skip locked)`,
}
const forget: Prepared = {
  name: 'ai_results_forget',
  text: `update ai_usage set result = null where (tenant_id, id) in (
    select tenant_id, id from ai_usage where result is not null and ended_at < now() - interval '1 hour' limit 2000)`,
}
