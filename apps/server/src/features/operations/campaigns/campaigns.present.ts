import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import type { Campaign, CampaignNumbers, CampaignRow } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { campaignRow } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { and, eq, inArray } from 'drizzle-orm'
import type { Prepared, Tx } from '../../../db/database.ts'
import { connections } from '../../../db/schema/channels/connections.ts'
import { campaigns } from '../../../db/schema/operations/campaigns.ts'
import { AppError } from '../../../kit/errors.ts'
import { emit, emitAll } from '../../../kit/outbox.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { presentMedia, type StoredFile } from '../../core/media/media.present.ts'
import { filesByIds } from '../../core/media/stored-files.ts'
import { type Hold, holdOf, type Lane } from './holds.ts'
import { endsAbout, type LastDue, type WrittenToday } from './pace.ts'
import { pauseAdvice } from './pauses.ts'

export type StoredCampaign = typeof campaigns.$inferSelect

/** A campaign of the company; `lock` holds it, but not those who only refer to it. Throws ERR_NOT_FOUND. */
export const findCampaign = async (tx: Tx, id: string, lock?: 'lock'): Promise<StoredCampaign> => {
  const asked = tx.db
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.tenantId, tx.tenantId), eq(campaigns.id, id)))
  const [row] = await (lock ? asked.for('no key update') : asked)
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return row
}

/** Campaigns as they leave, with numbers, names and the end they are going to have. */
export const presentCampaigns = async (tx: Tx, rows: StoredCampaign[]): Promise<Campaign[]> => {
  if (!rows.length) return []
  const { tenantId } = tx
  const directory = await getDirectory(tenantId)
  const connectionIds = [...new Set(rows.flatMap((row) => row.connectionIds))]
  const known = await tx.db
    .select()
    .from(connections)
    .where(and(eq(connections.tenantId, tenantId), inArray(connections.id, connectionIds)))
  const ways = new Map(known.map((one) => [one.id, one]))
  const counted = await readTallies(
    tx,
    rows.map(({ id }) => id),
  )
  const lanes = await readLanes(tx, rows)
  const written = await readWrittenToday(tx, rows, directory.timezone)
  const mediaIds = [...new Set(rows.flatMap(mediaOf))]
  const stored = mediaIds.length ? await tx.rows<StoredFile>(filesByIds, [tenantId, mediaIds]) : []
  const files = new Map(stored.map((file) => [file.id, presentMedia(file, tx)]))
  const person = (id: string | null) =>
    id === null ? null : { id, name: directory.people.get(id)?.name ?? 'Usuário removido' }
  return rows.map((row): Campaign => {
    const { id, name, origin, purpose, state, plan, version, winners: _, ...rest } = row
    const waiting = lanes.get(id) ?? []
    const tallies = counted.get(id) ?? []
    const sums = numbersFrom(tallies)
    const mine = row.connectionIds.flatMap((one) => ways.get(one) ?? [])
    const paced = mine.map((way) => ({ ...way, ...(written.get(`${id} ${way.id}`) ?? nothingToday) }))
    return {
      ...{ id, name, origin, purpose, state, version, ...plan },
      connectionIds: row.connectionIds,
      connections: mine.map(({ id, name, kind, abilities }) => ({ id, name, kind, receipts: abilities.receipts })),
      pause:
        state === 'paused' && rest.pausedAt
          ? {
              code: rest.pauseCode,
              text: rest.pauseText ?? '',
              advice: pauseAdvice(rest.pauseCode),
              at: rest.pausedAt.toISOString(),
              until: rest.pauseCode === 'canary' ? (rest.dueAt?.toISOString() ?? null) : null,
            }
          : null,
      numbers: sums,
      turns: {
        first: turnsFrom(tallies.filter(({ isFirst }) => isFirst)),
        following: turnsFrom(tallies.filter(({ isFirst }) => !isFirst)),
      },
      files: mediaOf(row).flatMap((media) => files.get(media) ?? []),
      createdBy: person(rest.createdBy),
      askedBy: person(rest.askedBy),
      approvedBy: person(rest.approvedBy),
      startsAt: rest.startsAt?.toISOString() ?? null,
      endsAt: rest.endsAt?.toISOString() ?? null,
      startedAt: rest.startedAt?.toISOString() ?? null,
      finishedAt: rest.finishedAt?.toISOString() ?? null,
      endsAbout:
        state === 'running'
          ? (endsAbout(row, paced, { waiting: sums.waiting, dues: duesOf(waiting) }, directory)?.toISOString() ?? null)
          : null,
      hold: state === 'running' ? presentHold(holdOf(row, { ways: paced, lanes: waiting }, directory)) : null,
      createdAt: rest.createdAt.toISOString(),
      updatedAt: rest.updatedAt.toISOString(),
    }
  })
}

