import { z } from 'zod'
import { isSame } from '../../kit/crypto.ts'
import { loose } from '../../kit/loose.ts'
import type { IntegrationContext } from '../adapter.ts'
import type { CallFacts, VoiceDoor, VoiceNews } from '../voice-door.ts'
import { call, Refused, refused, unanswered } from './calls.ts'

export const label = 'A Vapi'
export type VapiContext = Pick<IntegrationContext<'vapi'>, 'config' | 'egress'>

const text = loose(z.string())
const named = z.object({ id: z.string(), name: loose(z.string().nullable()) })
const phone = named.extend({ number: loose(z.string().nullable()) })
const artifact = loose(z.looseObject({ transcript: text }))
const analysis = loose(z.object({ summary: text }))
const callShape = z.object({
  id: z.string(),
  type: text,
  status: text,
  endedReason: text,
  startedAt: text,
  endedAt: text,
  cost: loose(z.number()),
  customer: loose(z.object({ number: text, name: text })),
  metadata: loose(z.looseObject({ balcaoCallId: text })),
  assistantId: text,
  phoneNumberId: text,
  artifact,
  analysis,
})
const told = z.object({
  message: z.object({
    type: z.string(),
    call: loose(callShape),
    status: text,
    endedReason: text,
    startedAt: text,
    endedAt: text,
    cost: loose(z.number()),
    customer: loose(z.object({ number: text, name: text })),
    artifact,
    analysis,
    toolCallList: loose(z.array(z.object({ id: z.string(), name: text }))),
  }),
})

/** Facts: Vapi's API (OpenAPI 1.0), calls and what it posts to a server URL. */
export const vapiVoice: VoiceDoor<'vapi'> = {
  verify: ({ authorization, 'x-vapi-secret': legacy }, { config }) => {
    const secret = config.hookSecret
    if (!secret) return false
    const given = [String(authorization ?? '').replace(/^Bearer /i, ''), String(legacy ?? '')]
    return given.some((one) => isSame(one, secret))
  },
  hear: (body, { config }) => heard(body, config.assistantId),
  usual: ({ config: { assistantId, phoneNumberId } }) => (phoneNumberId ? { assistantId, phoneNumberId } : null),
  assistants: async (context) => {
    const rows = z.array(named).parse((await askVapi(context, 'assistant?limit=100')).json())
    return rows.map(({ id, name }) => ({ id, name: name ?? id }))
  },
  numbers: async (context) => {
    const rows = z.array(phone).parse((await askVapi(context, 'phone-number?limit=100')).json())
    return rows.map(({ id, name, number }) => ({ id, name: name ?? number ?? id, number: number ?? '' }))
  },
  place: async ({ id, assistantId, phoneNumberId, number, name, variables }, context) => {
    const body = {
      assistantId,
      phoneNumberId,
      customer: { number, ...(name && { name: name.slice(0, 40) }) },
      assistantOverrides: { variableValues: variables },
      metadata: { balcaoCallId: id },
    }
    return factsOf(callShape.parse((await askVapi(context, 'call', { body, timeoutMs: 20_000 })).json()))
  },
  read: async (providerId, context) => {
    try {
      const one = callShape.parse((await askVapi(context, `call/${encodeURIComponent(providerId)}`)).json())
      return factsOf(one)
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return undefined
      throw error
    }
  },
  recording: async (providerId, context) => {
    const url = address(context, `call/${encodeURIComponent(providerId)}/mono-recording`)
    let answer = await streamed(context, url, headersOf(context))
    const elsewhere = answer.status >= 300 && answer.status < 400 ? answer.headers.location : undefined
    // A signed address of its store: the key stays here.
    if (elsewhere) answer = await streamed(context, new URL(elsewhere, url).href, {})
    if (answer.status === 200) return { body: answer.body, mime: answer.headers['content-type'] ?? 'audio/wav' }
    for await (const _ of answer.body); // what a refusal says besides is nobody's concern
    if (answer.status === 404) return undefined
    throw refused(label, { ...answer, json: () => undefined })
  },
}

