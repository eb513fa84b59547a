import { createHash } from 'node:crypto'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import type { WordAction } from '@balcao/contract/operations/group-rules.ts'
import { wordIn, wordKey, wordsOf } from '@balcao/contract/operations/group-words.ts'
import { v7 } from 'uuid'
import type { Speaker } from '../../../channels/adapter.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { emit } from '../../../kit/outbox.ts'
import { keysOf } from '../../contacts/groups/members.ts'
import { memberName } from '../../contacts/groups/names.ts'
import { findOurselves } from '../../conversations/groups/ourselves.ts'
import type { Batch } from '../../intake/inbound/arrivals.ts'
import type { GroupWatch } from '../../intake/inbound/group-watch.ts'

/**
 * Finds what rules say of a word or a notice and leaves a row for each thing to be done, in the transaction of the event
 * itself; a worker does it. The row's key is the event's: told again, it is there already.
 */
export const groupRules: GroupWatch = {
  heard: async (tx, { connection, arrived }: Batch) => {
    const said = arrived.flatMap(({ event, message, ticket }) =>
      ticket.isGroup && event.from.isGroup && !event.fromMe && event.author
        ? [
            {
              ...{ key: event.providerId, messageId: message.id, groupId: ticket.contactId },
              ...{
                keys: keysOf(event.author.identities),
                name: event.author.name ?? null,
                text: textOf(message.body, event),
              },
            },
          ]
        : [],
    )
    if (said.length) await judge(tx, connection.id, said)
  },
  edited: async (tx, connection, { messageId, body, at }) => {
    const [said] = await tx.rows<{ groupId: string; keys: string[]; name: string | null }>(whoSaid, [
      tx.tenantId,
      messageId,
    ])
    if (!said) return
    const key = `${messageId}:${createHash('sha256').update(`${at.getTime()}${body}`).digest('hex').slice(0, 16)}`
    await judge(tx, connection.id, [{ ...said, key, messageId, text: body }])
  },
  changed: async (tx, connection, { groupId, event: { change, members, isRemoval = false, providerId, at } }) => {
    if (change !== 'joined' && change !== 'left') return
    const ours = await findOurselves(tx, connection.id)
    const others = members.filter(({ identities }) => !keysOf(identities).some((key) => ours.keys.includes(key)))
    if (!others.length) return
    const { hasBans, sayings } = await readRules(tx, connection.id, groupId)
    if (!hasBans && !sayings.length) return
    const people = await knownAs(tx, groupId, others)
    const kept =
      change === 'joined' && hasBans
        ? await banThose(tx, { connectionId: connection.id, groupId, people, key: providerId })
        : people
    const isLate = Date.now() - at.getTime() > longestLateMs
    const saying = sayings.find(({ kind }) => kind === (change === 'joined' ? 'greeting' : 'farewell'))
    if (!saying || isLate || isRemoval) return
    const told = change === 'left' ? await unlessRemoved(tx, connection.id, groupId, kept) : kept
    await insert(
      tx,
      connection.id,
      told.map((one) => ({
        ...{
          kind: saying.kind,
          rule_id: saying.id,
          group_id: groupId,
          event_key: `${change}:${providerId}:${one.keys[0]}`,
        },
        ...{ member_keys: one.keys, member_name: one.name, due_in: burstS },
      })),
    )
    await tx.rows(delay, [tx.tenantId, saying.id, groupId, burstS, longestBurstS])
  },
}
/** So long a greeting waits for whoever else comes in together; at most so long, however many come. */
const burstS = 5
const longestBurstS = 30
/** What is told later than that is no longer greeted. */
const longestLateMs = 10 * 60_000

type Content = { interactive?: { options: { title: string }[] }; media?: { name?: string } }
/** Everything a message says: its words or caption, a poll's options, the name of its file. */
const textOf = (body: string, { content }: { content: Content }) =>
  [body, ...(content.interactive?.options.map(({ title }) => title) ?? []), content.media?.name ?? ''].join('\n')

