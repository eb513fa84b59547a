import type { Passage } from '@balcao/contract/automation/assistants/assistants.ts'
import { plainWords } from '@balcao/contract/core/plain-words.ts'

/** Below so many words in common, an answer says nothing of where it comes from. */
const fewest = 2
/** Of the words the closest passage shares with the answer: the others share at least as much of that. */
const share = 0.6

/**
 * The passages an answer was made of: those whose words and numbers it says, the closest first. All of them, where its words
 * are nobody's.
 */
export const citedIn = (answer: string, passages: readonly Passage[]): Passage[] => {
  const said = wordsIn(answer)
  const counted = passages
    .map((passage) => {
      const words = wordsIn(`${passage.heading} ${passage.body}`)
      return { passage, common: [...said].filter((word) => words.has(word)).length }
    })
    .sort((a, b) => b.common - a.common)
  const most = counted[0]?.common ?? 0
  if (most < fewest) return [...passages]
  return counted.filter(({ common }) => common >= Math.max(fewest, most * share)).map(({ passage }) => passage)
}

const wordsIn = (text: string) => new Set(plainWords(text).match(/[a-z]{4,}|\d+/g) ?? [])
