import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { KeywordMode } from './auto-replies.ts'
import { autoReplyBook, matchAutoReply, type Rule, type Situation, verdictsOf } from './auto-reply-match.ts'

const part = { interactive: null }
const rule = (
  id: string,
  given: Partial<Omit<Rule, 'keywords'>> & { words?: string; mode?: KeywordMode } = {},
): Rule => {
  const { words = '', mode = 'contains', ...rest } = given
  const keywords = words ? words.split(',').map((text) => ({ text, mode })) : []
  return {
    ...{ id, name: id, isActive: true, starts: keywords.length ? 'words' : 'any', keywords, isFirstOnly: false },
    ...{ afterId: null, nextId: null, connectionIds: [], hours: 'always', parts: [part], actions: [] },
    ...{ cooldownSeconds: 60, celularTeste: null, ...rest },
  }
}
const now = new Date('2026-11-23T12:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const situation = (text: string, given: Partial<Situation> = {}): Situation => ({
  ...{ text, type: 'text', connectionId: 'loja', isOpen: true, isFirst: false, last: null, phones: [], now },
  ...given,
})
const answers = (rules: Rule[], text: string, given: Partial<Situation> = {}) => {
  const match = matchAutoReply(autoReplyBook(rules), situation(text, given))
  return match && !match.isResting ? match.rule.id : null
}

test('exactly, among other words, or nearly; accents and case aside', () => {
  const exact = [rule('r', { words: 'Olá', mode: 'exact' })]
  expect(['ola!', 'OLÁ', 'olá tudo bem'].map((text) => answers(exact, text))).toEqual(['r', 'r', null])
  const among = [rule('r', { words: 'preço,segunda via' })]
  expect(answers(among, 'qual é o PRECO?')).toBe('r')
  expect(answers(among, 'quero a segunda  via, por favor')).toBe('r')
  expect(answers(among, 'apreços')).toBeNull()
  expect(answers(among, 'via segunda')).toBeNull()
  const nearly = [rule('r', { words: 'boleto,segunda via', mode: 'similar' })]
  expect(answers(nearly, 'me manda o bolteo')).toBe('r')
  expect(answers(nearly, 'a seguda via')).toBe('r')
  expect(answers(nearly, 'moleton')).toBeNull()
})

test('the first that fits answers, and one with words before one for any message', () => {
  const rules = [rule('any'), rule('one', { words: 'pix' }), rule('two', { words: 'pix,boleto' })]
  expect(answers(rules, 'pix')).toBe('one')
  expect(answers(rules, 'boleto')).toBe('two')
  expect(answers(rules, 'oi')).toBe('any')
  expect(answers(rules, '', { type: 'image' })).toBe('any')
  expect(answers([rule('one', { words: 'pix' })], 'pix', { type: 'image' })).toBeNull()
})

test('where, when and to whom it holds', () => {
  expect(answers([rule('r', { connectionIds: ['loja'] })], 'x')).toBe('r')
  expect(answers([rule('r', { connectionIds: ['outro'] })], 'x')).toBeNull()
  expect(answers([rule('r', { hours: 'open' })], 'x', { isOpen: false })).toBeNull()
  expect(answers([rule('r', { hours: 'closed' })], 'x', { isOpen: false })).toBe('r')
  expect(answers([rule('r', { isFirstOnly: true })], 'x')).toBeNull()
  expect(answers([rule('r', { isFirstOnly: true })], 'x', { isFirst: true })).toBe('r')
  expect(answers([rule('r', { celularTeste: '5511987654321' })], 'x')).toBeNull()
  expect(answers([rule('r', { celularTeste: '5511987654321' })], 'x', { phones: ['5511987654321'] })).toBe('r')
  expect(answers([rule('r', { isActive: false })], 'x')).toBeNull()
  expect(answers([rule('r', { parts: [] })], 'x')).toBeNull()
  expect(answers([rule('r', { starts: 'chosen' })], 'x')).toBeNull()
})

