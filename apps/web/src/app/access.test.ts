import { expect, test } from 'vitest'
import { isAllowed, isHidden, landingOf, rootOf, type Visitor } from './access.ts'
import type { Screen } from './screens.ts'

const screen = (path: `/${string}`, more: Partial<Screen> = {}) =>
  ({ path, name: path.slice(1), label: path, group: null, ...more }) as Screen // icon and load play no part here
const all = ['/home', '/atendimento', '/contatos', '/tenants'].map((path) => screen(path as `/${string}`))
const visitor = (more: Partial<Visitor> = {}): Visitor => ({
  menuVisibility: {},
  permissions: [],
  ...more,
})

test('a hidden menu closes its path and what is below it, and no neighbour of a similar name', () => {
  const someone = visitor({ menuVisibility: { contatos: false, 'campanhas-lista': false } })
  expect(isHidden(someone, '/contatos')).toBe(true)
  expect(isHidden(someone, '/contatos/1')).toBe(true)
  expect(isHidden(someone, '/contatosx')).toBe(false)
  expect(isHidden(someone, '/campanhas', 'campanhas-lista')).toBe(true)
})

test('a screen asks for its permission', () => {
  expect(isAllowed(visitor(), screen('/usuarios', { can: 'users.write' }))).toBe(false)
  expect(isAllowed(visitor({ permissions: ['users.write'] }), screen('/usuarios', { can: 'users.write' }))).toBe(true)
})

test('each person lands where their work is', () => {
  expect(landingOf(visitor({ permissions: ['users.supervise'] }), all)).toBe('/home')
  expect(landingOf(visitor(), all)).toBe('/atendimento')
  expect(landingOf(visitor({ permissions: ['platform.read'] }), [...all, screen('/assinatura')])).toBe('/assinatura')
  expect(rootOf(visitor(), all)).toBe('/contatos')
  const own = [
    screen('/mensagens-rapidas', { can: 'quick-messages.read' }),
    screen('/campanhas', { can: 'campaigns.read' }),
  ]
  expect(landingOf(visitor({ permissions: ['quick-messages.read', 'campaigns.read'] }), own)).toBe('/campanhas')
})

test('somebody whose landing is hidden still lands somewhere', () => {
  expect(landingOf(visitor({ menuVisibility: { atendimento: false, contatos: false } }), all)).toBe('/home')
  expect(rootOf(visitor({ menuVisibility: { contatos: false } }), all)).toBe('/home')
  expect(landingOf(visitor(), [])).toBe('/sem-acesso')
})
