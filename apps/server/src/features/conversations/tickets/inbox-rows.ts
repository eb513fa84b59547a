import { createHash } from 'node:crypto'
import type { Page } from '@balcao/contract/common.ts'
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
 * transactions that wrote them (a tag or an owner writes its ticket or contact too). A page asks the database who sees
 * what, in which order and in which state, and reads what it does not have yet.
 */
const state = `concat_ws(' ', t.xmin, c.xmin)`
const jsonOf = (names: readonly (keyof TicketRow)[]) =>
  `json_build_array(${names.map((name) => columns[name]).join(', ')})::text`

/** What a page reads of each row; over `tickets t` with its system column and `contacts c`. */
export const stateColumns = `t.id, ${state} as state`
export type RowState = { id: string; state: string }

const stale: Prepared = {
  name: 'inbox_rows',
  text: `select t.id, ${state} as state, ${jsonOf(inboxTexts)} as texts, ${jsonOf(inboxFixed)} as fixed
    from tickets t ${ticketJoins} where t.tenant_id = $1 and t.id = any($2::uuid[])`,
}
type Stored = RowState & { texts: string; fixed: string }

/** A row as it leaves, but for its references: text at the even places, the id whose place is to be written at the odd. */
type Kept = { state: string; pieces: string[] }
const kept = new Map<string, Kept>()
const keepAtMost = 10_000

/** A page as it leaves, with the tag that says which one it is. */
export type InboxText = { body: Buffer; etag: string }
/** The last pages, good while their rows stay as they are and what these name is called the same. */
const pages = new Map<string, InboxText & { directory: Directory }>()
const keepPages = 200

/** A page in its short form: each id but a row's own as its place among `refs`, no nulls at the end of a row. */
export const writeInbox = async (
  reader: Reader,
  { items, ...page }: Page<RowState>,
  directory: Directory,
): Promise<InboxText> => {
  const rest = JSON.stringify(page).slice(1)
  const key = `${reader.tenantId} ${rest} ${items.map(({ id, state }) => `${id} ${state}`).join()}`
  const known = pages.get(key)
  if (known?.directory === directory) return known
  const { rows, refs } = await shortRows(reader, items, directory)
  const body = Buffer.from(`{"rows":[${rows.join()}],"refs":${JSON.stringify(refs)},${rest}`)
  const one = { body, etag: `"${createHash('sha1').update(body).digest('base64url')}"`, directory }
  keepLast(pages, key, one, keepPages)
  return one
}

const shortRows = async (reader: Reader, rows: RowState[], directory: Directory) => {
  const found = rows.map((row) => kept.get(keyOf(reader, row)))
  const missing = rows.filter(({ state }, at) => found[at]?.state !== state)
  const fresh = missing.length ? await readRows(reader, missing) : undefined

  const places = new Map<string, number>()
  const short: string[] = []
  for (const [at, { id }] of rows.entries()) {
    const row = fresh?.get(id) ?? found[at]
    if (!row) continue // deleted just now
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
  const named = await namesOf(reader, places.keys(), directory)
  return { rows: short, refs: [...places.keys()].map((id): InboxRef => named.get(id) ?? [id]) }
}

const keyOf = ({ tenantId }: Reader, { id }: RowState) => `${tenantId} ${id}`

const readRows = async (reader: Reader, missing: RowState[]): Promise<Map<string, Kept>> => {
  const stored = await reader.rows<Stored>(stale, [reader.tenantId, missing.map(({ id }) => id)])
  const fresh = new Map<string, Kept>()
  for (const row of stored) {
    const one = { state: row.state, pieces: piecesOf(row) }
    fresh.set(row.id, one)
    keepLast(kept, keyOf(reader, row), one, keepAtMost)
  }
  return fresh
}

/** What is kept last goes last. */
const keepLast = <V>(map: Map<string, V>, key: string, value: V, atMost: number) => {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > atMost && oldest !== undefined) map.delete(oldest)
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
