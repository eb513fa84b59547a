import type { GroupActKind } from '@balcao/contract/channels/group-acts.ts'
import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import type { Page } from '@balcao/contract/common.ts'
import type { MemberRole } from '@balcao/contract/conversations/groups.ts'
import type { GroupRow, GroupsQuery } from '@balcao/contract/operations/group-list.ts'
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { likePattern, readCursor, toPage } from '../../../kit/cursor.ts'

const pageSize = 50
type Asked = Pick<GroupsQuery, 'searchParam' | 'connectionIds' | 'isAdmin' | 'withLeft'>

/** The groups our connections are in, by name as a person counts; each once for each connection. */
export const listGroups = ({ tenantId }: Pick<Actor, 'tenantId'>, query: GroupsQuery): Promise<Page<GroupRow>> =>
  withTenant(tenantId, async (tx) => {
    const { cursor, limit = pageSize } = query
    const after = cursor === undefined ? undefined : readCursor(cursor, cursorKey)
    const rows = await readRows(tx, {
      where: sql`${matching(query)} and ${after ? sql`${name} >= ${after[0]} and (${name}, p.id) > (${after[0]}, ${after[1]}::uuid)` : sql`true`}`,
      limit: limit + 1,
    })
    const page = toPage(rows, limit, ({ name, id }) => [name, id])
    return query.count ? { ...page, count: await countGroups(tx, query) } : page
  })
const cursorKey = z.tuple([z.string(), z.uuid()])

/** Which of the list's rows are meant: by their ids, or all that match. */
export const meantGroups = async (
  tx: Tx,
  asked: { ids: string[] } | { all: Asked } | { connectionId: string; groupIds: string[] },
): Promise<GroupRow[]> => {
  const where =
    'all' in asked
      ? matching(asked.all)
      : 'ids' in asked
        ? sql`p.id = any(${sql.param(asked.ids)}::uuid[])`
        : sql`p.connection_id = ${asked.connectionId} and p.group_id = any(${sql.param(asked.groupIds)}::uuid[])`
  return readRows(tx, { where, limit: mostMeant + 1 })
}
/** One more is read, so that whoever may not leave any out can say so. */
export const mostMeant = 5_000

/** The groups of a connection that can be written to: we are in them, and where only administrators write, are one. */
export const writableGroups = (tx: Tx, connectionId: string): Promise<GroupRow[]> =>
  readRows(tx, {
    where: sql`p.connection_id = ${connectionId} and p.left_at is null
      and (p.is_admins_only is not true or p.our_role in ('admin', 'owner'))`,
    limit: mostMeant,
  })

const matching = ({ searchParam, connectionIds, isAdmin, withLeft }: Asked): SQL =>
  sql.join(
    [
      sql`true`,
      ...(searchParam ? [sql`norm(c.name) like norm(${likePattern(searchParam)})`] : []),
      ...(connectionIds.length ? [sql`p.connection_id = any(${sql.param(connectionIds)}::uuid[])`] : []),
      ...(isAdmin ? [sql`p.our_role in ('admin', 'owner')`] : []),
      ...(withLeft ? [] : [sql`p.left_at is null`]),
    ],
    sql` and `,
  )

export const countGroups = async (tx: Tx, query: Asked): Promise<number> => {
  const { rows } = await tx.db.execute<{ count: number }>(
    sql`select count(*)::int as count ${from} where ${ofTenant} and ${matching(query)}`,
  )
  return rows[0]?.count ?? 0
}

const from = sql`from connection_groups p join contacts c on c.tenant_id = p.tenant_id and c.id = p.group_id and c.is_group and c.merged_into_id is null
  join connections x on x.tenant_id = p.tenant_id and x.id = p.connection_id and x.deleted_at is null`
const ofTenant = sql`p.tenant_id = current_setting('app.tenant_id')::int`

/** In the order in which a person counts: "Turma 2" stands before "Turma 10". */
const name = sql`c.name collate natural_order`

type Row = Omit<GroupRow, 'connection' | 'leftAt' | 'readAt'> & {
  connectionId: string
  connectionName: string
  kind: ChannelKind
  acts: GroupActKind[] | null
  ourRole: MemberRole | null
  leftAt: string | null
  readAt: string | null
}
const readRows = async (tx: Tx, { where, limit }: { where: SQL; limit: number }): Promise<GroupRow[]> => {
  const { rows } = await tx.db.execute<Row>(sql`
    select p.id, p.group_id as "groupId", c.name, c.profile_pic_url as "profilePicUrl", g.description,
      p.connection_id as "connectionId", x.name as "connectionName", x.kind, x.abilities->'groupActs' as acts,
      p.our_role as "ourRole", p.is_admins_only as "isAdminsOnly", p.invite_url as "inviteUrl", p.left_at as "leftAt",
      g.read_at as "readAt",
      (select count(*)::int from group_members m where m.tenant_id = p.tenant_id and m.contact_id = p.group_id and m.left_at is null) as members,
      (select t.id from tickets t where t.tenant_id = p.tenant_id and t.connection_id = p.connection_id and t.contact_id = p.group_id
        and t.status <> 'closed' limit 1) as "ticketId"
    ${from} left join groups g on g.tenant_id = p.tenant_id and g.contact_id = p.group_id
    where ${ofTenant} and ${where} order by ${name}, p.id limit ${limit}`)
  return rows.map(({ connectionId, connectionName, kind, acts, leftAt, readAt, ...row }) => ({
    ...row,
    connection: { id: connectionId, name: connectionName, kind, acts: acts ?? [] },
    leftAt: leftAt && new Date(leftAt).toISOString(),
    readAt: readAt && new Date(readAt).toISOString(),
  }))
}
