import type { FieldProblem } from '@balcao/contract/errors.ts'
import { portuguese } from '@balcao/contract/portuguese.ts'
import type { FormErrors } from '@mantine/form'
import type { z } from 'zod'
import { byField } from './api-error.ts'

/** What the rule the server checks has against these values, in Portuguese. */
export const problemsIn = (schema: z.ZodType, values: unknown): FieldProblem[] => {
  const { error } = schema.safeParse(values, { error: portuguese })
  return error?.issues.map(({ path, message }) => ({ path: path.join('.'), message })) ?? []
}

/** The same as a form's `validate`: the first problem of each field. */
export const resolverOf =
  (schema: z.ZodType, alsoCheck?: (values: never) => readonly FieldProblem[]) =>
  (values: unknown): FormErrors =>
    byField([...problemsIn(schema, values), ...(alsoCheck?.(values as never) ?? [])]) // the form holds what the schema describes
