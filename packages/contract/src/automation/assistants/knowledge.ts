import { z } from 'zod'
import { id, moment, namedRef, pageQuery } from '../../common.ts'
import { resource, rowMeta } from '../../resource.ts'
import { passage } from './assistants.ts'

const baseWrite = z.object({
  name: z.string().trim().min(1, 'Informe o nome.').max(60, 'Use no máximo 60 caracteres.'),
  description: z.string().trim().max(200, 'Use no máximo 200 caracteres.').default(''),
  /** The account that also finds passages by what they mean; null: by their words alone. */
  integrationId: id.nullable().default(null),
})
/** So many passages of a base are compared by meaning where the database has no pgvector. */
export const mostWithoutPgvector = 1_000
export const knowledgeBase = rowMeta.extend(baseWrite.shape).extend({
  sources: z.int(),
  chunks: z.int(),
  /** Sources that could not be read. */
  failed: z.int(),
  /** Passages that are found by their meaning too. */
  embedded: z.int(),
  /** There are more passages than this database compares by meaning: only words find them. */
  isTooLarge: z.boolean(),
  /** Assistants that use it, in their draft. */
  assistants: z.array(namedRef),
})
export type KnowledgeBase = z.output<typeof knowledgeBase>
export const knowledgeBaseResource = resource({
  path: '/knowledge-bases',
  event: 'knowledgeBase',
  label: { one: 'Base de conhecimento', many: 'Bases de conhecimento', feminine: true },
  row: knowledgeBase,
  write: baseWrite,
  fields: { name: 'Nome', description: 'Descrição', integrationId: 'Busca por sentido' },
  sort: ['name', 'createdAt', 'updatedAt'],
  can: { read: 'assistants.write', write: 'assistants.write' },
})

export const sourceKinds = ['file', 'page', 'text', 'quick'] as const
export type SourceKind = (typeof sourceKinds)[number]
export const sourceKindLabels: Record<SourceKind, string> = {
  file: 'Arquivo',
  page: 'Página de site',
  text: 'Texto',
  quick: 'Mensagens rápidas',
}
export const sourceStates = ['waiting', 'ready', 'failed'] as const
export const knowledgeSource = z.object({
  id,
  baseId: id,
  kind: z.enum(sourceKinds),
  name: z.string(),
  url: z.string().nullable(),
  mediaId: id.nullable(),
  /** Of a text: itself. */
  body: z.string(),
  /** Pages are read anew after so many hours; null: only by hand. */
  refreshHours: z.int().nullable(),
  state: z.enum(sourceStates),
  /** Why it could not be read, in Portuguese. */
  problem: z.string().nullable(),
  chunks: z.int(),
  readAt: moment.nullable(),
  createdAt: moment,
})
export type KnowledgeSource = z.output<typeof knowledgeSource>
export const knowledgeSources = z.object({ items: z.array(knowledgeSource) })
/** POST /knowledge-bases/{id}/sources. */
export const knowledgeSourceBody = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('file'), mediaId: z.uuid('Escolha um arquivo.') }),
  z.strictObject({
    kind: z.literal('page'),
    url: z.url('Endereço inválido.').max(1_000),
    refreshHours: z.int().min(1).max(720).nullable().default(24),
  }),
  z.strictObject({
    kind: z.literal('text'),
    name: z.string().trim().min(1, 'Informe o título.').max(120),
    body: z.string().trim().min(1, 'Escreva o texto.').max(200_000, 'Use no máximo 200.000 caracteres.'),
  }),
  z.strictObject({ kind: z.literal('quick') }),
])
export type KnowledgeSourceBody = z.output<typeof knowledgeSourceBody>
/** PUT /knowledge-sources/{id}: of a text, and how often a page is read anew. */
export const knowledgeSourcePatch = z.strictObject({
  name: z.string().trim().min(1).max(120).optional(),
  body: z.string().trim().min(1).max(200_000).optional(),
  refreshHours: z.int().min(1).max(720).nullable().optional(),
})
/** GET /knowledge-search?q=…: what an assistant would find. */
export const knowledgeSearchQuery = z.object({
  q: z.string().trim().min(1, 'Escreva a pergunta.').max(500),
  baseId: id.optional(),
})
export const knowledgeFound = z.object({ items: z.array(passage) })

export const gapStates = ['open', 'answered', 'ignored'] as const
export type GapState = (typeof gapStates)[number]
export const gapStateLabels: Record<GapState, string> = {
  open: 'Sem resposta',
  answered: 'Respondida',
  ignored: 'Ignorada',
}
/** GET /knowledge-gaps: what customers asked and nothing here answered, most often first. */
export const knowledgeGap = z.object({
  id,
  question: z.string(),
  times: z.int(),
  state: z.enum(gapStates),
  assistant: namedRef.nullable(),
  ticketId: id.nullable(),
  lastAt: moment,
})
export type KnowledgeGap = z.output<typeof knowledgeGap>
export const knowledgeGapsQuery = pageQuery.pick({ cursor: true, limit: true, searchParam: true }).extend({
  state: z.enum(gapStates).default('open'),
})
/** PUT /knowledge-gaps/{id}: answered puts the answer into a base as a text. */
export const knowledgeGapBody = z.strictObject({
  state: z.enum(gapStates),
  answer: z.strictObject({ baseId: id, body: z.string().trim().min(1, 'Escreva a resposta.').max(10_000) }).optional(),
})
