import type { HttpAnswer, HttpRequest } from '../../kit/egress.ts'
import { ChannelError } from '../adapter.ts'
import { gatewayError, noAnswer, retryAfterMs, unclear, unsaid } from '../http-errors.ts'
import type { Context } from './driver.ts'

/** How a provider is called, and what its refusals mean beyond what statuses say. */
export type Provider = { label: string; url: string; rules: readonly [RegExp, (label: string) => ChannelError][] }
type Call = Omit<HttpRequest, 'body'> & { json?: unknown; form?: Record<string, string> }

/** `isHarmless` calls show nothing to anybody, and may be repeated. */
export const reach = async (
  { config, http }: Context,
  { url }: Provider,
  path: string,
  { json, form, headers, ...request }: Call,
  isHarmless: boolean,
): Promise<HttpAnswer> => {
  const body = form ? new URLSearchParams(form).toString() : json === undefined ? undefined : JSON.stringify(json)
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
  try {
    return await http(`${(config.baseUrl || url).replace(/\/+$/, '')}${path}`, {
      ...request,
      body,
      headers: { ...(body !== undefined && { 'content-type': type }), ...headers },
    })
  } catch (error) {
    throw noAnswer(error, isHarmless)
  }
}

/** Why a call was refused, by its status and by the provider's own `words`; no words with a 2xx: nobody knows. */
export const refusalOf = (
  { config }: Context,
  { label, rules }: Provider,
  { status, headers }: HttpAnswer,
  words: string,
  isHarmless: boolean,
): ChannelError => {
  const said = unsaid(words, config)
  if (status < 300 && !said) return unexpected(label, isHarmless)
  const known = rules.find(([pattern]) => pattern.test(said))?.[1](label)
  if (known && status < 500 && status !== 429) return known
  if (status === 401 || status === 403) return keyRefused(label)
  const told = said && !/[<{[]/.test(said) ? `: ${said.slice(0, 200)}` : ''
  return (
    gatewayError(status, isHarmless, retryAfterMs(headers)) ??
    new ChannelError('final', `A ${label} recusou o pedido (${status}${told}).`)
  )
}

const unexpected = (label: string, isHarmless: boolean) =>
  isHarmless
    ? new ChannelError('retry', `A ${label} respondeu de um jeito inesperado.`, {
        forAdmin: { text: `Este endereço não responde como a ${label}. Confira o endereço da API.` },
      })
    : unclear(`A ${label} respondeu de um jeito inesperado.`)

export const keyRefused = (label: string) =>
  new ChannelError('final', `A ${label} recusou a chave deste canal. Avise o administrador.`, {
    isConnectionBroken: true,
    forAdmin: {
      text: `A ${label} não aceita mais a chave deste canal. Copie-a de novo do painel e cole aqui, em Editar.`,
      mistyped: `A ${label} não aceita estes dados. Copie-os inteiros do painel e cole de novo.`,
    },
  })
export const noCredit = (label: string) =>
  new ChannelError('final', `Acabaram os créditos de SMS na ${label}. Avise o administrador.`, {
    isConnectionBroken: true,
    forAdmin: { text: `Acabaram os créditos na ${label}. Recarregue a conta e toque em Testar.` },
  })
export const badNumber = () =>
  new ChannelError('final', 'Este número não recebe SMS. Confira o telefone do contato.', { isUnreachable: true })
export const optedOut = () =>
  new ChannelError('final', 'O contato pediu para não receber SMS deste número.', { isUnreachable: true })
