import { id, moment, type Page } from '@balcao/contract/common.ts'
import type { TicketRow } from '@balcao/contract/conversations/ticket-row.ts'
import type { Ticket, TicketsFilter, TicketsQuery } from '@balcao/contract/conversations/tickets.ts'
import { z } from 'zod'
import { type Prepared, type Reader, readerOf, withSearch } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { isIndexed, isOfWords, isSearchable, likePattern, readCursor, toPage } from '../../../kit/cursor.ts'
import { type Bind, binding } from '../../../kit/sql.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { type InboxText, type RowState, stateColumns, writeInbox } from './inbox-rows.ts'
import { contactJoin, ms, nameTickets, prepare, ticketColumns, ticketJoins } from './ticket-rows.ts'
import { isWorked, type Viewer, viewerOf, visibleTickets } from './tickets.policy.ts'

const pageSize = 40

/**
 * The attendance list: what the policy shows, narrowed by the filter, in the order asked for. Statements: the tenant and
 * the page (with its count when asked for), again for names that are not in memory; for a search one transaction more,
 * and its words.
 */
export const listTickets = (actor: Actor, query: TicketsQuery): Promise<Page<Ticket>> =>
  list<TicketRow, Page<Ticket>>(
    actor,
    query,
    { walked: 't.*', columns: ticketColumns, joins: ticketJoins },
    async (reader, page, directory) => ({ ...page, items: await nameTickets(reader, page.items, directory) }),
  )

/** The same in the short form of our own screens. */
export const listInbox = (actor: Actor, query: TicketsQuery): Promise<InboxText> =>
  list<RowState, InboxText>(
    actor,
    query,
    { walked: 't.id, t.xmin, t.contact_id', columns: stateColumns, joins: contactJoin },
    writeInbox,
  )

/** What is taken along on the walk down the list, what is read of the rows of the page, and over which tables. */
type Form = { walked: string; columns: string; joins: string }
type Answering<Row, Answer> = (reader: Reader, page: Page<Row>, directory: Directory) => Promise<Answer>
const list = async <Row extends { id: string }, Answer>(
  actor: Actor,
  query: TicketsQuery,
  form: Form,
  answer: Answering<Row, Answer>,
): Promise<Answer> => {
  const directory = await getDirectory(actor.tenantId)
  const viewer = viewerOf(directory, actor.userId)
  const after = query.cursor === undefined ? undefined : placeAt(query.cursor)
  const search = searchOf(query.searchParam)
  const read = async (reader: Reader, matches: Matches | undefined) => {
    const pageOf = (among: Matches | undefined) => readPage<Row>(reader, form, viewer, query, after, among)
    const page = (matches && (await ofTheLastHeard(matches, query, after, pageOf))) ?? (await pageOf(matches))
    return answer(reader, page, directory)
  }
  const nothing = { items: [], hasMore: false, nextCursor: null, ...(query.count && { count: 0 }) }
  if (!search) return read(readerOf(actor.tenantId), undefined)
  return withSearch(actor, async (tx) => {
    const matches = isSearchable(query.searchParam) ? await findMatches(tx, search) : undefined
    return !matches || isHopeless(matches) ? answer(tx, nothing, directory) : read(tx, matches)
  })
}

type Cursor = { key: string; id: string }
type Sort = TicketsQuery['sort']

/** Orders a list can have, each along an index of its status; what has no such moment comes last. */
const orders: Record<Sort, { key: string; isRising: boolean }> = {
  recent: { key: 'coalesce(t.last_message_at, t.created_at)', isRising: false },
  waiting: { key: `coalesce(t.waiting_since, 'infinity'::timestamptz)`, isRising: true },
  sla: { key: `coalesce(t.sla_due_at, 'infinity'::timestamptz)`, isRising: true },
}

