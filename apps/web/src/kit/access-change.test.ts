import { grantedPermissions, type MenuVisibility, type Profile } from '@balcao/contract/permissions.ts'
import { expect, test } from 'vitest'
import { describeAccessChange } from './access-change.ts'

const sales = { id: '1', name: 'Vendas' }
const access = (profile: Profile, menuVisibility: MenuVisibility = {}, queues = [sales]) => ({
  menuVisibility,
  user: { permissions: grantedPermissions(profile, menuVisibility), queues },
})

test('what did not change is not told', () => {
  expect(describeAccessChange(access('user'), access('user'))).toBeNull()
  expect(describeAccessChange(access('user', { home: false }), access('user'))).toBeNull()
  expect(describeAccessChange(access('user'), access('user', {}, [{ ...sales, name: 'Vendas e trocas' }]))).toBeNull()
})

test('a hidden menu, another profile and other queues are told by name', () => {
  expect(describeAccessChange(access('user'), access('user', { contatos: false, tarefas: false }))).toBe(
    'Seu acesso mudou. Você não tem mais: Contatos, Tarefas.',
  )
  expect(describeAccessChange(access('user'), access('super'))).toMatch(
    /^Seu acesso mudou. Agora você também tem: Início, /,
  )
  expect(describeAccessChange(access('user'), access('user', {}, [{ id: '2', name: 'Suporte' }]))).toBe(
    'Seu acesso mudou. Saiu das filas: Vendas. Entrou nas filas: Suporte.',
  )
})

test('a right without a menu of its own is still a change', () => {
  const less = access('user')
  less.user.permissions = less.user.permissions.filter((name) => name !== 'tags.read')
  expect(describeAccessChange(access('user'), less)).toBe('Seu acesso mudou.')
})
