import { expect, test } from 'vitest'
import { everybodysPermissions, permissionsOf, profileOf, rightsOf } from '../permissions.ts'
import { roleRights } from './roles.ts'

test('what an administrator may do is either everybody’s or one box of the tree', () => {
  const boxes = roleRights.flatMap(({ rights }) => rights.flatMap(({ grants }) => grants))
  expect(new Set(boxes).size).toBe(boxes.length)
  expect([...boxes, ...everybodysPermissions].sort()).toEqual([...permissionsOf.admin].sort())
})

test('a role grants what it names, what everybody needs, and what one must see to do it', () => {
  const rights = rightsOf({ profile: 'user', isSupport: false, role: ['contacts.export', 'messages.write'] })
  expect(rights).toEqual(expect.arrayContaining(['contacts.export', 'contacts.read', 'messages.read', 'tickets.read']))
  expect(rights).toContain('self.write')
  expect(rights).not.toContain('contacts.write')
  expect(rightsOf({ profile: 'user', isSupport: false, role: ['tenants.write', 'nonsense'] })).not.toContain(
    'tenants.write',
  )
})

test('a role reads as the profile it comes nearest to', () => {
  expect(profileOf(permissionsOf.admin)).toBe('admin')
  expect(profileOf(['users.supervise'])).toBe('super')
  expect(profileOf(['tickets.read'])).toBe('user')
})
