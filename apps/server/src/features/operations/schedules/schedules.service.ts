import type { Abilities } from '@balcao/contract/channels/abilities.ts'
import { id as idSchema, moment, type Page } from '@balcao/contract/common.ts'
import { momentAt, wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import {
  type Schedule,
  type ScheduleCreate,
  type SchedulePatch,
  type SchedulesQuery,
  scheduleProblems,
} from '@balcao/contract/operations/schedules.ts'
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import { connections } from '../../../db/schema/channels/connections.ts'
import { schedules } from '../../../db/schema/operations/schedules.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit, writeAudits } from '../../../kit/audit.ts'
import { differences } from '../../../kit/crud-fields.ts'
import { readCursor, toPage } from '../../../kit/cursor.ts'
import { databaseProblem } from '../../../kit/database-problem.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { getContact } from '../../contacts/contacts/contacts.service.ts'
import { requireSupport } from '../../conversations/messages/reach.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import type { StoredFile } from '../../core/media/media.present.ts'
import { sendableFile } from '../../core/media/stored-files.ts'
import { changeSame, countSame, lockSame } from './same-schedules.ts'
import { emitSchedule, emitScheduled } from './schedules.events.ts'
import { visibleSchedules } from './schedules.policy.ts'
import { findPage, findSchedule, type PageKey, readSchedules } from './schedules.queries.ts'

const pageSize = 40
const furthestMs = 5 * 366 * 86_400_000
/** A form that lay open a moment is not refused for it. */
const pastMs = 60_000

export const listSchedules = async (actor: Actor, query: SchedulesQuery): Promise<Page<Schedule>> => {
  const { timezone } = await getDirectory(actor.tenantId)
  const visible = await visibleSchedules(actor)
  const limit = query.limit ?? pageSize
  const after = query.cursor === undefined ? undefined : placeAt(query.cursor)
  return withTenant(actor.tenantId, async (tx) => {
    const { ids, count } = await findPage(tx, visible, { ...query, limit, after, timeZone: timezone })
    const page = toPage(await readSchedules(tx, ids), limit, (row) => [row.scheduleDate, row.id])
    return { ...page, ...(count === undefined ? {} : { count }) }
  })
}

export const getSchedule = async (actor: Actor, id: string): Promise<Schedule> => {
  const visible = await visibleSchedules(actor)
  return withTenant(actor.tenantId, (tx) => getVisible(tx, visible, id))
}

/** The client's id makes it one message however often the request arrives. */
export const createSchedule = async (actor: Actor, input: ScheduleCreate): Promise<Schedule> => {
  const { timezone } = await getDirectory(actor.tenantId)
  await requireContact(actor, input.contactId)
  return inTenant(actor, (tx) => scheduleIn(tx, { actor, rule: null }, timezone, input))
}

/** A person, or what the company set up, by its name. */
type By = { actor: Actor; rule: null } | { actor: null; rule: string }
/** The same in an open transaction, for a contact the person may write to. */
export const scheduleIn = async (
  tx: Tx,
  { actor, rule }: By,
  timeZone: string,
  input: ScheduleCreate,
): Promise<Schedule> => {
  const createdBy = actor?.userId ?? null
  refuse(scheduleProblems(input))
  const time = timeOf(timeZone, input.scheduleDate)
  refusePast(time.dueAt)
  const id = input.id ?? v7()
  const connection = await requireConnection(tx, input.connectionId)
  await requireContent(tx, actor, [connection], input.mediaId)
  const [added] = await tx.db
    .insert(schedules)
    .values({
      tenantId: tx.tenantId,
      id,
      contactId: input.contactId,
      connectionId: input.connectionId,
      body: clean(input.body),
      mediaId: input.mediaId,
      ...time,
      everyDays: input.recurrence?.everyDays,
      timesLeft: input.recurrence?.times,
      ...{ createdBy, rule },
    })
    .onConflictDoNothing({ target: [schedules.tenantId, schedules.id] })
    .returning({ id: schedules.id })
  const after = await readWritten(tx, id)
  if (!added) {
    if ((after.createdBy?.id ?? null) !== createdBy) throw new AppError('ERR_DUPLICATED')
    return after
  }
  await writeAudit(tx, actor, { action: 'schedule.created', entity: 'schedule', entityId: id, after })
  await emitSchedule(tx, 'schedule.created', after)
  return after
}

type ForMany = Pick<ScheduleCreate, 'body' | 'mediaId' | 'scheduleDate'>
/** One message to each of several, whom the person may write to; answers how many there are. The same ids again are the same ones. */
export const scheduleForMany = async (
  tx: Tx,
  actor: Actor,
  targets: { id: string; contactId: string; connectionId: string }[],
  input: ForMany,
): Promise<number> => {
  refuse(scheduleProblems(input))
  const time = timeOf((await getDirectory(tx.tenantId)).timezone, input.scheduleDate)
  refusePast(time.dueAt)
  const ways = await connectionsOf(tx, [...new Set(targets.map(({ connectionId }) => connectionId))])
  await requireContent(tx, actor, ways, input.mediaId)
  const added = await tx.db
    .insert(schedules)
    .values(
      targets.map((target) => ({
        ...{ ...target, tenantId: tx.tenantId, body: clean(input.body), mediaId: input.mediaId },
        ...{ ...time, createdBy: actor.userId },
      })),
    )
    .onConflictDoNothing({ target: [schedules.tenantId, schedules.id] })
    .returning({ id: schedules.id })
  const made = await readSchedules(
    tx,
    added.map(({ id }) => id),
  )
  await writeAudits(
    tx,
    actor,
    made.map((after) => ({ action: 'schedule.created', entity: 'schedule', entityId: after.id, after })),
  )
  await emitScheduled(tx, made)
  return targets.length
}

/** Only while it is pending: from the moment it is written to the conversation it is that message. */
export const updateSchedule = async (actor: Actor, id: string, patch: SchedulePatch): Promise<Schedule> => {
  const visible = await visibleSchedules(actor)
  const { timezone } = await getDirectory(actor.tenantId)
  const time = patch.scheduleDate === undefined ? undefined : timeOf(timezone, patch.scheduleDate)
  return inTenant(actor, async (tx) => {
    const before = await lockPending(tx, visible, id)
    const { version, scheduleDate: _asked, alsoSame, ...input } = patch
    const known = { ...before, connectionId: before.connection.id, mediaId: before.media?.id ?? null }
    if (version !== undefined && version !== before.version)
      throw new AppError('ERR_CONFLICT', { details: { current: before, changed: differences(input, known) } })

    const next = { ...known, ...input }
    refuse(scheduleProblems(next))
    if (time && time.dueAt.toISOString() !== before.scheduleDate) refusePast(time.dueAt)
    const connection = await requireConnection(tx, next.connectionId)
    if (next.mediaId !== known.mediaId) await requireContent(tx, actor, [connection], next.mediaId)
    else requireSupport(connection, before.media?.kind ?? 'text')
    const change = {
      body: clean(next.body),
      mediaId: next.mediaId,
      ...(time ? { ...time, attempts: 0, error: null } : {}),
      everyDays: next.recurrence?.everyDays ?? null,
      timesLeft: next.recurrence?.times ?? null,
    }
    if (alsoSame) {
      const same = await lockSame(tx, visible, before)
      const ways = await connectionsOf(tx, [...new Set(same.map((one) => one.connection.id))])
      if (same.length && next.mediaId !== known.mediaId) await requireContent(tx, actor, ways, next.mediaId)
      await changeSame(tx, actor, 'schedule.updated', same, change)
    }
    await tx.db
      .update(schedules)
      .set({
        ...change,
        connectionId: next.connectionId,
        version: sql`${schedules.version} + 1`,
        updatedAt: sql`now()`,
      })
      .where(and(eq(schedules.tenantId, tx.tenantId), eq(schedules.id, id)))
    return record(tx, actor, 'schedule.updated', before)
  })
}

/** How many others were scheduled with it, to other groups, and wait as it does. */
export const countSameSchedules = async (actor: Actor, id: string): Promise<{ count: number }> => {
  const visible = await visibleSchedules(actor)
  return withTenant(actor.tenantId, async (tx) => {
    const one = await getVisible(tx, visible, id)
    return { count: await countSame(tx, visible, one) }
  })
}

/** Takes it back, and with it whatever would have followed; `alsoSame`: in the other groups too. */
export const cancelSchedule = async (actor: Actor, id: string, alsoSame: boolean): Promise<Schedule> => {
  const visible = await visibleSchedules(actor)
  return inTenant(actor, async (tx) => {
    const before = await lockPending(tx, visible, id)
    if (alsoSame) {
      const change = { state: 'canceled' as const, doneAt: new Date() }
      await changeSame(tx, actor, 'schedule.canceled', await lockSame(tx, visible, before), change)
    }
    await tx.db
      .update(schedules)
      .set({ state: 'canceled', doneAt: sql`now()`, version: sql`${schedules.version} + 1`, updatedAt: sql`now()` })
      .where(and(eq(schedules.tenantId, tx.tenantId), eq(schedules.id, id)))
    return record(tx, actor, 'schedule.canceled', before)
  })
}

const record = async (tx: Tx, actor: Actor, action: string, before: Schedule): Promise<Schedule> => {
  const after = await readWritten(tx, before.id)
  await writeAudit(tx, actor, { action, entity: 'schedule', entityId: before.id, before, after })
  await emitSchedule(tx, 'schedule.updated', after)
  return after
}

const inTenant = async <Result>(actor: Actor, work: (tx: Tx) => Promise<Result>): Promise<Result> => {
  try {
    return await withTenant(actor.tenantId, work)
  } catch (error) {
    throw databaseProblem(error)
  }
}

const getVisible = async (tx: Tx, visible: SQL | undefined, id: string, lock = false): Promise<Schedule> => {
  const found = await findSchedule(tx, visible, id, lock)
  if (!found) throw new AppError('ERR_NOT_FOUND')
  return found
}
const lockPending = async (tx: Tx, visible: SQL | undefined, id: string): Promise<Schedule> => {
  const found = await getVisible(tx, visible, id, true)
  if (found.state !== 'pending') throw new AppError('ERR_SCHEDULE_NOT_PENDING')
  return found
}
const readWritten = async (tx: Tx, id: string): Promise<Schedule> => {
  const [row] = await readSchedules(tx, [id])
  if (!row) throw new Error('The schedule just written is not there')
  return row
}

/** The moment meant, and what the company's wall shows then. */
const timeOf = (timezone: string, scheduleDate: string) => {
  const isMoment = /(Z|[+-]\d\d:?\d\d)$/.test(scheduleDate)
  const dueAt = new Date(isMoment ? scheduleDate : momentAt(scheduleDate, timezone))
  const wallTime = isMoment ? wallTimeOf(dueAt, timezone) : scheduleDate.slice(0, 16)
  return { dueAt, attemptAt: dueAt, wallTime, timeZone: timezone }
}
const refusePast = (dueAt: Date) => {
  const fromNow = dueAt.getTime() - Date.now()
  const message =
    fromNow < -pastMs
      ? 'Escolha um momento no futuro.'
      : fromNow > furthestMs
        ? 'Escolha uma data nos próximos cinco anos.'
        : undefined
  if (message) throw fieldErrors({ path: 'scheduleDate', message })
}

const requireContact = (actor: Actor, contactId: string) =>
  getContact(actor, contactId).catch((error) => {
    if (!(error instanceof AppError)) throw error
    throw fieldErrors({ path: 'contactId', message: 'O contato escolhido não existe mais.' })
  })

type Channel = { abilities: Abilities }
const requireConnection = async (tx: Tx, id: string): Promise<Channel> => {
  const [found] = await connectionsOf(tx, [id])
  if (!found) throw fieldErrors({ path: 'connectionId', message: 'O canal escolhido não existe mais.' })
  return found
}
const connectionsOf = (tx: Tx, ids: string[]): Promise<Channel[]> =>
  tx.db
    .select({ abilities: connections.abilities })
    .from(connections)
    .where(and(eq(connections.tenantId, tx.tenantId), inArray(connections.id, ids), isNull(connections.deletedAt)))

/** What this person may send and each of these channels can carry. */
const requireContent = async (tx: Tx, actor: Actor | null, ways: Channel[], mediaId: string | null) => {
  if (mediaId === null || !actor) {
    for (const way of ways) requireSupport(way, 'text')
    return
  }
  const [file] = await tx.rows<StoredFile>(sendableFile, [tx.tenantId, mediaId, actor.userId, actor.queueIds])
  if (!file) throw fieldErrors({ path: 'mediaId', message: 'Arquivo não encontrado. Envie-o de novo.' })
  if (ways.some(({ abilities }) => !abilities.supports.includes(file.kind)))
    throw fieldErrors({ path: 'mediaId', message: 'Este canal não aceita este arquivo.' })
}

const clean = (body: string) => body.replaceAll('\0', '').toWellFormed()
const refuse = (problems: { path: string; message: string }[]) => {
  if (problems.length) throw fieldErrors(...problems)
}

const cursorKey = z.tuple([moment, idSchema])
const placeAt = (cursor: string): PageKey => {
  const [dueAt, id] = readCursor(cursor, cursorKey)
  return { dueAt, id }
}
