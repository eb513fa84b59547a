import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { HttpAnswer, HttpRequest } from '../../kit/egress.ts'
import { loose } from '../../kit/loose.ts'
import { type ChannelContext, ChannelError } from '../adapter.ts'
import { fileByCall, jsonOf, type LateFile } from '../base64-streams.ts'
import { gatewayError, noAnswer, retryAfterMs, unclear, unsaid } from '../http-errors.ts'
import { refusalIn } from '../whatsapp/refusals.ts'

export type Context = ChannelContext<'uazapi'>

type Call = {
  method?: HttpRequest['method']
  body?: object
  /** May be repeated after a time-out: nobody sees it. */
  isHarmless?: boolean
  timeoutMs?: number
  /** Goes where `filePlace` stands in the body. */
  late?: LateFile
}

/** One route of the instance; refusals become ChannelError. */
export const call = (context: Context, route: string, more: Call = {}): Promise<unknown> => {
  const { token } = context.config
  if (!token) throw new TokenRefused()
  return ask(context, route, { token }, more)
}

/** A route of the server itself, which only its administrator may call. */
export const callServer = (context: Context, route: string, more: Call = {}): Promise<unknown> =>
  ask(context, route, { admintoken: context.config.adminToken ?? '' }, more)

/** The file that one route of the instance answers with, in that field. */
export const openFile = async (context: Context, route: string, body: object, field: string): Promise<Readable> => {
  const { token } = context.config
  if (!token) throw new TokenRefused()
  const { url, request } = requestOf(context, route, { token }, { body })
  const found = await fileByCall(context, url, request, field)
  if ('file' in found) return found.file
  read(context, found.answer, true)
  throw new ChannelError('retry', 'A uazapi não entregou o arquivo agora.')
}

const ask = async (context: Context, route: string, key: Record<string, string>, more: Call): Promise<unknown> => {
  const { isHarmless = false } = more
  const { url, request } = requestOf(context, route, key, more)
  const answer = await context.http(url, request).catch((error) => {
    throw noAnswer(error, isHarmless)
  })
  return read(context, answer, isHarmless)
}
const requestOf = (
  { config }: Context,
  route: string,
  key: Record<string, string>,
  { body, method = body ? 'POST' : 'GET', timeoutMs, late }: Call,
): { url: string; request: HttpRequest } => ({
  url: `${config.baseUrl.replace(/\/+$/, '')}/${route}`,
  request: { method, timeoutMs, ...jsonOf(body, late, key) },
})

const refused = z.object({ error: z.unknown().optional(), message: loose(z.string()) })

const read = ({ config }: Context, { status, headers, json }: HttpAnswer, isHarmless: boolean): unknown => {
  const body = json()
  if (status < 300) {
    if (typeof body === 'object' && body !== null) return body
    if (!isHarmless) throw unclear('A uazapi respondeu de um jeito inesperado.')
    throw new ChannelError('retry', 'A uazapi respondeu de um jeito inesperado.', {
      forAdmin: { text: 'Este endereço não responde como um servidor da uazapi. Confira o endereço.' },
    })
  }
  const { data } = refused.safeParse(body)
  const words = typeof data?.error === 'string' ? data.error : (data?.message ?? '')
  throw refusalOf(status, unsaid(words, config), isHarmless, retryAfterMs(headers))
}

/** A session that is not begun is told with the status of a wrong token, or as a fault of the server. */
const refusalOf = (status: number, words: string, isHarmless: boolean, waitMs?: number): ChannelError => {
  if (status === 413) return new ChannelError('final', 'O arquivo é grande demais para a uazapi.')
  if (status === 415) return new ChannelError('final', 'O WhatsApp não aceita este tipo de arquivo.')
  const known = status === 429 ? undefined : refusalIn(words, isHarmless)
  if (status === 401 || status === 403) return known?.outcome === 'retry' ? known : new TokenRefused()
  if (known) return known
  const told = words && !/[<{[]/.test(words) ? `: ${words.slice(0, 200)}` : ''
  return (
    gatewayError(status, isHarmless, waitMs) ??
    new ChannelError('final', `A uazapi recusou o pedido (${status}${told}).`)
  )
}

/** Nobody has this token: it was changed, or its instance is gone. */
export class TokenRefused extends ChannelError {
  constructor() {
    super('final', 'A uazapi recusou o token deste canal. Avise o administrador.', {
      isConnectionBroken: true,
      forAdmin: {
        text: 'A uazapi não aceita mais o token deste canal: ele mudou, ou a instância foi apagada. Copie o atual e cole aqui, em Editar.',
        mistyped: 'A uazapi não aceita este token. Copie o token da instância, ou o de administrador, e cole de novo.',
      },
    })
  }
}
