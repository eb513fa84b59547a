import { expect, test } from 'vitest'
import { withRights } from './rights.ts'

test('granting brings what one must see, taking away takes what stands on it', () => {
  const some = withRights(['tasks.read'], ['contacts.export'], true)
  expect([...some].sort()).toEqual(['contacts.export', 'contacts.read', 'tasks.read'])
  expect(withRights(some, ['contacts.read'], false)).toEqual(['tasks.read'])
  expect([...withRights(some, ['contacts.export'], false)].sort()).toEqual(['contacts.read', 'tasks.read'])
  expect(
    withRights(['tickets.read', 'messages.read', 'messages.write'], ['tickets.read', 'messages.read'], false),
  ).toEqual([])
})
