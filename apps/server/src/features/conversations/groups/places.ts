import { v7 } from 'uuid'
import type { Prepared, Tx } from '../../../db/database.ts'
import { emit } from '../../../kit/outbox.ts'
import { findOurselves } from './ourselves.ts'

/** A connection is in these groups, as far as is known; `isAdminsOnly` where its channel told. */
export const notePlaces = async (
  tx: Tx,
  connectionId: string,
  groups: { groupId: string; isAdminsOnly?: boolean }[],
) => {
  if (!groups.length) return
  const rows = groups.map(({ groupId, isAdminsOnly }) => ({ id: v7(), group_id: groupId, admins_only: isAdminsOnly }))
  await tx.rows(note, [tx.tenantId, connectionId, JSON.stringify(rows)])
}

/** What we are in these groups, by who is in them now; lists are told. */
export const refreshRoles = async (tx: Tx, connectionId: string, groupIds: string[]) => {
  if (!groupIds.length) return
  const { keys } = await findOurselves(tx, connectionId)
  await tx.rows(refresh, [tx.tenantId, connectionId, groupIds, keys])
  await tellGroups(tx, connectionId)
}

/** The same in every group of a connection, which has learned what it is called itself. */
export const refreshAllRoles = async (tx: Tx, connectionId: string) => {
  const groups = await tx.rows<{ groupId: string }>(groupsOf, [tx.tenantId, connectionId])
  await refreshRoles(
    tx,
    connectionId,
    groups.map(({ groupId }) => groupId),
  )
}

/** We came in, or are out. */
export const setLeft = async (tx: Tx, connectionId: string, groupId: string, at: Date | null) => {
  await tx.rows(leave, [tx.tenantId, connectionId, groupId, at])
  await tellGroups(tx, connectionId)
}

/** Why nothing can be written to a group over this connection, as far as is known; undefined where it can. */
export const silentBecause = async (tx: Tx, connectionId: string, groupId: string): Promise<string | undefined> => {
  const [place] = await tx.rows<{ isOut: boolean }>(silent, [tx.tenantId, connectionId, groupId])
  return place && (place.isOut ? 'Este número não está mais no grupo.' : onlyAdmins)
}
const onlyAdmins = 'Só administradores escrevem neste grupo, e este número não é um deles.'

export const tellGroups = (tx: Tx, connectionId: string) =>
  emit(tx, 'groups.changed', { connectionId }, { kind: 'permission', can: 'groups.read' })

const note: Prepared = {
  name: 'group_places_note',
  text: `insert into connection_groups (tenant_id, id, connection_id, group_id, is_admins_only)
    select $1, r.id, $2, r.group_id, r.admins_only from jsonb_to_recordset($3::jsonb) as r(id uuid, group_id uuid, admins_only boolean)
    on conflict (tenant_id, connection_id, group_id) do update set left_at = null,
      is_admins_only = coalesce(excluded.is_admins_only, connection_groups.is_admins_only)`,
}
const groupsOf: Prepared = {
  name: 'group_places_of',
  text: `select group_id as "groupId" from connection_groups where tenant_id = $1 and connection_id = $2 and left_at is null`,
}
const refresh: Prepared = {
  name: 'group_places_refresh',
  text: `update connection_groups p set our_role = (select g.role from group_members g
      where g.tenant_id = $1 and g.contact_id = p.group_id and g.keys && $4::text[] and g.left_at is null limit 1)
    where p.tenant_id = $1 and p.connection_id = $2 and p.group_id = any($3::uuid[])`,
}
const leave: Prepared = {
  name: 'group_places_leave',
  text: `update connection_groups set left_at = $4, our_role = case when $4::timestamptz is null then our_role end
    where tenant_id = $1 and connection_id = $2 and group_id = $3`,
}
const silent: Prepared = {
  name: 'group_places_silent',
  text: `select left_at is not null as "isOut" from connection_groups where tenant_id = $1 and connection_id = $2 and group_id = $3
    and (left_at is not null or (is_admins_only and our_role = 'member'))`,
}
