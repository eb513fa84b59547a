/** "Maria da Silva" → "MS"; an emoji stands for itself, a phone for its last two digits. */
export const initialsOf = (name: string): string => {
  if (/^[+\d\s().-]*\d$/.test(name)) return name.replace(/\D/g, '').slice(-2)
  const words = name
    .trim()
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
  const [first, last] = [words.at(0), words.length > 1 ? words.at(-1) : undefined]
  if (!first) return [...name.trim()][0] ?? '?'
  return `${initial(first)}${last ? initial(last) : ''}`.toUpperCase()
}

/** A colour that belongs to the name: always the same, always dark enough for white initials. */
export const tintOf = (name: string): string => {
  const hash = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 3600, 7)
  return tints[hash % tints.length] ?? '#566570'
}

const tints = [
  '#0b6e69',
  '#2a5f9e',
  '#6b4fc0',
  '#8a3f74',
  '#a0422f',
  '#7a5a12',
  '#3f6b2a',
  '#4a5d6b',
  '#9a3a4c',
  '#336b7a',
]
const initial = (word: string) => [...word].find((letter) => /[\p{L}\p{N}]/u.test(letter)) ?? ''
