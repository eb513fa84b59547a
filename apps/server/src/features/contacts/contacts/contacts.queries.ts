import type { contactsQuery } from '@balcao/contract/contacts/contacts.ts'
import { plainIdentity } from '@balcao/contract/identity.ts'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../../../db/database.ts'
import { contactIdentities, contactTags, contactWallets } from '../../../db/schema/contacts/contacts.ts'
import { tags } from '../../../db/schema/contacts/tags.ts'
import { users } from '../../../db/schema/people/users.ts'
import { isIndexed, isOfWords, likePattern, readCursor } from '../../../kit/cursor.ts'
import { AppError } from '../../../kit/errors.ts'
import { countMembers, findFew } from '../membership/members.ts'
import { lookupOf, lookupsOf, type Part, readsContact, testOf } from '../membership/parts.ts'

export type ContactsQuery = z.output<typeof contactsQuery>
export type PageKey = { id: string; key: string }

const text = sql`c.search collate "C"`
/** What a list is ordered by, beside the id; the indexes of the tables are made of the same words. */
const orders = {
  name: text,
  createdAt: sql`c.created_at`,
  lastMessageAt: sql`c.last_message_at`,
}

/**
 * A common piece (5511) fills a page from this many rows down the list, long before the trigrams have told all its
 * matches; a rare one loses a millisecond.
 */
const nearbyRows = 1_500
/** Of a segment, so few on the way tell nothing of those behind them. */
const fewestNear = 3
/** One goes down the list until so many rows are looked up for it, or twice as many: they come unevenly. */
const worthLookups = 14_000
/** So many different words with one beginning are read each in its order; more are read together and sorted. */
const maxWords = 100

