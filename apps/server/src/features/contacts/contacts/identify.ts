import { type IdentityKind, identityStrength } from '@balcao/contract/channels/index.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { contactIdentities, contacts } from '../../../db/schema/contacts/contacts.ts'
import { foldPhone, readablePhone } from '../../../kit/phone-numbers.ts'
import { emitContact } from './contacts.events.ts'

/** Who a channel says has written. `name` is what the person calls themself there. */
export type Sighting = {
  identities: Identity[]
  name?: string | null
  isGroup?: boolean
}
export type Resolved = { contactId: string; isNew: boolean; name: string }

/**
 * The contact behind a set of identities, made when there is none. Identities not seen before are added to it; one that
 * already belongs to somebody else stays there. A push name fills the name of a contact nobody has named (setting
 * atualizarNomes). Safe when the
 * same person is resolved twice at one instant: the unique identity lets one win, and the other uses the winner.
 */
export const resolveContact = async (tx: Tx, sighting: Sighting): Promise<Resolved> => {
  const identities = normalizeIdentities(sighting.identities)
  if (identities.length === 0) throw new Error('A contact needs an identity')
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const known = await find(tx, identities)
    if (known) return { contactId: known.id, isNew: false, name: await learn(tx, known, identities, sighting) }
    const created = await create(tx, identities, sighting)
    if (created) return { ...created, isNew: true }
  }
  throw new Error('The identities of a contact kept changing hands')
}

/** The same for a contact known a moment ago: who was deleted since then is not made anew. */
export const resolveKnown = async (tx: Tx, contactId: string, sighting: Sighting): Promise<void> => {
  const here = and(eq(contacts.tenantId, tx.tenantId), eq(contacts.id, contactId))
  const [known] = await tx.db.select({ id: contacts.id }).from(contacts).where(here).for('key share')
  if (known) await resolveContact(tx, sighting)
}

/** One form of each value, strongest first, always in one order so that two transactions cannot wait for each other. */
export const normalizeIdentities = (given: Identity[]): Identity[] => {
  const byKey = new Map(
    given.flatMap(({ kind, value }) => {
      const tidied = tidyValue(kind, value)
      return tidied ? [[`${kind}:${tidied}`, { kind, value: tidied }]] : []
    }),
  )
  return [...byKey.values()].sort(
    (a, b) => identityStrength[b.kind] - identityStrength[a.kind] || (a.value < b.value ? -1 : 1),
  )
}
const tidyValue = (kind: IdentityKind, value: string) => {
  if (kind === 'phone') return foldPhone(value.replace(/\D/g, ''))
  return kind === 'email' ? value.trim().toLowerCase() : value.trim()
}

type Known = Pick<typeof contacts.$inferSelect, 'id' | 'name' | 'number' | 'isNameFixed'> & {
  identities: Identity[] | null
}

const find = async (tx: Tx, identities: Identity[]): Promise<Known | undefined> => {
  const { tenantId } = tx
  const phone = phoneOf(identities)
  const owners = tx.db
    .select({ id: contactIdentities.contactId })
    .from(contactIdentities)
    .where(
      and(
        eq(contactIdentities.tenantId, tenantId),
        or(
          ...identities.map(({ kind, value }) =>
            and(eq(contactIdentities.kind, kind), eq(contactIdentities.value, value)),
          ),
        ),
      ),
    )
  const byNumber = tx.db
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(eq(contacts.tenantId, tenantId), eq(contacts.number, phone ?? '')))
  const candidates = await tx.db
    .select({
      id: contacts.id,
      name: contacts.name,
      number: contacts.number,
      isNameFixed: contacts.isNameFixed,
      identities: sql<Identity[] | null>`(select jsonb_agg(jsonb_build_object('kind', i.kind, 'value', i.value))
        from contact_identities i where i.tenant_id = ${contacts.tenantId} and i.contact_id = ${contacts.id})`,
    })
    .from(contacts)
    .where(
      and(
        eq(contacts.tenantId, tenantId),
        inArray(contacts.id, phone ? owners.union(byNumber) : owners),
        isNull(contacts.mergedIntoId),
      ),
    )
  const has = (contact: Known, { kind, value }: Identity) =>
    contact.identities?.some((one) => one.kind === kind && one.value === value) ||
    (kind === 'phone' && contact.number === value)
  for (const identity of identities) {
    const owner = candidates.find((contact) => has(contact, identity))
    if (owner) return owner
  }
  return undefined
}

