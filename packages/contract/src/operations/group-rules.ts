import { z } from 'zod'
import { id, moment, namedRef, pageQuery, queryList } from '../common.ts'
import { media } from '../core/media.ts'
import { resource, rowMeta } from '../resource.ts'
import { unknownGroupVariables } from './group-variables.ts'
import { wordKey, wordsOf } from './group-words.ts'

/** Where a rule holds: in these groups of a connection, or in all of them. Forms begin with what is a rule's own. */
const place = {
  whatsappId: z.uuid('Escolha o canal.'),
  groupIds: z.array(id).max(500, 'Escolha no máximo 500 grupos, ou todos.').default([]),
  /** One group alone, as outside callers say it; takes the place of `groupIds`. */
  groupId: id.nullish(),
  isActive: z.boolean().default(true),
}
const shownPlace = {
  connection: namedRef,
  groups: z.array(namedRef),
  groupId: id.nullable(),
}
const placeFields = { whatsappId: 'Canal', groupIds: 'Grupos', isActive: 'Em uso' } as const
const can = { read: 'groups.read', write: 'groups.write' } as const

const banWrite = z.object({
  number: z.string().trim().min(1, 'Informe o número.').max(40, 'Use no máximo 40 caracteres.'),
  reason: z.string().trim().max(200, 'Use no máximo 200 caracteres.').default(''),
  ...place,
})
/** A number that is removed from a group whenever it is there. */
export const banRule = rowMeta.extend(banWrite.shape).extend(shownPlace)
export type BanRule = z.output<typeof banRule>
export const banResource = resource({
  path: '/banList',
  event: 'groupBan',
  label: { one: 'Número banido', many: 'Números banidos' },
  row: banRule,
  write: banWrite,
  fields: { number: 'Número', reason: 'Motivo', ...placeFields },
  sort: ['number', 'createdAt', 'updatedAt'],
  filter: ['whatsappId'],
  can,
})

export const mostBannedAtOnce = 20_000
/** POST /banList/import: a pasted list or a CSV, a number or more in each line, beside them why. With `dryRun` nothing is written. */
export const bansBody = z.strictObject({
  text: z
    .string()
    .max(2_000_000, 'A lista é grande demais. Divida-a.')
    .refine((text) => text.trim(), 'Cole ao menos um número.'),
  /** Of lines that give none. */
  reason: banWrite.shape.reason,
  whatsappId: place.whatsappId,
  groupIds: place.groupIds,
  dryRun: z.boolean().default(false),
})
export const bansReport = z.object({
  banned: z.int(),
  /** What is left out, and why. */
  refused: z.array(z.object({ line: z.int(), text: z.string(), reason: z.string() })),
})
export type BansReport = z.output<typeof bansReport>

/** Each does what those before it do: who is removed has their message deleted too. */
export const wordActions = ['warn', 'delete', 'remove'] as const
export type WordAction = (typeof wordActions)[number]
export const wordActionLabels: Record<WordAction, string> = {
  warn: 'Avisar no grupo',
  delete: 'Apagar a mensagem',
  remove: 'Apagar e remover a pessoa',
}
const variables = (text: string, context: z.RefinementCtx<string>) => {
  const [unknown] = unknownGroupVariables(text)
  if (unknown) context.addIssue({ code: 'custom', message: `A variável {{${unknown}}} não existe aqui.` })
}
const wordWrite = z.object({
  /** One, or several by comma or line: each is found by itself. */
  word: z
    .string()
    .max(600, 'Use no máximo 600 caracteres, ou crie outra regra.')
    .overwrite((typed) => wordsOf(typed).join(', '))
    .min(2, 'Use ao menos 2 letras.')
    .refine(
      (word) => wordsOf(word).every((one) => wordKey(one).length >= 2),
      'Use ao menos 2 letras ou números em cada palavra.',
    ),
  action: z.enum(wordActions).default('delete'),
  /** Said in the group; empty: nothing is said. */
  warning: z.string().trim().max(1_000, 'Use no máximo 1.000 caracteres.').superRefine(variables).default(''),
  sparesAdmins: z.boolean().default(true),
  /** Numbers of people who may say it. */
  spared: z
    .array(z.string().trim().min(1).max(40, 'Há um número longo demais.'))
    .max(1_000, 'Informe no máximo 1.000 números.')
    .default([]),
  ...place,
})
/** A word that is not to be said in a group. */
export const wordRule = rowMeta.extend(wordWrite.shape).extend(shownPlace)
export type WordRule = z.output<typeof wordRule>
export const wordResource = resource({
  path: '/wordlist',
  event: 'groupWord',
  label: { one: 'Palavra proibida', many: 'Palavras proibidas', feminine: true },
  row: wordRule,
  write: wordWrite,
  fields: {
    word: 'Palavras',
    action: 'O que fazer',
    warning: 'Aviso no grupo',
    sparesAdmins: 'Administradores podem',
    spared: 'Quem mais pode',
    ...placeFields,
  },
  sort: ['word', 'createdAt', 'updatedAt'],
  filter: ['whatsappId'],
  can,
})
export const usualWarning = '{{name}}, essa palavra não pode ser usada no grupo {{group}}.'