/** Whether who asks may look for a CPF or CNPJ. */
type Asked = ContactsQuery & { findsDocuments?: boolean }
/** Ids of a page and their keys, one more than the page, and the count of all when asked for. */
export const findPage = async (
  tx: Tx,
  { visible, segment }: { visible: SQL | undefined; segment: Part | undefined },
  asked: Asked,
  limit: number,
) => {
  const order = orders[asked.sort]
  const isText = asked.sort === 'name'
  const keyOf = (value: SQL) =>
    isText ? value : sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const direction = sql.raw(asked.direction)
  const way = await searched(tx, asked)
  const narrowed = and(
    visible,
    ...(segment
      ? [testOf(segment)]
      : [
          hasAny('contact_tags', 'tag_id', tx, asked.tagIds),
          hasAny('contact_wallets', 'user_id', tx, asked.walletIds),
          asked.kanbanIds.length ? sql`c.lane_id = any(${sql.param(asked.kanbanIds)}::uuid[])` : undefined,
        ]),
  )
  /** What narrows them looks at the whole contact: its words alone do not tell. */
  const isWhole = segment ? readsContact(segment) : asked.kanbanIds.length > 0
  const filters = and(way.matching, narrowed)
  const after = (key: string, id: string) => beyond({ key, id }, order, isText, asked.direction)
  const seen = asked.cursor ? after(...readKey(asked.cursor, isText)) : undefined
  const inOrder = sql`order by ${order} ${direction}, c.id ${direction}`
  const skip = asked.cursor ? 0 : (asked.pageNumber - 1) * limit
  const readPage = async (from: SQL, where: SQL | undefined, most = limit + 1) => {
    const { rows } = await tx.db.execute<PageKey>(
      sql`select c.id, ${keyOf(order)} as key from ${from} where ${where ?? sql`true`} ${inOrder} limit ${most} offset ${skip}`,
    )
    return rows
  }
  const ofWords = (words: string[] | 'all', term: string) => {
    const all = sql`from (select x.contact_id as id, x.search, x.tail, x.word from contact_words x where x.tenant_id = ${tx.tenantId}) c`
    const here = and(narrowed, seen)
    if (words === 'all')
      return sql`(select distinct c.id, c.search ${all} where ${and(begins(sql`c.tail`, term), here)}) c`
    return sql`(select distinct f.id, f.search from unnest(${sql.param(words)}::text[]) w(word) cross join lateral (
      select c.id, c.search ${all} where ${and(sql`c.word = w.word`, here)} ${inOrder} limit ${limit + 1 + skip}) f) c`
  }
  const isAll = !asked.searchParam
  const readDown = (rowsDown: number, from = seen, most = limit + 1) =>
    readPage(
      sql`(select ${isText && !isWhole ? sql`c.id, c.search` : sql`c.*`} from ${everybody(tx, asked.sort)}
    where ${and(sql`c.tenant_id = ${tx.tenantId} and c.merged_into_id is null`, from)} ${inOrder} limit ${rowsDown}) c`,
      and(way.isMatch, narrowed),
      most,
    )
  /** Goes down the list for a segment as long as it is worth it: fewer than a page where there may be more. */
  const walk = async (part: Part): Promise<PageKey[]> => {
    const worthRows = worthLookups / lookupsOf(part)
    let found: PageKey[] = []
    let rows = 0
    for (let step = Math.max(nearbyRows, limit * 10); ; ) {
      const last = skip ? undefined : found.at(-1)
      rows += step
      found = last
        ? [...found, ...(await readDown(step, after(last.key, last.id), limit + 1 - found.length))]
        : await readDown(rows)
      const missing = limit + 1 - found.length
      if (missing <= 0) return found
      // Where some are near, the others are not far. Few tell nothing of those behind them: the same again, ten times.
      const isKnown = found.length >= fewestNear
      const toCome = isKnown ? (rows / found.length) * missing : rows * 9
      if (rows + toCome > worthRows) return found
      step = Math.ceil(isKnown ? toCome * 2 : toCome)
    }
  }
  const readMembers = async (part: Part): Promise<PageKey[]> => {
    const walked = await walk(part)
    if (walked.length > limit) return walked
    // A segment of few is read and put in order; one of many is met on the way down, looked up in all its ids.
    const few = await findFew(tx, part, visible)
    const isMember = few ? sql`c.id = any(${sql.param(few)}::uuid[])` : and(visible, lookupOf(part))
    return readPage(way.source, and(way.matching, isMember, seen))
  }
  const readFound = async () => {
    const near = way.isMatch && (await readDown(Math.max(nearbyRows, limit * 10)))
    if (near && near.length > limit) return near
    if (way.words && !isWhole && !segment) return readPage(ofWords(way.words, asked.searchParam), undefined)
    return readPage(way.source, and(filters, seen))
  }
  const rows = segment && isAll ? await readMembers(segment) : await readFound()
  if (!asked.count) return { keys: rows, count: undefined }
  if (segment && isAll) return { keys: rows, ...(await countMembers(tx, segment, visible)) }
  const counted = await tx.db.execute<{ count: number }>(
    sql`select count(*)::int as count from ${way.source} where ${filters ?? sql`true`}`,
  )
  return { keys: rows, count: counted.rows[0]?.count ?? 0 }
}

/** Contacts as `c`, with what they are ordered by. */
const everybody = ({ tenantId }: Tx, sort: ContactsQuery['sort']) =>
  sort === 'lastMessageAt'
    ? sql`(select c.*, l.last_message_at from contact_activity l join contacts c on c.tenant_id = l.tenant_id and c.id = l.contact_id
        where l.tenant_id = ${tenantId}) c`
    : sql`contacts c`

/** How to find them: `words` to be read each in the order of the list, else `isMatch` down the list, else all of `source`. */
type Way = { source: SQL; matching: SQL; isMatch?: SQL; words?: string[] | 'all' }

/**
 * Three letters or more are found where a word begins so; where none does, anywhere, by trigrams. One or two only where
 * the name begins.
 */
