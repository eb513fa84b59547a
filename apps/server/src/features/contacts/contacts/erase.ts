import type { Prepared, Tx } from '../../../db/database.ts'
import { formsOfPhone } from '../../../kit/phone-numbers.ts'

/** Somebody who is to be forgotten: their contact with those that had become part of it, and all they are known by. */
export type Erased = {
  contactIds: string[]
  /** `kind:value` */
  keys: string[]
  names: string[]
}
/** What a feature keeps of people who may have no conversation of their own: told before the contact goes. */
type Part = (tx: Tx, erased: Erased) => Promise<void>
let parts: Part[] = []
export const registerErasing = (given: Part[]) => {
  parts = given
}

/** What stands where somebody's name stood. */
export const erasedName = 'Contato excluído'

/** Nothing that stays says who they were. */
export const eraseTraces = async (tx: Tx, contactId: string): Promise<void> => {
  const [erased] = await tx.rows<Erased>(known, [tx.tenantId, contactId])
  if (!erased) return
  for (const part of parts) await part(tx, erased)
  const { contactIds } = erased
  await tx.rows(silenceAudit, [tx.tenantId, contactIds])
  await tx.rows(silenceAround, [tx.tenantId, contactIds, phonesOf(erased)])
}

/** Digits, in every form they may stand in. */
export const phonesOf = ({ keys }: Erased): string[] =>
  keys.flatMap((key) => (key.startsWith('phone:') ? formsOfPhone(key.slice(6)) : []))

/** Finds what they are known by in any text, as whole words; undefined where that could be anything. */
export const patternOf = ({ keys }: Erased): string | undefined => {
  const named = keys.map((key) => key.slice(key.indexOf(':') + 1)).flatMap(formsOfPhone)
  return wholeWords(named.filter((value) => value.length >= shortest))
}
/** Shorter ones stand for anything. */
const shortest = 6
export const wholeWords = (texts: string[]): string | undefined =>
  texts.length ? `(^|\\W)(${[...new Set(texts)].map(literal).join('|')})(?!\\w)` : undefined
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** How many rows of what is kept for some days are looked through in one statement. */
const pageSize = 20_000
/**
 * Goes through such a table of one company from one end of its key to the other; no statement is long, however much is kept.
 * The first finds the page's end ($3: its size), the second does it from $2 to before $3.
 */
export const eachPage = async (
  tx: Tx,
  { key: [lowest, highest], find, erase }: { key: readonly [string, string]; find: Prepared; erase: Prepared },
  values: unknown[],
) => {
  for (let from: string | undefined = lowest; from; ) {
    const [end]: { key: string }[] = await tx.rows(find, [tx.tenantId, from, pageSize])
    await tx.rows(erase, [tx.tenantId, from, end?.key ?? highest, ...values])
    from = end?.key
  }
}

const known: Prepared = {
  name: 'erase_known',
  text: `with recursive gone as (
      select id, name, number, email from contacts where tenant_id = $1 and id = $2
      union select c.id, c.name, c.number, c.email from gone g join contacts c on c.tenant_id = $1 and c.merged_into_id = g.id
    ), known as (select coalesce((select array_agg(distinct k) from (
        select kind || ':' || value from contact_identities where tenant_id = $1 and contact_id in (select id from gone)
        union select 'phone:' || number from gone where number is not null
        union select 'email:' || lower(email) from gone where email is not null) a(k)), '{}') as keys)
    select array_agg(id) as "contactIds", (select keys from known) as keys, array(select name from gone
      union select name from group_members where tenant_id = $1 and keys && (select keys from known) and name is not null) as names
    from gone having count(*) > 0`,
}
/** Who did what and when stays; what it was about does not. */
const silenceAudit: Prepared = {
  name: 'erase_audit',
  text: `update audit set before = null, after = null
    where tenant_id = $1 and entity = 'contact' and entity_id = any(array(select unnest($2::uuid[])::text))`,
}
/** What was done around them, also to what is gone by now: those rows show whom they are about. */
const silenceAround: Prepared = {
  name: 'erase_audit_around',
  text: `with gone as (select array(select unnest($2::uuid[])::text) as ids)
    update audit set before = null, after = null from gone
    where tenant_id = $1 and entity = any('{opportunity,rating,schedule,task,voiceCall}') and (
      coalesce(after, before) #>> '{contact,id}' = any(ids) or before #>> '{contact,id}' = any(ids)
      or ltrim(after ->> 'number', '+') = any($3::text[])
      or coalesce(after, before) ->> 'ticketId' in (
        select id::text from tickets where tenant_id = $1 and contact_id = any($2::uuid[])))`,
}
