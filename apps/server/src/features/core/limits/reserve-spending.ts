import type { Prepared, Tx } from '../../../db/database.ts'
import { AppError } from '../../../kit/errors.ts'

/** Of whom the money is counted besides the company's own budget. */
export type AssistantBudget = { id: string; budgetCents: number | null }
/** Micro-reais of the month that runs; `budget` null: no limit. */
export type Spending = { used: number; budget: number | null }

const microsOfCent = 10_000

/**
 * Room for a call that may cost so many micro-reais, in the budgets of the company and of its assistant from this day on
 * (`2026-11-01`); throws ERR_AI_BUDGET where there is none. The company's row is held until the transaction ends, so that
 * two who ask at once cannot both have the last of it. Answers what was used before.
 */
export const reserveSpending = async (
  tx: Tx,
  { micros, from, assistant }: { micros: number; from: string; assistant?: AssistantBudget },
): Promise<Spending> => {
  const [company] = await tx.rows<{ budgetCents: number | null }>(lockBudget, [tx.tenantId])
  const [sum] = await tx.rows<{ used: number; ofAssistant: number }>(spent, [tx.tenantId, from, assistant?.id ?? null])
  const { used = 0, ofAssistant = 0 } = sum ?? {}
  const budget = company?.budgetCents == null ? null : company.budgetCents * microsOfCent
  if (budget !== null && used + micros > budget) throw new AppError('ERR_AI_BUDGET', { details: { whose: 'company' } })
  const own = assistant?.budgetCents
  if (own !== null && own !== undefined && ofAssistant + micros > own * microsOfCent)
    throw new AppError('ERR_AI_BUDGET', {
      message: 'O orçamento deste assistente para o mês acabou. Aumente no assistente.',
      details: { whose: 'assistant' },
    })
  return { used, budget }
}

const lockBudget: Prepared = {
  name: 'limit_ai_budget',
  text: `select (settings ->> 'aiBudgetCents')::bigint as "budgetCents" from tenants where id = $1 for no key update`,
}
const spent: Prepared = {
  name: 'limit_ai_spent',
  text: `select coalesce(sum(cost_micros), 0)::bigint as used,
      coalesce(sum(cost_micros) filter (where assistant_id = $3::uuid), 0)::bigint as "ofAssistant"
    from ai_days where tenant_id = $1 and day >= $2::date`,
}