const create = async (tx: Tx, identities: Identity[], sighting: Sighting) => {
  const { tenantId } = tx
  const phone = phoneOf(identities) ?? null
  const name = cleanName(sighting.name) || (phone ? readablePhone(phone) : 'Contato')
  const [contact] = await tx.db
    .insert(contacts)
    .values({
      tenantId,
      name,
      number: phone,
      email: identities.find(({ kind }) => kind === 'email')?.value,
      isGroup: sighting.isGroup ?? false,
    })
    .onConflictDoNothing()
    .returning({ id: contacts.id })
  if (!contact) return undefined
  if ((await addIdentities(tx, contact.id, identities)) === identities.length) return { contactId: contact.id, name }
  await tx.db.delete(contacts).where(and(eq(contacts.tenantId, tenantId), eq(contacts.id, contact.id)))
  return undefined
}

const addIdentities = async (tx: Tx, contactId: string, identities: Identity[]) => {
  if (identities.length === 0) return 0
  const added = await tx.db
    .insert(contactIdentities)
    .values(identities.map(({ kind, value }) => ({ tenantId: tx.tenantId, kind, value, contactId })))
    .onConflictDoNothing()
    .returning({ value: contactIdentities.value })
  return added.length
}

/** What this sighting teaches us of a contact we know; returns the name it now has. */
const learn = async (tx: Tx, known: Known, identities: Identity[], sighting: Sighting): Promise<string> => {
  const missing = identities.filter(
    ({ kind, value }) => !known.identities?.some((one) => one.kind === kind && one.value === value),
  )
  await addIdentities(tx, known.id, missing)

  const pushName = cleanName(sighting.name)
  const name = pushName && !known.isNameFixed && isPlaceholder(known.name) ? pushName : known.name
  const number = known.number ?? phoneOf(missing) ?? null
  if (name === known.name && number === known.number) return name
  const mayFill = sql`(select t.settings->>'atualizarNomes' from tenants t where t.id = ${tx.tenantId}) is distinct from 'false'`
  const isOurs = sql`(select i.contact_id from contact_identities i where i.tenant_id = ${tx.tenantId} and i.kind = 'phone' and i.value = ${number})`
  const [saved] = await tx.db
    .update(contacts)
    .set({
      name: sql`case when ${mayFill} then ${name} else ${contacts.name} end`,
      number: sql`case when ${isOurs} = ${contacts.id} then ${number} else ${contacts.number} end`,
      version: sql`${contacts.version} + 1`,
      updatedAt: sql`now()`,
    })
    .where(and(eq(contacts.tenantId, tx.tenantId), eq(contacts.id, known.id)))
    .returning()
  if (saved) await emitContact(tx, saved)
  return saved?.name ?? name
}

/** A phone that became theirs stands on a contact that has none; what another contact has stays there. */
export const learnPhone = async (tx: Tx, phone: string) => {
  const owner = tx.db
    .select({ id: contactIdentities.contactId })
    .from(contactIdentities)
    .where(
      and(
        eq(contactIdentities.tenantId, tx.tenantId),
        eq(contactIdentities.kind, 'phone'),
        eq(contactIdentities.value, phone),
      ),
    )
  const taken = sql`exists (select from contacts o where o.tenant_id = ${tx.tenantId} and o.number = ${phone})`
  const [saved] = await tx.db
    .update(contacts)
    .set({ number: phone, version: sql`${contacts.version} + 1`, updatedAt: sql`now()` })
    .where(
      and(
        eq(contacts.tenantId, tx.tenantId),
        inArray(contacts.id, owner),
        isNull(contacts.number),
        isNull(contacts.mergedIntoId),
        sql`not ${taken}`,
      ),
    )
    .returning()
  if (saved) await emitContact(tx, saved)
}

const phoneOf = (identities: Identity[]) => identities.find((one) => one.kind === 'phone')?.value

const cleanName = (name: string | null | undefined) =>
  cutText((name ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').trim(), 120)
/** A number or an address: nothing anybody is called. */
export const isNoName = (name: string) => /^([+\d\s().-]*|[^\s@]+@[^\s@]+)$/.test(name)
/** A name we made up ourselves, or a word for nobody in particular. */
const isPlaceholder = (name: string) => isNoName(name) || /^(Visitante|Contato)\b/.test(name)
