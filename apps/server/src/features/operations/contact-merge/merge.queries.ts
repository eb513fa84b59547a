import type { TicketRow } from '@balcao/contract/conversations/ticket-row.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { eq } from 'drizzle-orm'
import type { Prepared, Tx } from '../../../db/database.ts'
import { contactFields } from '../../../db/schema/contacts/contacts.ts'
import { contactMerges } from '../../../db/schema/contacts/merges.ts'
import { nameTickets, ticketColumns, ticketJoins } from '../../conversations/tickets/ticket-rows.ts'
import type { MergedValues } from './merge-plan.ts'

const run = async <Row extends object = { id: string }>(tx: Tx, name: string, text: string, values: unknown[]) =>
  tx.rows<Row>({ name: `merge_${name}`, text }, [tx.tenantId, ...values])
const idsOf = (rows: { id: string }[]) => rows.map((row) => row.id)

/**
 * Tickets before contacts, like whoever stores a message: they hold a ticket and then ask for its contact. In the
 * order of the pipe, so that two never wait for each other.
 */
export const lockTickets = (tx: Tx, kept: string, other: string) =>
  run(
    tx,
    'lock_tickets',
    `select id from tickets where tenant_id = $1 and (contact_id = $3 or contact_id = $2 and status <> 'closed')
      order by id for no key update`,
    [kept, other],
  )
export const lockTicketsById = (tx: Tx, ids: string[]) =>
  run(
    tx,
    'lock_tickets_by_id',
    'select id from tickets where tenant_id = $1 and id = any($2::uuid[]) order by id for no key update',
    [ids],
  )

/** What is going on with the contact since then. */
export const begunSince = async (tx: Tx, contactId: string, since: Date) =>
  idsOf(
    await run(
      tx,
      'begun_since',
      `select id from tickets where tenant_id = $1 and contact_id = $2 and created_at > $3 and status <> 'closed' order by id`,
      [contactId, since],
    ),
  )

export type LockedContact = Omit<MergedValues, 'lastMessageAt'> & {
  id: string
  isGroup: boolean
  mergedIntoId: string | null
  lastMessageAt: Date | null
}
/** Alone with them until the transaction ends: whatever would newly refer to one waits (trigger `refuse_merged`). */
export const lockContacts = async (tx: Tx, ids: string[]) => {
  await run(
    tx,
    'lock_births',
    'select pg_advisory_xact_lock(k) from (select lock_of_contact($1::int, c) as k from unnest($2::uuid[]) c order by 1) locks',
    [ids],
  )
  return run<LockedContact>(
    tx,
    'lock_contacts',
    `select id, name, is_name_fixed as "isNameFixed", number, email, business_name as "businessName", document, address, lane_id as "laneId", is_bot_blocked as "isBotBlocked", birthday_date::text as "birthdayDate", profile_pic_url as "profilePicUrl", notes, is_group as "isGroup",
      extra_info as "extraInfo", (select nullif(l.last_message_at, 'epoch') from contact_activity l where l.tenant_id = $1 and l.contact_id = contacts.id) as "lastMessageAt",
      merged_into_id as "mergedIntoId"
      from contacts where tenant_id = $1 and id = any($2::uuid[]) order by id for no key update`,
    [ids],
  )
}

export const valuesOf = (contact: LockedContact): MergedValues => ({
  name: contact.name,
  isNameFixed: contact.isNameFixed,
  number: contact.number,
  email: contact.email,
  businessName: contact.businessName,
  document: contact.document,
  address: contact.address,
  laneId: contact.laneId,
  isBotBlocked: contact.isBotBlocked,
  birthdayDate: contact.birthdayDate,
  profilePicUrl: contact.profilePicUrl,
  notes: contact.notes,
  extraInfo: contact.extraInfo,
  lastMessageAt: contact.lastMessageAt?.toISOString() ?? null,
})

export type ConflictRow = { connectionId: string; connectionName: string; keptTicketId: string; otherTicketId: string }
/** Connections over which both have an active ticket. */
export const findConflicts = (tx: Tx, kept: string, other: string) =>
  run<ConflictRow>(
    tx,
    'conflicts',
    `select x.id as "connectionId", x.name as "connectionName", a.id as "keptTicketId", b.id as "otherTicketId"
      from tickets a join tickets b on b.tenant_id = $1 and b.connection_id = a.connection_id and b.contact_id = $3 and b.status <> 'closed'
      join connections x on x.tenant_id = $1 and x.id = a.connection_id
      where a.tenant_id = $1 and a.contact_id = $2 and a.status <> 'closed' order by x.name`,
    [kept, other],
  )

export type Counts = { tickets: number; schedules: number; tasks: number }
export const countOf = async (tx: Tx, contactId: string): Promise<Counts> => {
  const [counts] = await run<Counts>(
    tx,
    'counts',
    `select (select count(*)::int from tickets where tenant_id = $1 and contact_id = $2) as tickets,
      (select count(*)::int from schedules where tenant_id = $1 and contact_id = $2 and state = 'pending') as schedules,
      (select count(*)::int from tasks where tenant_id = $1 and contact_id = $2) as tasks`,
    [contactId],
  )
  return counts ?? { tickets: 0, schedules: 0, tasks: 0 }
}

/** Names the company gives its own fields, by key. */
export const fieldNames = async (tx: Tx): Promise<Map<string, string>> => {
  const rows = await tx.db
    .select({ key: contactFields.key, name: contactFields.name })
    .from(contactFields)
    .where(eq(contactFields.tenantId, tx.tenantId))
  return new Map(rows.map((row) => [row.key, row.name]))
}

