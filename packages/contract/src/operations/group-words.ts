import { plainWords } from '../core/plain-words.ts'

/**
 * A text as its words are compared: accents, case, signs, letters in other guises (𝗴𝗼𝗹𝗽𝗲, ｇｏｌｐｅ) and signs nobody
 * sees (zero-width blanks, soft hyphens) aside.
 */
export const wordKey = (text: string): string =>
  plainWords(text.normalize('NFKD').replace(/\p{Cf}|[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]/gu, ''))

/** The words of a rule, as they were typed: by comma, semicolon or line. */
export const wordsOf = (typed: string): string[] => [
  ...new Set(
    typed
      .toLowerCase()
      .split(/[,;\n]/)
      .flatMap((one) => one.trim().replace(/\s+/g, ' ') || []),
  ),
]

/** The first of these words (as `wordKey` has them) that the text says, whole; also letter by letter: g o l p e, g.o.l.p.e. */
export const wordIn = <W extends { key: string }>(text: string, words: readonly W[]): W | undefined => {
  const said = ` ${wordKey(text.slice(0, longestLooked))} `
  return words.find(({ key }) => key && (said.includes(` ${key} `) || said.includes(` ${spelled(key)} `)))
}
const spelled = (key: string) => [...key.replaceAll(' ', '')].join(' ')
/** A message of WhatsApp is at most that long. */
const longestLooked = 65_536