const readPage = async <Row extends { id: string }>(
  reader: Reader,
  { walked, columns, joins }: Form,
  viewer: Viewer,
  query: TicketsQuery,
  after: Cursor | undefined,
  matches: Matches | undefined,
): Promise<Page<Sorted<Row>>> => {
  const limit = query.limit ?? pageSize
  const skip = after ? 0 : (query.pageNumber - 1) * limit
  const { values, bind } = binding()
  const tenant = bind(reader.tenantId)
  // Words of a closed list, written out: the planner then knows how many walks there are and keeps its plan.
  const statuses = `'{${query.status.join(',')}}'::text[]`
  const chosen = filters(viewer, query, tenant, bind)
  const filter = [isWorked, visibleTickets(viewer, { showAll: query.showAll }, bind), ...chosen]
  if (matches) filter.push(matchCondition(matches, bind))
  const from = `from tickets t where t.tenant_id = ${tenant} and ${filter.join(' and ')}`
  const order = orders[query.sort]
  const isRising = order.isRising || query.orderAsc
  const page = after
    ? `and (${order.key}, t.id) ${isRising ? '>' : '<'} (${bind(after.key)}::timestamptz, ${bind(after.id)}::uuid)`
    : ''
  const direction = isRising ? 'asc' : 'desc'
  const orderBy = (key: string) => `order by ${key} ${direction}, t.id ${direction}`
  const walk = (where: string, atMost: string) =>
    `select ${walked}, ${order.key} as sorted_by ${from} and ${where} ${page} ${orderBy(order.key)} limit ${atMost}`
  // Each status is a walk down tickets_inbox that stops at the end of the page; together they would be one big sort.
  // What a search found by name is no walk: it is read once for all.
  const isFound = matches !== undefined && matches.contactIds !== 'many'
  const walks =
    query.status.length === 1 || isFound
      ? walk(isFound ? `t.status = any(${statuses})` : `t.status = '${query.status[0]}'`, `${limit + 1} offset ${skip}`)
      : `select t.* from unnest(${statuses}) s(status) cross join lateral (${walk('t.status = s.status', `${skip + limit + 1}`)}) t
          ${orderBy('t.sorted_by')} limit ${limit + 1} offset ${skip}`
  const text = `select ${columns}, ${ms('t.sorted_by')} as "sortedBy"${query.count ? `, (select count(*) ${from} and t.status = any(${statuses})) as total` : ''}
    from (${walks}) t ${joins} ${orderBy('t.sorted_by')}`

  // The statements everybody runs all day are prepared; the many shapes of a filter are planned for their own values.
  const isPlain = chosen.every((condition) => condition === notPaused)
  const isDaily = isPlain && skip === 0 && limit === pageSize && !query.count
  const rows = isDaily
    ? await reader.rows<Sorted<Row>>(prepare(text), values)
    : await runOnce<Sorted<Row>>(reader, text, values)
  const result = toPage<Sorted<Row>>(rows, limit, ({ id, sortedBy }) => [
    Number.isFinite(sortedBy) ? new Date(sortedBy).toISOString() : never,
    id,
  ])
  if (!query.count) return result
  if (rows[0] || (skip === 0 && !after)) return { ...result, count: rows[0]?.total ?? 0 }
  const { values: countValues, bind: again } = binding()
  const sameTenant = again(reader.tenantId)
  const counting = [
    isWorked,
    visibleTickets(viewer, { showAll: query.showAll }, again),
    ...filters(viewer, query, sameTenant, again),
  ]
  if (matches) counting.push(matchCondition(matches, again))
  const [row] = await runOnce<{ total: number }>(
    reader,
    `select count(*) as total from tickets t where t.tenant_id = ${sameTenant} and t.status = any(${again(query.status)}::text[]) and ${counting.join(' and ')}`,
    countValues,
  )
  return { ...result, count: row?.total ?? 0 }
}
type Sorted<Row> = Row & { sortedBy: number; total?: number }