/** The active tickets among these, as people see them. */
export const readActive = async (tx: Tx, ids: string[]): Promise<Ticket[]> => {
  const rows = await tx.rows<TicketRow>(activeByIds, [tx.tenantId, ids])
  return nameTickets(tx, rows)
}
const activeByIds: Prepared = {
  name: 'merge_active_tickets',
  text: `select ${ticketColumns} from tickets t ${ticketJoins} where t.tenant_id = $1 and t.id = any($2::uuid[]) and t.status <> 'closed'`,
}

/** Gives the contact these values; a number somebody else has by now is left out. */
export const saveValues = (tx: Tx, id: string, values: MergedValues) =>
  run(
    tx,
    'save_values',
    `with met as (update contact_activity set last_message_at = coalesce($10::timestamptz, 'epoch') where tenant_id = $1 and contact_id = $2)
    update contacts c set name = $3, is_name_fixed = $4, email = $6, profile_pic_url = $7, notes = $8, extra_info = $9::jsonb,
      birthday_date = $11::date, business_name = $12, document = $13, address = $14::jsonb, is_bot_blocked = $16,
      lane_id = (select l.id from lanes l where l.tenant_id = $1 and l.id = $15), lane_at = case when lane_id is distinct from $15 then now() else lane_at end, version = version + 1, updated_at = now(),
      number = case when $5::text is null or exists (select from contacts o where o.tenant_id = $1 and o.number = $5 and o.id <> $2)
        or not exists (select from contact_identities i where i.tenant_id = $1 and i.kind = 'phone' and i.value = $5 and i.contact_id = $2)
        then null else $5 end
      where tenant_id = $1 and id = $2`,
    [
      id,
      values.name,
      values.isNameFixed,
      values.number,
      values.email,
      values.profilePicUrl,
      values.notes,
      JSON.stringify(values.extraInfo),
      values.lastMessageAt,
      values.birthdayDate,
      values.businessName,
      values.document,
      values.address && JSON.stringify(values.address),
      values.laneId,
      values.isBotBlocked,
    ],
  )
/** Nobody any more, and without the number, which only one may have. */
export const hide = (tx: Tx, id: string, keptId: string) =>
  run(
    tx,
    'hide',
    'update contacts set merged_into_id = $3, number = null, version = version + 1, updated_at = now() where tenant_id = $1 and id = $2',
    [id, keptId],
  )
export const show = (tx: Tx, id: string) =>
  run(
    tx,
    'show',
    'update contacts set merged_into_id = null, version = version + 1, updated_at = now() where tenant_id = $1 and id = $2',
    [id],
  )

export type MergeRow = typeof contactMerges.$inferSelect
export const insertMerge = async (
  tx: Tx,
  row: Omit<typeof contactMerges.$inferInsert, 'tenantId'>,
): Promise<string> => {
  const [inserted] = await tx.db
    .insert(contactMerges)
    .values({ ...row, tenantId: tx.tenantId })
    .returning({ id: contactMerges.id })
  if (!inserted) throw new Error('A merge was not recorded')
  return inserted.id
}
export const findMerge = async (tx: Tx, id: string, lock = false): Promise<MergeRow | undefined> => {
  const [row] = await run<MergeRow>(
    tx,
    lock ? 'lock_merge' : 'find_merge',
    `select id, kept_id as "keptId", merged_id as "mergedId", moved, user_id as "userId", undone_at as "undoneAt", created_at as "createdAt"
      from contact_merges where tenant_id = $1 and id = $2 ${lock ? 'for update' : ''}`,
    [id],
  )
  return row
}
/** Two people of whom nobody has said that they are two: made apart once, they stay so. */
export const mayUnite = async (tx: Tx, kept: string, other: string): Promise<boolean> => {
  const text = `select from contacts where tenant_id = $1 and id in ($2, $3) and not is_group and merged_into_id is null
    and not exists (select from contact_merges where tenant_id = $1 and undone_at is not null
      and (kept_id = $2 and merged_id = $3 or kept_id = $3 and merged_id = $2))
    and not exists (select from duplicate_pairs where tenant_id = $1 and a_id = least($2::uuid, $3::uuid) and b_id = greatest($2::uuid, $3::uuid) and state = 'apart')`
  return (await run(tx, 'may_unite', text, [kept, other])).length === 2
}
export const alreadySaid = async (tx: Tx, ids: string[]) =>
  idsOf(await run(tx, 'already_said', 'select id from messages where tenant_id = $1 and id = any($2::uuid[])', [ids]))
export const markUndone = (tx: Tx, id: string) =>
  run(tx, 'undone', 'update contact_merges set undone_at = now() where tenant_id = $1 and id = $2', [id])

export type MergeListRow = {
  id: string
  merged: { id: string; name: string; number: string | null }
  user: { id: string; name: string } | null
  tickets: number
  createdAt: Date
}
/** Who is part of a contact now, newest first. */
export const listMerges = (tx: Tx, contactId: string) =>
  run<MergeListRow>(
    tx,
    'list',
    `select g.id, jsonb_build_object('id', c.id, 'name', c.name, 'number', g.moved ->> 'number') as merged,
      case when u.id is not null then jsonb_build_object('id', u.id, 'name', u.name) end as user,
      jsonb_array_length(g.moved -> 'ticketIds') as tickets, g.created_at as "createdAt"
      from contact_merges g join contacts c on c.tenant_id = g.tenant_id and c.id = g.merged_id
      left join users u on u.tenant_id = g.tenant_id and u.id = g.user_id
      where g.tenant_id = $1 and g.kept_id = $2 and g.undone_at is null order by g.created_at desc, g.id desc limit 50`,
    [contactId],
  )
