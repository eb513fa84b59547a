import type { RunOutcome } from '@balcao/contract/automation/assistants/assistants.ts'
import {
  type AssistantConfig,
  assistantConfig,
  type HandOverReason,
} from '@balcao/contract/automation/assistants/config.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { v7 } from 'uuid'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { Ask } from '../../../db/one-trip.ts'
import type { PendingTool } from '../../../db/schema/automation/assistants.ts'
import { type MessageStream, messageStreamAsk } from '../../conversations/messages/message-streams.ts'
import { type Conversation, conversationsAsk } from '../../conversations/messages/system-messages.ts'
import type { Made } from './make-answer.ts'

export type Session = {
  assistantId: string | null
  fromSeq: number
  heardSeq: number
  turns: number
  botSession: string | null
  vars: Record<string, string>
  pending: PendingTool | null
}
/** What is remembered of a conversation; it begins with it. */
export const openSession = async (tx: Tx, ticketId: string): Promise<Session> => {
  const [known] = await tx.rows<Session>(readSession, [tx.tenantId, ticketId])
  if (known) return known
  await tx.rows(insertSession, [tx.tenantId, ticketId])
  return { assistantId: null, fromSeq: 0, heardSeq: 0, turns: 0, botSession: null, vars: {}, pending: null }
}
export const saveSession = (tx: Tx, ticketId: string, { pending, vars, ...session }: Session): void =>
  tx.late(updateSession, [
    ...[tx.tenantId, ticketId, session.assistantId, session.fromSeq, session.heardSeq, session.turns],
    ...[session.botSession, JSON.stringify(vars), pending && JSON.stringify(pending)],
  ])

/** What is given once the conversation is held. */
export type Plan = Pick<Made, 'text' | 'summary' | 'effects' | 'pending' | 'isRestarted' | 'gap'> & {
  /** The same words as a voice note: its file. */
  voice?: string
  bot?: {
    session: string | null
    vars: Record<string, string>
    parts: unknown[]
    /** When each leaves, in milliseconds from when all of it is given. */
    afterMs?: number[]
    queueId: string | null
    done: boolean
  }
}
export type ActiveRun = {
  id: string
  assistantId: string
  versionId: string
  state: 'thinking' | 'ready'
  isLeased: boolean
  heardSeq: number
  handOver: HandOverReason | null
  plan: Plan | null
  problem: string | null
}
export const findActiveRun = async (tx: Tx, ticketId: string): Promise<ActiveRun | undefined> =>
  (await tx.rows<ActiveRun>(activeRun, [tx.tenantId, ticketId]))[0]

type NewRun = { ticketId: string; assistantId: string; versionId: string; heardSeq: number; asked: string }
export const insertRun = (tx: Tx, run: NewRun, leaseS: number): string => {
  const id = v7()
  tx.late(insert, [
    ...[tx.tenantId, id, run.ticketId, run.assistantId, run.versionId, run.heardSeq, cutText(run.asked, 8_000), leaseS],
  ])
  return id
}
/** What a turn of these conversations begins with, in the trip that locks them: the conversations, runs in hand, sessions. */
export const openingAsks = (tenantId: number, ticketIds: readonly string[]): Ask[] => [
  conversationsAsk(tenantId, ticketIds),
  [activeRuns, [tenantId, ticketIds]],
  [sessions, [tenantId, ticketIds]],
]
export type Opening = { conversation?: Conversation; run?: ActiveRun; session?: Session }
/** What was answered of one of them. */
export const openingOf = ([conversations = [], runs = [], known = []]: object[][], ticketId: string): Opening => ({
  conversation: (conversations as Conversation[]).find(({ id }) => id === ticketId),
  run: (runs as (ActiveRun & { ticketId: string })[]).find((one) => one.ticketId === ticketId),
  session: (known as (Session & { ticketId: string })[]).find((one) => one.ticketId === ticketId),
})

/** What was thought: ready to be given, unless somebody has overtaken the run meanwhile. */
export const keepMade = (
  tx: Tx,
  run: { id: string; ticketId: string },
  { plan, made, problem }: { plan: Plan; made: Made; problem: string | null },
) => {
  tx.late(keep, [
    ...[tx.tenantId, run.id, JSON.stringify(plan), made.text, made.handOver, JSON.stringify(made.passages)],
    ...[JSON.stringify(made.steps), made.integrationId, made.costMicros, made.ms, problem],
  ])
}
/** Off where somebody has overtaken it. */
export const isThinking = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.rows(thinking, [tx.tenantId, id])).length > 0
/** Over: `outcome` says how. */
export const endRun = (
  tx: Tx,
  id: string,
  outcome: RunOutcome,
  told: { problem?: string | null; handOver?: HandOverReason | null } = {},
): void => tx.late(end, [tx.tenantId, id, outcome, told.problem ?? null, told.handOver ?? null])

