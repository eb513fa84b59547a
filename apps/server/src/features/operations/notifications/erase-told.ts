import type { Prepared, Tx } from '../../../db/database.ts'
import { type Erased, eachPage, erasedName, patternOf, wholeWords } from '../../contacts/contacts/erase.ts'

/** What people and machines were told of somebody who is to be forgotten: lines of bells, and what webhooks were sent. */
export const eraseTold = async (tx: Tx, erased: Erased) => {
  const { contactIds, names } = erased
  const keys = patternOf(erased) ?? never
  // A name of one word is also that of others: it is theirs where they are met, in groups.
  const full = wholeWords(names.filter((name) => /\S\s+\S/.test(name))) ?? never
  const any = wholeWords(names.filter((name) => name.length > 1)) ?? never
  await tx.rows(silence, [tx.tenantId, keys, full, any, erasedName])
  const sure = [...contactIds, keys, full].join('|')
  await eachPage(tx, deliveries, [contactIds, sure, any])
}
/** Matches no text. */
const never = '(?!)'

const inGroups = `select t.id::text from tickets t join contacts c on c.tenant_id = $1 and c.id = t.contact_id
    where t.tenant_id = $1 and c.is_group`

const without = (text: string) =>
  `regexp_replace(regexp_replace(${text}, $2, '\\1' || $5, 'gi'), n.theirs, '\\1' || $5, 'gi')`
const silence: Prepared = {
  name: 'erase_notices',
  text: `update notifications u set title = ${without('u.title')}, body = ${without('u.body')}
    from (select tenant_id, id, case
        when kind = 'schedule' or ticket_id::text in (${inGroups}) then $4
        when ticket_id is null then $3 else $2 end as theirs
      from notifications where tenant_id = $1) n
    where u.tenant_id = $1 and n.id = u.id and (u.title || ' ' || u.body) ~* ($2 || '|' || n.theirs)`,
}
/** Events of a conversation, and of a contact, stand in a lane of their own. */
const deliveries = {
  key: ['0', String(2n ** 63n - 1n)] as const,
  find: {
    name: 'deliveries_erase_page',
    text: 'select seq::text as key from deliveries where tenant_id = $1 and seq >= $2::bigint order by seq offset $3 limit 1',
  },
  erase: {
    name: 'deliveries_erase',
    text: `delete from deliveries where tenant_id = $1 and seq >= $2::bigint and seq < $3::bigint and (
        lane = any(array(select unnest($4::uuid[])::text)
          || array(select id::text from tickets where tenant_id = $1 and contact_id = any($4::uuid[])))
        or payload::text ~* $5 or (lane in (${inGroups}) and payload::text ~* $6))`,
  },
}
