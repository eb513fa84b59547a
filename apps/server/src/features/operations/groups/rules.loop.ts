import type { MessagePayload } from '@balcao/contract/conversations/messages.ts'
import type { GroupRuleKind, WordAction } from '@balcao/contract/operations/group-rules.ts'
import { fillGroupVariables, namesOf } from '@balcao/contract/operations/group-variables.ts'
import { v5 } from 'uuid'
import { ChannelError } from '../../../channels/adapter.ts'
import { memberId } from '../../../channels/members.ts'
import { type Prepared, platformRows, type Tx, withTenant } from '../../../db/database.ts'
import { byRule } from '../../../kit/actor.ts'
import { AppError, sentenceOf } from '../../../kit/errors.ts'
import { createLimit } from '../../../kit/limit.ts'
import { log } from '../../../kit/log.ts'
import type { Round } from '../../../kit/workers.ts'
import { findConnection, type OpenConnection } from '../../channels/connections/context.ts'
import { changeMembers, identityOfKey } from '../../contacts/groups/members.ts'
import { readGroup } from '../../conversations/groups/group.ts'
import { refreshRoles, setLeft } from '../../conversations/groups/places.ts'
import { addressesOf } from '../../conversations/messages/reach.ts'
import { writeOutgoing } from '../../conversations/messages/write-outgoing.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import type { StoredFile } from '../../core/media/media.present.ts'
import { filesByIds } from '../../core/media/stored-files.ts'
import { activeTicket } from '../schedules/write-due.ts'
import { tellLogs } from './log-rules.ts'

const atOnce = 20
const mostAttempts = 5
/** Calls at one time: an account that does much at once is taken for a machine. */
const inTurn = createLimit(4)

export const isGroupRuleDue = `select from group_logs where state in ('waiting', 'doing') and due_at <= now()`

/** Does what rules found: removes, deletes and warns by the channel, greets and says goodbye once for all who came together. */
export const applyGroupRules = async (): Promise<Round> => {
  await platformRows(rescue, [])
  const sayings = await platformRows<Saying>(dueSayings, [atOnce])
  for (const one of sayings)
    await say(one).catch((error) => log.error({ err: error, tenantId: one.tenantId }, 'group not greeted'))
  const rows = await platformRows<Due>(claim, [atOnce])
  // One connection at a time does one thing after the other.
  const lanes = [...Map.groupBy(rows, ({ connectionId }) => connectionId).values()]
  await Promise.all(
    lanes.map((lane) =>
      inTurn(async () => {
        for (const row of lane) await enforce(row)
      }),
    ),
  )
  const did = sayings.length + rows.length
  return { did, isMore: rows.length === atOnce }
}

type Due = {
  tenantId: number
  id: string
  kind: GroupRuleKind
  ruleId: string
  connectionId: string
  groupId: string
  memberKeys: string[]
  memberName: string
  messageId: string | null
  action: WordAction | null
  attempts: number
}

const enforce = async (row: Due) => {
  try {
    const connection = await findConnection(row.connectionId)
    const facts = await withTenant(
      row.tenantId,
      async (tx) => (await tx.rows<Facts>(factsOf, [tx.tenantId, row.id]))[0],
    )
    if (!connection || !facts) return await end(row, 'failed', 'O canal deste grupo foi excluído.')
    if (facts.leftAt) return await end(row, 'skipped', 'Este número não está mais no grupo.')
    const removes = row.kind === 'ban' || row.action === 'remove'
    if (row.kind === 'ban' && !facts.isThere) return await end(row, 'skipped', 'Já tinha saído do grupo.')
    if (row.kind === 'word' && removes && facts.sparesAdmins && (await isAdminNow(connection, row)))
      return await end(row, 'skipped', 'É administrador do grupo, e administradores podem usar a palavra.')
    const problem = await act(connection, row, facts, removes)
    await settle(row, connection, { facts, problem, removes })
  } catch (error) {
    await refused(row, error)
  }
}
type Facts = {
  ourRole: string | null
  leftAt: Date | null
  isThere: boolean
  providerId: string | null
  isDeleted: boolean | null
  warning: string | null
  sparesAdmins: boolean | null
  groupName: string
}

