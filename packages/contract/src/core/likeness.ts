/** A text as it is compared: letters and digits alone, accents and case aside. */
export const bareText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** One letter more, less or another. Digits tell things apart: "Fila 1" is not "Fila 2". */
export const isOneLetterOff = (a: string, b: string): boolean => {
  if (Math.abs(a.length - b.length) > 1 || a.replace(/\D/g, '') !== b.replace(/\D/g, '')) return false
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  const [restA, restB] = [a.slice(at), b.slice(at)]
  return restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)
}

/** Two that seem to be one. */
export type LikePair = { a: string; b: string; why: 'name' | 'same' | 'near' }

/** Names that are the same but for signs, accents and case, or one letter of a longer word. */
export const likeNames = (rows: readonly { id: string; name: string }[]): LikePair[] => {
  const bare = rows.map(({ id, name }) => ({ id, text: bareText(name) })).filter(({ text }) => text)
  const same = pairsBy(bare, ({ text }) => text).map(([a, b]): LikePair => ({ a: a.id, b: b.id, why: 'same' }))
  // One letter off: without some one letter both read the same.
  const long = bare.filter(({ text }) => text.length >= shortestNear)
  const cut = long.flatMap((one) =>
    [one.text, ...Array.from(one.text, (_, at) => one.text.slice(0, at) + one.text.slice(at + 1))].map((text) => ({
      ...one,
      cut: text,
    })),
  )
  const near = pairsBy(cut, (one) => one.cut)
    .filter(([a, b]) => a.text !== b.text && isOneLetterOff(a.text, b.text))
    .map(([a, b]): LikePair => ({ a: a.id, b: b.id, why: 'near' }))
  return onceEach([...same, ...near])
}
const shortestNear = 6

/** Texts that are the same but for signs, accents and case, or of nearly the same words in the same order. */
export const likeTexts = (rows: readonly { id: string; text: string }[]): LikePair[] => {
  const bare = rows.map(({ id, text }) => ({ id, text: bareText(text), pieces: piecesOf(text) }))
  const same = pairsBy(
    bare.filter(({ text }) => text),
    ({ text }) => text,
  ).map(([a, b]): LikePair => ({ a: a.id, b: b.id, why: 'same' }))
  const shared = new Map<string, number>()
  const byPiece = new Map<string, number[]>()
  for (const [at, { pieces }] of bare.entries()) {
    for (const piece of pieces) {
      const others = byPiece.get(piece) ?? []
      // What very many say ("bom dia") tells nothing apart.
      if (others.length < mostSharing) {
        for (const other of others) shared.set(`${other} ${at}`, (shared.get(`${other} ${at}`) ?? 0) + 1)
        byPiece.set(piece, [...others, at])
      }
    }
  }
  const near = [...shared].flatMap(([pair, count]): LikePair[] => {
    const [a, b] = pair.split(' ').map((at) => bare[Number(at)])
    if (!a || !b || a.text === b.text) return []
    const all = a.pieces.size + b.pieces.size - count
    return count / all >= nearEnough ? [{ a: a.id, b: b.id, why: 'near' }] : []
  })
  return onceEach([...same, ...near])
}
const nearEnough = 0.75
const mostSharing = 40

/** Two words after each other, of texts that have some. */
const piecesOf = (text: string): Set<string> => {
  const words = text.split(/\s+/).map(bareText).filter(Boolean)
  return words.length < 5 ? new Set() : new Set(words.slice(1).map((word, at) => `${words[at]} ${word}`))
}

/** Each with the first of those it equals: three of a kind are two pairs. */
const pairsBy = <T>(rows: readonly T[], keyOf: (row: T) => string): [T, T][] =>
  [...Map.groupBy(rows, keyOf).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : others.map((other): [T, T] => [first, other]),
  )

const onceEach = (pairs: readonly LikePair[]): LikePair[] => {
  const seen = new Set<string>()
  return pairs.filter(({ a, b }) => {
    const name = [a, b].sort().join(' ')
    return a !== b && !seen.has(name) && seen.add(name)
  })
}
