import { EgressError } from '../kit/egress.ts'
import { AppError } from '../kit/errors.ts'
import { IntegrationError } from './adapter.ts'

/**
 * Why a model did not answer. `config`: key, right, model or request, as the provider sees it; `money`: the account has
 * none; `speed`: too many requests, or the provider is overloaded; `network`: no answer, or one that broke off; `refusal`:
 * the model would not, or said nothing; `length`: more than the model takes.
 */
export const modelProblems = ['config', 'money', 'speed', 'network', 'refusal', 'length'] as const
export type ModelProblemKind = (typeof modelProblems)[number]

/** A model did not answer; `message` is for the administrator, in Portuguese, with what to do. */
export class ModelProblem extends IntegrationError {
  readonly kind: ModelProblemKind
  /** What the provider asks to be left alone for. */
  readonly retryAfterMs: number | undefined
  /** The account itself does not work, whatever is asked of it. */
  readonly isOfAccount: boolean
  constructor(
    kind: ModelProblemKind,
    text: string,
    { retryAfterMs, isOfAccount = false }: { retryAfterMs?: number; isOfAccount?: boolean } = {},
  ) {
    super(text, { isPassing: kind === 'speed' || kind === 'network' })
    this.kind = kind
    this.retryAfterMs = retryAfterMs
    this.isOfAccount = isOfAccount
  }
}

/** It never left: asking again cannot answer anything twice. */
export class Unsent extends ModelProblem {}

type Said = { status: number | undefined; text: string; codes: string; headers: Record<string, string | undefined> }
/** Who was asked: its name, and what must not be repeated of it. */
export type Asked = { label: string; model: string; apiKey: string | undefined }

/** What any failure of a call to a model means. */
export const problemOf = (error: unknown, asked: Asked): ModelProblem => {
  if (error instanceof ModelProblem) return error
  const refused = findCause(error, (one) => one instanceof AppError)
  if (refused) return new ModelProblem('config', refused.message, { isOfAccount: true })
  const isLate = findCause(error, (one) => one instanceof Error && /^(TimeoutError|AbortError)$/.test(one.name))
  if (isLate) return new ModelProblem('network', `${asked.label} não respondeu a tempo.`)
  const said = saidBy(error, asked)
  return said.status === undefined && !said.codes ? unanswered(error, asked) : answered(said, asked)
}

/** What a provider's answer means, of any status and also of an error inside a 200. */
export const answered = (said: Said, { label, model }: Asked): ModelProblem => {
  const { status, codes } = said
  const told = said.text ? ` O provedor disse: “${said.text}”` : ''
  const account = { isOfAccount: true }
  if (status === 402 || /insufficient_quota|billing|credit|balance|quota_exceeded.*credit/i.test(codes))
    return new ModelProblem('money', `A conta ${label} está sem saldo. Ponha crédito no provedor.${told}`, account)
  if (
    /context_length|context window|model_context|too_long|maximum context|prompt is too long|input length/i.test(codes)
  )
    return new ModelProblem('length', `A conversa ficou longa demais para o modelo ${model}.${told}`)
  if (/content_filter|content_policy|safety|moderation/i.test(codes))
    return new ModelProblem('refusal', `${label} não quis responder a isto.${told}`)
  if (status === 401 || /invalid_api_key|authentication|API_KEY_INVALID|api key not valid/i.test(codes))
    return new ModelProblem('config', `${label} não aceita esta chave. Gere outra e cole de novo.${told}`, account)
  if (status === 403)
    return new ModelProblem(
      'config',
      `${label} não deixa esta conta usar isto. Confira permissões e região.${told}`,
      account,
    )
  if (status === 404 || /model_not_found|not_found_error/i.test(codes))
    return new ModelProblem(
      'config',
      `${label} não conhece o modelo ${model} ou este endereço. Escolha outro da lista.${told}`,
      account,
    )
  if (
    status === 429 ||
    status === 498 ||
    status === 502 ||
    status === 503 ||
    status === 529 ||
    /rate_limit|overloaded|RESOURCE_EXHAUSTED|UNAVAILABLE/i.test(codes)
  )
    return new ModelProblem('speed', `${label} pediu para esperar: pedidos demais, ou o serviço está cheio.${told}`, {
      retryAfterMs: retryAfter(said.headers),
    })
  if (status !== undefined && status >= 400 && status < 500)
    return new ModelProblem('config', `${label} não aceitou o pedido (${status}).${told}`)
  return new ModelProblem(
    'network',
    `${label} está com problema${status && status >= 500 ? ` (${status})` : ''}. Tente daqui a pouco.${told}`,
  )
}

