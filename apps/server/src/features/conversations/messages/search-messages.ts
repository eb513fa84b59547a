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

/** A common word fills a page from so few messages down the list: looked at first, it never asks the index. */
const nearbyRows = 500
const nearbyRowsOfOne = 3_000
/** The index answers so many matches, or those of so much time, and says where to go on; few may be seen by everybody. */
const fewMatches = 200
const maxMatches = 2_000
const budgetMs = 45
/** What no index knows, or one conversation has too much of, is looked for by walking on, so far at a time. */
const walkRows = 12_000

/**
 * Messages by a piece of their text, without accents, in the tickets this person may see; newest first. However many
 * messages there are, an answer costs the same: it ends where its page is full or its time is up, and says where to go on.
 */
export const searchMessages = async (actor: Actor, query: Query) => {
  if (!query.authorId && !isSearchable(query.searchParam))
    throw fieldErrors({ path: 'searchParam', message: 'Digite pelo menos uma letra ou um número.' })
  const directory = await getDirectory(actor.tenantId)
  const order = query.ticketId || query.contactId ? bySeq : byDay
  const after = query.cursor === undefined ? undefined : order.read(query.cursor)
  return withSearch(actor, async (tx) => {
    if (query.ticketId) await requireVisible(tx, actor, directory, query.ticketId)
    const search = { tx, actor, directory, query, order, after }
    const isOfOne = order === bySeq
    const nearby = isOfOne ? nearbyRowsOfOne : nearbyRows
    const near = await readPage(search, walkOf(search, nearby))
    if (near.length > query.limit || (isOfOne && !(await edgeOf(search, nearby)))) return pageOf(search, near)
    if (isIndexed(query.searchParam)) {
      const found = isOfOne ? await readMatches(search, maxMatches, budgetMs) : await readInRounds(search)
      if (!found.edge || !isOfOne) return pageOf(search, found.rows, found.edge)
    }
    const found = await readPage(search, walkOf(search, walkRows))
    return pageOf(search, found, found.length > query.limit ? null : await edgeOf(search, walkRows))
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
export const foundColumns = `m.id, m.seq, m.ticket_id as "ticketId", m.contact_id as "contactId", m.from_me as "fromMe", m.type, m.body, m.author,
  m.user_id as "userId", m.created_at as "createdAt", c.name as "contactName", case when t.is_hidden then '' else t.protocol end as protocol, x.kind as channel`
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

const midnight = (date: string, plus: number, { timezone }: Directory, bind: Bind) =>
  `((${bind(date)}::date + ${plus})::timestamp at time zone ${bind(timezone)})`

/** What the index alone can narrow. */
const range = ({ tx, query, order, after, directory }: Search, bind: Bind) => {
  const all = [`m.tenant_id = ${bind(tx.tenantId)}`]
  if (query.ticketId) all.push(`m.ticket_id = ${bind(query.ticketId)}`)
  if (query.contactId) all.push(`m.contact_id = ${bind(query.contactId)}`)
  if (query.dateFrom) all.push(`m.created_at >= ${midnight(query.dateFrom, 0, directory, bind)}`)
  if (query.dateTo) all.push(`m.created_at < ${midnight(query.dateTo, 1, directory, bind)}`)
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
  if (query.authorId) all.push(`m.author->>'id' = ${bind(query.authorId)}`)
  if (query.type.length) all.push(`m.type = any(${bind(query.type)}::text[])`)
  all.push(visibleTickets(viewerOf(directory, actor.userId), { showAll: true }, bind))
  return all.join(' and ')
}

type Matches = { rows: FoundRow[]; edge: string | null; isFull: boolean }
/** The first few matches fill most pages; who may see hardly any of them has more looked through, in what time is left. */
const readInRounds = async (search: Search): Promise<Matches> => {
  const startedAt = performance.now()
  const few = await readMatches(search, fewMatches, budgetMs)
  const leftMs = Math.floor(budgetMs - (performance.now() - startedAt))
  if (few.rows.length > search.query.limit || !few.isFull || !few.edge || leftMs <= 0) return few
  const more = await readMatches({ ...search, after: search.order.read(few.edge) }, maxMatches, leftMs)
  return { ...more, rows: [...few.rows, ...more.rows] }
}

/** The page out of what the index finds, newest first, and how far it came; no edge: it has seen everything. */
const readMatches = async (search: Search, max: number, withinMs: number): Promise<Matches> => {
  const { query, order, tx } = search
  const { values, bind } = binding()
  const [since, before] = span(search, bind)
  const text = `with found as materialized (select * from find_messages(${bind(likePattern(query.searchParam))}, ${max}, ${withinMs},
      ${since}, ${before}, ${bind(query.ticketId ?? null)}::uuid, ${bind(query.contactId ?? null)}::uuid)),
    told as (select count(id) as count, max(searched_to) as searched_to from found),
    last_of_them as (select id, created_at from found where id is not null order by created_at, id limit 1)
    select p.*, a.count as total, a.searched_to as "searchedTo", l.id as "lastId", l.created_at as "lastAt"
    from told a left join last_of_them l on true left join lateral (
      select ${foundColumns} from found f join messages m on m.tenant_id = ${bind(tx.tenantId)} and m.id = f.id ${foundJoins}
      where ${range(search, bind)} and ${matching(search, bind)}
      order by ${order.by} limit ${query.limit + 1}) p on true`
  const rows = await tx.rows<FoundRow & Told>({ name: '', text }, values)
  const [told] = rows
  const page = rows.flatMap(({ total: _total, searchedTo: _to, lastId: _id, lastAt: _at, ...row }) =>
    row.id ? [row] : [],
  )
  return { rows: page, edge: told ? edgeOfMatches(told, max) : null, isFull: told?.total === max }
}
type Told = { total: number; searchedTo: Date | null; lastId: string | null; lastAt: Date | null }
const edgeOfMatches = ({ total, searchedTo, lastId, lastAt }: Told, max: number) => {
  if (searchedTo) return encodeCursor([searchedTo.toISOString(), zeroId])
  return total === max && lastAt ? encodeCursor([lastAt.toISOString(), lastId]) : null
}
/** Before every other of its moment. */
const zeroId = '00000000-0000-0000-0000-000000000000'

/** From when to when the index has to look. */
const span = ({ query, directory, order, after }: Search, bind: Bind): [since: string, before: string] => {
  const since = query.dateFrom ? midnight(query.dateFrom, 0, directory, bind) : `'-infinity'`
  const till = query.dateTo ? midnight(query.dateTo, 1, directory, bind) : `'infinity'`
  const seen = order === byDay && after ? `(${bind(after[0])}::timestamptz + interval '1 millisecond')` : `'infinity'`
  return [`${since}::timestamptz`, `least(${till}::timestamptz, ${seen}::timestamptz)`]
}

/** The last message a walk of so many looked at; null when it came to the end. */
const edgeOf = async (search: Search, rows: number): Promise<string | null> => {
  const { values, bind } = binding()
  const text = `select m.id, m.seq, m.created_at as "createdAt" from messages m where ${range(search, bind)}
    order by ${search.order.by} offset ${rows - 1} limit 1`
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
