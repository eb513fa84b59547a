import { menuKeys } from '@balcao/contract/permissions.ts'
import { expect, test } from 'vitest'
import { isOfProfile, isShown, menuGroups, withMenus } from './menu-tree.ts'

test('every menu of a company stands in exactly one group, the platform’s in none', () => {
  const listed = menuGroups().flatMap((group) => group.keys)
  expect(new Set(listed).size).toBe(listed.length)
  expect([...listed].sort()).toEqual(menuKeys.filter((key) => isOfProfile(key, 'admin')).sort())
})

test('hiding writes false, showing again leaves nothing behind', () => {
  const hidden = withMenus({}, ['filas', 'etiquetas'], false)
  expect(hidden).toEqual({ filas: false, etiquetas: false })
  expect(isShown(hidden, 'filas')).toBe(false)
  expect(withMenus(hidden, ['filas', 'etiquetas'], true)).toEqual({})
})

test('a menu we do not know stays hidden when another changes', () => {
  expect(withMenus({ campanhas: false, contatos: true }, ['filas'], false)).toEqual({ campanhas: false, filas: false })
})

test('an agent has nothing behind the menus of configuration', () => {
  expect(isOfProfile('atendimento', 'user')).toBe(true)
  expect(isOfProfile('usuarios', 'user')).toBe(false)
  expect(isOfProfile('usuarios', 'admin')).toBe(true)
})
