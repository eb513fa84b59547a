import { id as idSchema, type Page } from '@balcao/contract/common.ts'
import {
  type Task,
  type TaskComment,
  type TaskCreate,
  type TaskPatch,
  type TasksQuery,
  taskProblems,
} from '@balcao/contract/operations/tasks.ts'
import { and, eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import { taskComments, tasks } from '../../../db/schema/operations/tasks.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { differences } from '../../../kit/crud-fields.ts'
import { readCursor, toPage } from '../../../kit/cursor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { madeOnce } from '../../../kit/made-once.ts'
import { emit } from '../../../kit/outbox.ts'
import { getContact } from '../../contacts/contacts/contacts.service.ts'
import { getVisibleTicket } from '../../conversations/tickets/tickets.service.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { getOpportunity } from '../../sales/funnel/opportunities.service.ts'
import { peopleOf } from './tasks.policy.ts'
import {
  type Cursor,
  findTask,
  getWrittenTask,
  insertNext,
  presentTask,
  readComments,
  readTasks,
} from './tasks.queries.ts'

const pageSize = 40

export const listTasks = async (actor: Actor, query: TasksQuery): Promise<Page<Task>> => {
  const { timezone } = await getDirectory(actor.tenantId)
  const limit = query.limit ?? pageSize
  const cursor = query.cursor === undefined ? undefined : placeAt(query.cursor, query.sort)
  return withTenant(actor.tenantId, async (tx) => {
    const { rows, count } = await readTasks(tx, actor, { ...query, limit }, { timeZone: timezone, cursor })
    const page = toPage(rows, limit, (row) => [row.sortKey, row.id])
    return { ...page, items: page.items.map(presentTask), ...(count === undefined ? {} : { count }) }
  })
}

export const getTask = (actor: Actor, id: string): Promise<Task> =>
  withTenant(actor.tenantId, (tx) => getVisible(tx, actor, id))

export const createTask = (actor: Actor, input: TaskCreate): Promise<Task> =>
  madeOnce(
    input.id,
    () => writeDown(actor, { ...input, id: input.id ?? v7() }),
    (id) => getTask(actor, id),
  )

const writeDown = async (actor: Actor, { id, ...input }: TaskCreate & { id: string }): Promise<Task> => {
  const directory = await getDirectory(actor.tenantId)
  const ownerId = input.ownerId ?? actor.userId
  refuse(taskProblems(input))
  requirePerson(directory, ownerId)
  if (input.contactId) await requireContact(actor, input.contactId)
  if (input.opportunityId) await requireOpportunity(actor, input.opportunityId)
  return withTenant(actor.tenantId, async (tx) => {
    if (input.ticketId) await requireTicket(tx, actor, input.ticketId)
    const doneAt = input.status === 'done' ? new Date() : null
    await tx.db.insert(tasks).values({
      ...input,
      tenantId: tx.tenantId,
      id,
      ownerId,
      userId: actor.userId,
      limitDate: asDate(input.limitDate),
      remindAt: reminderOf(input),
      doneAt,
    })
    const after = await getWrittenTask(tx, id)
    await writeAudit(tx, actor, { action: 'task.created', entity: 'task', entityId: id, after })
    await tell(tx, 'task.created', after)
    return after
  })
}

/** Finishing a task that repeats writes down the next one, once. */
export const updateTask = async (actor: Actor, id: string, { version, ...patch }: TaskPatch): Promise<Task> => {
  const directory = await getDirectory(actor.tenantId)
  const known = await getTask(actor, id)
  if (patch.contactId && patch.contactId !== known.contactId) await requireContact(actor, patch.contactId)
  if (patch.opportunityId && patch.opportunityId !== known.opportunityId)
    await requireOpportunity(actor, patch.opportunityId)
  return withTenant(actor.tenantId, async (tx) => {
    const before = await getVisible(tx, actor, id, true)
    if (version !== undefined && version !== before.version) {
      throw new AppError('ERR_CONFLICT', { details: { current: before, changed: differences(patch, before) } })
    }
    const next = { ...before, ...patch }
    refuse(taskProblems(next))
    if (next.ownerId !== before.ownerId) requirePerson(directory, next.ownerId)
    if (patch.ticketId && patch.ticketId !== before.ticketId) await requireTicket(tx, actor, patch.ticketId)
    const isFinished = next.status === 'done' && before.status !== 'done'

    const { limitDate, ...rest } = patch
    await tx.db
      .update(tasks)
      .set({
        ...rest,
        ...(limitDate === undefined ? {} : { limitDate: asDate(limitDate) }),
        ...(next.limitDate === before.limitDate ? {} : { remindedAt: null }),
        ...(next.limitDate === before.limitDate && next.remindBefore === before.remindBefore
          ? {}
          : { remindAt: reminderOf(next) }),
        ...(next.status === before.status ? {} : { doneAt: isFinished ? new Date() : null }),
        version: sql`${tasks.version} + 1`,
        updatedAt: sql`now()`,
      })
      .where(and(eq(tasks.tenantId, tx.tenantId), eq(tasks.id, id)))
    const after = await getWrittenTask(tx, id)
    await writeAudit(tx, actor, { action: 'task.updated', entity: 'task', entityId: id, before, after })
    await tellLoss(tx, before, after)
    await tell(tx, 'task.updated', after)
    if (isFinished && after.recurrence) await followUp(tx, after, directory.timezone)
    return after
  })
}

export const deleteTask = (actor: Actor, id: string): Promise<void> =>
  withTenant(actor.tenantId, async (tx) => {
    const before = await getVisible(tx, actor, id, true)
    await tx.db.delete(tasks).where(and(eq(tasks.tenantId, tx.tenantId), eq(tasks.id, id)))
    await writeAudit(tx, actor, { action: 'task.deleted', entity: 'task', entityId: id, before })
    await tell(tx, 'task.deleted', before)
  })

export const listComments = (actor: Actor, id: string): Promise<TaskComment[]> =>
  withTenant(actor.tenantId, async (tx) => {
    await getVisible(tx, actor, id)
    return readComments(tx, id)
  })

export const addComment = (actor: Actor, id: string, body: string): Promise<TaskComment[]> =>
  withTenant(actor.tenantId, async (tx) => {
    await getVisible(tx, actor, id, true)
    await tx.db.insert(taskComments).values({ tenantId: tx.tenantId, taskId: id, userId: actor.userId, body })
    await tell(tx, 'task.updated', await getWrittenTask(tx, id))
    return readComments(tx, id)
  })

/** Only whoever wrote it takes it back. */
export const deleteComment = (actor: Actor, id: string, commentId: string): Promise<TaskComment[]> =>
  withTenant(actor.tenantId, async (tx) => {
    await getVisible(tx, actor, id, true)
    const mine = and(
      eq(taskComments.tenantId, tx.tenantId),
      eq(taskComments.taskId, id),
      eq(taskComments.id, commentId),
      eq(taskComments.userId, actor.userId),
    )
    const [gone] = await tx.db.delete(taskComments).where(mine).returning({ id: taskComments.id })
    if (!gone) throw new AppError('ERR_NOT_FOUND')
    await tell(tx, 'task.updated', await getWrittenTask(tx, id))
    return readComments(tx, id)
  })

const getVisible = async (tx: Tx, actor: Actor, id: string, lock = false): Promise<Task> => {
  const found = await findTask(tx, actor, id, lock)
  if (!found) throw new AppError('ERR_NOT_FOUND')
  return found
}

const followUp = async (tx: Tx, done: Task, timeZone: string) => {
  const id = await insertNext(tx, { id: v7(), previousId: done.id, timeZone })
  if (id) await tell(tx, 'task.created', await getWrittenTask(tx, id))
}

/** To those who see everybody's tasks, and to whoever this one is for; a client that hears it twice loses nothing. */
const tell = async (tx: Tx, name: 'task.created' | 'task.updated' | 'task.deleted', task: Task) => {
  const send = (audience: Parameters<typeof emit>[3]) =>
    name === 'task.deleted' ? emit(tx, name, { id: task.id }, audience) : emit(tx, name, task, audience)
  await send({ kind: 'permission', can: 'tasks.showAll' })
  for (const userId of peopleOf({ ownerId: task.ownerId, userId: task.user.id })) await send({ kind: 'user', userId })
}

/** Whoever owned it and no longer sees it must lose it; those who see all get it back with the update that follows. */
const tellLoss = async (tx: Tx, before: Task, after: Task) => {
  if (before.ownerId === after.ownerId || before.ownerId === before.user.id) return
  await emit(tx, 'task.deleted', { id: before.id }, { kind: 'user', userId: before.ownerId })
}

const refuse = (problems: { path: string; message: string }[]) => {
  if (problems.length) throw fieldErrors(...problems)
}
const requirePerson = (directory: Directory, userId: string) => {
  if (!directory.people.has(userId)) throw fieldErrors({ path: 'ownerId', message: 'Escolha alguém da equipe.' })
}
const requireContact = (actor: Actor, contactId: string) =>
  getContact(actor, contactId).catch((error) => {
    if (!(error instanceof AppError)) throw error
    throw fieldErrors({ path: 'contactId', message: 'O contato escolhido não existe mais.' })
  })
const requireOpportunity = (actor: Actor, opportunityId: string) =>
  getOpportunity(actor, opportunityId).catch((error) => {
    if (!(error instanceof AppError)) throw error
    throw fieldErrors({ path: 'opportunityId', message: 'A oportunidade escolhida não existe mais.' })
  })
const requireTicket = (tx: Tx, actor: Actor, ticketId: string) =>
  getVisibleTicket(tx, actor, ticketId).catch((error) => {
    if (!(error instanceof AppError)) throw error
    throw fieldErrors({ path: 'ticketId', message: 'O atendimento escolhido não existe mais.' })
  })
/** When its owner is reminded; never of what has begun already. */
const reminderOf = ({ limitDate, remindBefore }: Pick<Task, 'limitDate' | 'remindBefore'>): Date | null => {
  if (!limitDate || !remindBefore) return null
  const at = Date.parse(limitDate) - remindBefore * 60_000
  return at > Date.now() ? new Date(at) : null
}
const asDate = (moment: string | null) => (moment === null ? null : new Date(moment))

const placeAt = (cursor: string, sort: TasksQuery['sort']): Cursor => {
  const value = sort === 'name' ? z.string() : z.string().regex(/^(infinity|[\d\-:.+ ]+)$/)
  const [key, id] = readCursor(cursor, z.tuple([value, idSchema]))
  return { value: key, id }
}
