import type { InboundKind, JournalEntry } from '@balcao/contract/intake/journal.ts'

const inboundWords: Record<InboundKind, string> = {
  message: 'Mensagem',
  reaction: 'Reação',
  edit: 'Edição',
  delete: 'Mensagem apagada',
  status: 'Situação de mensagem',
  identity: 'Troca de número',
  unreachable: 'Bloqueio ou desbloqueio',
  connection: 'Estado do canal',
  templates: 'Modelos alterados',
  quality: 'Qualidade da conta',
  call: 'Ligação',
  group: 'Grupo',
  typing: 'Digitando',
  history: 'Histórico',
  consent: 'Preferência de contato',
}

/** What we understand of it, in words. */
export const whatCame = ({ kinds }: Pick<JournalEntry, 'kinds'>): string =>
  kinds.length ? kinds.map((kind) => inboundWords[kind]).join(', ') : 'Aviso desconhecido'
