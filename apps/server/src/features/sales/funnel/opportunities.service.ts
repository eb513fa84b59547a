import { id as idSchema, type Page } from '@balcao/contract/common.ts'
import {
  itemsTotal,
  missingFor,
  type OpportunitiesQuery,
  type Opportunity,
  type OpportunityBoard,
  type OpportunityBoardQuery,
  type OpportunityCreate,
  type OpportunityMove,
  type OpportunityPatch,
  opportunityStatusLabels,
} from '@balcao/contract/sales/opportunities.ts'
import { and, eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { z } from 'zod'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { opportunities, opportunityMoves, outcomeReasons, stages } from '../../../db/schema/sales/funnel.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { differences } from '../../../kit/crud-fields.ts'
import { readCursor, toPage } from '../../../kit/cursor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { madeOnce } from '../../../kit/made-once.ts'
import { emit } from '../../../kit/outbox.ts'
import { getContact } from '../../contacts/contacts/contacts.service.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { audiencesOf } from './opportunities.policy.ts'
import {
  findOpportunity,
  getWrittenOpportunity,
  lockOpportunity,
  positionIn,
  presentOpportunity,
  readBoard,
  readOpportunities,
} from './opportunities.queries.ts'

const pageSize = 40
/** Cards of a stage at a time. */
const columnSize = 30

export const listOpportunities = async (
  actor: Pick<Actor, 'tenantId' | 'userId' | 'permissions'>,
  query: OpportunitiesQuery,
): Promise<Page<Opportunity>> => {
  const directory = await getDirectory(actor.tenantId)
  const limit = query.limit ?? pageSize
  const cursor = query.cursor === undefined ? undefined : placeAt(query.cursor, query.sort)
  return withTenant(actor.tenantId, async (tx) => {
    const { rows, count } = await readOpportunities(tx, { actor, directory }, { ...query, limit }, cursor)
    const page = toPage(rows, limit, (row) => [row.sortKey, row.id])
    const items = page.items.map(({ sortKey: _, ...row }) => presentOpportunity(row))
    return { ...page, items, ...(count === undefined ? {} : { count }) }
  })
}

export const readOpportunityBoard = async (actor: Actor, query: OpportunityBoardQuery): Promise<OpportunityBoard> => {
  const directory = await getDirectory(actor.tenantId)
  const cursor = query.cursor === undefined ? undefined : cardAt(query.cursor)
  return withTenant(actor.tenantId, async (tx) => {
    const ofPipeline = await tx.rows<{ id: string; probability: number }>(stagesInOrder, [
      tx.tenantId,
      query.pipelineId,
    ])
    const { totals, rows } = await readBoard(tx, { actor, directory }, query, { limit: columnSize, cursor })
    const columns = ofPipeline
      .filter(({ id }) => !query.column || id === query.column)
      .map(({ id: stageId, probability }) => {
        const here = rows.filter((row) => row.stageId === stageId)
        const { items, nextCursor } = toPage(here, columnSize, (row) => [row.position, row.id])
        const { total = 0, value = 0 } = totals.find((one) => one.stageId === stageId) ?? {}
        const weighted = Math.round((value * probability) / 100)
        return { stageId, total, value, weighted, cards: items.map(presentOpportunity), nextCursor }
      })
    return { columns }
  })
}

export const getOpportunity = async (actor: Actor, id: string): Promise<Opportunity> => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => shown(await getVisible(tx, actor, directory, id)))
}

export const createOpportunity = async (actor: Actor, input: OpportunityCreate): Promise<Opportunity> => {
  const directory = await getDirectory(actor.tenantId)
  await requireContact(actor, input.contactId)
  const id = input.id ?? v7()
  return madeOnce(
    input.id,
    () => withTenant(actor.tenantId, (tx) => createIn(tx, { actor, rule: null }, directory, { ...input, id })),
    (one) => getOpportunity(actor, one),
  )
}

