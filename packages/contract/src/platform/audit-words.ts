/** How people call what the audit names by its technical name. */
export const auditEntities: Record<string, string> = {
  user: 'Usuário',
  tag: 'Etiqueta',
  queue: 'Fila',
  reason: 'Motivo',
  farewell: 'Mensagem de fechamento',
  place: 'Loja',
  quickMessage: 'Mensagem rápida',
  macro: 'Macro',
  macroRun: 'Macro',
  contact: 'Contato',
  contactField: 'Campo personalizado',
  savedFilter: 'Filtro salvo',
  connection: 'Canal',
  settings: 'Configurações',
  ticket: 'Atendimento',
  task: 'Tarefa',
  schedule: 'Agendamento',
  rating: 'Avaliação',
  bulkJob: 'Ação em massa',
  tenant: 'Empresa',
  audit: 'Auditoria',
  platform: 'Instalação',
  impersonation: 'Acesso de suporte',
}

const whole: Record<string, string> = {
  'update+password': 'Alterou, com nova senha',
  'user.update+password': 'Alterou, com nova senha',
  'password.changed': 'Trocou a própria senha',
  'user.invited': 'Convidou por link',
  'password.reset': 'Redefiniu a senha pelo link',
  'impersonation.issued': 'Gerou acesso de suporte',
  'impersonation.started': 'Entrou como suporte',
  'impersonation.ended': 'Saiu do acesso de suporte',
  'tenant.suspended': 'Suspendeu',
  'tenant.resumed': 'Reativou',
  'platform.installed': 'Instalou o Balcão',
  'ticket.merged': 'Uniu',
  'ticket.exported': 'Exportou',
  'tickets.refreshed': 'Atualizou as listas',
  'contact.merged': 'Uniu',
  'contact.unmerged': 'Desfez a união',
  'contacts.exported': 'Exportou todos',
  'audit.exported': 'Exportou',
  'birthday.sent': 'Enviou felicitações',
  'macro.run': 'Executou',
  'bulk.closeTickets': 'Encerrou vários',
  'bulk.transferQueue': 'Transferiu vários',
  'bulk.moveChannel': 'Mudou o canal de vários',
  'bulk.markRead': 'Marcou vários como lidos',
  'bulk.tagTickets': 'Etiquetou vários',
  'bulk.replaceTag': 'Trocou em tudo',
  'bulk.replaceQueue': 'Trocou em tudo',
  'bulk.replaceReason': 'Trocou em tudo',
}
const verbs: Record<string, string> = {
  create: 'Criou',
  created: 'Criou',
  update: 'Alterou',
  updated: 'Alterou',
  delete: 'Excluiu',
  deleted: 'Excluiu',
  canceled: 'Cancelou',
  sent: 'Enviou',
}

/** "Criou", "Alterou", "Entrou como suporte"; the technical name of what has no word yet. */
export const auditAction = (action: string): string =>
  whole[action] ?? verbs[action.slice(action.lastIndexOf('.') + 1)] ?? action

const fields: Record<string, string> = {
  name: 'Nome',
  email: 'E-mail',
  number: 'Telefone',
  identity: 'CNPJ ou CPF',
  profile: 'Perfil',
  status: 'Situação',
  color: 'Cor',
  title: 'Título',
  body: 'Texto',
  message: 'Mensagem',
  notes: 'Observações',
  reason: 'Motivo',
  superadmin: 'Suporte',
  isActive: 'Ativo',
  isBlocked: 'Bloqueado',
  isSupport: 'Suporte',
  isOnline: 'Online',
  capacity: 'Conversas ao mesmo tempo',
  queue: 'Fila',
  queues: 'Filas',
  tag: 'Etiqueta',
  tags: 'Etiquetas',
  wallets: 'Carteira',
  users: 'Pessoas',
  menuPermissions: 'Menus',
  menuVisibility: 'Menus',
  allowedHours: 'Horário permitido',
  businessHours: 'Horário de atendimento',
  absenceMessage: 'Mensagem de ausência',
  holidays: 'Feriados',
  timezone: 'Fuso horário',
  maxUsers: 'Limite de usuários',
  maxConnections: 'Limite de canais',
  distribution: 'Distribuição',
  acceptWithin: 'Prazo para aceitar',
  slaTargets: 'Prazos (SLA)',
  pauseReasons: 'Motivos de pausa',
  systemColors: 'Cores',
  logo: 'Logotipo',
  allowImpersonation: 'Permitir acesso de suporte',
  userCreation: 'Criação de usuários',
  lastLoginAt: 'Último acesso',
  total: 'Total',
  kind: 'Tipo',
  contacts: 'Contatos',
  tickets: 'Atendimentos',
  connections: 'Canais',
  settings: 'Ajustes',
  limitAt: 'Prazo',
  sendAt: 'Envio',
  priority: 'Prioridade',
  grade: 'Nota',
  comment: 'Comentário',
  adminEmail: 'E-mail do administrador',
  firstMessage: 'Primeira mensagem',
  extraInfo: 'Outros campos',
  birthdayDate: 'Aniversário',
}

type Plain = Record<string, unknown>
export type AuditChange = { label: string; before: string | null; after: string | null }

/** What every row carries and nobody asks about. */
const silent = new Set(['id', 'version', 'createdAt', 'updatedAt', 'tenantId'])

/** What an entry changed, field by field, as people read it; `null` where the row did not exist. */
export const auditChanges = (entry: { before: unknown; after: unknown }): AuditChange[] => {
  const [before, after] = [asPlain(entry.before), asPlain(entry.after)]
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names
    .filter((name) => !silent.has(name) && JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]))
    .map((name) => ({
      label: fields[name] ?? name,
      before: before && auditValue(before[name]),
      after: after && auditValue(after[name]),
    }))
    .filter((change) => change.before !== change.after)
}

/** How the row was called. */
export const auditSubject = (entry: { before: unknown; after: unknown; entityId: string }): string => {
  const row = asPlain(entry.after) ?? asPlain(entry.before) ?? {}
  const name = row.name ?? row.title ?? row.protocol
  return typeof name === 'string' || typeof name === 'number' ? String(name) : ''
}

const asPlain = (value: unknown): Plain | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Plain) : null // JSON's objects have text keys

const auditValue = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não'
  if (Array.isArray(value)) return value.map(auditValue).join(', ')
  const row = asPlain(value)
  if (!row) return String(value)
  if (typeof row.name === 'string') return row.name
  return Object.entries(row)
    .map(([name, one]) => `${fields[name] ?? name}: ${auditValue(one)}`)
    .join('; ')
}
