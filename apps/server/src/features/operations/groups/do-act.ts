import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type { PersonResult, PlannedAct } from '@balcao/contract/operations/group-acts.ts'
import type { GroupOutcome, GroupTarget, PersonOutcome } from '../../../channels/adapter.ts'
import { ChannelError } from '../../../channels/adapter.ts'
import { type Prepared, withTenant } from '../../../db/database.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { identityOfKey, keysOf } from '../../contacts/groups/members.ts'
import { addressesOf } from '../../conversations/messages/reach.ts'
import { readFileBytes } from '../../core/media/media.service.ts'

export type ActRow = {
  tenantId: number
  id: string
  jobId: string
  connectionId: string
  groupId: string | null
  name: string
  act: PlannedAct
  mediaId: string | null
  attempts: number
}
/** What became of one group, and what takes it back. `kept`: what is known of the group from now on. */
export type Done = {
  state: 'done' | 'part' | 'failed'
  reason: string | null
  people: PersonResult[]
  inviteUrl: string | null
  undo: PlannedAct | null
  undoMediaId: string | null
  /** The group that was made. */
  made: Identity | null
  kept: Kept
}
export type Kept = {
  title?: string
  description?: string
  isAdminsOnly?: boolean
  hasPicture?: boolean
  changed?: { change: 'joined' | 'left' | 'promoted' | 'demoted'; people: Identity[][] }
  /** Those who are to be written to with the link, by their place among the people. */
  invited?: { at: number; person: Identity[] }[]
}

const nothing: Done = {
  ...{ state: 'done', reason: null, people: [], inviteUrl: null, undo: null, undoMediaId: null, made: null, kept: {} },
}
const asItWas: Done = { ...nothing, reason: 'Já estava assim.' }

/**
 * Does to one group what its row says, by its channel, with no transaction open; what was there before is looked at first.
 * Throws ChannelError where nothing of it was done.
 */
export const doAct = async (connection: OpenConnection, row: ActRow): Promise<Done> => {
  const { act } = row
  if (act.kind === 'create') return create(connection, row, act)
  const to = row.groupId ? await withTenant(row.tenantId, (tx) => addressesOf(tx, row.groupId ?? '')) : []
  switch (act.kind) {
    case 'title': {
      const before = (await shown(connection, to)).name ?? row.name
      if (before === act.title) return { ...asItWas, kept: { title: act.title } }
      await call(connection, { act: 'title', to, title: act.title })
      return { ...nothing, undo: { kind: 'title', title: before }, kept: { title: act.title } }
    }
    case 'description': {
      const told = (await shown(connection, to)).description
      // Only the channel itself knows: what is stored may have been changed on a phone since.
      if (told === act.description) return { ...asItWas, kept: { description: act.description } }
      const before = told ?? (await storedGroup(row)).description ?? ''
      await call(connection, { act: 'description', to, description: act.description })
      return { ...nothing, undo: { kind: 'description', description: before }, kept: { description: act.description } }
    }
    case 'adminsOnly': {
      const told = (await shown(connection, to)).isAdminsOnly
      if (told === act.isOn) return { ...asItWas, kept: { isAdminsOnly: act.isOn } }
      const before = told ?? (await storedGroup(row)).isAdminsOnly
      await call(connection, { act: 'adminsOnly', to, isOn: act.isOn })
      const undo = before === null || before === undefined ? null : { kind: 'adminsOnly' as const, isOn: before }
      return { ...nothing, undo, kept: { isAdminsOnly: act.isOn } }
    }
    case 'picture': {
      const picture = await pictureOf(row.tenantId, row.mediaId ?? act.mediaId)
      const { pictureId } = await storedGroup(row)
      await call(connection, { act: 'picture', to, picture })
      return {
        ...nothing,
        kept: { hasPicture: true },
        undo: pictureId ? { kind: 'picture', mediaId: pictureId } : null,
        undoMediaId: pictureId,
      }
    }
    case 'inviteLink': {
      const { inviteUrl = null } = await call(connection, { act: 'inviteLink', to, isRenewed: act.isRenewed })
      return { ...nothing, inviteUrl }
    }
    default:
      return changePeople(connection, row, { ...act, to })
  }
}

