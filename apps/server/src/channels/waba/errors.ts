import { ChannelError, type ForAdmin } from '../adapter.ts'
import { gatewayError } from '../http-errors.ts'
import type { Refusal } from '../meta/graph.ts'

type Rule = {
  outcome: 'retry' | 'final'
  text: string
  isConnectionBroken?: boolean
  forAdmin?: ForAdmin
  isUnreachable?: boolean
  isOptedOut?: boolean
  retryAfterMs?: number
}
const final = (text: string, more: Partial<Rule> = {}): Rule => ({ outcome: 'final', text, ...more })
const retry = (text: string, retryAfterMs?: number): Rule => ({ outcome: 'retry', text, retryAfterMs })

const reauth = final('O token da Meta venceu ou foi revogado. Peça ao administrador para atualizar o canal.', {
  isConnectionBroken: true,
  forAdmin: {
    text: 'O token da Meta venceu ou foi revogado. Gere outro no usuário de sistema e cole aqui, em Editar.',
    mistyped: 'A Meta não reconhece este token. Copie-o inteiro do usuário de sistema e cole de novo.',
  },
})
const permission = final('A Meta negou a permissão. Peça ao administrador para conferir o token do canal.', {
  isConnectionBroken: true,
  forAdmin: {
    text: 'Este token não tem as permissões whatsapp_business_messaging e whatsapp_business_management. Gere outro com elas e cole aqui, em Editar.',
  },
})
const parameter = final('A Meta recusou o conteúdo desta mensagem. Confira o texto e os arquivos.')
const locked = final('A conta do WhatsApp está restrita pela Meta. O administrador precisa resolver no Gerenciador.', {
  isConnectionBroken: true,
  forAdmin: { text: 'A Meta restringiu esta conta do WhatsApp. Resolva no Gerenciador de Negócios e volte a testar.' },
})
const busy = retry('O WhatsApp está recebendo mensagens demais.')
const unregistered = final('O número não está registrado na Meta.', { isConnectionBroken: true })
const down = retry('O WhatsApp está instável.')
const template = final('O modelo de mensagem não foi aceito. Confira o modelo e seus campos.')

/** What to do with each code. */
const rules: Record<number, Rule> = {
  0: reauth,
  190: reauth,
  3: permission,
  10: permission,
  4: busy,
  80007: busy,
  33: parameter,
  100: parameter,
  131008: parameter,
  131009: parameter,
  131051: final('O WhatsApp não aceita este tipo de mensagem.'),
  368: locked,
  130497: locked,
  131031: locked,
  130429: busy,
  130472: final('A Meta não entregou: o cliente participa de um experimento. Fale com ele por outro canal.'),
  131000: down,
  131016: down,
  131057: down,
  131026: final('Não conseguimos entregar. O número não tem WhatsApp ou usa uma versão antiga.', {
    isUnreachable: true,
  }),
  131021: final('Este é o próprio número do canal.'),
  131037: final('O nome de exibição do número ainda não foi aprovado pela Meta.', { isConnectionBroken: true }),
  131042: final('Há um problema de cobrança na conta da Meta.', { isConnectionBroken: true }),
  131045: unregistered,
  131047: final('A janela de 24 horas terminou. Envie um modelo de mensagem aprovado.'),
  131048: final('A Meta limitou os envios deste número por qualidade.'),
  131049: final('A Meta segurou esta mensagem para não cansar o cliente. Espere pelo menos um dia.'),
  131050: final('O cliente pediu para não receber mais mensagens de marketing.', { isOptedOut: true }),
  131052: final('A Meta não conseguiu baixar o arquivo. Envie-o de novo.'),
  131053: final('A Meta não aceitou o arquivo. Confira o tipo e o tamanho.'),
  131056: retry('Muitas mensagens seguidas para este cliente.', 6_000),
  132000: final('O número de variáveis não é o que este modelo pede hoje. Escolha o modelo de novo.'),
  132001: final('Este modelo não existe mais na Meta, ou ainda não foi aprovado. Escolha outro.'),
  132005: final('Com as variáveis, o texto do modelo ficou longo demais. Encurte os valores.'),
  132015: final('A Meta pausou este modelo por baixa qualidade. Escolha outro.'),
  132016: final('A Meta desativou este modelo. Escolha outro.'),
  132068: final('O formulário (Flow) está bloqueado.'),
  132069: busy,
}

/** What a code means, where the provider documents it. */
export const ruleOf = (code: number): Rule | undefined => {
  if (code >= 200 && code <= 299) return permission
  if (!rules[code] && code >= 132000 && code <= 132018) return template
  if (code >= 133000 && code <= 133016) return unregistered
  return rules[code]
}

/** The Portuguese sentence for a code; unknown codes show what Meta says. */
export const errorText = (code: number | undefined, details?: string): string => {
  const rule = code === undefined ? undefined : ruleOf(code)
  if (rule) return rule.text
  const why = [code === undefined ? '' : `código ${code}`, details ?? ''].filter(Boolean).join(': ')
  return `O WhatsApp não entregou a mensagem${why ? ` (${why})` : ''}.`
}

/** Meta refused a call: which outcome it means. Without a code it was perhaps not Meta who spoke. */
export const refusal = ({ status, code, details, retryAfterMs, isHarmless }: Refusal): ChannelError => {
  const rule = code === undefined ? undefined : ruleOf(code)
  if (rule) {
    return new ChannelError(rule.outcome, rule.text, {
      retryAfterMs: rule.outcome === 'retry' ? (retryAfterMs ?? rule.retryAfterMs) : undefined,
      isUnreachable: rule.isUnreachable,
      isOptedOut: rule.isOptedOut,
      isConnectionBroken: rule.isConnectionBroken,
      forAdmin: rule.forAdmin,
    })
  }
  if (status === 401 || status === 403) return new ChannelError('final', reauth.text, reauth)
  if (status === 413) return new ChannelError('final', 'O arquivo é grande demais para o WhatsApp.')
  if (code !== undefined && status >= 500) return new ChannelError('retry', down.text, { retryAfterMs })
  const gateway = gatewayError(status, isHarmless, retryAfterMs)
  return gateway ?? new ChannelError('final', errorText(code, details ?? `HTTP ${status}`))
}