/** Who became an administrator while nobody told us is not thrown out: the channel is asked first, where it can say. */
const isAdminNow = async (connection: OpenConnection, { tenantId, groupId, memberKeys }: Due): Promise<boolean> => {
  const to = await withTenant(tenantId, (tx) => addressesOf(tx, groupId))
  await readGroup(connection, groupId, to).catch((error) => {
    if (!(error instanceof ChannelError)) throw error
  })
  const [leads] = await withTenant(tenantId, (tx) => tx.rows(leader, [tx.tenantId, groupId, memberKeys]))
  return leads !== undefined
}

/** Null where all of it was done; else what was not. Throws ChannelError where nothing was. */
const act = async (connection: OpenConnection, row: Due, facts: Facts, removes: boolean): Promise<string | null> => {
  const { adapter, context, abilities } = connection
  const needsLead = removes || row.action === 'delete'
  if (needsLead && facts.ourRole === 'member')
    throw new ChannelError('final', 'Este número não é administrador do grupo.')
  const to = await withTenant(row.tenantId, (tx) => addressesOf(tx, row.groupId))
  const who = row.memberKeys.map(identityOfKey)
  let problem: string | null = null
  if (row.kind === 'word' && row.action !== 'warn' && facts.providerId && !facts.isDeleted) {
    if (adapter.remove && abilities.groupActs.includes('deleteMessage'))
      await adapter.remove({ providerId: facts.providerId, to, author: who }, context)
    else problem = 'Este canal não apaga mensagens dos outros.'
  }
  if (removes) {
    if (!adapter.groupAct || !abilities.groupActs.includes('remove'))
      throw new ChannelError('final', 'Este canal não remove pessoas de grupos.')
    const [outcome] = (await adapter.groupAct({ act: 'remove', to, people: [who] }, context)).people ?? []
    if (outcome?.outcome === 'refused' && facts.isThere) problem = outcome.reason ?? 'A pessoa não foi removida.'
  } else if (problem && row.action === 'delete' && !facts.warning) throw new ChannelError('final', problem)
  return problem
}

type Enforced = { facts: Facts; problem: string | null; removes: boolean }
const settle = async (row: Due, connection: OpenConnection, { facts, problem, removes }: Enforced) => {
  const directory = await getDirectory(row.tenantId)
  await withTenant(row.tenantId, async (tx) => {
    const warned = row.kind === 'word' && facts.warning ? await warn(tx, { row, connection, directory, facts }) : null
    const told = problem ?? warned
    // What was to be done at all was not: the warning alone is no deletion.
    const isDone = !problem
    await tx.rows(finish, [tx.tenantId, row.id, isDone ? 'done' : 'failed', told])
    const [first, ...rest] = row.memberKeys.map(identityOfKey)
    if (removes && !problem && first) {
      await changeMembers(tx, row.groupId, {
        change: 'left',
        members: [{ identities: [first, ...rest] }],
        at: new Date(),
      })
      await refreshRoles(tx, row.connectionId, [row.groupId])
    }
    await tellLogs(tx, row.groupId)
  })
}

type Warning = {
  row: Due
  connection: OpenConnection
  directory: Awaited<ReturnType<typeof getDirectory>>
  facts: Facts
}
/** Says so in the group, to each once a minute; answers why it could not. */
const warn = async (tx: Tx, { row, connection, directory, facts }: Warning): Promise<string | null> => {
  const [before] = await tx.rows(warnedLately, [tx.tenantId, row.id, row.groupId, row.memberKeys])
  if (before) return 'O aviso já tinha sido dado há menos de um minuto.'
  const who = [{ keys: row.memberKeys, name: row.memberName }]
  const said = await filled(tx, {
    connection,
    groupId: row.groupId,
    text: facts.warning ?? '',
    who,
    group: facts.groupName,
  })
  const problem = await write(tx, {
    ...{ connection, directory, groupId: row.groupId, rule: 'Palavra proibida' },
    ...{ id: v5('aviso', row.id), ...said, file: null },
  })
  if (!problem) await tx.rows(noteWarned, [tx.tenantId, row.id])
  return problem
}

