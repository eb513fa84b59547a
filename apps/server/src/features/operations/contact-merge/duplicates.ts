import type { Page } from '@balcao/contract/common.ts'
import { type DuplicateGroup, duplicateReasons } from '@balcao/contract/contacts/contacts.ts'
import { type SQL, sql } from 'drizzle-orm'
import { type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { readContacts } from '../../contacts/contacts/contact-rows.ts'
import { visibleContacts } from '../../contacts/contacts/contacts.policy.ts'
import { presentContact } from '../../contacts/contacts/contacts.service.ts'

/** Enough for a sitting; what is merged makes room for the next. */
const groupsPerReason = 30
const contactsPerGroup = 5
/** So many of one group are looked at for who wrote last. */
const most = sql.raw('1000')

/** What two contacts of one person share, each along its index. Phones are alike without country, area and ninth digit. */
const likenesses: Record<DuplicateGroup['reason'], { value: SQL; where: SQL }> = {
  email: { value: sql`c.email`, where: sql`c.email is not null` },
  phone: { value: sql`right(c.number, 8)`, where: sql`c.number is not null` },
  // A first name alone says nothing.
  name: { value: sql`norm(c.name)`, where: sql`norm(c.name) like '%_ _%'` },
}

/** Contacts that may be the same person, of those this person may see; a pair is named once, by its best reason. */
export const findDuplicates = async (actor: Actor): Promise<Page<DuplicateGroup>> => {
  const visible = (await visibleContacts(actor)) ?? sql`true`
  return withTenant(actor.tenantId, async (tx) => {
    const found = await readGroups(tx, visible)
    const seen = new Set<string>()
    const fresh = found.filter(({ ids }) => {
      const key = ids.toSorted().join()
      return !seen.has(key) && seen.add(key)
    })
    const contacts = new Map(
      (await readContacts(tx, [...new Set(fresh.flatMap((row) => row.ids))])).map((row) => [
        row.id,
        presentContact(row),
      ]),
    )
    const items = fresh.map(({ reason, value, ids }) => ({
      reason,
      value,
      contacts: ids.flatMap((id) => contacts.get(id) ?? []),
    }))
    return { items, hasMore: found.length >= groupsPerReason, nextCursor: null }
  })
}

type Row = { reason: DuplicateGroup['reason']; value: string; ids: string[] }
/** Groups first, along their index; who of a group wrote last is asked of the few that are shown. */
const readGroups = async (tx: Tx, visible: SQL): Promise<Row[]> => {
  const groupsOf = (reason: DuplicateGroup['reason']) => sql`(
    select ${reason}::text as reason, ${likenesses[reason].value} as value, (array_agg(c.id))[1:${most}] as ids
    from contacts c
    where c.tenant_id = ${tx.tenantId} and c.merged_into_id is null and not c.is_group and ${likenesses[reason].where} and ${visible}
    group by 2 having count(*) > 1 order by 2 limit ${groupsPerReason})`
  const { rows } = await tx.db.execute<Row>(sql`
    select g.reason, g.value, array(
      select l.contact_id from contact_activity l where l.tenant_id = ${tx.tenantId} and l.contact_id = any(g.ids)
      order by l.last_message_at desc, l.contact_id limit ${contactsPerGroup}) as ids
    from (${sql.join(duplicateReasons.map(groupsOf), sql` union all `)}) g`)
  return rows
}
