import { v7 } from 'uuid'
import type { JournalPiece } from '../../../channels/adapter.ts'
import { type Prepared, platformRows } from '../../../db/database.ts'
import { createRest } from '../../../kit/rest.ts'
import { cleanJson, cleanText } from '../../../kit/text.ts'

export type JournalRow = {
  tenantId: number
  id: string
  connectionId: string
  seq: number
  payload: unknown
  /** The events of its conversation that were open when it was written, the newest of them; null: not known. */
  behind: string[] | null
  /** When it came, of one that was not handled right then. */
  cameAt?: Date
}
type Entry = {
  tenantId: number
  id: string
  connectionId: string
  key: string
  payload: string
  conversation: string | null
}
type Waiting = {
  entries: Entry[]
  resolve: (stored: JournalRow[]) => void
  reject: (error: unknown) => void
  pieces: Map<string, unknown>
}

const maxPerInsert = 500
/** Of what belongs to no conversation: states of our own messages come by the hundred a second, and nobody waits for them. */
const gathersMs = 150
const waiting: Waiting[] = []
let isWriting = false
const rest = createRest()
const isOfNobody = ({ entries }: Waiting) => entries.every(({ conversation }) => conversation === null)

/**
 * Writes a call's pieces to the journal and resolves once they are committed, with those that are new. Calls that come
 * while an insert is under way share the next one; those of no conversation that come together wait for a few more.
 */
export const writeJournal = (to: { tenantId: number; connectionId: string }, pieces: JournalPiece[]) =>
  new Promise<JournalRow[]>((resolve, reject) => {
    if (!pieces.length) return resolve([])
    const { entries, payloads } = journalEntries(to, pieces)
    waiting.push({ entries, resolve, reject, pieces: payloads })
    if (!isWriting) void writeWaiting()
    else if (!mayRest()) rest.end()
  })

/** Pieces as the journal stores them, and what each says, by the row's id. */
export const journalEntries = (to: { tenantId: number; connectionId: string }, pieces: JournalPiece[]) => {
  const payloads = new Map<string, unknown>()
  const entries = pieces.map((piece): Entry => {
    const id = v7()
    const payload = storable(piece.payload)
    payloads.set(id, payload.value)
    return {
      tenantId: to.tenantId,
      connectionId: to.connectionId,
      id,
      key: cleanText(piece.key.slice(0, 500)),
      payload: payload.text,
      conversation: piece.conversation ? cleanText(piece.conversation.slice(0, 200)) : null,
    }
  })
  return { entries, payloads }
}

const writeWaiting = async () => {
  isWriting = true
  while (waiting.length) {
    const batch = takeBatch()
    try {
      answer(batch, await insert(batch.flatMap((call) => call.entries)))
    } catch (error) {
      // One call's bad piece must not refuse the others: each gets its own answer.
      if (batch.length === 1) batch[0]?.reject(error)
      else for (const call of batch) await insert(call.entries).then((rows) => answer([call], rows), call.reject)
    }
    // Whoever calls once at a time is answered at once.
    if (batch.length > 1 && batch.every(isOfNobody) && mayRest()) await rest.begin(gathersMs)
  }
  isWriting = false
}
const mayRest = () =>
  waiting.every(isOfNobody) && waiting.reduce((sum, { entries }) => sum + entries.length, 0) < maxPerInsert

const takeBatch = () => {
  const batch: Waiting[] = []
  let size = 0
  while (waiting[0] && (!batch.length || size + waiting[0].entries.length <= maxPerInsert)) {
    size += waiting[0].entries.length
    batch.push(...waiting.splice(0, 1))
  }
  return batch
}

export type Inserted = Omit<JournalRow, 'payload'>
const answer = (batch: Waiting[], rows: Inserted[]) => {
  const before = new Map<string, string[]>()
  for (const call of batch) call.resolve(withPayloads(call.entries, call.pieces, rows, before))
}

/** The rows that are new, each behind those of its conversation that came with it. */
export const withPayloads = (
  entries: Entry[],
  payloads: Map<string, unknown>,
  rows: Inserted[],
  before = new Map<string, string[]>(),
): JournalRow[] => {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return entries.flatMap((entry) => {
    const row = byId.get(entry.id)
    if (!row) return []
    const place = `${entry.connectionId} ${entry.conversation}`
    const together = before.get(place) ?? []
    if (entry.conversation !== null) before.set(place, [...together, row.id])
    return [{ ...row, behind: [...(row.behind ?? []), ...together], payload: payloads.get(entry.id) }]
  })
}

const insert = (entries: Entry[]) =>
  platformRows<Inserted>(insertStatement, [
    entries.map((entry) => entry.tenantId),
    entries.map((entry) => entry.id),
    entries.map((entry) => entry.connectionId),
    entries.map((entry) => entry.key),
    entries.map((entry) => entry.payload),
    entries.map((entry) => entry.conversation),
  ])
/** More than this are not counted. */
export const manyBehind = 20
const insertStatement: Prepared = {
  name: 'journal_insert',
  text: `insert into journal (tenant_id, id, connection_id, event_key, payload, conversation)
    select * from unnest($1::int[], $2::uuid[], $3::uuid[], $4::text[], $5::jsonb[], $6::text[])
    on conflict do nothing returning tenant_id as "tenantId", id, connection_id as "connectionId", seq,
      array(select o.id from journal o where o.tenant_id = journal.tenant_id and o.connection_id = journal.connection_id
        and o.conversation = journal.conversation and o.state = 'received' order by o.seq desc limit ${manyBehind}) as behind`,
}

