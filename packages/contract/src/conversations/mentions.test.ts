import { expect, test } from 'vitest'
import { mentionsIn } from './mentions.ts'

const team = [{ name: 'Ana' }, { name: 'Ana Paula' }, { name: 'Suporte' }, { name: 'José da Luz' }]
const called = (text: string) =>
  mentionsIn(text, team).map((place) => [text.slice(place.start, place.end), place.of[0]?.name])

test('a name after @ calls, the longest one first, whatever its case', () => {
  expect(called('@Ana Paula, veja com @suporte')).toEqual([
    ['@Ana Paula', 'Ana Paula'],
    ['@suporte', 'Suporte'],
  ])
  expect(called('(@José da Luz) e @Ana.')).toEqual([
    ['@José da Luz', 'José da Luz'],
    ['@Ana', 'Ana'],
  ])
})

test('an address, a longer word and an unknown name call nobody', () => {
  expect(called('ana@suporte.com, @Anabela, @Ninguém')).toEqual([])
})

test('a text of nothing but signs is read at once', () => {
  const startedAt = performance.now()
  for (const names of [team, []]) expect(mentionsIn('@'.repeat(100_000), names)).toEqual([])
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})

test('two of one name are both called', () => {
  const twice = [
    { name: 'Ana', id: 1 },
    { name: 'Ana', id: 2 },
  ]
  expect(mentionsIn('@ana', twice)[0]?.of.map((one) => one.id)).toEqual([1, 2])
})
