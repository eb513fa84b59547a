import { ChannelError } from '../../../channels/adapter.ts'
import { type Prepared, platformRows, type Tx, withTenant } from '../../../db/database.ts'
import { log } from '../../../kit/log.ts'
import type { Round } from '../../../kit/workers.ts'
import { findConnection, type OpenConnection } from '../../channels/connections/context.ts'
import { resolveContact } from '../../contacts/contacts/identify.ts'
import { changeMembers, wantGroupsSoon } from '../../contacts/groups/members.ts'
import { renameGroup } from '../../contacts/groups/rename.ts'
import { notePlaces, refreshRoles, setLeft, tellGroups } from '../../conversations/groups/places.ts'
import { wantNewPicture } from '../../conversations/pictures/pictures.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { wakeJobs } from '../../core/jobs/jobs.loop.ts'
import { lockJob } from '../../core/jobs/jobs.service.ts'
import { countLate } from './acts.job.ts'
import { type ActRow, type Done, doAct, summed } from './do-act.ts'
import { notSure } from './retry-acts.ts'
import { sendInvitation } from './send-invitation.ts'

const mostAttempts = 5
const atOnce = 20

/**
 * Acts on groups that are due: one group of each connection at a time, with a rest between two that follows from its job
 * and varies. What a process left behind when it died is done again, for done twice it changes nothing; a group that was
 * to be made is not, since nobody knows whether it was.
 */
export const actOnGroups = async (): Promise<Round> => {
  await platformRows(rescue, [])
  const rows = await platformRows<ActRow>(claim, [atOnce])
  await Promise.all(rows.map(attempt))
  if (rows.length) wakeJobs()
  return { did: rows.length }
}

const attempt = async (row: ActRow) => {
  const { tenantId } = row
  try {
    const connection = await findConnection(row.connectionId)
    if (!connection) return await end(row, 'O canal deste grupo foi excluído.')
    await settle(row, connection, await doAct(connection, row))
  } catch (error) {
    if (!(error instanceof ChannelError)) log.error({ err: error, tenantId, actId: row.id }, 'group act failed')
    await refused(
      row,
      error instanceof ChannelError ? error : new ChannelError('final', 'Não foi possível fazer isto agora.'),
    )
  }
}

const refused = async (row: ActRow, error: ChannelError) => {
  const isCreation = row.act.kind === 'create'
  if (error.outcome === 'uncertain' && isCreation) return end(row, notSure)
  const isOut = error.isConnectionBroken || (error.outcome === 'retry' && (await isNotConnected(row)))
  if (isOut || (error.outcome !== 'final' && row.attempts < mostAttempts)) {
    const waitMs = error.retryAfterMs ?? (isOut ? 30_000 : 30_000 * row.attempts)
    await withTenant(row.tenantId, (tx) =>
      tx.rows(postpone, [tx.tenantId, row.id, row.connectionId, error.message, waitMs, isOut]),
    )
    return
  }
  if (error.isUnreachable && row.groupId) {
    const { groupId } = row
    await withTenant(row.tenantId, (tx) => setLeft(tx, row.connectionId, groupId, new Date()))
  }
  await end(row, error.message)
}

const end = (row: ActRow, reason: string) =>
  ending(row, async (tx) => {
    await tx.rows(fail, [tx.tenantId, row.id, reason])
    if (row.act.kind === 'create') await tx.rows(addNobody, [tx.tenantId, row.jobId, row.id, notMade])
  })

/** A connection that is out goes on with all its groups once it is back, however long that takes. */
const isNotConnected = async ({ tenantId, connectionId }: ActRow): Promise<boolean> => {
  const [row] = await withTenant(tenantId, (tx) => tx.rows(disconnected, [tx.tenantId, connectionId]))
  return row !== undefined
}

/** Holds the job of what ends: one that was canceled meanwhile is told of it here. */
const ending = (row: ActRow, work: (tx: Tx) => Promise<void>) =>
  withTenant(row.tenantId, async (tx) => {
    const job = await lockJob(tx, row.jobId)
    await work(tx)
    if (job?.finishedAt) await countLate(tx, job)
  })

