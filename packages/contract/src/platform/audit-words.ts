import { type PartKind, partLabels } from '../conversations/parts.ts'
import { switchLabels } from '../people/settings.ts'
import { resources } from '../resources.ts'

/** How people call what the audit names by its technical name. */
export const auditEntities: Record<string, string> = {
  ...Object.fromEntries(resources.map(({ event, label }) => [event, label.one])),
  user: 'Usuário',
  mail: 'E-mail',
  macroRun: 'Macro',
  contact: 'Contato',
  suppressionList: 'Lista de descadastro',
  contactImport: 'Importação de contatos',
  voiceCall: 'Ligação',
  aiCall: 'Inteligência artificial',
  knowledgeSource: 'Documento do conhecimento',
  knowledgeGap: 'Pergunta sem resposta',
  connection: 'Canal',
  template: 'Modelo de mensagem',
  settings: 'Configurações',
  ticket: 'Atendimento',
  task: 'Tarefa',
  schedule: 'Agendamento',
  campaign: 'Campanha',
  rating: 'Avaliação',
  bulkJob: 'Ação em massa',
  tenant: 'Empresa',
  host: 'Servidor de WhatsApp',
  mailServer: 'E-mail da instalação',
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
  'tenant.closed': 'Encerrou',
  'mail.retried': 'Tentou de novo o envio',
  'job.canceled': 'Cancelou',
  'job.paused': 'Pausou',
  'job.resumed': 'Continuou',
  'job.undone': 'Desfez',
  'job.retried': 'Tentou de novo',
  'connection.started': 'Iniciou',
  'connection.stopped': 'Parou',
  'connection.unlinked': 'Desconectou o telefone',
  'connection.profileChanged': 'Mudou o perfil comercial',
  'connection.codeRequested': 'Pediu o código do número',
  'connection.codeVerified': 'Confirmou o número',
  'connection.registered': 'Registrou o número',
  'connection.deregistered': 'Retirou o registro do número',
  'connection.pinChanged': 'Trocou o PIN do número',
  'connection.webhookTaken': 'Direcionou os avisos a este canal',
  'connection.exported': 'Exportou em CSV',
  'proxy.exported': 'Exportou em CSV',
  'journal.exported': 'Exportou o diário',
  'journal.replayed': 'Processou avisos de novo',
  'integration.retried': 'Entregou de novo os avisos',
  'platform.installed': 'Instalou o Balcão',
  'campaign.created': 'Criou',
  'campaign.updated': 'Alterou',
  'campaign.deleted': 'Excluiu',
  'campaign.started': 'Iniciou',
  'campaign.asked': 'Pediu aprovação',
  'campaign.approved': 'Aprovou',
  'campaign.rejected': 'Não aprovou',
  'campaign.withdrawn': 'Voltou a rascunho',
  'campaign.paused': 'Pausou',
  'campaign.resumed': 'Continuou',
  'campaign.canceled': 'Cancelou',
  'campaign.finished': 'Finalizou',
  'campaign.tested': 'Enviou um teste',
  'campaign.numbersChecked': 'Conferiu os números',
  'campaign.recipientRemoved': 'Tirou um destinatário',
  'campaign.exported': 'Exportou em CSV',
  'campaign.recipientsExported': 'Exportou os destinatários',
  'ticket.merged': 'Uniu',
  'ticket.exported': 'Exportou',
  'tickets.refreshed': 'Atualizou as listas',
  'contact.consented': 'Anotou o que aceita receber',
  'optOut.givenBack': 'Anotou que voltam a receber',
  'optOut.imported': 'Importou descadastros',
  'optOut.undone': 'Desfez lista de descadastro',
  'optOut.exported': 'Exportou descadastrados',
  'voiceCall.placed': 'Pediu ligação',
  'voiceCall.exported': 'Exportou ligações',
  'aiCall.exported': 'Exportou o uso de inteligência artificial',
  'assistant.published': 'Publicou',
  'assistant.evaluated': 'Avaliou',
  'contact.merged': 'Uniu',
  'contact.keptApart': 'Manteve separados',
  'contact.suggestedAgain': 'Voltou a sugerir a união',
  'bulk.mergeContacts': 'Uniu repetidos',
  'bulk.changeContacts': 'Mudou vários',
  'contact.unmerged': 'Desfez a união',
  'contact.exported': 'Exportou em CSV',
  'connection.groupsSynced': 'Trouxe os grupos',
  'contact.importChecked': 'Conferiu a importação',
  'contact.imported': 'Importou contatos',
  'contact.importUndone': 'Desfez a importação',
  'contact.importDiscarded': 'Descartou a importação',
  'contact.documentRead': 'Viu o CPF ou CNPJ',
  'audit.exported': 'Exportou',
  'rating.exported': 'Exportou em CSV',
  'birthday.sent': 'Enviou felicitações',
  'birthday.exported': 'Exportou em CSV',
  'pipelineAction.exported': 'Exportou o registro em CSV',
  'integration.disconnected': 'Pediu para desconectar',
  'pipeline.goals': 'Definiu metas',
  'opportunity.exported': 'Exportou em CSV',
  'opportunity.imported': 'Importou de CSV',
  'chatFlow.published': 'Publicou',
  'chatFlow.restored': 'Pôs uma versão de volta no rascunho',
  'chatFlow.imported': 'Importou',
  'autoReply.ordered': 'Mudou a ordem',
  'autoReply.exported': 'Exportou em CSV',
  'macro.run': 'Executou',
  'quickMessage.imported': 'Importou de um CSV',
  'quickMessage.merged': 'Uniu',
  'tag.imported': 'Importou de um CSV',
  'message.direct': 'Enviou sem passar pela fila',
  'messages.retry': 'Mandou enviar de novo',
  'messages.drop': 'Desistiu de enviar',
  'bulk.closeTickets': 'Encerrou vários',
  'bulk.transferQueue': 'Transferiu vários',
  'bulk.moveChannel': 'Mudou o canal de vários',
  'bulk.markRead': 'Marcou vários como lidos',
  'bulk.tagTickets': 'Etiquetou vários',
  'bulk.replaceTag': 'Trocou em tudo',
  'bulk.replaceQueue': 'Trocou em tudo',
  'bulk.replaceReason': 'Trocou em tudo',
  'bulk.replaceLane': 'Trocou em tudo',
  'bulk.replaceStage': 'Mandou passar as oportunidades e excluir',
  'bulk.replacePipeline': 'Mandou passar as oportunidades e excluir',
}
const verbs: Record<string, string> = {
  create: 'Criou',
  created: 'Criou',
  update: 'Alterou',
  updated: 'Alterou',
  delete: 'Excluiu',
  deleted: 'Excluiu',
  canceled: 'Cancelou',
  exported: 'Exportou',
  sent: 'Enviou',
}

