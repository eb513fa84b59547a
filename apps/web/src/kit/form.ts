import { portuguese } from '@balcao/contract/portuguese.ts'
import type { FormErrors } from '@mantine/form'
import type { z } from 'zod'

/** The rule the server checks, as a form's `validate`: the first problem of each field, in Portuguese. */
export const resolverOf =
  (schema: z.ZodType, alsoCheck?: (values: never) => readonly { path: string; message: string }[]) =>
  (values: unknown): FormErrors => {
    const result = schema.safeParse(values, { error: portuguese })
    const issues = result.success
      ? []
      : result.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
    const errors: FormErrors = {}
    for (const { path, message } of [...issues, ...(alsoCheck?.(values as never) ?? [])]) errors[path] ??= message // the form holds what the schema describes
    return errors
  }
