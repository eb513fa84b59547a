import { isWithinSlips, plainWords, slipsAllowed } from '../../core/plain-words.ts'

/** Something a customer may choose: what it is called, and other words for it. */
export type Choice = { id: string; title: string; words: readonly string[] }

const numberWords = ['um', 'dois', 'tres', 'quatro', 'cinco', 'seis', 'sete', 'oito', 'nove', 'dez']
const femaleNumbers: Record<string, number> = { uma: 1, duas: 2 }
const ordinals = ['primeir', 'segund', 'terceir', 'quart', 'quint', 'sext', 'setim', 'oitav', 'non', 'decim']
/** What people put around a number: "quero a opção 2, por favor". */
const aroundNumber = new Set(
  'a o as os e eh quero queria prefiro escolho opcao op numero num n item no na de por favor pf pfv entao'.split(' '),
)

/**
 * Which of the choices a customer means: by its words or the first of them, its number (also as a word or an emoji), a part
 * of its words that no other has, or with a slip of the finger. Undefined where none or more than one fits.
 */
export const understand = (text: string, choices: readonly Choice[]): string | undefined => {
  const said = plainWords(text.replaceAll('🔟', '10'))
  if (!said) return undefined
  const named = choices.map((choice) => ({
    choice,
    names: [choice.title, ...choice.words].map(plainWords).filter(Boolean),
  }))
  const only = (fits: (name: string) => boolean) => {
    const found = named.filter(({ names }) => names.some(fits))
    return found.length === 1 ? found[0]?.choice.id : undefined
  }
  const words = said.split(' ')
  return (
    only((name) => name === said) ??
    // "Segunda" is "Segunda via" before it is the second.
    (said.length > 2 ? only((name) => name.startsWith(`${said} `)) : undefined) ??
    choices[(numberIn(words, choices.length) ?? 0) - 1]?.id ??
    only((name) => ` ${said} `.includes(` ${name} `)) ??
    (said.length > 2 ? only((name) => ` ${name} `.includes(` ${said} `)) : undefined) ??
    only((name) => isNearly(words, name.split(' '))) ??
    (said.length > 3
      ? only((name) => name.split(' ').some((word) => isNearly(words, [word]) && word.length > 3))
      : undefined)
  )
}

/** Whether somebody said just this, whatever its accents and marks. */
export const isOneOf = (text: string, some: readonly string[]): boolean => {
  const said = plainWords(text)
  return said !== '' && some.some((one) => plainWords(one) === said)
}

/** What people put around a word that means the same everywhere: "por favor, quero falar com um atendente". */
const aroundCommand = new Set(
  `a o ao as os um uma de do da com no na para pra pro por favor pf pfv me eu quero queria gostaria preciso posso pode falar
  conversar chama chamar chame passa passar passe ir entao e oi ola agora ja`.split(/\s+/),
)
/** Whether somebody said this and nothing else, whatever its accents and marks, with a slip where it is long. */
export const asksFor = (text: string, some: readonly string[]): boolean => {
  const said = plainWords(text)
  if (!said) return false
  const names = some.map(plainWords).filter(Boolean)
  if (names.includes(said)) return true
  const left = withoutAround(said)
  const singles = names.filter((name) => !name.includes(' '))
  const isMeant = (word: string) => singles.some((name) => name === word || isSlipOf(name, word))
  return (
    left.length > 0 && (names.some((name) => withoutAround(name).join(' ') === left.join(' ')) || left.every(isMeant))
  )
}
const withoutAround = (text: string) => text.split(' ').filter((word) => !aroundCommand.has(word))
/** A short word is soon another one: "meu" is no "menu". */
const isSlipOf = (name: string, word: string) => name.length >= 6 && isWithinSlips(word, name, slipsAllowed(name))

/** The place that a message means when it is a number and nothing else; the last is `count`. */
const numberIn = (words: readonly string[], count: number): number | undefined => {
  const left = words.filter((word) => !aroundNumber.has(word))
  const [word, ...others] = left
  if (!word || others.length) return undefined
  if (/^\d{1,2}$/.test(word)) return Number(word)
  if (/^ultim[oa]$/.test(word)) return count
  const ordinal = ordinals.findIndex((stem) => word === `${stem}o` || word === `${stem}a`)
  if (ordinal >= 0) return ordinal + 1
  const place = numberWords.indexOf(word)
  return place >= 0 ? place + 1 : femaleNumbers[word]
}

/** All of these words stand in what was said, each with a slip at most as its length allows. */
const isNearly = (said: readonly string[], name: readonly string[]) =>
  name.every((word) => said.some((one) => isWithinSlips(one, word, slipsAllowed(word))))
