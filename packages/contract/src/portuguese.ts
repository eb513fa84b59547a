import type { z } from 'zod'

/** Sentences for rules of a schema that carry none of their own: under a field of a form, and in a refusal of the API. */
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
    case 'unrecognized_keys':
      return `Campo desconhecido: ${issue.keys.join(', ')}.`
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