const searched = async (tx: Tx, { searchParam, sort, findsDocuments }: Asked): Promise<Way> => {
  const { tenantId } = tx
  const all = everybody(tx, sort)
  const mine = sql`c.tenant_id = ${tenantId} and c.merged_into_id is null`
  const { term, isPhone } = termOf(searchParam)
  if (!term) return { source: all, matching: mine }
  if (!isIndexed(term))
    return {
      source: all,
      matching: sql`${mine} and ${text} >= norm(${term}) and ${text} < norm(${term}) || chr(1114111)`,
    }
  const among = (ids: SQL) => sql`(select c.* from ${all} where ${mine} and c.id = any(array(${ids}))) c`
  const documents = findsDocuments ? await withDocument(tx, searchParam) : []
  if (documents.length) {
    const ids = sql`select unnest(${sql.param(documents)}::uuid[]) union select f.id from search_contacts(${likePattern(term)}) f`
    return { source: among(ids), matching: sql`true` }
  }
  const words = isOfWords(term) ? await wordsLike(tx, term) : []
  if (words.length) {
    const isCalledSo = sql`x.tenant_id = ${tenantId} and ${begins(sql`x.tail`, term)}`
    const source = among(sql`select x.contact_id from contact_words x where ${isCalledSo}`)
    if (sort !== 'name')
      return {
        source,
        matching: sql`true`,
        isMatch: sql`exists (select from contact_words x where x.contact_id = c.id and ${isCalledSo})`,
      }
    const isOneWord = !/[^\p{L}\p{N}]/u.test(term)
    return { source, matching: sql`true`, words: isOneWord && words.length <= maxWords ? words : 'all' }
  }
  const pattern = likePattern(term)
  return {
    source: among(sql`select f.id from search_contacts(${pattern}) f`),
    matching: sql`true`,
    isMatch: isPhone ? undefined : sql`c.search like norm(${pattern})`,
  }
}

/**
 * Digits without what people write between them. So many are a phone's and few have them: the database tries them as
 * typed, then without the zeros in front, which fewer digits lose here.
 */
const termOf = (searchParam: string): { term: string; isPhone: boolean } => {
  if (!/^(?=.*\d)[\d\s()+.-]{4,}$/.test(searchParam)) return { term: searchParam, isPhone: false }
  const digits = searchParam.replace(/\D/g, '')
  const bare = digits.replace(/^0+/, '')
  const isPhone = digits.length >= 7 && isIndexed(bare)
  return { term: isPhone ? digits : bare, isPhone }
}

/** What may be the beginning of a CPF or CNPJ, with or without its marks: whose it is. */
const withDocument = async (tx: Tx, searchParam: string): Promise<string[]> => {
  const plain = plainIdentity(searchParam)
  if (!/^\d[\dA-Z]{5,13}$/.test(plain) || !/\d{3}/.test(plain)) return []
  const { rows } = await tx.db.execute<{
    id: string
  }>(sql`select c.id from contacts c where c.tenant_id = ${tx.tenantId}
    and c.document collate "C" >= ${plain} and c.document collate "C" < ${plain} || chr(1114111) limit ${maxDocuments}`)
  return rows.map(({ id }) => id)
}
const maxDocuments = 200

/** The different words that begin so, one step of the index each; of several words, whether anybody is called so. */
const wordsLike = async (tx: Tx, term: string): Promise<string[]> => {
  const mine = sql`x.tenant_id = ${tx.tenantId}`
  const next = sql`x.word < contact_text(${term}) || chr(1114111) order by x.word limit 1`
  const { rows } = await tx.db.execute<{ word: string }>(sql`with recursive words as (
      (select x.word from contact_words x where ${mine} and x.word >= contact_text(${term}) and ${next})
      union all
      select (select x.word from contact_words x where ${mine} and x.word > words.word and ${next}) from words where words.word is not null)
    (select word from words where word is not null limit ${maxWords + 1})
    union all
    select contact_text(${term}) where position(' ' in contact_text(${term})) > 0 and exists (select from contact_words x where ${mine} and ${begins(sql`x.tail`, term)})`)
  return rows.map(({ word }) => word)
}
const begins = (tail: SQL, term: string) =>
  sql`${tail} >= contact_text(${term}) and ${tail} < contact_text(${term}) || chr(1114111)`

const hasAny = (
  table: 'contact_tags' | 'contact_wallets',
  column: 'tag_id' | 'user_id',
  { tenantId }: Tx,
  ids: string[],
) =>
  ids.length
    ? sql`exists (select from ${sql.raw(table)} x where x.tenant_id = ${tenantId} and x.contact_id = c.id
        and x.${sql.raw(column)} in (${sql.join(
          ids.map((id) => sql`${id}::uuid`),
          sql`, `,
        )}))`
    : undefined

const readKey = (cursor: string, isText: boolean) =>
  readCursor(cursor, z.tuple([isText ? z.string() : z.iso.datetime(), z.uuid()]))