/** What became of it, and what is known of the group from now on, in one transaction. */
const settle = async (row: ActRow, connection: OpenConnection, done: Done) => {
  const directory = await getDirectory(row.tenantId)
  await ending(row, async (tx) => {
    const { people, state, reason } = await invite(tx, { row, connection, directory, done })
    const groupId = row.groupId ?? (done.made && (await resolveContact(tx, madeGroup(row, done))).contactId)
    await tx.rows(finish, [
      ...[tx.tenantId, row.id, state, reason, JSON.stringify(people), done.inviteUrl],
      ...[done.undo && JSON.stringify(done.undo), done.undoMediaId, groupId],
    ])
    if (row.act.kind === 'create') {
      if (groupId) await tx.rows(addOthers, [tx.tenantId, row.jobId, row.id, groupId])
      else await tx.rows(addNobody, [tx.tenantId, row.jobId, row.id, notMade])
    }
    if (!groupId) return
    await keep(tx, connection, groupId, done)
  })
}

type Inviting = { row: ActRow; connection: OpenConnection; directory: Directory; done: Done }
/** Writes to who lets nobody add them; whoever cannot be written to is told among those who did not come. */
const invite = async (tx: Tx, { row, connection, directory, done }: Inviting): Promise<Done> => {
  const { inviteUrl, kept } = done
  if (!inviteUrl || !kept.invited?.length) return done
  const people = [...done.people]
  for (const { at, person } of kept.invited) {
    const asked = { connection, directory, person, group: row.name, inviteUrl, rowId: row.id }
    const problem = await sendInvitation(tx, asked)
    const shown = people[at]
    if (problem && shown) people[at] = { ...shown, outcome: 'refused', reason: `O convite não foi enviado: ${problem}` }
  }
  return { ...done, people, ...summed(people) }
}
const madeGroup = ({ name }: ActRow, { made }: Done) => ({ identities: made ? [made] : [], name, isGroup: true })

const keep = async (tx: Tx, connection: OpenConnection, groupId: string, { made, kept, inviteUrl }: Done) => {
  const now = new Date()
  const { title, description, isAdminsOnly, changed } = kept
  if (made) await tx.rows(wantAsked, [tx.tenantId, groupId])
  await notePlaces(tx, connection.id, [{ groupId, isAdminsOnly }])
  if (title) await renameGroup(tx, groupId, title, now)
  if (description !== undefined) await tx.rows(describe, [tx.tenantId, groupId, description])
  if (inviteUrl) await tx.rows(keepLink, [tx.tenantId, connection.id, groupId, inviteUrl])
  if (kept.hasPicture) await wantNewPicture(tx, connection, groupId)
  // Its channel tells of whom we added by names of its own, which nobody knows to be these numbers: counted by both, one
  // person would be two. So it is asked who is there, soon.
  if (changed?.change === 'joined') return await wantGroupsSoon(tx, [groupId])
  if (changed?.people.length) {
    const members = changed.people.flatMap(([first, ...rest]) =>
      first ? [{ identities: [first, ...rest] as [typeof first] }] : [],
    )
    await changeMembers(tx, groupId, { change: changed.change, members, at: now })
    await refreshRoles(tx, connection.id, [groupId])
  } else await tellGroups(tx, connection.id)
}

const notMade = 'Ninguém desta parte foi adicionado: não há o grupo.'
/** Whoever is to be added to the group that a row makes. */
const others = `tenant_id = $1 and job_id = $2 and state = 'waiting' and due_at = 'infinity' and act->>'madeBy' = $3::text`
const addOthers: Prepared = {
  name: 'group_acts_add_others',
  text: `update group_act_rows set group_id = $4, due_at = now() where ${others}`,
}
const addNobody: Prepared = {
  name: 'group_acts_add_nobody',
  text: `update group_act_rows set state = 'failed', reason = $4, done_at = now() where ${others}`,
}

export const isGroupActDue = `select from group_act_rows where state in ('waiting', 'doing') and due_at <= now()`

