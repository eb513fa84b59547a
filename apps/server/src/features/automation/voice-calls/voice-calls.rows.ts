import type { VoiceCall, VoiceCallStatus } from '@balcao/contract/automation/voice-calls.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { CallFacts } from '../../../integrations/voice-door.ts'
import { leased, takeDue } from '../../../kit/queue-sql.ts'

export const isDue = 'due_at <= now()'

export type CallRow = {
  id: string
  tenantId: number
  integrationId: string
  ticketId: string | null
  userId: string | null
  direction: VoiceCall['direction']
  name: string
  number: string
  assistantId: string
  phoneNumberId: string
  status: VoiceCallStatus
  problem: string | null
  askedAt: Date | null
  providerId: string | null
  endedReason: string | null
  startedAt: Date | null
  endedAt: Date | null
  summary: string
  transcript: string
  costUsd: number | null
  hasRecording: boolean
  recordingId: string | null
  isWhole: boolean
  attempts: number
  toldAt: Date | null
  createdAt: Date
  version: number
}
export const callColumns = (q: string, transcript = `${q}.transcript`) =>
  `${q}.id, ${q}.tenant_id as "tenantId", ${q}.integration_id as "integrationId", ${q}.ticket_id as "ticketId", ${q}.user_id as "userId",
    ${q}.direction, ${q}.name, ${q}.number, ${q}.assistant_id as "assistantId", ${q}.phone_number_id as "phoneNumberId", ${q}.status,
    ${q}.problem, ${q}.asked_at as "askedAt", ${q}.provider_id as "providerId", ${q}.ended_reason as "endedReason",
    ${q}.started_at as "startedAt", ${q}.ended_at as "endedAt", ${q}.summary, ${transcript} as transcript, ${q}.cost_usd as "costUsd",
    ${q}.has_recording as "hasRecording", ${q}.recording_media_id as "recordingId", ${q}.is_whole as "isWhole", ${q}.attempts,
    ${q}.told_at as "toldAt", ${q}.created_at as "createdAt", ${q}.version`

export type NewCall = Pick<
  CallRow,
  'id' | 'integrationId' | 'ticketId' | 'userId' | 'name' | 'number' | 'assistantId' | 'phoneNumberId'
>
/** False: it was there already. */
export const insertCall = async (tx: Tx, one: NewCall): Promise<boolean> => {
  const { id, integrationId, ticketId, userId, name, number, assistantId, phoneNumberId } = one
  const values = [tx.tenantId, id, integrationId, ticketId, userId, name, number, assistantId, phoneNumberId]
  return (await tx.rows(insert, values)).length > 0
}
export const findCall = async (tx: Tx, id: string): Promise<CallRow | undefined> =>
  (await tx.rows<CallRow>(byId, [tx.tenantId, id]))[0]
export const callsOfTicket = (tx: Tx, ticketId: string) => tx.rows<CallRow>(ofTicket, [tx.tenantId, ticketId])

/**
 * Moves a call forward by what its provider says of it: what was known better stays. Without a row of ours an incoming call
 * gets one. Undefined: nobody here knows it, or there is nothing new.
 */
export const applyFacts = async (tx: Tx, integrationId: string, facts: CallFacts): Promise<CallRow | undefined> => {
  if (facts.isInbound && facts.number)
    await tx.rows(insertInbound, [
      ...[tx.tenantId, facts.providerId, integrationId, cutText(facts.name, 120), facts.number, facts.assistantId],
      facts.phoneNumberId,
    ])
  const [row] = await tx.rows<CallRow>(apply, [
    ...[tx.tenantId, integrationId, facts.providerId, facts.ourId, facts.status, rankOf(facts.status)],
    ...[facts.endedReason?.slice(0, 200) ?? null, facts.startedAt, facts.endedAt, cutText(facts.summary, 20_000)],
    ...[cutText(facts.transcript, 200_000), facts.costUsd, facts.hasRecording, facts.isWhole],
  ])
  return row
}
const ranks = { queued: 0, ringing: 1, talking: 2, ended: 3 } as const
const rankOf = (status: CallFacts['status']) => ranks[status]

/** The provider is about to be asked: from here on it may ring. False: somebody else has. */
export const markAsked = async (tx: Tx, id: string) => (await tx.rows(asked, [tx.tenantId, id])).length > 0
/** It surely did not ring, and is asked for again. */
export const askLater = (tx: Tx, id: string, inS: number) => tx.rows(unasked, [tx.tenantId, id, inS])
export const lookLater = (tx: Tx, id: string, inS: number) => tx.rows(later, [tx.tenantId, id, inS])
/** It comes to nothing more: why, in Portuguese. Undefined: meanwhile its provider has spoken of it, or it is told. */
export const giveUpCall = async (
  tx: Tx,
  { id, providerId }: Pick<CallRow, 'id' | 'providerId'>,
  status: 'failed' | 'uncertain',
  problem: string,
): Promise<CallRow | undefined> =>
  (await tx.rows<CallRow>(gaveUp, [tx.tenantId, id, status, problem.slice(0, 500), providerId]))[0]
/** Its result goes into the conversation now; undefined: it has. */
export const takeTelling = async (
  tx: Tx,
  id: string,
  { recordingId, ticketId }: { recordingId: string | null; ticketId: string | null },
): Promise<CallRow | undefined> => (await tx.rows<CallRow>(telling, [tx.tenantId, id, recordingId, ticketId]))[0]

