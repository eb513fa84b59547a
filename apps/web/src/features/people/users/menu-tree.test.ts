import { expect, test } from 'vitest'
import { isBelowHidden, isShown, opensTo, withMenus } from './menu-tree.ts'

test('hiding writes false, showing again leaves nothing behind', () => {
  const hidden = withMenus({}, ['filas', 'etiquetas'], false)
  expect(hidden).toEqual({ filas: false, etiquetas: false })
  expect(isShown(hidden, 'filas')).toBe(false)
  expect(withMenus(hidden, ['filas', 'etiquetas'], true)).toEqual({})
})

test('a menu we do not know stays hidden when another changes', () => {
  expect(withMenus({ campanhas: false, contatos: true }, ['filas'], false)).toEqual({ campanhas: false, filas: false })
})

test('a menu below a hidden one is hidden with it', () => {
  expect(isShown({ configuracoes: false }, 'motivos')).toBe(false)
  expect(isBelowHidden({ configuracoes: false }, 'motivos')).toBe(true)
  expect(isShown({ motivos: false }, 'configuracoes')).toBe(true)
})

test('a menu is for who can open one of its screens', () => {
  const people = { key: 'usuarios', label: 'Usuários', opens: ['users.write'] } as const
  expect(opensTo(people, ['tickets.read'])).toBe(false)
  expect(opensTo(people, ['users.write'])).toBe(true)
  expect(opensTo({ ...people, opens: ['users.write', undefined] }, [])).toBe(true)
})