/** The same in the caller's transaction, by whoever it is; what is wrong is an AppError. */
export const createIn = async (
  tx: Tx,
  by: By,
  directory: Directory,
  { id, ...input }: OpportunityCreate & { id: string },
): Promise<Opportunity> => {
  const { actor } = by
  const { items, responsibleId = actor?.userId ?? null } = input
  requirePerson(directory, responsibleId)
  requireFuture(directory, input.closingForecast)
  const stage = await getStage(tx, input.stageId)
  const value = items.length ? itemsTotal(items) : input.value
  refuse(missingFor(stage, { ...input, value, responsibleId }))
  const position = await firstPosition(tx, stage.id)
  await tx.db.insert(opportunities).values({
    ...input,
    ...{ tenantId: tx.tenantId, id, pipelineId: stage.pipelineId, position, value, responsibleId },
    createdBy: actor?.userId ?? null,
  })
  await note(tx, by, id, [{ kind: 'created', from: null, to: stage.id }])
  const after = await getWrittenOpportunity(tx, id)
  await writeAudit(tx, actor, { action: 'opportunity.created', entity: 'opportunity', entityId: id, after })
  await tell(tx, directory, 'opportunity.created', after)
  return after
}

/** Moving to another stage asks for what that one requires; winning and losing ask why. */
export const updateOpportunity = async (
  actor: Actor,
  id: string,
  { version, ...patch }: OpportunityPatch,
): Promise<Opportunity> => {
  const directory = await getDirectory(actor.tenantId)
  if (patch.contactId) await requireContact(actor, patch.contactId)
  return withTenant(actor.tenantId, async (tx) => {
    const before = await getVisible(tx, actor, directory, id, true)
    if (version !== undefined && version !== before.version)
      throw new AppError('ERR_CONFLICT', {
        details: { current: shown(before), changed: differences(patch, shown(before)) },
      })
    return changeIn(tx, { actor, rule: null }, directory, before, patch)
  })
}

/**
 * What the company set up changes an opportunity by itself, in the caller's transaction: the same rules as for a person,
 * whose refusal is an AppError. `rule` is the name its story tells. Undefined: there is no such opportunity, or `isStill`
 * says no.
 */
export const changeOpportunityByRule = async (
  tx: Tx,
  directory: Directory,
  { id, rule, patch, isStill }: ByRule,
): Promise<Opportunity | undefined> => {
  const before = await lockOpportunity(tx, id)
  if (!before || !(isStill?.(before) ?? true)) return undefined
  return changeIn(tx, { actor: null, rule }, directory, before, patch)
}
type ByRule = {
  id: string
  rule: string
  patch: Pick<OpportunityPatch, 'stageId' | 'status' | 'reasonId' | 'closingForecast'>
  isStill?: (now: Opportunity) => boolean
}

/** As it is, held until the transaction ends: for what happens by itself about it. */
export const holdOpportunity = async (tx: Tx, id: string): Promise<Opportunity | undefined> => {
  const found = await lockOpportunity(tx, id)
  return found && shown(found)
}

/** For somebody who may see it, in the caller's transaction; `lock` holds it until that ends. Throws ERR_NOT_FOUND. */
export const getOpportunityIn = async (tx: Tx, actor: Actor, directory: Directory, id: string, lock = false) =>
  shown(await getVisible(tx, actor, directory, id, lock))

type Told = Pick<Moved, 'kind' | 'to'> & { from?: string | null; actor: Actor | null; rule?: string }
/** A line of its story, and everybody who sees it is told. */
export const noteOnOpportunity = async (
  tx: Tx,
  directory: Directory,
  id: string,
  { kind, to, from = null, actor, rule = '' }: Told,
): Promise<void> => {
  await note(tx, actor ? { actor, rule: null } : { actor, rule }, id, [{ kind, from, to }])
  await tell(tx, directory, 'opportunity.updated', await getWrittenOpportunity(tx, id))
}

/** Who changes it: a person, or what the company set up, by its name. */
export type By = { actor: Actor; rule: null } | { actor: null; rule: string }
type Found = NonNullable<Awaited<ReturnType<typeof findOpportunity>>>

