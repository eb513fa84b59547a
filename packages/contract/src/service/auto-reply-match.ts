import type { MessageType } from '../conversations/messages.ts'
import { isWithinSlips, plainWords, slipsAllowed } from '../core/plain-words.ts'
import { type AutoReply, choicesLastMs, type Keyword, type KeywordMode } from './auto-replies.ts'

/** What of a rule decides whether it answers. */
export type Rule = Pick<
  AutoReply,
  | 'id'
  | 'name'
  | 'isActive'
  | 'starts'
  | 'keywords'
  | 'isFirstOnly'
  | 'afterId'
  | 'nextId'
  | 'connectionIds'
  | 'hours'
  | 'actions'
  | 'cooldownSeconds'
  | 'celularTeste'
> & { parts: Pick<AutoReply['parts'][number], 'interactive'>[] }

/** A word of the customer, with its conversation as far as rules ask for it. */
export type Situation = {
  text: string
  type: MessageType
  connectionId: string
  /** Within the hours of the conversation's queue. */
  isOpen: boolean
  /** Nobody and nothing has answered in the conversation yet. */
  isFirst: boolean
  /** The rule that answered last in it, and when. */
  last: { ruleId: string; at: Date } | null
  /** The customer's phones. */
  phones: readonly string[]
  now: Date
}
/** The rule that answers, by which of its words; `isResting`: it has just answered, and says nothing now. */
export type Match<R extends Rule = Rule> = { rule: R; keyword: Keyword | null; isResting: boolean }

/** Why a rule does not answer. */
export type Obstacle =
  | 'inactive'
  | 'empty'
  | 'chosen'
  | 'testPhone'
  | 'channel'
  | 'hours'
  | 'notFirst'
  | 'notAfter'
  | 'kind'
  | 'words'
export const obstacleTexts: Record<Obstacle, string> = {
  inactive: 'Está inativa.',
  empty: 'Não tem o que responder nem fazer.',
  chosen: 'Só responde quando outra resposta continua nela.',
  testPhone: 'Está em teste: responde só ao celular de teste.',
  channel: 'Não vale neste canal.',
  hours: 'Não vale neste horário.',
  notFirst: 'Vale só no começo do atendimento.',
  notAfter: 'Vale só logo depois de outra resposta.',
  kind: 'Procura palavras, e isto não é um texto.',
  words: 'Nenhuma das palavras combina.',
}

/** More than that of a message is not looked at: nobody asks for something with the thousandth word. */
const longestLooked = 600

type Sought = { keyword: Keyword; text: string; words: string[]; letters: number[] }
type Prepared<R> = { rule: R; sought: Sought[] }
/** A word that is sought, of the rule at that place. */
type Hit = { at: number; sought: Sought }
/** Rules made ready to be asked about many messages: a message finds the words it may have, not the words find it. */
export type AutoReplyBook<R extends Rule = Rule> = {
  prepared: readonly Prepared<R>[]
  byId: ReadonlyMap<string, R>
  exact: ReadonlyMap<string, readonly Hit[]>
  /** By their first word. */
  contains: ReadonlyMap<string, readonly Hit[]>
  similar: readonly { word: string; letters: number; hits: readonly Hit[] }[]
  /** The places of those for any message. */
  forAny: readonly number[]
}

export const autoReplyBook = <R extends Rule>(rules: readonly R[]): AutoReplyBook<R> => {
  const prepared = rules.map((rule) => ({ rule, sought: rule.keywords.flatMap(soughtOf) }))
  const hits = prepared.flatMap(({ rule, sought }, at) =>
    rule.starts === 'words' ? sought.map((one) => ({ at, sought: one })) : [],
  )
  const ofMode = (mode: KeywordMode) => hits.filter(({ sought }) => sought.keyword.mode === mode)
  const firstOf = ({ sought }: Hit) => sought.words[0] ?? ''
  return {
    prepared,
    byId: new Map(rules.map((rule) => [rule.id, rule])),
    exact: Map.groupBy(ofMode('exact'), ({ sought }) => sought.text),
    contains: Map.groupBy(ofMode('contains'), firstOf),
    similar: [...Map.groupBy(ofMode('similar'), firstOf)].map(([word, of]) => ({
      ...{ word, letters: lettersOf(word), hits: of },
    })),
    forAny: prepared.flatMap(({ rule }, at) => (rule.starts === 'any' ? at : [])),
  }
}
const soughtOf = (keyword: Keyword): Sought[] => {
  const text = plainWords(keyword.text)
  const words = text.split(' ')
  return text ? [{ keyword, text, words, letters: words.map(lettersOf) }] : []
}

/**
 * The rule that answers: the first of the list that fits, and one with words before one for any message, so that "I did
 * not understand" never hides what was asked for. The choices of the answer given last come before all others.
 */
export const matchAutoReply = <R extends Rule>(book: AutoReplyBook<R>, situation: Situation): Match<R> | undefined => {
  if (!book.prepared.length) return undefined
  const current = currentRule(situation)
  const fitting = (places: readonly number[]) =>
    places.flatMap((at) => {
      const one = book.prepared[at]
      return one && !obstacleBeforeWords(one.rule, situation, current) ? one : []
    })
  const said = sayingOf(book, situation)
  for (const group of [fitting(placesFound(book, said)), fitting(book.forAny)]) {
    const first = group.find(({ rule }) => rule.afterId !== null) ?? group[0]
    if (!first) continue
    const { rule, sought } = first
    const keyword = rule.starts === 'any' ? null : (foundIn(sought, said) ?? null)
    return { rule, keyword, isResting: isResting(rule, situation) }
  }
  return undefined
}

