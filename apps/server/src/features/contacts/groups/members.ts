import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type { MemberRole } from '@balcao/contract/conversations/groups.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import type { Participant, Speaker } from '../../../channels/adapter.ts'
import { memberId } from '../../../channels/members.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { cleanText } from '../../../kit/text.ts'
import { normalizeIdentities } from '../contacts/identify.ts'

/** Everything somebody is known by, in one form. */
export const keysOf = (identities: Identity[]) =>
  normalizeIdentities(identities).map(({ kind, value }) => `${kind}:${value}`)

/** The whole list, as the channel told it when it was asked at `at`; what changed since then stays. */
export const storeMembers = async (
  tx: Tx,
  groupId: string,
  { members, description, at }: { members: Participant[]; description?: string; at: Date },
) => {
  const told = members.slice(0, mostMembers).map(({ id, name, isAdmin, isOwner, identities }) => ({
    member_id: cutText(cleanText(id), 120),
    keys: keysOf(identities),
    name: nameOf(name),
    role: isOwner ? 'owner' : isAdmin ? 'admin' : 'member',
  }))
  await tx.rows(storeAll, [
    tx.tenantId,
    groupId,
    JSON.stringify(told),
    at,
    description === undefined ? null : cutText(cleanText(description), 4_000),
  ])
}
/** More than any channel lets into a group. */
const mostMembers = 5_000
const nameOf = (name: string | null | undefined) => (name ? cutText(cleanText(name).trim(), 120) || null : null)

/**
 * What became of them in the group. One already known by another of their ids stays one. True where somebody nobody knows
 * was told by an id that hides their phone: they may be there already, by their phone alone.
 */
export const changeMembers = async (
  tx: Tx,
  groupId: string,
  { change, members, at }: { change: 'joined' | 'left' | 'promoted' | 'demoted'; members: Speaker[]; at: Date },
): Promise<boolean> => {
  if (!members.length) return false
  const role: MemberRole = change === 'promoted' ? 'admin' : 'member'
  const stored = await tx.rows<{ isNew: boolean; keys: string[] }>(storeSome, [
    ...[tx.tenantId, groupId, JSON.stringify(members.map(asTold)), role, at, change === 'left'],
  ])
  return stored.some(({ isNew, keys }) => isNew && keys.every((key) => key.startsWith('lid:')))
}
const asTold = ({ identities, name }: Speaker) => ({
  member_id: memberId(identities[0]),
  keys: keysOf(identities),
  name: nameOf(name),
})

/** Whoever speaks in a group is in it. True where somebody was not known to be. */
export const noteMembers = async (
  tx: Tx,
  said: { groupId: string; speaker: Speaker; at: Date }[],
): Promise<boolean> => {
  if (!said.length) return false
  const told = new Map(
    said.map(({ groupId, speaker, at }) => {
      const one = asTold(speaker)
      return [`${groupId} ${one.member_id}`, { ...one, group_id: groupId, at }]
    }),
  )
  return (await tx.rows(noteSome, [tx.tenantId, JSON.stringify([...told.values()])])).length > 0
}

/** Somebody new was seen in these groups: of those nobody has asked about, their channel is to tell everything. */
export const wantGroups = (tx: Tx, groupIds: string[]) => tx.rows(want, [tx.tenantId, groupIds])

/** Who is there is known in part only: their channel is to tell everything, soon, and of each at most once a minute. */
export const wantGroupsSoon = (tx: Tx, groupIds: string[]) => tx.rows(wantSoon, [tx.tenantId, groupIds])

export type StoredMember = {
  id: string
  keys: string[]
  name: string | null
  role: MemberRole
  contactId: string | null
  contactName: string | null
  profilePicUrl: string | null
}
export const readMembers = (tx: Tx, groupId: string) => tx.rows<StoredMember>(readAll, [tx.tenantId, groupId])

export const findMember = async (tx: Tx, groupId: string, id: string): Promise<StoredMember | undefined> => {
  const [found] = await tx.rows<StoredMember>(readOne, [tx.tenantId, groupId, id])
  return found
}

/** Which of these are in the group. */
export const areMembers = async (tx: Tx, groupId: string, ids: string[]): Promise<ReadonlySet<string>> =>
  new Set((await tx.rows<{ id: string }>(there, [tx.tenantId, groupId, ids])).map(({ id }) => id))

/** Whom these keys mean to the members of a group, in the order they were asked. */
export const findMeant = (tx: Tx, asked: { groupId: string | null; keys: string[] }[]) =>
  tx.rows<Pick<StoredMember, 'name' | 'contactName' | 'keys'>>(meant, [
    tx.tenantId,
    JSON.stringify(asked.map(({ groupId, keys }, n) => ({ n, group_id: groupId, keys }))),
  ])

export const identityOfKey = (key: string): Identity => {
  const at = key.indexOf(':')
  return { kind: key.slice(0, at) as Identity['kind'], value: key.slice(at + 1) } // written by `keysOf`
}

