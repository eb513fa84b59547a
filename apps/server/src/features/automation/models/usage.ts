import { type AiPurpose, budgetWarningAt } from '@balcao/contract/automation/models.ts'
import type { ModelKind } from '@balcao/contract/core/integrations/models.ts'
import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import { type Prepared, type Tx, withTenantAfter } from '../../../db/database.ts'
import type { Ask } from '../../../db/one-trip.ts'
import { emit } from '../../../kit/outbox.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import {
  type AssistantBudget,
  requireSpending,
  type Spending,
  spendingAsks,
} from '../../core/limits/reserve-spending.ts'

/** One call to a model, before it is made. */
export type Call = {
  id: string
  tenantId: number
  integrationId: string
  kind: ModelKind
  model: string
  purpose: AiPurpose
  assistant?: AssistantBudget
  ticketId?: string
  userId?: string
  /** What it may cost at most, in micro-reais. */
  mostMicros: number
}
export type Settled = {
  state: 'done' | 'failed'
  problem?: string
  inputTokens?: number
  outputTokens?: number
  costMicros: number
  ms: number
  /** Kept for an hour, for whoever asks again under the same id. */
  result?: unknown
}

const nobody = '00000000-0000-0000-0000-000000000000'

/**
 * Writes the call with what it may cost, before it leaves. A call is known by its id: one that was answered under this id
 * is answered again with what came back then (`kept`), one that a process died over is counted once. Throws ERR_AI_BUDGET.
 */
export const openCall = async (call: Call): Promise<{ kept?: unknown }> => {
  const { timezone, people } = await getDirectory(call.tenantId)
  const day = wallTimeOf(new Date(), timezone).slice(0, 10)
  const from = monthOf(day)
  const { tenantId, assistant } = call
  const asks: Ask[] = [[find, [tenantId, call.id]], ...spendingAsks(tenantId, { from, assistant })]
  return withTenantAfter(tenantId, asks, async (tx, [found = [], ...spent]) => {
    const known = found[0] as { state: string; result: unknown } | undefined
    if (known?.state === 'done' && known.result !== null) return { kept: known.result }
    if (known?.state === 'open') {
      tx.late(again, [tenantId, call.id])
      return {}
    }
    const { id, mostMicros: micros } = call
    const before = requireSpending(spent, { micros, assistant })
    tx.late(open, [
      ...[tenantId, id, call.integrationId, call.kind, call.model, call.purpose, assistant?.id ?? null],
      ...[call.ticketId ?? null, call.userId ?? null, day, micros, nobody],
    ])
    const tellers = [...people.values()].filter((one) => !one.isBlocked && one.permissions.has('integrations.write'))
    await warn(tx, { before, after: before.used + micros, month: from, userIds: tellers.map((one) => one.id) })
    return {}
  })
}

/** What came of it; of one call only the first is counted. */
export const settleCall = ({ tenantId, id }: Pick<Call, 'tenantId' | 'id'>, settled: Settled): Promise<void> =>
  withTenantAfter(tenantId, [], async (tx) => {
    const { state, problem, inputTokens = 0, outputTokens = 0, costMicros, ms, result } = settled
    tx.late(settle, [
      ...[tx.tenantId, id, state, problem ?? null, inputTokens, outputTokens, costMicros, Math.round(ms)],
      ...[result === undefined ? null : JSON.stringify(result), nobody],
    ])
  })

/** The first day of a day's month. */
export const monthOf = (day: string) => `${day.slice(0, 7)}-01`

type Crossing = { before: Spending; after: number; month: string; userIds: string[] }
/** Whoever cares for it hears once a month that the budget nears its end, and once that it is over. */
const warn = async (tx: Tx, { before: { used, budget }, after, month, userIds }: Crossing) => {
  if (budget === null || budget === 0) return
  const line = budget * budgetWarningAt
  if (used >= line || after < line) return
  const [first] = await tx.rows(warned, [tx.tenantId, month])
  if (!first || !userIds.length) return
  const share = Math.round(budgetWarningAt * 100)
  const title = `${share} % do orçamento de IA do mês já foram usados`
  const text = 'Quando acabar, assistentes passam as conversas para a equipe e o copiloto para. Confira o orçamento.'
  const link = '/configuracoes/uso-ia'
  await emit(tx, 'ai.notice', { id: `budget:${month}`, title, text, link }, { kind: 'users', userIds })
}

const find: Prepared = {
  name: 'ai_call_find',
  text: 'select state, result from ai_usage where tenant_id = $1 and id = $2 for update',
}
const again: Prepared = {
  name: 'ai_call_again',
  text: 'update ai_usage set attempts = attempts + 1 where tenant_id = $1 and id = $2',
}
/** One that failed before is open anew: its failure was counted, its money was not. */
const open: Prepared = {
  name: 'ai_call_open',
  text: `with call as (
      insert into ai_usage (tenant_id, id, integration_id, kind, model, purpose, assistant_id, ticket_id, user_id, day, cost_micros)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
      on conflict (tenant_id, id) do update set state = 'open', problem = null, attempts = ai_usage.attempts + 1, ended_at = null,
        day = excluded.day, cost_micros = excluded.cost_micros
      returning day, purpose, coalesce(assistant_id, $12::uuid) as assistant_id, integration_id, cost_micros)
    insert into ai_days as d (tenant_id, day, purpose, assistant_id, integration_id, calls, cost_micros)
    select $1, day, purpose, assistant_id, integration_id, 1, cost_micros from call
    on conflict (tenant_id, day, purpose, assistant_id, integration_id)
      do update set calls = d.calls + 1, cost_micros = d.cost_micros + excluded.cost_micros`,
}
const settle: Prepared = {
  name: 'ai_call_settle',
  text: `with call as (
      select day, purpose, coalesce(assistant_id, $10::uuid) as assistant_id, integration_id, cost_micros from ai_usage
      where tenant_id = $1 and id = $2 and state = 'open' for update),
    told as (
      update ai_usage set state = $3, problem = $4, input_tokens = $5, output_tokens = $6, cost_micros = $7, ms = $8,
        result = $9::jsonb, ended_at = now() where tenant_id = $1 and id = $2 and exists (select from call))
    update ai_days d set cost_micros = d.cost_micros + $7 - call.cost_micros, input_tokens = d.input_tokens + $5,
      output_tokens = d.output_tokens + $6, failures = d.failures + ($3 = 'failed')::int
    from call where d.tenant_id = $1 and d.day = call.day and d.purpose = call.purpose
      and d.assistant_id = call.assistant_id and d.integration_id = call.integration_id`,
}
const warned: Prepared = {
  name: 'ai_budget_warned',
  text: 'insert into ai_warnings (tenant_id, month) values ($1, $2) on conflict do nothing returning month',
}
