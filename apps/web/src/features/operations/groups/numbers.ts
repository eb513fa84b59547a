import { cutText } from '@balcao/contract/core/cut-text.ts'
import type { FieldProblem } from '@balcao/contract/errors.ts'

/** Telephones in a text, however it was made: a line each, several in one, or the cells of a spreadsheet with names beside them. */
export const numbersIn = (text: string): string[] => typedIn(text).map(({ typed }) => typed)

/** Which of them were refused, with their lines, all at once; undefined where none was. */
export const wrongNumbers = (problems: readonly FieldProblem[], text: string): string | undefined => {
  const all = typedIn(text)
  const wrong = problems.flatMap(({ path }) => all[Number(/(?:^|\.)numbers\.(\d+)$/.exec(path)?.[1])] ?? [])
  if (!wrong.length) return undefined
  const told = wrong.slice(0, mostTold).map(({ typed, line }) => `“${cutText(typed, 30)}” (linha ${line})`)
  const more = wrong.length - told.length
  return `Confira com DDD: ${told.join(', ')}${more ? ` e mais ${more}` : ''}.`
}
const mostTold = 8

const typedIn = (text: string): { typed: string; line: number }[] => {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  const head = lines.findIndex((line) => line.trim())
  return lines.flatMap((said, at) => {
    const cells = said.split(/[,;\t]/).map((cell) => cell.trim().replace(/^["']|["']$/g, ''))
    if (!cells.some(Boolean) || (at === head && !/\d/.test(said))) return []
    const numbers = cells.filter((cell) => isNumber(cell))
    // What is none is told by whoever reads it.
    return (numbers.length ? numbers : [said.trim()]).map((typed) => ({ typed, line: at + 1 }))
  })
}

/** A telephone, or the name a group has for somebody. */
const isNumber = (cell: string) => /^\+?[\d\s()./-]{4,25}$/.test(cell) || /^\d+@\w+$/.test(cell)