export const presentCampaign = async (tx: Tx, row: StoredCampaign): Promise<Campaign> => {
  const [presented] = await presentCampaigns(tx, [row])
  if (!presented) throw new Error('A campaign was lost')
  return presented
}
/** As lists and events have it. */
export const asRow = (presented: Campaign): CampaignRow => campaignRow.parse(presented)

/** Tells whoever sees campaigns what one is like now. */
export const emitCampaign = async (tx: Tx, row: StoredCampaign): Promise<Campaign> => {
  const presented = await presentCampaign(tx, row)
  await emit(tx, 'campaign.updated', asRow(presented), { kind: 'permission', can: 'campaigns.read' })
  return presented
}

/** The same of several. */
export const emitCampaigns = async (tx: Tx, rows: StoredCampaign[]) => {
  const presented = await presentCampaigns(tx, rows)
  await emitAll(
    tx,
    presented.map((one) => ({
      name: 'campaign.updated' as const,
      payload: asRow(one),
      audience: { kind: 'permission' as const, can: 'campaigns.read' as const },
    })),
  )
}

/** The files that its contents name, each once. */
export const mediaOf = ({ plan }: Pick<StoredCampaign, 'plan'>): string[] => [
  ...new Set(
    plan.steps.flatMap(({ variants }) =>
      variants.flatMap(({ content }) => [
        ...content.parts.flatMap(({ mediaId }) => mediaId ?? []),
        ...(content.templateMediaId ? [content.templateMediaId] : []),
      ]),
    ),
  ),
]

export type Tally = { mark: string; count: number }
/** Marks as they are counted, as the numbers people read. */
export const numbersFrom = (tallies: readonly Tally[]): CampaignNumbers => {
  const sum = (name: string) =>
    tallies.reduce((all, { mark, count }) => all + (mark === name || mark.startsWith(`${name}:`) ? count : 0), 0)
  const [total, skipped, written] = [sum('total'), sum('skipped'), sum('written')]
  return {
    ...{ total, skipped, waiting: Math.max(0, total - skipped - written) },
    ...{ sent: sum('sent'), delivered: sum('delivered'), read: sum('read'), answered: sum('answered') },
    ...{ failed: sum('failed'), uncertain: sum('uncertain'), optedOut: sum('optedOut'), complaints: sum('complaints') },
    cost: sum('cost'),
  }
}
const turnsFrom = (tallies: readonly Tally[]) => {
  const { total, skipped, waiting } = numbersFrom(tallies)
  const meant = total - skipped
  return { meant, done: Math.max(0, meant - waiting) }
}

type StepTally = Tally & { isFirst: boolean }
/** Of several campaigns, in one statement over what was counted as it happened. */
const readTallies = async (tx: Tx, ids: string[]): Promise<Map<string, StepTally[]>> => {
  const rows = await tx.rows<StepTally & { id: string }>(sums, [tx.tenantId, ids])
  return Map.groupBy(rows, ({ id }) => id)
}
const sums: Prepared = {
  name: 'campaign_sums',
  text: `select campaign_id as id, step = 0 as "isFirst", split_part(mark, ':', 1) as mark, sum(count)::float8 as count
    from campaign_tallies where tenant_id = $1 and campaign_id = any($2::uuid[]) group by 1, 2, 3`,
}

