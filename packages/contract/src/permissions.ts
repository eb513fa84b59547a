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
  'funnel.read',
  'funnel.write',
  'copilot.use',
  'calls.read',
  'calls.write',
] as const

const supervisor = [
  ...user,
  'tags.write',
  'queues.write',
  'dashboard.read',
  'monitor.read',
  'tickets.showAll',
  'tickets.force',
  'tickets.supervise',
  'users.supervise',
  'contacts.merge',
  'contacts.export',
  'contacts.import',
  'contacts.documents',
  'contacts.consent',
  'lanes.write',
  'segments.write',
  'messages.direct',
  'tickets.markAll',
  'reasons.write',
  'farewells.write',
  'places.write',
  'blocked-numbers.write',
  'ratings.read',
  'ratings.grade',
  'reports.read',
  'tasks.showAll',
  'quick-messages.share',
  'auto-replies.write',
  'flows.write',
  'assistants.write',
  'funnel.manage',
  'funnel.showAll',
  'groups.read',
  'groups.write',
  'campaigns.read',
  'campaigns.write',
] as const

const admin = [
  ...supervisor,
  'ratings.write',
  'tickets.delete',
  'contacts.delete',
  'contacts.showAll',
  'messages.moderate',
  'users.write',
  'connections.write',
  'templates.write',
  'integrations.write',
  'settings.write',
  'business-hours.write',
  'audit.read',
  'jobs.supervise',
  'journal.read',
  'campaigns.approve',
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
 * Menu keys: the name people read, and the permissions that live behind each. Hiding a menu takes its permissions away,
 * unless another visible menu also needs them; one whose screens stand below another's path is hidden with it.
 */
// biome-ignore format: a table reads as lines
const menuTable = {
  home: { label: 'Início', holds: ['dashboard.read'] },
  atendimento: { label: 'Atendimento', holds: ['tickets.read', 'tickets.write', 'tickets.force', 'tickets.delete', 'tickets.markAll', 'messages.read', 'messages.write', 'messages.direct', 'messages.moderate', 'copilot.use', 'calls.write'] },
  'painel-atendimentos': { label: 'Painel de atendimentos', holds: ['tickets.supervise'] },
  monitor: { label: 'Monitor', holds: ['monitor.read'] },
  contatos: { label: 'Contatos', holds: ['contacts.read', 'contacts.write', 'contacts.delete', 'contacts.merge', 'contacts.export', 'contacts.import', 'contacts.showAll', 'contacts.documents', 'contacts.consent'] },
  'mensagens-rapidas': { label: 'Mensagens rápidas', holds: ['quick-messages.write', 'quick-messages.share'] },
  'auto-resposta': { label: 'Respostas automáticas', holds: ['auto-replies.write'] },
  assistentes: { label: 'Assistentes', holds: ['assistants.write'] },
  conhecimento: { label: 'Conhecimento', holds: ['assistants.write'] },
  'chat-flow': { label: 'Fluxos', holds: ['flows.write'] },
  grupo: { label: 'Grupos', holds: ['groups.read', 'groups.write'] },
  aniversarios: { label: 'Aniversários', holds: [] },
  etiquetas: { label: 'Etiquetas', holds: ['tags.write'] },
  kanban: { label: 'Quadro de contatos', holds: [] },
  segmentos: { label: 'Segmentos', holds: ['segments.write'] },
  lanes: { label: 'Etapas do quadro', holds: ['lanes.write'] },
  funil: { label: 'Funil de vendas', holds: ['funnel.read', 'funnel.write', 'funnel.manage', 'funnel.showAll'] },
  campanhas: { label: 'Campanhas', holds: ['campaigns.read', 'campaigns.write', 'campaigns.approve'] },
  massa: { label: 'Envios em massa', holds: ['campaigns.read', 'campaigns.write'] },
  filas: { label: 'Filas', holds: ['queues.write'] },
  usuarios: { label: 'Usuários', holds: ['users.write'] },
  modelos: { label: 'Modelos de mensagem', holds: ['templates.write'] },
  sessoes: { label: 'Canais', holds: ['connections.write', 'journal.read'] },
  integracoes: { label: 'Integrações', holds: ['integrations.write'], above: 'configuracoes' },
  configuracoes: { label: 'Ajustes da empresa', holds: ['settings.write'] },
  motivos: { label: 'Motivos', holds: ['reasons.write'], above: 'configuracoes' },
  variaveis: { label: 'Variáveis', holds: [], above: 'configuracoes' },
  tarefas: { label: 'Tarefas', holds: ['tasks.read', 'tasks.write', 'tasks.showAll'] },
  agendamentos: { label: 'Agendamentos', holds: ['schedules.write'] },
  notas: { label: 'Notas', holds: ['notes.read'] },
  protocolos: { label: 'Protocolos', holds: ['protocols.read'] },
  ligacoes: { label: 'Ligações', holds: ['calls.read'] },
  relatorios: { label: 'Relatórios', holds: ['reports.read'] },
  avaliacoes: { label: 'Avaliações', holds: ['ratings.read', 'ratings.grade', 'ratings.write'] },
  fechamento: { label: 'Mensagens de fechamento', holds: ['farewells.write'] },
  bloqueados: { label: 'Números bloqueados', holds: ['blocked-numbers.write'], above: 'configuracoes' },
  lojas: { label: 'Nossas lojas', holds: ['places.write'], above: 'configuracoes' },
  'horario-atendimento': { label: 'Horário de atendimento', holds: ['business-hours.write'] },
  auditoria: { label: 'Auditoria', holds: ['audit.read', 'jobs.supervise'] },
  assinatura: { label: 'Visão geral da instalação', holds: ['platform.read'] },
  tenants: { label: 'Empresas', holds: ['tenants.read', 'tenants.write', 'tenants.impersonate'] },
  usuariotenants: { label: 'Usuários das empresas', holds: ['tenants.read', 'tenants.write'] },
  auditoriatenants: { label: 'Auditoria da plataforma', holds: ['platform.audit'] },
} as const satisfies Record<string, { label: string; holds: readonly Permission[]; above?: string }>
export type MenuKey = keyof typeof menuTable
export const menuKeys = Object.keys(menuTable) as MenuKey[]
type Menu = { label: string; holds: readonly Permission[]; above?: MenuKey }
export const menus: Record<MenuKey, Menu> = menuTable

export type MenuVisibility = Record<string, boolean>

/** What a supervisor whom the company treats as a user loses: seeing and changing the work of others. */
const overOthers: readonly Permission[] = [
  'dashboard.read',
  'monitor.read',
  'tickets.showAll',
  'funnel.showAll',
  'tickets.force',
  'tickets.supervise',
  'users.supervise',
  'ratings.read',
  'ratings.grade',
  'reports.read',
  'tasks.showAll',
  'contacts.export',
  'contacts.import',
  'messages.direct',
  'tickets.markAll',
]
export const withoutOthersWork = (granted: readonly Permission[]) =>
  granted.filter((permission) => !overOthers.includes(permission))

/** What everybody of a company needs to work, whatever their role. */
export const everybodysPermissions: readonly Permission[] = [
  'self.write',
  'tags.read',
  'queues.read',
  'users.read',
  'connections.read',
  'quick-messages.read',
  'media.write',
  'settings.read',
  'reasons.read',
  'farewells.read',
  'places.read',
]

const companys: ReadonlySet<string> = new Set(admin)
const isCompanys = (name: string): name is Permission => companys.has(name)
/** One sees what one changes, and the conversation of a message. */
const seenFirst = (name: string) => {
  const read = `${name.slice(0, name.indexOf('.'))}.read`
  return read === 'messages.read' ? [read, 'tickets.read'] : [read]
}

export type GivenRights = { profile: Profile; isSupport: boolean; role: readonly string[] | null }
/** What a person was given, before menus and the company's state take away. Support has the rights of an administrator. */
export const rightsOf = ({ profile, isSupport, role }: GivenRights): readonly Permission[] => {
  if (isSupport) return permissionsOf.admin
  if (!role) return permissionsOf[profile]
  const named = [...everybodysPermissions, ...role.flatMap((name) => [...seenFirst(name), name])]
  return [...new Set(named)].filter(isCompanys)
}

/** The profile that a set of permissions comes nearest to: what callers of the API read as `profile`. */
export const profileOf = (granted: readonly string[]): 'user' | 'super' | 'admin' => {
  if (granted.includes('users.write')) return 'admin'
  return granted.includes('users.supervise') ? 'super' : 'user'
}
/** The profiles whose people hold a permission; a role's people stand under the profile it comes nearest to. */
export const profilesWith = (permission: 'users.write' | 'users.supervise') =>
  profiles.filter((profile) => permissionsOf[profile].some((name) => name === permission))

/** While a company is suspended its administrators may enter to look, settle the account and take their data along. */
export const whileSuspended = (granted: readonly Permission[]): Permission[] =>
  granted.includes('settings.write') ? granted.filter((name) => suspendedPermissions.includes(name)) : []
const suspendedPermissions: readonly Permission[] = [
  'self.write',
  'settings.read',
  'users.read',
  'queues.read',
  'tags.read',
  'connections.read',
  'dashboard.read',
  'ratings.read',
  'reports.read',
  'contacts.read',
  'contacts.showAll',
  'contacts.export',
  'audit.read',
]

/** What a person may do: the profile's permissions minus what lives only behind hidden menus. */
export const grantedPermissions = (profile: Profile, menuVisibility: MenuVisibility): Permission[] =>
  withoutHidden(permissionsOf[profile], menuVisibility)

/** Those of these that do not live only behind hidden menus. */
export const withoutHidden = (granted: readonly Permission[], menuVisibility: MenuVisibility): Permission[] => {
  const isHidden = (key: MenuKey) => menuVisibility[key] === false
  const hidden = menuKeys.filter((key) => isHidden(key) || isHidden(menus[key].above ?? key))
  const shown = new Set(menuKeys.filter((key) => !hidden.includes(key)).flatMap((key) => menus[key].holds))
  const lost = new Set(hidden.flatMap((key) => menus[key].holds).filter((name) => !shown.has(name)))
  return granted.filter((name) => !lost.has(name))
}