const streamed = (context: VapiContext, url: string, headers: Record<string, string>) =>
  context.egress.stream(url, { headers, timeoutMs: 60_000, maxBytes: 110_000_000 }).catch((error: unknown) => {
    throw unanswered(label, error)
  })

/** The answer to `assistant-request` has to be there within 7.5 s: it needs nobody. */
const heard = (body: unknown, assistantId: string): VoiceNews => {
  const { message } = told.safeParse(body).data ?? {}
  if (!message) return { is: 'nothing' }
  switch (message.type) {
    case 'assistant-request':
      return { is: 'question', answer: { assistantId } }
    case 'tool-calls': {
      const results = (message.toolCallList ?? []).map(({ id, name }) => ({
        toolCallId: id,
        ...(name && { name }),
        result: 'Esta ferramenta não está disponível.',
      }))
      return { is: 'question', answer: { results } }
    }
    case 'transfer-destination-request':
      return { is: 'question', answer: { error: 'Não há para onde transferir a ligação.' } }
    case 'status-update':
    case 'end-of-call-report': {
      const { call: of, ...own } = message
      if (!of) return { is: 'nothing' }
      const isReport = message.type === 'end-of-call-report'
      const facts = factsOf({
        ...of,
        status: isReport ? 'ended' : (own.status ?? of.status),
        endedReason: own.endedReason ?? of.endedReason,
        startedAt: own.startedAt ?? of.startedAt,
        endedAt: own.endedAt ?? of.endedAt,
        cost: own.cost ?? of.cost,
        customer: of.customer ?? own.customer,
        artifact: own.artifact ?? of.artifact,
        analysis: own.analysis ?? of.analysis,
      })
      return { is: 'call', facts: { ...facts, isWhole: isReport } }
    }
    default:
      return { is: 'nothing' }
  }
}

const statusOf: Record<string, CallFacts['status']> = {
  scheduled: 'queued',
  queued: 'queued',
  ringing: 'ringing',
  'in-progress': 'talking',
  forwarding: 'talking',
  ended: 'ended',
  'not-found': 'ended',
  'deletion-failed': 'ended',
}
const factsOf = (one: z.output<typeof callShape>): CallFacts => {
  const summary = one.analysis?.summary?.trim() ?? ''
  return {
    providerId: one.id,
    ourId: one.metadata?.balcaoCallId ?? null,
    status: statusOf[one.status ?? ''] ?? 'queued',
    isInbound: one.type === 'inboundPhoneCall',
    number: one.customer?.number ?? null,
    name: one.customer?.name ?? '',
    assistantId: one.assistantId ?? '',
    phoneNumberId: one.phoneNumberId ?? '',
    endedReason: one.endedReason ?? null,
    startedAt: dateOf(one.startedAt),
    endedAt: dateOf(one.endedAt),
    summary,
    transcript: withSpeakers(one.artifact?.transcript?.trim() ?? ''),
    costUsd: one.cost ?? null,
    hasRecording: Object.entries(one.artifact ?? {}).some(([name, value]) => /recording/i.test(name) && Boolean(value)),
    isWhole: summary !== '',
  }
}
const dateOf = (value: string | undefined) => {
  const at = new Date(value ?? '')
  return Number.isNaN(at.getTime()) ? null : at
}

const address = ({ config }: VapiContext, path: string) => `${config.baseUrl.replace(/\/+$/, '')}/${path}`
const headersOf = ({ config }: VapiContext) => ({
  authorization: `Bearer ${config.apiKey}`,
  'content-type': 'application/json',
})
export const askVapi = (
  context: VapiContext,
  path: string,
  { body, timeoutMs = 15_000 }: { body?: object; timeoutMs?: number } = {},
) =>
  call({ label, context }, address(context, path), {
    method: body ? 'POST' : 'GET',
    headers: headersOf(context),
    ...(body && { body: JSON.stringify(body) }),
    timeoutMs,
  })

/** Who spoke, as the team reads it. */
const withSpeakers = (transcript: string) =>
  transcript.replace(/^(AI|User):/gm, (_, who: string) => (who === 'AI' ? 'Assistente:' : 'Cliente:'))
