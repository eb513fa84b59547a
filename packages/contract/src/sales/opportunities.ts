import { z } from 'zod'
import { chosenId, id, moment, namedRef, pageQuery, queryFlag, queryList } from '../common.ts'
import { csvImportBody } from '../core/csv-imports.ts'
import type { FieldProblem } from '../errors.ts'
import { rowMeta } from '../resource.ts'
import { type Stage, stageRequirements } from './pipelines.ts'

export const opportunityStatuses = ['open', 'win', 'lose'] as const
export type OpportunityStatus = (typeof opportunityStatuses)[number]
export const opportunityStatusLabels: Record<OpportunityStatus, string> = {
  open: 'Em aberto',
  win: 'Ganha',
  lose: 'Perdida',
}

/** The most a value may be: ten billion reais, in cents. */
export const mostCents = 1_000_000_000_000
const cents = z
  .int('Informe o valor.')
  .min(0, 'O valor não pode ser negativo.')
  .max(mostCents, 'O valor é grande demais.')

/** A line of what is offered. */
export const opportunityItem = z.object({
  name: z.string().trim().min(1, 'Informe o produto.').max(120, 'Use no máximo 120 caracteres.'),
  quantity: z.number().positive('Informe a quantidade.').max(1_000_000, 'A quantidade é grande demais.').default(1),
  /** Of one, in cents. */
  price: cents,
  discountPercent: z.number().min(0, 'De 0 a 100.').max(100, 'De 0 a 100.').default(0),
})
export type OpportunityItem = z.output<typeof opportunityItem>

/** What a line comes to, in cents. */
export const itemTotal = ({ quantity, price, discountPercent }: OpportunityItem): number =>
  Math.round(quantity * price * (1 - discountPercent / 100))
export const itemsTotal = (items: readonly OpportunityItem[]): number =>
  items.reduce((sum, item) => sum + itemTotal(item), 0)

const fields = z.object({
  name: z.string().trim().min(1, 'Informe o nome.').max(120, 'Use no máximo 120 caracteres.'),
  stageId: z.uuid('Escolha a etapa.'),
  contactId: z.uuid('Escolha o contato.'),
  responsibleId: id.nullable(),
  closingForecast: z.iso.date('Informe uma data.').nullable(),
  /** In cents. With products it is what they come to. */
  value: cents,
  description: z.string().trim().max(4_000, 'Use no máximo 4.000 caracteres.'),
  source: z.string().trim().max(60, 'Use no máximo 60 caracteres.'),
  items: z.array(opportunityItem).max(50, 'Use no máximo 50 produtos.'),
  status: z.enum(opportunityStatuses),
  /** Why it was won or lost. */
  reasonId: id.nullable(),
})
/** POST /opportunities. */
export const opportunityCreate = fields.omit({ status: true, reasonId: true }).extend({
  ...chosenId,
  responsibleId: fields.shape.responsibleId.optional(),
  closingForecast: fields.shape.closingForecast.default(null),
  value: fields.shape.value.default(0),
  description: fields.shape.description.default(''),
  source: fields.shape.source.default(''),
  items: fields.shape.items.default([]),
})
export type OpportunityCreate = z.output<typeof opportunityCreate>
/** PUT /opportunities/{id}: the fields that change. `beforeId`: it goes in front of that one; null: to the end. */
export const opportunityPatch = fields
  .partial()
  .extend({ beforeId: id.nullable().optional(), version: z.int().positive().optional() })
export type OpportunityPatch = z.output<typeof opportunityPatch>

export const opportunity = rowMeta.extend(fields.shape).extend({
  pipelineId: id,
  contact: namedRef.extend({ number: z.string().nullable(), profilePicUrl: z.string().nullable() }),
  responsible: namedRef.nullable(),
  reason: namedRef.nullable(),
  createdBy: namedRef.nullable(),
  /** Since when it stands in its stage. */
  stageSince: moment,
  closedAt: moment.nullable(),
  /** The conversation with its contact that is going on, if any. */
  ticketId: id.nullable(),
})
export type Opportunity = z.output<typeof opportunity>

/** What is missing before it may stand in a stage, by field. */
export const missingFor = (
  stage: Pick<Stage, 'name' | 'requires'>,
  row: Pick<Opportunity, 'value' | 'closingForecast' | 'responsibleId' | 'description' | 'items'>,
): FieldProblem[] =>
  stage.requires
    .filter((field) => {
      const value = row[field]
      return value === null || value === 0 || value === '' || (Array.isArray(value) && value.length === 0)
    })
    .map((path) => ({ path, message: `${stageRequirements[path]}: preencha para entrar em “${stage.name}”.` }))

