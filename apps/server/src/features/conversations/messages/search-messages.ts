import { id, moment } from '@balcao/contract/common.ts'
import type { FoundMessage, messageSearchQuery } from '@balcao/contract/conversations/messages.ts'
import { z } from 'zod'
import { type Tx, withSearch } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { encodeCursor, isIndexed, isSearchable, likePattern, readCursor } from '../../../kit/cursor.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { type Bind, binding } from '../../../kit/sql.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { viewerOf, visibleTickets } from '../tickets/tickets.policy.ts'
import { snippetOf } from './snippet.ts'
import { requireVisible } from './visible.ts'

type Query = z.output<typeof messageSearchQuery>

/** A common word fills a page from so few messages down the list: looked at first, it never asks the trigrams. */
const nearbyRows = 3_000
/** More matches than this are not collected and sorted: then one walks on, so far at a time. */
const fewMatches = 2_000
const walkRows = 12_000

/**
 * Messages by a piece of their text, without accents, in the tickets this person may see; newest first. Three ways, each
 * bounded: the newest messages, all matches by trigram when they are few, else a longer walk that says where to go on.
 */
export const searchMessages = async (actor: Actor, query: Query) => {
  if (!isSearchable(query.searchParam))
    throw fieldErrors({ path: 'searchParam', message: 'Digite pelo menos uma letra ou um número.' })
  const directory = await getDirectory(actor.tenantId)
  const order = query.ticketId || query.contactId ? bySeq : byDay
  const after = query.cursor === undefined ? undefined : order.read(query.cursor)
  return withSearch(actor, async (tx) => {
    if (query.ticketId) await requireVisible(tx, actor, directory, query.ticketId)
    const search = { tx, actor, directory, query, order, after }
    const near = await readPage(search, walkOf(search, nearbyRows))
    if (near.length > query.limit) return pageOf(search, near)
    const all = isIndexed(query.searchParam) ? await readMatches(search) : undefined
    if (all) return pageOf(search, all)
    const found = await readPage(search, walkOf(search, walkRows))
    return pageOf(search, found, found.length > query.limit ? null : await edgeOf(search))
  })
}

/** The unnarrowed list goes by the index of days; a conversation and a contact have indexes of their own. */
const byDay = {
  by: 'm.created_at desc, m.id desc',
  seen: (after: (string | number)[], bind: Bind) =>
    `(m.created_at, m.id) < (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)`,
  keyOf: (row: Key) => [row.createdAt.toISOString(), row.id],
  read: (cursor: string) => readCursor(cursor, z.tuple([moment, id])),
}
const bySeq = {
  by: 'm.seq desc',
  seen: (after: (string | number)[], bind: Bind) => `m.seq < ${bind(after[0])}::bigint`,
  keyOf: (row: Key) => [row.seq],
  read: (cursor: string) => readCursor(cursor, z.tuple([z.int()])),
}

type Key = { id: string; seq: number; createdAt: Date }
export type FoundRow = Omit<FoundMessage, 'createdAt' | 'user' | 'snippet'> & { createdAt: Date; userId: string | null }
type Search = {
  tx: Tx
  actor: Actor
  directory: Directory
  query: Query
  order: typeof byDay | typeof bySeq
  after: (string | number)[] | undefined
}
type Source = (bind: Bind) => string

/** Columns of a `FoundRow`, and where they come from beside `messages m`. */
export const foundColumns = `m.id, m.seq, m.ticket_id as "ticketId", m.contact_id as "contactId", m.from_me as "fromMe", m.type, m.body,
  m.user_id as "userId", m.created_at as "createdAt", c.name as "contactName", t.protocol, x.kind as channel`
export const foundJoins = `join tickets t on t.tenant_id = m.tenant_id and t.id = m.ticket_id
  join contacts c on c.tenant_id = m.tenant_id and c.id = t.contact_id
  join connections x on x.tenant_id = m.tenant_id and x.id = t.connection_id`