/** Of one that is held. */
export const changeIn = async (
  tx: Tx,
  by: By,
  directory: Directory,
  { position, ...before }: Found,
  { beforeId, ...patch }: Omit<OpportunityPatch, 'version'>,
): Promise<Opportunity> => {
  const { id } = before
  const next = { ...before, ...patch }
  if (next.responsibleId !== before.responsibleId) requirePerson(directory, next.responsibleId)
  if (next.closingForecast !== before.closingForecast && by.actor) requireFuture(directory, next.closingForecast)
  const items = next.items
  const value = items.length ? itemsTotal(items) : next.value
  const isMoved = next.stageId !== before.stageId
  const stage = isMoved ? await getStage(tx, next.stageId) : undefined
  if (stage) refuse(missingFor(stage, { ...next, value }))
  const undone = stage && by.actor ? await takeBack(tx, by.actor, id, stage.id) : undefined
  const isClosed = next.status !== 'open'
  const reasonId = isClosed ? next.reasonId : null
  if (next.status !== before.status || reasonId !== before.reasonId) await requireReason(tx, next.status, reasonId)
  const place =
    beforeId !== undefined
      ? await positionIn(tx, next.stageId, beforeId, id)
      : isMoved
        ? await firstPosition(tx, next.stageId)
        : position
  await tx.db
    .update(opportunities)
    .set({
      ...patch,
      ...{ value, reasonId, position: place },
      ...(stage && { pipelineId: stage.pipelineId, stageSince: undone?.since ?? sql`now()` }),
      ...(next.status !== before.status && { closedAt: isClosed ? sql`now()` : null }),
      version: sql`${opportunities.version} + 1`,
      updatedAt: sql`now()`,
    })
    .where(and(eq(opportunities.tenantId, tx.tenantId), eq(opportunities.id, id)))
  const isOfferedAnew = value !== before.value || JSON.stringify(items) !== JSON.stringify(before.items)
  const revoked = isOfferedAnew ? await tx.rows<{ number: number }>(revokeProposals, [tx.tenantId, id]) : []
  await note(tx, by, id, [
    ...changesOf(before, { ...next, value }).filter(({ kind }) => !(undone && kind === 'stage')),
    ...revoked.map(({ number }) => ({
      ...{ kind: 'proposal' as const, from: null, to: `Proposta nº ${number} revogada: o que se oferece mudou` },
    })),
  ])
  const after = await getWrittenOpportunity(tx, id)
  await writeAudit(tx, by.actor, { action: 'opportunity.updated', entity: 'opportunity', entityId: id, before, after })
  await tellLoss(tx, directory, before, after)
  await tell(tx, directory, 'opportunity.updated', after)
  return after
}

export const deleteOpportunity = async (actor: Actor, id: string): Promise<void> => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    const before = shown(await getVisible(tx, actor, directory, id, true))
    await tx.db.delete(opportunities).where(and(eq(opportunities.tenantId, tx.tenantId), eq(opportunities.id, id)))
    await writeAudit(tx, actor, { action: 'opportunity.deleted', entity: 'opportunity', entityId: id, before })
    for (const audience of audiencesOf(before, directory)) await emit(tx, 'opportunity.deleted', { id }, audience)
  })
}

/** Of each stage its name, and that of its pipeline. */
export const namesOfStages = (tenantId: number) =>
  withTenant(tenantId, async (tx) => {
    const rows = await tx.rows<{ id: string; stage: string; pipeline: string }>(stageNames, [tenantId])
    return new Map(rows.map(({ id, ...names }) => [id, names]))
  })

/** What was done to it, the newest first, in words. */
export const readTimeline = async (actor: Actor, id: string): Promise<OpportunityMove[]> => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    await getVisible(tx, actor, directory, id)
    return timelineOf(tx, directory, id)
  })
}

export const addNote = async (actor: Actor, id: string, body: string): Promise<OpportunityMove[]> => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    await getVisible(tx, actor, directory, id, true)
    await note(tx, { actor, rule: null }, id, [{ kind: 'note', from: null, to: body }])
    await tell(tx, directory, 'opportunity.updated', await getWrittenOpportunity(tx, id))
    return timelineOf(tx, directory, id)
  })
}