/** An unnamed statement: parsed and planned for these values, then forgotten. */
const runOnce = <Row extends object>(reader: Reader, text: string, values: unknown[]): Promise<Row[]> =>
  reader.rows<Row>({ name: '', text }, values)

const never = 'infinity'
const cursorKey = z.tuple([z.union([moment, z.literal(never)]), id])
const placeAt = (cursor: string): Cursor => {
  const [key, id] = readCursor(cursor, cursorKey)
  return { key, id }
}

/**
 * Chosen connections, people, tags and lanes do not hold back groups that everybody sees; chosen queues and
 * "only unassigned" do. Own tickets pass like any other within the chosen queues.
 */
export const filters = (
  viewer: Viewer,
  query: TicketsFilter & Partial<TicketsQuery>,
  tenant: string,
  bind: Bind,
): string[] => {
  const chosen: string[] = []
  const all: string[] = []
  const ids = (list: string[]) => `any(${bind(list)}::uuid[])`
  if (query.whatsappIds.length) chosen.push(`t.connection_id = ${ids(query.whatsappIds)}`)
  if (query.selectedUser.length) chosen.push(`t.user_id = ${ids(query.selectedUser)}`)
  if (query.kanbanIds.length)
    chosen.push(
      `exists (select from contacts l where l.tenant_id = t.tenant_id and l.id = t.contact_id and l.lane_id = ${ids(query.kanbanIds)})`,
    )
  if (query.tagIds.length) {
    const tags = ids(query.tagIds)
    chosen.push(`(exists (select from ticket_tags l where l.tenant_id = t.tenant_id and l.ticket_id = t.id and l.tag_id = ${tags})
      or exists (select from contact_tags l where l.tenant_id = t.tenant_id and l.contact_id = t.contact_id and l.tag_id = ${tags}))`)
  }
  if (query.queuesIds.length) {
    const isChosen = `t.queue_id = ${ids(query.queuesIds)}`
    all.push(query.includeNotQueueDefined ? `(${isChosen} or t.queue_id is null)` : isChosen)
  } else if (!query.includeNotQueueDefined) all.push('t.queue_id is not null')
  if (query.isNotAssignedUser) all.push('t.user_id is null')

  if (chosen.length) {
    const narrowed = chosen.join(' and ')
    all.push(viewer.settings.mostrarGruposParaTodos ? `(t.is_group or (${narrowed}))` : narrowed)
  }
  if (query.withUnreadMessages) all.push('t.unread_messages > 0')
  const either = (wanted: boolean | undefined, condition: string) => {
    if (wanted !== undefined) all.push(wanted ? condition : `not (${condition})`)
  }
  // The few ids as an array: read by their keys, not looked for on a walk down the whole list.
  const oneOf = (ids: string) => `t.id = any(array(${ids}))`
  const ofMine = (table: string, which: string) =>
    oneOf(
      `select k.ticket_id from ${table} k where k.tenant_id = ${tenant} and k.user_id = ${bind(viewer.userId)} and ${which}`,
    )
  either(query.isGroup, 't.is_group')
  if (query.isPaused !== undefined) all.push(query.isPaused ? 't.paused_at is not null' : notPaused)
  either(query.isBot, isWithBot)
  either(query.isNotSent, isNotSent)
  if (query.isShared !== undefined) either(query.isShared, `${bind(viewer.userId)} = any(t.shared_with)`)
  if (query.isPinned !== undefined) either(query.isPinned, ofMine('ticket_marks', 'k.is_pinned'))
  if (query.isFollowed !== undefined) either(query.isFollowed, ofMine('ticket_marks', 'k.is_followed'))
  if (query.mentionsMe !== undefined) either(query.mentionsMe, ofMine('mentions', isStanding))
  either(
    query.hasSchedule,
    oneOf(`select a.id from schedules z join tickets a on a.tenant_id = z.tenant_id and a.connection_id = z.connection_id
      and a.contact_id = z.contact_id and a.status <> 'closed' where z.tenant_id = ${tenant} and z.state = 'pending'`),
  )
  if (query.priority.length) all.push(`t.priority = any(${bind(query.priority)}::text[])`)
  const midnight = (date: string, plus: number) =>
    `((${bind(date)}::date + ${plus})::timestamp at time zone ${bind(viewer.timezone)})`
  if (query.dateFrom) all.push(`t.created_at >= ${midnight(query.dateFrom, 0)}`)
  if (query.dateTo) all.push(`t.created_at < ${midnight(query.dateTo, 1)}`)
  if (query.contactId) all.push(`t.contact_id = ${bind(query.contactId)}`)
  return all
}

