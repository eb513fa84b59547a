import { z } from 'zod'
import { templateUse } from '../channels/templates.ts'
import { id, moment, namedRef, pageQuery, queryList } from '../common.ts'
import { messageText } from '../conversations/actions/define.ts'
import type { Action } from '../conversations/actions/index.ts'
import { resource, rowMeta } from '../resource.ts'

export const pipelineActionTypes = [
  'message',
  'stage_change',
  'status_change',
  'add_tag',
  'add_wallet',
  'flow',
] as const
export type PipelineActionType = (typeof pipelineActionTypes)[number]
export const ticketActionTypes = ['message', 'add_tag', 'add_wallet'] as const
export type TicketActionType = (typeof ticketActionTypes)[number]
export const funnelActionLabels: Record<PipelineActionType, string> = {
  message: 'Enviar mensagem',
  stage_change: 'Mudar de etapa',
  status_change: 'Dar como ganha ou perdida',
  add_tag: 'Etiquetar',
  add_wallet: 'Pôr o contato na carteira',
  flow: 'Começar um fluxo',
}

/** By what those are told who wait for a message of such an action. */
export const funnelRule = 'Ação do funil'

/** What such an action may do of the catalogue: the message, the tag, the wallet. */
export const funnelActionKinds = ['send', 'addContactTags', 'addTags', 'wallet'] as const

const name = z.string().trim().min(1, 'Informe o nome.').max(80, 'Use no máximo 80 caracteres.')
const message = z.union([messageText, z.literal('')]).default('')
const shared = {
  name,
  description: z.string().trim().max(500, 'Use no máximo 500 caracteres.').default(''),
  active: z.boolean().default(false),
  /** By what a message leaves, and where a flow begins. */
  whatsappId: id.nullable().default(null),
  message,
  tagId: id.nullable().default(null),
  /** In whose wallet the contact is put. */
  walletId: id.nullable().default(null),
}

const pipelineActionWrite = z.object({
  ...shared,
  pipelineId: z.uuid('Escolha o funil.'),
  stageId: z.uuid('Escolha a etapa.'),
  actionType: z.enum(pipelineActionTypes),
  /** Of an opportunity in the stage. */
  daysToTrigger: z
    .int('Informe um número inteiro.')
    .min(0, 'De 0 em diante.')
    .max(365, 'No máximo 365 dias.')
    .default(3),
  /** Of those that are due together the smallest goes first. */
  position: z.int('Informe um número inteiro.').min(0, 'De 0 em diante.').max(10_000, 'No máximo 10.000.').default(0),
  /** Of a message: what goes where its channel takes approved words alone by then. */
  template: templateUse.nullable().default(null),
  targetStageId: id.nullable().default(null),
  targetStatus: z.enum(['win', 'lose']).nullable().default(null),
  /** Why it is won or lost. */
  reasonId: id.nullable().default(null),
  chatFlowId: id.nullable().default(null),
})
export type PipelineActionWrite = z.output<typeof pipelineActionWrite>
/** What is done to an opportunity that has stood so many days in a stage; once in each of its stays there. */
export const pipelineAction = rowMeta.extend(pipelineActionWrite.shape)
export type PipelineAction = z.output<typeof pipelineAction>
export const pipelineActionResource = resource({
  path: '/pipeline-actions',
  event: 'pipelineAction',
  label: { one: 'Ação do funil', many: 'Ações do funil', feminine: true },
  row: pipelineAction,
  write: pipelineActionWrite,
  fields: {
    name: 'Nome',
    pipelineId: 'Funil',
    stageId: 'Etapa',
    daysToTrigger: 'Dias na etapa',
    actionType: 'O que faz',
    message: 'Mensagem',
    whatsappId: 'Canal',
    template: 'Modelo',
    targetStageId: 'Etapa de destino',
    targetStatus: 'Situação',
    reasonId: 'Motivo',
    tagId: 'Etiqueta',
    walletId: 'Carteira de',
    chatFlowId: 'Fluxo',
    position: 'Ordem',
    description: 'Descrição',
    active: 'Ativa',
  },
  sort: ['position', 'name', 'createdAt', 'updatedAt'],
  filter: ['pipelineId', 'stageId', 'whatsappId', 'actionType', 'active'],
  can: { read: 'funnel.manage', write: 'funnel.manage' },
})