/** Who waits of campaigns that run, by connection and step: two looks in the index each. */
const readLanes = async (tx: Tx, rows: StoredCampaign[]): Promise<Map<string, Lane[]>> => {
  const ids = rows.flatMap(({ id, state }) => (state === 'running' ? [id] : []))
  if (!ids.length) return new Map()
  const found = await tx.rows<Lane & { id: string }>(waitingLanes, [tx.tenantId, ids])
  return Map.groupBy(
    found.map((lane) => ({ ...lane, firstAt: new Date(lane.firstAt), lastAt: new Date(lane.lastAt) })),
    ({ id }) => id,
  )
}
const waitingLanes: Prepared = {
  name: 'campaign_waiting_lanes',
  text: `with lanes as (
      select c.tenant_id, c.id, s.step, w.connection_id, x.rest from campaigns c
        cross join generate_series(0, jsonb_array_length(c.plan -> 'steps') - 1) as s(step)
        cross join unnest(c.connection_ids) as w(connection_id) cross join (values (0), (1)) as x(rest)
      where c.tenant_id = $1 and c.id = any($2::uuid[]))
    select l.id, l.step, l.connection_id as "connectionId", l.rest = 1 as "isRest", f.due_at as "firstAt", t.due_at as "lastAt" from lanes l
      cross join lateral (select r.due_at from campaign_recipients r where r.tenant_id = l.tenant_id and r.campaign_id = l.id
        and r.connection_id = l.connection_id and r.step = l.step and (case when r.variant is null then 1 else 0 end) = l.rest
        and r.state = 'waiting' order by r.due_at, r.id limit 1) f
      cross join lateral (select r.due_at from campaign_recipients r where r.tenant_id = l.tenant_id and r.campaign_id = l.id
        and r.connection_id = l.connection_id and r.step = l.step and (case when r.variant is null then 1 else 0 end) = l.rest
        and r.state = 'waiting' order by r.due_at desc, r.id desc limit 1) t
    order by l.id, l.step`,
}
/** Of each step, when the last who waits is due. */
const duesOf = (lanes: readonly Lane[]): LastDue[] =>
  [...Map.groupBy(lanes, ({ step }) => step)].map(([step, some]) => ({
    step,
    dueAt: new Date(Math.max(...some.map(({ lastAt }) => lastAt.getTime()))),
  }))
const presentHold = (hold: Hold | undefined): Campaign['hold'] =>
  hold ? { text: hold.text, until: hold.until?.toISOString() ?? null } : null

const nothingToday: WrittenToday = { sentToday: 0, writtenToday: 0 }
/** Of campaigns that run, by campaign and connection: what left on the company's day so far. */
const readWrittenToday = async (
  tx: Tx,
  rows: StoredCampaign[],
  timeZone: string,
): Promise<Map<string, WrittenToday>> => {
  const ids = rows.flatMap(({ id, state }) => (state === 'running' ? [id] : []))
  if (!ids.length) return new Map()
  const today = wallTimeOf(new Date(), timeZone).slice(0, 10)
  const found = await tx.rows<WrittenToday & { id: string; connectionId: string }>(writtenOn, [tx.tenantId, ids, today])
  return new Map(found.map(({ id, connectionId, ...counts }) => [`${id} ${connectionId}`, counts]))
}
const writtenOn: Prepared = {
  name: 'campaign_written_on',
  text: `select c.id, w.connection_id as "connectionId", case when n.sent_on = $3::text::date then n.sent_today else 0 end as "sentToday",
      case when p.written_on = $3::text then p.written_today else 0 end as "writtenToday"
    from campaigns c cross join unnest(c.connection_ids) as w(connection_id)
      left join connection_pace n on n.tenant_id = c.tenant_id and n.connection_id = w.connection_id
      left join campaign_paces p on p.tenant_id = c.tenant_id and p.campaign_id = c.id and p.connection_id = w.connection_id
    where c.tenant_id = $1 and c.id = any($2::uuid[])`,
}
