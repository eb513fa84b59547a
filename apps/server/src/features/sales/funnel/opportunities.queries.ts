import type {
  OpportunitiesQuery,
  Opportunity,
  OpportunityBoardQuery,
  OpportunityStatus,
} from '@balcao/contract/sales/opportunities.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { likePattern } from '../../../kit/cursor.ts'
import { type Bind, binding } from '../../../kit/sql.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { visibleOpportunities } from './opportunities.policy.ts'

export type OpportunityRow = Omit<
  Opportunity,
  'contact' | 'responsible' | 'reason' | 'createdBy' | 'stageSince' | 'closedAt' | 'createdAt' | 'updatedAt'
> & {
  contactName: string
  contactNumber: string | null
  contactPicture: string | null
  responsibleName: string | null
  reasonName: string | null
  createdById: string | null
  createdByName: string | null
  stageSince: Date
  closedAt: Date | null
  createdAt: Date
  updatedAt: Date
  position: number
}

const columns = `o.id, o.name, o.pipeline_id as "pipelineId", o.stage_id as "stageId", o.contact_id as "contactId",
  o.responsible_id as "responsibleId", o.closing_forecast::text as "closingForecast", o.value, o.description, o.source, o.items,
  o.status, o.reason_id as "reasonId", o.stage_since as "stageSince", o.closed_at as "closedAt", o.version, o.position,
  o.created_at as "createdAt", o.updated_at as "updatedAt", o.created_by as "createdById",
  c.name as "contactName", c.number as "contactNumber", c.profile_pic_url as "contactPicture",
  r.name as "responsibleName", b.name as "createdByName", n.name as "reasonName",
  (select t.id from tickets t where t.tenant_id = o.tenant_id and t.contact_id = o.contact_id and t.status <> 'closed'
    order by t.created_at desc limit 1) as "ticketId"`
const joins = `join contacts c on c.tenant_id = o.tenant_id and c.id = o.contact_id
  left join users r on r.tenant_id = o.tenant_id and r.id = o.responsible_id
  left join users b on b.tenant_id = o.tenant_id and b.id = o.created_by
  left join outcome_reasons n on n.tenant_id = o.tenant_id and n.id = o.reason_id`

type Filter = Partial<Omit<OpportunitiesQuery, 'sort' | 'direction'>>
type Asking = { actor: Pick<Actor, 'userId' | 'permissions'>; directory: Directory }

const conditionsOf = (tx: Tx, { actor, directory }: Asking, query: Filter, bind: Bind): string[] => {
  const all = [`o.tenant_id = ${bind(tx.tenantId)}`, visibleOpportunities(actor, directory, bind)]
  if (query.pipelineId) all.push(`o.pipeline_id = ${bind(query.pipelineId)}`)
  if (query.stageId?.length) all.push(`o.stage_id = any(${bind(query.stageId)}::uuid[])`)
  if (query.responsibleId?.length) all.push(`o.responsible_id = any(${bind(query.responsibleId)}::uuid[])`)
  if (query.status?.length) all.push(`o.status = any(${bind(query.status)}::text[])`)
  if (query.valorMin !== undefined) all.push(`o.value >= ${bind(query.valorMin)}`)
  if (query.valorMax !== undefined) all.push(`o.value <= ${bind(query.valorMax)}`)
  if (query.startDate) all.push(`o.closing_forecast >= ${bind(query.startDate)}::date`)
  if (query.endDate) all.push(`o.closing_forecast <= ${bind(query.endDate)}::date`)
  if (query.isLate)
    all.push(`o.status = 'open' and o.closing_forecast < (now() at time zone ${bind(directory.timezone)})::date`)
  if (query.contactId) all.push(`o.contact_id = ${bind(query.contactId)}`)
  const words = query.searchParam?.replaceAll('\0', '').trim()
  if (words) {
    const pattern = bind(likePattern(words))
    all.push(
      `(norm(o.name) like norm(${pattern}) or exists (select from contacts s where s.tenant_id = o.tenant_id and s.id = o.contact_id and s.search like norm(${pattern})))`,
    )
  }
  return all
}

