import type { FormData } from 'undici'
import { z } from 'zod'
import type { HttpAnswer, HttpRequest } from '../../kit/egress.ts'
import { type ChannelContext, ChannelError } from '../adapter.ts'
import { gatewayError, noAnswer, retryAfterMs, unclear } from '../http-errors.ts'

export type Context = ChannelContext<'telegram'>

/** The group lives on under another id: the call has to be made again with it. */
export class GroupMoved extends ChannelError {
  readonly chatId: string
  constructor(chatId: number) {
    super('final', 'O grupo mudou de endereço no Telegram. Tente de novo depois da próxima mensagem.')
    this.chatId = String(chatId)
  }
}

const answerShape = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  error_code: z.number().optional(),
  description: z.string().optional(),
  parameters: z
    .object({ retry_after: z.number().optional(), migrate_to_chat_id: z.int().optional() })
    .optional()
    .catch(undefined),
})
type Answer = z.output<typeof answerShape>

const isForm = (fields: Record<string, unknown> | FormData): fields is FormData =>
  Object.prototype.toString.call(fields) === '[object FormData]'

/** One Bot API method. `isHarmless` calls may be repeated after a time-out. */
export const call = async (
  context: Context,
  method: string,
  fields: Record<string, unknown> | FormData,
  isHarmless = false,
): Promise<unknown> => {
  const request: HttpRequest = isForm(fields)
    ? { method: 'POST', body: fields, timeoutMs: 120_000 }
    : { method: 'POST', body: JSON.stringify(fields), headers: { 'content-type': 'application/json' } }
  const answer = await reach(context, `bot${context.config.botToken}/${method}`, request, isHarmless)
  const { data } = answerShape.safeParse(answer.json())
  if (data?.ok) return data.result
  if (!data && answer.status < 300) throw unclear('O Telegram respondeu de um jeito inesperado.')
  throw refusalOf(answer, data, isHarmless)
}

/** A file of `getFile`, at most the 20 MB that Telegram gives out. */
export const downloadFile = async (context: Context, path: string): Promise<Buffer> => {
  const limits = { timeoutMs: 120_000, maxBytes: 21_000_000 }
  const answer = await reach(context, `file/bot${context.config.botToken}/${path}`, limits, true)
  if (answer.status === 200) return answer.bytes
  throw (
    gatewayError(answer.status, true, retryAfterMs(answer.headers)) ??
    new ChannelError('final', 'O Telegram não tem mais este arquivo. Peça ao contato para enviá-lo de novo.')
  )
}

const reach = async (context: Context, path: string, request: HttpRequest, isHarmless: boolean) => {
  try {
    return await context.http(`${context.config.baseUrl.replace(/\/$/, '')}/${path}`, request)
  } catch (error) {
    throw noAnswer(error, isHarmless)
  }
}

const refusalOf = ({ status, headers }: HttpAnswer, data: Answer | undefined, isHarmless: boolean) => {
  const { error_code, description = '', parameters } = data ?? {}
  if (parameters?.migrate_to_chat_id !== undefined) return new GroupMoved(parameters.migrate_to_chat_id)
  const waitMs = parameters?.retry_after === undefined ? retryAfterMs(headers) : parameters.retry_after * 1_000
  const code = error_code ?? status
  if (code === 429) {
    return new ChannelError('retry', 'O Telegram pediu para esperar.', {
      retryAfterMs: waitMs ?? 5_000,
    })
  }
  if (error_code !== undefined && code >= 500) {
    return new ChannelError('retry', 'O Telegram está instável.')
  }
  if (status === 413) return new ChannelError('final', 'O arquivo é grande demais para o Telegram.')
  // A page is somebody's in front of it: Telegram itself always says what it refuses.
  if (error_code === undefined && status === 404)
    return new ChannelError('final', 'O Telegram não encontrou o que pedimos.')
  return gatewayError(code, isHarmless, waitMs) ?? final(code, description)
}

const final = (code: number, description: string): ChannelError => {
  if (code === 409) {
    const text =
      'Outro programa está lendo as mensagens deste bot. Desligue-o, ou gere outro token com /token no @BotFather.'
    return new ChannelError('final', text, { forAdmin: { text } })
  }
  if (code === 401 || code === 404) {
    return new ChannelError('final', 'O token do bot foi revogado. Peça ao administrador para atualizar o canal.', {
      isConnectionBroken: true,
      forAdmin: {
        text: 'O token deste bot foi revogado no Telegram. Gere outro com /token no @BotFather e cole aqui, em Editar.',
        mistyped: 'O Telegram não reconhece este token. Copie-o inteiro da resposta do @BotFather e cole de novo.',
      },
    })
  }
  const gone = goneWords.find(([pattern]) => pattern.test(description))
  if (code === 403 || gone) {
    return new ChannelError('final', gone?.[1] ?? 'O contato bloqueou o bot no Telegram.', { isUnreachable: true })
  }
  const known = words.find(([pattern]) => pattern.test(description))
  return new ChannelError('final', known?.[1] ?? `O Telegram recusou o pedido (${code}: ${description}).`)
}

const goneWords: [RegExp, string][] = [
  [/kicked|not a member/i, 'O bot foi removido do grupo.'],
  [/chat not found/i, 'Esta conversa não existe mais no Telegram.'],
]
const words: [RegExp, string][] = [
  [/thread not found|TOPIC_(DELETED|CLOSED|ID_INVALID)/i, 'Este tópico do grupo foi apagado ou fechado no Telegram.'],
  [/too big|too large/i, 'O arquivo é grande demais para o Telegram.'],
  [/too long/i, 'O texto é longo demais para o Telegram.'],
  [/REACTION_INVALID/, 'O Telegram não aceita este emoji como reação.'],
  [/can't be deleted/i, 'O Telegram não deixa mais apagar esta mensagem.'],
  [/can't be edited|to edit not found/i, 'O Telegram não deixa mais alterar esta mensagem.'],
  [
    /webhook/i,
    'O Telegram só entrega mensagens em um endereço público com HTTPS, que quem cuida da instalação define em PUBLIC_URL. Sem ele, escolha Receber por: Consulta.',
  ],
]
