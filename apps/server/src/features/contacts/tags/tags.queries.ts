import type { TagCounts } from '@balcao/contract/contacts/tags.ts'
import type { Prepared, Tx } from '../../../db/database.ts'

/** How often each tag is in use. */
export const countTags = (tx: Tx) => tx.rows<TagCounts['items'][number]>(counts, [tx.tenantId])
const counts: Prepared = {
  name: 'tags_count_uses',
  text: `select tag_id as id, sum(contacts)::int as contacts, sum(tickets)::int as tickets from (
      select tag_id, count(*) as contacts, 0 as tickets from contact_tags where tenant_id = $1 group by tag_id
      union all
      select l.tag_id, 0, count(*) from tickets t join ticket_tags l on l.tenant_id = t.tenant_id and l.ticket_id = t.id
        where t.tenant_id = $1 and t.status in ('open', 'pending') group by l.tag_id) uses
    group by tag_id`,
}

/** Tags of a file that are there already, as the file has them. */
export const changeTags: Prepared = {
  name: 'tags_import_change',
  text: `update tags t set name = n.name, color = n.color, group_id = n."groupId", is_active = n."isActive",
      version = t.version + 1, updated_at = now()
    from jsonb_to_recordset($2::jsonb) as n(id uuid, name text, color text, "groupId" uuid, "isActive" boolean)
    where t.tenant_id = $1 and t.id = n.id`,
}
