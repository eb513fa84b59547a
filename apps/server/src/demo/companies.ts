import type { webchatLook } from '@balcao/contract/channels/webchat-look.ts'
import { blankPart, optionId, type Part } from '@balcao/contract/conversations/parts.ts'
import type { Permission } from '@balcao/contract/permissions.ts'
import type { z } from 'zod'
import { clinicTalks, shopTalks } from './people.ts'

export type Company = {
  id: number
  name: string
  domain: string
  people: { name: string; login: string; profile: 'admin' | 'super' | 'user'; queues: string[] }[]
  /** Profiles of its own, and what they grant. */
  roles: Record<string, Permission[]>
  queues: Record<string, string>
  tags: Record<string, string>
  /** Which tags stand together. */
  tagGroups?: Record<string, { color: string; tags: string[] }>
  quick: Record<string, string>
  /** Quick messages of more than one text. */
  series?: Record<string, Part[]>
  /** Which quick messages stand together, by their shortcuts. */
  folders?: Record<string, string[]>
  /** Which of them are the help of the web chat, by their shortcuts: under which title. */
  help?: Record<string, string>
  /** How the web chat looks and what it says first, beside its title and colour. */
  webchat?: Partial<z.input<typeof webchatLook>>
  reasons: Record<string, string>
  farewells: Record<string, string>
  talks: { from: 'them' | 'us'; text: string }[][]
  conversations: number
}

