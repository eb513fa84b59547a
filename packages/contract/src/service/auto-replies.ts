import { z } from 'zod'
import { id, moment, namedRef, pageQuery, queryList } from '../common.ts'
import { type ActionKind, action, actionKinds } from '../conversations/actions/index.ts'
import { mostParts, part, partProblems, shownPart } from '../conversations/parts.ts'
import type { FieldProblem } from '../errors.ts'
import { resource, rowMeta } from '../resource.ts'

/** How a word is looked for in what the customer wrote; accents and case never count. */
export const keywordModes = ['exact', 'contains', 'similar'] as const
export type KeywordMode = (typeof keywordModes)[number]
export const keywordModeLabels: Record<KeywordMode, string> = {
  exact: 'É exatamente',
  contains: 'Contém',
  similar: 'Parecido com',
}
export const keyword = z.strictObject({
  text: z.string().trim().min(1, 'Escreva a palavra.').max(60, 'Use no máximo 60 caracteres.'),
  mode: z.enum(keywordModes).default('contains'),
})
export type Keyword = z.output<typeof keyword>

/** `chosen`: by no word at all, only where another answer goes on with it. */
export const autoReplyStarts = ['words', 'any', 'chosen'] as const
export type AutoReplyStart = (typeof autoReplyStarts)[number]
export const autoReplyStartLabels: Record<AutoReplyStart, string> = {
  words: 'Palavras do cliente',
  any: 'Qualquer mensagem',
  chosen: 'Só quando outra resposta continua nesta',
}
export const autoReplyHours = ['always', 'open', 'closed'] as const
export type AutoReplyHours = (typeof autoReplyHours)[number]
export const autoReplyHoursLabels: Record<AutoReplyHours, string> = {
  always: 'Sempre',
  open: 'Dentro do horário de atendimento',
  closed: 'Fora do horário de atendimento',
}

/** What wants a person behind it, or a conversation that is over. */
const wantPerson: readonly ActionKind[] = ['mark', 'reopen', 'forceClose']
/** What an answer may do by itself. */
export const autoReplyActions: readonly ActionKind[] = actionKinds.filter((kind) => !wantPerson.includes(kind))

/** How long the choices of an answer count after it was given. */
export const choicesLastMs = 60 * 60_000

const autoReplyWrite = z.object({
  name: z.string().trim().min(1, 'Informe o nome.').max(60, 'Use no máximo 60 caracteres.'),
  isActive: z.boolean().default(true),
  /** The first of the list that fits answers. */
  position: z.int('Informe um número inteiro.').min(0).max(100_000).default(0),
  // Left out: what answers whoever arrives, as the older form of `/auto-reply` has it.
  starts: z.enum(autoReplyStarts).default('any'),
  keywords: z.array(keyword).max(50, 'Use no máximo 50 palavras.').default([]),
  /** Until anybody or anything has answered in the conversation. */
  isFirstOnly: z.boolean().default(true),
  /** It answers only right after this one: a choice of it. */
  afterId: id.nullable().default(null),
  /** What is said and done next, without the customer writing. */
  nextId: id.nullable().default(null),
  /** Empty: all. */
  connectionIds: z.array(id).max(200).default([]),
  hours: z.enum(autoReplyHours).default('always'),
  parts: z.array(part).max(mostParts, `Use no máximo ${mostParts} partes.`).default([]),
  actions: z.array(action).max(20, 'Use no máximo 20 passos.').default([]),
  /** It does not answer the same conversation again before that. */
  cooldownSeconds: z
    .int('Informe um número inteiro.')
    .min(5, 'Pelo menos 5.')
    .max(86_400, 'No máximo um dia.')
    .default(60),
  /** While there is one, it answers this phone alone. */
  celularTeste: z.string().trim().max(40).nullable().default(null),
})
export const autoReply = rowMeta.extend(autoReplyWrite.shape).extend({
  parts: z.array(shownPart),
  userId: id.nullable(),
  /** When it last answered, as far as the log goes back. */
  lastAt: moment.nullable(),
})
export type AutoReply = z.output<typeof autoReply>