/** The places of the rules one of whose words was said, in their order. */
const placesFound = ({ exact, contains, similar }: AutoReplyBook, said: readonly Saying[]): number[] => {
  const places = new Set<number>()
  for (const saying of said) {
    const take = (hits: readonly Hit[] | undefined) => {
      for (const { at, sought } of hits ?? [])
        if (!places.has(at) && ways[sought.keyword.mode](sought, saying)) places.add(at)
    }
    take(exact.get(saying.text))
    for (const word of saying.known) take(contains.get(word))
    for (const { word, letters, hits } of similar) if (hasSimilar(word, letters, saying)) take(hits)
  }
  return [...places].sort((one, other) => one - other)
}
const hasSimilar = (word: string, letters: number, { words, letters: theirs }: Saying): boolean => {
  for (let at = 0; at < words.length; at += 1)
    if (isSimilar(word, letters, words[at] ?? '', theirs[at] ?? 0)) return true
  return false
}

/** The same, said rule by rule: what the box for trying shows. */
export const verdictsOf = <R extends Rule>(
  book: AutoReplyBook<R>,
  situation: Situation,
): { rule: R; obstacle: Obstacle | null; keyword: Keyword | null }[] => {
  const said = sayingOf(book, situation)
  const current = currentRule(situation)
  return book.prepared.map(({ rule, sought }) => {
    const obstacle = obstacleBeforeWords(rule, situation, current)
    if (obstacle || rule.starts === 'any') return { rule, obstacle: obstacle ?? null, keyword: null }
    if (!said.length) return { rule, obstacle: 'kind', keyword: null }
    const keyword = foundIn(sought, said)
    return { rule, obstacle: keyword ? null : 'words', keyword: keyword ?? null }
  })
}

const isResting = ({ id, cooldownSeconds }: Rule, { last, now }: Situation) =>
  last?.ruleId === id && now.getTime() - last.at.getTime() < cooldownSeconds * 1_000

/** Whose choices count: of the answer given last, for a while. */
const currentRule = ({ last, now }: Situation) =>
  last && now.getTime() - last.at.getTime() < choicesLastMs ? last.ruleId : null

const obstacleBeforeWords = (
  { isActive, starts, parts, actions, nextId, celularTeste, connectionIds, hours, isFirstOnly, afterId }: Rule,
  { phones, connectionId, isOpen, isFirst }: Situation,
  current: string | null,
): Obstacle | undefined => {
  if (!isActive) return 'inactive'
  if (starts === 'chosen') return 'chosen'
  if (!parts.length && !actions.length && !nextId) return 'empty'
  if (celularTeste && !phones.includes(celularTeste)) return 'testPhone'
  if (connectionIds.length && !connectionIds.includes(connectionId)) return 'channel'
  if (hours !== 'always' && (hours === 'open') !== isOpen) return 'hours'
  if (afterId !== null) return afterId === current ? undefined : 'notAfter'
  return isFirstOnly && !isFirst ? 'notFirst' : undefined
}

/** What was said, each way it may be read: the number of an option of the last answer is that option. */
type Saying = { text: string; padded: string; words: string[]; known: ReadonlySet<string>; letters: number[] }
const sayingOf = (book: AutoReplyBook, situation: Situation): Saying[] => {
  const { text, type } = situation
  if (type !== 'text') return []
  const current = currentRule(situation)
  const options = current ? optionsOf(book, current) : []
  const chosen = /^\s*\d{1,2}\s*$/.test(text) ? options[Number(text) - 1] : undefined
  return [text, ...(chosen ? [chosen] : [])].flatMap((one) => {
    const plain = plainWords(one.slice(0, longestLooked))
    if (!plain) return []
    const words = plain.split(' ')
    return { text: plain, padded: ` ${plain} `, words, known: new Set(words), letters: words.map(lettersOf) }
  })
}
const optionsOf = ({ byId }: AutoReplyBook, ruleId: string): string[] =>
  byId.get(ruleId)?.parts.flatMap(({ interactive }) => interactive?.options.map(({ title }) => title) ?? []) ?? []

/** The first of these words that what was said has. */
const foundIn = (sought: readonly Sought[], said: readonly Saying[]): Keyword | undefined =>
  sought.find((one) => said.some((saying) => ways[one.keyword.mode](one, saying)))?.keyword

const ways: Record<KeywordMode, (sought: Sought, said: Saying) => boolean> = {
  exact: ({ text }, said) => said.text === text,
  contains: ({ text, words: [first = ''] }, { known, padded }) => known.has(first) && padded.includes(` ${text} `),
  similar: ({ words, letters }, said) => {
    for (let from = 0; from + words.length <= said.words.length; from += 1) {
      if (
        words.every((word, at) =>
          isSimilar(word, letters[at] ?? 0, said.words[from + at] ?? '', said.letters[from + at] ?? 0),
        )
      )
        return true
    }
    return false
  },
}

/** Most pairs are told apart by their lengths and by which letters they have, long before they are compared. */
const isSimilar = (word: string, letters: number, said: string, saidLetters: number): boolean => {
  const most = slipsAllowed(word)
  if (Math.abs(word.length - said.length) > most || bitsOf(letters ^ saidLetters) > 2 * most) return false
  return isWithinSlips(word, said, most)
}
/** Which letters a word has, one bit each. */
const lettersOf = (word: string): number => {
  let letters = 0
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters
}
const bitsOf = (value: number): number => {
  let left = value - ((value >>> 1) & 0x55555555)
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333)
  return (((left + (left >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}
