import { expect, test } from 'vitest'
import { personChoices } from './person-choices.ts'

test('who is chosen and blocked since is told in words', () => {
  const people = [{ id: 'a', name: 'Ana' }]
  expect(personChoices(people, ['a', 'b'])).toEqual([
    { value: 'a', label: 'Ana' },
    { value: 'b', label: 'Pessoa bloqueada' },
  ])
  expect(personChoices(undefined, ['b'])).toEqual([]) // not known yet
})
