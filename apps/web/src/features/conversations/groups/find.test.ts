import type { GroupMember } from '@balcao/contract/conversations/groups.ts'
import { expect, test } from 'vitest'
import { callable, calledIn, findMembers } from './find.ts'

const member = (name: string, number: string, more: Partial<GroupMember> = {}): GroupMember => ({
  id: number,
  name,
  number,
  role: 'member',
  contactId: null,
  profilePicUrl: null,
  isUs: false,
  ...more,
})
const all = [
  member('Ângela Reis', '5511911110001'),
  member('Maria', '5511911110002'),
  member('Maria', '5511911110003'),
  member('Loja', '5511900000000', { isUs: true }),
]

test('members are found by a word of their name or by digits', () => {
  const found = (search: string) => findMembers(all, search).map(({ number }) => number?.slice(-4))
  expect(found('ang')).toEqual(['0001'])
  expect(found('reis')).toEqual(['0001'])
  expect(found('91111-0003')).toEqual(['0003'])
  expect(found('ria')).toEqual([])
  expect(found('')).toHaveLength(4)
})

test('each is called by a name of their own, and we not at all', () => {
  const others = callable(all)
  expect(others.map(({ name }) => name)).toEqual(['Ângela Reis', 'Maria 0002', 'Maria 0003'])
  expect(calledIn('Oi @Maria 0003 e @ângela reis, @Loja', others)).toEqual([
    { id: '5511911110003', name: 'Maria 0003' },
    { id: '5511911110001', name: 'Ângela Reis' },
  ])
  expect(calledIn('ana@maria.com', others)).toBeUndefined()
})
