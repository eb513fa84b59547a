import { z } from 'zod'
import { chosenId, id, moment, namedRef, pageQuery, queryFlag, queryList } from '../common.ts'
import { rowMeta } from '../resource.ts'

export const taskStatuses = ['pending', 'doing', 'done'] as const
export type TaskStatus = (typeof taskStatuses)[number]
export const taskStatusLabels: Record<TaskStatus, string> = {
  pending: 'Pendente',
  doing: 'Em andamento',
  done: 'Finalizada',
}
export const taskPriorities = ['low', 'normal', 'high'] as const
export type TaskPriority = (typeof taskPriorities)[number]
export const taskPriorityLabels: Record<TaskPriority, string> = { low: 'Baixa', normal: 'Normal', high: 'Alta' }

const taskFields = z.object({
  name: z.string().trim().min(1, 'Informe o que fazer.').max(120, 'Use no máximo 120 caracteres.'),
  description: z.string().trim().max(4_000, 'Use no máximo 4.000 caracteres.'),
  limitDate: moment.nullable(),
  ownerId: id,
  priority: z.enum(taskPriorities),
  status: z.enum(taskStatuses),
  /** Days from one to the next; null: once. Finishing a task that repeats creates the next. */
  recurrence: z
    .int('Informe um número inteiro de dias.')
    .min(1, 'O menor intervalo é 1 dia.')
    .max(366, 'O maior intervalo é 366 dias.')
    .nullable(),
  /** Minutes before the limit at which its owner is reminded; null: only when it has come. */
  remindBefore: z.int().min(1).max(43_200, 'Use no máximo 30 dias.').nullable(),
  ticketId: id.nullable(),
  contactId: id.nullable(),
  opportunityId: id.nullable(),
})
/** POST /todoLists; without an owner it is one's own. */
export const taskCreate = taskFields.extend({
  ...chosenId,
  description: taskFields.shape.description.default(''),
  limitDate: taskFields.shape.limitDate.default(null),
  ownerId: id.optional(),
  priority: taskFields.shape.priority.default('normal'),
  status: taskFields.shape.status.default('pending'),
  recurrence: taskFields.shape.recurrence.default(null),
  remindBefore: taskFields.shape.remindBefore.default(null),
  ticketId: taskFields.shape.ticketId.default(null),
  contactId: taskFields.shape.contactId.default(null),
  opportunityId: taskFields.shape.opportunityId.default(null),
})
export type TaskCreate = z.output<typeof taskCreate>
/** PUT /todoLists/{id}: any of the fields, and the version it began with. */
export const taskPatch = taskFields.partial().extend({ version: z.int().positive().optional() })
export type TaskPatch = z.output<typeof taskPatch>

export const task = rowMeta.extend(taskFields.shape).extend({
  owner: namedRef,
  /** Who wrote it down. */
  user: namedRef,
  ticket: z.object({ id, protocol: z.string() }).nullable(),
  contact: namedRef.nullable(),
  opportunity: namedRef.nullable(),
  doneAt: moment.nullable(),
  commentCount: z.int().nonnegative(),
})
export type Task = z.output<typeof task>

/** What repeats needs a day to count from; both sides call it after the schema. */
export const taskProblems = (input: { limitDate: string | null; recurrence: number | null }) =>
  input.recurrence && !input.limitDate
    ? [{ path: 'limitDate', message: 'Informe o prazo: a repetição conta a partir dele.' }]
    : []

/** Atrasada: its time has passed and it is not finished. */
export const isLate = ({ status, limitDate }: Pick<Task, 'status' | 'limitDate'>, now = Date.now()): boolean =>
  status !== 'done' && limitDate !== null && Date.parse(limitDate) <= now

export const tasksQuery = pageQuery.extend({
  status: queryList(z.enum(taskStatuses)),
  /** Only those that are late. */
  isLate: queryFlag.default(false),
  ownerId: queryList(id),
  /** Days of the limit, in the company's time zone; both included. */
  dateFrom: z.iso.date().optional(),
  dateTo: z.iso.date().optional(),
  ticketId: id.optional(),
  contactId: id.optional(),
  opportunityId: id.optional(),
  sort: z.enum(['limitDate', 'name', 'updatedAt']).default('limitDate'),
  direction: z.enum(['asc', 'desc']).default('asc'),
})
export type TasksQuery = z.output<typeof tasksQuery>

export const taskComment = z.object({ id, user: namedRef, body: z.string(), createdAt: moment })
export type TaskComment = z.output<typeof taskComment>
export const taskCommentWrite = z.strictObject({
  body: z.string().trim().min(1, 'Escreva o comentário.').max(2_000, 'Use no máximo 2.000 caracteres.'),
})

/** The time of a task has come, or comes soon: told to its owner and, when it has come, to whoever asked for it. */
export const taskDue = task.pick({ id: true, name: true, limitDate: true, ownerId: true }).extend({
  userId: id,
  ownerName: z.string(),
  isSoon: z.boolean(),
})
