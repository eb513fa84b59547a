const dimensions = 256
/** Words that say the same to it. */
const meanings = [
  ['entreg', 'envi', 'remess', 'despac'],
  ['troc', 'substi'],
  ['devol', 'reembo', 'estorn', 'arrepe'],
  ['parcel', 'presta', 'fracio'],
  ['horari', 'expedi', 'funcio'],
  ['jejum', 'comer'],
  ['gato', 'felino'],
  ['montan', 'picos'],
  ['sinfon', 'obra'],
  ['agua', 'aquedu'],
]

const fillers = new Set(
  'voce voces para como qual quais quando onde quanto tenho posso fazem pode pela pelo uma'.split(' '),
)

/** How much of a text is what all have in common, what it says, and its own: models differ, so what is near to one is far to another. */
export const embeddingModels: Record<string, { common: number; says: number; own: number }> = {
  'embedding-balcao': { common: 0, says: 1, own: 0 },
  'embedding-apertado': { common: 0.75, says: 0.25, own: 0 },
  'embedding-frouxo': { common: 0.05, says: 0.4, own: 0.55 },
}

/** What a text means to a model. Always the same numbers. */
export const meaningOf = (text: string, model: string): number[] => {
  const { common, says, own } = embeddingModels[model] ?? { common: 0, says: 1, own: 0 }
  const said = saidIn(text)
  const length = Math.hypot(...said)
  const alone = new Array<number>(own ? 4_096 : 0).fill(0)
  if (own) alone[hashOf(text) % alone.length] = Math.sqrt(own)
  return [Math.sqrt(common), ...said.map((one) => (one / length) * Math.sqrt(says)), ...alone]
}

/** Its words by their stems, those that mean the same as one. */
const saidIn = (text: string): number[] => {
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