export type VersionRow = { id: string; config: AssistantConfig }
export const findVersionOf = async (tx: Tx, assistantId: string): Promise<VersionRow | undefined> => {
  const [row] = await tx.rows<{ id: string; config: unknown }>(version, [tx.tenantId, assistantId])
  return row && { id: row.id, config: assistantConfig.parse(row.config) }
}

/** All a thought begins with, in one trip. `kind`: of the account that answers first. */
export const readForThought = async (
  tx: Tx,
  { ticketId, assistantId, fromSeq, heardSeq, transcribes }: Asked,
): Promise<Thought | undefined> => {
  const [[found] = [], lines = [], coming = [], [stream] = []] = await tx.trip(
    [version, [tx.tenantId, assistantId]],
    [talk, [tx.tenantId, ticketId, fromSeq]],
    [stillComing, [tx.tenantId, ticketId, heardSeq, transcribes]],
    messageStreamAsk(tx.tenantId, ticketId),
  )
  if (!found) return undefined
  const { id, config, kind } = found as { id: string; config: unknown; kind: string | null }
  return {
    version: { id, config: assistantConfig.parse(config) },
    kind,
    talk: (lines as TalkRow[]).reverse(),
    coming: comingOf(coming),
    stream: stream as MessageStream | undefined,
  }
}
type Asked = { ticketId: string; assistantId: string; fromSeq: number; heardSeq: number; transcribes: boolean }
type Thought = {
  version: VersionRow
  kind: string | null
  talk: TalkRow[]
  coming: Coming
  stream: MessageStream | undefined
}
/** All that giving a run needs besides the conversation, in one trip: words of the customer it has not heard among it. */
export const readForGiving = async (tx: Tx, ticketId: string, run: Pick<ActiveRun, 'versionId' | 'heardSeq'>) => {
  const [[found] = [], later = [], [stream] = []] = await tx.trip(
    [versionById, [tx.tenantId, run.versionId]],
    [talk, [tx.tenantId, ticketId, run.heardSeq]],
    messageStreamAsk(tx.tenantId, ticketId),
  )
  const config = (found as { config: unknown } | undefined)?.config
  return {
    config: config === undefined ? undefined : assistantConfig.parse(config),
    isMoreSaid: (later as TalkRow[]).some(({ fromMe }) => !fromMe),
    stream: stream as MessageStream | undefined,
  }
}

export type TalkRow = {
  seq: number
  fromMe: boolean
  type: string
  body: string
  mediaId: string | null
  mime: string | null
  fileName: string | null
  size: number | null
}
/** The last lines of the talk since what was forgotten, oldest first; without notes and system lines. */
export const readTalk = async (tx: Tx, ticketId: string, fromSeq: number): Promise<TalkRow[]> =>
  (await tx.rows<TalkRow>(talk, [tx.tenantId, ticketId, fromSeq])).reverse()
const mostLines = 40

/** So long an answer waits for what is said in an audio, or for a file that is on its way; then it is given without. */
const wordsWithinS = 60
const filesWithinS = 20
/** Until when words of an audio, or files, that nobody has answered may still come; undefined: none do. */
export type Coming = { words: Date | undefined; files: Date | undefined }
export const findComing = async (
  tx: Tx,
  { ticketId, heardSeq, transcribes }: { ticketId: string; heardSeq: number; transcribes: boolean },
): Promise<Coming> => comingOf(await tx.rows(stillComing, [tx.tenantId, ticketId, heardSeq, transcribes]))
const comingOf = ([row]: unknown[]): Coming => {
  const { words, files } = (row ?? {}) as { words?: Date | null; files?: Date | null }
  return { words: words ?? undefined, files: files ?? undefined }
}
const stillComing: Prepared = {
  name: 'assistant_still_coming',
  text: `select max(m.created_at) filter (where m.type = 'audio' and m.body = ''
        and (exists (select from audio_transcripts w where w.tenant_id = m.tenant_id and w.id = m.id and w.state = 'waiting')
          or $4::boolean and m.media_state = 'fetching')) + make_interval(secs => ${wordsWithinS}) as words,
      max(m.created_at) filter (where m.type in ('image', 'document') and m.media_state = 'fetching'
        and m.created_at > now() - make_interval(secs => ${filesWithinS})) + make_interval(secs => ${filesWithinS}) as files
    from messages m
    where m.tenant_id = $1 and m.ticket_id = $2 and m.seq > $3 and not m.from_me and not m.is_deleted
      and m.created_at > now() - make_interval(secs => ${wordsWithinS})`,
}