export const presentFound = (row: FoundRow, directory: Directory, words?: string): FoundMessage => {
  const { userId, ...found } = row
  return {
    ...found,
    createdAt: row.createdAt.toISOString(),
    user: userId ? { id: userId, name: directory.people.get(userId)?.name ?? 'Usuário removido' } : null,
    snippet: snippetOf(row.body, words),
  }
}

/** What the index alone can narrow. */
const range = ({ tx, query, order, after, directory }: Search, bind: Bind) => {
  const midnight = (date: string, plus: number) =>
    `((${bind(date)}::date + ${plus})::timestamp at time zone ${bind(directory.timezone)})`
  const all = [`m.tenant_id = ${bind(tx.tenantId)}`]
  if (query.ticketId) all.push(`m.ticket_id = ${bind(query.ticketId)}`)
  if (query.contactId) all.push(`m.contact_id = ${bind(query.contactId)}`)
  if (query.dateFrom) all.push(`m.created_at >= ${midnight(query.dateFrom, 0)}`)
  if (query.dateTo) all.push(`m.created_at < ${midnight(query.dateTo, 1)}`)
  if (after) all.push(order.seen(after, bind))
  return all.join(' and ')
}

const walkOf =
  (search: Search, rows: number): Source =>
  (bind) =>
    `(select m.* from messages m where ${range(search, bind)} order by ${search.order.by} limit ${rows}) m`

const readPage = (search: Search, source: Source): Promise<FoundRow[]> => {
  const { values, bind } = binding()
  const text = `select ${foundColumns} from ${source(bind)} ${foundJoins}
    where ${matching(search, bind)} and norm(m.body) like norm(${bind(likePattern(search.query.searchParam))})
    order by ${search.order.by} limit ${search.query.limit + 1}`
  return search.tx.rows<FoundRow>({ name: '', text }, values)
}

const matching = ({ query, actor, directory }: Search, bind: Bind) => {
  const all = ['not m.is_deleted', "m.type <> 'reaction'"]
  if (query.fromMe !== undefined) all.push(`m.from_me = ${bind(query.fromMe)}`)
  if (query.type.length) all.push(`m.type = any(${bind(query.type)}::text[])`)
  all.push(visibleTickets(viewerOf(directory, actor.userId), { showAll: true }, bind))
  return all.join(' and ')
}

/** The page out of every match there is; undefined when they are too many to look at each. */
const readMatches = async (search: Search): Promise<FoundRow[] | undefined> => {
  const { values, bind } = binding()
  const pattern = bind(likePattern(search.query.searchParam))
  const text = `with found as materialized (select id from find_messages(${pattern}, ${fewMatches + 1})),
      all_of_them as (select count(*) as count from found)
    select p.*, a.count as total from all_of_them a left join lateral (
      select ${foundColumns} from found f join messages m on m.tenant_id = ${bind(search.tx.tenantId)} and m.id = f.id ${foundJoins}
      where a.count <= ${fewMatches} and ${range(search, bind)} and ${matching(search, bind)}
      order by ${search.order.by} limit ${search.query.limit + 1}) p on true`
  const rows = await search.tx.rows<FoundRow & { total: number }>({ name: '', text }, values)
  if ((rows[0]?.total ?? 0) > fewMatches) return undefined
  return rows.flatMap(({ total: _total, ...row }) => (row.id ? [row] : []))
}

/** The last message the long walk looked at; null when it came to the end. */
const edgeOf = async (search: Search): Promise<string | null> => {
  const { values, bind } = binding()
  const text = `select m.id, m.seq, m.created_at as "createdAt" from messages m where ${range(search, bind)}
    order by ${search.order.by} offset ${walkRows - 1} limit 1`
  const [row] = await search.tx.rows<Key>({ name: '', text }, values)
  return row ? encodeCursor(search.order.keyOf(row)) : null
}

const pageOf = ({ query, order, directory }: Search, rows: FoundRow[], edge: string | null = null) => {
  const page = rows.slice(0, query.limit)
  const last = page.at(-1)
  const nextCursor = rows.length > query.limit && last ? encodeCursor(order.keyOf(last)) : edge
  return {
    items: page.map((row) => presentFound(row, directory, query.searchParam)),
    hasMore: nextCursor !== null,
    nextCursor,
  }
}
