/** Profiles. `superadmin` belongs to the platform, the others to a company. */
export const profiles = ['user', 'super', 'admin', 'superadmin'] as const
export type Profile = (typeof profiles)[number]

const user = [
  'self.write',
  'tickets.read',
  'tickets.write',
  'messages.read',
  'messages.write',
  'contacts.read',
  'contacts.write',
  'tags.read',
  'queues.read',
  'users.read',
  'connections.read',
  'quick-messages.read',
  'quick-messages.write',
  'media.write',
  'settings.read',
  'reasons.read',
  'farewells.read',
  'places.read',
  'tasks.read',
  'tasks.write',
  'schedules.write',
  'notes.read',
  'protocols.read',
] as const

const supervisor = [
  ...user,
  'tags.write',
  'queues.write',
  'dashboard.read',
  'tickets.showAll',
  'tickets.force',
  'tickets.supervise',
  'users.supervise',
  'contacts.merge',
  'contacts.export',
  'messages.direct',
  'tickets.markAll',
  'reasons.write',
  'farewells.write',
  'places.write',
  'ratings.read',
  'ratings.grade',
  'tasks.showAll',
] as const

const admin = [
  ...supervisor,
  'ratings.write',
  'tickets.delete',
  'contacts.delete',
  'users.write',
  'connections.write',
  'settings.write',
  'business-hours.write',
  'audit.read',
  'journal.read',
] as const

const superadmin = [
  'self.write',
  'tenants.read',
  'tenants.write',
  'tenants.impersonate',
  'platform.read',
  'platform.audit',
] as const

export const permissionsOf = { user, super: supervisor, admin, superadmin } as const satisfies Record<
  Profile,
  readonly string[]
>
export type Permission = (typeof permissionsOf)[Profile][number]
export const permissions: readonly Permission[] = [...new Set<Permission>([...admin, ...superadmin])]

/**
 * Menu keys and the permissions that live behind each.
 * Hiding a menu takes its permissions away, unless another visible menu also needs them.
 */
export const menus = {
  home: ['dashboard.read'],
  atendimento: [
    'tickets.read',
    'tickets.write',
    'tickets.showAll',
    'tickets.force',
    'tickets.delete',
    'tickets.markAll',
    'messages.read',
    'messages.write',
    'messages.direct',
  ],
  'painel-atendimentos': ['tickets.supervise'],
  contatos: ['contacts.read', 'contacts.write', 'contacts.delete', 'contacts.merge', 'contacts.export'],
  'mensagens-rapidas': ['quick-messages.write'],
  etiquetas: ['tags.write'],
  filas: ['queues.write'],
  usuarios: ['users.write'],
  sessoes: ['connections.write', 'journal.read'],
  configuracoes: ['settings.write'],
  motivos: ['reasons.write'],
  variaveis: [],
  tarefas: ['tasks.read', 'tasks.write', 'tasks.showAll'],
  agendamentos: ['schedules.write'],
  notas: ['notes.read'],
  protocolos: ['protocols.read'],
  avaliacoes: ['ratings.read', 'ratings.grade', 'ratings.write'],
  fechamento: ['farewells.write'],
  lojas: ['places.write'],
  'horario-atendimento': ['business-hours.write'],
  auditoria: ['audit.read'],
  assinatura: ['platform.read'],
  tenants: ['tenants.read', 'tenants.write', 'tenants.impersonate'],
  usuariotenants: ['tenants.read', 'tenants.write'],
  auditoriatenants: ['platform.audit'],
} as const satisfies Record<string, readonly Permission[]>
export type MenuKey = keyof typeof menus
export const menuKeys = Object.keys(menus) as MenuKey[]

/** Names people read for each menu key. */
export const menuLabels: Record<MenuKey, string> = {
  home: 'Início',
  atendimento: 'Atendimento',
  'painel-atendimentos': 'Painel de atendimentos',
  contatos: 'Contatos',
  'mensagens-rapidas': 'Mensagens rápidas',
  etiquetas: 'Etiquetas',
  filas: 'Filas',
  usuarios: 'Usuários',
  sessoes: 'Canais',
  configuracoes: 'Ajustes da empresa',
  motivos: 'Motivos',
  variaveis: 'Variáveis',
  tarefas: 'Tarefas',
  agendamentos: 'Agendamentos',
  notas: 'Notas',
  protocolos: 'Protocolos',
  avaliacoes: 'Avaliações',
  fechamento: 'Mensagens de fechamento',
  lojas: 'Nossas lojas',
  'horario-atendimento': 'Horário de atendimento',
  auditoria: 'Auditoria',
  assinatura: 'Visão geral da instalação',
  tenants: 'Empresas',
  usuariotenants: 'Usuários das empresas',
  auditoriatenants: 'Auditoria da plataforma',
}

/** Menus whose screens stand below another menu's path: hidden with it. */
export const menuAbove: Partial<Record<MenuKey, MenuKey>> = {
  motivos: 'configuracoes',
  lojas: 'configuracoes',
  variaveis: 'configuracoes',
}

export type MenuVisibility = Record<string, boolean>

/** What a supervisor whom the company treats as a user loses: seeing and changing the work of others. */
const overOthers: readonly Permission[] = [
  'dashboard.read',
  'tickets.showAll',
  'tickets.force',
  'tickets.supervise',
  'users.supervise',
  'ratings.read',
  'ratings.grade',
  'tasks.showAll',
  'contacts.export',
  'messages.direct',
  'tickets.markAll',
]
export const withoutOthersWork = (granted: readonly Permission[]) =>
  granted.filter((permission) => !overOthers.includes(permission))

/** What a person may do: the profile's permissions minus what lives only behind hidden menus. */
export const grantedPermissions = (profile: Profile, menuVisibility: MenuVisibility): Permission[] => {
  if (profile === 'superadmin') return [...permissionsOf.superadmin]
  const isHidden = (key: MenuKey) => menuVisibility[key] === false
  const hidden = menuKeys.filter((key) => isHidden(key) || isHidden(menuAbove[key] ?? key))
  const shown = new Set(menuKeys.filter((key) => !hidden.includes(key)).flatMap((key): Permission[] => [...menus[key]]))
  const lost = new Set(hidden.flatMap((key): Permission[] => [...menus[key]]).filter((name) => !shown.has(name)))
  return permissionsOf[profile].filter((name) => !lost.has(name))
}
