const dimensions = 256
/** Words that say the same to it. */
const meanings = [
  ['entreg', 'envi', 'remess', 'despac'],
  ['troc', 'substi'],
  ['devol', 'reembo', 'estorn', 'arrepe'],
  ['parcel', 'presta', 'fracio'],
  ['horari', 'expedi', 'funcio'],
  ['jejum', 'comer'],
]

const fillers = new Set(
  'voce voces para como qual quais quando onde quanto tenho posso fazem pode pela pelo uma'.split(' '),
)

/** What a text means to this model: its words by their stems, those that mean the same as one. Always the same numbers. */
export const meaningOf = (text: string): number[] => {
  const vector = new Array<number>(dimensions).fill(0)
  // Every text of a language has something in common with any other.
  vector[0] = 0.5
  const words =
    text
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]{4,}/gu) ?? []
  for (const stem of new Set(words.filter((word) => !fillers.has(word)).map(stemOf))) {
    const at = 1 + (hashOf(stem) % (dimensions - 1))
    vector[at] = (vector[at] ?? 0) + (meanings.some(([first]) => first === stem) ? 2 : 1)
  }
  return vector
}

const stemOf = (word: string) => {
  const same = meanings.find((stems) => stems.some((stem) => word.startsWith(stem)))
  return same?.[0] ?? word.slice(0, 6)
}

const hashOf = (text: string) => {
  let hash = 2_166_136_261
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619) >>> 0
  return hash
}