type Moved = {
  id: string
  at: Date
  userId: string | null
  rule: string | null
  kind: OpportunityMove['kind']
  from: string | null
  to: string | null
}
const timelineOf = async (tx: Tx, directory: Directory, id: string): Promise<OpportunityMove[]> => {
  const rows = await tx.rows<Moved & { fromStage: string | null; toStage: string | null }>(timeline, [tx.tenantId, id])
  const person = (userId: string | null) => (userId ? (directory.people.get(userId)?.name ?? 'Usuário removido') : null)
  const wordOf = (kind: Moved['kind'], value: string | null, stage: string | null) => {
    if (kind === 'created' || kind === 'stage') return stage ?? (value ? 'Etapa excluída' : null)
    if (kind === 'responsible') return person(value)
    return kind === 'status' && value ? (opportunityStatusLabels[value as Opportunity['status']] ?? value) : value // written by us alone
  }
  return rows.map(({ fromStage, toStage, userId, at, ...row }) => ({
    ...row,
    at: at.toISOString(),
    user: userId ? { id: userId, name: person(userId) ?? '' } : null,
    from: wordOf(row.kind, row.from, fromStage),
    to: wordOf(row.kind, row.to, toStage),
  }))
}

type Change = Pick<Moved, 'kind' | 'from' | 'to'>
const changesOf = (before: Opportunity, after: Opportunity): Change[] => {
  const told: [Change['kind'], string | null, string | null][] = [
    ['stage', before.stageId, after.stageId],
    ['status', before.status, after.status],
    ['value', String(before.value), String(after.value)],
    ['responsible', before.responsibleId, after.responsibleId],
    ['forecast', before.closingForecast, after.closingForecast],
  ]
  return told.flatMap(([kind, from, to]) => (from === to ? [] : { kind, from, to }))
}
const note = async (tx: Tx, { actor, rule }: By, opportunityId: string, changes: Change[]) => {
  if (!changes.length) return
  const userId = actor?.userId ?? null
  await tx.db
    .insert(opportunityMoves)
    .values(changes.map((change) => ({ ...change, tenantId: tx.tenantId, opportunityId, userId, rule })))
}

const getVisible = async (tx: Tx, actor: Actor, directory: Directory, id: string, lock = false) => {
  const found = await findOpportunity(tx, { actor, directory }, id, lock)
  if (!found) throw new AppError('ERR_NOT_FOUND')
  return found
}
const shown = ({ position: _, ...row }: Awaited<ReturnType<typeof getVisible>>): Opportunity => row

export const getStage = async (tx: Tx, id: string) => {
  const [found] = await tx.db
    .select()
    .from(stages)
    .where(and(eq(stages.tenantId, tx.tenantId), eq(stages.id, id)))
  if (!found) throw fieldErrors({ path: 'stageId', message: 'A etapa escolhida não existe mais.' })
  return found
}

export const requireReason = async (tx: Tx, status: Opportunity['status'], reasonId: string | null) => {
  if (status === 'open') return
  const known = await tx.db
    .select({ id: outcomeReasons.id, isActive: outcomeReasons.isActive })
    .from(outcomeReasons)
    .where(and(eq(outcomeReasons.tenantId, tx.tenantId), eq(outcomeReasons.outcome, status)))
  if (reasonId ? known.some(({ id }) => id === reasonId) : !known.some(({ isActive }) => isActive)) return
  throw fieldErrors({
    path: 'reasonId',
    message: status === 'win' ? 'Diga por que foi ganha.' : 'Diga por que foi perdida.',
  })
}
const requirePerson = (directory: Directory, userId: string | null) => {
  if (userId && !directory.people.has(userId))
    throw fieldErrors({ path: 'responsibleId', message: 'Escolha alguém da equipe.' })
}
const requireFuture = ({ timezone }: Directory, day: string | null) => {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(new Date())
  if (day && day < today)
    throw fieldErrors({ path: 'closingForecast', message: 'A previsão não pode ficar no passado.' })
}
const requireContact = (actor: Actor, contactId: string) =>
  getContact(actor, contactId).catch((error) => {
    if (!(error instanceof AppError)) throw error
    throw fieldErrors({ path: 'contactId', message: 'O contato escolhido não existe mais.' })
  })