/** A note that was taken back calls nobody. Over `mentions k`. */
export const isStanding = `not exists (select from messages d where d.tenant_id = k.tenant_id and d.id = k.message_id and d.is_deleted)`
/** Put away for later: Abertos and Pendentes leave it out. */
export const notPaused = 't.paused_at is null'
export const isNotSent = 't.not_sent is not null'
/** An assistant or a flow answers, and no person. */
export const isWithBot = '(t.user_id is null and (t.bot is not null or t.chat_flow_id is not null))'

/**
 * Where hundreds are called so, the page is asked of those heard of last: where it ends later than anybody else was heard
 * of, nobody else is on it.
 */
const ofTheLastHeard = async <Row>(
  matches: Matches,
  query: TicketsQuery,
  after: Cursor | undefined,
  pageOf: (among: Matches) => Promise<Page<Sorted<Row>>>,
): Promise<Page<Row> | undefined> => {
  const { contactIds, heard, lastHeard } = matches
  if (contactIds === 'many' || query.sort !== 'recent' || query.orderAsc || query.count) return undefined
  const isAll = contactIds !== 'named'
  const wholeSince = isAll ? 0 : (heard.at(-1) ?? Infinity) + 1
  const first = Math.max(heard[lookedAtFirst] ?? 0, wholeSince)
  for (const start of isAll || first === wholeSince ? [first] : [first, wholeSince]) {
    const since = Math.min(start, after ? Math.floor(Date.parse(after.key) / monthMs) : Infinity)
    const some = heard.findIndex((month) => month < since)
    if (some <= 0 || since < wholeSince || (isAll && some > heard.length / 2)) return undefined
    const page = await pageOf({ ...matches, contactIds: lastHeard.slice(0, some) })
    const last = page.items.at(-1)
    if (page.hasMore && last && last.sortedBy >= since * monthMs) return page
  }
  return undefined
}
const lookedAtFirst = 100
/** As `month_of` counts them in the database. */
const monthMs = 2_592_000_000

/** `words`: what may be the words of a name. */
type Search = { pattern: string; words: string | null; protocol: string | null; isShort: boolean }
/**
 * Up to `few` contacts by index, up to `nameable` by index within the statement; more are so common that walking down the
 * list finds a page sooner. `lastHeard`: up to `few` of them, those heard of last first, each with the month of it in `heard`.
 */
type Matches = {
  contactIds: string[] | 'named' | 'many'
  lastHeard: string[]
  heard: number[]
  ticketIds: string[]
  pattern: string
  words: string | null
}
const few = 2_000
const nameable = 20_000
const fewMessages = 1_000
/**
 * The newest messages with the words are looked through for a moment, a shorter one the more contacts are called so, as
 * each costs a look at their tickets; where nothing else is found, for long.
 */
const messagesMs = 10
const contactsPerMs = 100
const messagesAloneMs = 2_500

const searchOf = (words: string): Search | undefined => {
  const clean = words.replaceAll('\0', '').trim()
  if (!clean) return undefined
  const digits = clean.replace(/\D/g, '')
  const isNumber = digits.length > 2 && /^[\d\s()+.\-/]+$/.test(clean)
  const term = isNumber ? digits : clean
  return {
    pattern: likePattern(term),
    words: isOfWords(term) ? term : null,
    protocol: isNumber && digits.length > 3 ? digits : null,
    isShort: !isIndexed(term),
  }
}