const columns = `g.member_id as id, g.keys, g.name, g.role, c.id as "contactId", c.name as "contactName", c.profile_pic_url as "profilePicUrl"`
/** The contact behind `keys`: one look-up each. */
const behind = (keys: string) => `left join lateral (
    select c.id, c.name, c.profile_pic_url from unnest(${keys}) k
      join contact_identities i on i.tenant_id = $1 and i.kind = split_part(k, ':', 1) and i.value = substr(k, strpos(k, ':') + 1)
      join contacts c on c.tenant_id = $1 and c.id = i.contact_id limit 1) c on true`
const readAll: Prepared = {
  name: 'group_members_read',
  text: `select ${columns} from group_members g ${behind('g.keys')}
    where g.tenant_id = $1 and g.contact_id = $2 and g.left_at is null`,
}
const readOne: Prepared = {
  name: 'group_member_read',
  text: `select ${columns} from group_members g ${behind('g.keys')}
    where g.tenant_id = $1 and g.contact_id = $2 and g.member_id = $3 and g.left_at is null`,
}
const want: Prepared = {
  name: 'groups_want',
  text: `insert into groups (tenant_id, contact_id, ask_at) select $1, id, now() from unnest($2::uuid[]) as g(id) on conflict do nothing`,
}
const wantSoon: Prepared = {
  name: 'groups_want_soon',
  text: `insert into groups as g (tenant_id, contact_id, ask_at)
    select $1, id, now() + interval '3 seconds' from unnest($2::uuid[]) as r(id)
    on conflict (tenant_id, contact_id) do update
      set ask_at = coalesce(least(g.ask_at, excluded.ask_at), greatest(excluded.ask_at, g.read_at + interval '1 minute'))`,
}
const there: Prepared = {
  name: 'group_members_there',
  text: `select member_id as id from group_members
    where tenant_id = $1 and contact_id = $2 and member_id = any($3::text[]) and left_at is null`,
}
const meant: Prepared = {
  name: 'group_members_meant',
  text: `select g.name, c.name as "contactName", coalesce(g.keys, r.keys) as keys
    from jsonb_to_recordset($2::jsonb) as r(n int, group_id uuid, keys text[])
    left join lateral (select g.name, g.keys from group_members g
      where g.tenant_id = $1 and g.contact_id = r.group_id and g.keys && r.keys order by g.left_at nulls first limit 1) g on true
    ${behind('coalesce(g.keys, r.keys)')}
    order by r.n`,
}

const storeAll: Prepared = {
  name: 'group_members_store',
  text: `with told as (
      select distinct on (member_id) * from jsonb_to_recordset($3::jsonb) as r(member_id text, keys text[], name text, role text)
    ), gone as (
      delete from group_members g where g.tenant_id = $1 and g.contact_id = $2 and g.told_at <= $4
        and not exists (select from told where told.member_id = g.member_id)
    ), kept as (
      insert into group_members (tenant_id, contact_id, member_id, keys, name, role, told_at)
      select $1, $2, member_id, keys, name, role, $4 from told
      on conflict (tenant_id, contact_id, member_id) do update set keys = excluded.keys,
        name = coalesce(excluded.name, group_members.name), role = excluded.role, told_at = excluded.told_at, left_at = null
        where group_members.told_at <= excluded.told_at
    )
    insert into groups (tenant_id, contact_id, description, read_at) values ($1, $2, $5, $4)
    on conflict (tenant_id, contact_id) do update set description = coalesce($5, groups.description), read_at = excluded.read_at`,
}

const joinedKeys = '(select array_agg(distinct k) from unnest(group_members.keys || excluded.keys) k)'
/** Providers count in whole seconds: of one second, the later notice wins. */
const storeSome: Prepared = {
  name: 'group_members_change',
  text: `insert into group_members (tenant_id, contact_id, member_id, keys, name, role, told_at, left_at)
    select distinct on (1, 2, 3) $1::int, $2::uuid, coalesce(g.member_id, r.member_id), r.keys, r.name, $4, $5::timestamptz,
      case when $6 then $5::timestamptz end
    from jsonb_to_recordset($3::jsonb) as r(member_id text, keys text[], name text)
    left join lateral (select g.member_id from group_members g
      where g.tenant_id = $1 and g.contact_id = $2 and g.keys && r.keys limit 1) g on true
    on conflict (tenant_id, contact_id, member_id) do update set keys = ${joinedKeys},
      name = coalesce(excluded.name, group_members.name), role = excluded.role, told_at = excluded.told_at, left_at = excluded.left_at
      where group_members.told_at < excluded.told_at + interval '1 second'
    returning keys, xmax = 0 as "isNew"`,
}
const noteSome: Prepared = {
  name: 'group_members_note',
  text: `insert into group_members (tenant_id, contact_id, member_id, keys, name, told_at)
    select distinct on (1, 2, 3) $1::int, r.group_id, coalesce(g.member_id, r.member_id), r.keys, r.name, r.at
    from jsonb_to_recordset($2::jsonb) as r(group_id uuid, member_id text, keys text[], name text, at timestamptz)
    left join lateral (select g.member_id, g.keys, g.left_at from group_members g
      where g.tenant_id = $1 and g.contact_id = r.group_id and g.keys && r.keys limit 1) g on true
    where g.member_id is null or g.left_at < r.at or not g.keys @> r.keys
    on conflict (tenant_id, contact_id, member_id) do update set keys = ${joinedKeys},
      left_at = case when group_members.left_at > excluded.told_at then group_members.left_at end
    returning member_id`,
}
