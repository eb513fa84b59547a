import { type Prepared, platformRows } from '../../../db/database.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import { announce } from '../../../kit/signals/signals.ts'
import type { Round } from '../../../kit/workers.ts'
import { kindOf, makingKinds } from './job-kinds.ts'
import { lostAfterS, makeFile } from './make-file.ts'
import { runStep } from './run-step.ts'

/** Jobs that get a step in one round: a long one never keeps a short one waiting. */
const atOnce = 4

/** A job was asked for: do not wait for the next look. */
export const wakeJobs = () => announce('jobs.wanted')

type Todo = { tenantId: number; id: string; kind: string }
/** Files that one process makes at the same time. */
const filesAtOnce = 2

/** One step of each of the jobs that have waited longest, and files beside them; many processes may do so. */
export const createJobs = () => {
  /** Who failed, and until when it is left alone: a broken job must not spin. */
  const resting = new Map<string, number>()
  const making = new Map<string, Promise<unknown>>()
  const ending = new AbortController()

  const run = async (again = () => {}): Promise<Round> => {
    if (ending.signal.aborted) return { did: 0 }
    const now = Date.now()
    for (const [id, until] of resting) if (until < now) resting.delete(id)
    const held = [...resting.keys(), ...making.keys()]
    const free = filesAtOnce - making.size
    const todo = await platformRows<Todo>(findTodo, [atOnce, held, makingKinds(), free > 0, lostAfterS])
    const steps = todo.map((one) => {
      const kind = kindOf(one.kind)
      if (!kind.make) return attempt(one, () => runStep(one.tenantId, one.id))
      if (making.size >= filesAtOnce) return false
      // A file takes minutes: nobody waits for it here.
      const made = attempt(one, () => makeFile(one.tenantId, one.id, kind, ending.signal)).finally(() => {
        making.delete(one.id)
        again()
      })
      making.set(one.id, made)
      return false
    })
    const did = (await Promise.all(steps)).filter(Boolean).length
    return { did, isMore: did > 0 }
  }
  const attempt = async ({ tenantId, id }: Todo, work: () => Promise<boolean>): Promise<boolean> => {
    try {
      return await work()
    } catch (error) {
      log.error({ err: error, tenantId, jobId: id }, 'job step failed')
      resting.set(id, Date.now() + 10_000)
      return false
    }
  }
  const finish = async () => {
    ending.abort(new AppError('ERR_UNAVAILABLE'))
    await Promise.all(making.values())
  }
  return { run, finish }
}

export const isJobWaiting = `select from bulk_jobs where state in ('pending', 'running')`
const findTodo: Prepared = {
  name: 'bulk_jobs_todo',
  text: `select tenant_id as "tenantId", id, kind from bulk_jobs where state in ('pending', 'running') and id <> all($2::uuid[])
      and (kind <> all($3::text[]) or ($4 and (state = 'pending' or claimed_at < now() - make_interval(secs => $5))))
    order by coalesce(claimed_at, created_at) limit $1`,
}