const greetingWrite = z.object({
  message: z.string().trim().max(4_000, 'Use no máximo 4.000 caracteres.').superRefine(variables).default(''),
  mediaId: id.nullable().default(null),
  ...place,
})
const greetingRow = rowMeta.extend(greetingWrite.shape).extend(shownPlace).extend({ media: media.nullable() })
export type GroupGreeting = z.output<typeof greetingRow>
/** Both sides call it after the schema. */
export const greetingProblems = (input: { message: string; mediaId: string | null }) =>
  input.message || input.mediaId ? [] : [{ path: 'message', message: 'Escreva a mensagem ou anexe um arquivo.' }]

export const greetingResource = resource({
  path: '/greetingMessage',
  event: 'groupGreeting',
  label: { one: 'Saudação de grupo', many: 'Saudações de grupos', feminine: true },
  row: greetingRow,
  write: greetingWrite,
  fields: { message: 'Mensagem', mediaId: 'Arquivo', ...placeFields },
  sort: ['createdAt', 'updatedAt'],
  filter: ['whatsappId'],
  can,
})
export const farewellResourceOfGroups = resource({
  path: '/farewellMessage',
  event: 'groupFarewell',
  label: { one: 'Despedida de grupo', many: 'Despedidas de grupos', feminine: true },
  row: greetingRow,
  write: greetingWrite,
  fields: { message: 'Mensagem', mediaId: 'Arquivo', ...placeFields },
  sort: ['createdAt', 'updatedAt'],
  filter: ['whatsappId'],
  can,
})

export const groupRuleKinds = ['ban', 'word', 'greeting', 'farewell'] as const
export type GroupRuleKind = (typeof groupRuleKinds)[number]
export const groupRuleLabels: Record<GroupRuleKind, string> = {
  ban: 'Banido',
  word: 'Palavra proibida',
  greeting: 'Saudação',
  farewell: 'Despedida',
}
export const groupLogStates = ['waiting', 'doing', 'done', 'failed', 'skipped'] as const
export type GroupLogState = (typeof groupLogStates)[number]
export const groupLogStateLabels: Record<GroupLogState, string> = {
  waiting: 'Na fila',
  doing: 'Fazendo',
  done: 'Feito',
  failed: 'Não feito',
  skipped: 'Deixado de lado',
}
/** What a rule did, to whom and why: GET /groupLogs, GET /banList/{groupId}/logs. */
export const groupLog = z.object({
  id,
  kind: z.enum(groupRuleKinds),
  /** "Removido do grupo", in Portuguese. */
  what: z.string(),
  /** The rule's word or reason. */
  why: z.string(),
  group: namedRef,
  connection: namedRef,
  member: z.object({ name: z.string(), number: z.string().nullable() }),
  state: z.enum(groupLogStates),
  problem: z.string().nullable(),
  createdAt: moment,
  doneAt: moment.nullable(),
})
export type GroupLog = z.output<typeof groupLog>
export const groupLogsQuery = pageQuery.pick({ searchParam: true, cursor: true, limit: true, count: true }).extend({
  kinds: queryList(z.enum(groupRuleKinds)),
  states: queryList(z.enum(groupLogStates)),
  connectionIds: queryList(id),
  groupId: id.optional(),
  /** Days of the company's calendar; both included. */
  dateFrom: z.iso.date().optional(),
  dateTo: z.iso.date().optional(),
})
export type GroupLogsQuery = z.output<typeof groupLogsQuery>
