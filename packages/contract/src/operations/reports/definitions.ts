import type { AnyMeasureKey } from './measures.ts'

/** By what a report puts conversations together. `kind`: time has an order and gaps, names have neither. */
export const dimensions = {
  day: { label: 'Dia', kind: 'time' },
  week: { label: 'Semana', kind: 'time' },
  month: { label: 'Mês', kind: 'time' },
  hour: { label: 'Hora do dia', kind: 'time' },
  weekday: { label: 'Dia da semana', kind: 'time' },
  weekdayHour: { label: 'Dia da semana e hora', kind: 'time' },
  queue: { label: 'Fila', kind: 'name' },
  agent: { label: 'Atendente', kind: 'name' },
  tag: { label: 'Etiqueta', kind: 'name' },
  reason: { label: 'Motivo', kind: 'name' },
  channel: { label: 'Tipo de canal', kind: 'name' },
  connection: { label: 'Canal', kind: 'name' },
  grade: { label: 'Nota', kind: 'name' },
  campaign: { label: 'Campanha', kind: 'name' },
  assistant: { label: 'Assistente', kind: 'name' },
  callStatus: { label: 'Situação da ligação', kind: 'name' },
  flowStep: { label: 'Etapa do fluxo', kind: 'name' },
  cohort: { label: 'Mês do primeiro atendimento', kind: 'time' },
  contactTag: { label: 'Etiqueta do contato', kind: 'name' },
  contactState: { label: 'Estado (DDD)', kind: 'name' },
  contactLane: { label: 'Etapa do quadro', kind: 'name' },
  contactWallet: { label: 'Carteira', kind: 'name' },
} as const satisfies Record<string, { label: string; kind: 'time' | 'name' }>
export type DimensionKey = keyof typeof dimensions
export const dimensionKeys = Object.keys(dimensions) as [DimensionKey, ...DimensionKey[]]

/** What a report is read from. */
export type ReportSource =
  | 'episodes'
  | 'backlog'
  | 'agentTime'
  | 'cohort'
  | 'campaigns'
  | 'flows'
  | 'contacts'
  | Activity
/** What a row of a report is made of, and what one sees of it when it is opened. */
export const madeOf: Record<ReportSource, 'tickets' | 'contacts' | 'states'> = {
  ...{ episodes: 'tickets', backlog: 'tickets', flows: 'tickets', ai: 'tickets', assistants: 'tickets' },
  ...{ voiceCalls: 'tickets', contacts: 'contacts', campaigns: 'contacts', cohort: 'contacts', agentTime: 'states' },
}
/** What goes on inside conversations. */
export type Activity = 'ai' | 'assistants' | 'voiceCalls'
export type ReportDefinition = {
  /** Its path below /relatorios. */
  key: string
  title: string
  /** One sentence of what it answers. */
  purpose: string
  group: 'Atendimento' | 'Equipe' | 'Clientes' | 'Vendas e automação'
  source: ReportSource
  /** The first is drawn unless another is chosen. */
  dimensions: readonly DimensionKey[]
  /** The first is drawn unless another is chosen. */
  measures: readonly AnyMeasureKey[]
  /** So many are looked at where no period is chosen, instead of the usual. */
  days?: number
  /** Beside the rows, the contacts or conversations themselves. */
  lists?: 'contacts' | 'tickets'
}

