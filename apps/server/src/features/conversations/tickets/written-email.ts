import { channelKinds, reachedBy } from '@balcao/contract/channels/index.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { AppError } from '../../../kit/errors.ts'

/**
 * Somebody begins to write to a contact over this connection: the e-mail that was only written down on them becomes theirs
 * where it is what reaches them there. Throws ERR_CONTACT_UNREACHABLE where it is another contact's already.
 */
export const takeWrittenEmail = async (tx: Tx, contactId: string, connectionId: string) => {
  const [other] = await tx.rows<{ name: string }>(writtenEmail, [tx.tenantId, contactId, connectionId, byEmail])
  if (!other) return
  const message = `O e-mail deste contato é do contato ${other.name}. Se forem a mesma pessoa, una os dois contatos.`
  throw new AppError('ERR_CONTACT_UNREACHABLE', { message })
}
const byEmail = channelKinds.filter((kind) => reachedBy(kind).includes('email'))
const writtenEmail: Prepared = {
  name: 'ticket_written_email',
  text: `with written as (
      select c.id, lower(c.email) as value from contacts c
        join connections n on n.tenant_id = $1 and n.id = $3 and n.kind = any($4::text[])
      where c.tenant_id = $1 and c.id = $2 and c.email is not null and not c.is_group
        and (coalesce(jsonb_typeof(n.abilities -> 'reachedBy'), 'null') = 'null' or n.abilities -> 'reachedBy' ? 'email')
        and not exists (select from contact_identities i where i.tenant_id = $1 and i.contact_id = c.id and i.kind = 'email')
    ), taken as (
      insert into contact_identities (tenant_id, kind, value, contact_id) select $1, 'email', value, id from written
      on conflict (tenant_id, kind, value) do nothing)
    select o.name from written w join contact_identities x on x.tenant_id = $1 and x.kind = 'email' and x.value = w.value
      join contacts o on o.tenant_id = $1 and o.id = x.contact_id`,
}
