import {
  type MenuKey,
  type MenuVisibility,
  menuKeys,
  menus,
  type Permission,
  type Profile,
  permissionsOf,
} from '@balcao/contract/permissions.ts'

export type MenuGroup = { label: string; keys: MenuKey[] }

const places: Partial<Record<MenuKey, string>> = {
  home: 'Trabalho',
  atendimento: 'Trabalho',
  contatos: 'Trabalho',
  tarefas: 'Trabalho',
  notas: 'Trabalho',
  protocolos: 'Gestão',
  fechamento: 'Cadastros',
  'mensagens-rapidas': 'Cadastros',
  etiquetas: 'Cadastros',
  filas: 'Cadastros',
  usuarios: 'Gestão',
  sessoes: 'Gestão',
  configuracoes: 'Gestão',
  'horario-atendimento': 'Gestão',
}

/** The menus of a company, grouped as the menu itself; the platform's own are not a company's to give. */
export const menuGroups = (): MenuGroup[] => {
  const keys = menuKeys.filter((key) => isOfProfile(key, 'admin'))
  const labels = [...new Set(keys.map(placeOf))]
  return labels.map((label) => ({ label, keys: keys.filter((key) => placeOf(key) === label) }))
}

export const isShown = (value: MenuVisibility, key: string) => value[key] !== false

/** The same choice with these menus shown or hidden; only what is hidden is written down. */
export const withMenus = (value: MenuVisibility, keys: readonly string[], shown: boolean): MenuVisibility => {
  const others = Object.entries(value).filter(([key, visible]) => !keys.includes(key) && visible === false)
  return Object.fromEntries([...others, ...(shown ? [] : keys.map((key): [string, boolean] => [key, false]))])
}

/** Whether the profile has anything to do behind this menu. */
export const isOfProfile = (key: MenuKey, profile: Profile): boolean => {
  const owned: readonly Permission[] = permissionsOf[profile]
  return menus[key].some((permission) => owned.includes(permission))
}

const placeOf = (key: MenuKey) => places[key] ?? 'Outros'
