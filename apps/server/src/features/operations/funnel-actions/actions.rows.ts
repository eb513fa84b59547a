import type { FieldProblem } from '@balcao/contract/errors.ts'
import {
  catalogueActionOf,
  fieldsOfActions,
  type PipelineActionWrite,
  pipelineActionResource,
  ticketActionResource,
} from '@balcao/contract/operations/funnel-actions.ts'
import { and, eq, getTableColumns, inArray } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { pipelineActions, ticketActions } from '../../../db/schema/operations/funnel-actions.ts'
import { outcomeReasons, stages } from '../../../db/schema/sales/funnel.ts'
import type { Actor } from '../../../kit/actor.ts'
import { type CrudOptions, type PlainOptions, rowsOf } from '../../../kit/crud-rows.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { problemsOf } from '../../conversations/actions/check-actions.ts'
import { byPerson } from '../../conversations/tickets/action-catalogue.ts'
import { getDirectory } from '../../core/directory/directory.ts'

/** Who turns an action on, or changes what it waits for, has it looked at now. */
const lookNow = () => ({ lookAt: new Date() })

export const pipelineActionOptions: CrudOptions<typeof pipelineActionResource, typeof pipelineActions> = {
  table: pipelineActions,
  search: [pipelineActions.name],
  beforeWrite: async (tx, { actor, input, before }) => {
    const kept = before && { ...before, ...fieldsOfActions(before.actions) }
    const next = { ...blank, ...kept, ...input }
    const { actions, problems } = await catalogueParts(tx, actor, next, 'opportunity')
    const all = [...(await funnelProblems(tx, actor, next)), ...problems]
    if (all.length) throw fieldErrors(...all)
    return { actions, ...lookNow() }
  },
  present: async (_, rows) => rows.map((row) => ({ ...row, ...fieldsOfActions(row.actions) })),
}

export const ticketActionOptions: CrudOptions<typeof ticketActionResource, typeof ticketActions> = {
  table: ticketActions,
  search: [ticketActions.name],
  beforeWrite: async (tx, { actor, input, before }) => {
    const kept = before && { ...before, ...fieldsOfActions(before.actions) }
    const next = { ...blank, ...kept, ...input }
    const { actions, problems } = await catalogueParts(tx, actor, next, 'ticket')
    const { connections } = await getDirectory(actor.tenantId)
    if (next.whatsappId && !connections.has(next.whatsappId)) problems.unshift(noChannel)
    if (problems.length) throw fieldErrors(...problems)
    const isTurnedOn = next.active && !before?.active
    const startedAt = input.startedAt ? new Date(input.startedAt) : isTurnedOn ? new Date() : before?.startedAt
    return { actions, startedAt: startedAt ?? null, ...lookNow() }
  },
  present: async (_, rows) => rows.map((row) => ({ ...row, ...fieldsOfActions(row.actions) })),
}

export const pipelineActionRows = rowsOf(
  pipelineActionResource,
  pipelineActionOptions as unknown as PlainOptions, // as crud() takes them
  getTableColumns(pipelineActions),
)
export const ticketActionRows = rowsOf(
  ticketActionResource,
  ticketActionOptions as unknown as PlainOptions, // as above
  getTableColumns(ticketActions),
)

const blank = {
  name: '',
  active: false,
  pipelineId: '',
  stageId: '',
  actionType: 'message' as const,
  ...{ whatsappId: null, message: '', tagId: null, walletId: null },
  ...{ targetStageId: null, targetStatus: null, reasonId: null, chatFlowId: null },
}
type Draft = Pick<
  PipelineActionWrite,
  | 'pipelineId'
  | 'stageId'
  | 'actionType'
  | 'whatsappId'
  | 'message'
  | 'tagId'
  | 'walletId'
  | 'targetStageId'
  | 'targetStatus'
  | 'reasonId'
  | 'chatFlowId'
>
const noChannel = { path: 'whatsappId', message: 'O canal escolhido não existe mais.' }

/** The part the catalogue does, as it is kept, and what is wrong with it by the form's own fields. */
const catalogueParts = async (tx: Tx, actor: Actor, next: Draft, on: 'opportunity' | 'ticket') => {
  const empty: FieldProblem[] = []
  if (next.actionType === 'message' && !next.message) empty.push({ path: 'message', message: 'Escreva a mensagem.' })
  if (next.actionType === 'add_tag' && !next.tagId) empty.push({ path: 'tagId', message: 'Escolha a etiqueta.' })
  if (next.actionType === 'add_wallet' && !next.walletId) empty.push({ path: 'walletId', message: 'Escolha a pessoa.' })
  if (empty.length) return { actions: [], problems: empty }
  const action = catalogueActionOf(next, on)
  const actions = action ? [action] : []
  const directory = await getDirectory(actor.tenantId)
  const wrong = await problemsOf(actions, { tx, directory, by: byPerson(actor) })
  const problems = wrong.map(({ path, message }) => ({ path: fieldOf[path.split('.').at(-1) ?? ''] ?? path, message }))
  return { actions, problems }
}
const fieldOf: Record<string, string> = { body: 'message', tagIds: 'tagId', userId: 'walletId', kind: 'actionType' }

/** What is wrong with the part the funnel does. */
const funnelProblems = async (tx: Tx, actor: Actor, next: Draft): Promise<FieldProblem[]> => {
  const directory = await getDirectory(actor.tenantId)
  const problems: FieldProblem[] = []
  const say = (path: string, message: string) => problems.push({ path, message })
  const named = [next.stageId, next.targetStageId].filter((one) => one !== null)
  const known = await tx.db
    .select({ id: stages.id, pipelineId: stages.pipelineId })
    .from(stages)
    .where(and(eq(stages.tenantId, tx.tenantId), inArray(stages.id, named)))
  const own = known.find(({ id }) => id === next.stageId)
  if (own?.pipelineId !== next.pipelineId) say('stageId', 'Esta etapa não é deste funil.')
  if (next.whatsappId && !directory.connections.has(next.whatsappId)) problems.push(noChannel)
  const needsChannel = next.actionType === 'message' || next.actionType === 'flow'
  if (needsChannel && !next.whatsappId) say('whatsappId', 'Escolha por qual canal.')
  if (next.actionType === 'stage_change') {
    if (!known.some(({ id }) => id === next.targetStageId)) say('targetStageId', 'Escolha a etapa de destino.')
    else if (next.targetStageId === next.stageId) say('targetStageId', 'Escolha outra etapa: nesta ela já está.')
  }
  if (next.actionType === 'flow' && !directory.flows.get(next.chatFlowId ?? '')?.publishedId)
    say('chatFlowId', 'Escolha um fluxo publicado.')
  if (next.actionType !== 'status_change') return problems
  if (!next.targetStatus) say('targetStatus', 'Escolha se é ganha ou perdida.')
  else {
    const reasons = await tx.db
      .select({ id: outcomeReasons.id, isActive: outcomeReasons.isActive })
      .from(outcomeReasons)
      .where(and(eq(outcomeReasons.tenantId, tx.tenantId), eq(outcomeReasons.outcome, next.targetStatus)))
    const isFine = next.reasonId
      ? reasons.some(({ id }) => id === next.reasonId)
      : !reasons.some(({ isActive }) => isActive)
    if (!isFine) say('reasonId', 'Escolha o motivo.')
  }
  return problems
}
