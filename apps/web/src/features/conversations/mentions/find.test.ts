import type { MentionCandidate } from '@balcao/contract/conversations/mentions.ts'
import { expect, test } from 'vitest'
import { calledBy, findCandidates } from './find.ts'

const one = (name: string, canSee = true, id = name): MentionCandidate => ({
  id,
  kind: 'user',
  name,
  canSee,
  people: 1,
})

test('candidates are found by any word of the name, without accents', () => {
  const all = [one('Ana Paula'), one('José Álvares'), one('Suporte')]
  expect(findCandidates(all, 'alv').map(({ name }) => name)).toEqual(['José Álvares'])
  expect(findCandidates(all, 'ana pa').map(({ name }) => name)).toEqual(['Ana Paula'])
  expect(findCandidates(all, '')).toHaveLength(3)
})

test('a note calls whom its text names; who does not see the conversation is told apart', () => {
  const all = [one('Ana'), one('Bruno', false)]
  expect(calledBy('@Ana e @Bruno, e @Ana', all)).toEqual({
    ids: ['Ana', 'Bruno'],
    hidden: [expect.objectContaining({ start: 7, end: 13 })],
  })
  expect(calledBy('Ana, oi', all)).toEqual({ ids: [], hidden: [] })
})

test('of two of one name, who sees the conversation is meant', () => {
  const all = [one('Ana', false, '1'), one('Ana', true, '2')]
  expect(calledBy('@ana', all)).toEqual({ ids: ['2'], hidden: [] })
})
