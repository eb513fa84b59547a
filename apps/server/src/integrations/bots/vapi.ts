import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { IntegrationAdapter, IntegrationContext } from '../adapter.ts'
import { type BotSays, chatMarks, obeyed } from '../bot-turn.ts'
import { ModelProblem } from '../model-problem.ts'
import { call, opened } from './calls.ts'

const label = 'A Vapi'
type VapiContext = Pick<IntegrationContext<'vapi'>, 'config' | 'egress'>

const session = z.object({ chatId: z.string() })
const chat = z.object({
  id: z.string(),
  output: loose(z.array(z.object({ role: loose(z.string()), content: loose(z.string()) }))),
})
const named = z.object({ id: z.string(), name: loose(z.string().nullable()) })

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

const ask = (context: VapiContext, path: string, body?: object, timeoutMs = 15_000) =>
  call({ label, context }, `${context.config.baseUrl.replace(/\/+$/, '')}/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${context.config.apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    timeoutMs,
  })
