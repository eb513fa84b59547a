import { readNumber } from '../../core/number.ts'

/** With a comma, and no more than ten places. */
export const showNumber = (value: number): string => String(Math.round(value * 1e10) / 1e10).replace('.', ',')

type Token = { is: 'number'; value: number } | { is: 'name' | 'sign'; text: string }
const lexical = /\s*(?:(\d+(?:[.,]\d+)?)|([a-z_][a-z0-9_]*)|([-+*/();]))/iy
const functions: Record<string, (...given: number[]) => number> = {
  min: Math.min,
  max: Math.max,
  arredondar: (value = 0, places = 0) => Math.round(value * 10 ** places) / 10 ** places,
  inteiro: (value = 0) => Math.floor(value),
}
/** More than that nobody calculates; it bounds the time a formula takes. */
const mostTokens = 200

/**
 * What a formula comes to: numbers, the names of variables, + - * / and brackets, and `min`, `max`, `arredondar`, `inteiro`
 * with `;` between what they take. Throws an Error in Portuguese where it says nothing; a variable that is not a number counts
 * as none.
 */
export const compute = (formula: string, variable: (name: string) => string | undefined): number => {
  const tokens = tokensOf(formula.replace(/\{\{\s*(?:var\.)?([^{}\s]*)\s*\}\}/g, '$1'))
  let at = 0
  const sign = (...some: string[]) => {
    const token = tokens[at]
    if (token?.is !== 'sign' || !some.includes(token.text)) return undefined
    at += 1
    return token.text
  }
  const expect = (text: string) => {
    if (!sign(text)) throw new Error(`Falta “${text}” na conta.`)
  }
  const sum = (): number => {
    let value = product()
    for (let op = sign('+', '-'); op; op = sign('+', '-')) value = op === '+' ? value + product() : value - product()
    return value
  }
  const product = (): number => {
    let value = single()
    for (let op = sign('*', '/'); op; op = sign('*', '/')) {
      const other = single()
      if (op === '/' && other === 0) throw new Error('A conta divide por zero.')
      value = op === '*' ? value * other : value / other
    }
    return value
  }
  const single = (): number => {
    if (sign('-')) return -single()
    if (sign('(')) {
      const value = sum()
      expect(')')
      return value
    }
    const token = tokens[at]
    at += 1
    if (token?.is === 'number') return token.value
    if (token?.is !== 'name') throw new Error('A conta está incompleta.')
    const called = Object.hasOwn(functions, token.text.toLowerCase()) ? functions[token.text.toLowerCase()] : undefined
    if (called && sign('(')) {
      const given = [sum()]
      while (sign(';')) given.push(sum())
      expect(')')
      return called(...given)
    }
    const value = readNumber(variable(token.text) ?? '')
    if (value === undefined) throw new Error(`A variável ${token.text} não é um número.`)
    return value
  }
  const value = sum()
  if (at < tokens.length) throw new Error('A conta tem algo a mais.')
  if (!Number.isFinite(value)) throw new Error('A conta não dá um número.')
  return value
}

/** The variables a formula reads; undefined where it is no formula. */
export const namesIn = (formula: string): string[] | undefined => {
  const names = new Set<string>()
  try {
    compute(formula, (name) => {
      names.add(name)
      return '1'
    })
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('zero')) return undefined
  }
  return [...names]
}

const tokensOf = (formula: string): Token[] => {
  const tokens: Token[] = []
  lexical.lastIndex = 0
  while (lexical.lastIndex < formula.trimEnd().length) {
    const found = lexical.exec(formula)
    if (!found) throw new Error('A conta tem um sinal que não existe.')
    const [, number, name, text = ''] = found
    if (number) tokens.push({ is: 'number', value: Number(number.replace(',', '.')) })
    else tokens.push(name ? { is: 'name', text: name } : { is: 'sign', text })
    if (tokens.length > mostTokens) throw new Error('A conta é longa demais.')
  }
  return tokens
}
