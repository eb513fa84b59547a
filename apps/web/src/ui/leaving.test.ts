import { expect, test } from 'vitest'
import { isLeaving } from './leaving.ts'

const at = (search: string, pathname = '/etiquetas') => ({ pathname, search })

test('Back and another row take the open form away; a search beside it and its own closing do not', () => {
  expect(isLeaving(at('?registro=novo'), at(''), 'POP')).toBe(true)
  expect(isLeaving(at('?registro=a'), at('?registro=b'), 'PUSH')).toBe(true)
  expect(isLeaving(at('?canal=telegram'), at(''), 'POP')).toBe(true)
  expect(isLeaving(at(''), at('', '/filas'), 'PUSH')).toBe(true)
  expect(isLeaving(at('?registro=novo'), at('?registro=novo&busca=x'), 'REPLACE')).toBe(false)
  expect(isLeaving(at('?registro=novo&busca=x'), at('?registro=novo'), 'POP')).toBe(false)
  expect(isLeaving(at('?registro=novo'), at(''), 'REPLACE')).toBe(false)
})