/** What a list may be ordered by; nothing sorts last. */
export const sortKeys = {
  createdAt: { sql: 'o.created_at', type: 'timestamptz' },
  closingForecast: { sql: `coalesce(o.closing_forecast, 'infinity'::date)`, type: 'date' },
  value: { sql: 'o.value', type: 'bigint' },
  name: { sql: 'norm(o.name)', type: 'text' },
} as const

/** One more than the page of what this person sees, and their number when asked for. */
export const readOpportunities = async (
  tx: Tx,
  asking: Asking,
  query: OpportunitiesQuery & { limit: number },
  cursor: { value: string; id: string } | undefined,
) => {
  const { values, bind } = binding()
  const from = `from opportunities o where ${conditionsOf(tx, asking, query, bind).join(' and ')}`
  const count = query.count
    ? (await tx.rows<{ total: number }>({ name: '', text: `select count(*)::int as total ${from}` }, [...values]))[0]
        ?.total
    : undefined
  const key = sortKeys[query.sort]
  const order = `${key.sql} ${query.direction}, o.id ${query.direction}`
  const page = cursor
    ? `and (${key.sql}, o.id) ${query.direction === 'asc' ? '>' : '<'} (${bind(cursor.value)}::${key.type}, ${bind(cursor.id)}::uuid)`
    : ''
  const skip = cursor ? 0 : (query.pageNumber - 1) * query.limit
  const text = `select ${columns}, (${key.sql})::text as "sortKey"
    from (select o.* ${from} ${page} order by ${order} limit ${bind(query.limit + 1)} offset ${bind(skip)}) o ${joins} order by ${order}`
  return { rows: await tx.rows<OpportunityRow & { sortKey: string }>({ name: '', text }, values), count }
}

export type ColumnSums = { stageId: string; total: number; value: number }
/** The cards of a pipeline's stages, so many and one more of each, and what all of them come to. */
export const readBoard = async (
  tx: Tx,
  asking: Asking,
  query: OpportunityBoardQuery,
  { limit, cursor }: { limit: number; cursor: { position: number; id: string } | undefined },
) => {
  const status: OpportunityStatus[] = query.status.length ? query.status : ['open']
  const { column, ...filter } = query
  const wanted = { ...filter, status, stageId: column ? [column] : filter.stageId }
  const sums = binding()
  const totals = await tx.rows<ColumnSums>(
    {
      name: '',
      text: `select o.stage_id as "stageId", count(*)::int as total, coalesce(sum(o.value), 0)::bigint as value from opportunities o
        where ${conditionsOf(tx, asking, wanted, sums.bind).join(' and ')} group by o.stage_id`,
    },
    sums.values,
  )
  const { values, bind } = binding()
  const conditions = conditionsOf(tx, asking, wanted, bind).join(' and ')
  const seen = cursor ? `and (o.position, o.id) > (${bind(cursor.position)}::float8, ${bind(cursor.id)}::uuid)` : ''
  const ofStage = column ? `and s.id = ${bind(column)}` : ''
  const text = `select ${columns} from stages s cross join lateral (
      select o.* from opportunities o where o.stage_id = s.id and ${conditions} ${seen}
      order by o.position, o.id limit ${bind(limit + 1)}) o ${joins}
    where s.tenant_id = ${bind(tx.tenantId)} and s.pipeline_id = ${bind(query.pipelineId)} ${ofStage} order by o.position, o.id`
  return { totals, rows: await tx.rows<OpportunityRow>({ name: '', text }, values) }
}

/** For somebody who may see it; `lock` holds it until the transaction ends. */
export const findOpportunity = async (tx: Tx, asking: Asking, id: string, lock = false) => {
  const { values, bind } = binding()
  const text = `select ${columns} from opportunities o ${joins}
    where o.id = ${bind(id)} and ${conditionsOf(tx, asking, {}, bind).join(' and ')} ${lock ? 'for update of o' : ''}`
  const [row] = await tx.rows<OpportunityRow>({ name: '', text }, values)
  return row && { ...presentOpportunity(row), position: row.position }
}

