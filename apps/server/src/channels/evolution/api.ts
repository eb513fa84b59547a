import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { HttpAnswer, HttpRequest } from '../../kit/egress.ts'
import { type ChannelContext, ChannelError } from '../adapter.ts'
import { fileByCall, jsonOf, type LateFile } from '../base64-streams.ts'
import { gatewayError, noAnswer, retryAfterMs, unclear, unsaid } from '../http-errors.ts'
import { notOnWhatsApp } from '../whatsapp/disconnects.ts'
import { refusalIn } from '../whatsapp/refusals.ts'

export type Context = ChannelContext<'evolution'>

/** The name of the instance: the one that was typed or learned, else the one we make for this connection. */
export const instanceOf = ({ config, tenantId, connectionId }: Context): string =>
  config.instanceName || `${oursBegins}${tenantId}-${connectionId.replaceAll('-', '').slice(-12)}`
const oursBegins = 'balcao-'
/** Made by us: nobody else keeps anything there. */
export const isOurs = (context: Context) => instanceOf(context).startsWith(`${oursBegins}${context.tenantId}-`)

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

/** One route of the instance; refusals become ChannelError. */
export const call = async (context: Context, route: string, more: Call = {}): Promise<unknown> => {
  const { method = more.body ? 'POST' : 'GET', query, isHarmless = false } = more
  const search = query ? `?${new URLSearchParams(query)}` : ''
  const answer = await reach(context, `${route}/${encodeURIComponent(instanceOf(context))}${search}`, method, more)
  return read(context, answer, isHarmless)
}

/** A route of the server itself. */
export const callServer = async (context: Context, route: string, more: Call = {}): Promise<unknown> => {
  const { method = more.body ? 'POST' : 'GET', query, isHarmless = false } = more
  const search = query ? `?${new URLSearchParams(query)}` : ''
  return read(context, await reach(context, `${route}${search}`, method, more), isHarmless)
}

/** The file that one route of the instance answers with, in that field. */
export const openFile = async (context: Context, route: string, body: object, field: string): Promise<Readable> => {
  const { url, request } = requestOf(context, `${route}/${encodeURIComponent(instanceOf(context))}`, 'POST', { body })
  const found = await fileByCall(context, url, request, field)
  if ('file' in found) return found.file
  read(context, found.answer, true)
  throw new ChannelError('retry', 'O Evolution não entregou o arquivo agora.')
}

const reach = async (context: Context, path: string, method: HttpRequest['method'], more: Call) => {
  const { url, request } = requestOf(context, path, method, more)
  try {
    return await context.http(url, request)
  } catch (error) {
    throw noAnswer(error, more.isHarmless)
  }
}
const requestOf = (
  { config }: Context,
  path: string,
  method: HttpRequest['method'],
  { body, timeoutMs, late }: Call,
): { url: string; request: HttpRequest } => ({
  url: `${config.baseUrl.replace(/\/+$/, '')}/${path}`,
  request: { method, timeoutMs, ...jsonOf(body, late, { apikey: config.apiKey }) },
})

const refused = z.object({
  response: z.object({ message: z.unknown() }).optional().catch(undefined),
  message: z.unknown().optional(),
})
/** Meta's own refusal, which Evolution hands on as if the message had been sent. */
const ofMeta = z.object({ code: z.number(), message: z.string(), error_data: z.unknown().optional() })

const read = ({ config }: Context, { status, headers, json }: HttpAnswer, isHarmless: boolean): unknown => {
  const body = json()
  if (status < 300) {
    const meta = ofMeta.safeParse(body).data
    if (meta) throw refusalOfMeta(meta)
    if (typeof body === 'object' && body !== null) return body
    if (!isHarmless) throw unclear('O Evolution respondeu de um jeito inesperado.')
    throw new ChannelError('retry', 'O Evolution respondeu de um jeito inesperado.', {
      forAdmin: { text: 'Este endereço não responde como um servidor Evolution API. Confira o endereço.' },
    })
  }
  const { data } = refused.safeParse(body)
  const words = wordsOf(data?.response?.message ?? data?.message)
  throw refusalOf(status, unsaid(words, config), isHarmless, retryAfterMs(headers))
}

/** What it says in its many shapes, in one line. */
const wordsOf = (message: unknown): string => {
  if (typeof message === 'string') return message
  if (Array.isArray(message)) return message.map(wordsOf).join('; ')
  return typeof message === 'object' && message !== null ? JSON.stringify(message) : ''
}

const refusalOf = (status: number, words: string, isHarmless: boolean, waitMs?: number): ChannelError => {
  if (status === 401 || status === 403) return keyRefused()
  if (status === 404 && /instance does not exist/i.test(words)) return new InstanceMissing()
  if (status === 413) return new ChannelError('final', 'O arquivo é grande demais para o servidor Evolution.')
  const known = status === 400 || status === 404 ? refusalIn(words, isHarmless) : undefined
  if (known) return known
  // What broke inside while it was sending: perhaps after the message had left.
  if (status === 400 && !isHarmless && /^\w*Error\b/.test(words)) return unclear('O Evolution falhou durante o envio.')
  const told = words && !/[<{[]/.test(words) ? `: ${words.slice(0, 200)}` : ''
  return (
    gatewayError(status, isHarmless, waitMs) ??
    new ChannelError('final', `O Evolution recusou o pedido (${status}${told}).`)
  )
}

const keyRefused = () =>
  new ChannelError('final', 'O Evolution recusou a chave deste canal. Avise o administrador.', {
    isConnectionBroken: true,
    forAdmin: {
      text: 'O servidor Evolution não aceita mais a chave deste canal. Copie a chave atual e cole aqui, em Editar.',
      mistyped:
        'O servidor Evolution não aceita esta chave. Use a chave global; ou, com a chave de uma instância, o nome dela.',
    },
  })
/** There is no instance of this name: one can be made. */
export class InstanceMissing extends ChannelError {
  constructor() {
    super('final', 'Este canal não existe mais no Evolution. Avise o administrador.', {
      isConnectionBroken: true,
      forAdmin: { text: 'A instância deste canal não existe mais no Evolution. Toque em Testar para criá-la de novo.' },
    })
  }
}

export const refusalOfMeta = ({ code, message }: z.output<typeof ofMeta>): ChannelError => {
  if (code === 190 || code === 0)
    return new ChannelError('final', 'O token da Meta venceu ou foi revogado. Avise o administrador.', {
      isConnectionBroken: true,
      forAdmin: { text: 'O token da Meta venceu ou foi revogado. Gere outro e cole aqui, em Editar.' },
    })
  if (code === 131047)
    return new ChannelError('final', 'A janela de 24 horas terminou. Espere o cliente escrever de novo.')
  if (code === 131026) return notOnWhatsApp()
  if ([4, 80007, 130429, 131056, 131000, 131016].includes(code))
    return new ChannelError('retry', 'O WhatsApp pediu para esperar.', { retryAfterMs: 6_000 })
  return new ChannelError('final', `A Meta recusou a mensagem (${code}: ${message.slice(0, 200)}).`)
}
