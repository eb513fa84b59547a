import type { Prepared } from '../../../db/database.ts'
import type { Ask } from '../../../db/one-trip.ts'
import { AppError } from '../../../kit/errors.ts'

/** Of whom the money is counted besides the company's own budget. */
export type AssistantBudget = { id: string; budgetCents: number | null }
/** Micro-reais of the month that runs; `budget` null: no limit. */
export type Spending = { used: number; budget: number | null }

const microsOfCent = 10_000

/**
 * What is to be read to know whether there is room, as the beginning of the transaction that takes it: the company's row is
 * held until that ends, so that two who ask at once cannot both have the last of it. `from`: the month's first day.
 */
export const spendingAsks = (
  tenantId: number,
  { from, assistant }: { from: string; assistant?: AssistantBudget },
): Ask[] => [
  [lockBudget, [tenantId]],
  [spent, [tenantId, from, assistant?.id ?? null]],
]

/**
 * Room for a call that may cost so many micro-reais, by what `spendingAsks` read; throws ERR_AI_BUDGET where there is none.
 * Answers what was used before.
 */
export const requireSpending = (
  [companies = [], sums = []]: object[][],
  { micros, assistant }: { micros: number; assistant?: AssistantBudget },
): Spending => {
  const { used = 0, ofAssistant = 0 } = (sums[0] ?? {}) as { used?: number; ofAssistant?: number }
  const { budgetCents } = (companies[0] ?? {}) as { budgetCents?: number | null }
  const budget = budgetCents == null ? null : budgetCents * microsOfCent
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
