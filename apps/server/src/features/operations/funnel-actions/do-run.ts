import type { TemplateUse } from '@balcao/contract/channels/templates.ts'
import type { Action, ActionKind } from '@balcao/contract/conversations/actions/index.ts'
import { errorCodes } from '@balcao/contract/errors.ts'
import {
  type ActionRunState,
  funnelActionKinds,
  funnelRule,
  type PipelineActionType,
} from '@balcao/contract/operations/funnel-actions.ts'
import type { Opportunity } from '@balcao/contract/sales/opportunities.ts'
import { v5, v7 } from 'uuid'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { byRule } from '../../../kit/actor.ts'
import { databaseProblem } from '../../../kit/database-problem.ts'
import { AppError, sentenceOf } from '../../../kit/errors.ts'
import { findConnection, type OpenConnection } from '../../channels/connections/context.ts'
import { hasConsent } from '../../contacts/consent/consent.ts'
import { runActions, runOnContact } from '../../conversations/actions/run-actions.ts'
import type { By } from '../../conversations/tickets/action-catalogue.ts'
import { leaveTurn } from '../../conversations/timeline/leave-turn.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { changeOpportunityByRule, holdOpportunity } from '../../sales/funnel/opportunities.service.ts'
import { emitAudience } from '../audience/audience.events.ts'
import { activeTicket } from '../schedules/write-due.ts'
import type { Due } from './funnel-actions.loop.ts'
import { isCustomersTurn } from './touched.ts'

const grants: ReadonlySet<ActionKind> = new Set(funnelActionKinds)

/**
 * Does what waits, once: the row's lock, what is done and its outcome are one transaction. What does not hold any more is
 * left out, and a refusal is told. False: somebody else has it.
 */
export const doRun = async ({ tenantId, id }: Pick<Due, 'tenantId' | 'id'>): Promise<boolean> => {
  const directory = await getDirectory(tenantId)
  const connection = await connectionOf(tenantId, id)
  return withTenant(tenantId, async (tx) => {
    const [run] = await tx.rows<Run>(hold, [tenantId, id])
    if (!run) return false
    const outcome = await tx
      .part(() => outcomeOf(tx, { run, directory, connection }))
      .catch((thrown): Outcome => {
        const error = databaseProblem(thrown)
        if (!(error instanceof AppError)) throw error
        return { state: 'failed', problem: sentenceOf(error) }
      })
    await tx.rows(settle, [tenantId, id, outcome.state, outcome.problem ?? null, outcome.audienceId ?? null])
    return true
  })
}

type Run = {
  id: string
  actionType: PipelineActionType
  actionName: string
  opportunityId: string | null
  ticketId: string | null
  visitAt: Date
  /** Null: the action went. */
  active: boolean | null
  connectionId: string | null
  actions: Action[]
  template: TemplateUse | null
  targetStageId: string | null
  targetStatus: 'win' | 'lose' | null
  reasonId: string | null
  chatFlowId: string | null
}
type Outcome = { state: Exclude<ActionRunState, 'waiting'>; problem?: string; audienceId?: string }
type At = { run: Run; directory: Directory; connection: OpenConnection | undefined }
const skipped = (problem: string): Outcome => ({ state: 'skipped', problem })
const failed = (problem: string): Outcome => ({ state: 'failed', problem })
const done: Outcome = { state: 'done' }

const outcomeOf = async (tx: Tx, at: At): Promise<Outcome> => {
  if (!at.run.active) return skipped('A ação foi desligada ou excluída.')
  if (at.run.connectionId && !at.connection && at.run.opportunityId) return failed('O canal desta ação foi excluído.')
  return at.run.opportunityId ? toOpportunity(tx, at, at.run.opportunityId) : toTicket(tx, at)
}

const byAction = (run: Run): By => ({ author: byRule(run.actionName), actor: null, grants })

const toOpportunity = async (tx: Tx, { run, directory, connection }: At, id: string): Promise<Outcome> => {
  const isStill = (now: Opportunity) => now.status === 'open' && Date.parse(now.stageSince) === run.visitAt.getTime()
  const rule = run.actionName
  if (run.actionType === 'stage_change' || run.actionType === 'status_change') {
    const patch =
      run.actionType === 'stage_change'
        ? { stageId: run.targetStageId ?? '' }
        : { status: run.targetStatus ?? ('lose' as const), reasonId: run.reasonId }
    const changed = await changeOpportunityByRule(tx, directory, { id, rule, patch, isStill })
    return changed ? done : skipped(gone)
  }
  const opportunity = await holdOpportunity(tx, id)
  if (!opportunity || !isStill(opportunity)) return skipped(gone)
  const { contactId } = opportunity
  const [action] = run.actions
  if (run.actionType === 'flow' && connection) return beginFlow(tx, { run, directory, connection }, contactId)
  if (action?.kind === 'send' && connection)
    return queueMessage(tx, { body: action.body, template: run.template, contactId, connection })
  if (!action) return failed('A ação não tem mais o que fazer: o que ela usava foi excluído.')
  await runOnContact(tx, action, { directory, by: byAction(run), contactId })
  return done
}
const gone = 'A oportunidade deixou a etapa antes.'

