import { reports } from '@balcao/contract/operations/reports/definitions.ts'
import type { MenuKey, Permission } from '@balcao/contract/permissions.ts'
import {
  type Icon,
  IconActivity,
  IconAddressBook,
  IconBan,
  IconBolt,
  IconBook2,
  IconBraces,
  IconBrandMeta,
  IconBuilding,
  IconBuildingStore,
  IconCake,
  IconCalendarClock,
  IconCalendarDollar,
  IconCertificate,
  IconChartBar,
  IconChartHistogram,
  IconChecklist,
  IconClockHour4,
  IconCoffee,
  IconCoin,
  IconCoins,
  IconColumns3,
  IconCpu,
  IconDeviceMobileMessage,
  IconDeviceTv,
  IconDoorExit,
  IconEdit,
  IconEye,
  IconFileImport,
  IconFilter,
  IconFilterCog,
  IconGauge,
  IconHandStop,
  IconHistory,
  IconHome,
  IconId,
  IconKey,
  IconLayoutBoard,
  IconLayoutKanban,
  IconListCheck,
  IconLock,
  IconMail,
  IconMailOff,
  IconMapPin,
  IconMathFunction,
  IconMessage2,
  IconMessageBolt,
  IconMessageChatbot,
  IconMessageCheck,
  IconMessageOff,
  IconMessages,
  IconNote,
  IconPhoneCall,
  IconPlug,
  IconPlugConnected,
  IconProgressCheck,
  IconReportAnalytics,
  IconRobot,
  IconRoute,
  IconSend,
  IconServer,
  IconServerCog,
  IconSettings,
  IconSitemap,
  IconSparkles,
  IconSpeakerphone,
  IconStar,
  IconStarHalf,
  IconTable,
  IconTag,
  IconTemplate,
  IconTicket,
  IconTimeline,
  IconTopologyStar3,
  IconUserCircle,
  IconUserPlus,
  IconUserShield,
  IconUsers,
  IconUsersGroup,
  IconUsersMinus,
  IconWebhook,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'

/** The areas of the menu, in its order; one that has no screen for a person is not shown to them. */
export const areas = [
  { key: 'inicio', label: 'Início', icon: IconHome },
  { key: 'atendimento', label: 'Atendimento', icon: IconMessages },
  { key: 'contatos', label: 'Contatos', icon: IconAddressBook },
  { key: 'vendas', label: 'Vendas', icon: IconCoins },
  { key: 'campanhas', label: 'Campanhas', icon: IconSpeakerphone },
  { key: 'automacao', label: 'Automação', icon: IconRobot },
  { key: 'relatorios', label: 'Relatórios', icon: IconChartBar },
  { key: 'configuracoes', label: 'Configurações', icon: IconSettings },
  { key: 'plataforma', label: 'Plataforma', icon: IconServerCog },
] as const satisfies readonly { key: string; label: string; icon: Icon }[]
export type Area = (typeof areas)[number]
export type AreaKey = Area['key']

export type Screen = {
  path: `/${string}`
  /** The route's name, which `menuVisibility` may hide. */
  name: string
  label: string
  /** Where it stands in the menu; null: not listed there. */
  area: AreaKey | null
  /** The heading under which it stands in its area. */
  group?: string
  icon: Icon
  /** Who may open it. */
  can?: Permission
  /** The `menuVisibility` key; the name when not given. */
  menu?: MenuKey
  /** What people may look for when they mean this screen, besides its name. */
  words?: string
  /** Leads elsewhere by itself, so that nobody looks for it. */
  redirects?: true
  /** One of the first in the bar of a phone. */
  phone?: true
  /** Needs its whole width: the second column of the menu starts closed. */
  wide?: true
  /** Further paths below that the same screen answers, e.g. `[':ticketId']`. */
  below?: readonly string[]
  load: () => Promise<{ default: ComponentType }>
}

/** Reports that `menuVisibility` names by their last word; the others share theirs with other screens. */
const ownNames = [
  'lista-contatos',
  'contatos-por-etiquetas',
  'contatos-por-estado',
  'contatos-por-kanban',
  'contatos-por-carteira',
  'estatisticas-atendimentos-usuarios',
  'atendimentos-por-parametros',
]

/** Every screen behind the login: routes, menu, guard and command bar are made from these rows, in this order. */
// biome-ignore format: a table reads as lines
export const screens: readonly Screen[] = [
  { path: '/home', name: 'home', label: 'Início', area: 'inicio', icon: IconHome, phone: true, can: 'dashboard.read', words: 'painel indicadores dashboard', load: () => import('../screens/operations/home/home-screen.tsx') },

  { path: '/atendimento', name: 'atendimento', label: 'Atendimento', area: 'atendimento', group: 'Conversas', icon: IconMessages, phone: true, wide: true, can: 'tickets.read', words: 'conversas chat mensagens inbox', below: ['chats', 'contatos', ':ticketId'], load: () => import('../screens/conversations/atendimento/atendimento-screen.tsx') },
  { path: '/painel-atendimentos', name: 'painel-atendimentos', label: 'Painel de atendimentos', area: 'atendimento', group: 'Conversas', icon: IconLayoutBoard, wide: true, can: 'tickets.supervise', words: 'supervisão equipe TV', load: () => import('../screens/conversations/painel-atendimentos/painel-atendimentos-screen.tsx') },
  { path: '/monitor', name: 'monitor', label: 'Monitor', area: 'atendimento', group: 'Conversas', icon: IconDeviceTv, can: 'monitor.read', words: 'TV televisão tela parede filas espera ao vivo', load: () => import('../screens/operations/monitor/monitor-screen.tsx') },
  { path: '/protocolos', name: 'protocolos', label: 'Protocolos', area: 'atendimento', group: 'Conversas', icon: IconTicket, can: 'protocols.read', load: () => import('../screens/service/protocolos/protocolos-screen.tsx') },
  { path: '/ligacoes', name: 'ligacoes', label: 'Ligações', area: 'atendimento', group: 'Conversas', icon: IconPhoneCall, can: 'calls.read', words: 'telefone voz vapi gravação transcrição chamadas assistente de voz', load: () => import('../screens/automation/ligacoes/ligacoes-screen.tsx') },
  { path: '/tarefas', name: 'tarefas', label: 'Tarefas', area: 'atendimento', group: 'Organização', icon: IconChecklist, phone: true, can: 'tasks.read', words: 'lembretes', load: () => import('../screens/operations/tarefas/tarefas-screen.tsx') },
  { path: '/agendamentos', name: 'agendamentos', label: 'Agendamentos', area: 'atendimento', group: 'Organização', icon: IconCalendarClock, can: 'schedules.write', words: 'mensagens agendadas calendário', load: () => import('../screens/operations/agendamentos/agendamentos-screen.tsx') },
  { path: '/notas', name: 'notas', label: 'Notas', area: 'atendimento', group: 'Organização', icon: IconNote, can: 'notes.read', load: () => import('../screens/conversations/notas/notas-screen.tsx') },
  { path: '/mensagens-rapidas', name: 'mensagens-rapidas', label: 'Mensagens rápidas', area: 'atendimento', group: 'Organização', icon: IconBolt, can: 'quick-messages.read', words: 'respostas prontas atalhos macros', load: () => import('../screens/service/mensagens-rapidas/mensagens-rapidas-screen.tsx') },

  { path: '/contatos', name: 'contatos', label: 'Contatos', area: 'contatos', icon: IconAddressBook, phone: true, can: 'contacts.read', words: 'clientes agenda telefones', load: () => import('../screens/contacts/contatos/contatos-screen.tsx') },
  { path: '/contatos/repetidos', name: 'repetidos', label: 'Contatos repetidos', area: 'contatos', icon: IconUsersMinus, can: 'contacts.merge', menu: 'contatos', words: 'duplicados unir juntar mesclar mesma pessoa', load: () => import('../screens/contacts/repetidos/repetidos-screen.tsx') },
  { path: '/descadastrados', name: 'descadastrados', label: 'Descadastrados', area: 'contatos', icon: IconMailOff, can: 'contacts.read', menu: 'contatos', words: 'opt-out sair parar consentimento LGPD supressão não receber campanhas', load: () => import('../screens/contacts/descadastrados/descadastrados-screen.tsx') },
  { path: '/contatos/importar', name: 'importar-contatos', label: 'Importar contatos', area: 'contatos', icon: IconFileImport, can: 'contacts.import', menu: 'contatos', words: 'planilha csv excel xlsx vcard desfazer importação', load: () => import('../screens/contacts/importar/importar-screen.tsx') },
  { path: '/aniversarios', name: 'aniversarios', label: 'Aniversários', area: 'contatos', icon: IconCake, can: 'contacts.read', words: 'parabéns felicitações nascimento', load: () => import('../screens/operations/aniversarios/aniversarios-screen.tsx') },
  { path: '/kanban/kanbans', name: 'kanbans', label: 'Quadro por etapa', area: 'contatos', icon: IconLayoutKanban, wide: true, can: 'contacts.read', menu: 'kanban', words: 'kanban quadro funil etapas lanes', load: () => import('../screens/contacts/kanban/kanbans-screen.tsx') },
  { path: '/kanban/tags', name: 'kanban-tags', label: 'Quadro por etiqueta', area: 'contatos', icon: IconTag, wide: true, can: 'contacts.read', menu: 'kanban', words: 'kanban quadro tags marcadores', load: () => import('../screens/contacts/kanban/tags-screen.tsx') },
  { path: '/kanban', name: 'kanban', label: 'Quadro de contatos', area: null, redirects: true, icon: IconLayoutKanban, can: 'contacts.read', load: () => import('../screens/contacts/kanban/kanban-screen.tsx') },
  { path: '/segmentos', name: 'segmentos', label: 'Segmentos', area: 'contatos', icon: IconFilter, can: 'contacts.read', words: 'filtros público regras grupos audiência', load: () => import('../screens/contacts/segmentos/segmentos-screen.tsx') },
  { path: '/lanes', name: 'lanes', label: 'Etapas do quadro', area: 'contatos', icon: IconColumns3, can: 'lanes.write', words: 'lanes kanban colunas', load: () => import('../screens/contacts/lanes/lanes-screen.tsx') },

  { path: '/funil/dashboard', name: 'funil-dashboard', label: 'Números das vendas', area: 'vendas', icon: IconChartHistogram, can: 'funnel.read', menu: 'funil', words: 'funil vendas previsão conversão dashboard', load: () => import('../screens/sales/funil/dashboard-screen.tsx') },
  { path: '/funil/kanban', name: 'funil-kanban', label: 'Funil', area: 'vendas', icon: IconCoins, wide: true, can: 'funnel.read', menu: 'funil', words: 'oportunidades negócios vendas quadro kanban pipeline CRM', load: () => import('../screens/sales/funil/kanban-screen.tsx') },
  { path: '/funil/calendar', name: 'funil-calendar', label: 'Previsões', area: 'vendas', icon: IconCalendarDollar, can: 'funnel.read', menu: 'funil', words: 'calendário fechamento oportunidades', load: () => import('../screens/sales/funil/calendar-screen.tsx') },
  { path: '/funil/acao', name: 'funil-acao', label: 'Ações do funil', area: 'vendas', icon: IconBolt, can: 'funnel.manage', menu: 'funil', words: 'automação dias na etapa silêncio lembrete seguimento follow-up', load: () => import('../screens/sales/funil/acao-screen.tsx') },
  { path: '/funil/pipelines', name: 'funil-pipelines', label: 'Montar o funil', area: 'vendas', icon: IconFilterCog, can: 'funnel.manage', menu: 'funil', words: 'pipelines etapas motivos de perda ganho', load: () => import('../screens/sales/funil/pipelines-screen.tsx') },
  { path: '/funil', name: 'funil', label: 'Funil de vendas', area: null, redirects: true, icon: IconCoins, can: 'funnel.read', load: () => import('../screens/sales/funil/funil-screen.tsx') },

  { path: '/campanhas', name: 'campanhas', label: 'Campanhas', area: 'campanhas', icon: IconSpeakerphone, can: 'campaigns.read', words: 'marketing disparo promoção transmissão broadcast', below: [':campanhaId'], load: () => import('../screens/operations/campanhas/campanhas-screen.tsx') },
  { path: '/massa/texto', name: 'massa-texto', label: 'Texto em massa', area: 'campanhas', group: 'Envios de agora', icon: IconSend, can: 'campaigns.write', menu: 'massa', words: 'disparo lista números bulk', load: () => import('../screens/operations/massa/texto-screen.tsx') },
  { path: '/massa/textovariavel', name: 'massa-textovariavel', label: 'Texto com variáveis', area: 'campanhas', group: 'Envios de agora', icon: IconBraces, can: 'campaigns.write', menu: 'massa', words: 'disparo planilha colunas tabela', load: () => import('../screens/operations/massa/textovariavel-screen.tsx') },
  { path: '/massa/sms', name: 'massa-sms', label: 'SMS em massa', area: 'campanhas', group: 'Envios de agora', icon: IconDeviceMobileMessage, can: 'campaigns.write', menu: 'massa', words: 'torpedo twilio zenvia', load: () => import('../screens/operations/massa/sms-screen.tsx') },
  { path: '/massa/template', name: 'massa-template', label: 'Modelos em massa', area: 'campanhas', group: 'Envios de agora', icon: IconTemplate, can: 'campaigns.write', menu: 'massa', words: 'template HSM WhatsApp oficial disparo', load: () => import('../screens/operations/massa/template-screen.tsx') },
  { path: '/massa/template-variavel', name: 'massa-template-variavel', label: 'Modelos com variáveis', area: 'campanhas', group: 'Envios de agora', icon: IconTable, can: 'campaigns.write', menu: 'massa', words: 'template planilha colunas HSM', load: () => import('../screens/operations/massa/template-variavel-screen.tsx') },
  { path: '/massa', name: 'massa', label: 'Envios em massa', area: null, redirects: true, icon: IconSend, can: 'campaigns.write', load: () => import('../screens/operations/massa/massa-screen.tsx') },

  { path: '/grupo/massagrupos', name: 'massagrupos', label: 'Grupos', area: 'campanhas', group: 'Grupos', icon: IconUsersGroup, can: 'groups.read', menu: 'grupo', words: 'grupos WhatsApp Telegram criar link convite agendar massagrupos', load: () => import('../screens/operations/grupo/massagrupos-screen.tsx') },
  { path: '/grupo/massagrupos2', name: 'massagrupos2', label: 'Alterar grupos', area: 'campanhas', group: 'Grupos', icon: IconEdit, can: 'groups.read', menu: 'grupo', words: 'nome título descrição foto só administradores em massa massagrupos2', load: () => import('../screens/operations/grupo/massagrupos2-screen.tsx') },
  { path: '/grupo/massausuarios', name: 'massausuarios', label: 'Pessoas dos grupos', area: 'campanhas', group: 'Grupos', icon: IconUserPlus, can: 'groups.read', menu: 'grupo', words: 'participantes adicionar remover administradores promover massausuarios', load: () => import('../screens/operations/grupo/massausuarios-screen.tsx') },
  { path: '/grupo/saudacao', name: 'saudacao', label: 'Saudação', area: 'campanhas', group: 'Grupos', icon: IconHandStop, can: 'groups.read', menu: 'grupo', words: 'boas-vindas entrou no grupo', load: () => import('../screens/operations/grupo/saudacao-screen.tsx') },
  { path: '/grupo/despedida', name: 'despedida', label: 'Despedida', area: 'campanhas', group: 'Grupos', icon: IconDoorExit, can: 'groups.read', menu: 'grupo', words: 'saiu do grupo tchau', load: () => import('../screens/operations/grupo/despedida-screen.tsx') },
  { path: '/grupo/wordlist', name: 'wordlist', label: 'Palavras proibidas', area: 'campanhas', group: 'Grupos', icon: IconMessageOff, can: 'groups.read', menu: 'grupo', words: 'palavrão moderação apagar avisar wordlist', load: () => import('../screens/operations/grupo/wordlist-screen.tsx') },
  { path: '/grupo/banlist', name: 'banlist', label: 'Banidos', area: 'campanhas', group: 'Grupos', icon: IconBan, can: 'groups.read', menu: 'grupo', words: 'banir expulsar remover do grupo lista negra banlist', load: () => import('../screens/operations/grupo/banlist-screen.tsx') },
  { path: '/grupo/registro', name: 'registro-grupos', label: 'Registro', area: 'campanhas', group: 'Grupos', icon: IconHistory, can: 'groups.read', menu: 'grupo', words: 'log histórico regras dos grupos', load: () => import('../screens/operations/grupo/registro-screen.tsx') },
  { path: '/grupo', name: 'grupo', label: 'Grupos', area: null, redirects: true, icon: IconUsersGroup, can: 'groups.read', load: () => import('../screens/operations/grupo/grupo-screen.tsx') },

  { path: '/chat-flow', name: 'chat-flow', label: 'Fluxos', area: 'automacao', icon: IconSitemap, wide: true, can: 'flows.write', words: 'chatbot robô bot fluxo de conversa menu automático construtor chat flow', below: ['builder/:flowId'], load: () => import('../screens/automation/chat-flow/chat-flow-screen.tsx') },
  { path: '/assistentes', name: 'assistentes', label: 'Assistentes', area: 'automacao', icon: IconRobot, wide: true, can: 'assistants.write', words: 'inteligência artificial ia robô gpt claude gemini chatbot assistente agente', below: [':assistantId'], load: () => import('../screens/automation/assistentes/assistentes-screen.tsx') },
  { path: '/conhecimento', name: 'conhecimento', label: 'Conhecimento', area: 'automacao', icon: IconBook2, can: 'assistants.write', words: 'base perguntas documentos pdf site faq busca lacunas rag', below: [':baseId'], load: () => import('../screens/automation/conhecimento/conhecimento-screen.tsx') },
  { path: '/auto-resposta', name: 'auto-resposta', label: 'Respostas automáticas', area: 'automacao', icon: IconMessageBolt, can: 'auto-replies.write', words: 'robô palavras-chave menu resposta automática auto', load: () => import('../screens/service/auto-resposta/auto-resposta-screen.tsx') },

  { path: '/relatorios', name: 'relatorios', label: 'Todos os relatórios', area: 'relatorios', icon: IconReportAnalytics, can: 'reports.read', words: 'números estatísticas indicadores gráficos', load: () => import('../screens/operations/relatorios/relatorios-screen.tsx') },
  ...reports.map(
    ({ key, title, purpose, group }): Screen => ({
      ...{ path: `/relatorios/${key}`, name: ownNames.includes(key) ? key : `relatorio-${key}`, label: title, area: 'relatorios', group, icon: IconChartBar, can: 'reports.read' },
      ...{ menu: 'relatorios', words: `relatório ${purpose}`, load: () => import('../screens/operations/relatorios/relatorio-screen.tsx') },
    }),
  ),
  { path: '/relatorios/medidas', name: 'medidas', label: 'Como os números são calculados', area: 'relatorios', icon: IconMathFunction, can: 'reports.read', menu: 'relatorios', words: 'TMA TME definição medidas métricas fórmula', load: () => import('../screens/operations/relatorios/medidas-screen.tsx') },
  { path: '/avaliacoes/listar', name: 'avaliacoes-listar', label: 'Avaliações', area: 'relatorios', icon: IconStar, can: 'ratings.read', menu: 'avaliacoes', words: 'notas satisfação pesquisa', load: () => import('../screens/service/avaliacoes/listar-screen.tsx') },

  { path: '/configuracoes/geral', name: 'geral', label: 'Dados e aparência', area: 'configuracoes', group: 'Empresa', icon: IconBuildingStore, can: 'settings.write', menu: 'configuracoes', words: 'geral empresa', load: () => import('../screens/people/configuracoes/geral-screen.tsx') },
  { path: '/horario-atendimento', name: 'horario-atendimento', label: 'Horário de atendimento', area: 'configuracoes', group: 'Empresa', icon: IconClockHour4, can: 'business-hours.write', words: 'feriados semana ausência mensagem fora do horário', load: () => import('../screens/people/horario-atendimento/horario-atendimento-screen.tsx') },
  { path: '/usuarios', name: 'usuarios', label: 'Usuários', area: 'configuracoes', group: 'Equipe', icon: IconUsers, can: 'users.write', words: 'pessoas equipe atendentes permissões', load: () => import('../screens/people/usuarios/usuarios-screen.tsx') },
  { path: '/perfis', name: 'perfis', label: 'Perfis', area: 'configuracoes', group: 'Equipe', icon: IconLock, can: 'users.write', menu: 'usuarios', words: 'permissões papéis funções acesso', load: () => import('../screens/people/perfis/perfis-screen.tsx') },
  { path: '/emails', name: 'emails', label: 'E-mails enviados', area: 'configuracoes', group: 'Equipe', icon: IconMail, can: 'users.write', menu: 'usuarios', words: 'convites senha envio falha SMTP', load: () => import('../screens/people/emails/emails-screen.tsx') },
  { path: '/configuracoes/pausas', name: 'pausas', label: 'Pausas da equipe', area: 'configuracoes', group: 'Equipe', icon: IconCoffee, can: 'settings.write', menu: 'configuracoes', load: () => import('../screens/people/configuracoes/pausas-screen.tsx') },
  { path: '/configuracoes/acesso', name: 'acesso', label: 'Acesso e suporte', area: 'configuracoes', group: 'Equipe', icon: IconKey, can: 'settings.write', menu: 'configuracoes', load: () => import('../screens/people/configuracoes/acesso-screen.tsx') },
  { path: '/sessoes', name: 'sessoes', label: 'Canais', area: 'configuracoes', group: 'Canais', icon: IconPlugConnected, can: 'connections.write', words: 'conexões WhatsApp Telegram chat do site diário eventos webhook recebido', below: [':connectionId/diario'], load: () => import('../screens/channels/sessoes/sessoes-screen.tsx') },
  { path: '/configuracoes/sessoes', name: 'canais-limites', label: 'Limites e padrões', area: 'configuracoes', group: 'Canais', icon: IconGauge, can: 'connections.write', menu: 'sessoes', words: 'canais sessões limite plano tipos permitidos host servidores grupos ligações', load: () => import('../screens/channels/configuracoes/canais-limites-screen.tsx') },
  { path: '/configuracoes/evolution', name: 'evolution', label: 'Evolution API', area: 'configuracoes', group: 'Canais', icon: IconServer, can: 'connections.write', menu: 'sessoes', words: 'servidor WhatsApp QR code host gateway', load: () => import('../screens/channels/configuracoes/gateway-screen.tsx') },
  { path: '/configuracoes/uazapi', name: 'uazapi', label: 'uazapi', area: 'configuracoes', group: 'Canais', icon: IconServer, can: 'connections.write', menu: 'sessoes', words: 'servidor WhatsApp QR code host gateway', load: () => import('../screens/channels/configuracoes/gateway-screen.tsx') },
  { path: '/configuracoes/wuzapi', name: 'wuzapi', label: 'WuzAPI', area: 'configuracoes', group: 'Canais', icon: IconServer, can: 'connections.write', menu: 'sessoes', words: 'meow whatsmeow servidor WhatsApp QR code host gateway', load: () => import('../screens/channels/configuracoes/gateway-screen.tsx') },
  { path: '/configuracoes/zapi', name: 'zapi', label: 'Z-API', area: 'configuracoes', group: 'Canais', icon: IconServer, can: 'connections.write', menu: 'sessoes', words: 'zapi servidor WhatsApp QR code host gateway', load: () => import('../screens/channels/configuracoes/gateway-screen.tsx') },
  { path: '/configuracoes/webchat', name: 'webchat', label: 'Chat do site', area: 'configuracoes', group: 'Canais', icon: IconMessageChatbot, can: 'connections.write', menu: 'sessoes', words: 'widget janela site aparência cor textos perguntas instalar snippet CSP proativa', load: () => import('../screens/channels/configuracoes/webchat/webchat-screen.tsx') },
  { path: '/configuracoes/meta', name: 'meta', label: 'Meta', area: 'configuracoes', group: 'Canais', icon: IconBrandMeta, can: 'connections.write', menu: 'sessoes', words: 'facebook WhatsApp oficial Instagram Messenger página aplicativo Cloud API', load: () => import('../screens/channels/configuracoes/meta-screen.tsx') },
  { path: '/configuracoes/smtp', name: 'smtp', label: 'E-mail', area: 'configuracoes', group: 'Canais', icon: IconMail, can: 'connections.write', menu: 'sessoes', words: 'SMTP IMAP caixa postal Gmail Outlook Microsoft remetente conta de envio', load: () => import('../screens/channels/configuracoes/smtp-screen.tsx') },
  { path: '/configuracoes/sms', name: 'sms', label: 'SMS', area: 'configuracoes', group: 'Canais', icon: IconMessage2, can: 'connections.write', menu: 'sessoes', words: 'torpedo Twilio Zenvia SMSDev Comtele mensagem de texto', load: () => import('../screens/channels/configuracoes/sms-screen.tsx') },
  { path: '/configuracoes/hub', name: 'hub', label: 'NotificaMe Hub', area: 'configuracoes', group: 'Canais', icon: IconTopologyStar3, can: 'connections.write', menu: 'sessoes', words: 'notificame hub WhatsApp Instagram Messenger Telegram OLX Mercado Livre TikTok RCS token', load: () => import('../screens/channels/configuracoes/hub-screen.tsx') },
  { path: '/configuracoes/proxy', name: 'proxy', label: 'Proxies', area: 'configuracoes', group: 'Canais', icon: IconRoute, can: 'integrations.write', menu: 'integracoes', words: 'proxy socks saída ip', load: () => import('../screens/channels/configuracoes/proxies-screen.tsx') },
  { path: '/modelos', name: 'modelos', label: 'Modelos de mensagem', area: 'configuracoes', group: 'Canais', icon: IconTemplate, can: 'templates.write', words: 'template HSM WhatsApp oficial aprovado Meta marketing utilidade', load: () => import('../screens/channels/modelos/modelos-screen.tsx') },
  { path: '/configuracoes/precos', name: 'precos', label: 'Preço dos modelos', area: 'configuracoes', group: 'Canais', icon: IconCoin, can: 'settings.write', menu: 'configuracoes', words: 'custo gasto fatura Meta cobrança mensagens', load: () => import('../screens/people/configuracoes/precos-screen.tsx') },
  { path: '/filas', name: 'filas', label: 'Filas', area: 'configuracoes', group: 'Atendimento', icon: IconUsersGroup, can: 'queues.read', words: 'setores departamentos distribuição', load: () => import('../screens/service/filas/filas-screen.tsx') },
  { path: '/etiquetas', name: 'etiquetas', label: 'Etiquetas', area: 'configuracoes', group: 'Atendimento', icon: IconTag, can: 'tags.read', words: 'tags marcadores', load: () => import('../screens/contacts/etiquetas/etiquetas-screen.tsx') },
  { path: '/configuracoes/lanes', name: 'etapas', label: 'Etapas do quadro', area: 'configuracoes', group: 'Atendimento', icon: IconColumns3, can: 'lanes.write', menu: 'lanes', words: 'lanes kanban colunas', load: () => import('../screens/contacts/lanes/lanes-screen.tsx') },
  { path: '/configuracoes/motivos', name: 'motivos', label: 'Motivos', area: 'configuracoes', group: 'Atendimento', icon: IconListCheck, can: 'reasons.write', words: 'encerramento fechamento resultado', load: () => import('../screens/conversations/motivos/motivos-screen.tsx') },
  { path: '/configuracoes/lojas', name: 'lojas', label: 'Nossas lojas', area: 'configuracoes', group: 'Atendimento', icon: IconMapPin, can: 'places.write', words: 'endereços localização lugares filiais', load: () => import('../screens/conversations/lojas/lojas-screen.tsx') },
  { path: '/configuracoes/bloqueados', name: 'bloqueados', label: 'Números bloqueados', area: 'configuracoes', group: 'Atendimento', icon: IconBan, can: 'blocked-numbers.write', words: 'bloqueio lista negra spam', load: () => import('../screens/contacts/bloqueados/bloqueados-screen.tsx') },
  { path: '/configuracoes/visibilidade', name: 'visibilidade', label: 'Quem vê cada conversa', area: 'configuracoes', group: 'Atendimento', icon: IconEye, can: 'settings.write', menu: 'configuracoes', load: () => import('../screens/people/configuracoes/visibilidade-screen.tsx') },
  { path: '/configuracoes/conversas', name: 'conversas', label: 'Conversas e mensagens', area: 'configuracoes', group: 'Atendimento', icon: IconMessage2, can: 'settings.write', menu: 'configuracoes', load: () => import('../screens/people/configuracoes/conversas-screen.tsx') },
  { path: '/configuracoes/prazos', name: 'prazos', label: 'Prazos (SLA)', area: 'configuracoes', group: 'Atendimento', icon: IconTimeline, can: 'settings.write', menu: 'configuracoes', load: () => import('../screens/people/configuracoes/prazos-screen.tsx') },
  { path: '/configuracoes/encerramento', name: 'encerramento', label: 'Encerramento', area: 'configuracoes', group: 'Atendimento', icon: IconMessageOff, can: 'settings.write', menu: 'configuracoes', load: () => import('../screens/people/configuracoes/encerramento-screen.tsx') },
  { path: '/configuracoes/descadastro', name: 'descadastro', label: 'Descadastro', area: 'configuracoes', group: 'Atendimento', icon: IconMailOff, can: 'settings.write', menu: 'configuracoes', words: 'SAIR PARAR STOP opt-out palavras consentimento', load: () => import('../screens/people/configuracoes/descadastro-screen.tsx') },
  { path: '/fechamento', name: 'fechamento', label: 'Mensagens de fechamento', area: 'configuracoes', group: 'Atendimento', icon: IconMessageCheck, can: 'farewells.write', words: 'encerramento despedida', load: () => import('../screens/service/fechamento/fechamento-screen.tsx') },
  { path: '/avaliacoes/configurar', name: 'avaliacoes-configurar', label: 'Configurar avaliações', area: 'configuracoes', group: 'Atendimento', icon: IconStarHalf, can: 'ratings.write', menu: 'avaliacoes', words: 'notas satisfação pesquisa', load: () => import('../screens/service/avaliacoes/configurar-screen.tsx') },
  { path: '/configuracoes/protocolo', name: 'protocolo', label: 'Protocolo', area: 'configuracoes', group: 'Atendimento', icon: IconId, can: 'settings.write', menu: 'configuracoes', load: () => import('../screens/people/configuracoes/protocolo-screen.tsx') },
  { path: '/configuracoes/variaveis', name: 'variaveis', label: 'Variáveis', area: 'configuracoes', group: 'Atendimento', icon: IconBraces, can: 'quick-messages.read', load: () => import('../screens/contacts/variaveis/variaveis-screen.tsx') },
  { path: '/configuracoes/uso-ia', name: 'uso-ia', label: 'Uso e orçamento', area: 'configuracoes', group: 'Assistentes', icon: IconCoins, can: 'settings.write', menu: 'configuracoes', words: 'inteligência artificial ia gasto custo limite copiloto transcrição áudio privacidade', load: () => import('../screens/automation/uso-ia/uso-ia-screen.tsx') },
  { path: '/configuracoes/chat-gpt', name: 'chat-gpt', label: 'ChatGPT (OpenAI)', area: 'configuracoes', group: 'Assistentes', icon: IconSparkles, can: 'integrations.write', menu: 'integracoes', words: 'openai gpt whisper inteligência artificial ia chave modelo', load: () => import('../screens/automation/modelos-ia/model-accounts-screen.tsx') },
  { path: '/configuracoes/claude', name: 'claude', label: 'Claude (Anthropic)', area: 'configuracoes', group: 'Assistentes', icon: IconSparkles, can: 'integrations.write', menu: 'integracoes', words: 'anthropic inteligência artificial ia chave modelo', load: () => import('../screens/automation/modelos-ia/model-accounts-screen.tsx') },
  { path: '/configuracoes/gemini', name: 'gemini', label: 'Gemini (Google)', area: 'configuracoes', group: 'Assistentes', icon: IconSparkles, can: 'integrations.write', menu: 'integracoes', words: 'google inteligência artificial ia chave modelo', load: () => import('../screens/automation/modelos-ia/model-accounts-screen.tsx') },
  { path: '/configuracoes/grok', name: 'grok', label: 'Grok (xAI)', area: 'configuracoes', group: 'Assistentes', icon: IconSparkles, can: 'integrations.write', menu: 'integracoes', words: 'xai inteligência artificial ia chave modelo', load: () => import('../screens/automation/modelos-ia/model-accounts-screen.tsx') },
  { path: '/configuracoes/groqcloud', name: 'groqcloud', label: 'GroqCloud', area: 'configuracoes', group: 'Assistentes', icon: IconSparkles, can: 'integrations.write', menu: 'integracoes', words: 'groq whisper transcrição áudio inteligência artificial ia chave modelo', load: () => import('../screens/automation/modelos-ia/model-accounts-screen.tsx') },
  { path: '/configuracoes/deepseek', name: 'deepseek', label: 'DeepSeek', area: 'configuracoes', group: 'Assistentes', icon: IconSparkles, can: 'integrations.write', menu: 'integracoes', words: 'inteligência artificial ia chave modelo', load: () => import('../screens/automation/modelos-ia/model-accounts-screen.tsx') },
  { path: '/configuracoes/qwen', name: 'qwen', label: 'Qwen (Alibaba)', area: 'configuracoes', group: 'Assistentes', icon: IconSparkles, can: 'integrations.write', menu: 'integracoes', words: 'alibaba dashscope inteligência artificial ia chave modelo', load: () => import('../screens/automation/modelos-ia/model-accounts-screen.tsx') },
  { path: '/configuracoes/ollama', name: 'ollama', label: 'Ollama', area: 'configuracoes', group: 'Assistentes', icon: IconCpu, can: 'integrations.write', menu: 'integracoes', words: 'servidor local próprio llama inteligência artificial ia modelo', load: () => import('../screens/automation/modelos-ia/model-accounts-screen.tsx') },
  { path: '/configuracoes/lm', name: 'lm', label: 'LM Studio e compatíveis', area: 'configuracoes', group: 'Assistentes', icon: IconCpu, can: 'integrations.write', menu: 'integracoes', words: 'lm studio servidor local próprio vllm whisper inteligência artificial ia modelo', load: () => import('../screens/automation/modelos-ia/model-accounts-screen.tsx') },
  { path: '/configuracoes/typebot', name: 'typebot', label: 'Typebot', area: 'configuracoes', group: 'Assistentes', icon: IconRobot, can: 'integrations.write', menu: 'integracoes', words: 'robô bot chatbot fluxo visual', load: () => import('../screens/automation/modelos-ia/model-accounts-screen.tsx') },
  { path: '/configuracoes/dialogflow', name: 'dialogflow', label: 'Dialogflow', area: 'configuracoes', group: 'Assistentes', icon: IconRobot, can: 'integrations.write', menu: 'integracoes', words: 'google robô bot intents', load: () => import('../screens/automation/modelos-ia/model-accounts-screen.tsx') },
  { path: '/configuracoes/n8n', name: 'n8n', label: 'n8n', area: 'configuracoes', group: 'Assistentes', icon: IconRobot, can: 'integrations.write', menu: 'integracoes', words: 'robô automação webhook fluxo', load: () => import('../screens/automation/modelos-ia/model-accounts-screen.tsx') },
  { path: '/configuracoes/dify', name: 'dify', label: 'Dify', area: 'configuracoes', group: 'Assistentes', icon: IconRobot, can: 'integrations.write', menu: 'integracoes', words: 'robô bot agente workflow inteligência artificial', load: () => import('../screens/automation/modelos-ia/model-accounts-screen.tsx') },
  { path: '/configuracoes/vapi', name: 'vapi', label: 'Vapi', area: 'configuracoes', group: 'Assistentes', icon: IconRobot, can: 'integrations.write', menu: 'integracoes', words: 'voz ia robô', load: () => import('../screens/automation/modelos-ia/model-accounts-screen.tsx') },
  { path: '/configuracoes/integracoes', name: 'integracoes', label: 'Integrações', area: 'configuracoes', group: 'Avançado', icon: IconPlug, can: 'integrations.write', words: 'e-mail smtp gmail proxy conta provedor webhook entregas', below: [':integrationId/entregas'], load: () => import('../screens/core/integracoes/integracoes-screen.tsx') },
  { path: '/configuracoes/google-calendar', name: 'google-calendar', label: 'Google Agenda', area: 'configuracoes', group: 'Avançado', icon: IconCalendarDollar, can: 'integrations.write', menu: 'integracoes', words: 'google calendar agenda calendário eventos previsões funil', load: () => import('../screens/sales/google-calendar/google-calendar-screen.tsx') },
  { path: '/configuracoes/webhooks', name: 'webhooks', label: 'Webhooks', area: 'configuracoes', group: 'Avançado', icon: IconWebhook, can: 'integrations.write', menu: 'integracoes', words: 'webhook avisar sistema url entregas eventos http', load: () => import('../screens/core/integracoes/webhooks-screen.tsx') },
  { path: '/auditoria', name: 'auditoria', label: 'Auditoria', area: 'configuracoes', group: 'Avançado', icon: IconHistory, can: 'audit.read', words: 'histórico registro log quem mudou suporte', load: () => import('../screens/platform/auditoria/auditoria-screen.tsx') },

  { path: '/assinatura', name: 'assinatura', label: 'Visão geral da instalação', area: 'plataforma', icon: IconCertificate, phone: true, can: 'platform.read', words: 'assinatura licença versão', load: () => import('../screens/platform/assinatura/assinatura-screen.tsx') },
  { path: '/monitor/instalacao', name: 'monitor-instalacao', label: 'Monitor da instalação', area: 'plataforma', icon: IconActivity, can: 'platform.read', menu: 'assinatura', words: 'servidor máquina CPU memória disco banco filas sockets nós desempenho', load: () => import('../screens/platform/monitor/platform-monitor-screen.tsx') },
  { path: '/tenants', name: 'tenants', label: 'Empresas', area: 'plataforma', icon: IconBuilding, phone: true, can: 'tenants.read', load: () => import('../screens/platform/tenants/tenants-screen.tsx') },
  { path: '/sessoestenants', name: 'sessoestenants', label: 'Canais das empresas', area: 'plataforma', icon: IconPlugConnected, phone: true, can: 'tenants.read', menu: 'tenants', words: 'conexões sessões WhatsApp servidores instalação', load: () => import('../screens/platform/sessoestenants/sessoestenants-screen.tsx') },
  { path: '/usuariotenants', name: 'usuariotenants', label: 'Usuários das empresas', area: 'plataforma', icon: IconUserShield, phone: true, can: 'tenants.write', load: () => import('../screens/platform/usuariotenants/usuariotenants-screen.tsx') },
  { path: '/emailstenants', name: 'emailstenants', label: 'E-mails das empresas', area: 'plataforma', icon: IconMail, can: 'tenants.write', menu: 'usuariotenants', words: 'convites senha envio falha SMTP', load: () => import('../screens/platform/emails/emails-empresas-screen.tsx') },
  { path: '/configuracoesTenant/smtp-tenant', name: 'smtp-tenant', label: 'E-mail da instalação', area: 'plataforma', icon: IconServer, can: 'tenants.write', menu: 'usuariotenants', words: 'SMTP servidor conta de envio remetente plataforma', load: () => import('../screens/platform/configuracoes/smtp-tenant-screen.tsx') },
  { path: '/auditoriatenants', name: 'auditoriatenants', label: 'Auditoria da plataforma', area: 'plataforma', icon: IconHistory, can: 'platform.audit', words: 'histórico registro log', load: () => import('../screens/platform/auditoria/auditoria-plataforma-screen.tsx') },

  { path: '/perfil', name: 'perfil', label: 'Meu perfil', area: null, icon: IconUserCircle, can: 'self.write', words: 'senha nome preferências notificações som assinatura modo escuro', load: () => import('../screens/people/perfil/perfil-screen.tsx') },
  { path: '/andamento', name: 'andamento', label: 'Em andamento', area: null, icon: IconProgressCheck, can: 'self.write', words: 'exportações ações em lote massa arquivos baixar progresso tarefas demoradas', load: () => import('../screens/operations/andamento/andamento-screen.tsx') },
  { path: '/avaliacoes', name: 'avaliacoes', label: 'Avaliações', area: null, redirects: true, icon: IconStar, can: 'ratings.read', load: () => import('../screens/service/avaliacoes/avaliacoes-screen.tsx') },
  { path: '/configuracoes', name: 'configuracoes', label: 'Configurações', area: null, redirects: true, icon: IconSettings, can: 'settings.write', load: () => import('../screens/people/configuracoes/configuracoes-screen.tsx') },
  { path: '/configuracoesTenant', name: 'configuracoes-tenant', label: 'E-mail da instalação', area: null, redirects: true, icon: IconServer, can: 'tenants.write', menu: 'usuariotenants', load: () => import('../screens/platform/configuracoes/configuracoes-tenant-screen.tsx') },
]

const isBelow = (pathname: string, { path }: Screen) => pathname.startsWith(`${path}/`)
/** The screen an address belongs to: the deepest of those it begins with. */
export const screenAt = (pathname: string): Screen | undefined =>
  screens
    .filter((screen) => pathname === screen.path || isBelow(pathname, screen))
    .toSorted((a, b) => b.path.length - a.path.length)[0]
export const hasBelow = (screen: Screen): boolean => screens.some(({ path }) => isBelow(path, screen))
