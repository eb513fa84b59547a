import { freeTimes, lookUntil } from '@balcao/contract/automation/flows/free-times.ts'
import { type Prepared, platformRows, withTenant } from '../../../db/database.ts'
import type { CalendarRequest, CallRequest, LoanRequest, PictureRequest } from '../../../db/schema/automation/flows.ts'
import { IntegrationError } from '../../../integrations/adapter.ts'
import { http } from '../../../kit/egress.ts'
import { createLimit } from '../../../kit/limit.ts'
import { log } from '../../../kit/log.ts'
import { leased, takeDue } from '../../../kit/queue-sql.ts'
import type { Round } from '../../../kit/workers.ts'
import { commitTicketChange } from '../../conversations/tickets/commit-ticket-changes.ts'
import { lockTicket as lockWholeTicket } from '../../conversations/tickets/ticket-rows.ts'
import { leaveOwnTurn } from '../../conversations/timeline/leave-turn.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { storeFile } from '../../core/media/media.service.ts'
import { portKey, timesKey } from './calls.ts'
import { authorOf } from './effects.ts'
import { flowHooks } from './hooks.ts'
import { lookAtLoan, returnLoan } from './loans.ts'
import { qrPicture } from './qr-picture.ts'
import { isOpen } from './starts.ts'

const batch = 50
/** Longer than the longest call. */
const leaseS = 90
const atOnce = createLimit(16)
const mostBytes = 1_000_000

const dueNow = `state = 'waiting' and due_at <= now()`
export const isFlowCallDue = `select from chat_flow_calls where ${dueNow}`

type Taken = {
  tenantId: number
  id: string
  runId: string
  ticketId: string
  attempts: number
  request: CallRequest | PictureRequest | LoanRequest | CalendarRequest
}

/** Makes the calls that flows asked for; each is taken by one process, and told with the same key however often it is tried. */
export const makeDueCalls = async (): Promise<Round> => {
  const taken = await platformRows<Taken>(take, [batch, leaseS])
  await Promise.all(taken.map((one) => atOnce(() => attempt(one))))
  return { did: taken.length, isMore: taken.length === batch }
}

const attempt = async (call: Taken) => {
  const { tenantId, id, ticketId, attempts, request } = call
  try {
    if ('lends' in request) return await lookAfterLoan(call, request)
    const outcome = await outcomeOf(call, request)
    const isOver = outcome.ok || outcome.isFinal || attempts > request.retries
    await withTenant(tenantId, async (tx) => {
      if (!isOver) {
        await tx.rows(postpone, [tenantId, id, outcome.told, request.retryDelayMs])
        return
      }
      await tx.rows(lockTicket, [tenantId, ticketId])
      await tx.rows(settle, [tenantId, id, outcome.ok ? 'done' : 'failed', JSON.stringify(outcome.vars), outcome.told])
      const [run] = await tx.rows<{ flowId: string }>(running, [tenantId, call.runId])
      if (run) await leaveOwnTurn(tx, ticketId, { owner: 'flow', ownerId: run.flowId })
    })
  } catch (error) {
    // Its lease ends by itself.
    log.error({ err: error, tenantId, ticketId, callId: id }, 'flow call not settled')
  }
}

/** Nobody gave it back: the customer is silent, or the assistant is, or the run it was lent by is over. */
const lookAfterLoan = ({ tenantId, id, runId, ticketId }: Taken, { lends, fromSeq }: LoanRequest) =>
  withTenant(tenantId, async (tx) => {
    await tx.rows(lockTicket, [tenantId, ticketId])
    const [run] = await tx.rows<{ flowId: string }>(running, [tenantId, runId])
    if (!run) {
      await tx.rows(settle, [tenantId, id, 'failed', '{}', 'A conversa já não é do fluxo.'])
      return
    }
    const found = await lookAtLoan(tx, ticketId, lends)
    if ('againS' in found) {
      await tx.rows(postpone, [tenantId, id, null, found.againS * 1_000])
      return
    }
    const loan = { id, runId, flowId: run.flowId, loan: lends, fromSeq }
    const before = await lockWholeTicket(tx, ticketId)
    const author = authorOf(await getDirectory(tenantId), run)
    if (before?.bot) await commitTicketChange(tx, { before, set: { bot: null } }, author)
    const vars = before ? await flowHooks().kept(tx, ticketId, loan) : {}
    await returnLoan(tx, ticketId, loan, { ...found.over, vars })
  })

type Outcome = {
  ok: boolean
  vars: Record<string, string>
  told: string /** Trying again is of no use. */
  isFinal?: boolean
}
const outcomeOf = ({ tenantId, id }: Taken, request: Exclude<Taken['request'], LoanRequest>): Promise<Outcome> => {
  if ('draws' in request) return draw(tenantId, request)
  return 'calendar' in request ? askCalendar(tenantId, id, request) : make(id, request)
}

