import { reachedBy } from '@balcao/contract/channels/index.ts'
import type { SkipReason } from '@balcao/contract/operations/campaigns/audience.ts'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { connections } from '../../../db/schema/channels/connections.ts'
import { campaigns } from '../../../db/schema/operations/campaigns.ts'
import { visibleContacts } from '../../contacts/contacts/contacts.policy.ts'
import { findFew } from '../../contacts/membership/members.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { audienceParts } from './audience-sql.ts'
import { type Judging, judged, type Slice, within } from './judge.ts'
import { type ListRow, listProblem, lists as listStates } from './problems.ts'

export type CampaignRow = typeof campaigns.$inferSelect

/** So many contacts are looked at in one transaction. */
export const sliceSize = 20_000
const first = '00000000-0000-0000-0000-000000000000'
const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** What decides about the recipients of a campaign as it stands now. */
export const judgingOf = async (
  tx: Tx,
  row: Pick<CampaignRow, 'id' | 'connectionIds' | 'purpose' | 'plan' | 'createdBy'>,
): Promise<Judging> => {
  const { tenantId } = tx
  const { id: campaignId, connectionIds, purpose, plan, createdBy } = row
  const directory = await getDirectory(tenantId)
  const person = createdBy === null ? undefined : directory.people.get(createdBy)
  const who = { tenantId, userId: createdBy ?? first, permissions: person?.permissions ?? new Set<never>() }
  const ways = await tx.db
    .select({ id: connections.id, kind: connections.kind, abilities: connections.abilities })
    .from(connections)
    .where(
      and(eq(connections.tenantId, tenantId), inArray(connections.id, connectionIds), isNull(connections.deletedAt)),
    )
    .orderBy(connections.id)
  const { include, exclude, skipActive, restDays } = plan.audience
  return {
    ...(await audienceParts(tx, who, { include, exclude })),
    ...{ tenantId, campaignId, purpose, ways, spread: plan.spread, audience: { skipActive, restDays } },
    visible: await visibleContacts(who),
    importIds: include.flatMap((one) => (one.kind === 'import' ? [one.importId] : [])),
    step: plan.steps[0],
    laterSteps: plan.steps.slice(1),
    onMissing: plan.onMissing,
    fallbacks: plan.fallbacks,
    hasAuthor: person !== undefined,
  }
}

/**
 * The slice that comes after a contact: all of a small audience at once, else the next of the company's contacts in the order
 * of their ids. `upTo` is where to go on; null: that is the last.
 */
export const nextSlice = async (
  tx: Tx,
  judging: Judging,
  after: string | null,
  size = sliceSize,
): Promise<{ slice: Slice; upTo: string | null }> => {
  if (after === null) {
    const few = await findFew(tx, judging.include, judging.visible, size)
    // What looked for them has planned for itself alone.
    await tx.db.execute(sql`select set_config('enable_nestloop', 'on', true)`)
    if (few) return { slice: { ids: few }, upTo: null }
  }
  const { rows } = await tx.db.execute<{ id: string }>(sql`select c.id from contacts c
    where c.tenant_id = ${tx.tenantId} and c.id > ${after ?? first}::uuid order by c.id offset ${size - 1} limit 1`)
  const upTo = rows[0]?.id ?? null
  return { slice: { after: after ?? first, upTo: upTo ?? last }, upTo }
}

/**
 * Freezes the next slice of the audience after a contact, in the transaction of whoever holds the campaign's row: a recipient
 * for everybody who is meant, also for those who are left out, with the reason. Who is a recipient already stays as they are,
 * so that a slice may be done again, and so may all of them for those who came later. Answers how many were added, and where
 * to go on; null: that was all.
 */
export const freezeSlice = async (
  tx: Tx,
  row: CampaignRow,
  after: string | null,
  size = sliceSize,
): Promise<{ added: number; upTo: string | null }> => {
  // A slice that is lost with the machine is lost whole, and done again.
  await tx.db.execute(sql`select set_config('work_mem', '64MB', true), set_config('synchronous_commit', 'off', true)`)
  const judging = await judgingOf(tx, row)
  const { slice, upTo } = await nextSlice(tx, judging, after, size)
  const { rowCount } = await tx.db.execute(sql`
    insert into campaign_recipients (tenant_id, id, campaign_id, step, contact_id, connection_id, variant, vars, state, reason)
    select ${tx.tenantId}, ${newId}, ${row.id}::uuid, 0, j.contact_id, j.connection_id, j.variant, j.vars,
      case when j.reason is null then 'waiting' else 'skipped' end, j.reason
    from (${judged(judging, slice)}) j
    on conflict do nothing`)
  const byMail = judging.ways.flatMap(({ id, kind, abilities }) =>
    reachedBy(kind, abilities).includes('email') ? id : [],
  )
  if (byMail.length && rowCount) await keepTypedAddresses(tx, row.id, slice, byMail)
  return { added: rowCount ?? 0, upTo }
}
/** An address that somebody wrote down is one they are known by, from the moment they are written to. */
const keepTypedAddresses = (tx: Tx, campaignId: string, slice: Slice, byMail: string[]) =>
  tx.db.execute(sql`insert into contact_identities (tenant_id, kind, value, contact_id)
    select c.tenant_id, 'email', c.email, c.id from campaign_recipients r join contacts c on c.tenant_id = r.tenant_id and c.id = r.contact_id
    where r.tenant_id = ${tx.tenantId} and r.campaign_id = ${campaignId}::uuid and r.step = 0 and ${within(sql`r.contact_id`, slice)}
      and r.state = 'waiting' and r.connection_id = any(${sql.param(byMail)}::uuid[]) and c.email <> ''
      and not exists (select from contact_identities i where i.tenant_id = c.tenant_id and i.contact_id = c.id and i.kind = 'email')
    on conflict do nothing`)
