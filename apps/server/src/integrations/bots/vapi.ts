import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { IntegrationAdapter } from '../adapter.ts'
import { type BotSays, chatMarks, obeyed } from '../bot-turn.ts'
import { ModelProblem } from '../model-problem.ts'
import { opened } from './calls.ts'
import { askVapi, vapiVoice } from './vapi-calls.ts'

const session = z.object({ chatId: z.string() })
const chat = z.object({
  id: z.string(),
  output: loose(z.array(z.object({ role: loose(z.string()), content: loose(z.string()) }))),
})
const named = z.object({ id: z.string(), name: loose(z.string().nullable()) })

/** Facts: Vapi's API (OpenAPI 1.0): the same assistants answer by text under /chat. */
export const vapi: IntegrationAdapter<'vapi'> = {
  voice: vapiVoice,
  test: async (context) => {
    const { assistantId } = context.config
    const one = named.parse((await askVapi(context, `assistant/${encodeURIComponent(assistantId)}`)).json())
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
    const { id, output = [] } = chat.parse(
      (await askVapi(context, 'chat', { body, timeoutMs: turn.deadlineMs })).json(),
    )
    const says = output.flatMap(({ role = 'assistant', content }): BotSays[] =>
      role === 'assistant' && content?.trim() ? [{ kind: 'text', body: chatMarks(content) }] : [],
    )
    const told = obeyed(says)
    if (!told.says.length && !told.handOver && !told.isDone)
      throw new ModelProblem('refusal', 'A Vapi respondeu sem nenhum texto.')
    return { session: told.isDone ? null : JSON.stringify({ chatId: id }), ...told }
  },
}
