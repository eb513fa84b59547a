import { expect, test } from 'vitest'
import { marked } from './marks.ts'

/** `[` and `]` stand for the selection. */
const apply = (given: string, mark: Parameters<typeof marked>[2]) => {
  const start = given.indexOf('[')
  const end = given.indexOf(']') - 1
  const text = given.replace(/[[\]]/g, '')
  const { piece, selected, ...at } = marked(text, { start, end }, mark)
  const next = text.slice(0, at.start) + piece + text.slice(at.end)
  return `${next.slice(0, selected.start)}[${next.slice(selected.start, selected.end)}]${next.slice(selected.end)}`
}

test.each([
  ['Olá, [Ana]!', 'bold', 'Olá, *[Ana]*!'],
  ['Olá, *[Ana]*!', 'bold', 'Olá, [Ana]!'],
  ['Olá,[ Ana ]!', 'italic', 'Olá, _[Ana]_ !'],
  ['Olá []', 'bold', 'Olá *[]*'],
  ['Leve:\n[nota\nRG]', 'bullets', 'Leve:\n- nota\n- RG[]'],
  ['[- nota\n- RG]', 'bullets', 'nota\nRG[]'],
  ['[- nota\n- RG]', 'numbers', '1. nota\n2. RG[]'],
  ['a\n[]', 'quote', 'a\n> []'],
] as const)('%j, %s: %j', (given, mark, expected) => expect(apply(given, mark)).toBe(expected))
