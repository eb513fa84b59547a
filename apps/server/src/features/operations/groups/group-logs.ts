import type { Page } from '@balcao/contract/common.ts'
import {
  type GroupLog,
  type GroupLogsQuery,
  groupLogStateLabels,
  groupLogsQuery,
  groupRuleLabels,
  type WordAction,
} from '@balcao/contract/operations/group-rules.ts'
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { type CsvColumn, momentText } from '../../../kit/csv.ts'
import { likePattern, readCursor, toPage } from '../../../kit/cursor.ts'
import { type Erased, erasedName } from '../../contacts/contacts/erase.ts'
import { phoneIn } from '../../contacts/groups/names.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { defineCsvExport } from '../../core/jobs/csv-export.ts'

const pageSize = 50

/** What the rules did or are about to do, newest first. */
export const listGroupLogs = ({ tenantId }: Pick<Actor, 'tenantId'>, query: GroupLogsQuery): Promise<Page<GroupLog>> =>
  withTenant(tenantId, async (tx) => {
    const matching = await matchingIn(tx, query)
    const { cursor, limit = pageSize } = query
    const after = cursor === undefined ? undefined : readCursor(cursor, cursorKey)
    const where = sql`${matching} and ${after ? sql`(l.created_at, l.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql`true`}`
    const { rows } = await tx.db.execute<Row>(sql`
      select l.id, l.kind, l.action, l.why, l.group_id as "groupId", c.name as "groupName", l.connection_id as "connectionId",
        x.name as "connectionName", l.member_name as "memberName", l.member_keys as "memberKeys", l.state, l.problem,
        l.created_at as "createdAt", l.done_at as "doneAt"
      ${from} where ${ofTenant} and ${where} order by l.created_at desc, l.id desc limit ${limit + 1}`)
    const page = toPage(rows, limit, (row) => [new Date(row.createdAt).toISOString(), row.id])
    const items = page.items.map(presented)
    return query.count ? { ...page, items, count: await countLogs(tx, query) } : { ...page, items }
  })
const cursorKey = z.tuple([z.iso.datetime(), z.uuid()])

type Row = Pick<GroupLog, 'id' | 'kind' | 'why' | 'state' | 'problem'> & {
  action: WordAction | null
  groupId: string
  groupName: string
  connectionId: string
  connectionName: string
  memberName: string
  memberKeys: string[]
  createdAt: string
  doneAt: string | null
}
const presented = ({
  action,
  groupId,
  groupName,
  connectionId,
  connectionName,
  memberName,
  memberKeys,
  ...row
}: Row): GroupLog => ({
  ...row,
  what: whatOf(row.kind, action),
  group: { id: groupId, name: groupName },
  connection: { id: connectionId, name: connectionName },
  member: { name: memberName, number: phoneIn(memberKeys) ?? null },
  createdAt: new Date(row.createdAt).toISOString(),
  doneAt: row.doneAt && new Date(row.doneAt).toISOString(),
})
const whatOf = (kind: GroupLog['kind'], action: WordAction | null): string => {
  if (kind === 'ban') return 'Remover do grupo'
  if (kind === 'greeting') return 'Saudar'
  if (kind === 'farewell') return 'Despedir-se'
  if (action === 'remove') return 'Apagar e remover'
  return action === 'delete' ? 'Apagar a mensagem' : 'Avisar'
}

const from = sql`from group_logs l join contacts c on c.tenant_id = l.tenant_id and c.id = l.group_id
  join connections x on x.tenant_id = l.tenant_id and x.id = l.connection_id`
const ofTenant = sql`l.tenant_id = current_setting('app.tenant_id')::int`
const matchingIn = async (tx: Tx, query: GroupLogsQuery): Promise<SQL> => {
  const { searchParam, kinds, states, connectionIds, groupId, dateFrom, dateTo } = query
  const { timezone } = await getDirectory(tx.tenantId)
  return sql.join(
    [
      sql`true`,
      ...(searchParam
        ? [sql`norm(l.member_name || ' ' || l.why || ' ' || c.name) like norm(${likePattern(searchParam)})`]
        : []),
      ...(kinds.length ? [sql`l.kind = any(${sql.param(kinds)}::text[])`] : []),
      ...(states.length ? [sql`l.state = any(${sql.param(states)}::text[])`] : []),
      ...(connectionIds.length ? [sql`l.connection_id = any(${sql.param(connectionIds)}::uuid[])`] : []),
      ...(groupId ? [sql`l.group_id = ${groupId}`] : []),
      ...(dateFrom ? [sql`l.created_at >= ${dateFrom}::date::timestamp at time zone ${timezone}`] : []),
      ...(dateTo ? [sql`l.created_at < (${dateTo}::date + 1)::timestamp at time zone ${timezone}`] : []),
    ],
    sql` and `,
  )
}
const countLogs = async (tx: Tx, query: GroupLogsQuery): Promise<number> => {
  const { rows } = await tx.db.execute<{ count: number }>(
    sql`select count(*)::int as count ${from} where ${ofTenant} and ${await matchingIn(tx, query)}`,
  )
  return rows[0]?.count ?? 0
}

const columnsIn = (timeZone: string): CsvColumn<GroupLog>[] => [
  { label: 'Quando', value: ({ createdAt }) => momentText(timeZone)(createdAt) },
  { label: 'Regra', value: (row) => groupRuleLabels[row.kind] },
  { label: 'O que', value: (row) => row.what },
  { label: 'Por quê', value: (row) => row.why },
  { label: 'Grupo', value: (row) => row.group.name },
  { label: 'Canal', value: (row) => row.connection.name },
  { label: 'Pessoa', value: (row) => row.member.name },
  { label: 'Telefone', value: (row) => row.member.number },
  { label: 'Situação', value: (row) => groupLogStateLabels[row.state] },
  { label: 'Observação', value: (row) => row.problem },
]
export const groupLogsExport = defineCsvExport({
  kind: 'exportGroupLogs',
  can: 'groups.read',
  params: groupLogsQuery,
  file: 'registro-dos-grupos',
  columns: ({ timezone }) => columnsIn(timezone),
  count: ({ tenantId }, query) => withTenant(tenantId, (tx) => countLogs(tx, query)),
  read: listGroupLogs,
  audit: () => ({ action: 'groupLog.exported', entity: 'groupLog', entityId: 'all', after: {} }),
})

/** Who is to be forgotten stays here as somebody; a ban names a number on purpose and stays. */
export const eraseFromGroups = async (tx: Tx, { keys }: Erased): Promise<void> => {
  await tx.rows(silence, [tx.tenantId, keys, erasedName])
  await tx.rows(silenceActs, [tx.tenantId, keys.flatMap((key) => (key.startsWith('phone:') ? key.slice(6) : []))])
}
const silence = {
  name: 'erase_group_logs',
  text: `update group_logs set member_name = $3, member_keys = '{}' where tenant_id = $1 and member_keys && $2::text[]`,
}
/** Numbers in what was asked of groups and what became of it. */
const silenceActs = {
  name: 'erase_group_acts',
  text: `update group_act_rows set people = (
        select coalesce(jsonb_agg(case when p->>'number' = any($2::text[]) then p || '{"number":""}' else p end), '[]')
        from jsonb_array_elements(people) p),
      act = case when act ? 'numbers' then act || jsonb_build_object('numbers', (select coalesce(jsonb_agg(n), '[]')
        from jsonb_array_elements_text(act->'numbers') n where n <> all($2::text[]))) else act end,
      undo = case when undo ? 'numbers' then undo || jsonb_build_object('numbers', (select coalesce(jsonb_agg(n), '[]')
        from jsonb_array_elements_text(undo->'numbers') n where n <> all($2::text[]))) else undo end
    where tenant_id = $1 and (act->'numbers' ?| $2::text[] or undo->'numbers' ?| $2::text[])`,
}