type Message = { body: string; template: TemplateUse | null; contactId: string; connection: OpenConnection }
/** It waits among all that goes to many, in the pace and the hours of its channel, and then leaves by the one door. */
const queueMessage = async (tx: Tx, { body, template, contactId, connection }: Message): Promise<Outcome> => {
  const audienceId = v7()
  await tx.rows(enqueue, [
    tx.tenantId,
    audienceId,
    connection.id,
    contactId,
    body,
    funnelRule,
    template && JSON.stringify(template),
  ])
  await emitAudience(tx, [funnelRule])
  return { ...done, audienceId }
}

const beginFlow = async (
  tx: Tx,
  { run, directory, connection }: At & { connection: OpenConnection },
  contactId: string,
): Promise<Outcome> => {
  const flow = directory.flows.get(run.chatFlowId ?? '')
  if (!flow?.isActive || !flow.publishedId) return failed('O fluxo está desligado ou não foi publicado.')
  if (!(await hasConsent(tx, { contactId, channel: connection.kind, purpose: 'marketing' })))
    return failed(errorCodes.ERR_NO_CONSENT.text)
  const row = { contactId, createdBy: null, walletIds: [], contact: { isGroup: false } }
  const ticket = await activeTicket(tx, { connection, directory, row, rule: run.actionName })
  if (!ticket) return failed('A conversa não pôde ser aberta.')
  if (ticket.status === 'open' && ticket.userId) return skipped('Uma pessoa da equipe já atende este contato.')
  await leaveTurn(tx, ticket.id, { owner: 'flow', ownerId: flow.id, payload: { start: 'funnel' } })
  return done
}

const toTicket = async (tx: Tx, { run, directory }: At): Promise<Outcome> => {
  const ticketId = run.ticketId ?? ''
  const [still] = await tx.rows(stillSilent, [tx.tenantId, ticketId, run.visitAt])
  if (!still) return skipped('O cliente escreveu, ou a conversa mudou, antes.')
  if (!run.actions.length) return failed('A ação não tem mais o que fazer: o que ela usava foi excluído.')
  const { refused } = await runActions(tx, {
    ...{ directory, ticketId, actions: run.actions, by: byAction(run) },
    cause: { kind: 'idle' },
    runId: v5('acao', run.id),
  })
  return refused ? failed(refused.message) : done
}

const connectionOf = async (tenantId: number, id: string): Promise<OpenConnection | undefined> => {
  const [row] = await withTenant(tenantId, (tx) => tx.rows<{ connectionId: string | null }>(channelOf, [tenantId, id]))
  return row?.connectionId ? findConnection(row.connectionId) : undefined
}

const channelOf: Prepared = {
  name: 'funnel_action_channel',
  text: `select p.connection_id as "connectionId" from funnel_action_runs r join pipeline_actions p on p.tenant_id = r.tenant_id
    and p.id = r.action_id where r.tenant_id = $1 and r.id = $2`,
}
const hold: Prepared = {
  name: 'funnel_action_hold',
  text: `select r.id, r.action_type as "actionType", r.action_name as "actionName", r.opportunity_id as "opportunityId",
      r.ticket_id as "ticketId", r.visit_at as "visitAt", coalesce(p.active, a.active) as active,
      coalesce(p.connection_id, a.connection_id) as "connectionId", coalesce(p.actions, a.actions, '[]') as actions, p.template,
      p.target_stage_id as "targetStageId", p.target_status as "targetStatus", p.reason_id as "reasonId", p.chat_flow_id as "chatFlowId"
    from funnel_action_runs r left join pipeline_actions p on p.tenant_id = r.tenant_id and p.id = r.action_id
      left join ticket_actions a on a.tenant_id = r.tenant_id and a.id = r.action_id
    where r.tenant_id = $1 and r.id = $2 and r.state = 'waiting' and r.attempt_at <= now() for update of r skip locked`,
}
const settle: Prepared = {
  name: 'funnel_action_settle',
  text: `update funnel_action_runs set state = $3, problem = $4, audience_id = $5, done_at = now() where tenant_id = $1 and id = $2`,
}
const enqueue: Prepared = {
  name: 'funnel_action_enqueue',
  text: `insert into audience (tenant_id, id, connection_id, contact_id, body, purpose, rule, template)
    values ($1, $2, $3, $4, $5, 'marketing', $6, $7::jsonb)`,
}
const stillSilent: Prepared = {
  name: 'ticket_action_still',
  text: `select t.id from tickets t where t.tenant_id = $1 and t.id = $2 and t.last_inbound_at = $3 and ${isCustomersTurn}
    for no key update of t`,
}