export const takeDueCalls: Prepared = {
  name: 'voice_calls_take',
  text: takeDue({
    table: 'voice_calls',
    key: ['tenant_id', 'id'],
    where: isDue,
    order: 'due_at',
    set: leased('due_at'),
    returning: callColumns('q'),
  }),
}
/** Whose account a call of its provider is for. */
export const accountById: Prepared = {
  name: 'voice_account_by_id',
  text: `select tenant_id as "tenantId" from integrations where id = $1 and kind = 'vapi'`,
}
/** The newest conversation with whoever has this phone. */
export const ticketOfPhone: Prepared = {
  name: 'voice_ticket_of_phone',
  text: `select t.id from contact_identities i join tickets t on t.tenant_id = i.tenant_id and t.contact_id = i.contact_id
    where i.tenant_id = $1 and i.kind = 'phone' and i.value = $2 and not t.is_group
    order by (t.status <> 'closed') desc, t.updated_at desc limit 1`,
}

const insert: Prepared = {
  name: 'voice_call_insert',
  text: `insert into voice_calls (tenant_id, id, integration_id, ticket_id, user_id, name, number, assistant_id, phone_number_id)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (tenant_id, id) do nothing returning id`,
}
const insertInbound: Prepared = {
  name: 'voice_call_insert_inbound',
  text: `insert into voice_calls (tenant_id, id, integration_id, provider_id, name, number, assistant_id, phone_number_id, direction, asked_at)
    values ($1, gen_random_uuid(), $3, $2, $4, $5, $6, $7, 'inbound', now())
    on conflict (tenant_id, integration_id, provider_id) where provider_id is not null do nothing`,
}
const byId: Prepared = {
  name: 'voice_call_by_id',
  text: `select ${callColumns('q')} from voice_calls q where q.tenant_id = $1 and q.id = $2`,
}
const ofTicket: Prepared = {
  name: 'voice_calls_of_ticket',
  text: `select ${callColumns('q')} from voice_calls q where q.tenant_id = $1 and q.ticket_id = $2 order by q.created_at desc, q.id desc limit 50`,
}
const rank = `case q.status when 'queued' then 0 when 'ringing' then 1 when 'talking' then 2 else 3 end`
const apply: Prepared = {
  name: 'voice_call_apply',
  // A call we believed lost may speak after all; one whose result is told changes no more.
  text: `update voice_calls q set provider_id = coalesce(q.provider_id, $3), asked_at = coalesce(q.asked_at, now()),
      status = case when q.status in ('failed', 'uncertain') then $5 when ${rank} < $6::int then $5 else q.status end,
      problem = null, ended_reason = coalesce($7, q.ended_reason), started_at = coalesce($8::timestamptz, q.started_at),
      ended_at = coalesce($9::timestamptz, q.ended_at), summary = coalesce(nullif($10, ''), q.summary),
      transcript = coalesce(nullif($11, ''), q.transcript), cost_usd = coalesce($12::float8, q.cost_usd),
      has_recording = q.has_recording or $13::boolean, is_whole = q.is_whole or ($14::boolean and $6::int = 3),
      due_at = case when $14::boolean and $6::int = 3 and not q.is_whole then now()
        when q.due_at is null and q.status in ('failed', 'uncertain') then now() else q.due_at end,
      attempts = case when q.provider_id is null or $14::boolean and $6::int = 3 and not q.is_whole then 0 else q.attempts end, version = q.version + 1
    where q.tenant_id = $1 and q.integration_id = $2 and q.told_at is null
      and (q.provider_id = $3 or q.provider_id is null and q.id::text = $4)
      and (q.provider_id is null or ${rank} < $6::int or q.status in ('failed', 'uncertain') or $6::int = 3 and not q.is_whole)
    returning ${callColumns('q')}`,
}
const asked: Prepared = {
  name: 'voice_call_asked',
  text: `update voice_calls set asked_at = now() where tenant_id = $1 and id = $2 and asked_at is null returning id`,
}
const unasked: Prepared = {
  name: 'voice_call_unasked',
  text: `update voice_calls set asked_at = null, due_at = now() + make_interval(secs => $3)
    where tenant_id = $1 and id = $2 and provider_id is null`,
}
const later: Prepared = {
  name: 'voice_call_later',
  text: `update voice_calls set due_at = now() + make_interval(secs => $3)
    where tenant_id = $1 and id = $2 and told_at is null and due_at is not null and (due_at > now() or not is_whole)`,
}
const gaveUp: Prepared = {
  name: 'voice_call_give_up',
  text: `update voice_calls q set status = $3, problem = $4, due_at = null, version = q.version + 1
    where q.tenant_id = $1 and q.id = $2 and q.told_at is null and q.due_at is not null and q.provider_id is not distinct from $5
    returning ${callColumns('q')}`,
}
const telling: Prepared = {
  name: 'voice_call_telling',
  text: `update voice_calls q set told_at = now(), due_at = null, recording_media_id = $3, ticket_id = $4, status = 'ended', version = q.version + 1
    where q.tenant_id = $1 and q.id = $2 and q.told_at is null returning ${callColumns('q')}`,
}
