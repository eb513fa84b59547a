import { z } from 'zod'
import { id, moment, namedRef, pageQuery } from '../../common.ts'
import { botNames } from '../../conversations/tickets.ts'
import { resource, rowMeta } from '../../resource.ts'
import { assistantConfig, handOverReasons } from './config.ts'

/** When it answers, by the hours of the conversation's queue. */
export const assistantHours = ['always', 'open', 'closed'] as const
export const assistantHoursLabels: Record<(typeof assistantHours)[number], string> = {
  always: 'Sempre',
  open: 'Dentro do horário de atendimento',
  closed: 'Fora do horário de atendimento',
}

const assistantWrite = z.object({
  name: z.string().trim().min(1, 'Informe o nome.').max(60, 'Use no máximo 60 caracteres.'),
  description: z.string().trim().max(200, 'Use no máximo 200 caracteres.').default(''),
  isActive: z.boolean().default(true),
  /** New conversations of its channels and queues are answered by it. */
  allTickets: z.boolean().default(false),
  /** Empty: all. */
  connectionIds: z.array(id).max(200).default([]),
  queueIds: z.array(id).max(200).default([]),
  hours: z.enum(assistantHours).default('always'),
  /** What is published plays its cases each night, and whoever cares for it hears when it got worse. */
  evaluatesNightly: z.boolean().default(true),
  /** The draft; what answers is a published version. */
  config: assistantConfig.prefault({}),
})
export const assistantVersionRef = z.object({
  id,
  number: z.int(),
  at: moment,
  user: namedRef.nullable(),
  note: z.string(),
})
export const assistant = rowMeta.extend(assistantWrite.shape).extend({
  userId: id.nullable(),
  /** Which of the ticket's flags it stands behind: the kind of account that answers first. */
  bot: z.enum(botNames).nullable(),
  published: assistantVersionRef.nullable(),
  /** The draft is ahead of what is published. */
  isChanged: z.boolean(),
  /** Of the last 30 days. */
  numbers: z.object({ answered: z.int(), handedOver: z.int(), costMicros: z.int(), ms: z.int() }),
  /** What the month that runs has cost; its budget stands in `config`. */
  monthMicros: z.int(),
})
export type Assistant = z.output<typeof assistant>

export const assistantResource = resource({
  path: '/assistants',
  event: 'assistant',
  label: { one: 'Assistente', many: 'Assistentes' },
  row: assistant,
  write: assistantWrite,
  fields: {
    name: 'Nome',
    description: 'Descrição',
    isActive: 'Ativo',
    allTickets: 'Todas as conversas',
    connectionIds: 'Canais',
    queueIds: 'Filas',
    hours: 'Horário',
    evaluatesNightly: 'Conferir toda noite',
    config: 'Comportamento',
  },
  sort: ['name', 'createdAt', 'updatedAt'],
  can: { read: 'assistants.write', write: 'assistants.write' },
})

/** POST /assistants/{id}/publish: the draft as of this version of the row answers from now on. */
export const assistantPublish = z.strictObject({
  version: z.int(),
  note: z.string().trim().max(200, 'Use no máximo 200 caracteres.').default(''),
  /** Why it is published although an evaluation says it got worse. */
  signedReason: z.string().trim().max(500).default(''),
})
export const assistantVersionsQuery = pageQuery.pick({ cursor: true, limit: true })
export const assistantVersion = assistantVersionRef.extend({
  isPublished: z.boolean(),
  /** Why it was published although its evaluation did not pass. */
  signedReason: z.string(),
})
export type AssistantVersion = z.output<typeof assistantVersion>

/** How a run ended. */
export const runOutcomes = ['answered', 'handedOver', 'overtaken', 'silent', 'failed'] as const
export type RunOutcome = (typeof runOutcomes)[number]
export const runOutcomeLabels: Record<RunOutcome, string> = {
  answered: 'Respondeu',
  handedOver: 'Passou para a equipe',
  overtaken: 'Uma pessoa respondeu antes',
  silent: 'Não havia o que responder',
  failed: 'Não conseguiu responder',
}

/** A passage of the company's knowledge that was put before the model. */
export const passage = z.object({
  chunkId: id,
  source: z.string(),
  heading: z.string(),
  body: z.string(),
  score: z.number(),
})
export type Passage = z.output<typeof passage>

export const runStep = z.object({
  kind: z.enum(['model', 'tool', 'rule', 'search']),
  name: z.string(),
  input: z.string(),
  /** Why the model says it did so. */
  reason: z.string(),
  output: z.string(),
  /** What of it was refused, in Portuguese. */
  problem: z.string().nullable(),
  ms: z.number(),
})
export type RunStep = z.output<typeof runStep>

/** GET /tickets/{id}/assistant-runs: what assistants did in a conversation, newest first. */
export const assistantRun = z.object({
  id,
  assistant: namedRef,
  version: z.int(),
  startedAt: moment,
  endedAt: moment.nullable(),
  /** What the customer had said. */
  asked: z.string(),
  answer: z.string(),
  outcome: z.enum(runOutcomes).nullable(),
  handOver: z.enum(handOverReasons).nullable(),
  passages: z.array(passage),
  steps: z.array(runStep),
  costMicros: z.int(),
  ms: z.int(),
  problem: z.string().nullable(),
})
export type AssistantRun = z.output<typeof assistantRun>
export const assistantRuns = z.object({ items: z.array(assistantRun) })

/** POST /assistants/{id}/rehearse: the draft answers a made-up customer; nothing is sent, nothing changes. */
export const rehearsalBody = z.strictObject({
  config: assistantConfig,
  customer: z.string().trim().min(1).max(80).default('Maria Lima'),
  lines: z
    .array(z.strictObject({ from: z.enum(['customer', 'assistant']), text: z.string().trim().min(1).max(4_000) }))
    .min(1, 'Escreva uma mensagem.')
    .max(60, 'A conversa ficou longa. Recomece.'),
})
export const rehearsed = z.object({
  text: z.string(),
  handOver: z.enum(handOverReasons).nullable(),
  /** What would be done, in words. */
  effects: z.array(z.string()),
  passages: z.array(passage),
  steps: z.array(runStep),
  costMicros: z.int(),
  ms: z.int(),
})
export type Rehearsed = z.output<typeof rehearsed>

/** GET /tickets/{id}/assistants: who may answer this conversation by itself, and who does. */
export const ticketAssistants = z.object({
  items: z.array(z.object({ id, name: z.string(), bot: z.enum(botNames), isAnswering: z.boolean() })),
})
export type TicketAssistants = z.output<typeof ticketAssistants>

/** GET /assistant-accounts: who can answer for an assistant. */
export const assistantAccounts = z.object({
  items: z.array(z.object({ id, name: z.string(), kind: z.string(), bot: z.enum(botNames) })),
  /** Accounts that find passages by what they mean. */
  embedders: z.array(z.object({ id, name: z.string() })),
  /** Calendars it may be granted. */
  calendars: z.array(z.object({ id, name: z.string() })),
})
export type AssistantAccounts = z.output<typeof assistantAccounts>
