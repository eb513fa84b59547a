import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { HttpAnswer, HttpRequest } from '../../kit/egress.ts'
import { loose } from '../../kit/loose.ts'
import { type ChannelContext, ChannelError } from '../adapter.ts'
import { fileByCall, jsonOf, type LateFile } from '../base64-streams.ts'
import { gatewayError, noAnswer, retryAfterMs, unclear, unsaid } from '../http-errors.ts'
import { gone } from '../whatsapp/files.ts'
import { refusalIn } from '../whatsapp/refusals.ts'

export type Context = ChannelContext<'wuzapi'>

type Call = {
  method?: HttpRequest['method']
  body?: object
  query?: Record<string, string>
  /** May be repeated after a time-out: nobody sees it. */
  isHarmless?: boolean
  timeoutMs?: number
  /** Goes where `filePlace` stands in the body. */
  late?: LateFile
}

/** One route of the user; refusals become ChannelError. Servers read the token in one of two headers. */
export const call = (context: Context, route: string, more: Call = {}): Promise<unknown> => {
  const { token } = context.config
  if (!token) throw new TokenRefused()
  return ask(context, route, { token, authorization: token }, more)
}

/** A route of the server itself, which only its administrator may call. */
export const callServer = (context: Context, route: string, more: Call = {}): Promise<unknown> =>
  ask(context, route, { authorization: context.config.adminToken ?? '' }, more)

/** The file that one route of the user answers with, in that field. */
export const openFile = async (context: Context, route: string, body: object, field: string): Promise<Readable> => {
  const { token } = context.config
  if (!token) throw new TokenRefused()
  const { url, request } = requestOf(context, route, { token, authorization: token }, { body })
  const found = await fileByCall(context, url, request, field)
  if ('file' in found) return found.file
  read(context, found.answer, true)
  throw new ChannelError('retry', 'O WuzAPI não entregou o arquivo agora.')
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
  { body, method = body ? 'POST' : 'GET', query, timeoutMs, late }: Call,
): { url: string; request: HttpRequest } => ({
  url: `${config.baseUrl.replace(/\/+$/, '')}/${route}${query ? `?${new URLSearchParams(query)}` : ''}`,
  request: { method, timeoutMs, ...jsonOf(body, late, key) },
})

/** `{"code":200,"data":…,"success":true}`; some routes answer with what they say alone. */
const answered = z.looseObject({ data: z.unknown().optional() })
const refused = z.object({ error: loose(z.string()) })

const read = ({ config }: Context, { status, headers, json }: HttpAnswer, isHarmless: boolean): unknown => {
  const body = json()
  if (status < 300) {
    const { data } = answered.safeParse(body)
    if (data) return data.data ?? data
    if (Array.isArray(body)) return body
    if (!isHarmless) throw unclear('O WuzAPI respondeu de um jeito inesperado.')
    throw notWuzapi('O WuzAPI respondeu de um jeito inesperado.')
  }
  const words = unsaid(refused.safeParse(body).data?.error ?? '', config)
  throw refusalOf(status, words, isHarmless, retryAfterMs(headers))
}

export const notWuzapi = (text: string) =>
  new ChannelError('retry', text, {
    forAdmin: { text: 'Este endereço não responde como um servidor WuzAPI. Confira o endereço.' },
  })

/** WhatsApp keeps files for some weeks, and opens them to nobody else. */
const fileGone = /^failed to download .*(status code (403|404|410)|hmac|hash|no url)/i

const refusalOf = (status: number, words: string, isHarmless: boolean, waitMs?: number): ChannelError => {
  if (status === 401 || status === 403) return new TokenRefused()
  if (status === 404 && !words) return new RouteMissing()
  if (status === 413) return new ChannelError('final', 'O arquivo é grande demais para o servidor WuzAPI.')
  if (/^no (active )?session$/i.test(words)) return new NoSession()
  if (/^already (connected|logged in|paired)/i.test(words)) return new AlreadyThere()
  if (/encrypt hmac/i.test(words)) return unsigned()
  // Files are laid at WhatsApp before the message leaves.
  if (/^failed to upload/i.test(words)) return new ChannelError('retry', 'O WhatsApp não recebeu o arquivo agora.')
  if (fileGone.test(words)) return gone()
  const known = status === 429 ? undefined : refusalIn(words, isHarmless)
  if (known) return known
  const told = words && !/[<{[]/.test(words) ? `: ${words.slice(0, 200)}` : ''
  return (
    gatewayError(status, isHarmless, waitMs) ??
    new ChannelError('final', `O WuzAPI recusou o pedido (${status}${told}).`)
  )
}

/** Nobody has this token: it was changed, or its user is gone. */
export class TokenRefused extends ChannelError {
  constructor() {
    super('final', 'O WuzAPI recusou o token deste canal. Avise o administrador.', {
      isConnectionBroken: true,
      forAdmin: {
        text: 'O WuzAPI não aceita mais o token deste canal: ele mudou, ou o usuário foi apagado. Toque em Testar para criá-lo de novo, ou cole o token atual em Editar.',
        mistyped: 'O WuzAPI não aceita este token. Copie o token de administrador, ou o do usuário, e cole de novo.',
      },
    })
  }
}

/** The user has no session at all: a phone was never linked, has left, or the server has just started. */
export class NoSession extends ChannelError {
  constructor() {
    super('retry', 'O WhatsApp deste canal está desconectado.')
  }
}

/** What was to begin has begun. */
export class AlreadyThere extends ChannelError {
  constructor() {
    super('final', 'O WhatsApp deste canal já está conectado.')
  }
}

/** Nobody could tell its calls from anybody else's. */
export const unsigned = () =>
  new ChannelError('final', 'O servidor WuzAPI deste canal não assina seus avisos. Avise o administrador.', {
    isConnectionBroken: true,
    forAdmin: {
      text: 'Este servidor WuzAPI não assina seus avisos. Atualize-o, defina WUZAPI_GLOBAL_ENCRYPTION_KEY com 32 caracteres e teste de novo.',
    },
  })

/** An older server, or none of WuzAPI's. */
export class RouteMissing extends ChannelError {
  constructor() {
    super('final', 'O servidor WuzAPI deste canal é antigo demais para isto.')
  }
}