const unanswered = (error: unknown, { label }: Asked) => {
  const isCut = findCause(error, (one) => one instanceof EgressError && one.wasSent)
  return new ModelProblem(
    'network',
    isCut
      ? `A resposta de ${label} parou no meio.`
      : `${label} não respondeu. Confira o endereço e se o servidor está no ar.`,
  )
}

/** Status, words and codes of a provider's refusal, however the library wraps it. */
const saidBy = (error: unknown, { apiKey }: Asked): Said => {
  const call = findCause(
    error,
    (one) => typeof field(one, 'statusCode') === 'number' || typeof field(one, 'responseBody') === 'string',
  )
  const body = parsed(field(call, 'responseBody')) ?? errorObject(error)
  const inner = field(body, 'error') ?? body
  const text = [field(inner, 'message'), inner, field(body, 'message'), field(call, 'message')].find(
    (one) => typeof one === 'string' && one,
  )
  const codes = ['code', 'type', 'status'].map((name) => String(field(inner, name) ?? '')).join(' ')
  const words = cleaned(String(text ?? ''), apiKey)
  const status = field(call, 'statusCode')
  const headers = field(call, 'responseHeaders')
  return {
    status: typeof status === 'number' ? status : undefined,
    text: words,
    codes: body ? `${codes} ${words}`.trim() : '',
    headers: (typeof headers === 'object' && headers !== null ? headers : {}) as Said['headers'],
  }
}

/** A key is never shown, not even in the words of a provider that repeats it. */
export const cleaned = (text: string, apiKey: string | undefined): string =>
  (apiKey && apiKey.length > 3 ? text.replaceAll(apiKey, '…') : text)
    .replace(/\b(sk|gsk|xai|AIza)[-_]?[\w*-]{6,}/g, '…')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300)

/** Milliseconds a provider asks to be left alone for: a number of seconds, or of milliseconds under its own name. */
const retryAfter = (headers: Said['headers']): number | undefined => {
  const ms = Number(headers['retry-after-ms'])
  const s = Number(headers['retry-after'])
  if (Number.isFinite(ms) && ms > 0) return ms
  return Number.isFinite(s) && s > 0 ? s * 1_000 : undefined
}

const field = (of: unknown, name: string): unknown =>
  typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined
const parsed = (text: unknown): unknown => {
  if (typeof text !== 'string') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return field(value, 'error') || field(value, 'message') ? value : undefined
  } catch {
    return undefined
  }
}
/** What comes in the middle of a stream is the provider's own object, or an error that carries it. */
const errorObject = (error: unknown): unknown => {
  if (typeof error === 'string') return { message: error }
  const isPlain = typeof error === 'object' && error !== null && !(error instanceof Error)
  if (isPlain) return error
  const carried = field(error, 'data') ?? field(error, 'error')
  if (typeof carried === 'object' && carried !== null) return carried
  // The library's own reading of an error in a stream.
  return field(error, 'type') || field(error, 'code')
    ? { code: field(error, 'code'), type: field(error, 'type'), message: field(error, 'message') }
    : undefined
}

function findCause<T = unknown>(error: unknown, is: (one: unknown) => one is T): T | undefined
function findCause(error: unknown, is: (one: unknown) => boolean): unknown
function findCause(error: unknown, is: (one: unknown) => boolean): unknown {
  const seen = new Set<unknown>()
  const look = (one: unknown): unknown => {
    if (one === undefined || one === null || seen.has(one) || seen.size > 20) return undefined
    seen.add(one)
    if (is(one)) return one
    return look(field(one, 'cause')) ?? look(field(one, 'lastError'))
  }
  return look(error)
}
