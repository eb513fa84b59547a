/** Shorter words fit a line, or cost little where they do not. */
const longWord = /\S{40,}/gu
const mostSigns = 300
const staysWithLast = /\p{M}|\u200d|\p{Emoji_Modifier}/u

type Room = { width: number; widthOf: (sign: string) => number }
export type Line = { text: string; hasLongWord: boolean }

/**
 * The lines of a text, a word that is wider than a line cut where the line ends. pdfkit measures the whole rest of such a
 * word again for each of its lines: 100,000 letters without a space would take it minutes and gigabytes.
 */
export const breakLongWords = (text: string, room: Room): Line[] =>
  text.split('\n').flatMap((line) => {
    const broken = line.replace(longWord, (word) => pieces(word, room).join('\n')).split('\n')
    return broken.map((text) => ({ text, hasLongWord: broken.length > 1 }))
  })

const pieces = (word: string, { width, widthOf }: Room): string[] => {
  const done: string[] = []
  let [piece, signs, used, last] = ['', 0, 0, '']
  for (const sign of word) {
    const isJoined = staysWithLast.test(sign) || last === '\u200d'
    const own = isJoined ? 0 : widthOf(sign)
    if ((used + own > width && !isJoined && piece) || signs === mostSigns) {
      done.push(piece)
      ;[piece, signs, used] = ['', 0, 0]
    }
    piece += sign
    signs += 1
    used += own
    last = sign
  }
  return [...done, piece]
}
