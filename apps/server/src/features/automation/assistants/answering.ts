import type { z } from 'zod'

/** A message of the talk with a model, in the shape the `ai` package has. */
export type TalkPart =
  | { type: 'text'; text: string }
  | { type: 'image'; image: Uint8Array; mediaType?: string }
  /** `text`: what it says, for a model that takes no files. */
  | { type: 'file'; data: Uint8Array; mediaType: string; filename?: string; text?: string }
export type TalkMessage =
  | { role: 'user'; content: string | TalkPart[] }
  | {
      role: 'assistant'
      content: string | ({ type: 'text'; text: string } | ({ type: 'tool-call' } & ToolCallPart))[]
    }
  | {
      role: 'tool'
      content: { type: 'tool-result'; toolCallId: string; toolName: string; output: { type: 'text'; value: string } }[]
    }
type ToolCallPart = { toolCallId: string; toolName: string; input: unknown }

/** A tool as the model is told of it; who calls it is the runtime. */
export type OfferedTool = { name: string; description: string; parameters: z.ZodType }
export type ToolCall = { id: string; name: string; input: unknown }

export type Asked = {
  tenantId: number
  /** Who answers, then who is asked when that one cannot. */
  integrationIds: readonly string[]
  /** Of the first of them; null: what it is set to. */
  model: string | null
  system: string
  messages: readonly TalkMessage[]
  tools: readonly OfferedTool[]
  maxOutputTokens: number
  deadlineMs: number
  ticketId: string | null
  assistantId: string
  /** What the assistant may cost in a month; null: what the company may. */
  budgetCents: number | null
  /** What makes this question this question: asked again, it is paid once; null: every one is another. */
  key: string | null
  /** The whole text so far, each time there is more; it may begin anew. */
  onText?: (soFar: string) => void
}
export type Answered = {
  text: string
  toolCalls: readonly ToolCall[]
  costMicros: number
  integrationId: string | null
  /** `refused`: the model would not. */
  finish: 'done' | 'refused'
}
/** Why nobody answered: `config` and `money` do not pass by waiting. */
export class AnswerError extends Error {
  readonly kind: 'config' | 'money' | 'speed' | 'network'
  constructor(kind: AnswerError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
export type AnswerWith = (asked: Asked) => Promise<Answered>

let answerer: AnswerWith | undefined
/** Who answers, handed in by the one file that knows all features; tests hand in their own. */
export const registerAnswerer = (given: AnswerWith | undefined) => {
  answerer = given
}
export const answerWith: AnswerWith = (asked) => {
  if (!answerer) throw new AnswerError('config', 'Nenhum provedor de inteligência artificial está disponível.')
  return answerer(asked)
}
