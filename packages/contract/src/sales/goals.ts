import { z } from 'zod'
import { id, namedRef } from '../common.ts'

export const goalMeasures = ['value', 'wins'] as const
export type GoalMeasure = (typeof goalMeasures)[number]
/** `2026-11`. */
export const goalMonth = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Escolha o mês.')
  .meta({ examples: ['2026-11'] })

/** What is to be won in a month, and what was. */
export const goal = z.object({
  /** Null: of the team. */
  user: namedRef.nullable(),
  measure: z.enum(goalMeasures),
  /** In cents, or a number of wins. */
  target: z.int(),
  reached: z.int(),
})
export type Goal = z.output<typeof goal>
export const goalsQuery = z.object({ pipelineId: id, month: goalMonth })
export type GoalsQuery = z.output<typeof goalsQuery>
/** GET /funnel-goals: of the team, and of each person that has one. */
export const goals = z.object({ items: z.array(goal) })

/** PUT /funnel-goals: all of a month at once; who is left out has none. */
export const goalsWrite = goalsQuery.extend({
  goals: z
    .array(
      z.object({
        userId: id.nullable(),
        measure: z.enum(goalMeasures),
        target: z
          .int('Informe a meta.')
          .min(1, 'A meta é maior que zero.')
          .max(1_000_000_000_000, 'A meta é grande demais.'),
      }),
    )
    .max(500),
})
export type GoalsWrite = z.output<typeof goalsWrite>
