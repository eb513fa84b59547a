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
  'vote',
  'edit',
  'delete',
  'status',
  'identity',
  'unreachable',
  'connection',
  'templates',
  'standing',
  'alert',
  'call',
  'group',
  'typing',
  'history',
  'consent',
  'nothing',
  'readUntil',
] as const
export type InboundKind = (typeof inboundKinds)[number]

/** How people read both. */
export const journalStateLabels: Record<JournalState, string> = {
  received: 'Na fila',
  done: 'Tratado',
  unknown: 'Não reconhecido',
  failed: 'Falhou',
}
const inboundWords: Record<InboundKind, string> = {
  message: 'Mensagem',
  reaction: 'Reação',
  vote: 'Voto em enquete',
  edit: 'Edição',
  delete: 'Mensagem apagada',
  status: 'Situação de mensagem',
  readUntil: 'Leitura até um momento',
  identity: 'Troca de número',
  unreachable: 'Bloqueio ou desbloqueio',
  connection: 'Estado do canal',
  templates: 'Modelos alterados',
  standing: 'Situação da conta',
  alert: 'Aviso sobre a conta',
  call: 'Ligação',
  group: 'Grupo',
  typing: 'Digitando',
  history: 'Histórico',
  consent: 'Preferência de contato',
  nothing: 'Nada a fazer',
}
/** What we understand of an event. */
export const whatCame = ({ kinds }: { kinds: readonly InboundKind[] }): string =>
  kinds.length ? kinds.map((kind) => inboundWords[kind]).join(', ') : 'Aviso desconhecido'

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

/** POST /whatsapp/{id}/journal/export: the same, as a file. */
export const journalExport = journalQuery.omit({ cursor: true, limit: true })

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