const filter = {
  searchParam: pageQuery.shape.searchParam,
  pipelineId: id.optional(),
  stageId: queryList(id),
  responsibleId: queryList(id),
  status: queryList(z.enum(opportunityStatuses)),
  /** In cents. */
  valorMin: z.coerce.number().int().min(0).optional(),
  valorMax: z.coerce.number().int().min(0).optional(),
  /** Days of the forecast; both included. */
  startDate: z.iso.date().optional(),
  endDate: z.iso.date().optional(),
  /** Its forecast has passed. */
  isLate: queryFlag.default(false),
  contactId: id.optional(),
}
export const opportunitiesQuery = pageQuery.extend({
  ...filter,
  sort: z.enum(['createdAt', 'closingForecast', 'value', 'name']).default('createdAt'),
  direction: z.enum(['asc', 'desc']).default('desc'),
})
/** POST /opportunities/export: all that the list finds. */
export const opportunitiesExportQuery = opportunitiesQuery.extend({
  limit: z.coerce.number().int().min(1).max(1_000).optional(),
})
/** POST /opportunities/import: into this pipeline, where the file names none. */
export const opportunityImportBody = csvImportBody.extend({ pipelineId: id })
export type OpportunitiesQuery = z.output<typeof opportunitiesQuery>

/** GET /opportunities/board: every stage of a pipeline with its first cards; with `column` that one alone, from `cursor` on. */
export const opportunityBoardQuery = z.object({
  ...filter,
  pipelineId: id,
  column: id.optional(),
  cursor: z.string().max(300).optional(),
})
export type OpportunityBoardQuery = z.output<typeof opportunityBoardQuery>
export const opportunityBoard = z.object({
  columns: z.array(
    z.object({
      stageId: id,
      total: z.int(),
      /** Of all its cards, in cents. */
      value: z.int(),
      weighted: z.int(),
      cards: z.array(opportunity),
      nextCursor: z.string().nullable(),
    }),
  ),
})
export type OpportunityBoard = z.output<typeof opportunityBoard>

export const opportunityMoveKinds = [
  'created',
  'stage',
  'status',
  'value',
  'responsible',
  'forecast',
  'note',
  'file',
  'proposal',
] as const
/** A change of an opportunity, as its timeline tells it. */
export const opportunityMove = z.object({
  id,
  at: moment,
  user: namedRef.nullable(),
  /** What did it by itself: an action of the funnel, the company's calendar. */
  rule: z.string().nullable(),
  kind: z.enum(opportunityMoveKinds),
  from: z.string().nullable(),
  to: z.string().nullable(),
})
export type OpportunityMove = z.output<typeof opportunityMove>
export const opportunityNoteWrite = z.object({
  body: z.string().trim().min(1, 'Escreva a anotação.').max(2_000, 'Use no máximo 2.000 caracteres.'),
})

/** GET /opportunities/dashboard: of a pipeline, over days of the company's calendar. */
export const funnelDashboardQuery = z.object({
  pipelineId: id,
  responsibleId: queryList(id),
  startDate: z.iso.date(),
  endDate: z.iso.date(),
})
export type FunnelDashboardQuery = z.output<typeof funnelDashboardQuery>
const sum = z.object({ count: z.int(), value: z.int() })
export const funnelDashboard = z.object({
  /** Open now, whenever they began, and what they may bring by the probabilities of their stages. */
  open: sum.extend({ weighted: z.int(), late: z.int(), cold: z.int() }),
  created: sum,
  won: sum,
  lost: sum,
  /** Of those that were won, from their creation, in hours; null: none was. */
  hoursToWin: z.number().nullable(),
  stages: z.array(
    z.object({
      stageId: id,
      /** Open now. */
      count: z.int(),
      value: z.int(),
      weighted: z.int(),
      /** That entered it in these days, and of these the ones that went on or were won. */
      entered: z.int(),
      advanced: z.int(),
      /** How long those open now have stood in it, in hours. */
      hoursHere: z.number().nullable(),
    }),
  ),
  reasons: z.array(z.object({ reason: z.string(), status: z.enum(['win', 'lose']), count: z.int(), value: z.int() })),
  people: z.array(z.object({ user: namedRef.nullable(), open: sum, won: sum, lost: sum })),
  sources: z.array(z.object({ source: z.string(), created: z.int(), won: sum })),
  /** Open now, by the month of their forecast (`2026-11`). */
  forecast: z.array(z.object({ month: z.string(), count: z.int(), value: z.int(), weighted: z.int() })),
})
export type FunnelDashboard = z.output<typeof funnelDashboard>
