import { z } from 'zod'
import { type Permission, permissions } from '../permissions.ts'
import { resource, rowMeta } from '../resource.ts'

/** One box of a role's tree: what it is called, and what ticking it grants. */
type Right = { label: string; grants: readonly Permission[] }

/** What a role may grant, in the order and the words of its form. What everybody needs to work is granted anyway. */
export const roleRights: readonly { label: string; rights: readonly Right[] }[] = [
  {
    label: 'Conversas',
    rights: [
      { label: 'Ver conversas', grants: ['tickets.read', 'messages.read'] },
      { label: 'Atender e responder', grants: ['tickets.write', 'messages.write'] },
      { label: 'Ver as conversas de todos', grants: ['tickets.showAll'] },
      { label: 'Acompanhar no painel', grants: ['tickets.supervise'] },
      { label: 'Ações em massa e encerramento forçado', grants: ['tickets.force'] },
      { label: 'Marcar todas como lidas', grants: ['tickets.markAll'] },
      { label: 'Usar o copiloto', grants: ['copilot.use'] },
      { label: 'Ligar com assistente de voz', grants: ['calls.write'] },
      { label: 'Ver a lista de ligações', grants: ['calls.read'] },
      { label: 'Escrever sem passar por outra fila', grants: ['messages.direct'] },
      { label: 'Editar e apagar mensagens dos outros', grants: ['messages.moderate'] },
      { label: 'Excluir conversas', grants: ['tickets.delete'] },
    ],
  },
  {
    label: 'Organização',
    rights: [
      { label: 'Tarefas', grants: ['tasks.read', 'tasks.write'] },
      { label: 'Tarefas de todos', grants: ['tasks.showAll'] },
      { label: 'Agendamentos', grants: ['schedules.write'] },
      { label: 'Notas', grants: ['notes.read'] },
      { label: 'Protocolos', grants: ['protocols.read'] },
      { label: 'Mensagens rápidas próprias', grants: ['quick-messages.write'] },
      { label: 'Mensagens rápidas de todos', grants: ['quick-messages.share'] },
      { label: 'Respostas automáticas', grants: ['auto-replies.write'] },
      { label: 'Fluxos', grants: ['flows.write'] },
      { label: 'Assistentes e conhecimento', grants: ['assistants.write'] },
    ],
  },
  {
    label: 'Contatos',
    rights: [
      { label: 'Ver contatos', grants: ['contacts.read'] },
      { label: 'Cadastrar e alterar', grants: ['contacts.write'] },
      { label: 'Ver os de todas as carteiras', grants: ['contacts.showAll'] },
      { label: 'Unir repetidos', grants: ['contacts.merge'] },
      { label: 'Exportar', grants: ['contacts.export'] },
      { label: 'Importar', grants: ['contacts.import'] },
      { label: 'Segmentos de todos', grants: ['segments.write'] },
      { label: 'Ver CPF e CNPJ inteiros', grants: ['contacts.documents'] },
      { label: 'Importar listas de descadastro', grants: ['contacts.consent'] },
      { label: 'Excluir', grants: ['contacts.delete'] },
    ],
  },
  {
    label: 'Vendas',
    rights: [
      { label: 'Ver o funil', grants: ['funnel.read'] },
      { label: 'Criar e mover oportunidades', grants: ['funnel.write'] },
      { label: 'Ver as oportunidades de todos', grants: ['funnel.showAll'] },
      { label: 'Montar o funil', grants: ['funnel.manage'] },
    ],
  },
  {
    label: 'Campanhas e grupos',
    rights: [
      { label: 'Ver campanhas', grants: ['campaigns.read'] },
      { label: 'Criar e enviar campanhas', grants: ['campaigns.write'] },
      { label: 'Aprovar campanhas', grants: ['campaigns.approve'] },
      { label: 'Ver grupos e regras', grants: ['groups.read'] },
      { label: 'Mudar grupos e regras', grants: ['groups.write'] },
    ],
  },
  {
    label: 'Equipe e números',
    rights: [
      { label: 'Acompanhar a equipe', grants: ['users.supervise'] },
      { label: 'Indicadores', grants: ['dashboard.read'] },
      { label: 'Monitor do atendimento', grants: ['monitor.read'] },
      { label: 'Relatórios', grants: ['reports.read'] },
      { label: 'Ver avaliações', grants: ['ratings.read'] },
      { label: 'Registrar avaliações', grants: ['ratings.grade'] },
    ],
  },
  {
    label: 'Cadastros',
    rights: [
      { label: 'Etiquetas', grants: ['tags.write'] },
      { label: 'Etapas do quadro de contatos', grants: ['lanes.write'] },
      { label: 'Filas', grants: ['queues.write'] },
      { label: 'Motivos', grants: ['reasons.write'] },
      { label: 'Mensagens de fechamento', grants: ['farewells.write'] },
      { label: 'Nossas lojas', grants: ['places.write'] },
      { label: 'Números bloqueados', grants: ['blocked-numbers.write'] },
    ],
  },
  {
    label: 'Administração',
    rights: [
      { label: 'Usuários e perfis', grants: ['users.write'] },
      { label: 'Canais', grants: ['connections.write', 'journal.read'] },
      { label: 'Modelos de mensagem', grants: ['templates.write'] },
      { label: 'Integrações', grants: ['integrations.write'] },
      { label: 'Ajustes da empresa', grants: ['settings.write'] },
      { label: 'Horário de atendimento', grants: ['business-hours.write'] },
      { label: 'Configurar avaliações', grants: ['ratings.write'] },
      { label: 'Auditoria', grants: ['audit.read'] },
      { label: 'Exportações e ações em lote de todos', grants: ['jobs.supervise'] },
    ],
  },
]

const grantable = new Set<string>(roleRights.flatMap(({ rights }) => rights.flatMap(({ grants }) => grants)))
const roleWrite = z.object({
  name: z.string().trim().min(2, 'Informe o nome.').max(60, 'Use no máximo 60 caracteres.'),
  permissions: z
    .array(z.enum(permissions.filter((name) => grantable.has(name)) as [Permission, ...Permission[]]))
    .min(1, 'Escolha o que este perfil pode fazer.')
    .max(100),
})
export const role = rowMeta.extend(roleWrite.shape).extend({ usersCount: z.int() })
export type Role = z.output<typeof role>

/** A profile that a company makes, beside the three that everybody has. */
export const roleResource = resource({
  path: '/roles',
  event: 'role',
  label: { one: 'Perfil', many: 'Perfis' },
  row: role,
  write: roleWrite,
  fields: { name: 'Nome', usersCount: 'Pessoas', permissions: 'Permissões' },
  sort: ['name', 'createdAt', 'updatedAt'],
  can: { read: 'users.write', write: 'users.write' },
})
