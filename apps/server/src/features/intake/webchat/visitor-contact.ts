import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { cleanText } from '../../../kit/text.ts'
import { emitContact } from '../../contacts/contacts/contacts.events.ts'
import { resolveContact } from '../../contacts/contacts/identify.ts'
import type { Visitor } from './visitor-token.ts'

export type Profile = Visitor['profile']

/** Only the site's signature or our own random id finds a contact; what people type never does. */
export const identityOf = ({ connectionId, visitorId, verifiedAs }: Visitor): Identity =>
  verifiedAs
    ? { kind: 'webchatUser', value: `${connectionId}:${verifiedAs}`.trim() }
    : { kind: 'webchat', value: visitorId }

export const placeholderName = ({ visitorId }: Visitor) => `Visitante ${visitorId.slice(2, 6).toUpperCase()}`

type Extra = { name: string; value: string }
/** The visitor's contact, made if need be, with what they or the page told of them. */
export const saveContact = (visitor: Visitor, told: Profile): Promise<string> =>
  withTenant(visitor.tenantId, (tx) => fillContact(tx, visitor, told))

/** The same with answers that have no place of their own, each under its name. */
export const fillContact = async (tx: Tx, visitor: Visitor, told: Profile, extra: Extra[] = []): Promise<string> => {
  const { name, email, phone } = tidy(told)
  const more = phone ? [{ name: phoneLabel, value: phone }, ...extra] : extra
  const { contactId } = await resolveContact(tx, {
    identities: [identityOf(visitor)],
    name: name ?? placeholderName(visitor),
  })
  const [changed] = await tx.rows<{ id: string; name: string; profilePicUrl: string | null; version: number }>(fill, [
    tx.tenantId,
    contactId,
    name ?? null,
    email ?? null,
    JSON.stringify(more),
  ])
  if (changed) await emitContact(tx, changed)
  return contactId
}

const phoneLabel = 'Telefone informado no chat'

const tidy = (told: Profile): Profile => {
  const clean = (text: string | undefined) => cleanText(text ?? '').trim() || undefined
  return { name: clean(told.name), email: clean(told.email)?.toLowerCase(), phone: clean(told.phone) }
}

/** Nothing the team wrote is overwritten, and nothing is told when nothing changed. */
const fill: Prepared = {
  name: 'webchat_fill_contact',
  text: `with told as (select coalesce(jsonb_agg(t.one), '[]') as more from contacts c,
        jsonb_array_elements($5::jsonb) as t(one)
      where c.tenant_id = $1 and c.id = $2
        and not c.extra_info @> jsonb_build_array(jsonb_build_object('name', t.one ->> 'name')))
    update contacts set
      name = case when is_name_fixed then name else coalesce($3::text, name) end,
      email = coalesce(email, $4::text), extra_info = extra_info || told.more,
      version = version + 1, updated_at = now()
    from told where tenant_id = $1 and id = $2 and (
      (not is_name_fixed and name <> $3::text) or (email is null and $4::text is not null) or told.more <> '[]')
    returning id, name, profile_pic_url as "profilePicUrl", version`,
}
