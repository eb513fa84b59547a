import type { Permission } from '@balcao/contract/permissions.ts'
import {
  type Icon,
  IconAddressBook,
  IconBolt,
  IconBraces,
  IconBuilding,
  IconCalendarClock,
  IconCertificate,
  IconChecklist,
  IconClockHour4,
  IconHome,
  IconLayoutBoard,
  IconListCheck,
  IconMessageCheck,
  IconMessages,
  IconNote,
  IconPlugConnected,
  IconSettings,
  IconStar,
  IconTag,
  IconTicket,
  IconUserShield,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'

export type ScreenGroup = 'trabalho' | 'cadastros' | 'gestao' | 'plataforma'
export type Screen = {
  path: `/${string}`
  /** The route's name, which `menuVisibility` may hide (spec §5). */
  name: string
  label: string
  /** Where it stands in the menu; none: reachable, not listed. */
  group: ScreenGroup | null
  icon: Icon
  /** Who may open it. */
  can?: Permission
  /** The `menuVisibility` key; the name when not given. */
  menu?: string
  /** Further paths below that the same screen answers, e.g. `[':ticketId']`. */
  below?: readonly string[]
  load: () => Promise<{ default: ComponentType }>
}

export const groupLabels: Record<ScreenGroup, string> = {
  trabalho: 'Trabalho',
  cadastros: 'Cadastros',
  gestao: 'Gestão',
  plataforma: 'Plataforma',
}

/** Every screen behind the login: routes, menu, guard and command bar are made from these rows. */
// biome-ignore format: a table reads as lines
export const screens: readonly Screen[] = [
  { path: '/home', name: 'home', label: 'Início', group: 'trabalho', icon: IconHome, can: 'dashboard.read', load: () => import('../screens/home/home-screen.tsx') },
  { path: '/atendimento', name: 'atendimento', label: 'Atendimento', group: 'trabalho', icon: IconMessages, can: 'tickets.read', below: ['chats', 'contatos', ':ticketId'], load: () => import('../screens/atendimento/atendimento-screen.tsx') },
  { path: '/contatos', name: 'contatos', label: 'Contatos', group: 'trabalho', icon: IconAddressBook, can: 'contacts.read', load: () => import('../screens/contatos/contatos-screen.tsx') },
  { path: '/painel-atendimentos', name: 'painel-atendimentos', label: 'Painel de atendimentos', group: 'trabalho', icon: IconLayoutBoard, can: 'tickets.supervise', load: () => import('../screens/painel-atendimentos/painel-atendimentos-screen.tsx') },
  { path: '/etiquetas', name: 'etiquetas', label: 'Etiquetas', group: 'cadastros', icon: IconTag, can: 'tags.read', load: () => import('../screens/etiquetas/etiquetas-screen.tsx') },
  { path: '/filas', name: 'filas', label: 'Filas', group: 'cadastros', icon: IconUsersGroup, can: 'queues.read', load: () => import('../screens/filas/filas-screen.tsx') },
  { path: '/mensagens-rapidas', name: 'mensagens-rapidas', label: 'Mensagens rápidas', group: 'cadastros', icon: IconBolt, can: 'quick-messages.read', load: () => import('../screens/mensagens-rapidas/mensagens-rapidas-screen.tsx') },
  { path: '/tarefas', name: 'tarefas', label: 'Tarefas', group: 'trabalho', icon: IconChecklist, can: 'tasks.read', load: () => import('../screens/tarefas/tarefas-screen.tsx') },
  { path: '/agendamentos', name: 'agendamentos', label: 'Agendamentos', group: 'trabalho', icon: IconCalendarClock, can: 'schedules.write', load: () => import('../screens/agendamentos/agendamentos-screen.tsx') },
  { path: '/notas', name: 'notas', label: 'Notas', group: 'trabalho', icon: IconNote, can: 'notes.read', load: () => import('../screens/notas/notas-screen.tsx') },
  { path: '/protocolos', name: 'protocolos', label: 'Protocolos', group: 'trabalho', icon: IconTicket, can: 'protocols.read', load: () => import('../screens/protocolos/protocolos-screen.tsx') },
  { path: '/avaliacoes/listar', name: 'avaliacoes-listar', label: 'Avaliações', group: 'gestao', icon: IconStar, can: 'ratings.read', menu: 'avaliacoes', load: () => import('../screens/avaliacoes/listar-screen.tsx') },
  { path: '/fechamento', name: 'fechamento', label: 'Fechamento', group: 'cadastros', icon: IconMessageCheck, can: 'farewells.write', load: () => import('../screens/fechamento/fechamento-screen.tsx') },
  { path: '/configuracoes/motivos', name: 'motivos', label: 'Motivos', group: 'cadastros', icon: IconListCheck, can: 'reasons.write', load: () => import('../screens/motivos/motivos-screen.tsx') },
  { path: '/configuracoes/variaveis', name: 'variaveis', label: 'Variáveis', group: 'cadastros', icon: IconBraces, can: 'quick-messages.read', load: () => import('../screens/variaveis/variaveis-screen.tsx') },
  { path: '/usuarios', name: 'usuarios', label: 'Usuários', group: 'gestao', icon: IconUsers, can: 'users.write', load: () => import('../screens/usuarios/usuarios-screen.tsx') },
  { path: '/sessoes', name: 'sessoes', label: 'Canais', group: 'gestao', icon: IconPlugConnected, can: 'connections.write', load: () => import('../screens/sessoes/sessoes-screen.tsx') },
  { path: '/horario-atendimento', name: 'horario-atendimento', label: 'Horário de atendimento', group: 'gestao', icon: IconClockHour4, can: 'business-hours.write', load: () => import('../screens/horario-atendimento/horario-atendimento-screen.tsx') },
  { path: '/configuracoes/geral', name: 'geral', label: 'Configurações', group: 'gestao', icon: IconSettings, can: 'settings.write', menu: 'configuracoes', load: () => import('../screens/configuracoes/configuracoes-screen.tsx') },
  { path: '/assinatura', name: 'assinatura', label: 'Assinatura', group: 'plataforma', icon: IconCertificate, can: 'platform.read', load: () => import('../screens/assinatura/assinatura-screen.tsx') },
  { path: '/tenants', name: 'tenants', label: 'Empresas', group: 'plataforma', icon: IconBuilding, can: 'tenants.read', load: () => import('../screens/tenants/tenants-screen.tsx') },
  { path: '/usuariotenants', name: 'usuariotenants', label: 'Usuários das empresas', group: 'plataforma', icon: IconUserShield, can: 'tenants.write', load: () => import('../screens/usuariotenants/usuariotenants-screen.tsx') },
  { path: '/avaliacoes/configurar', name: 'avaliacoes-configurar', label: 'Configurar avaliações', group: null, icon: IconStar, can: 'ratings.write', menu: 'avaliacoes', load: () => import('../screens/avaliacoes/configurar-screen.tsx') },
  { path: '/avaliacoes', name: 'avaliacoes', label: 'Avaliações', group: null, icon: IconStar, can: 'ratings.read', load: () => import('../screens/avaliacoes/avaliacoes-screen.tsx') },
  { path: '/configuracoes', name: 'configuracoes', label: 'Configurações', group: null, icon: IconSettings, can: 'settings.write', load: () => import('../screens/configuracoes/configuracoes-screen.tsx') },
]
