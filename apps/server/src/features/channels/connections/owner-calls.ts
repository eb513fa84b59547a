import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import { v7 } from 'uuid'
import { z } from 'zod'
import { type ChannelAdapter, ChannelError, type RemoteCall } from '../../../channels/adapter.ts'
import { type Prepared, platformRows, withTenant } from '../../../db/database.ts'
import { log } from '../../../kit/log.ts'
import { announce, onSignal } from '../../../kit/signals/signals.ts'
import type { Round } from '../../../kit/workers.ts'

type Place = { tenantId: number; connectionId: string }
export type Live = { call: (name: RemoteCall, target: unknown) => Promise<unknown> }

const deadlineMs = 15_000
const takenAtOnce = 50
/** The answer is announced; this is for when that was lost. */
const lookEveryMs = 500

/** Sessions that live in this process. */
const live = new Map<string, Live>()
export const setLive = (connectionId: string, session: Live | undefined) => {
  if (session) live.set(connectionId, session)
  else live.delete(connectionId)
}

/** The adapter as everybody sees it: what only the owner of the session can do reaches the owner, wherever it is. */
export const throughOwner = <K extends ChannelKind>(adapter: ChannelAdapter<K>, place: Place): ChannelAdapter<K> => {
  const remote = adapter.session?.remote ?? []
  const calls = remote.map((name) => [name, (target: unknown) => callOwner(place, name, target)] as const)
  return { ...adapter, ...(Object.fromEntries(calls) as Partial<ChannelAdapter<K>>) } // each by the name it is declared under
}

const callOwner = async (place: Place, name: RemoteCall, target: unknown): Promise<unknown> => {
  const here = live.get(place.connectionId)
  if (here) return here.call(name, target)
  // A message waits in its queue for the owner; it never travels as a call.
  if (name === 'send') throw new ChannelError('retry', 'O canal está se conectando.')
  return ask(place, name, target)
}

/** A row with a deadline; whoever has the session answers it. */
const ask = async ({ tenantId, connectionId }: Place, name: RemoteCall, target: unknown): Promise<unknown> => {
  const id = v7()
  const until = Date.now() + deadlineMs
  await withTenant(tenantId, (tx) =>
    tx.rows(insert, [tenantId, id, connectionId, name, JSON.stringify(target ?? null), new Date(until)]),
  )
  announce('session.asked')
  while (Date.now() < until) {
    await answered(id, lookEveryMs)
    const [row] = await withTenant(tenantId, (tx) => tx.rows<{ state: string; answer: unknown }>(read, [tenantId, id]))
    if (row?.state === 'done') return row.answer ?? undefined
    if (row?.state === 'failed') throw readProblem(row.answer)
  }
  await withTenant(tenantId, (tx) => tx.rows(giveUp, [tenantId, id]))
  throw new ChannelError('retry', 'O canal não está conectado agora.')
}
/** Resolves when the answer to this call is announced, or after `withinMs`. */
const answered = (id: string, withinMs: number) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      end()
      resolve()
    }
    const timer = setTimeout(done, withinMs)
    const end = onSignal('session.answered', (told) => told.id === id && done())
  })

const insert: Prepared = {
  name: 'session_call_insert',
  text: `insert into session_calls (tenant_id, id, connection_id, name, target, deadline_at) values ($1, $2, $3, $4, $5::jsonb, $6)`,
}
const read: Prepared = {
  name: 'session_call_read',
  text: 'select state, answer from session_calls where tenant_id = $1 and id = $2',
}
const giveUp: Prepared = {
  name: 'session_call_give_up',
  text: `delete from session_calls where tenant_id = $1 and id = $2 and state = 'waiting'`,
}

type Asked = Place & { id: string; name: RemoteCall; target: unknown }
/** Answers what was asked of the sessions this process has. */
export const isCallWaiting = `select from session_calls where state = 'waiting' and deadline_at > now()`
export const answerCalls = async (): Promise<Round> => {
  if (!live.size) return { did: 0 }
  const asked = await platformRows<Asked>(take, [[...live.keys()]])
  await Promise.all(asked.map(answer))
  return { did: asked.length, isMore: asked.length === takenAtOnce }
}
const take: Prepared = {
  name: 'session_call_take',
  text: `with d as (
      select tenant_id, id from session_calls where state = 'waiting' and deadline_at > now() and connection_id = any($1::uuid[])
      order by created_at limit ${takenAtOnce} for update skip locked)
    update session_calls c set state = 'taken' from d
    where c.tenant_id = d.tenant_id and c.id = d.id
    returning c.tenant_id as "tenantId", c.id, c.connection_id as "connectionId", c.name, c.target`,
}

const answer = async ({ tenantId, id, connectionId, name, target }: Asked) => {
  const settle = async (state: 'done' | 'failed', value: unknown) => {
    await withTenant(tenantId, (tx) => tx.rows(settled, [tenantId, id, state, JSON.stringify(value ?? null)]))
    announce('session.answered', { id })
  }
  try {
    const session = live.get(connectionId)
    if (!session) throw new ChannelError('retry', 'O canal não está conectado agora.')
    await settle('done', await session.call(name, target))
  } catch (error) {
    if (!(error instanceof ChannelError))
      log.error({ err: error, tenantId, connectionId, call: name }, 'session call failed')
    await settle('failed', writeProblem(error)).catch((failure) =>
      log.error({ err: failure }, 'session call not answered'),
    )
  }
}
const settled: Prepared = {
  name: 'session_call_settle',
  text: `update session_calls set state = $3, answer = $4::jsonb where tenant_id = $1 and id = $2`,
}

const problem = z.object({
  outcome: z.enum(['retry', 'final', 'uncertain']),
  text: z.string(),
  retryAfterMs: z.number().optional(),
  isUnreachable: z.boolean(),
  isConnectionBroken: z.boolean(),
})
const writeProblem = (error: unknown): z.input<typeof problem> =>
  error instanceof ChannelError
    ? {
        outcome: error.outcome,
        text: error.message,
        retryAfterMs: error.retryAfterMs,
        isUnreachable: error.isUnreachable,
        isConnectionBroken: error.isConnectionBroken,
      }
    : { outcome: 'final', text: 'O canal não conseguiu fazer isto.', isUnreachable: false, isConnectionBroken: false }
const readProblem = (stored: unknown): ChannelError => {
  const { outcome, text, ...more } = problem.parse(stored)
  return new ChannelError(outcome, text, more)
}