/** Which of `asked` must wait: an older event of the conversation is open, and not in the same hands. */
export const findHeld = async (tenantId: number, asked: string[], inHand: string[]): Promise<Set<string>> => {
  const rows = await platformRows<{ id: string }>(
    {
      name: 'journal_held',
      text: `select m.id from journal m where m.tenant_id = $1 and m.id = any($2::uuid[]) and exists (
        select from journal o where o.tenant_id = $1 and o.connection_id = m.connection_id and o.conversation = m.conversation
          and o.state = 'received' and o.seq < m.seq and o.id <> all($3::uuid[]))`,
    },
    [tenantId, asked, inHand],
  )
  return new Set(rows.map(({ id }) => id))
}

/** JSON as PostgreSQL accepts it. */
const storable = (payload: unknown): { text: string; value: unknown } => {
  const written = JSON.stringify(payload ?? null)
  const text = cleanJson(written)
  return { text, value: text === written ? payload : JSON.parse(text) }
}

export const isForgotten = `select from journal where state = 'received' and coalesce(processed_at, received_at) < now() - interval '2 seconds'`
const isDue = `coalesce(j.processed_at, j.received_at)
    < now() - interval '2 seconds' * power(case when j.conversation is null then 4 else 2 end, least(j.attempts, 6))`
/**
 * Rows nobody has finished: their process died, was too slow, or they failed and it is time to try again. What stands
 * behind a failed one waits with it; what belongs to no conversation keeps nobody and is given more time. Each row is
 * told in one walk over what waits, and found again by where it lies: no index can be the wrong one, however much waits.
 */
export const claimForgotten = (limit: number) => platformRows<JournalRow>(claim, [limit])
export const claim: Prepared = {
  name: 'journal_claim',
  text: `with waiting as materialized (
      select j.ctid as place, j.seq, ${isDue} as is_due, j.conversation is not null and coalesce(bool_or(j.attempts > 0) over (
        partition by j.tenant_id, j.connection_id, j.conversation order by j.seq
        rows between unbounded preceding and 1 preceding), false) as is_behind
      from journal j where j.state = 'received'
    ), due as (
      select j.ctid as place from journal j join (
        select place from waiting where is_due and not is_behind order by seq limit $1) w on j.ctid = w.place
      for update of j skip locked
    )
    update journal j set processed_at = now() from due where j.ctid = due.place
    returning j.tenant_id as "tenantId", j.id, j.connection_id as "connectionId", j.seq, j.payload,
      j.received_at as "cameAt", case when j.conversation is null then '{}'::uuid[] end as behind`,
}

/** Ends rows: `done`, or `unknown` for payloads no adapter understands. */
export const markJournal = async (
  tenantId: number,
  ids: string[],
  state: 'done' | 'unknown',
  note: string | null = null,
) => {
  if (!ids.length) return
  await platformRows(
    {
      name: 'journal_mark',
      text: `update journal set state = $3, error = $4, processed_at = now() where tenant_id = $1 and id = any($2::uuid[]) and state = 'received'`,
    },
    [tenantId, ids, state, note],
  )
}

/** The same in whoever's transaction handles them. */
export const endJournal: Prepared = {
  name: 'journal_end',
  text: `update journal set state = 'done', processed_at = now(), error = null
    where tenant_id = $1 and id = any($2::uuid[]) and state = 'received'`,
}

const maxAttempts = 5
/**
 * Something went wrong with this row: again later, at last never, with the reason kept for the administrator. One that
 * waits for its target (`done`) lets the rest of its conversation pass.
 */
export const failJournal = async (
  tenantId: number,
  id: string,
  reason: string,
  after: 'failed' | 'done' = 'failed',
) => {
  await platformRows(
    {
      name: 'journal_fail',
      text: `update journal set attempts = attempts + 1, processed_at = now(), error = $3,
          state = case when attempts + 1 >= ${maxAttempts} then $4 else 'received' end,
          conversation = case when $4 = 'done' then null else conversation end
        where tenant_id = $1 and id = $2 and state = 'received'`,
    },
    [tenantId, id, reason.slice(0, 500), after],
  )
}

/** Forgets what is older than the providers' longest repetition; what nobody understood is kept. */
export const cleanJournal = async (): Promise<undefined> => {
  await platformRows(
    {
      name: 'journal_clean',
      text: forgetOld,
    },
    [],
  )
  await platformRows(
    {
      name: 'early_statuses_clean',
      text: `delete from early_statuses where (tenant_id, id) in (
        select tenant_id, id from early_statuses where created_at < now() - interval '7 days' limit 10000)`,
    },
    [],
  )
  return undefined
}
/** Connection by connection: the index of what is shown of each is the only one there is by time. */
export const forgetOld = `delete from journal where (tenant_id, id) in (
    select j.tenant_id, j.id from connections c cross join lateral (
      select tenant_id, id from journal where tenant_id = c.tenant_id and connection_id = c.id and state = 'done'
        and received_at < now() - interval '7 days' order by received_at limit 10000) j
    limit 10000)`
