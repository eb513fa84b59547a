import { z } from 'zod'
import { id, moment, pageOf, pageQuery, queryList } from '../common.ts'

/** `unknown`: nobody here understands it; `failed`: it was given up after five attempts. */
export const journalStates = ['received', 'done', 'unknown', 'failed'] as const
export type JournalState = (typeof journalStates)[number]
/** Those that can be handled anew; what is still in the queue is left alone. */
export const replayableStates = ['done', 'unknown', 'failed'] as const

/** What a provider can tell of. */
export const inboundKinds = [
  'message',
  'reaction',
  'edit',
  'delete',
  'status',
  'identity',
  'unreachable',
  'connection',
  'templates',
  'quality',
  'call',
  'group',
  'typing',
  'history',
  'consent',
] as const
export type InboundKind = (typeof inboundKinds)[number]

/** How long what was handled is kept; the rest stays until somebody has it handled anew. */
export const journalKeptDays = 7

/** One event of a provider, as it came over one connection. */
export const journalEntry = z.object({
  id,
  state: z.enum(journalStates),
  /** What we understand of it today, whatever became of it then. */
  kinds: z.array(z.enum(inboundKinds)),
  /** Failed attempts. */
  attempts: z.int(),
  /** Why it failed, or waits. */
  error: z.string().nullable(),
  receivedAt: moment,
  /** When it was last looked at. */
  processedAt: moment.nullable(),
})
export type JournalEntry = z.output<typeof journalEntry>

/** With what the provider sent, secrets removed. */
export const wholeJournalEntry = journalEntry.extend({ payload: z.unknown() })
export type WholeJournalEntry = z.output<typeof wholeJournalEntry>

/** Days in the company's time zone; both included. */
const period = { dateFrom: z.iso.date().optional(), dateTo: z.iso.date().optional() }
export const journalQuery = pageQuery
  .pick({ cursor: true, limit: true })
  .extend({ ...period, state: queryList(z.enum(journalStates)) })
export const journalPage = pageOf(journalEntry)

/** GET /whatsapp/{id}/journal/count: how many a replay would take up. Nobody counts further than `most`. */
export const replayCountQuery = z.object({ ...period, state: queryList(z.enum(replayableStates)) })
export const replayCount = z.object({ count: z.int(), isMore: z.boolean() })
export type ReplayCount = z.output<typeof replayCount>

/** POST /whatsapp/{id}/journal/replay: these states, these days, or both. */
export const replayBody = z
  .strictObject({ ...period, state: z.array(z.enum(replayableStates)).max(replayableStates.length).default([]) })
  .refine(({ state, dateFrom, dateTo }) => state.length > 0 || dateFrom || dateTo, {
    path: ['state'],
    message: 'Escolha uma situação ou um período.',
  })