type Said = { key: string; messageId: string; groupId: string; keys: string[]; name: string | null; text: string }
const judge = async (tx: Tx, connectionId: string, all: Said[]) => {
  for (const [groupId, said] of Map.groupBy(all, (one) => one.groupId)) {
    const { hasBans, words } = await readRules(tx, connectionId, groupId)
    if (hasBans) {
      const speakers = said.map(({ keys, name }) => ({ identities: identitiesIn(keys), name: name ?? undefined }))
      const people = await knownAs(tx, groupId, speakers)
      await banThose(tx, { connectionId, groupId, people, key: `said:${said.at(-1)?.key}` })
    }
    const found = said.flatMap((one) => {
      const word = wordIn(one.text, words)
      return word ? [{ ...one, word }] : []
    })
    if (!found.length) continue
    const people = await knownAs(
      tx,
      groupId,
      found.map(({ keys, name }) => ({ identities: identitiesIn(keys), name: name ?? undefined })),
    )
    await insert(
      tx,
      connectionId,
      found.flatMap(({ word, key, messageId }, at) => {
        const who = people[at]
        const isSpared =
          (word.sparesAdmins && who?.isAdmin) || word.spared.some((phone) => who?.keys.includes(`phone:${phone}`))
        if (!who || isSpared) return []
        return [
          {
            ...{
              kind: 'word' as const,
              rule_id: word.id,
              group_id: groupId,
              event_key: `word:${key}`,
              message_id: messageId,
            },
            ...{ member_keys: who.keys, member_name: who.name, action: word.action, why: word.word, due_in: 0 },
          },
        ]
      }),
    )
  }
}

type Known = { keys: string[]; name: string; isAdmin: boolean }
/** Who they are to the group: by everything they are known by there, in the order they were asked. */
const knownAs = async (tx: Tx, groupId: string, people: Speaker[]): Promise<Known[]> => {
  const rows = people.map(({ identities }, n) => ({ n, keys: keysOf(identities) }))
  const found = await tx.rows<{ name: string | null; contactName: string | null; keys: string[]; role: string | null }>(
    known,
    [tx.tenantId, groupId, JSON.stringify(rows)],
  )
  return people.map((one, at) => {
    const told = found[at]
    const keys = [...new Set([...(told?.keys ?? []), ...(rows[at]?.keys ?? [])])]
    return {
      keys,
      name: memberName({ keys, contactName: told?.contactName ?? null, name: told?.name ?? one.name ?? null }),
      isAdmin: told?.role === 'admin' || told?.role === 'owner',
    }
  })
}

type Ban = { id: string; number: string; reason: string }
type Banning = { connectionId: string; groupId: string; people: Known[]; key: string }
/** The banned are to be removed; answers the others. Whoever comes back again and again is removed ever later. */
const banThose = async (tx: Tx, { connectionId, groupId, people, key }: Banning): Promise<Known[]> => {
  const phones = people.flatMap(({ keys }) => keys.flatMap((one) => (one.startsWith('phone:') ? one.slice(6) : [])))
  const bans = phones.length ? await tx.rows<Ban>(bansOf, [tx.tenantId, connectionId, groupId, phones]) : []
  const ruleOf = ({ keys }: Known) => bans.find(({ number }) => keys.includes(`phone:${number}`))
  const rows: NewLog[] = []
  for (const one of people) {
    const ban = ruleOf(one)
    if (!ban) continue
    const [before] = await tx.rows<{ waiting: boolean; lately: number }>(lately, [tx.tenantId, groupId, one.keys])
    if (before?.waiting) continue
    rows.push({
      ...{ kind: 'ban', rule_id: ban.id, group_id: groupId, event_key: `ban:${key}:${ban.number}` },
      ...{
        member_keys: one.keys,
        member_name: one.name,
        why: ban.reason,
        due_in: waits[Math.min(before?.lately ?? 0, 3)] ?? 0,
      },
    })
  }
  await insert(tx, connectionId, rows)
  return people.filter((one) => !ruleOf(one))
}
/** Seconds to wait by how often somebody was removed in the last hour. */
const waits = [0, 60, 300, 1_800]

/** Whom a rule or one of us takes out is not said goodbye to, also where the channel does not say who did it. */
const unlessRemoved = async (tx: Tx, connectionId: string, groupId: string, people: Known[]): Promise<Known[]> => {
  const [removing] = await tx.rows(removingNow, [tx.tenantId, connectionId, groupId])
  if (removing) return []
  const gone = await tx.rows<{ keys: string[] }>(removedLately, [
    tx.tenantId,
    groupId,
    people.flatMap(({ keys }) => keys),
  ])
  const keys = new Set(gone.flatMap((one) => one.keys))
  return people.filter((one) => !one.keys.some((key) => keys.has(key)))
}

/** Bans hold for those who are in their groups already. */
export const banThoseThere = async (tx: Tx, ruleIds: string[]) => {
  await tx.rows(banPresent, [tx.tenantId, ruleIds])
}

