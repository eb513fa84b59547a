import { z } from 'zod'
import type { HttpAnswer, HttpRequest } from '../../kit/egress.ts'
import { type ChannelContext, ChannelError } from '../adapter.ts'
import { jsonOf, type LateFile } from '../base64-streams.ts'
import { gatewayError, noAnswer, retryAfterMs, unclear, unsaid } from '../http-errors.ts'
import { notOnWhatsApp } from '../whatsapp/disconnects.ts'
import { refusalIn } from '../whatsapp/refusals.ts'

export type Context = ChannelContext<'zapi'>

type Call = {
  method?: HttpRequest['method']
  body?: object
  query?: Record<string, string>
  timeoutMs?: number
  /** Opens what only a partner of Z-API may do. */
  partnerToken?: string
  /** Goes where `filePlace` stands in the body. */
  late?: LateFile
}

/** A method of the instance that shows nothing to anybody, and may be repeated; refusals become ChannelError. */
export const ask = async (context: Context, path: string, more: Call = {}): Promise<unknown> => {
  return read(context, await reach(context, `${instanceIn(context)}/${path}`, more, true))
}
/** A route of the account, which stands above its instances. */
export const askAccount = async (context: Context, path: string, more: Call): Promise<unknown> => {
  const answer = await reach(context, path, more, true)
  if (answer.status === 401 || answer.status === 403) throw partnerRefused()
  return read(context, answer)
}
const partnerRefused = () =>
  new ChannelError('final', 'A Z-API recusou o token de parceiro deste canal. Avise o administrador.', {
    isConnectionBroken: true,
    forAdmin: {
      text: 'A Z-API não aceita o token de parceiro. Copie-o de novo e veja, na Z-API, se ele ainda permite criar instâncias.',
    },
  })

const read = (context: Context, answer: HttpAnswer): unknown => {
  const body = answer.json()
  if (answer.status === 204 || answer.status === 201) return body ?? {}
  if (answer.status < 300 && typeof body === 'object' && body !== null) return body
  throw refusalOf(context, answer, true)
}

const sent = z
  .object({ messageId: z.string().min(1).optional(), id: z.string().min(1).optional() })
  .transform(({ messageId, id }) => messageId ?? id)

/** A method that puts a message into the queue of the instance: the id it will have in WhatsApp. */
export const enqueue = async (
  context: Context,
  path: string,
  more: Pick<Call, 'body' | 'timeoutMs' | 'late'>,
): Promise<string> => {
  const answer = await reach(context, `${instanceIn(context)}/${path}`, more, false)
  const providerId = answer.status < 300 ? sent.safeParse(answer.json()).data : undefined
  if (providerId) return providerId
  throw refusalOf(context, answer, false)
}

const reach = async (
  { config, http }: Context,
  path: string,
  { body, method = body ? 'POST' : 'GET', query, timeoutMs, partnerToken, late }: Call,
  isHarmless: boolean,
) => {
  const { baseUrl, clientToken } = config
  const base = `${baseUrl.replace(/\/+$/, '')}/instances`
  const search = query ? `?${new URLSearchParams(query)}` : ''
  const key = { 'client-token': clientToken, ...(partnerToken && { authorization: `Bearer ${partnerToken}` }) }
  try {
    return await http(`${base}${path && `/${path}`}${search}`, { method, timeoutMs, ...jsonOf(body, late, key) })
  } catch (error) {
    throw noAnswer(error, isHarmless)
  }
}

const instanceIn = ({ config: { instanceId, instanceToken } }: Context) => {
  if (!instanceId || !instanceToken) throw new InstanceMissing(unnamed)
  return `${encodeURIComponent(instanceId)}/token/${encodeURIComponent(instanceToken)}`
}
const unnamed = 'Informe o ID e o token da instância, ou use uma conta da Z-API com token de parceiro.'

const refused = z.object({ error: z.unknown().optional(), message: z.unknown().optional() })
const wordsOf = (body: unknown) => {
  const { error, message } = refused.safeParse(body).data ?? {}
  return [error, message].filter((one) => typeof one === 'string' && one).join(': ')
}

/** Also said with 200, in words alone. */
const refusalOf = ({ config }: Context, { status, headers, json }: HttpAnswer, isHarmless: boolean): ChannelError => {
  const words = unsaid(wordsOf(json()), config)
  if (status < 300 && !words) return unexpected(isHarmless)
  if (status === 401 || status === 403) return tokenRefused()
  if (status === 413) return new ChannelError('final', 'O arquivo é grande demais para a Z-API.')
  const known = rules.find(([pattern]) => pattern.test(words))?.[1]() ?? refusalIn(words, isHarmless)
  if (known && status < 500 && status !== 429) return known
  const told = words && !/[<{[]/.test(words) ? `: ${words.slice(0, 200)}` : ''
  return (
    gatewayError(status, isHarmless, retryAfterMs(headers)) ??
    new ChannelError('final', `A Z-API recusou o pedido (${status}${told}).`)
  )
}

const unexpected = (isHarmless: boolean) =>
  isHarmless
    ? new ChannelError('retry', 'A Z-API respondeu de um jeito inesperado.', {
        forAdmin: { text: 'Este endereço não responde como a Z-API. Confira o endereço da API.' },
      })
    : unclear('A Z-API respondeu de um jeito inesperado.')

const tokenRefused = () =>
  new ChannelError('final', 'A Z-API recusou os tokens deste canal. Avise o administrador.', {
    isConnectionBroken: true,
    forAdmin: {
      text: 'A Z-API não aceita mais os tokens deste canal. Copie-os de novo do painel da Z-API e cole aqui, em Editar.',
      mistyped:
        'A Z-API não aceita estes dados. Confira o ID e o token da instância e o token de segurança da conta (Client-Token).',
    },
  })

/** The account has no such instance, or none is named: where it is ours to make, one can be made. */
export class InstanceMissing extends ChannelError {
  constructor(text = 'A Z-API não conhece esta instância. Confira o ID e o token dela no painel da Z-API.') {
    super('final', 'Este canal não existe mais na Z-API. Avise o administrador.', {
      isConnectionBroken: true,
      forAdmin: { text },
    })
  }
}

const rules: [RegExp, () => ChannelError][] = [
  [
    /subscribe to this instance/i,
    () =>
      new ChannelError('final', 'A assinatura da Z-API deste canal venceu. Avise o administrador.', {
        isConnectionBroken: true,
        forAdmin: {
          text: 'A assinatura desta instância venceu na Z-API. Renove-a no painel da Z-API e teste de novo.',
        },
      }),
  ],
  [/instance not found/i, () => new InstanceMissing()],
  [/null not allowed|client-?token/i, tokenRefused],
  [/phone.*(not|n[ãa]o).*exist|not on whatsapp/i, notOnWhatsApp],
  [/restore the session/i, () => new ChannelError('retry', 'O WhatsApp deste canal está desconectado da Z-API.')],
]