const create = async (
  connection: OpenConnection,
  { tenantId }: ActRow,
  act: Extract<PlannedAct, { kind: 'create' }>,
): Promise<Done> => {
  const people = act.numbers.map((value): Identity[] => [{ kind: 'phone', value }])
  const picture = act.mediaId ? await pictureOf(tenantId, act.mediaId) : null
  const { group, inviteUrl = null } = await call(connection, { act: 'create', title: act.title, people })
  const made: Done = { ...nothing, made: group ?? null, inviteUrl, kept: { title: act.title } }
  if (!group) return made
  const done = { ...made, ...(await whoCame(connection, group, act.numbers, inviteUrl)) }
  // It is there by now, whatever becomes of what is said of it.
  const dressed = async (target: GroupTarget, what: string) => {
    try {
      await call(connection, target)
      return null
    } catch (error) {
      if (error instanceof ChannelError) return `O grupo foi criado sem a ${what}: ${error.message}`
      throw error
    }
  }
  const { description } = act
  const unsaid = description && (await dressed({ act: 'description', to: [group], description }, 'descrição'))
  const unseen = picture && (await dressed({ act: 'picture', to: [group], picture }, 'foto'))
  const problem = [unsaid, unseen].filter(Boolean).join(' ')
  return {
    ...done,
    reason: problem || done.reason,
    state: problem ? 'part' : done.state,
    kept: {
      ...done.kept,
      ...(description && !unsaid ? { description } : {}),
      hasPicture: picture !== null && !unseen,
    },
  }
}
const pictureOf = async (tenantId: number, mediaId: string) => {
  const { bytes, mime } = await readFileBytes(tenantId, mediaId)
  return { mime, base64: bytes.toString('base64') }
}

/** Whoever lets nobody add them is simply not in a new group: told by who is in it, where the channel can say. */
const whoCame = async (
  connection: OpenConnection,
  group: Identity,
  numbers: string[],
  inviteUrl: string | null,
): Promise<Partial<Done>> => {
  const { adapter, context } = connection
  const there = await adapter.participants?.({ to: [group] }, context).catch((error) => {
    if (error instanceof ChannelError) return []
    throw error
  })
  // A list without phones, or none at all, tells nothing of these numbers.
  const keys = new Set(there?.flatMap(({ identities }) => keysOf(identities)))
  if (![...keys].some((key) => key.startsWith('phone:'))) return {}
  const people = numbers.map((number): PersonResult => {
    const [key = ''] = keysOf([{ kind: 'phone', value: number }])
    return keys.has(key)
      ? { number, outcome: 'done', reason: null }
      : { number, outcome: 'refused', reason: 'Não entrou: só aceita convite, ou não tem WhatsApp.' }
  })
  const left = people.filter(({ outcome }) => outcome === 'refused').length
  if (!left) return { people }
  const reason = left === 1 ? 'O grupo foi criado sem 1 pessoa.' : `O grupo foi criado sem ${left} pessoas.`
  const link = inviteUrl ?? (await linkFor(connection, [group]))
  return { people, state: 'part', reason, inviteUrl: link }
}

type MemberAct = Extract<PlannedAct, { kind: 'add' | 'remove' | 'promote' | 'demote' }> & { to: Identity[] }
const opposites = { add: 'remove', remove: 'add', promote: 'demote', demote: 'promote' } as const
const changes = { add: 'joined', remove: 'left', promote: 'promoted', demote: 'demoted' } as const

