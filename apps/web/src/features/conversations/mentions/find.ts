import { type MentionCandidate, mentionsIn } from '@balcao/contract/conversations/mentions.ts'

/** By the beginning of the name or of a word of it; accents do not matter. Who sees the conversation comes first. */
export const findCandidates = (all: readonly MentionCandidate[], word: string, most = 30): MentionCandidate[] => {
  const wanted = plain(word.trimStart())
  return all.filter(({ name }) => plain(name).startsWith(wanted) || plain(name).includes(` ${wanted}`)).slice(0, most)
}

/** Whom a note calls, and who of them does not see the conversation. Of two of one name, who sees it is meant. */
export const calledBy = (text: string, all: readonly MentionCandidate[]) => {
  const places = mentionsIn(text, all).map(({ of, ...place }) => {
    const seeing = of.filter((one) => one.canSee)
    return { ...place, of: seeing.length ? seeing : of }
  })
  return {
    ids: [...new Set(places.flatMap(({ of }) => of.map((one) => one.id)))],
    hidden: places.filter(({ of }) => of.some((one) => !one.canSee)),
  }
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