/** The newest of a contact that is open, held until the transaction ends; a person finds what they see. */
export const findOpenOf = async (
  tx: Tx,
  { actor, directory }: { actor: Actor | null; directory: Directory },
  { contactId, pipelineId }: { contactId: string; pipelineId: string | null },
) => {
  const { values, bind } = binding()
  const seen = actor ? visibleOpportunities(actor, directory, bind) : 'true'
  const inPipeline = pipelineId ? `o.pipeline_id = ${bind(pipelineId)}` : 'true'
  const text = `select ${columns} from opportunities o ${joins}
    where o.tenant_id = ${bind(tx.tenantId)} and o.contact_id = ${bind(contactId)} and o.status = 'open' and ${inPipeline} and ${seen}
    order by o.created_at desc, o.id desc limit 1 for update of o`
  const [row] = await tx.rows<OpportunityRow>({ name: '', text }, values)
  return row && { ...presentOpportunity(row), position: row.position }
}

/** Whoever asks, and held until the transaction ends: for what happens by itself. */
export const lockOpportunity = async (tx: Tx, id: string) => {
  const [row] = await tx.rows<OpportunityRow>(locked, [tx.tenantId, id])
  return row && { ...presentOpportunity(row), position: row.position }
}

/** The same of many. */
export const readWritten = (tx: Tx, ids: readonly string[]) => tx.rows<OpportunityRow>(byIds, [tx.tenantId, ids])

/** As it is, whoever asks: what has just been written. */
export const getWrittenOpportunity = async (tx: Tx, id: string): Promise<Opportunity> => {
  const [row] = await tx.rows<OpportunityRow>(byId, [tx.tenantId, id])
  if (!row) throw new Error('The opportunity just written is not there')
  return presentOpportunity(row)
}
const one = `select ${columns} from opportunities o ${joins} where o.tenant_id = $1 and o.id = $2`
const byId: Prepared = { name: 'opportunity_by_id', text: one }
const byIds: Prepared = {
  name: 'opportunities_by_ids',
  text: `select ${columns} from opportunities o ${joins} where o.tenant_id = $1 and o.id = any($2::uuid[])`,
}
const locked: Prepared = { name: 'opportunity_lock', text: `${one} for update of o` }

export const presentOpportunity = ({
  contactName,
  contactNumber,
  contactPicture,
  responsibleName,
  reasonName,
  createdById,
  createdByName,
  position: _,
  ...row
}: OpportunityRow): Opportunity => ({
  ...row,
  contact: { id: row.contactId, name: contactName, number: contactNumber, profilePicUrl: contactPicture },
  responsible: named(row.responsibleId, responsibleName),
  reason: named(row.reasonId, reasonName),
  createdBy: named(createdById, createdByName),
  stageSince: row.stageSince.toISOString(),
  closedAt: row.closedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})
const named = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? '' })

/** Between the card it goes in front of and the one before that; with none, behind the last. */
export const positionIn = async (tx: Tx, stageId: string, beforeId: string | null, ownId: string): Promise<number> => {
  const [row] = await tx.rows<{ before: number | null; after: number | null }>(neighbours, [
    tx.tenantId,
    stageId,
    beforeId,
    ownId,
  ])
  const { before = null, after = null } = row ?? {}
  if (after === null) return (before ?? 0) + 1
  if (before === null) return after - 1
  const between = (before + after) / 2
  if (between > before && between < after) return between
  // Halved too often: the cards of the stage are numbered anew.
  await tx.rows(renumber, [tx.tenantId, stageId])
  return positionIn(tx, stageId, beforeId, ownId)
}
const neighbours: Prepared = {
  name: 'opportunity_neighbours',
  text: `with target as (select position, id from opportunities where tenant_id = $1 and stage_id = $2 and id = $3)
    select (select position from target) as after,
      (select o.position from opportunities o where o.tenant_id = $1 and o.stage_id = $2 and o.id <> $4
        and ((select true from target) is null or (o.position, o.id) < (select position, id from target))
        order by o.position desc, o.id desc limit 1) as before`,
}
const renumber: Prepared = {
  name: 'opportunity_renumber',
  text: `update opportunities o set position = n.place from (
      select id, row_number() over (order by position, id)::float8 as place from opportunities where tenant_id = $1 and stage_id = $2) n
    where o.tenant_id = $1 and o.id = n.id`,
}
