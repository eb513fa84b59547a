import { createHmac } from 'node:crypto'
import type { HttpAnswer, HttpRequest } from '../../kit/egress.ts'
import { type ChannelContext, ChannelError } from '../adapter.ts'
import { gatewayError, noAnswer, retryAfterMs, unclear, unsaid } from '../http-errors.ts'

export type Context = ChannelContext<'hub'>
type Access = Pick<Context, 'http'> & { config: { token: string; baseUrl: string } }
type Call = Omit<HttpRequest, 'body'> & { json?: unknown }

/** The hub signs nothing: it is told an address that only it knows. */
export const hookKeyOf = (hookSecret: string) =>
  createHmac('sha256', hookSecret).update('hub webhook').digest('base64url')
export const hookUrl = ({ webhookUrl, hookSecret }: Pick<Context, 'webhookUrl' | 'hookSecret'>) =>
  `${webhookUrl}?key=${hookKeyOf(hookSecret)}`

/** One call; refusals become ChannelError. `isHarmless` calls may be repeated after a time-out. */
export const call = async (access: Access, path: string, { json, ...request }: Call, isHarmless: boolean) => {
  const { token, baseUrl } = access.config
  const body = json === undefined ? undefined : JSON.stringify(json)
  const headers = { 'x-api-token': token, ...(body !== undefined && { 'content-type': 'application/json' }) }
  const answer = await access
    .http(`${baseUrl.replace(/\/+$/, '')}${path}`, { ...request, body, headers })
    .catch((error: unknown) => {
      throw noAnswer(error, isHarmless)
    })
  const refused = refusalOf(access, answer, isHarmless)
  if (refused) throw refused
  return answer
}

/** It answered, but not as the hub does: what was to be sent may have left. */
export const unexpected = (isHarmless: boolean) =>
  isHarmless
    ? new ChannelError('retry', 'O hub respondeu de um jeito inesperado.', {
        forAdmin: { text: 'Este endereço não responde como o NotificaMe. Confira o endereço da API.' },
      })
    : unclear('O hub respondeu de um jeito inesperado.')

const refusalOf = ({ config }: Access, answer: HttpAnswer, isHarmless: boolean): ChannelError | undefined => {
  const { status, headers } = answer
  if (status < 300) return undefined
  if (status === 401 || status === 403) return tokenRefused()
  if (status === 413) return new ChannelError('final', 'O arquivo é grande demais para este canal.')
  const why = unsaid(wordsOf(answer), config)
  const known = status < 500 && status !== 429 && rules.find(([pattern]) => pattern.test(why))
  if (known) return known[1]()
  return (
    gatewayError(status, isHarmless, retryAfterMs(headers)) ??
    new ChannelError('final', `O hub recusou o pedido (${[status, why].filter(Boolean).join(': ')}).`)
  )
}

/** `{message}`, perhaps inside `error`. */
const wordsOf = (answer: HttpAnswer): string => {
  const told: unknown = answer.json()
  const { message, error } = Object(told)
  const words = message ?? Object(error).message ?? error
  return typeof words === 'string' && !/[<{[]/.test(words) ? words.slice(0, 200) : ''
}

const tokenRefused = () =>
  new ChannelError('final', 'O NotificaMe recusou o token deste canal. Avise o administrador.', {
    isConnectionBroken: true,
    forAdmin: {
      text: 'O token do NotificaMe foi trocado ou revogado. Copie-o de novo do painel e cole em Configurações → NotificaMe Hub.',
      mistyped: 'O NotificaMe não aceita este token. Copie-o inteiro do painel e cole de novo.',
    },
  })
const rules: readonly [RegExp, () => ChannelError][] = [
  [
    /channel.*(not found|invalid|disabled)|invalid ['"]?from|canal.*(não encontrado|inválido)/i,
    () =>
      new ChannelError('final', 'Este canal não existe mais no hub. Avise o administrador.', {
        isConnectionBroken: true,
        forAdmin: { text: 'O NotificaMe não reconhece este canal. Veja no painel dele se continua ativo.' },
      }),
  ],
  [
    /24.?(h|hour)|re-?engagement|outside.*window|janela/i,
    () => new ChannelError('final', 'A janela de 24 horas terminou. Espere o cliente escrever de novo.'),
  ],
  [
    /(recipient|destinat|['"]?\bto\b['"]?).*(invalid|not found|inválid)|invalid (recipient|phone)/i,
    () => new ChannelError('final', 'Este contato não é alcançado por este canal.', { isUnreachable: true }),
  ],
]