/** "Criou", "Alterou", "Entrou como suporte"; the technical name of what has no word yet. */
export const auditAction = (action: string): string =>
  whole[action] ?? verbs[action.slice(action.lastIndexOf('.') + 1)] ?? action

const fields: Record<string, string> = {
  ...switchLabels,
  callRejectMessage: 'Resposta a ligações',
  botTicketActive: 'Fluxo inicial',
  chatFlowId: 'Fluxo inicial',
  isBotBlocked: 'Só com pessoas',
  celularTeste: 'Celular de teste',
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
  mailSignature: 'Assinatura dos e-mails',
  holidays: 'Feriados',
  timezone: 'Fuso horário',
  maxUsers: 'Limite de usuários',
  maxConnections: 'Limite de canais',
  allowedChannels: 'Tipos de canal',
  maxContacts: 'Limite de contatos',
  maxStorageMb: 'Espaço para arquivos (MB)',
  permissions: 'Permissões',
  role: 'Perfil da empresa',
  distribution: 'Distribuição',
  acceptWithin: 'Prazo para aceitar',
  slaTargets: 'Prazos (SLA)',
  goals: 'Metas do mês',
  pauseReasons: 'Motivos de pausa',
  systemColors: 'Cores',
  logo: 'Logotipo',
  lastLoginAt: 'Último acesso',
  total: 'Total',
  change: 'Mudança',
  kind: 'Tipo',
  contacts: 'Contatos',
  tickets: 'Atendimentos',
  connections: 'Canais',
  proxyId: 'Proxy',
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
  businessName: 'Empresa',
  document: 'CPF ou CNPJ',
  kanban: 'Etapa',
  key: 'Atalho',
  parts: 'Partes',
  folderId: 'Pasta',
  groupId: 'Grupo',
  isVoz: 'Áudio de voz',
  scope: 'Para quem',
  position: 'Ordem',
  actions: 'Passos',
  query: 'Filtro',
  isShared: 'Para a equipe',
  helpTitle: 'Título na ajuda do chat',
  memberIds: 'Quem atende',
  type: 'Tipo',
  options: 'Opções',
  required: 'Obrigatório',
  description: 'Descrição',
  limitDate: 'Prazo',
  scheduleDate: 'Envio',
  remindBefore: 'Lembrete',
  recurrence: 'Repetição',
  owner: 'Responsável',
  ownerId: 'Responsável',
  user: 'Pessoa',
  userId: 'Pessoa',
  queueId: 'Fila',
  tagIds: 'Etiquetas',
  reasonId: 'Motivo',
  contact: 'Contato',
  contactId: 'Contato',
  contactIds: 'Contatos',
  connection: 'Canal',
  connectionId: 'Canal',
  isFiltered: 'Com filtro',
  whatsappId: 'Canal',
  ticketId: 'Atendimento',
  ticketIds: 'Atendimentos',
  intoId: 'Unido a',
  replacementId: 'Trocado por',
  sourceQueueId: 'Da fila',
  destinationQueueId: 'Para a fila',
  newWhatsappId: 'Novo canal',
  selection: 'Escolha',
  protocol: 'Protocolo',
  count: 'Quantos',
  receivedAt: 'Recebido em',
  state: 'Situação',
  checked: 'Conferidos',
  corrected: 'Corrigidos',
  created: 'Criados',
  changed: 'Alterados',
  folders: 'Pastas ou grupos novos',
  done: 'Feitos',
  failed: 'Recusados',
  dateFrom: 'De',
  dateTo: 'Até',
  mergedName: 'Contato unido',
  media: 'Arquivo',
  address: 'Endereço',
  latitude: 'Latitude',
  longitude: 'Longitude',
}