export const aurora: Company = {
  id: 1,
  name: 'Loja Aurora',
  domain: 'aurora.local',
  conversations: 1_830,
  talks: shopTalks,
  people: [
    { name: 'Marina Aurora', login: 'admin', profile: 'admin', queues: ['Vendas', 'Trocas', 'Financeiro'] },
    { name: 'Sílvio Prado', login: 'supervisor', profile: 'super', queues: ['Vendas', 'Trocas'] },
    { name: 'Ana Beatriz Rocha', login: 'ana', profile: 'user', queues: ['Vendas', 'Trocas'] },
    { name: 'Bruno Tavares', login: 'bruno', profile: 'user', queues: ['Vendas', 'Financeiro'] },
  ],
  roles: {
    Qualidade: ['tickets.read', 'messages.read', 'tickets.showAll', 'ratings.read', 'ratings.grade', 'protocols.read'],
    Cadastro: ['contacts.read', 'contacts.write', 'contacts.merge', 'contacts.export', 'tags.write'],
  },
  queues: { Vendas: '#0b7a75', Trocas: '#b45309', Financeiro: '#4f46e5' },
  tags: {
    'Cliente VIP': '#7c3aed',
    'Troca em andamento': '#b45309',
    'Primeira compra': '#15803d',
    Reclamação: '#b91c1c',
    Atacado: '#1d4ed8',
  },
  tagGroups: {
    'Quem é': { color: '#7c3aed', tags: ['Cliente VIP', 'Primeira compra', 'Atacado'] },
    'Pós-venda': { color: '#b45309', tags: ['Troca em andamento', 'Reclamação'] },
  },
  quick: {
    oi: 'Olá, {{primeiro_nome}}! {{saudacao}}. Em que posso ajudar?',
    prazo: 'Depois do pagamento, entregas para a capital levam de 2 a 4 dias úteis e, para o interior, até 8.',
    troca: 'A troca é gratuita em até 30 dias. Me passa o número do pedido, por favor?',
    frete: 'O frete é grátis acima de R$ 199 para todo o Brasil. Abaixo disso, é calculado pelo CEP no carrinho.',
    trocas:
      'A troca é gratuita em até 30 dias. Use a etiqueta que veio na caixa e leve a peça a qualquer agência dos Correios.',
    pix: 'Nossa chave Pix é o CNPJ 12.345.678/0001-90. Assim que cair eu aviso por aqui.',
    obrigado: 'Nós que agradecemos, {{primeiro_nome}}! Qualquer coisa é só chamar. Protocolo: {{protocol}}.',
  },
  help: {
    prazo: 'Qual é o prazo de entrega?',
    frete: 'Quanto custa o frete?',
    trocas: 'Como faço uma troca?',
  },
  webchat: {
    launcherLabel: 'Fale conosco',
    welcome: 'Olá! Quer ajuda para escolher ou para acompanhar um pedido?',
    translations: {
      en: {
        launcherLabel: 'Talk to us',
        welcome: 'Hi! Can we help you choose, or track an order?',
        offlineText: 'We are closed right now. Leave your message and we will answer as soon as we are back.',
      },
      es: {
        launcherLabel: 'Escríbenos',
        welcome: '¡Hola! ¿Te ayudamos a elegir o a seguir un pedido?',
        offlineText: 'Ahora estamos cerrados. Deja tu mensaje y te responderemos en cuanto volvamos.',
      },
    },
    proactive: [
      {
        id: 'frete-gratis',
        text: 'Frete grátis acima de R$ 199. Posso ajudar a escolher?',
        texts: {
          en: 'Free shipping over R$ 199. Can I help you choose?',
          es: 'Envío gratis desde R$ 199. ¿Te ayudo a elegir?',
        },
        afterS: 8,
        repeat: 'session',
      },
      {
        id: 'trocas',
        text: 'Ficou com dúvida sobre trocas? É só perguntar.',
        addresses: ['/trocas*'],
        afterS: 5,
        scrollPercent: 30,
        onlyOpen: true,
      },
    ],
  },
  series: {
    pagamento: [
      { ...blankPart('text'), body: 'Você pode pagar por Pix, boleto ou cartão em até 6 vezes sem juros.' },
      {
        ...blankPart('choices'),
        body: 'Como prefere pagar, {{primeiro_nome}}?',
        interactive: {
          kind: 'buttons',
          header: '',
          footer: 'Pix tem 5% de desconto',
          button: '',
          options: ['Pix', 'Boleto', 'Cartão'].map((title, at) => ({ id: optionId(at), title, description: '' })),
        },
      },
    ],
    defeito: [
      { ...blankPart('text'), body: 'Sentimos muito, {{primeiro_nome}}. Vamos resolver.' },
      { ...blankPart('text'), body: 'Pode me mandar uma foto do produto e o número do pedido?' },
    ],
  },
  folders: {
    Saudações: ['oi', 'obrigado'],
    'Pagamento e entrega': ['prazo', 'pix', 'pagamento'],
    Trocas: ['troca', 'defeito'],
  },
  reasons: {
    'Venda concluída': '#15803d',
    'Dúvida respondida': '#1d4ed8',
    'Troca ou devolução': '#b45309',
    'Cobrança resolvida': '#4f46e5',
    'Cliente não respondeu': '#6b7280',
  },
  farewells: {
    Agradecimento:
      'Obrigada pelo contato, {{primeiro_nome}}! Se precisar de algo mais, é só chamar. Seu protocolo é {{protocol}}.',
    'Compra concluída':
      'Pedido confirmado, {{primeiro_nome}}! Avisamos por aqui assim que ele sair para entrega. Protocolo: {{protocol}}.',
    'Sem resposta':
      '{{saudacao}}, {{primeiro_nome}}! Como não tivemos retorno, vamos encerrar este atendimento. Quando quiser, é só escrever de novo.',
  },
}
export const horizonte: Company = {
  id: 2,
  name: 'Clínica Horizonte',
  domain: 'horizonte.local',
  conversations: 14,
  talks: clinicTalks,
  people: [
    { name: 'Roberto Horizonte', login: 'admin', profile: 'admin', queues: ['Recepção', 'Exames'] },
    { name: 'Carla Menezes', login: 'carla', profile: 'user', queues: ['Recepção'] },
  ],
  roles: { Faturamento: ['contacts.read', 'contacts.export', 'protocols.read', 'tasks.read', 'tasks.write'] },
  queues: { Recepção: '#0369a1', Exames: '#0f766e' },
  tags: { Retorno: '#15803d', Convênio: '#4f46e5' },
  quick: { oi: 'Olá, {{primeiro_nome}}! Aqui é da Clínica Horizonte. Como posso ajudar?' },
  reasons: {
    'Consulta agendada': '#15803d',
    'Consulta remarcada': '#0369a1',
    'Resultado entregue': '#0f766e',
    'Informação prestada': '#4f46e5',
    'Paciente não respondeu': '#6b7280',
  },
  farewells: {
    Agradecimento:
      'A Clínica Horizonte agradece o contato, {{primeiro_nome}}. Para falar deste atendimento, informe o protocolo {{protocol}}.',
    'Consulta confirmada':
      'Tudo certo, {{primeiro_nome}}! Chegue 15 minutos antes, com documento com foto e a carteirinha do convênio.',
    'Sem resposta':
      '{{saudacao}}, {{primeiro_nome}}! Como não tivemos retorno, encerramos este atendimento. Se precisar, é só nos escrever.',
  },
}
