import type { Prepared, Tx } from '../../../db/database.ts'
import { type Erased, erasedName } from '../../contacts/contacts/erase.ts'
import { memberName } from '../../contacts/groups/names.ts'

/**
 * In groups, where people without a conversation of their own are met: their place in the lists, and their name at what
 * they said and felt, at what called them and in the lines that tell who came and went.
 */
export const eraseMember = async (tx: Tx, { contactIds, keys, names }: Erased): Promise<void> => {
  const gone = await tx.rows<{ memberId: string; name: string | null }>(leave, [tx.tenantId, keys])
  const memberIds = [...new Set([...gone.map(({ memberId }) => memberId), ...keys.map(valueIn)])]
  const shown = memberName({ keys, contactName: null, name: null })
  const all = [...names, ...gone.flatMap(({ name }) => name ?? []), shown, ...memberIds]
  // What the list falls back to is nobody's name.
  const theirs = [...new Set(all)].filter((one) => one.length > 1 && one !== memberName(unknown))
  const pattern = `(^|\\W)(${theirs.map(literal).join('|')})(?!\\w)`
  await tx.rows(silenceMessages, [tx.tenantId, contactIds, memberIds, pattern, erasedName])
  await tx.rows(silenceTickets, [tx.tenantId, pattern, erasedName])
}
const unknown = { keys: [], contactName: null, name: null }
const valueIn = (key: string) => key.slice(key.indexOf(':') + 1)
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const leave: Prepared = {
  name: 'erase_members',
  text: `delete from group_members where tenant_id = $1 and keys && $2::text[] returning member_id as "memberId", name`,
}

const ids = 'array(select unnest($2::uuid[])::text)'
const inGroups = 'array(select id from contacts where tenant_id = $1 and is_group)'
const unnamed = (json: string) => `jsonb_set(${json}, '{name}', to_jsonb($5::text))`
const unwritten = (text: string) => `regexp_replace(${text}, $4, '\\1' || $5, 'g')`
const isCalled = `exists (select from jsonb_array_elements(m.payload->'called') c where c->>'id' = any($3::text[]))`
const silenceMessages: Prepared = {
  name: 'erase_member_messages',
  text: `update messages m set version = version + 1,
      author = case when m.author->>'id' = any(${ids}) then ${unnamed('m.author')} else m.author end,
      reactions = (select jsonb_agg(case when r#>>'{author,id}' = any(${ids})
          then jsonb_set(r, '{author}', ${unnamed("r->'author'")}) else r end order by n)
        from jsonb_array_elements(m.reactions) with ordinality a(r, n)),
      payload = case when m.payload ? 'called' then jsonb_set(m.payload, '{called}', (
          select coalesce(jsonb_agg(case when c->>'id' = any($3::text[]) then ${unnamed('c')} - 'id' || '{"id":""}' else c end order by n), '[]')
          from jsonb_array_elements(m.payload->'called') with ordinality a(c, n))) else m.payload end,
      body = case when m.type = 'system' or ${isCalled} then ${unwritten('m.body')} else m.body end,
      edits = case when ${isCalled} then (
          select jsonb_agg(jsonb_set(e, '{body}', to_jsonb(${unwritten("(e->>'body')")})) order by n)
          from jsonb_array_elements(m.edits) with ordinality a(e, n)) else m.edits end
    where m.tenant_id = $1 and m.contact_id = any(${inGroups}) and (
      m.author->>'id' = any(${ids})
      or exists (select from jsonb_array_elements(m.reactions) r where r#>>'{author,id}' = any(${ids}))
      or ${isCalled} or (m.type = 'system' and m.body ~ $4))`,
}
const silenceTickets: Prepared = {
  name: 'erase_member_tickets',
  text: `update tickets set last_message = regexp_replace(last_message, $2, '\\1' || $3, 'g'),
      not_sent_message = regexp_replace(not_sent_message, $2, '\\1' || $3, 'g')
    where tenant_id = $1 and contact_id = any(${inGroups}) and (last_message ~ $2 or not_sent_message ~ $2)`,
}
