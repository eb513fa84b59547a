import type { contactsScan } from '@balcao/contract/contacts/contacts.ts'
import type { z } from 'zod'
import { type Prepared, withReport } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'

type Scan = z.output<typeof contactsScan>
/** What is missing or wrong in a company's contacts, in numbers: who has a name nobody gave, no way to be reached, no tag. */
export const scanContacts = (actor: Actor): Promise<Scan & { checkedAt: string }> =>
  withReport(actor, async (tx) => {
    const [found] = await tx.rows<Scan>(scan, [tx.tenantId])
    const none = { total: 0, withoutName: 0, withoutPhone: 0, wrongPhone: 0, unreachable: 0, withoutTag: 0 }
    return { ...(found ?? none), checkedAt: new Date().toISOString() }
  })

const scan: Prepared = {
  name: 'contacts_scan',
  text: `select count(*)::int as total,
      count(*) filter (where c.name ~ '^[-+0-9() .]*$' or c.name in ('Contato', 'Visitante'))::int as "withoutName",
      count(*) filter (where c.number is null)::int as "withoutPhone",
      count(*) filter (where c.number like '55%' and c.number !~ '^55([1-9]{2}(9[0-9]{8}|[2-5][0-9]{7})|[34]00[0-9]{5}|800[0-9]{7})$')::int as "wrongPhone",
      count(u.contact_id)::int as unreachable, count(*) filter (where t.contact_id is null)::int as "withoutTag"
    from contacts c
      left join (select distinct contact_id from contact_identities where tenant_id = $1 and unreachable_reason is not null) u on u.contact_id = c.id
      left join (select distinct contact_id from contact_tags where tenant_id = $1) t on t.contact_id = c.id
    where c.tenant_id = $1 and c.merged_into_id is null and not c.is_group`,
}
