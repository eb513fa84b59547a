import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import type { Purpose } from '@balcao/contract/contacts/consent.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { tellOptOuts } from './consent.ts'

type Said = {
  contactIds: string[]
  isGiven: boolean
  channels: ChannelKind[]
  purposes: Purpose[]
  proof: string
  userId: string
}

/**
 * What a company says of many at once, in one statement. Who has said no stays so: only they themselves, or a person who
 * notes it down for them, take that back. What holds already is not said again.
 */
export const recordImportedConsent = async (
  tx: Tx,
  { contactIds, isGiven, channels, purposes, proof, userId }: Said,
) => {
  await tx.rows(record, [tx.tenantId, contactIds, channels, purposes, isGiven, proof, userId])
  if (!isGiven) await tellOptOuts(tx)
}

const known = `(select i.kind, i.value from contact_identities i where i.tenant_id = $1 and i.contact_id = any($2::uuid[])
      union select 'email', c.email from contacts c where c.tenant_id = $1 and c.id = any($2::uuid[]) and c.email is not null) i`
const author = (place: number) =>
  `jsonb_build_object('kind', 'user', 'id', $${place}::text, 'name', coalesce((select u.name from users u where u.tenant_id = $1 and u.id = $${place}::uuid), ''))`
const record: Prepared = {
  name: 'consent_imported',
  text: `insert into consents (tenant_id, id, identity_kind, identity_value, channel, purpose, is_given, source, proof, author)
    select $1, gen_random_uuid(), i.kind, i.value, c.channel, p.purpose, $5, 'csv', $6, ${author(7)}
    from ${known} cross join unnest($3::text[]) as c(channel) cross join unnest($4::text[]) as p(purpose)
      left join consent_states s on s.tenant_id = $1 and s.identity_kind = i.kind and s.identity_value = i.value
        and s.channel = c.channel and s.purpose = p.purpose
    where s.is_given is distinct from $5 and s.is_given is distinct from false`,
}

/** Takes a no of an import back, where nothing was said since. */
export const withdrawImportedRefusals = async (
  tx: Tx,
  { contactIds, channels, purposes, proof, userId }: Omit<Said, 'isGiven'>,
) => {
  await tx.rows(withdraw, [tx.tenantId, contactIds, channels, purposes, proof, userId])
  await tellOptOuts(tx)
}
const withdraw: Prepared = {
  name: 'consent_import_undone',
  text: `insert into consents (tenant_id, id, identity_kind, identity_value, channel, purpose, is_given, source, proof, author)
    select $1, gen_random_uuid(), i.kind, i.value, c.channel, p.purpose, true, 'csv', 'Desfeita: ' || $5::text, ${author(6)}
    from ${known} cross join unnest($3::text[]) as c(channel) cross join unnest($4::text[]) as p(purpose)
      cross join lateral (select e.is_given, e.proof from consents e where e.tenant_id = $1 and e.identity_kind = i.kind
        and e.identity_value = i.value and e.channel = c.channel and e.purpose = p.purpose order by e.at desc, e.id desc limit 1) e
    where e.proof = $5 and not e.is_given`,
}