const times = ['day', 'week', 'month'] as const
// biome-ignore format: a table reads as lines
export const reports: readonly ReportDefinition[] = [
  { key: 'volume', title: 'Volume de atendimentos', purpose: 'Quantos atendimentos chegam, são encerrados e voltam.', group: 'Atendimento', source: 'episodes', dimensions: [...times, 'hour', 'weekday'], measures: ['tickets', 'receptive', 'proactive', 'closed', 'active', 'reopened', 'reopenedShare'] },
  { key: 'horarios', title: 'Horários de pico', purpose: 'Em que dia da semana e a que horas os clientes procuram a empresa.', group: 'Atendimento', source: 'episodes', dimensions: ['weekdayHour'], measures: ['tickets', 'receptive', 'wait', 'firstAnswer'] },
  { key: 'prazos', title: 'Prazos e tempos', purpose: 'Primeira resposta e resolução em relação ao que foi prometido.', group: 'Atendimento', source: 'episodes', dimensions: [...times, 'queue', 'agent', 'reason', 'channel', 'connection', 'hour'], measures: ['firstAnswer', 'firstAnswerMet', 'resolution', 'resolutionMet', 'wait', 'handling', 'paused', 'unanswered'] },
  { key: 'filas', title: 'Por fila', purpose: 'O trabalho de cada fila: volume, tempos, prazos e notas.', group: 'Atendimento', source: 'episodes', dimensions: ['queue'], measures: ['tickets', 'closed', 'active', 'wait', 'firstAnswer', 'resolution', 'resolutionMet', 'transferred', 'grade'] },
  { key: 'etiquetas', title: 'Por etiqueta', purpose: 'Sobre o que são as conversas. Um atendimento com duas etiquetas aparece nas duas.', group: 'Atendimento', source: 'episodes', dimensions: ['tag'], measures: ['tickets', 'closed', 'wait', 'resolution', 'grade'] },
  { key: 'motivos', title: 'Por motivo', purpose: 'Por que os atendimentos são encerrados.', group: 'Atendimento', source: 'episodes', dimensions: ['reason'], measures: ['closed', 'resolution', 'handling', 'reopenedShare', 'grade', 'value'] },
  { key: 'canais', title: 'Por canal', purpose: 'Por onde os clientes falam com a empresa.', group: 'Atendimento', source: 'episodes', dimensions: ['connection', 'channel'], measures: ['tickets', 'receptive', 'proactive', 'wait', 'firstAnswer', 'resolution', 'messagesIn', 'messagesOut', 'grade'] },
  { key: 'pendencias', title: 'Atendimentos em aberto', purpose: 'O que entra, o que sai e o que fica em aberto a cada dia.', group: 'Atendimento', source: 'backlog', dimensions: ['day'], measures: ['backlog', 'opened', 'ended'] },
  { key: 'atendimentos-por-parametros', title: 'Atendimentos por parâmetros', purpose: 'Os atendimentos que passam pelos filtros escolhidos, um a um e em gráfico.', group: 'Atendimento', source: 'episodes', dimensions: [...times, 'queue', 'agent', 'reason', 'connection', 'channel', 'tag'], measures: ['tickets', 'closed', 'wait', 'firstAnswer', 'handling', 'resolution', 'value'], lists: 'tickets' },
  { key: 'estatisticas-atendimentos-usuarios', title: 'Estatísticas por atendente', purpose: 'O que cada pessoa atendeu, e em quanto tempo.', group: 'Equipe', source: 'episodes', dimensions: ['agent', ...times], measures: ['tickets', 'active', 'waiting', 'closed', 'firstAnswer', 'handling', 'resolution', 'resolutionMet', 'transferred', 'grade'] },
  { key: 'tempo-da-equipe', title: 'Tempo da equipe', purpose: 'Quanto tempo cada pessoa esteve disponível e em pausa.', group: 'Equipe', source: 'agentTime', dimensions: ['agent', 'day'], measures: ['onlineTime', 'awayTime', 'onlineShare'] },
  { key: 'avaliacoes', title: 'Notas dos clientes', purpose: 'O que os clientes acharam, ao longo do tempo e por quem atendeu.', group: 'Equipe', source: 'episodes', dimensions: [...times, 'agent', 'queue', 'grade', 'reason'], measures: ['grade', 'graded', 'closed'] },
  { key: 'retorno', title: 'Clientes que voltam', purpose: 'Dos clientes de cada mês, quantos procuraram a empresa de novo nos meses seguintes.', group: 'Clientes', source: 'cohort', days: 180, dimensions: ['cohort'], measures: ['newCustomers', 'returning'] },
  { key: 'lista-contatos', title: 'Lista de contatos', purpose: 'Os contatos cadastrados em um período.', group: 'Clientes', source: 'contacts', dimensions: times, measures: ['contacts'], lists: 'contacts' },
  { key: 'contatos-por-etiquetas', title: 'Contatos por etiquetas', purpose: 'Quantos contatos tem cada etiqueta, e quem são.', group: 'Clientes', source: 'contacts', dimensions: ['contactTag'], measures: ['contacts'], lists: 'contacts' },
  { key: 'contatos-por-estado', title: 'Contatos por estado', purpose: 'De onde são os contatos, pelo DDD do telefone.', group: 'Clientes', source: 'contacts', dimensions: ['contactState'], measures: ['contacts'], lists: 'contacts' },
  { key: 'contatos-por-kanban', title: 'Contatos por etapa do quadro', purpose: 'Quantos contatos estão em cada etapa do quadro, e quem são.', group: 'Clientes', source: 'contacts', dimensions: ['contactLane'], measures: ['contacts'], lists: 'contacts' },
  { key: 'contatos-por-carteira', title: 'Contatos por carteira', purpose: 'Quantos contatos tem cada carteira, e quem são.', group: 'Clientes', source: 'contacts', dimensions: ['contactWallet'], measures: ['contacts'], lists: 'contacts' },
  { key: 'campanhas', title: 'Resultado das campanhas', purpose: 'O que cada campanha alcançou.', group: 'Vendas e automação', source: 'campaigns', dimensions: ['campaign'], measures: ['sent', 'delivered', 'read', 'answered', 'failed', 'optedOut'] },
  { key: 'fluxos', title: 'Onde os fluxos perdem gente', purpose: 'Em que etapa de um fluxo os clientes param de responder.', group: 'Vendas e automação', source: 'flows', dimensions: ['flowStep'], measures: ['dropped', 'passed', 'droppedShare'] },
  { key: 'custo-ia', title: 'Custo da inteligência artificial', purpose: 'O que a inteligência artificial custou, e quanto por atendimento.', group: 'Vendas e automação', source: 'ai', dimensions: [...times, 'queue', 'agent', 'reason', 'connection', 'channel'], measures: ['aiCost', 'aiCostPerTicket', 'aiTickets', 'aiCalls'] },
  { key: 'assistentes', title: 'Assistentes de IA', purpose: 'Quanto os assistentes respondem, resolvem sem a equipe e passam adiante, em quanto tempo e a que custo.', group: 'Vendas e automação', source: 'assistants', dimensions: ['assistant', ...times, 'queue', 'connection', 'channel'], measures: ['assistantTickets', 'assistantAnswers', 'assistantResolved', 'assistantHandedOver', 'assistantHandedOverShare', 'assistantTime', 'assistantCost'] },
  { key: 'ligacoes', title: 'Ligações', purpose: 'As ligações dos assistentes de voz: quantas foram atendidas, por quanto tempo e a que custo.', group: 'Vendas e automação', source: 'voiceCalls', dimensions: [...times, 'callStatus', 'agent', 'queue', 'hour'], measures: ['calls', 'callsTalked', 'callsTalkedShare', 'callTime', 'callTotalTime', 'callCost'] },
]
/** Days a report looks at where no period is chosen. */
export const usualDays = 30
export const reportKeys = reports.map(({ key }) => key) as [string, ...string[]]
export const findReport = (key: string) => reports.find((one) => one.key === key)