type Named = { keys: string[]; name: string }
type Filling = { connection: OpenConnection; groupId: string; text: string; who: Named[]; group: string }
/** The words of a rule; whom it names is called, where the channel can: the network shows each by their own name. */
const filled = async (
  tx: Tx,
  { connection, groupId, text, who, group }: Filling,
): Promise<{ body: string; payload: MessagePayload | null }> => {
  const calls = connection.abilities.supports.includes('mentions')
  const people = calls ? toldApart(who) : who
  const names = people.map(({ name }) => (calls ? `@${name}` : name))
  const template = calls ? text.replace(/@(?=\{\{)/g, '') : text
  const body = fillGroupVariables(template, { name: namesOf(names), group }).trim()
  const found = calls ? await tx.rows<{ id: string }>(idsOf, [tx.tenantId, groupId, JSON.stringify(who)]) : []
  const called = people.flatMap(({ name, keys }, at) => {
    const [first] = keys
    const id = found[at]?.id ?? (first && memberId(identityOfKey(first)))
    return id && body.includes(`@${name}`) ? { id, name } : []
  })
  return { body, payload: called.length ? { called } : null }
}

/** Of two of one name, the end of their id says which is meant. */
const toldApart = (who: Named[]): Named[] => {
  const sameName = Map.groupBy(who, ({ name }) => name.toLowerCase())
  return who.map((one) => {
    const isAlone = sameName.get(one.name.toLowerCase())?.length === 1
    return isAlone ? one : { ...one, name: `${one.name} ${one.keys[0]?.slice(-4) ?? ''}`.trim() }
  })
}

type Written = {
  connection: OpenConnection
  directory: Awaited<ReturnType<typeof getDirectory>>
  groupId: string
  rule: string
  id: string
  body: string
  payload: MessagePayload | null
  file: StoredFile | null
}
/** Into the conversation of the group, through the door; answers why it could not go. */
const write = async (
  tx: Tx,
  { connection, directory, groupId, rule, id, body, payload, file }: Written,
): Promise<string | null> => {
  const meant = { contactId: groupId, createdBy: null, walletIds: [], contact: { isGroup: true } }
  const ticket = await activeTicket(tx, { connection, directory, row: meant, rule })
  if (!ticket) return 'A conversa do grupo não pôde ser aberta.'
  const [known] = await tx.rows(isWritten, [tx.tenantId, id])
  if (known) return null
  try {
    await writeOutgoing(tx, {
      ticket: { ...ticket, windowFrom: ticket.lastInboundAt },
      directory,
      author: byRule(rule),
      cause: 'bot',
      purpose: 'service',
      drafts: [{ id, type: file?.kind ?? 'text', body, payload, file }],
      effect: 'nothing',
    })
    return null
  } catch (error) {
    if (error instanceof AppError) return sentenceOf(error)
    throw error
  }
}

type Saying = { tenantId: number; kind: 'greeting' | 'farewell'; ruleId: string; groupId: string; connectionId: string }
const ruleNames = { greeting: 'Saudação do grupo', farewell: 'Despedida do grupo' }
/** One message for all who came, or went, together; between two of one group a minute passes. */
const say = async ({ tenantId, kind, ruleId, groupId, connectionId }: Saying) => {
  const connection = await findConnection(connectionId)
  const directory = await getDirectory(tenantId)
  await withTenant(tenantId, async (tx) => {
    const rows = await tx.rows<Named & { id: string }>(lockSayings, [tx.tenantId, kind, ruleId, groupId])
    const ids = rows.map(({ id }) => id)
    const [first] = ids
    if (!first) return
    const [rest] = await tx.rows<{ until: Date }>(restAfter, [tx.tenantId, kind, groupId, restS])
    if (rest) return void (await tx.rows(putOff, [tx.tenantId, ids, rest.until]))
    const [rule] = await tx.rows<{ message: string; mediaId: string | null; groupName: string; isActive: boolean }>(
      kind === 'greeting' ? greetingRule : farewellRule,
      [tx.tenantId, ruleId, groupId],
    )
    const problem = await (async () => {
      if (!rule?.isActive) return 'A regra foi desligada ou excluída.'
      if (!connection) return 'O canal deste grupo foi excluído.'
      const [file = null] = rule.mediaId ? await tx.rows<StoredFile>(filesByIds, [tx.tenantId, [rule.mediaId]]) : []
      const said = await filled(tx, { connection, groupId, text: rule.message, who: rows, group: rule.groupName })
      if (!said.body && !file) return 'A mensagem ficou vazia.'
      return write(tx, { connection, directory, groupId, rule: ruleNames[kind], id: v5('dito', first), ...said, file })
    })()
    await tx.rows(finishSayings, [tx.tenantId, ids, problem ? 'failed' : 'done', problem])
    await tellLogs(tx, groupId)
  })
}
const restS = 60

const refused = async (row: Due, error: unknown) => {
  if (!(error instanceof ChannelError))
    log.error({ err: error, tenantId: row.tenantId, logId: row.id }, 'group rule failed')
  const told = error instanceof ChannelError ? error : new ChannelError('retry', 'Não foi possível fazer isto agora.')
  if ((told.outcome !== 'final' || told.isConnectionBroken) && row.attempts < mostAttempts) {
    const waitMs = told.retryAfterMs ?? 15_000 * row.attempts
    await withTenant(row.tenantId, (tx) => tx.rows(postpone, [tx.tenantId, row.id, told.message, waitMs]))
    return
  }
  if (told.isUnreachable) await withTenant(row.tenantId, (tx) => setLeft(tx, row.connectionId, row.groupId, new Date()))
  await end(row, 'failed', told.message)
}
const end = (row: Due, state: 'failed' | 'skipped', problem: string) =>
  withTenant(row.tenantId, async (tx) => {
    await tx.rows(finish, [tx.tenantId, row.id, state, problem])
    await tellLogs(tx, row.groupId)
  })

/** Removing and deleting again changes nothing: what a process left behind is done once more. */
const rescue: Prepared = {
  name: 'group_rules_rescue',
  text: `update group_logs set state = 'waiting' where state = 'doing' and claimed_at < now() - interval '2 minutes'`,
}
const claim: Prepared = {
  name: 'group_rules_claim',
  text: `with due as (
      select tenant_id, id from group_logs where state = 'waiting' and due_at <= now() and kind in ('ban', 'word')
      order by due_at limit $1 for update skip locked
    )
    update group_logs l set state = 'doing', claimed_at = now(), attempts = attempts + 1 from due
    where l.tenant_id = due.tenant_id and l.id = due.id
    returning l.tenant_id as "tenantId", l.id, l.kind, l.rule_id as "ruleId", l.connection_id as "connectionId", l.group_id as "groupId",
      l.member_keys as "memberKeys", l.member_name as "memberName", l.message_id as "messageId", l.action, l.attempts`,
}
const dueSayings: Prepared = {
  name: 'group_rules_sayings',
  text: `select distinct tenant_id as "tenantId", kind, rule_id as "ruleId", group_id as "groupId", connection_id as "connectionId"
    from group_logs where state = 'waiting' and due_at <= now() and kind in ('greeting', 'farewell') limit $1`,
}
const factsOf: Prepared = {
  name: 'group_rules_facts',
  text: `select p.our_role as "ourRole", p.left_at as "leftAt", c.name as "groupName", w.warning, w.spares_admins as "sparesAdmins",
      not exists (select from group_members g where g.tenant_id = $1 and g.contact_id = l.group_id and g.keys && l.member_keys and g.left_at is not null)
        as "isThere",
      m.provider_id as "providerId", m.is_deleted as "isDeleted"
    from group_logs l join contacts c on c.tenant_id = $1 and c.id = l.group_id
      left join connection_groups p on p.tenant_id = $1 and p.connection_id = l.connection_id and p.group_id = l.group_id
      left join group_words w on w.tenant_id = $1 and w.id = l.rule_id
      left join messages m on m.tenant_id = $1 and m.id = l.message_id
    where l.tenant_id = $1 and l.id = $2`,
}
const leader: Prepared = {
  name: 'group_rules_leader',
  text: `select from group_members where tenant_id = $1 and contact_id = $2 and keys && $3::text[] and left_at is null
    and role in ('admin', 'owner') limit 1`,
}
/** How the group calls these people, in their order. */
const idsOf: Prepared = {
  name: 'group_rules_ids',
  text: `select g.member_id as id from jsonb_array_elements($3::jsonb) with ordinality as r(who, n)
    left join lateral (select g.member_id from group_members g where g.tenant_id = $1 and g.contact_id = $2
      and g.keys && array(select jsonb_array_elements_text(r.who->'keys')) order by g.left_at nulls first limit 1) g on true
    order by r.n`,
}
const finish: Prepared = {
  name: 'group_rules_finish',
  text: `update group_logs set state = $3, problem = $4, done_at = now() where tenant_id = $1 and id = $2 and state = 'doing'`,
}
const postpone: Prepared = {
  name: 'group_rules_postpone',
  text: `update group_logs set state = 'waiting', problem = $3, due_at = now() + $4::double precision * interval '1 millisecond'
    where tenant_id = $1 and id = $2 and state = 'doing'`,
}
const warnedLately: Prepared = {
  name: 'group_rules_warned',
  text: `select from group_logs where tenant_id = $1 and group_id = $3 and id <> $2 and member_keys && $4::text[]
    and warned_at > now() - interval '1 minute' limit 1`,
}
const noteWarned: Prepared = {
  name: 'group_rules_note_warned',
  text: `update group_logs set warned_at = now() where tenant_id = $1 and id = $2`,
}
const isWritten: Prepared = {
  name: 'group_rules_written',
  text: 'select from messages where tenant_id = $1 and id = $2',
}
const lockSayings: Prepared = {
  name: 'group_rules_lock_sayings',
  text: `select id, member_name as name, member_keys as keys from group_logs where tenant_id = $1 and kind = $2 and rule_id = $3 and group_id = $4 and state = 'waiting'
    order by created_at, id for update`,
}
const restAfter: Prepared = {
  name: 'group_rules_rest',
  text: `select max(done_at) + make_interval(secs => $4) as until from group_logs
    where tenant_id = $1 and kind = $2 and group_id = $3 and state = 'done' and done_at > now() - make_interval(secs => $4)
    having max(done_at) is not null`,
}
const putOff: Prepared = {
  name: 'group_rules_put_off',
  text: `update group_logs set due_at = $3 where tenant_id = $1 and id = any($2::uuid[])`,
}
const ruleOf = (table: string) =>
  `select r.message, r.media_id as "mediaId", r.is_active as "isActive", c.name as "groupName"
    from ${table} r join contacts c on c.tenant_id = $1 and c.id = $3 where r.tenant_id = $1 and r.id = $2`
const greetingRule: Prepared = { name: 'group_rules_greeting', text: ruleOf('group_greetings') }
const farewellRule: Prepared = { name: 'group_rules_farewell', text: ruleOf('group_farewells') }
const finishSayings: Prepared = {
  name: 'group_rules_finish_sayings',
  text: `update group_logs set state = $3, problem = $4, done_at = now() where tenant_id = $1 and id = any($2::uuid[]) and state = 'waiting'`,
}
