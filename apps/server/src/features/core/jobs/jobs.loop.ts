import { type Prepared, platformRows } from '../../../db/database.ts'
import { log } from '../../../kit/log.ts'
import { announce } from '../../../kit/signals/signals.ts'
import type { Round } from '../../../kit/workers.ts'
import { runStep } from './run-step.ts'

/** Jobs that get a step in one round: a long one never keeps a short one waiting. */
const atOnce = 4

/** A job was asked for: do not wait for the next look. */
export const wakeJobs = () => announce('jobs.wanted')

type Todo = { tenantId: number; id: string }
/** Who failed, and until when it is left alone: a broken job must not spin. */
const resting = new Map<string, number>()

/** One step of each of the jobs that have waited longest; many processes may do so. */
export const runJobs = async (): Promise<Round> => {
  const now = Date.now()
  for (const [id, until] of resting) if (until < now) resting.delete(id)
  const todo = await platformRows<Todo>(findTodo, [atOnce, [...resting.keys()]])
  const steps = await Promise.all(todo.map(attempt))
  const did = steps.filter(Boolean).length
  return { did, isMore: did > 0 }
}

const attempt = async ({ tenantId, id }: Todo): Promise<boolean> => {
  try {
    return await runStep(tenantId, id)
  } catch (error) {
    log.error({ err: error, tenantId, jobId: id }, 'job step failed')
    resting.set(id, Date.now() + 10_000)
    return false
  }
}

export const isJobWaiting = `select from bulk_jobs where state in ('pending', 'running')`
const findTodo: Prepared = {
  name: 'bulk_jobs_todo',
  text: `select tenant_id as "tenantId", id from bulk_jobs where state in ('pending', 'running') and id <> all($2::uuid[])
    order by coalesce(claimed_at, created_at) limit $1`,
}