const beyond = ({ key, id }: PageKey, order: SQL, isText: boolean, direction: 'asc' | 'desc') => {
  const seen = isText ? sql`${key}::text` : sql`${key}::timestamptz`
  return sql`(${order}, c.id) ${sql.raw(direction === 'asc' ? '>' : '<')} (${seen}, ${id}::uuid)`
}

export const findByPhone = async (tx: Tx, visible: SQL | undefined, phone: string): Promise<string[]> => {
  const { rows } = await tx.db.execute<{ id: string }>(
    sql`select c.id from contact_identities i join contacts c on c.tenant_id = i.tenant_id and c.id = i.contact_id
      where ${and(sql`i.tenant_id = ${tx.tenantId} and i.kind = 'phone' and i.value = ${phone}`, visible)}`,
  )
  return rows.map((row) => row.id)
}

export const saveIdentity = async (tx: Tx, contactId: string, phone: string, old: string | null) => {
  if (old) await dropPhone(tx, contactId, old)
  if (!phone) return
  // It may be the contact's already: a number a merge brought. Of anybody else it is not to be had.
  const { rows } = await tx.db.execute(sql`insert into contact_identities as i (tenant_id, kind, value, contact_id)
    values (${tx.tenantId}, 'phone', ${phone}, ${contactId})
    on conflict (tenant_id, kind, value) do update set contact_id = excluded.contact_id where i.contact_id = excluded.contact_id
    returning value`)
  if (rows.length === 0) throw new AppError('ERR_DUPLICATED')
}
const dropPhone = (tx: Tx, contactId: string, phone: string) =>
  tx.db
    .delete(contactIdentities)
    .where(
      and(
        eq(contactIdentities.tenantId, tx.tenantId),
        eq(contactIdentities.kind, 'phone'),
        eq(contactIdentities.value, phone),
        eq(contactIdentities.contactId, contactId),
      ),
    )

/** Deletes a contact with those that had become part of it: they exist only to become two again. */
export const deleteWithMerged = (tx: Tx, id: string) =>
  tx.db.execute(sql`with recursive gone as (
      select c.id from contacts c where c.tenant_id = ${tx.tenantId} and c.id = ${id}::uuid
      union select c.id from gone g join contacts c on c.tenant_id = ${tx.tenantId} and c.merged_into_id = g.id
    ) delete from contacts c using gone g where c.tenant_id = ${tx.tenantId} and c.id = g.id`)

/** Makes the phones a contact is known by exactly these. */
export const replacePhones = async (tx: Tx, contactId: string, phones: string[]) => {
  await tx.db.execute(sql`delete from contact_identities where tenant_id = ${tx.tenantId} and contact_id = ${contactId}
    and kind = 'phone' and value <> all(${sql.param(phones)}::text[])`)
  for (const phone of phones) await saveIdentity(tx, contactId, phone, null)
}

/** Makes the set of tags exactly this; false when one of them is not there. */
export const replaceTags = async (tx: Tx, contactId: string, tagIds: string[]): Promise<boolean> => {
  const { tenantId } = tx
  await tx.db.delete(contactTags).where(and(eq(contactTags.tenantId, tenantId), eq(contactTags.contactId, contactId)))
  if (tagIds.length === 0) return true
  const found = await tx.db
    .select({ tagId: tags.id })
    .from(tags)
    .where(and(eq(tags.tenantId, tenantId), inArray(tags.id, tagIds)))
  if (found.length < new Set(tagIds).size) return false
  await tx.db.insert(contactTags).values(found.map(({ tagId }) => ({ tenantId, contactId, tagId })))
  return true
}

/** Makes the set of owners exactly this; false when one of them does not work here. */
export const replaceWallets = async (tx: Tx, contactId: string, userIds: string[]): Promise<boolean> => {
  const { tenantId } = tx
  await tx.db
    .delete(contactWallets)
    .where(and(eq(contactWallets.tenantId, tenantId), eq(contactWallets.contactId, contactId)))
  if (userIds.length === 0) return true
  const found = await tx.db
    .select({ userId: users.id })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), inArray(users.id, userIds), sql`${users.deletedAt} is null`))
  if (found.length < new Set(userIds).size) return false
  await tx.db.insert(contactWallets).values(found.map(({ userId }) => ({ tenantId, contactId, userId })))
  return true
}
