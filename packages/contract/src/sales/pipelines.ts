import { z } from 'zod'
import { hexColor } from '../common.ts'
import { resource, rowMeta } from '../resource.ts'

const name = z.string().trim().min(1, 'Informe o nome.').max(60, 'Use no máximo 60 caracteres.')
const position = z
  .int('Informe um número inteiro.')
  .min(0, 'De 0 em diante.')
  .max(10_000, 'No máximo 10.000.')
  .default(0)

const pipelineWrite = z.object({ name, position, isActive: z.boolean().default(true) })
/** A way that sales go, stage by stage: one for new customers, one for renewals… */
export const pipeline = rowMeta.extend(pipelineWrite.shape)
export type Pipeline = z.output<typeof pipeline>
export const pipelineResource = resource({
  path: '/pipelines',
  event: 'pipeline',
  label: { one: 'Funil', many: 'Funis' },
  row: pipeline,
  write: pipelineWrite,
  fields: { name: 'Nome', position: 'Ordem', isActive: 'Ativo' },
  sort: ['position', 'name', 'createdAt', 'updatedAt'],
  can: { read: 'funnel.read', write: 'funnel.manage' },
})

/** What an opportunity must have before it enters a stage. */
export const stageRequirements = {
  value: 'Valor',
  closingForecast: 'Previsão de fechamento',
  responsibleId: 'Responsável',
  description: 'Descrição',
  items: 'Produtos',
} as const
export type StageRequirement = keyof typeof stageRequirements
const requirementKeys = Object.keys(stageRequirements) as [StageRequirement, ...StageRequirement[]]

const stageWrite = z.object({
  name,
  pipelineId: z.uuid('Escolha o funil.'),
  color: hexColor,
  position,
  /** How likely one that stands here is won, for the weighted forecast. */
  probability: z.int('Informe um número inteiro.').min(0, 'De 0 a 100.').max(100, 'De 0 a 100.').default(50),
  /** An opportunity that stands here longer is going cold; null: never. */
  rotDays: z
    .int('Informe um número inteiro.')
    .min(1, 'Pelo menos 1 dia.')
    .max(365, 'No máximo 365 dias.')
    .nullable()
    .default(null),
  requires: z.array(z.enum(requirementKeys)).max(requirementKeys.length).default([]),
})
export const stage = rowMeta.extend(stageWrite.shape)
export type Stage = z.output<typeof stage>
export const stageResource = resource({
  path: '/stages',
  event: 'stage',
  label: { one: 'Etapa do funil', many: 'Etapas do funil', feminine: true },
  row: stage,
  write: stageWrite,
  fields: {
    name: 'Nome',
    pipelineId: 'Funil',
    color: 'Cor',
    position: 'Ordem',
    probability: 'Probabilidade (%)',
    rotDays: 'Esfria em (dias)',
    requires: 'Exige',
  },
  sort: ['position', 'name', 'createdAt', 'updatedAt'],
  filter: ['pipelineId'],
  can: { read: 'funnel.read', write: 'funnel.manage' },
})

/** GET /stages/{id}/uses, the same of pipelines: the opportunities that stand there, whoever sees them. */
export const funnelUses = z.object({ open: z.int(), closed: z.int() })
export type FunnelUses = z.output<typeof funnelUses>
/** POST /stages/{id}/replace, the same of pipelines: where its opportunities go before it is deleted. */
export const funnelReplaceBody = z.strictObject({ stageId: z.uuid('Escolha a etapa.') })

export const outcomes = ['win', 'lose'] as const
const outcomeReasonWrite = z.object({ name, outcome: z.enum(outcomes), isActive: z.boolean().default(true) })
/** Why an opportunity was won, or lost. */
export const outcomeReason = rowMeta.extend(outcomeReasonWrite.shape)
export type OutcomeReason = z.output<typeof outcomeReason>
export const outcomeReasonResource = resource({
  path: '/opportunity-reasons',
  event: 'outcomeReason',
  label: { one: 'Motivo de ganho ou perda', many: 'Motivos de ganho e perda' },
  row: outcomeReason,
  write: outcomeReasonWrite,
  fields: { name: 'Nome', outcome: 'De', isActive: 'Em uso' },
  sort: ['name', 'createdAt', 'updatedAt'],
  can: { read: 'funnel.read', write: 'funnel.manage' },
})
