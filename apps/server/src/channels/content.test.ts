import { expect, test } from 'vitest'
import { placesOf, pollOf } from './content.ts'

test('an option cut at an emoji is one that can be stored, and whoever chooses it is understood', () => {
  const long = `${'a'.repeat(99)}😀`
  const poll = pollOf('Qual?', [long, 'Outra'])
  const titles = poll?.type === 'poll' ? (poll.interactive?.options.map(({ title }) => title) ?? []) : []
  expect(titles).toEqual(['a'.repeat(99), 'Outra'])
  expect(placesOf([long], titles)).toEqual([0])
})