/** The same once a list tells by their phone who came in by an id that hides it. */
export const banThoseRead = async (tx: Tx, groupIds: string[]) => {
  const rows = await tx.rows<{ groupId: string }>(banRead, [tx.tenantId, groupIds])
  for (const groupId of new Set(rows.map((one) => one.groupId))) await tellLogs(tx, groupId)
}

type Rules = {
  hasBans: boolean
  words: { id: string; word: string; key: string; action: WordAction; sparesAdmins: boolean; spared: string[] }[]
  /** The one that names the group first, else the newest. */
  sayings: { id: string; kind: 'greeting' | 'farewell' }[]
}
const readRules = async (tx: Tx, connectionId: string, groupId: string): Promise<Rules> => {
  const [row] = await tx.rows<{
    hasBans: boolean
    words: Omit<Rules['words'][number], 'key'>[] | null
    sayings: Rules['sayings'] | null
  }>(rules, [tx.tenantId, connectionId, groupId])
  return {
    hasBans: row?.hasBans ?? false,
    words: (row?.words ?? []).flatMap((one) => wordsOf(one.word).map((word) => ({ ...one, word, key: wordKey(word) }))),
    sayings: row?.sayings ?? [],
  }
}

type NewLog = {
  kind: 'ban' | 'word' | 'greeting' | 'farewell'
  rule_id: string
  group_id: string
  event_key: string
  message_id?: string
  member_keys: string[]
  member_name: string
  action?: WordAction
  why?: string
  due_in: number
}
const insert = async (tx: Tx, connectionId: string, rows: NewLog[]) => {
  if (!rows.length) return
  const given = rows.map((row) => ({ ...row, id: v7(), member_name: cutText(row.member_name, 120) }))
  await tx.rows(write, [tx.tenantId, connectionId, JSON.stringify(given)])
  for (const groupId of new Set(rows.map(({ group_id }) => group_id))) await tellLogs(tx, groupId)
}
export const tellLogs = (tx: Tx, groupId: string) =>
  emit(tx, 'groupLogs.changed', { groupId }, { kind: 'permission', can: 'groups.read' })

const identitiesIn = (keys: string[]) =>
  keys.map((key) => ({
    kind: key.slice(0, key.indexOf(':')),
    value: key.slice(key.indexOf(':') + 1),
  })) as Speaker['identities'] // written by `keysOf`

const holds = (alias: string) =>
  `${alias}.tenant_id = $1 and ${alias}.connection_id = $2 and ${alias}.is_active and (${alias}.group_ids = '{}' or $3 = any(${alias}.group_ids))`
const firstOf = (table: string, kind: string) =>
  `(select jsonb_build_object('id', r.id, 'kind', '${kind}') from ${table} r where ${holds('r')}
    order by r.group_ids = '{}', r.updated_at desc limit 1)`
