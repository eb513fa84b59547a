import type { FinishReason, LanguageModel, ModelMessage, ToolSet } from 'ai'
import { ModelProblem } from '../../../integrations/model-problem.ts'
import type { ModelTool } from './answer.ts'

export type Asking = {
  system: string | undefined
  messages: ModelMessage[]
  /** Personal data is left out of texts: a file, which holds it all the same, goes as its text. */
  isMasked: boolean
  tools: Record<string, ModelTool>
  maxOutputTokens: number
  temperature: number | undefined
  onText: ((soFar: string) => void) | undefined
}
type Call = { id: string; name: string; input: unknown; problem?: string }
export type Reply = {
  text: string
  finish: FinishReason
  calls: Call[]
  messages: ModelMessage[]
  inputTokens: number
  outputTokens: number
  costMicros: number
}
/** A reply as the model gave it; providers do not all say what they counted. */
type Given = Omit<Reply, 'inputTokens' | 'outputTokens' | 'costMicros'> & {
  inputTokens?: number
  outputTokens?: number
}

/** The longest silence in the middle of an answer. */
const silenceMs = 30_000

/** One call to a model, streamed where somebody reads along. Throws whatever the provider or the way there throws. */
export const askModel = async (
  model: Exclude<LanguageModel, string>,
  {
    system,
    messages,
    tools,
    maxOutputTokens,
    temperature,
    onText,
    signal,
    firstWordMs,
  }: Omit<Asking, 'isMasked'> & { signal: AbortSignal; firstWordMs: number },
): Promise<Given> => {
  const { generateText, streamText, tool } = await import('ai')
  const toolSet: ToolSet = Object.fromEntries(
    Object.entries(tools).map(([name, { description, input }]) => [name, tool({ description, inputSchema: input })]),
  )
  const asked = {
    model,
    instructions: system,
    messages,
    ...(Object.keys(tools).length && { tools: toolSet }),
    maxOutputTokens,
    temperature,
    maxRetries: 0,
    // Nothing of a conversation is kept where it can be avoided.
    providerOptions: { openai: { store: false } },
  }
  if (!onText) {
    const { text, finishReason, toolCalls, responseMessages, usage } = await generateText({
      ...asked,
      abortSignal: signal,
    })
    return checked({
      text,
      finish: finishReason,
      calls: toolCalls.map(callOf),
      messages: responseMessages,
      ...counted(usage),
    })
  }

  const silence = new AbortController()
  const late = () => silence.abort(new DOMException('No word came', 'TimeoutError'))
  let timer = setTimeout(late, firstWordMs)
  try {
    const stream = streamText({ ...asked, abortSignal: AbortSignal.any([signal, silence.signal]), onError: () => {} })
    let soFar = ''
    for await (const part of stream.stream) {
      clearTimeout(timer)
      timer = setTimeout(late, silenceMs)
      if (part.type === 'error') throw part.error
      if (part.type === 'abort') throw silence.signal.reason ?? signal.reason
      if (part.type === 'text-delta' && part.text) {
        soFar += part.text
        onText(soFar)
      }
    }
    const [text, finish, toolCalls, said, usage] = await Promise.all([
      ...[stream.text, stream.finishReason, stream.toolCalls, stream.responseMessages, stream.usage],
    ] as const)
    return checked({ text, finish, calls: toolCalls.map(callOf), messages: said, ...counted(usage) })
  } finally {
    clearTimeout(timer)
  }
}

/** What the provider cannot mean as an answer. */
const checked = (given: Given): Given => {
  const { text, finish, calls } = given
  if (finish === 'error' || String(finish) === 'interrupted')
    throw new ModelProblem('network', 'A resposta do provedor parou no meio.')
  if (finish === 'content-filter') throw new ModelProblem('refusal', 'O modelo não quis responder a isto.')
  if (!text.trim() && !calls.length)
    throw finish === 'length'
      ? new ModelProblem(
          'length',
          'O modelo gastou o tamanho da resposta sem dizer nada. Aumente o tamanho ou troque o modelo.',
        )
      : new ModelProblem('refusal', 'O modelo respondeu sem texto.')
  return given
}

const counted = ({ inputTokens, outputTokens }: { inputTokens?: number; outputTokens?: number }) => ({
  inputTokens,
  outputTokens,
})
const callOf = (call: {
  toolCallId: string
  toolName: string
  input: unknown
  invalid?: boolean
  error?: unknown
}): Call => ({
  id: call.toolCallId,
  name: call.toolName,
  input: call.input,
  ...(call.invalid && {
    problem: call.error instanceof Error ? call.error.message.slice(0, 500) : 'The arguments are not valid.',
  }),
})
