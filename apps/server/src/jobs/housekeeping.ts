import { runsKeptDays } from '@balcao/contract/automation/flows/flows.ts'
import { choicesKeptDays } from '@balcao/contract/service/auto-replies.ts'
import { type Prepared, platformRows } from '../db/database.ts'
import { sweepCalls } from '../features/automation/models/sweep.ts'
import { sweepImports } from '../features/contacts/imports/sweep.ts'
import { sweepJobs } from '../features/core/jobs/sweep.ts'
import { sweepBytes, sweepFiles } from '../features/core/media/sweep.ts'

/** What has served its time, in small bites so that nobody waits behind it. */
const chores: Prepared[] = [
  { name: 'old_attempts', text: `delete from attempts where window_ends_at < now() - interval '1 day'` },
  { name: 'old_one_time_tokens', text: `delete from one_time_tokens where expires_at < now() - interval '7 days'` },
  {
    name: 'old_refresh_tokens',
    text: `delete from refresh_tokens where (tenant_id, id) in (
      select tenant_id, id from refresh_tokens where expires_at < now() or revoked_at < now() - interval '7 days' limit 5000)`,
  },
  { name: 'old_reset_tokens', text: `delete from reset_tokens where expires_at < now() - interval '7 days'` },
  {
    name: 'old_webchat_sessions',
    text: `delete from webchat_sessions where (tenant_id, id) in (
      select tenant_id, id from webchat_sessions where expires_at < now() or revoked_at < now() - interval '7 days' limit 5000)`,
  },
  { name: 'old_session_calls', text: `delete from session_calls where deadline_at < now() - interval '1 hour'` },
  { name: 'old_early_statuses', text: `delete from early_statuses where created_at < now() - interval '7 days'` },
  {
    name: 'old_push_consumers',
    text: `delete from consumers c where kind = 'push' and not exists (select from refresh_tokens r where r.tenant_id = c.tenant_id
      and r.family_id = (c.target ->> 'sessionId')::uuid and r.revoked_at is null and r.rotated_at is null and r.expires_at > now())`,
  },
  {
    name: 'old_deliveries',
    text: `delete from deliveries where (tenant_id, seq) in (
      select d.tenant_id, d.seq from consumers c cross join lateral (
        select tenant_id, seq, created_at from deliveries where tenant_id = c.tenant_id and consumer_id = c.id
        order by seq limit 2000) d
      where d.created_at < now() - interval '7 days')`,
  },
  {
    name: 'old_auto_reply_choices',
    text: `delete from auto_reply_choices where (tenant_id, id) in (
      select h.tenant_id, h.id from tenants x cross join lateral (select tenant_id, id from auto_reply_choices
        where tenant_id = x.id and created_at < now() - interval '${choicesKeptDays} days' limit 1000) h)`,
  },
  {
    name: 'old_chat_flow_runs',
    text: `delete from chat_flow_runs where (tenant_id, id) in (
      select r.tenant_id, r.id from tenants x cross join lateral (select tenant_id, id from chat_flow_runs
        where tenant_id = x.id and ended_at < now() - interval '${runsKeptDays} days' limit 1000) r)`,
  },
  { name: 'old_node_samples', text: `delete from node_samples where at < now() - interval '7 days'` },
  {
    name: 'old_assistant_runs',
    text: `delete from assistant_runs where (tenant_id, id) in (
      select r.tenant_id, r.id from tenants x cross join lateral (select tenant_id, id from assistant_runs
        where tenant_id = x.id and ended_at < now() - interval '${runsKeptDays} days' limit 1000) r)`,
  },
  {
    name: 'old_message_streams',
    text: `delete from message_streams where due_at is null and created_at < now() - interval '1 day'`,
  },
  {
    name: 'unfinished_evaluations',
    text: `delete from assistant_evaluations where total = 0 and created_at < now() - interval '1 day'`,
  },
  { name: 'old_mails', text: `delete from mails where created_at < now() - interval '60 days'` },
  {
    name: 'old_notifications',
    text: `delete from notifications where (tenant_id, id) in (
      select n.tenant_id, n.id from tenants x cross join lateral (
        select tenant_id, id from notifications where tenant_id = x.id and at < now() - interval '60 days' limit 1000) n)`,
  },
]

const hourMs = 60 * 60_000
/** Every stored file is looked at: once a day, and not while a process starts. */
let bytesDueAt = Date.now() + hourMs

/** Sweeps expired rows away; many processes may do so at once. */
export const tidyUp = async () => {
  for (const chore of chores) await platformRows(chore, [])
  await sweepFiles()
  await sweepJobs()
  await sweepImports()
  await sweepCalls()
  if (Date.now() > bytesDueAt) {
    bytesDueAt = Date.now() + 24 * hourMs
    await sweepBytes()
  }
  return undefined
}
