/** A text as its words alone: accents, case and marks aside, one blank between them. */
export const plainWords = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}#*]+/gu, ' ')
    .trim()

/** How many letters may be other ones: none in short words and in whatever has a digit. */
export const slipsAllowed = (word: string): number =>
  word.length < 4 || /\p{N}/u.test(word) ? 0 : word.length < 8 ? 1 : 2

/**
 * Whether two words are at most so many slips apart: a letter too many, too few, another, or two neighbours swapped. Only
 * the cells near the diagonal are looked at, so it costs the length of the word and never its square.
 */
export const isWithinSlips = (one: string, other: string, most: number): boolean => {
  if (one === other) return true
  if (most === 0 || Math.abs(one.length - other.length) > most) return false
  const far = most + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => Math.min(at, far))
  for (let row = 1; row <= one.length; row += 1) {
    const here: number[] = [Math.min(row, far)]
    const from = Math.max(1, row - most)
    for (let at = from; at <= Math.min(other.length, row + most); at += 1) {
      const isSame = one[row - 1] === other[at - 1]
      const isSwapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]
      here[at] = Math.min(
        far,
        (last[at] ?? far) + 1,
        (here[at - 1] ?? far) + 1,
        (last[at - 1] ?? far) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[at - 2] ?? far) + 1 : far,
      )
    }
    beforeLast = last
    last = here
  }
  return (last[other.length] ?? far) <= most
}
