import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { contactActivity, contacts } from '../../../db/schema/contacts/contacts.ts'

const aggregate = <Item>(item: SQL, from: SQL) => sql<Item[]>`coalesce((select jsonb_agg(${item}) from ${from}), '[]')`

const { search: _search, ...columns } = getTableColumns(contacts)

/** Contacts whole, with tags, owners and identities, in one statement: prepared, as to plan it costs what it takes. */
export const readContacts = (tx: Tx, ids: string[]) => {
  const here = sql`x.tenant_id = ${contacts.tenantId} and x.contact_id = ${contacts.id}`
  return tx.db
    .select({
      ...columns,
      lastMessageAt: sql<Date | null>`nullif(${contactActivity.lastMessageAt}, 'epoch')`.mapWith(
        contactActivity.lastMessageAt,
      ),
      tags: aggregate<Contact['tags'][number]>(
        sql`jsonb_build_object('id', t.id, 'name', t.name, 'color', t.color) order by t.name`,
        sql`contact_tags x join tags t on t.tenant_id = x.tenant_id and t.id = x.tag_id where ${here}`,
      ),
      wallets: aggregate<Contact['wallets'][number]>(
        sql`jsonb_build_object('id', u.id, 'name', u.name) order by u.name`,
        sql`contact_wallets x join users u on u.tenant_id = x.tenant_id and u.id = x.user_id where ${here}`,
      ),
      identities: aggregate<Contact['identities'][number]>(
        sql`jsonb_build_object('kind', x.kind, 'value', x.value) order by x.kind, x.value`,
        sql`contact_identities x where ${here}`,
      ),
    })
    .from(contacts)
    .innerJoin(
      contactActivity,
      and(eq(contactActivity.tenantId, contacts.tenantId), eq(contactActivity.contactId, contacts.id)),
    )
    .where(
      and(
        eq(contacts.tenantId, sql.placeholder('tenantId')),
        sql`${contacts.id} = any(${sql.placeholder('ids')}::uuid[])`,
      ),
    )
    .prepare('contact_rows')
    .execute({ tenantId: tx.tenantId, ids })
}

/** True when this person may know of the contact; `lock` keeps it as it is until the transaction ends. */
export const isThere = async (tx: Tx, visible: SQL | undefined, id: string, lock?: 'lock'): Promise<boolean> => {
  const one = and(sql`c.tenant_id = ${tx.tenantId}`, sql`c.id = ${id}::uuid`, sql`c.merged_into_id is null`, visible)
  const { rows } = await tx.db.execute(sql`select c.id from contacts c where ${one} ${lock ? sql`for update` : sql``}`)
  return rows.length > 0
}

export type ContactRow = Awaited<ReturnType<typeof readContacts>>[number]