const ticketActionWrite = z.object({
  ...shared,
  actionType: z.enum(ticketActionTypes),
  /** Of silence of a customer who was answered. */
  hoursWithoutResponse: z
    .int('Informe um número inteiro.')
    .min(1, 'Pelo menos 1 hora.')
    .max(8_760, 'No máximo 8.760 horas.')
    .default(24),
  /** Silences that began before do not count; null: from when it is turned on. */
  startedAt: moment.nullable().default(null),
})
/** What is done to a conversation whose customer has been silent so long; once in each silence. */
export const ticketAction = rowMeta.extend(ticketActionWrite.shape)
export type TicketAction = z.output<typeof ticketAction>
export const ticketActionResource = resource({
  path: '/ticket-actions',
  event: 'ticketAction',
  label: { one: 'Ação por silêncio', many: 'Ações por silêncio', feminine: true },
  row: ticketAction,
  write: ticketActionWrite,
  fields: {
    name: 'Nome',
    hoursWithoutResponse: 'Horas de silêncio',
    actionType: 'O que faz',
    message: 'Mensagem',
    whatsappId: 'Canal',
    tagId: 'Etiqueta',
    walletId: 'Carteira de',
    startedAt: 'Vale desde',
    description: 'Descrição',
    active: 'Ativa',
  },
  sort: ['hoursWithoutResponse', 'name', 'createdAt', 'updatedAt'],
  filter: ['whatsappId', 'actionType', 'active'],
  can: { read: 'funnel.manage', write: 'funnel.manage' },
})

/** PUT …/{id}/toggle-active: the other of the two when not given. */
export const toggleActive = z.object({ active: z.boolean().optional() }).nullish()

const atOnce = 20
/** POST /pipeline-actions/sequential: several of one stage, in the order they are given. */
export const pipelineActionsSequential = z.object({
  pipelineId: pipelineActionWrite.shape.pipelineId,
  stageId: pipelineActionWrite.shape.stageId,
  actions: z
    .array(pipelineActionWrite.omit({ pipelineId: true, stageId: true, position: true }))
    .min(1, 'Inclua pelo menos uma ação.')
    .max(atOnce, `Inclua no máximo ${atOnce} ações.`),
})
/** POST /ticket-actions/sequential. */
export const ticketActionsSequential = z.object({
  actions: z
    .array(ticketActionWrite)
    .min(1, 'Inclua pelo menos uma ação.')
    .max(atOnce, `Inclua no máximo ${atOnce} ações.`),
})

/** Whom an action would touch now, and what stands in the way. */
export const actionPreview = z.object({
  total: z.int(),
  /** The first of them. */
  items: z.array(
    z.object({
      opportunity: namedRef.extend({ value: z.int() }).nullable(),
      ticketId: id.nullable(),
      contact: namedRef,
      /** In the stage, or silent, since then. */
      since: moment,
      problem: z.string().nullable(),
    }),
  ),
})
export type ActionPreview = z.output<typeof actionPreview>

export const actionRunStates = ['waiting', 'done', 'skipped', 'failed'] as const
export type ActionRunState = (typeof actionRunStates)[number]
export const actionRunLabels: Record<ActionRunState, string> = {
  waiting: 'Na fila',
  done: 'Feita',
  skipped: 'Não coube mais',
  failed: 'Não feita',
}
/** What an action did, to whom and when. */
export const actionRun = z.object({
  id,
  kind: z.enum(['pipeline', 'ticket']),
  action: namedRef,
  actionType: z.enum(pipelineActionTypes),
  opportunity: namedRef.nullable(),
  ticketId: id.nullable(),
  contact: namedRef,
  state: z.enum(actionRunStates),
  problem: z.string().nullable(),
  at: moment,
})
export type ActionRun = z.output<typeof actionRun>
export const actionRunsQuery = pageQuery.extend({
  kind: queryList(z.enum(['pipeline', 'ticket'])),
  actionId: queryList(id),
  state: queryList(z.enum(actionRunStates)),
  dateFrom: z.union([z.iso.date(), z.literal('')]).default(''),
  dateTo: z.union([z.iso.date(), z.literal('')]).default(''),
  /** An export asks for more at a time. */
  limit: z.coerce.number().int().min(1).max(1_000).optional(),
})
export type ActionRunsQuery = z.output<typeof actionRunsQuery>

type Does = Pick<PipelineActionWrite, 'message' | 'tagId' | 'walletId'> & { actionType: PipelineActionType }
/** What it does as an action of the catalogue; undefined: the funnel, or a flow, does it. */
export const catalogueActionOf = (
  { actionType, message, tagId, walletId }: Does,
  on: 'opportunity' | 'ticket',
): Extract<Action, { kind: (typeof funnelActionKinds)[number] }> | undefined => {
  if (actionType === 'message') return { kind: 'send', body: message }
  if (actionType === 'add_tag')
    return { kind: on === 'ticket' ? 'addTags' : 'addContactTags', tagIds: tagId ? [tagId] : [] }
  return actionType === 'add_wallet' ? { kind: 'wallet', userId: walletId ?? '' } : undefined
}
/** The fields of a row of what is kept of it. */
export const fieldsOfActions = (actions: readonly Action[]): Pick<Does, 'message' | 'tagId' | 'walletId'> => {
  const [one] = actions
  return {
    message: one?.kind === 'send' ? one.body : '',
    tagId: one?.kind === 'addTags' || one?.kind === 'addContactTags' ? (one.tagIds[0] ?? null) : null,
    walletId: one?.kind === 'wallet' ? one.userId : null,
  }
}
