import type { ContactFacts } from '@balcao/contract/contacts/segments/fields.ts'
import { sql } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'

/** What the predicate of the contract knows of these contacts, in one statement. */
export const readFacts = async (tx: Tx, ids: string[]): Promise<Map<string, ContactFacts>> => {
  const mine = sql`x.tenant_id = c.tenant_id and x.contact_id = c.id`
  const iso = (moment: ReturnType<typeof sql>) =>
    sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const { rows } = await tx.db.execute<{ id: string; facts: ContactFacts }>(sql`select c.id, jsonb_build_object(
      'name', c.name, 'email', c.email, 'businessName', c.business_name, 'number', c.number,
      'documentKind', case length(c.document) when 11 then 'cpf' else case when c.document is not null then 'cnpj' end end,
      'birthdayDate', c.birthday_date, 'city', coalesce(c.address ->> 'city', ''), 'state', coalesce(c.address ->> 'state', ''),
      'createdAt', ${iso(sql`c.created_at`)}, 'extraInfo', c.extra_info, 'isGroup', c.is_group, 'laneId', c.lane_id, 'importId', c.import_id,
      'isBlocked', exists (select from contact_identities x join blocked_numbers b on b.tenant_id = x.tenant_id and b.number = x.value
        where ${mine} and x.kind = 'phone'),
      'tagIds', array(select x.tag_id from contact_tags x where ${mine}),
      'walletIds', array(select x.user_id from contact_wallets x where ${mine}),
      'identityKinds', array(select distinct x.kind from contact_identities x where ${mine}),
      'consents', coalesce((select jsonb_object_agg(e.key, case when e.is_given then 'given' else 'refused' end) from (
          select l.channel || '.' || l.purpose as key, bool_and(l.is_given) as is_given from (
              select x.kind, x.value from contact_identities x where ${mine} union select 'email', c.email where c.email is not null) k
            join consent_states l on l.tenant_id = c.tenant_id and l.identity_kind = k.kind and l.identity_value = k.value
          where l.is_given is not null
          group by l.channel, l.purpose) e), '{}'),
      'lastInAt', (select ${iso(sql`nullif(x.last_message_at, 'epoch')`)} from contact_activity x where ${mine}),
      'lastOutAt', (select ${iso(sql`nullif(x.last_sent_at, 'epoch')`)} from contact_activity x where ${mine}),
      'connectionIds', array(select distinct x.connection_id from tickets x where ${mine} and not x.is_hidden),
      'reasonIds', array(select distinct x.reason_id from tickets x where ${mine} and x.reason_id is not null),
      'tickets', (select count(*)::int from tickets x where ${mine} and not x.is_hidden),
      'hasOpenTicket', exists (select from tickets x where ${mine} and x.status <> 'closed'),
      'lastClosedAt', (select ${iso(sql`max(x.closed_at)`)} from tickets x where ${mine} and not x.is_hidden),
      'grades', array(select x.grade from ratings x where ${mine} and x.grade is not null order by x.answered_at desc, x.id desc)
    ) as facts from contacts c where c.tenant_id = ${tx.tenantId} and c.id = any(${sql.param(ids)}::uuid[])`)
  return new Map(rows.map(({ id, facts }) => [id, facts]))
}