const sessionColumns = `select ticket_id as "ticketId", assistant_id as "assistantId", from_seq::float8 as "fromSeq", heard_seq::float8 as "heardSeq",
  turns, bot_session as "botSession", vars, pending from assistant_sessions`
const readSession: Prepared = {
  name: 'assistant_session_read',
  text: `${sessionColumns} where tenant_id = $1 and ticket_id = $2`,
}
const sessions: Prepared = {
  name: 'assistant_sessions_of',
  text: `${sessionColumns} where tenant_id = $1 and ticket_id = any($2::uuid[])`,
}
const insertSession: Prepared = {
  name: 'assistant_session_insert',
  text: 'insert into assistant_sessions (tenant_id, ticket_id) values ($1, $2) on conflict do nothing',
}
const updateSession: Prepared = {
  name: 'assistant_session_update',
  text: `update assistant_sessions set assistant_id = $3, from_seq = $4, heard_seq = $5, turns = $6, bot_session = $7,
      vars = $8::jsonb, pending = $9::jsonb where tenant_id = $1 and ticket_id = $2`,
}
const runColumns = `select ticket_id as "ticketId", id, assistant_id as "assistantId", version_id as "versionId", state,
  heard_seq::float8 as "heardSeq", coalesce(lease_until > now(), false) as "isLeased", hand_over as "handOver", plan, problem
  from assistant_runs where tenant_id = $1 and state <> 'done'`
const activeRun: Prepared = { name: 'assistant_run_active', text: `${runColumns} and ticket_id = $2` }
const activeRuns: Prepared = { name: 'assistant_runs_active', text: `${runColumns} and ticket_id = any($2::uuid[])` }
const thinking: Prepared = {
  name: 'assistant_run_thinking',
  text: `select 1 from assistant_runs where tenant_id = $1 and id = $2 and state = 'thinking'`,
}
const insert: Prepared = {
  name: 'assistant_run_insert',
  text: `insert into assistant_runs (tenant_id, id, ticket_id, assistant_id, version_id, heard_seq, asked, lease_until)
    values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8))`,
}
const keep: Prepared = {
  name: 'assistant_run_keep',
  // What was overtaken is never given, and has been paid all the same.
  text: `update assistant_runs set state = case state when 'thinking' then 'ready' else state end, plan = $3::jsonb, answer = $4, hand_over = $5, passages = $6::jsonb,
      steps = $7::jsonb, integration_id = $8, cost_micros = $9, ms = $10, problem = $11
    where tenant_id = $1 and id = $2`,
}
const end: Prepared = {
  name: 'assistant_run_end',
  text: `update assistant_runs set state = 'done', ended_at = now(), outcome = $3, problem = coalesce($4, problem),
      hand_over = coalesce($5, hand_over) where tenant_id = $1 and id = $2`,
}
const version: Prepared = {
  name: 'assistant_version_published',
  text: `select v.id, v.config, (select i.kind from integrations i where i.tenant_id = a.tenant_id
        and i.id::text = v.config -> 'integrationIds' ->> 0) as kind from assistants a
      join assistant_versions v on v.tenant_id = a.tenant_id and v.id = a.published_id
    where a.tenant_id = $1 and a.id = $2`,
}
const talk: Prepared = {
  name: 'assistant_talk',
  text: `select m.seq::float8 as seq, m.from_me as "fromMe", m.type, m.body, m.media_id as "mediaId", f.mime, f.name as "fileName",
      f.size::float8 as size
    from messages m left join files f on f.tenant_id = m.tenant_id and f.id = m.media_id
    where m.tenant_id = $1 and m.ticket_id = $2 and m.seq > $3 and not m.is_deleted
      and m.type not in ('system', 'note', 'reaction') order by m.seq desc limit ${mostLines}`,
}

const versionById: Prepared = {
  name: 'assistant_version_by_id',
  text: 'select config from assistant_versions where tenant_id = $1 and id = $2',
}
