import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { sign } from '../../../kit/crypto.ts'
import { type Erased, eachPage, patternOf } from '../../contacts/contacts/erase.ts'
import { normalizeIdentities } from '../../contacts/contacts/identify.ts'

const erasedText = 'O contato foi excluído.'

/**
 * What providers told us of somebody who is to be forgotten: of each event only that it came, so that it is not taken in
 * anew. What they said before that and comes later, or waits to be handled, finds a row here that says so: as long as a
 * provider may repeat itself, and by a name that nobody else can read.
 */
export const eraseJournaled = async (tx: Tx, erased: Erased) => {
  const pattern = patternOf(erased)
  if (pattern) await eachPage(tx, pages, [pattern])
  await tx.rows(leaveWord, [tx.tenantId, erased.contactIds, erased.keys.map((key) => nameOf(tx.tenantId, key))])
}

export type ErasedHere = { at: Date; echoesUntil: Date }
/** Of these identities, those of people who were erased lately, as `kind:value`. */
export const findErased = async (
  tx: Tx,
  connectionId: string,
  identities: Identity[],
): Promise<Map<string, ErasedHere>> => {
  const keys = new Map(normalizeIdentities(identities).map((one) => [nameOf(tx.tenantId, keyOf(one)), keyOf(one)]))
  const rows = await tx.rows<ErasedHere & { name: string }>(findWord, [tx.tenantId, connectionId, [...keys.keys()]])
  return new Map(rows.map(({ name, ...erased }) => [keys.get(name) ?? '', erased]))
}

type Said = { from: { identities: Identity[] }; fromMe: boolean; timestamp: Date }
/** It was said before its person was erased, or is what we were sending them at that moment. Times are told in seconds. */
export const isOfErased = (erased: Map<string, ErasedHere>, { from, fromMe, timestamp }: Said): boolean =>
  erased.size > 0 &&
  normalizeIdentities(from.identities).some((one) => {
    const found = erased.get(keyOf(one))
    if (!found) return false
    return fromMe ? timestamp < found.echoesUntil : timestamp.getTime() < Math.floor(found.at.getTime() / 1_000) * 1_000
  })

const keyOf = ({ kind, value }: Identity) => `${kind}:${value}`
const nameOf = (tenantId: number, key: string) => `${ours}${sign('erased', `${tenantId}:${key}`)}`
const ours = 'erased:'
/** What a provider told us, and no word of ours. */
export const isTold = `j.event_key not like '${ours}%'`

/** A send under way at that moment comes back as an echo by the end of its deadline. */
const leaveWord: Prepared = {
  name: 'journal_leave_word',
  text: `insert into journal (tenant_id, id, connection_id, event_key, payload, state, error, processed_at)
    select $1, gen_random_uuid(), t.connection_id, k.name, '{}', 'done', '${erasedText}', now() + case when exists (
        select from messages m where m.tenant_id = $1 and m.contact_id = any($2::uuid[]) and m.connection_id = t.connection_id
          and m.status = 'sending') then interval '3 minutes' else interval '0' end
    from (select distinct connection_id from tickets where tenant_id = $1 and contact_id = any($2::uuid[])) t
      cross join unnest($3::text[]) k(name)
    on conflict (tenant_id, connection_id, event_key) do update set received_at = now(), processed_at = excluded.processed_at`,
}
const findWord: Prepared = {
  name: 'journal_find_word',
  text: `select event_key as name, received_at as at, coalesce(processed_at, received_at) as "echoesUntil" from journal
    where tenant_id = $1 and connection_id = $2 and event_key = any($3::text[])`,
}

const pages = {
  key: ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const,
  find: {
    name: 'journal_erase_page',
    text: 'select id::text as key from journal where tenant_id = $1 and id >= $2::uuid order by id offset $3 limit 1',
  },
  erase: {
    name: 'journal_erase',
    text: `update journal set payload = '{}', state = 'done', conversation = null, error = '${erasedText}'
      where tenant_id = $1 and id >= $2::uuid and id < $3::uuid and state <> 'received' and payload::text ~* $4`,
  },
}

/** What of them came late: that it came stays, as with what came before. */
export const eraseLate = (tx: Tx, journalIds: string[]) => {
  if (journalIds.length) tx.late(late, [tx.tenantId, journalIds])
}
const late: Prepared = {
  name: 'journal_erase_late',
  text: `update journal set payload = '{}', state = 'done', conversation = null, error = '${erasedText}', processed_at = now()
    where tenant_id = $1 and id = any($2::uuid[])`,
}
