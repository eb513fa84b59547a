import { switchSections } from './catalogue.ts'

/** One setting as people look for it: its name, other words for it, its page and its place there. */
export type SettingEntry = { label: string; words: string; path: string; id?: string }

const general = '/configuracoes/geral'
const closing = '/configuracoes/encerramento'
const protocol = '/configuracoes/protocolo'

export const settingEntries: readonly SettingEntry[] = [
  { label: 'Nome da empresa', words: 'razão marca', path: general, id: 'setting-name' },
  { label: 'Fuso horário', words: 'relógio datas cidade', path: general, id: 'setting-timezone' },
  { label: 'Logotipo', words: 'logo imagem marca', path: general },
  { label: 'Cor do sistema', words: 'cores tema destaque contraste aparência', path: general, id: 'setting-accent' },
  {
    label: 'Prazos de atendimento (SLA)',
    words: 'primeira resposta resolução fila prioridade',
    path: '/configuracoes/prazos',
  },
  {
    label: 'Palavras para sair de campanhas',
    words: 'SAIR PARAR STOP descadastro opt-out consentimento',
    path: '/configuracoes/descadastro',
    id: 'setting-stopWords',
  },
  {
    label: 'Resposta a quem sai de campanhas',
    words: 'descadastro confirmação opt-out',
    path: '/configuracoes/descadastro',
    id: 'setting-stopAnswer',
  },
  {
    label: 'Motivos de pausa',
    words: 'almoço intervalo ausente',
    path: '/configuracoes/pausas',
    id: 'setting-pauseReasons',
  },
  {
    label: 'Preço dos modelos do WhatsApp',
    words: 'template marketing utilidade autenticação Meta custo',
    path: '/configuracoes/precos',
  },
  ...switchSections.flatMap(({ path, title, cards }) =>
    cards.map(({ name, label, help, on, off }) => ({
      label,
      words: [title, help, on, off].join(' '),
      path,
      id: `setting-${name}`,
    })),
  ),
  {
    label: 'Fluxo de toda a empresa',
    words: 'chatbot robô automático início atendimento',
    path: '/configuracoes/conversas',
    id: 'setting-botTicketActive',
  },
  {
    label: 'Corrigir as listas',
    words: 'manutenção última mensagem hora errada',
    path: '/configuracoes/conversas',
    id: 'setting-faces',
  },
  {
    label: 'Esquecer o histórico dos assistentes',
    words: 'manutenção robô bot memória ticketsClear',
    path: '/configuracoes/conversas',
    id: 'setting-robots',
  },
  {
    label: 'Resposta a ligações',
    words: 'canais chamada recusar não atendida padrão',
    path: '/configuracoes/sessoes',
    id: 'setting-callRejectMessage',
  },
  { label: 'Encerrar depois de', words: 'tempo automático paradas', path: closing, id: 'setting-autoCloseTime' },
  {
    label: 'Mensagem ao encerrar conversas paradas',
    words: 'automático despedida',
    path: closing,
    id: 'setting-autoCloseMessage',
  },
  { label: 'Palavras de encerramento', words: 'cliente encerra sair', path: closing, id: 'setting-closeKeywords' },
  { label: 'Mensagem com o protocolo', words: 'link público número', path: protocol, id: 'setting-protocolMessage' },
  { label: 'Validade do link do protocolo', words: 'dias público', path: protocol, id: 'setting-protocolLinkDays' },
]
