import { ChannelError } from '../adapter.ts'
import { gatewayError } from '../http-errors.ts'
import type { Refusal } from './graph.ts'

type More = Exclude<ConstructorParameters<typeof ChannelError>[2], undefined>
type Rule = More & { outcome: 'retry' | 'final'; text: string }
const final = (text: string, more: More = {}): Rule => ({ outcome: 'final', text, ...more })
const busy: Rule = { outcome: 'retry', text: 'A Meta está recebendo chamadas demais.' }

const reauth = final('O token da Meta venceu ou foi revogado. Peça ao administrador para atualizar o canal.', {
  isConnectionBroken: true,
  forAdmin: {
    text: 'O token da Meta venceu ou foi revogado. Gere outro no painel do aplicativo e cole aqui, em Editar.',
    mistyped: 'A Meta não reconhece este token. Copie-o inteiro do painel do aplicativo e cole de novo.',
  },
})
const permission = final('A Meta negou a permissão. Peça ao administrador para conferir o token do canal.', {
  isConnectionBroken: true,
  forAdmin: {
    text: 'Este token não tem as permissões de mensagens desta conta. Gere outro com as permissões dos passos abaixo e cole aqui, em Editar.',
  },
})
/** Meta often names it: `Requires pages_messaging permission`. */
const permissionMissing = (details = '') => {
  const named = [...new Set(details.match(/\b(?:pages|instagram)_[a-z_]+\b/g))].join(', ')
  const text = named
    ? `Falta a este token a permissão ${named}. No painel do aplicativo da Meta, gere outro com ela e cole aqui, em Editar.`
    : permission.forAdmin?.text
  return new ChannelError('final', permission.text, { ...permission, ...(text && { forAdmin: { text } }) })
}
const windowClosed = final('A janela de 24 horas terminou. Espere o cliente escrever de novo.')
/** Code 10 is a permission, unless it comes with this. */
const windowSubcode = 2018278

const rules: Record<number, Rule> = {
  4: busy,
  10: permission,
  17: busy,
  32: busy,
  100: final('A Meta recusou o conteúdo desta mensagem. Confira o texto e os arquivos.'),
  190: reauth,
  551: final('Esta pessoa não recebe mensagens agora: bloqueou a conta ou a desativou.', { isUnreachable: true }),
  613: busy,
  10900: final('Este comentário já foi respondido no privado. Espere o cliente escrever.'),
}

const ruleOf = ({ code, subcode }: Refusal): Rule | undefined => {
  if (code === undefined) return undefined
  if (code === 10 && subcode === windowSubcode) return windowClosed
  return code >= 200 && code <= 299 ? permission : rules[code]
}

/** What Meta refuses of a page or of an Instagram account. */
export const refusal = (refused: Refusal): ChannelError => {
  const { status, code, details, isHarmless, retryAfterMs } = refused
  const rule = ruleOf(refused)
  if (rule === permission) return permissionMissing(details)
  if (rule)
    return new ChannelError(rule.outcome, rule.text, { ...rule, ...(rule.outcome === 'retry' && { retryAfterMs }) })
  if (status === 401 || status === 403) return new ChannelError('final', reauth.text, reauth)
  if (status === 413) return new ChannelError('final', 'O arquivo é grande demais para este canal.')
  if (code !== undefined && status >= 500) return new ChannelError('retry', 'A Meta está instável.', { retryAfterMs })
  const why = [code === undefined ? '' : `código ${code}`, details ?? `HTTP ${status}`].filter(Boolean).join(': ')
  return (
    gatewayError(status, isHarmless, retryAfterMs) ??
    new ChannelError('final', `A Meta não entregou a mensagem (${why}).`)
  )
}
