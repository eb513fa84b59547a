import type { BotKind } from '@balcao/contract/core/integrations/bots.ts'
import { EgressError, type HttpAnswer, type HttpRequest } from '../../kit/egress.ts'
import type { IntegrationContext } from '../adapter.ts'
import { ModelProblem, Unsent } from '../model-problem.ts'

export type BotContext = IntegrationContext<BotKind>

/** Whose answer it is, as people know it. */
type Of = { label: string; context: Pick<BotContext, 'egress'> }
/**
 * One call of a bot elsewhere; throws ModelProblem. A call that may have arrived is never repeated here: bots answer the
 * same words twice, and the second answer is for the next question.
 */
export const call = async ({ label, context }: Of, url: string, request: HttpRequest): Promise<HttpAnswer> => {
  const answer = await context.egress.http(url, { maxBytes: 2_000_000, ...request }).catch((error: unknown) => {
    throw unanswered(label, error)
  })
  if (answer.status >= 200 && answer.status < 300) return answer
  throw refused(label, answer)
}

export const unanswered = (label: string, error: unknown): unknown => {
  if (!(error instanceof EgressError)) return error
  if (error.isTooLarge) return new ModelProblem('config', `${label} respondeu com mais do que pode ser lido.`)
  if (error.wasSent) return new ModelProblem('network', `${label} não respondeu a tempo.`)
  return new Unsent('network', `${label} não respondeu. Confira o endereço e se o servidor está no ar.`)
}

/** Thrown for an answer of the other side that is none of 200; `status` for whoever knows better what it means there. */
export class Refused extends ModelProblem {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, ...given: ConstructorParameters<typeof ModelProblem>) {
    super(...given)
    this.status = status
    this.code = code
  }
}

/** Words of an error body: Google, Dify, Typebot, n8n and Vapi each carry a message somewhere. Stack traces are not read. */
export const refused = (label: string, { status, headers, json }: Pick<HttpAnswer, 'status' | 'headers' | 'json'>) => {
  const { message, code } = errorIn(json)
  const told = message ? ` O serviço disse: “${message}”` : ''
  const of = { isOfAccount: true }
  if (status === 401 || status === 403)
    return new Refused(
      status,
      code,
      'config',
      `${label} não aceita esta chave ou este acesso. Confira e cole de novo.${told}`,
      of,
    )
  if (status === 402) return new Refused(status, code, 'money', `A conta ${label} está sem saldo.${told}`, of)
  if (status === 404)
    return new Refused(
      status,
      code,
      'config',
      `${label} não conhece este endereço ou este robô. Confira e publique-o.${told}`,
      of,
    )
  if (status === 429 || status === 503)
    return new Refused(
      status,
      code,
      'speed',
      `${label} pediu para esperar: pedidos demais, ou o serviço está cheio.${told}`,
      {
        retryAfterMs: Number(headers['retry-after']) * 1_000 || undefined,
      },
    )
  if (status >= 400 && status < 500)
    return new Refused(status, code, 'config', `${label} não aceitou o pedido (${status}).${told}`)
  return new Refused(status, code, 'network', `${label} está com problema (${status}). Tente daqui a pouco.${told}`)
}

const errorIn = (json: () => unknown): { message: string; code: string } => {
  try {
    const body = json()
    const error = field(body, 'error')
    const inner = typeof error === 'object' && error ? error : body
    const [message, error_] = [field(inner, 'message'), typeof error === 'string' ? error : '']
    const said = Array.isArray(message) ? message.join('; ') : String(message ?? error_ ?? '')
    return {
      message: said.replace(/\s+/g, ' ').slice(0, 300),
      code: String(field(inner, 'code') ?? field(inner, 'status') ?? ''),
    }
  } catch {
    return { message: '', code: '' }
  }
}
export const field = (of: unknown, name: string): unknown =>
  typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined

/** What somebody keeps between two turns, as text; what is not ours, or of another day, is none. */
export const opened = <T>(
  session: string | null,
  read: (value: unknown) => { success: boolean; data?: T },
): T | undefined => {
  if (!session) return undefined
  try {
    return read(JSON.parse(session)).data
  } catch {
    return undefined
  }
}
