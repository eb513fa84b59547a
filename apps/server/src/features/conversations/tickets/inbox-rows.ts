import {
  type InboxRef,
  inboxFixed,
  inboxTexts,
  referring,
  type TicketRow,
} from '@balcao/contract/conversations/ticket-row.ts'
import type { Prepared, Reader } from '../../../db/database.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { columns, namesOf, ticketJoins } from './ticket-rows.ts'

/**
 * A row of the inbox is read once for each state of what it is made of: the ticket's row and the contact's, told by the
 * transactions that wrote them (a tag or an owner writes its ticket or contact too), and the name of the connection.
 * A page asks the database who sees what, in which order and in which state, and reads what it does not have yet.
 */
const state = `concat_ws(' ', t.xmin, c.xmin, x.name)`
const jsonOf = (names: readonly (keyof TicketRow)[]) =>
  `json_build_array(${names.map((name) => columns[name]).join(', ')})::text`

/** What a page reads of each row; over `tickets t` with its system column, `contacts c`, `connections x`. */
export const stateColumns = `t.id, ${state} as state`
export type RowState = { id: string; state: string }

const stale: Prepared = {
  name: 'inbox_rows',
  text: `select t.id, ${state} as state, t.connection_id as "whatsappId", ${jsonOf(inboxTexts)} as texts, ${jsonOf(inboxFixed)} as fixed
    from tickets t ${ticketJoins} where t.tenant_id = $1 and t.id = any($2::uuid[])`,
}
type Stored = RowState & { whatsappId: string; texts: string; fixed: string }

/** A row as it leaves, but for its references: text at the even places, the id whose place is to be written at the odd. */
type Kept = { state: string; whatsappId: string; pieces: string[] }
const kept = new Map<string, Kept>()
const keepAtMost = 10_000

/** These rows in their short form, each id but their own as its place among `refs`; without the nulls at their end. */
export const shortRows = async (reader: Reader, rows: RowState[], directory: Directory) => {
  const found = rows.map((row) => kept.get(keyOf(reader, row)))
  const missing = rows.filter(({ state }, at) => found[at]?.state !== state)
  const fresh = missing.length ? await readRows(reader, missing) : undefined

  const places = new Map<string, number>()
  const connectionIds = new Set<string>() // their names come with the row
  const short: string[] = []
  for (const [at, { id }] of rows.entries()) {
    const row = fresh?.get(id) ?? found[at]
    if (!row) continue // deleted just now
    connectionIds.add(row.whatsappId)
    let text = ''
    for (const [n, piece] of row.pieces.entries()) {
      if (n % 2 === 0) {
        text += piece
        continue
      }
      const place = places.get(piece) ?? places.size
      if (place === places.size) places.set(piece, place)
      text += place
    }
    short.push(text)
  }
  const named = await namesOf(
    reader,
    [...places.keys()].filter((id) => !connectionIds.has(id)),
    directory,
  )
  return { rows: short, refs: [...places.keys()].map((id): InboxRef => named.get(id) ?? [id]) }
}

const keyOf = ({ tenantId }: Reader, { id }: RowState) => `${tenantId} ${id}`

const readRows = async (reader: Reader, missing: RowState[]): Promise<Map<string, Kept>> => {
  const stored = await reader.rows<Stored>(stale, [reader.tenantId, missing.map(({ id }) => id)])
  const fresh = new Map<string, Kept>()
  for (const row of stored) {
    const { state, whatsappId } = row
    const one = { state, whatsappId, pieces: piecesOf(row) }
    fresh.set(row.id, one)
    kept.delete(keyOf(reader, row)) // what is kept last goes last
    kept.set(keyOf(reader, row), one)
  }
  for (const key of kept.keys()) {
    if (kept.size <= keepAtMost) break
    kept.delete(key)
  }
  return fresh
}

const isReferring = inboxFixed.map((name) => referring.includes(name))

const piecesOf = ({ texts, fixed }: Stored): string[] => {
  const values: unknown[] = JSON.parse(fixed)
  while (values.at(-1) === null) values.pop()
  const pieces = [texts.slice(0, -1)]
  const write = (text: string) => {
    pieces[pieces.length - 1] += text
  }
  const refer = (ids: string[]) => {
    for (const [n, id] of ids.entries()) {
      if (n > 0) write(',')
      pieces.push(id, '')
    }
  }
  for (const [at, value] of values.entries()) {
    write(',')
    if (!isReferring[at] || value === null) write(JSON.stringify(value))
    else if (Array.isArray(value)) {
      write('[')
      refer(value)
      write(']')
    } else if (String(value).length === 36) refer([String(value)])
    else {
      write('"')
      refer(String(value).split(','))
      write('"')
    }
  }
  write(']')
  return pieces
}