export const autoReplyResource = resource({
  path: '/auto-reply',
  event: 'autoReply',
  label: { one: 'Resposta automática', many: 'Respostas automáticas', feminine: true },
  row: autoReply,
  write: autoReplyWrite,
  fields: {
    name: 'Nome',
    isActive: 'Ativa',
    position: 'Ordem',
    starts: 'Quando',
    keywords: 'Palavras',
    isFirstOnly: 'Só no começo',
    afterId: 'Depois de',
    nextId: 'Continua em',
    connectionIds: 'Canais',
    hours: 'Horário',
    parts: 'Resposta',
    actions: 'Passos',
    cooldownSeconds: 'Intervalo',
    celularTeste: 'Celular de teste',
  },
  sort: ['position', 'name', 'createdAt', 'updatedAt'],
  can: { read: 'auto-replies.write', write: 'auto-replies.write' },
})

type Written = z.output<typeof autoReplyWrite>
/** Rules that need several fields; both sides call it after the schema. */
export const autoReplyProblems = (rule: Pick<Written, 'starts' | 'keywords' | 'parts'>): FieldProblem[] => [
  ...(rule.starts === 'words' && !rule.keywords.length
    ? [{ path: 'keywords', message: 'Escreva pelo menos uma palavra.' }]
    : []),
  ...partProblems(rule.parts),
]

/** PUT /auto-reply/order: all of those given, in this order, before the others. */
export const autoReplyOrder = z.strictObject({ ids: z.array(id).min(1).max(500) })

/** One answer that was given by itself, or that could not be. */
export const autoReplyChoice = z.object({
  id,
  rule: namedRef,
  /** Gone with its conversation's contact where there is none. */
  ticketId: id,
  contact: namedRef,
  connection: namedRef,
  /** What the customer wrote. */
  said: z.string(),
  /** The word of the rule it fitted; none where any message does. */
  keyword: z.string().nullable(),
  mode: z.enum(keywordModes).nullable(),
  /** What of it could not be done, in Portuguese. */
  problem: z.string().nullable(),
  at: moment,
})
export type AutoReplyChoice = z.output<typeof autoReplyChoice>
/** Days for which the log is kept. */
export const choicesKeptDays = 90
export const autoReplyChoicesQuery = pageQuery.extend({
  ruleIds: queryList(id),
  connectionIds: queryList(id),
  dateFrom: z.iso.date().optional(),
  dateTo: z.iso.date().optional(),
})
export type AutoReplyChoicesQuery = z.output<typeof autoReplyChoicesQuery>

/** 0: the next step; 1: a queue; 2: a person. */
const stepAction = z.union([z.literal(0), z.literal(1), z.literal(2)], 'Use 0 (próximo passo), 1 (fila) ou 2 (pessoa).')
export const autoReplyStepAction = z.object({
  id,
  stepReplyId: id,
  /** With commas between them. */
  words: z.string(),
  action: stepAction,
  nextStepId: id.nullable(),
  queueId: id.nullable(),
  userIdDestination: id.nullable(),
  replyDefinition: z.string(),
})
export type AutoReplyStepAction = z.output<typeof autoReplyStepAction>
/** The older form: steps of an automatic answer, and what each word of the customer leads to. */
export const autoReplyStep = z.object({
  id,
  idAutoReply: id,
  reply: z.string(),
  initialStep: z.boolean(),
  stepActions: z.array(autoReplyStepAction),
})
export type AutoReplyStep = z.output<typeof autoReplyStep>
export const autoReplyStepBody = z.strictObject({
  reply: z.string().trim().min(1, 'Escreva a mensagem.').max(4_000, 'Use no máximo 4.000 caracteres.'),
  initialStep: z.boolean().default(false),
})
export type AutoReplyStepBody = z.output<typeof autoReplyStepBody>
export const autoReplyStepActionBody = z.strictObject({
  stepReplyId: id,
  words: z.string().trim().min(1, 'Escreva pelo menos uma palavra.').max(1_000),
  action: stepAction,
  nextStepId: id.nullable().default(null),
  queueId: id.nullable().default(null),
  userIdDestination: id.nullable().default(null),
  replyDefinition: z.string().trim().max(4_000).default(''),
})
export type AutoReplyStepActionBody = z.output<typeof autoReplyStepActionBody>