/** No act takes that long. */
const lostAfterS = 180
const rescue: Prepared = {
  name: 'group_acts_rescue',
  text: `with gone as (
      update group_act_rows r set state = 'canceled', done_at = now() from bulk_jobs j
      where r.state = 'waiting' and j.tenant_id = r.tenant_id and j.id = r.job_id and j.state in ('canceled', 'failed')
    ), lost as (
      update group_act_rows set state = case when act->>'kind' = 'create' then 'failed' else 'waiting' end,
        reason = case when act->>'kind' = 'create' then '${notSure}' end,
        done_at = case when act->>'kind' = 'create' then now() end
      where state = 'doing' and claimed_at < now() - interval '${lostAfterS} seconds'
      returning tenant_id, job_id, id, state
    )
    update group_act_rows r set state = 'failed', reason = '${notMade}', done_at = now() from lost l
    where l.state = 'failed' and r.tenant_id = l.tenant_id and r.job_id = l.job_id and r.state = 'waiting' and r.due_at = 'infinity'
      and r.act->>'madeBy' = l.id::text`,
}
/**
 * The next group of each connection whose rest is over. Two processes that ask at once meet at the row of the pace: the
 * second finds its time moved.
 */
const claim: Prepared = {
  name: 'group_acts_claim',
  text: `with lanes as (
      select distinct tenant_id, connection_id from group_act_rows where state = 'waiting' and due_at <= now() limit 500
    ), next as (
      select r.tenant_id, r.id, r.connection_id, r.rest from lanes l
        left join group_pace p on p.tenant_id = l.tenant_id and p.connection_id = l.connection_id
        cross join lateral (select r.tenant_id, r.id, r.connection_id, coalesce((j.params->>'restSeconds')::numeric, 8) as rest
          from group_act_rows r join bulk_jobs j on j.tenant_id = r.tenant_id and j.id = r.job_id and j.state in ('pending', 'running')
          where r.tenant_id = l.tenant_id and r.connection_id = l.connection_id and r.state = 'waiting' and r.due_at <= now()
          order by j.created_at, r.place limit 1) r
      where coalesce(p.next_at, '-infinity') <= now() limit $1
    ), paced as (
      insert into group_pace as p (tenant_id, connection_id, next_at)
      select tenant_id, connection_id, now() + make_interval(secs => (rest * (0.6 + random() * 0.8))::double precision) from next
      order by tenant_id, connection_id
      on conflict (tenant_id, connection_id) do update set next_at = excluded.next_at where p.next_at <= now()
      returning tenant_id, connection_id
    )
    update group_act_rows r set state = 'doing', claimed_at = now(), attempts = attempts + 1
    from next n join paced d on d.tenant_id = n.tenant_id and d.connection_id = n.connection_id
    where r.tenant_id = n.tenant_id and r.id = n.id and r.state = 'waiting'
    returning r.tenant_id as "tenantId", r.id, r.job_id as "jobId", r.connection_id as "connectionId", r.group_id as "groupId",
      r.name, r.act, r.media_id as "mediaId", r.attempts`,
}
/** The whole connection rests: what asked to wait asks it of the account. */
const postpone: Prepared = {
  name: 'group_acts_postpone',
  text: `with rested as (
      update group_pace set next_at = greatest(next_at, now() + $5::double precision * interval '1 millisecond')
      where tenant_id = $1 and connection_id = $3
    )
    update group_act_rows set state = 'waiting', reason = $4, due_at = now() + $5::double precision * interval '1 millisecond',
      attempts = attempts - $6::boolean::int
    where tenant_id = $1 and id = $2 and state = 'doing'`,
}
const disconnected: Prepared = {
  name: 'group_acts_disconnected',
  text: `select from connections where tenant_id = $1 and id = $2 and status <> 'CONNECTED'`,
}
const fail: Prepared = {
  name: 'group_acts_fail',
  text: `update group_act_rows set state = 'failed', reason = $3, done_at = now() where tenant_id = $1 and id = $2 and state = 'doing'`,
}
const finish: Prepared = {
  name: 'group_acts_finish',
  text: `update group_act_rows set state = $3, reason = $4, people = $5::jsonb, invite_url = $6, undo = $7::jsonb, undo_media_id = $8,
      group_id = $9, done_at = now()
    where tenant_id = $1 and id = $2 and state = 'doing'`,
}
const describe: Prepared = {
  name: 'group_acts_describe',
  text: `insert into groups (tenant_id, contact_id, description) values ($1, $2, $3)
    on conflict (tenant_id, contact_id) do update set description = excluded.description`,
}
const keepLink: Prepared = {
  name: 'group_acts_link',
  text: `update connection_groups set invite_url = $4 where tenant_id = $1 and connection_id = $2 and group_id = $3`,
}
const wantAsked: Prepared = {
  name: 'group_acts_want',
  text: `insert into groups (tenant_id, contact_id, ask_at) values ($1, $2, now()) on conflict do nothing`,
}
