/** What a number is counted in: it decides how it is written. */
export type MeasureUnit = 'count' | 'seconds' | 'percent' | 'grade' | 'money' | 'dollars' | 'decimal'

type Measure = {
  label: string
  unit: MeasureUnit
  /** How it is computed, as people read it beside the number. */
  how: string
  /** Whether more of it is good news; left out, neither. */
  better?: 'more' | 'less'
  /** Two versions: of the clock, and of business time. */
  isTimed?: true
}

/**
 * Every number that is counted of conversations, each defined once: reports, the first page and the monitor name them and
 * say the same of them. All of them count episodes: a conversation from when it was opened, or opened again, until it was
 * closed; one that was merged into another is counted there. How each is read from the rows stands on the server
 * (`measure-sql.ts`), which the compiler holds to these names.
 */
export const measures = {
  tickets: {
    label: 'Atendimentos',
    unit: 'count',
    how: 'Cada vez que uma conversa foi aberta ou reaberta. Conversas unidas a outra contam uma vez só; grupos não contam.',
  },
  receptive: { label: 'Receptivos', unit: 'count', how: 'Atendimentos que começaram com uma mensagem do cliente.' },
  proactive: { label: 'Ativos', unit: 'count', how: 'Atendimentos que a empresa começou.' },
  active: { label: 'Em andamento', unit: 'count', how: 'Atendimentos que ainda não foram encerrados.' },
  waiting: { label: 'Aguardando', unit: 'count', how: 'Atendimentos em andamento que ninguém aceitou.' },
  closed: { label: 'Encerrados', unit: 'count', how: 'Atendimentos encerrados, por pessoas ou automaticamente.' },
  reopened: {
    label: 'Reaberturas',
    unit: 'count',
    better: 'less',
    how: 'Atendimentos que são a reabertura de uma conversa encerrada.',
  },
  reopenedShare: {
    label: 'Taxa de reabertura',
    unit: 'percent',
    better: 'less',
    how: 'Reaberturas divididas por todos os atendimentos.',
  },
  transferred: {
    label: 'Transferidos',
    unit: 'percent',
    better: 'less',
    how: 'Parte dos atendimentos transferida pelo menos uma vez. Transferências desfeitas não contam.',
  },
  transfers: {
    label: 'Transferências',
    unit: 'decimal',
    better: 'less',
    how: 'Média de transferências por atendimento.',
  },
  wait: {
    label: 'Espera (TME)',
    unit: 'seconds',
    better: 'less',
    isTimed: true,
    how: 'Tempo médio da abertura até uma pessoa aceitar, nos atendimentos que o cliente começou e alguém aceitou.',
  },
  firstAnswer: {
    label: 'Primeira resposta',
    unit: 'seconds',
    better: 'less',
    isTimed: true,
    how: 'Tempo médio da abertura até a primeira resposta de uma pessoa, nos atendimentos que o cliente começou. Respostas automáticas não contam.',
  },
  resolution: {
    label: 'Duração (TMA)',
    unit: 'seconds',
    better: 'less',
    isTimed: true,
    how: 'Tempo médio da abertura ao encerramento, com as pausas, nos atendimentos encerrados.',
  },
  handling: {
    label: 'Tempo em atendimento',
    unit: 'seconds',
    better: 'less',
    isTimed: true,
    how: 'Tempo médio do aceite ao encerramento, sem as pausas, nos atendimentos encerrados que alguém aceitou.',
  },
  paused: {
    label: 'Em pausa',
    unit: 'seconds',
    isTimed: true,
    how: 'Tempo médio em pausa por atendimento encerrado, contando os que não pausaram.',
  },
  firstAnswerMet: {
    label: '1ª resposta no prazo',
    unit: 'percent',
    better: 'more',
    how: 'Parte das primeiras respostas dadas até o prazo, entre os atendimentos que tinham prazo e foram respondidos.',
  },
  resolutionMet: {
    label: 'Resolução no prazo',
    unit: 'percent',
    better: 'more',
    how: 'Parte dos encerramentos até o prazo, entre os atendimentos encerrados que tinham prazo.',
  },
  unanswered: {
    label: 'Sem resposta',
    unit: 'count',
    better: 'less',
    how: 'Atendimentos começados pelo cliente que foram encerrados sem resposta de uma pessoa.',
  },
  messagesIn: {
    label: 'Mensagens recebidas',
    unit: 'decimal',
    how: 'Média de mensagens do cliente por atendimento encerrado.',
  },
  messagesOut: {
    label: 'Mensagens enviadas',
    unit: 'decimal',
    how: 'Média de mensagens da empresa por atendimento encerrado, com as automáticas.',
  },
  graded: { label: 'Avaliações', unit: 'count', how: 'Atendimentos que receberam uma nota.' },
  grade: { label: 'Nota média', unit: 'grade', better: 'more', how: 'Média das notas dos atendimentos avaliados.' },
  value: {
    label: 'Valor negociado',
    unit: 'money',
    better: 'more',
    how: 'Soma dos valores negociados registrados nos atendimentos.',
  },
} as const satisfies Record<string, Measure>

export type MeasureKey = keyof typeof measures
export const measureKeys = Object.keys(measures) as [MeasureKey, ...MeasureKey[]]