type Plain = Record<string, unknown>
type Entry = { action?: string; before: unknown; after: unknown; names?: Readonly<Record<string, string>> }
export type AuditChange = { label: string; before: string | null; after: string | null }

/** What every row carries and nobody asks about; a file is told by its name beside it. */
const silent = new Set([
  'id',
  'version',
  'createdAt',
  'updatedAt',
  'tenantId',
  'mediaId',
  'messageId',
  'mergeId',
  'uses',
])

/** What an entry changed, field by field, as people read it; `null` where the row did not exist. */
export const auditChanges = (entry: Entry): AuditChange[] => {
  const [before, after] = [asPlain(entry.before), asPlain(entry.after)]
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names
    .filter((name) => !silent.has(name) && JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]))
    .map((name) => ({
      label: labelOf(name),
      before: before && auditValue(before[name], entry),
      after: after && auditValue(after[name], entry),
    }))
    .filter((change) => change.before !== change.after)
}

/** How the row was called, or what it belongs to where it has no name of its own. */
export const auditSubject = (entry: Entry & { entity: string; entityId: string }): string => {
  if (entry.entity === 'settings')
    return entry.entityId
      .split(',')
      .flatMap((key) => fields[key] ?? [])
      .join(', ')
  const row: Plain = { ...asPlain(entry.before), ...asPlain(entry.after) }
  const own = row.name ?? row.title ?? row.key ?? row.protocol ?? asPlain(row.contact)?.name
  const known = [entry.entityId, row.ticketId, row.contactId].map((id) => entry.names?.[String(id)])
  return String(own ?? known.find((name) => name !== undefined) ?? about[entry.action ?? '']?.(row) ?? row.reason ?? '')
}

/** What is about no single row. */
const about: Record<string, (row: Plain) => string> = {
  'contact.exported': (row) => (row.isFiltered ? 'Só os do filtro escolhido' : 'Todos os contatos'),
  'bulk.changeContacts': ({ total, change }) => `${total === 1 ? '1 contato' : `${total} contatos`}: ${change}`,
  'connection.exported': (row) => (row.isFiltered ? 'Só os do filtro escolhido' : 'Todos os canais'),
  'proxy.exported': () => 'Uso dos proxies',
  'audit.exported': ({ dateFrom, dateTo }) => {
    if (dateFrom && dateTo) return `De ${dayText(dateFrom)} até ${dayText(dateTo)}`
    if (dateFrom) return `Desde ${dayText(dateFrom)}`
    return dateTo ? `Até ${dayText(dateTo)}` : 'Todo o período'
  },
  'impersonation.ended': () => 'Fim da visita',
  'tickets.refreshed': () => 'Todos os atendimentos',
  ...Object.fromEntries(
    ['closeTickets', 'transferQueue', 'moveChannel', 'markRead', 'tagTickets'].map((kind) => [
      `bulk.${kind}`,
      ({ total }: Plain) => (total === 1 ? '1 atendimento' : `${total} atendimentos`),
    ]),
  ),
}
const dayText = (day: unknown) => String(day).replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3/$2/$1')

const labelOf = (name: string): string => fields[name] ?? name

const asPlain = (value: unknown): Plain | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Plain) : null // JSON's objects have text keys

const auditValue = (value: unknown, entry: Entry): string => {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não'
  if (Array.isArray(value)) return value.map((one) => auditValue(one, entry)).join(', ')
  const row = asPlain(value)
  if (!row) return entry.names?.[String(value)] ?? String(value)
  if (typeof row.name === 'string') return row.name
  const part = partLabels[row.kind as PartKind]
  if (part && 'body' in row) return `${part}: ${row.body || auditValue(row.media, entry)}`
  return Object.entries(row)
    .map(([name, one]) => `${labelOf(name)}: ${auditValue(one, entry)}`)
    .join('; ')
}