const rules: Prepared = {
  name: 'group_rules_of',
  text: `select
    exists (select from group_bans r where ${holds('r')}) as "hasBans",
    (select jsonb_agg(jsonb_build_object('id', r.id, 'word', r.word, 'action', r.action, 'sparesAdmins', r.spares_admins, 'spared', r.spared)
      order by array_position(array['remove', 'delete', 'warn'], r.action), r.id) from group_words r where ${holds('r')}) as words,
    (select jsonb_agg(s) from (values (${firstOf('group_greetings', 'greeting')}), (${firstOf('group_farewells', 'farewell')})) v(s)
      where s is not null) as sayings`,
}
/** However many are banned, only those who are there are read. */
const bansOf: Prepared = {
  name: 'group_rules_bans',
  text: `select r.id, r.number, r.reason from group_bans r where ${holds('r')} and r.number = any($4::text[])`,
}
const known: Prepared = {
  name: 'group_rules_known',
  text: `select g.name, g.role, coalesce(g.keys, '{}') as keys, c.name as "contactName"
    from jsonb_to_recordset($3::jsonb) as r(n int, keys text[])
    left join lateral (select g.name, g.role, g.keys from group_members g
      where g.tenant_id = $1 and g.contact_id = $2 and g.keys && r.keys order by g.left_at nulls first limit 1) g on true
    left join lateral (select c.name from unnest(r.keys || coalesce(g.keys, '{}')) k
      join contact_identities i on i.tenant_id = $1 and i.kind = split_part(k, ':', 1) and i.value = substr(k, strpos(k, ':') + 1)
      join contacts c on c.tenant_id = $1 and c.id = i.contact_id limit 1) c on true
    order by r.n`,
}
const whoSaid: Prepared = {
  name: 'group_rules_said',
  text: `select m.contact_id as "groupId", m.author->>'name' as name,
      array(select i.kind || ':' || i.value from contact_identities i where i.tenant_id = $1 and i.contact_id = (m.author->>'id')::uuid) as keys
    from messages m join contacts c on c.tenant_id = $1 and c.id = m.contact_id and c.is_group
    where m.tenant_id = $1 and m.id = $2 and not m.from_me and m.author->>'kind' = 'contact' and m.author->>'id' is not null`,
}
const lately: Prepared = {
  name: 'group_rules_lately',
  text: `select coalesce(bool_or(state in ('waiting', 'doing')), false) as waiting, count(*) filter (where state = 'done')::int as lately
    from group_logs where tenant_id = $1 and group_id = $2 and kind = 'ban' and member_keys && $3::text[]
      and created_at > now() - interval '1 hour'`,
}
const removingNow: Prepared = {
  name: 'group_rules_removing',
  text: `select from group_act_rows where tenant_id = $1 and connection_id = $2 and state = 'doing'
    and group_id = $3 and act->>'kind' = 'remove' limit 1`,
}
const removedLately: Prepared = {
  name: 'group_rules_removed',
  text: `select member_keys as keys from group_logs where tenant_id = $1 and group_id = $2 and member_keys && $3::text[]
    and (kind = 'ban' or action = 'remove') and state in ('doing', 'done') and created_at > now() - interval '1 hour'`,
}
const write: Prepared = {
  name: 'group_logs_write',
  text: `insert into group_logs (tenant_id, id, kind, rule_id, connection_id, group_id, event_key, member_keys, member_name, message_id,
      action, why, due_at)
    select $1, r.id, r.kind, r.rule_id, $2, r.group_id, r.event_key, r.member_keys, r.member_name, r.message_id, r.action,
      coalesce(r.why, ''), now() + make_interval(secs => r.due_in)
    from jsonb_to_recordset($3::jsonb) as r(id uuid, kind text, rule_id uuid, group_id uuid, event_key text, member_keys text[],
      member_name text, message_id uuid, action text, why text, due_in int)
    on conflict (tenant_id, connection_id, event_key) do nothing`,
}
/** Those who came shortly before wait for the last of them. */
const delay: Prepared = {
  name: 'group_logs_delay',
  text: `update group_logs set due_at = least(now() + make_interval(secs => $4), created_at + make_interval(secs => $5))
    where tenant_id = $1 and rule_id = $2 and group_id = $3 and state = 'waiting'`,
}
const banned = (key: string) =>
  `insert into group_logs (tenant_id, id, kind, rule_id, connection_id, group_id, event_key, member_keys, member_name, why)
    select $1, gen_random_uuid(), 'ban', b.id, b.connection_id, p.group_id, ${key}, m.keys, coalesce(m.name, b.number), b.reason
    from group_bans b join connection_groups p on p.tenant_id = $1 and p.connection_id = b.connection_id and p.left_at is null
        and (b.group_ids = '{}' or p.group_id = any(b.group_ids))
      join group_members m on m.tenant_id = $1 and m.contact_id = p.group_id and m.left_at is null
        and m.keys && array['phone:' || b.number]
    where b.tenant_id = $1 and b.is_active`
const banPresent: Prepared = {
  name: 'group_bans_present',
  text: `${banned(`'ban:rule:' || b.id || ':' || b.version || ':' || p.group_id`)} and b.id = any($2::uuid[])
    on conflict (tenant_id, connection_id, event_key) do nothing`,
}
/** Who was dealt with a moment ago is left to that; where we lead nothing, nobody can be removed. */
const banRead: Prepared = {
  name: 'group_bans_read',
  text: `${banned(`'ban:list:' || b.id || ':' || p.group_id || ':' || extract(epoch from m.told_at)`)}
      and p.group_id = any($2::uuid[]) and p.our_role is distinct from 'member'
      and not exists (select from group_logs l where l.tenant_id = $1 and l.group_id = p.group_id and l.kind = 'ban'
        and l.member_keys && m.keys and (l.state in ('waiting', 'doing') or l.created_at > now() - interval '10 minutes'))
    on conflict (tenant_id, connection_id, event_key) do nothing returning group_id as "groupId"`,
}
