import { z } from 'zod'
import { channelKinds } from '../channels/index.ts'
import { id, moment, namedRef, pageQuery, queryFlag, queryList } from '../common.ts'
import { media } from '../core/media.ts'
import { momentAt, wallAfter } from '../core/wall-time.ts'
import { rowMeta } from '../resource.ts'
import { unknownVariables } from '../variables.ts'

/**
 * `sending`: in the conversation and on its way to the provider; `sent`: the provider has it. What a provider refuses
 * after that makes it `failed`, like whatever could not be written at all.
 */
export const scheduleStates = ['pending', 'sending', 'sent', 'failed', 'canceled'] as const
export type ScheduleState = (typeof scheduleStates)[number]
export const scheduleStateLabels: Record<ScheduleState, string> = {
  pending: 'Agendada',
  sending: 'Enviando',
  sent: 'Enviada',
  failed: 'Falhou',
  canceled: 'Cancelada',
}

/** What repeats is sent `times` times more, `everyDays` days apart, at the same time of the company's clock. */
export const recurrence = z.object({
  everyDays: z
    .int('Informe um número inteiro de dias.')
    .min(1, 'O menor intervalo é 1 dia.')
    .max(366, 'O maior intervalo é 366 dias.'),
  times: z
    .int('Informe um número inteiro de repetições.')
    .min(1, 'Repita pelo menos 1 vez.')
    .max(366, 'Repita no máximo 366 vezes.'),
})
export type Recurrence = z.output<typeof recurrence>

const fields = z.object({
  contactId: z.uuid('Escolha o contato.'),
  connectionId: z.uuid('Escolha o canal.'),
  body: z
    .string()
    .trim()
    .max(4_000, 'Use no máximo 4.000 caracteres.')
    .superRefine((text, context) => {
      const [unknown] = unknownVariables(text)
      if (unknown) context.addIssue({ code: 'custom', message: `A variável {{${unknown}}} não existe.` })
    }),
  mediaId: id.nullable(),
  /** `2026-11-18T14:30` on the company's clock, or a moment with its offset. */
  scheduleDate: z.iso.datetime({ local: true, offset: true, error: 'Informe a data e a hora do envio.' }),
  recurrence: recurrence.nullable(),
})
/** POST /messagesSchedule. */
export const scheduleCreate = fields.extend({
  /** The client's own, so that a request sent twice schedules once. */
  id: id.optional(),
  body: fields.shape.body.default(''),
  mediaId: fields.shape.mediaId.default(null),
  recurrence: fields.shape.recurrence.default(null),
})
export type ScheduleCreate = z.output<typeof scheduleCreate>
/** PUT /scheduleMessages/{id}, while it is pending; to another contact a message of its own is scheduled. */
export const schedulePatch = fields
  .omit({ contactId: true })
  .partial()
  .extend({
    version: z.int().positive().optional(),
    /** Those of the other groups too that were scheduled with it and still are for the same time. */
    alsoSame: z.boolean().default(false),
  })
/** GET /scheduleMessages/{id}/same: how many others these are. */
export const sameSchedules = z.object({ count: z.int() })
export type SchedulePatch = z.output<typeof schedulePatch>

/** Both sides call it after the schema. */
export const scheduleProblems = (input: { body: string; mediaId: string | null }) =>
  input.body.trim() || input.mediaId ? [] : [{ path: 'body', message: 'Escreva a mensagem ou anexe um arquivo.' }]

export const schedule = rowMeta.extend({
  contact: namedRef.extend({ number: z.string().nullable(), isGroup: z.boolean() }),
  connection: namedRef.extend({ kind: z.enum(channelKinds) }),
  body: z.string(),
  media: media.nullable(),
  /** When it is due, and the same on the company's clock when it was scheduled. */
  scheduleDate: moment,
  wallTime: z.string(),
  timeZone: z.string(),
  recurrence: recurrence.nullable(),
  state: z.enum(scheduleStates),
  /** Sent well after its time: the server was down. */
  isLate: z.boolean(),
  /** Why it failed, in Portuguese. */
  error: z.string().nullable(),
  sentAt: moment.nullable(),
  /** The message it became, and its conversation. */
  messageId: id.nullable(),
  ticketId: id.nullable(),
  /** Null: what `rule` names wrote it by itself. */
  createdBy: namedRef.nullable(),
  rule: z.string().nullable(),
})
export type Schedule = z.output<typeof schedule>

export const schedulesQuery = pageQuery
  .extend({
    /** Outside callers say `pageNumber` here. */
    page: pageQuery.shape.pageNumber.unwrap().optional(),
    state: queryList(z.enum(scheduleStates)),
    contactId: id.optional(),
    connectionId: queryList(id),
    /** Days of the company's calendar; both included. */
    dateFrom: z.iso.date().optional(),
    dateTo: z.iso.date().optional(),
    /** Also what is due before `dateFrom` and repeats on it or later. */
    withRepeats: queryFlag.default(false),
    direction: z.enum(['asc', 'desc']).default('asc'),
  })
  .transform(({ page, ...query }) => ({ ...query, pageNumber: page ?? query.pageNumber }))
export type SchedulesQuery = z.output<typeof schedulesQuery>

/** The moments at which it will be sent again: at the same time of the company's wall, until `lastDay`. */
export const repeatsOf = (
  { wallTime, recurrence, state }: Pick<Schedule, 'wallTime' | 'recurrence' | 'state'>,
  timeZone: string,
  lastDay: string,
): string[] => {
  if (!recurrence || state !== 'pending') return []
  const walls = Array.from({ length: recurrence.times }, (_, n) => wallAfter(wallTime, recurrence.everyDays * (n + 1)))
  return walls.filter((wall) => wall.slice(0, 10) <= lastDay).map((wall) => momentAt(wall, timeZone))
}
