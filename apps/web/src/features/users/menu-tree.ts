import {
  type MenuKey,
  type MenuVisibility,
  menus,
  type Permission,
  type Profile,
  permissionsOf,
} from '@balcao/contract/permissions.ts'

export type MenuGroup = { label: string; keys: MenuKey[] }

type PlatformKey = 'assinatura' | 'tenants' | 'usuariotenants'

const places: Record<Exclude<MenuKey, PlatformKey>, string> = {
  home: 'Trabalho',
  atendimento: 'Trabalho',
  contatos: 'Trabalho',
  'painel-atendimentos': 'Trabalho',
  tarefas: 'Trabalho',
  agendamentos: 'Trabalho',
  notas: 'Trabalho',
  protocolos: 'Trabalho',
  etiquetas: 'Cadastros',
  filas: 'Cadastros',
  'mensagens-rapidas': 'Cadastros',
  fechamento: 'Cadastros',
  avaliacoes: 'Gestão',
  usuarios: 'Gestão',
  sessoes: 'Gestão',
  'horario-atendimento': 'Gestão',
  configuracoes: 'Gestão',
}

/** The menus of a company, grouped and ordered as the menu itself; the platform's own are not a company's to give. */
export const menuGroups = (): MenuGroup[] => {
  const keys = Object.keys(places) as (keyof typeof places)[] // of a literal record
  const labels = [...new Set(Object.values(places))]
  return labels.map((label) => ({ label, keys: keys.filter((key) => places[key] === label) }))
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