const changePeople = async (
  connection: OpenConnection,
  row: ActRow,
  { kind, numbers, invites, to }: MemberAct,
): Promise<Done> => {
  const people = await namedPeople(row, numbers)
  const outcome = await call(connection, { act: kind, to, people })
  const results = people.map((_, at): PersonOutcome => outcome.people?.[at] ?? { outcome: 'done' })
  const isClosed = results.some((one) => one.outcome === 'closed')
  const inviteUrl = isClosed ? await linkFor(connection, to) : null
  const shown = results.map(
    ({ outcome, reason }, at): PersonResult => ({
      number: numbers[at] ?? '',
      outcome: outcome === 'closed' ? (invites && inviteUrl ? 'invited' : 'refused') : outcome,
      reason: reason ?? null,
    }),
  )
  const doneAt = results.flatMap((one, at) => (one.outcome === 'done' ? [at] : []))
  const back = doneAt.map((at) => numbers[at] ?? '')
  return {
    ...nothing,
    people: shown,
    inviteUrl,
    ...summed(shown),
    undo: back.length ? { kind: opposites[kind], numbers: back, invites: false } : null,
    kept: {
      changed: { change: changes[kind], people: doneAt.map((at) => people[at] ?? []) },
      invited: people.flatMap((person, at) => (shown[at]?.outcome === 'invited' ? { at, person } : [])),
    },
  }
}

/** What became of a group by what became of each person. */
export const summed = (people: PersonResult[]): Pick<Done, 'state' | 'reason'> => {
  const left = people.filter(({ outcome }) => outcome === 'refused')
  const [first] = left
  if (!first) return { state: 'done', reason: null }
  return { state: left.length < people.length ? 'part' : 'failed', reason: first.reason ?? 'Não foi feito.' }
}

/** Members by all they are known by; whoever is none, by their phone. */
const namedPeople = async (row: ActRow, numbers: string[]): Promise<Identity[][]> => {
  const known = await withTenant(row.tenantId, (tx) =>
    tx.rows<{ named: string; keys: string[] }>(membersNamed, [tx.tenantId, row.groupId, numbers]),
  )
  const keys = new Map(known.map((one) => [one.named, one.keys]))
  return numbers.map((named) => {
    const found = keys.get(named)
    if (found) return found.map(identityOfKey)
    if (named.endsWith('@lid')) return [{ kind: 'lid', value: named.replace('@lid', '') }]
    return [{ kind: 'phone', value: named.replace(/\D/g, '') }]
  })
}

const linkFor = async (connection: OpenConnection, to: Identity[]): Promise<string | null> => {
  if (!connection.abilities.groupActs.includes('inviteLink')) return null
  try {
    return (await call(connection, { act: 'inviteLink', to, isRenewed: false })).inviteUrl ?? null
  } catch (error) {
    if (error instanceof ChannelError) return null
    throw error
  }
}

const call = async ({ adapter, context, abilities }: OpenConnection, target: GroupTarget): Promise<GroupOutcome> => {
  if (!adapter.groupAct || !abilities.groupActs.includes(target.act))
    throw new ChannelError('final', 'O canal deste grupo não permite isto.')
  return adapter.groupAct(target, context)
}
/** How its channel shows it now; nothing where it cannot say. */
const shown = async ({ adapter, context }: OpenConnection, to: Identity[]) => {
  const profile: Awaited<ReturnType<NonNullable<typeof adapter.profile>>> | undefined = await adapter.profile?.(
    { to },
    context,
  )
  return profile ?? {}
}

const storedGroup = async ({ tenantId, groupId, connectionId }: ActRow) => {
  const [row] = await withTenant(tenantId, (tx) =>
    tx.rows<{ description: string | null; isAdminsOnly: boolean | null; pictureId: string | null }>(stored, [
      tx.tenantId,
      groupId,
      connectionId,
    ]),
  )
  return row ?? { description: null, isAdminsOnly: null, pictureId: null }
}

const membersNamed: Prepared = {
  name: 'group_acts_members',
  text: `select n.named, g.keys from unnest($3::text[]) as n(named) join lateral (select g.keys from group_members g
      where g.tenant_id = $1 and g.contact_id = $2 and (g.member_id = n.named or g.keys && array['phone:' || n.named])
      order by g.left_at nulls first limit 1) g on true`,
}
const stored: Prepared = {
  name: 'group_acts_stored',
  text: `select g.description, p.is_admins_only as "isAdminsOnly",
      (select i.file_id from pictures i where i.tenant_id = $1 and i.contact_id = $2 and i.file_id is not null limit 1) as "pictureId"
    from connection_groups p left join groups g on g.tenant_id = $1 and g.contact_id = p.group_id
    where p.tenant_id = $1 and p.group_id = $2 and p.connection_id = $3`,
}
