import {
  type BoardCard,
  type BoardKind,
  type BoardQuery,
  mostCounted,
  noColumn,
} from '@balcao/contract/contacts/board.ts'
import { and, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../../../db/database.ts'
import { likePattern, readCursor } from '../../../kit/cursor.ts'

export type ColumnRow = { id: string; name: string; color: string | null; limit: number | null }
/** The columns in their order. An inactive one stands as long as somebody is in it. */
export const findColumns = async (tx: Tx, by: BoardKind): Promise<ColumnRow[]> => {
  const { rows } = await tx.db.execute<ColumnRow>(
    by === 'kanban'
      ? sql`select l.id, l.name, l.color, l."limit" from lanes l where l.tenant_id = ${tx.tenantId} and (l.is_active
          or exists (select from contacts c where c.tenant_id = l.tenant_id and c.lane_id = l.id)) order by l.position, l.id`
      : sql`select t.id, t.name, t.color, null::int as "limit" from tags t where t.tenant_id = ${tx.tenantId} and (t.is_active
          or exists (select from contact_tags k where k.tenant_id = t.tenant_id and k.tag_id = t.id)) order by t.name, t.id`,
  )
  return rows
}

/** Who the board is narrowed to: all of them where they are few, and how it is asked of one. */
export type Members = { few: string[] | undefined; isMember: (id: SQL) => SQL }
type Place = {
  /** Contacts as `c`; of the column `f.id`, where there is one. */
  from: SQL
  where: SQL
  /** What the column is ordered by, newest first, along an index; beside the id, where that alone does not say it. */
  order: SQL | undefined
  /** The same cards, where nothing is asked of the contacts themselves. */
  counted?: { from: SQL; where: SQL }
}
const placeOf = ({ tenantId }: Tx, by: BoardKind, isNone: boolean): Place => {
  const mine = sql`c.tenant_id = ${tenantId} and c.merged_into_id is null`
  if (by === 'kanban')
    return isNone
      ? { from: sql`contacts c`, where: sql`${mine} and c.lane_id is null`, order: sql`c.created_at` }
      : { from: sql`contacts c`, where: sql`${mine} and c.lane_id = f.id`, order: sql`c.lane_at` }
  const tagged = sql`contact_tags k`
  const ofTag = sql`k.tenant_id = ${tenantId} and k.tag_id = f.id`
  return isNone
    ? {
        from: sql`contacts c`,
        where: sql`${mine} and exists (select from contact_summary a where a.tenant_id = ${tenantId} and a.contact_id = c.id and not a.is_tagged)`,
        order: sql`c.created_at`,
      }
    : {
        from: sql`${tagged} join contacts c on c.tenant_id = k.tenant_id and c.id = k.contact_id`,
        where: sql`${ofTag} and ${mine}`,
        // Ids are given out in the order of time: the index of tags holds them so.
        order: undefined,
        counted: {
          from: tagged,
          where: sql`${ofTag} and not exists (select from contacts m where m.tenant_id = ${tenantId} and m.merged_into_id is not null and m.id = k.contact_id)`,
        },
      }
}

export type CardKey = { column: string; id: string; key: string; total: number }
/**
 * Of each of these columns (`none`: the one of nobody) the next cards, one more than asked for, and how many there are, as
 * far as they are counted; a column without a card is not among them.
 */
export const findCards = async (
  tx: Tx,
  { visible, members }: { visible: SQL | undefined; members: Members | undefined },
  asked: BoardQuery,
  columns: string[] | typeof noColumn,
  limit: number,
): Promise<CardKey[]> => {
  const isNone = columns === noColumn
  const { from, where, order, counted } = placeOf(tx, asked.by, isNone)
  const id = order ? sql`c.id` : sql`k.contact_id`
  const { searchParam } = asked
  const narrowed = and(visible, searchParam ? sql`c.search like norm(${likePattern(searchParam)})` : undefined)
  if (members?.few) return placeFew(tx, { few: members.few, narrowed }, asked, columns, limit)
  const isMember = members?.isMember
  const filter = and(where, isMember?.(id), narrowed)
  const seen = asked.cursor ? beyond(order, asked.cursor) : undefined
  const all = counted && !narrowed ? { ...counted, where: and(counted.where, isMember?.(id)) } : { from, where: filter }
  const { rows } = await tx.db.execute<CardKey>(
    sql`select ${isNone ? sql`${noColumn}` : sql`f.id`} as column, p.id, p.key, n.total
      from ${isNone ? sql`(select) f` : sql`unnest(${sql.param(columns)}::uuid[]) f(id)`}
      cross join lateral (select c.id, to_char(${order ?? sql`c.created_at`} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as key from ${from}
        where ${and(filter, seen)} order by ${order ? sql`${order} desc, ` : sql``}${id} desc limit ${limit + 1}) p
      cross join lateral (select count(*)::int as total from (select from ${all.from} where ${all.where} limit ${mostCounted + 1}) m) n`,
  )
  return rows
}
/** The same of few people: all of them are read once, and put into their columns. */
const placeFew = async (
  { tenantId, db }: Tx,
  { few, narrowed }: { few: string[]; narrowed: SQL | undefined },
  { by, cursor }: BoardQuery,
  columns: string[] | typeof noColumn,
  limit: number,
): Promise<CardKey[]> => {
  const isNone = columns === noColumn
  const isTagged = by === 'tag' && !isNone
  const column = isNone ? sql`${noColumn}::text` : isTagged ? sql`k.tag_id::text` : sql`c.lane_id::text`
  const moment = by === 'kanban' && !isNone ? sql`c.lane_at` : sql`c.created_at`
  const here = isNone
    ? by === 'kanban'
      ? sql`c.lane_id is null`
      : sql`not exists (select from contact_tags k where k.tenant_id = ${tenantId} and k.contact_id = c.id)`
    : sql`${isTagged ? sql`k.tag_id` : sql`c.lane_id`} = any(${sql.param(columns)}::uuid[])`
  const [key, id] = cursor ? readCursor(cursor, cardKey) : []
  const seen = key
    ? isTagged
      ? sql`id < ${id}::uuid`
      : sql`(moment, id) < (${key}::timestamptz, ${id}::uuid)`
    : sql`true`
  const { rows } = await db.execute<CardKey>(
    sql`with theirs as materialized (select c.* from contacts c where ${and(sql`c.tenant_id = ${tenantId} and c.id = any(${sql.param(few)}::uuid[]) and c.merged_into_id is null`, narrowed)}),
      placed as (select ${column} as "column", c.id, ${moment} as moment, count(*) over (partition by ${column})::int as total
        from theirs c ${isTagged ? sql`join contact_tags k on k.tenant_id = ${tenantId} and k.contact_id = c.id` : sql``} where ${here})
      select "column", id, to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as key, total
      from (select *, row_number() over (partition by "column" order by ${isTagged ? sql`` : sql`moment desc, `}id desc) as place
        from placed where ${seen}) p where place <= ${limit + 1} order by "column", place`,
  )
  return rows
}
const cardKey = z.tuple([z.iso.datetime(), z.uuid()])
const beyond = (order: SQL | undefined, cursor: string) => {
  const [key, id] = readCursor(cursor, cardKey)
  return order ? sql`(${order}, c.id) < (${key}::timestamptz, ${id}::uuid)` : sql`k.contact_id < ${id}::uuid`
}

/** Cards by their ids, in no order. */
export const readCards = async (tx: Tx, ids: string[]): Promise<BoardCard[]> => {
  const of = (table: SQL, item: SQL, name: SQL) =>
    sql`coalesce((select jsonb_agg(${item} order by ${name}) from ${table}), '[]')`
  const { rows } = await tx.db.execute<Omit<BoardCard, 'lastMessageAt'> & { lastMessageAt: number | null }>(
    sql`select c.id, c.version, c.name, c.number, c.profile_pic_url as "profilePicUrl", c.is_group as "isGroup",
        c.business_name as "businessName", c.lane_id as kanban,
        (select nullif(round(date_part('epoch', a.last_message_at) * 1000), 0) from contact_activity a
          where a.tenant_id = c.tenant_id and a.contact_id = c.id) as "lastMessageAt",
        ${of(sql`contact_tags k join tags t on t.tenant_id = k.tenant_id and t.id = k.tag_id where k.tenant_id = c.tenant_id and k.contact_id = c.id`, sql`jsonb_build_object('id', t.id, 'name', t.name, 'color', t.color)`, sql`t.name`)} as tags,
        ${of(sql`contact_wallets w join users u on u.tenant_id = w.tenant_id and u.id = w.user_id where w.tenant_id = c.tenant_id and w.contact_id = c.id`, sql`jsonb_build_object('id', u.id, 'name', u.name)`, sql`u.name`)} as wallets
      from contacts c where c.tenant_id = ${tx.tenantId} and c.id = any(${sql.param(ids)}::uuid[])`,
  )
  return rows.map((row) => ({
    ...row,
    lastMessageAt: row.lastMessageAt === null ? null : new Date(row.lastMessageAt).toISOString(),
  }))
}
