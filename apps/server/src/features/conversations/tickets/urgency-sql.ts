import { waitLimitMs } from '@balcao/contract/conversations/urgency.ts'

/** The web's `urgencyOf` in SQL, over a ticket `t` that is active: what it marks red, and what it marks amber. */
const waitLimit = `interval '${waitLimitMs} milliseconds'`
export const isLate = `t.paused_at is null and least(t.waiting_since + ${waitLimit}, t.sla_due_at) < now()`

/** As the web: a quarter of the time is left. */
const soonShare = 0.25
export const isAtRisk = `t.paused_at is null and not coalesce(least(t.waiting_since + ${waitLimit}, t.sla_due_at) < now(), false)
  and (coalesce(t.waiting_since + ${waitLimit} - now() < ${soonShare} * ${waitLimit}, false)
    or coalesce(t.sla_due_at - now() < ${soonShare} * (t.sla_due_at - coalesce(t.started_at, t.created_at)), false))`
