export type Snippet = { before: string; hit: string; after: string }

const beforeHit = 40
const afterHit = 110

/** The words around what was searched for, in one line; without a hit, the beginning. Accents and case count for nothing. */
export const snippetOf = (text: string, words = ''): Snippet => {
  const line = text.replace(/\s+/g, ' ').trim()
  const signs = Array.from(line)
  const { folded, signAt } = fold(signs)
  const wanted = fold(Array.from(words.replace(/\s+/g, ' ').trim())).folded
  const found = wanted ? folded.indexOf(wanted) : -1
  if (found < 0) return { before: '', hit: '', after: cut(signs, 0, beforeHit + afterHit) }
  const start = signAt[found] ?? 0
  const end = (signAt[found + wanted.length - 1] ?? start) + 1
  const from = Math.max(0, start - beforeHit)
  return {
    before: (from > 0 ? '…' : '') + signs.slice(from, start).join(''),
    hit: signs.slice(start, end).join(''),
    after: cut(signs, end, end + afterHit),
  }
}

const cut = (signs: string[], from: number, to: number) =>
  signs.slice(from, to).join('') + (signs.length > to ? '…' : '')

/** Without accents, in lower case, and which sign each character of it came from. */
const fold = (signs: string[]) => {
  let folded = ''
  const signAt: number[] = []
  for (const [at, sign] of signs.entries()) {
    const plain = sign
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase()
    for (let n = 0; n < plain.length; n += 1) signAt.push(at)
    folded += plain
  }
  return { folded, signAt }
}
