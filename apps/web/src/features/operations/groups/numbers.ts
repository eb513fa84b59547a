/** Telephones in a text, however it was made: a line each, several in one, or the cells of a spreadsheet with names beside them. */
export const numbersIn = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .flatMap((line, at) => {
      if (!line.trim() || (at === 0 && !/\d/.test(line))) return []
      const cells = line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^["']|["']$/g, ''))
      const numbers = cells.filter((cell) => isNumber(cell))
      // What is none is told by whoever reads it.
      return numbers.length ? numbers : [line.trim()]
    })

/** A telephone, or the name a group has for somebody. */
const isNumber = (cell: string) => /^\+?[\d\s()./-]{4,25}$/.test(cell) || /^\d+@\w+$/.test(cell)