const matching: Prepared = {
  name: 'ticket_search',
  text: `with people as materialized (select id, heard from find_contacts($4, $1, case when $3 then 0 else ${few + 1} end)),
      named as materialized (select id, heard from find_contacts($4, $1, case when (select count(*) from people) > ${few} then ${nameable + 1} else 0 end)),
      latest as materialized (select id, coalesce(heard, 'infinity'::float8) as heard from people where (select count(*) from named) = 0
        union all select id, heard from named where heard is not null and (select count(*) from named) <= ${nameable}
        order by heard desc, id limit ${few}),
      protocols as materialized (select id from find_protocols($2, ${fewMessages}) where $2 is not null)
    select array(select id from latest order by heard desc, id) as "lastHeard", array(select heard from latest order by heard desc, id) as heard,
      (select count(*) from people)::int as people, (select count(*) from named)::int as named, array(select id from protocols) as protocols,
      exists (select from contact_words w where w.tenant_id = current_setting('app.tenant_id')::int
        and w.tail >= contact_text($4) and w.tail < contact_text($4) || chr(1114111)) as "isName",
      array(select ticket_id from find_messages($1, case when $3 then 0 else ${fewMessages} end,
        case when exists (select from people) or exists (select from protocols)
          then greatest(1, ${messagesMs} - (select count(*) from people)::int / ${contactsPerMs}) else ${messagesAloneMs} end)
        where id is not null) as "inMessages"`,
}
const findMatches = async (tx: Reader, { pattern, words, protocol, isShort }: Search): Promise<Matches> => {
  type Found = {
    lastHeard: string[]
    heard: number[]
    people: number
    named: number
    protocols: string[]
    inMessages: string[]
    isName: boolean
  }
  const [row] = await tx.rows<Found>(matching, [pattern, protocol, isShort, words])
  if (!row) throw new Error('A search without its row')
  const { lastHeard, heard, people, named, protocols, inMessages, isName } = row
  return {
    pattern,
    words: isName && !isShort ? words : null,
    // Fewer than three letters are in most names and no index knows them; messages are not searched for them.
    contactIds: isShort || named > nameable ? 'many' : people > few ? 'named' : lastHeard,
    lastHeard,
    heard,
    ticketIds: [...new Set([...protocols, ...inMessages])],
  }
}
const isHopeless = ({ contactIds, ticketIds }: Matches) => contactIds.length === 0 && !ticketIds.length

/** One look per ticket: written with `exists`, the planner would first read every contact there is. */
const matchCondition = ({ contactIds, ticketIds, pattern, words }: Matches, bind: Bind): string => {
  // Through `unnest`: of a list in the statement the planner would weigh every item.
  const oneOf = (ids: string[]) => `any(array(select unnest(${bind(ids)}::uuid[])))`
  const ways = [`t.id = ${oneOf(ticketIds)}`]
  if (contactIds === 'named')
    ways.push(`t.contact_id = any(array(select id from find_contacts(${bind(words)}, ${bind(pattern)}, ${nameable})))`)
  else if (contactIds !== 'many') ways.push(`t.contact_id = ${oneOf(contactIds)}`)
  else if (words) {
    const begin = `contact_text(${bind(words)})`
    ways.push(`coalesce((select true from contact_words w where w.tenant_id = t.tenant_id and w.contact_id = t.contact_id
      and w.tail >= ${begin} and w.tail < ${begin} || chr(1114111) limit 1), false)`)
  } else
    ways.push(
      `(select n.search from contacts n where n.tenant_id = t.tenant_id and n.id = t.contact_id) like norm(${bind(pattern)})`,
    )
  return `(${ways.join(' or ')})`
}
