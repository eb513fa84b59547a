import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { IntegrationAdapter, IntegrationContext } from '../adapter.ts'
import { type BotSays, chatMarks, obeyed } from '../bot-turn.ts'
import { ModelProblem } from '../model-problem.ts'
import { call, opened } from './calls.ts'

const label = 'A Vapi'
export type VapiContext = Pick<IntegrationContext<'vapi'>, 'config' | 'egress'>

const session = z.object({ chatId: z.string() })
const chat = z.object({
  id: z.string(),
  output: loose(z.array(z.object({ role: loose(z.string()), content: loose(z.string()) }))),
})
const named = z.object({ id: z.string(), name: loose(z.string().nullable()) })
const phone = named.extend({ number: loose(z.string()) })

/** Facts: Vapi's API (OpenAPI 1.0): the same assistants answer by text under /chat. */
export const vapi: IntegrationAdapter<'vapi'> = {
  test: async (context) => {
    const { assistantId } = context.config
    const one = named.parse((await ask(context, `assistant/${encodeURIComponent(assistantId)}`)).json())
    return { text: `O assistente “${one.name ?? assistantId}” está lá.` }
  },
  converse: async (turn, context) => {
    const before = turn.event === 'message' ? opened(turn.session, (value) => session.safeParse(value)) : undefined
    const body = {
      assistantId: context.config.assistantId,
      input: turn.text || 'Olá',
      ...(before && { previousChatId: before.chatId }),
      assistantOverrides: { variableValues: turn.variables },
    }
    const { id, output = [] } = chat.parse((await ask(context, 'chat', body, turn.deadlineMs)).json())
    const says = output.flatMap(({ role = 'assistant', content }): BotSays[] =>
      role === 'assistant' && content?.trim() ? [{ kind: 'text', body: chatMarks(content) }] : [],
    )
    const told = obeyed(says)
    if (!told.says.length && !told.handOver && !told.isDone)
      throw new ModelProblem('refusal', 'A Vapi respondeu sem nenhum texto.')
    return { session: told.isDone ? null : JSON.stringify({ chatId: id }), ...told }
  },
}

/** Assistants of the account; throws ModelProblem. */
export const listAssistants = async (context: VapiContext) =>
  z.array(named).parse((await ask(context, 'assistant?limit=100')).json())
/** Numbers of the account that can call; throws ModelProblem. */
export const listPhoneNumbers = async (context: VapiContext) =>
  z.array(phone).parse((await ask(context, 'phone-number?limit=100')).json())

export type VapiCall = {
  assistantId: string
  phoneNumberId: string
  /** With the country, `+55…`. */
  number: string
  name: string
  variables: Record<string, string>
  metadata: Record<string, string>
}
/** Begins a call to a phone: its id there. Not repeated where it may have been taken; throws ModelProblem. */
export const beginCall = async (
  context: VapiContext,
  { assistantId, phoneNumberId, number, name, variables, metadata }: VapiCall,
) => {
  const body = {
    assistantId,
    phoneNumberId,
    customer: { number, name: name.slice(0, 40) },
    assistantOverrides: { variableValues: variables },
    metadata,
  }
  return z.object({ id: z.string() }).parse((await ask(context, 'call', body, 20_000)).json()).id
}
/** How a call stands; throws ModelProblem. */
export const readCall = async (context: VapiContext, id: string): Promise<unknown> =>
  (await ask(context, `call/${encodeURIComponent(id)}`)).json()

const ask = (context: VapiContext, path: string, body?: object, timeoutMs = 15_000) =>
  call({ label, context }, `${context.config.baseUrl.replace(/\/+$/, '')}/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${context.config.apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    timeoutMs,
  })
