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

/** Sentences for rules that carry none of their own. */
export const portuguese = (issue: z.core.$ZodRawIssue): string => {
  const count = (value: unknown) => Number(value).toLocaleString('pt-BR')
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.input === null || issue.input === ''
        ? 'Preencha este campo.'
        : 'Valor inválido.'
    case 'too_small':
      if (issue.origin === 'string')
        return Number(issue.minimum) <= 1
          ? 'Preencha este campo.'
          : `Use pelo menos ${count(issue.minimum)} caracteres.`
      if (issue.origin === 'array')
        return Number(issue.minimum) <= 1 ? 'Escolha pelo menos um.' : `Escolha pelo menos ${count(issue.minimum)}.`
      return `O menor valor é ${count(issue.minimum)}.`
    case 'too_big':
      if (issue.origin === 'string') return `Use no máximo ${count(issue.maximum)} caracteres.`
      if (issue.origin === 'array') return `Escolha no máximo ${count(issue.maximum)}.`
      return `O maior valor é ${count(issue.maximum)}.`
    case 'invalid_format':
      return formats[issue.format] ?? 'Formato inválido.'
    case 'invalid_value':
      return 'Escolha uma das opções.'
    default:
      return 'Valor inválido.'
  }
}

const formats: Record<string, string> = {
  email: 'E-mail inválido.',
  url: 'Endereço inválido. Use o formato https://exemplo.com.br.',
  uuid: 'Escolha uma das opções.',
  date: 'Data inválida.',
  time: 'Horário inválido.',
}
