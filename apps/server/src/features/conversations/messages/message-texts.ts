import { type MessageEntity, messageEntity } from '@balcao/contract/conversations/messages.ts'
import type { Prepared, Reader } from '../../../db/database.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { type MessageRow, presentMessage } from '../timeline/messages.present.ts'
import { messageEntitiesOf } from './message-entity.ts'
import { messageColumns, messageJoins } from './messages.queries.ts'

/**
 * A message is read and written out once for each state of what it is made of: its own row, its file's and the one it
 * answers, told by the transactions that wrote them. A page asks the database which messages it has and in which state,
 * and reads what it does not have yet.
 */
const state = `concat_ws(' ', m.xmin, f.xmin, q.xmin)`
export type MessageState = { id: string; seq: number; state: string }

const statesOf = (rows: string, order: string) =>
  `select m.id, m.seq, ${state} as state from (
    select id, seq, xmin, tenant_id, media_id, quoted_id from messages where tenant_id = $1 and ticket_id = $2 and ${rows}) m
    ${messageJoins} order by m.seq ${order}`
/** The page before `$3`, newest first; `$5` skips whole pages. */
export const statesBefore: Prepared = {
  name: 'message_states_before',
  text: statesOf('seq < $3 order by seq desc limit $4 offset $5', 'desc'),
}
/** What came after `$3`, oldest first. */
export const statesAfter: Prepared = {
  name: 'message_states_after',
  text: statesOf('seq > $3 order by seq limit $4', 'asc'),
}

const rowsOf: Prepared = {
  name: 'message_rows',
  text: `select ${messageColumns}, ${state} as state from messages m ${messageJoins} where m.tenant_id = $1 and m.id = any($2::uuid[])`,
}

type Kept = { state: string; userId: string | null; author: string | undefined; text: string }
const kept = new Map<string, Kept>()
const keepAtMost = 10_000

/** These messages as they leave, in this order. */
export const messageTexts = async (
  reader: Reader,
  states: MessageState[],
  { people }: Directory,
): Promise<string[]> => {
  const { tenantId } = reader
  const isCurrent = (one: Kept | undefined, now: string): one is Kept =>
    one?.state === now && (!one.userId || people.get(one.userId)?.name === one.author)
  const texts = new Map<string, string>()
  const missing: string[] = []
  for (const { id, state: now } of states) {
    const one = kept.get(`${tenantId} ${id}`)
    if (isCurrent(one, now)) texts.set(id, one.text)
    else missing.push(id)
  }
  if (missing.length) {
    const rows = await reader.rows<MessageRow & { state: string }>(rowsOf, [tenantId, missing])
    const entities = await messageEntitiesOf(
      tenantId,
      rows.map((row) => presentMessage(row, tenantId, people)),
    )
    for (const [at, { id, state: now, userId, file, sendType }] of rows.entries()) {
      const entity = entities[at]
      if (!entity) continue
      const text = JSON.stringify(withoutMore(entity))
      texts.set(id, text)
      // Links to files end, and a schedule can be moved.
      if (file || sendType === 'schedule') continue
      const key = `${tenantId} ${id}`
      kept.delete(key) // what is kept last goes last
      kept.set(key, { state: now, userId, author: userId ? people.get(userId)?.name : undefined, text })
    }
    for (const key of kept.keys()) {
      if (kept.size <= keepAtMost) break
      kept.delete(key)
    }
  }
  return states.flatMap(({ id }) => texts.get(id) ?? []) // one may be gone just now
}

/** Words alone have every field named by hand; what is kept as JSON leaves with what the contract names, and no more. */
const withoutMore = (one: MessageEntity): MessageEntity =>
  one.payload || one.location || one.contacts.length || one.reactions.length ? messageEntity.parse(one) : one
