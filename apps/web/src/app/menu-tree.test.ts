import { menuKeys, permissionsOf } from '@balcao/contract/permissions.ts'
import { expect, test } from 'vitest'
import { opensTo } from '../features/people/users/menu-tree.ts'
import { menuOf, menuTree } from './menu-tree.ts'
import { screens } from './screens.ts'

const leaves = menuTree.flatMap(({ menus }) => menus)

test('the tree of menus that may be hidden holds every menu of a company, once', () => {
  const ofPlatform = screens.filter(({ area }) => area === 'plataforma').map(menuOf)
  const keys = leaves.map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.toSorted()).toEqual(menuKeys.filter((key) => !ofPlatform.includes(key)).toSorted())
})

test('every screen of the menu can be hidden', () => {
  const without = screens.filter((screen) => screen.area && !menuOf(screen)).map(({ path }) => path)
  expect(without).toEqual([])
})

test('what an agent can open, an administrator can hide from them', () => {
  const ofAgents = leaves.filter((leaf) => opensTo(leaf, permissionsOf.user)).map(({ key }) => key)
  expect(ofAgents).toEqual(expect.arrayContaining(['atendimento', 'etiquetas', 'filas', 'variaveis']))
  expect(ofAgents).not.toContain('usuarios')
})

test('an area holds screens of its own, and no path or name stands twice', () => {
  expect(new Set(screens.map(({ path }) => path)).size).toBe(screens.length)
  expect(new Set(screens.map(({ name }) => name)).size).toBe(screens.length)
})
