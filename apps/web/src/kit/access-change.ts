import { type MenuKey, menuKeys, menus, type Permission } from '@balcao/contract/permissions.ts'
import type { Session } from './session.ts'

type Access = Pick<Session, 'menuVisibility'> & {
  user: { permissions: readonly Permission[]; queues: readonly { id: string; name: string }[] }
}

/** What somebody else changed of what a person may do, as a sentence for that person; null when nothing did. */
export const describeAccessChange = (before: Access, after: Access): string | null => {
  const [had, has] = [openMenus(before), openMenus(after)]
  const said = [
    listed('Você não tem mais', had.filter((key) => !has.includes(key)).map(labelOf)),
    listed('Agora você também tem', has.filter((key) => !had.includes(key)).map(labelOf)),
    listed('Saiu das filas', missing(before.user.queues, after.user.queues)),
    listed('Entrou nas filas', missing(after.user.queues, before.user.queues)),
  ].filter((sentence) => sentence !== null)
  const isSame = said.length === 0 && isEqual(before.user.permissions, after.user.permissions)
  return isSame ? null : ['Seu acesso mudou.', ...said].join(' ')
}

const openMenus = ({ menuVisibility, user }: Access): MenuKey[] =>
  menuKeys.filter(
    (key) =>
      menuVisibility[key] !== false && menus[key].holds.some((permission) => user.permissions.includes(permission)),
  )

const labelOf = (key: MenuKey) => menus[key].label

const missing = (from: Access['user']['queues'], within: Access['user']['queues']) =>
  from.filter((queue) => !within.some((other) => other.id === queue.id)).map((queue) => queue.name)

const listed = (start: string, names: string[]) => (names.length ? `${start}: ${names.join(', ')}.` : null)

const isEqual = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((name) => other.includes(name))