const askCalendar = async (
  tenantId: number,
  id: string,
  { calendar, at, queueId }: CalendarRequest,
): Promise<Outcome> => {
  const door = flowHooks().calendar
  const { calendarId, minutes, title, description } = calendar
  try {
    if (at) {
      const from = new Date(at)
      const to = new Date(from.getTime() + minutes * 60_000)
      const isBooked = await door.book(tenantId, calendarId, { key: id, from, to, title, description })
      const port = isBooked ? 'next' : 'taken'
      return { ok: true, vars: { [portKey]: port }, told: isBooked ? `Marcado: ${title}` : 'O horário foi ocupado.' }
    }
    const directory = await getDirectory(tenantId)
    const now = new Date()
    const busy = await door.busy(tenantId, calendarId, now, lookUntil({ ...calendar, now }))
    const asked = { ...calendar, now, timezone: directory.timezone, busy }
    const times = freeTimes({ ...asked, isOpen: (moment) => isOpen(directory, queueId, moment) })
    return { ok: true, vars: { [timesKey]: times.join(' ') }, told: `${times.length} horários livres` }
  } catch (error) {
    const told = (error instanceof Error ? error.message : String(error)).slice(0, 300)
    return {
      ok: false,
      vars: { [portKey]: 'failed' },
      told,
      isFinal: error instanceof IntegrationError && !error.isPassing,
    }
  }
}

/** One that was stored and not told of is used by nobody, and swept away. */
const draw = async (tenantId: number, { draws, contactId }: PictureRequest): Promise<Outcome> => {
  try {
    const file = await storeFile({ tenantId, contactId, name: 'pix.png', bytes: qrPicture(draws), isOurs: true })
    return { ok: true, vars: { picture: file.id }, told: 'QR Code' }
  } catch (error) {
    return { ok: false, vars: {}, told: (error instanceof Error ? error.message : String(error)).slice(0, 300) }
  }
}

const make = async (id: string, request: CallRequest): Promise<Outcome> => {
  const { method, url, headers, body, timeoutMs, saves } = request
  try {
    const answer = await http(url, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...Object.fromEntries(
          headers
            .filter(({ name }) => isName.test(name))
            .map(({ name, value }) => [name.toLowerCase(), oneLine(value)]),
        ),
        'idempotency-key': id,
      },
      ...(body && { body }),
      timeoutMs,
      maxBytes: mostBytes,
    })
    const told = `${answer.status} ${answer.bytes.subarray(0, 300).toString()}`.trim().replaceAll('\0', '')
    const ok = answer.status >= 200 && answer.status < 300
    return { ok, vars: ok ? varsOf(jsonOf(answer.bytes), saves) : {}, told }
  } catch (error) {
    return { ok: false, vars: {}, told: (error instanceof Error ? error.message : String(error)).slice(0, 300) }
  }
}
const isName = /^[\w-]{1,100}$/
const oneLine = (value: string) => value.replace(/[\r\n\0]+/g, ' ')

const jsonOf = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
const varsOf = (json: unknown, saves: CallRequest['saves']) =>
  Object.fromEntries(
    saves.flatMap(({ path, name }) => {
      const value = name && path.split('.').reduce<unknown>(stepInto, json)
      if (value === undefined || value === null || value === '') return []
      return [
        [name, (typeof value === 'object' ? JSON.stringify(value) : String(value)).replaceAll('\0', '').toWellFormed()],
      ]
    }),
  )
const stepInto = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined

const take: Prepared = {
  name: 'chat_flow_calls_take',
  text: takeDue({
    table: 'chat_flow_calls',
    key: ['tenant_id', 'id'],
    where: dueNow,
    order: 'due_at',
    set: leased('due_at'),
    returning: 'q.tenant_id as "tenantId", q.id, q.run_id as "runId", q.ticket_id as "ticketId", q.attempts, q.request',
  }),
}
const lockTicket: Prepared = {
  name: 'chat_flow_call_lock_ticket',
  text: 'select from tickets where tenant_id = $1 and id = $2 for no key update',
}
const settle: Prepared = {
  name: 'chat_flow_call_settle',
  text: `update chat_flow_calls set state = $3, vars = $4::jsonb, answer = $5 where tenant_id = $1 and id = $2 and state = 'waiting'`,
}
const postpone: Prepared = {
  name: 'chat_flow_call_postpone',
  text: `update chat_flow_calls set answer = $3, due_at = now() + make_interval(secs => $4 / 1000.0) where tenant_id = $1 and id = $2`,
}
const running: Prepared = {
  name: 'chat_flow_call_run',
  text: `select flow_id as "flowId" from chat_flow_runs where tenant_id = $1 and id = $2 and ended_at is null`,
}