test('the choices of the answer given last come first, for an hour; an option may be named by its number', () => {
  const option = (title: string) => ({ id: title, title, description: '' })
  const menu = {
    interactive: {
      ...{ kind: 'buttons' as const, header: '', footer: '', button: '' },
      options: [option('Comprar'), option('Trocar')],
    },
  }
  const rules = [
    rule('trocar de novo', { words: 'trocar' }),
    rule('menu', { words: 'menu', parts: [menu] }),
    rule('trocar', { words: 'trocar', mode: 'exact', afterId: 'menu' }),
    rule('não entendi', { afterId: 'menu' }),
  ]
  const last = { ruleId: 'menu', at: ago(1) }
  expect(answers(rules, 'trocar')).toBe('trocar de novo')
  expect(answers(rules, 'trocar', { last })).toBe('trocar')
  expect(answers(rules, ' 2 ', { last })).toBe('trocar')
  expect(answers(rules, '9', { last })).toBe('não entendi')
  expect(answers(rules, 'trocar', { last: { ruleId: 'menu', at: ago(61) } })).toBe('trocar de novo')
  expect(answers(rules, '2')).toBeNull()
})

test('what has just answered rests, and nothing answers in its place', () => {
  const rules = [rule('r', { words: 'oi', cooldownSeconds: 120 }), rule('any')]
  expect(answers(rules, 'oi', { last: { ruleId: 'r', at: ago(1) } })).toBeNull()
  expect(answers(rules, 'oi', { last: { ruleId: 'r', at: ago(3) } })).toBe('r')
})

test('the box for trying says of each rule why, and agrees with what answers', () => {
  const texts = fc.constantFrom('oi', 'boleto', 'bolteo', 'quero o boleto', 'pix', 'x', '1')
  const someRule = fc.record({
    words: fc.constantFrom('', 'boleto', 'oi,pix', 'boleto,quero'),
    mode: fc.constantFrom('exact', 'contains', 'similar') as fc.Arbitrary<KeywordMode>,
    hours: fc.constantFrom('always', 'open', 'closed') as fc.Arbitrary<Rule['hours']>,
    isFirstOnly: fc.boolean(),
    isActive: fc.boolean(),
    afterId: fc.constantFrom(null, '0'),
  })
  fc.assert(
    fc.property(
      fc.array(someRule, { maxLength: 6 }),
      texts,
      fc.boolean(),
      fc.boolean(),
      (given, text, isOpen, isFirst) => {
        const book = autoReplyBook(given.map((one, at) => rule(String(at), one)))
        const at = situation(text, { isOpen, isFirst, last: { ruleId: '0', at: ago(2) } })
        const fitting = verdictsOf(book, at).flatMap(({ rule, obstacle }) => (obstacle ? [] : rule.id))
        const match = matchAutoReply(book, at)
        if (match) expect(fitting).toContain(match.rule.id)
        else expect(fitting).toEqual([])
      },
    ),
  )
})

test('two hundred rules of five words cost a message next to nothing', () => {
  const modes: KeywordMode[] = ['exact', 'contains', 'similar']
  const word = (n: number) => `palavra${'abcdefghij'[n % 10]}${'klmnopqrst'[Math.floor(n / 10) % 10]}${'uvwxyz'[n % 6]}`
  const rules = Array.from({ length: 200 }, (_, n) =>
    rule(String(n), { words: Array.from({ length: 5 }, (_, at) => word(n * 5 + at)).join(','), mode: modes[n % 3] }),
  )
  const book = autoReplyBook(rules)
  const texts = [
    'Bom dia, gostaria de saber se o pedido que fiz na semana passada já saiu para entrega, por favor',
    'oi',
    'x'.repeat(20_000),
  ]
  const time = (text: string) => {
    const from = performance.now()
    for (let n = 0; n < 200; n += 1) expect(matchAutoReply(book, situation(text))).toBeUndefined()
    return (performance.now() - from) / 200
  }
  texts.forEach(time) // warm
  for (const text of texts) expect(time(text)).toBeLessThan(3)
})