/** Numbers that are not counted of conversations, each of one report. */
export const otherMeasures = {
  aiCost: {
    label: 'Custo de IA',
    unit: 'money',
    how: 'O que assistentes, copiloto e transcrição custaram dentro destes atendimentos, pelos preços de cada conta.',
  },
  aiCostPerTicket: {
    label: 'Custo por atendimento',
    unit: 'money',
    better: 'less',
    how: 'Custo de IA dividido pelos atendimentos em que ela foi usada.',
  },
  aiTickets: { label: 'Atendimentos com IA', unit: 'count', how: 'Atendimentos em que algum modelo foi chamado.' },
  aiCalls: { label: 'Chamadas', unit: 'count', how: 'Vezes que um modelo foi chamado dentro destes atendimentos.' },
  assistantTickets: {
    label: 'Atendimentos com assistente',
    unit: 'count',
    how: 'Atendimentos em que um assistente respondeu ou passou a conversa para a equipe.',
  },
  assistantAnswers: { label: 'Respostas', unit: 'count', how: 'Respostas que assistentes deram ao cliente.' },
  assistantHandedOver: {
    label: 'Passados para a equipe',
    unit: 'count',
    better: 'less',
    how: 'Atendimentos que um assistente passou para a equipe.',
  },
  assistantHandedOverShare: {
    label: 'Parte passada',
    unit: 'percent',
    better: 'less',
    how: 'Atendimentos passados para a equipe divididos pelos atendimentos com assistente.',
  },
  assistantResolved: {
    label: 'Resolvidos sem a equipe',
    unit: 'count',
    better: 'more',
    how: 'Atendimentos encerrados em que um assistente respondeu, não passou para a equipe e nenhuma pessoa respondeu.',
  },
  assistantTime: {
    label: 'Tempo de resposta',
    unit: 'seconds',
    better: 'less',
    how: 'Tempo médio que um assistente levou para preparar uma resposta.',
  },
  assistantCost: {
    label: 'Custo',
    unit: 'money',
    better: 'less',
    how: 'O que os modelos custaram nestas respostas, pelos preços de cada conta.',
  },
  calls: { label: 'Ligações', unit: 'count', how: 'Ligações de assistentes de voz pedidas ou recebidas no período.' },
  callsTalked: {
    label: 'Atendidas',
    unit: 'count',
    better: 'more',
    how: 'Ligações em que o cliente atendeu e falou com o assistente. Caixa postal não conta.',
  },
  callsTalkedShare: {
    label: 'Taxa de atendimento',
    unit: 'percent',
    better: 'more',
    how: 'Ligações atendidas divididas por todas.',
  },
  callTime: { label: 'Duração média', unit: 'seconds', how: 'Tempo médio de conversa das ligações atendidas.' },
  callTotalTime: { label: 'Tempo total', unit: 'seconds', how: 'Soma do tempo de conversa das ligações atendidas.' },
  callCost: {
    label: 'Custo das ligações',
    unit: 'dollars',
    better: 'less',
    how: 'O que o provedor de voz cobrou pelas ligações, em dólares.',
  },
  opened: { label: 'Abertos', unit: 'count', how: 'Atendimentos abertos ou reabertos no dia.' },
  ended: { label: 'Encerrados', unit: 'count', how: 'Atendimentos encerrados no dia.' },
  backlog: {
    label: 'Em aberto no fim do dia',
    unit: 'count',
    better: 'less',
    how: 'Atendimentos abertos até o fim do dia e não encerrados até então.',
  },
  onlineTime: {
    label: 'Disponível',
    unit: 'seconds',
    better: 'more',
    how: 'Tempo em que a pessoa esteve disponível no período.',
  },
  awayTime: {
    label: 'Em pausa',
    unit: 'seconds',
    how: 'Tempo em que a pessoa esteve em pausa, por qualquer motivo, no período.',
  },
  onlineShare: {
    label: 'Ocupação',
    unit: 'percent',
    how: 'Tempo disponível dividido por tempo disponível mais pausas.',
  },
  contacts: {
    label: 'Contatos',
    unit: 'count',
    how: 'Contatos cadastrados no período, sem os que foram unidos a outro.',
  },
  returning: {
    label: 'Voltaram',
    unit: 'percent',
    better: 'more',
    how: 'Parte dos clientes que abriram outro atendimento tantos meses depois do mês do primeiro.',
  },
  newCustomers: {
    label: 'Clientes novos',
    unit: 'count',
    how: 'Clientes cujo primeiro atendimento foi aberto no mês.',
  },
  sent: { label: 'Enviadas', unit: 'count', how: 'Destinatários a quem a mensagem saiu.' },
  delivered: { label: 'Entregues', unit: 'count', how: 'Destinatários a quem o canal confirmou a entrega.' },
  read: { label: 'Lidas', unit: 'count', how: 'Destinatários que leram, onde o canal diz.' },
  answered: {
    label: 'Responderam',
    unit: 'count',
    better: 'more',
    how: 'Destinatários que responderam dentro do prazo da campanha.',
  },
  failed: { label: 'Falharam', unit: 'count', better: 'less', how: 'Destinatários a quem não foi possível enviar.' },
  optedOut: { label: 'Saíram', unit: 'count', better: 'less', how: 'Destinatários que pediram para não receber mais.' },
  passed: { label: 'Passaram', unit: 'count', how: 'Vezes que uma conversa chegou a esta etapa do fluxo.' },
  dropped: {
    label: 'Pararam aqui',
    unit: 'count',
    better: 'less',
    how: 'Conversas em que esta foi a última etapa e o cliente não respondeu mais.',
  },
  droppedShare: {
    label: 'Abandono',
    unit: 'percent',
    better: 'less',
    how: 'Conversas que pararam na etapa divididas pelas que chegaram a ela.',
  },
} as const satisfies Record<string, Measure>
export type OtherMeasureKey = keyof typeof otherMeasures

export type AnyMeasureKey = MeasureKey | OtherMeasureKey
export const measureOf = (key: AnyMeasureKey): Measure => ({ ...otherMeasures, ...measures })[key]