/** Ids that grow with time, so that the rows of a slice lie together. */
const newId = sql`overlay(gen_random_uuid()::text placing
  (select substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-7' from lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') h)
  from 1 for 15)::uuid`

type Turns = {
  /** There is nobody left. */
  whole: (tx: Tx, row: CampaignRow) => Promise<unknown>
  /** It cannot go on by itself, and why, in Portuguese. */
  stuck: (tx: Tx, row: CampaignRow, reason: string) => Promise<unknown>
}
/**
 * The next slice of a campaign that is being prepared; undefined where another process has it, or it is not any more. With
 * the last one `whole` changes its state, in the same transaction. While one of its lists is still being imported nothing is
 * frozen, and its turn comes again in a moment (`isWaiting`).
 */
export const prepareSlice = (
  tenantId: number,
  campaignId: string,
  { whole, stuck }: Turns,
): Promise<{ added: number; isWhole: boolean; isWaiting?: true } | undefined> =>
  withTenant(tenantId, async (tx) => {
    const mine = and(eq(campaigns.tenantId, tenantId), eq(campaigns.id, campaignId), eq(campaigns.state, 'preparing'))
    const [row] = await tx.db.select().from(campaigns).where(mine).for('no key update', { skipLocked: true })
    if (!row) return undefined
    const lists = await listsOf(tx, row)
    const problem = lists.find((one) => listProblem(one))
    if (problem) {
      await stuck(tx, row, listProblem(problem) ?? '')
      return { added: 0, isWhole: false, isWaiting: true }
    }
    if (lists.some(({ state }) => state !== 'done')) {
      await tx.db.update(campaigns).set({ dueAt: sql`now() + interval '2 seconds'` }).where(mine)
      return { added: 0, isWhole: false }
    }
    const { added, upTo } = await freezeSlice(tx, row, row.preparedUpTo)
    await tx.db.update(campaigns).set({ preparedUpTo: upTo }).where(mine)
    if (upTo !== null) return { added, isWhole: false }
    for (const [reason, count] of await lostLines(tx, row))
      await tx.rows(addTally, [tenantId, campaignId, ['total', `skipped:${reason}`], count])
    await whole(tx, { ...row, preparedUpTo: null })
    return { added, isWhole: true }
  })

const listsOf = async (tx: Tx, { plan }: Pick<CampaignRow, 'plan'>): Promise<ListRow[]> => {
  const ids = [...plan.audience.include, ...plan.audience.exclude].flatMap((one) =>
    one.kind === 'import' ? one.importId : [],
  )
  return ids.length ? tx.rows<ListRow>(listStates, [tx.tenantId, ids]) : []
}

/** Lines of its lists that became nobody: broken ones, and those that repeat another. */
export const lostLines = async (tx: Tx, { plan }: Pick<CampaignRow, 'plan'>): Promise<[SkipReason, number][]> => {
  const ids = plan.audience.include.flatMap((one) => (one.kind === 'import' ? one.importId : []))
  if (!ids.length) return []
  const [row] = await tx.rows<{ invalid: number; repeated: number }>(lost, [tx.tenantId, ids])
  const found: [SkipReason, number][] = [
    ['invalid', row?.invalid ?? 0],
    ['repeated', row?.repeated ?? 0],
  ]
  return found.filter(([, count]) => count > 0)
}
const lost: Prepared = {
  name: 'campaign_lost_lines',
  text: `select count(*) filter (where outcome = 'error')::int as invalid,
      count(*) filter (where outcome = 'skip' and reason like 'Repete a linha %')::int as repeated
    from contact_import_rows where tenant_id = $1 and import_id = any($2::uuid[])`,
}
const addTally: Prepared = {
  name: 'campaign_add_tally',
  text: `insert into campaign_tallies as t (tenant_id, campaign_id, step, variant, connection_id, mark, at, writer, count)
    select $1, $2, 0, -1, '${first}', mark, 'epoch', pg_backend_pid(), $4::int from unnest($3::text[]) as m(mark) order by mark
    on conflict (tenant_id, campaign_id, writer, step, variant, connection_id, mark, at) do update set count = t.count + excluded.count`,
}