const refuse = (problems: { path: string; message: string }[]) => {
  if (problems.length) throw fieldErrors(...problems)
}

const tell = async (
  tx: Tx,
  directory: Directory,
  name: 'opportunity.created' | 'opportunity.updated',
  row: Opportunity,
) => {
  for (const audience of audiencesOf(row, directory)) await emit(tx, name, row, audience)
}
/** Who was responsible and no longer sees it must lose it. */
const tellLoss = async (tx: Tx, directory: Directory, before: Opportunity, after: Opportunity) => {
  const isSame = before.responsibleId === after.responsibleId || before.responsibleId === before.createdBy?.id
  if (isSame || !before.responsibleId || !directory.settings.privacidadeFunil) return
  await emit(tx, 'opportunity.deleted', { id: before.id }, { kind: 'user', userId: before.responsibleId })
}

/** Somebody takes their own move back at once: it never was. Tells since when the card stands where it stood. */
const takeBack = async (tx: Tx, { userId }: Actor, id: string, stageId: string) => {
  const [undone] = await tx.rows<{ since: Date }>(undoMove, [tx.tenantId, id, userId, stageId])
  return undone
}
const undoMove: Prepared = {
  name: 'opportunity_undo_move',
  text: `with last as (
      select id, kind, from_value, user_id, created_at, lead(created_at) over (order by id desc) as since
      from opportunity_moves where tenant_id = $1 and opportunity_id = $2 and kind in ('created', 'stage') order by id desc limit 1)
    delete from opportunity_moves m using last where m.tenant_id = $1 and m.id = last.id and last.kind = 'stage'
      and last.user_id = $3 and last.from_value = $4 and last.created_at > now() - interval '2 minutes'
    returning last.since`,
}

/** What was offered is not what stands there any more. */
const revokeProposals: Prepared = {
  name: 'proposals_outdated',
  text: `update proposals set revoked_at = now()
    where tenant_id = $1 and opportunity_id = $2 and accepted_at is null and revoked_at is null returning number`,
}

const firstPosition = async (tx: Tx, stageId: string): Promise<number> => {
  const [row] = await tx.rows<{ first: number | null }>(first, [tx.tenantId, stageId])
  return (row?.first ?? 1) - 1
}
const first: Prepared = {
  name: 'opportunity_first',
  text: 'select min(position) as first from opportunities where tenant_id = $1 and stage_id = $2',
}
const stagesInOrder: Prepared = {
  name: 'stages_in_order',
  text: 'select id, probability from stages where tenant_id = $1 and pipeline_id = $2 order by position, name, id',
}
const stageNames: Prepared = {
  name: 'stage_names',
  text: `select s.id, s.name as stage, p.name as pipeline from stages s
    join pipelines p on p.tenant_id = s.tenant_id and p.id = s.pipeline_id where s.tenant_id = $1`,
}
const timeline: Prepared = {
  name: 'opportunity_timeline',
  text: `select m.id, m.at, m.user_id as "userId", m.rule, m.kind, m.from_value as "from", m.to_value as "to", f.name as "fromStage", t.name as "toStage"
    from (select *, created_at as at from opportunity_moves where tenant_id = $1 and opportunity_id = $2 order by id desc limit 300) m
      left join stages f on f.tenant_id = $1 and m.kind in ('created', 'stage') and f.id::text = m.from_value
      left join stages t on t.tenant_id = $1 and m.kind in ('created', 'stage') and t.id::text = m.to_value
    order by m.id desc`,
}

const placeAt = (cursor: string, sort: OpportunitiesQuery['sort']) => {
  const value =
    sort === 'name'
      ? z.string()
      : sort === 'value'
        ? z.string().regex(/^\d+$/)
        : z.string().regex(/^(infinity|[\d\-:.+ ]+)$/)
  const [key, id] = readCursor(cursor, z.tuple([value, idSchema]))
  return { value: key, id }
}
const cardAt = (cursor: string) => {
  const [position, id] = readCursor(cursor, z.tuple([z.number(), idSchema]))
  return { position, id }
}
