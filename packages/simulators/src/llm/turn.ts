/** What any provider is asked, whatever its wire: the conversation as the model sees it. */
export type Turn = {
  wire: 'openai' | 'responses' | 'anthropic' | 'gemini' | 'ollama'
  apiKey: string
  model: string
  system: string
  messages: TurnMessage[]
  /** Names of the tools it may call, with their JSON schemas. */
  tools: { name: string; description: string; schema: unknown }[]
  isStream: boolean
}
export type TurnMessage = {
  role: 'user' | 'assistant' | 'tool'
  text: string
  /** Pictures and files that came with it. */
  files: number
  calls: { id: string; name: string; input: unknown }[]
  /** Of a tool: which call it answers. */
  callId?: string
  name?: string
}
/** What the model says; a call to a tool ends its turn. */
export type Reply = {
  text?: string
  calls?: { name: string; input: unknown }[]
  finish?: 'stop' | 'length' | 'refusal'
}
/** Answers by the conversation; undefined leaves it to whoever was asked before. */
export type Script = (turn: Turn) => Reply | undefined | Promise<Reply | undefined>

export const lastText = ({ messages }: Pick<Turn, 'messages'>): string =>
  messages.findLast(({ role }) => role === 'user')?.text ?? ''

/** Four letters a token, as providers of English count. */
export const tokensOf = (text: string) => Math.max(1, Math.ceil(text.length / 4))
export const inputTokensOf = ({ system, messages, tools }: Turn) =>
  tokensOf(system + messages.map(({ text }) => text).join('') + JSON.stringify(tools)) +
  messages.reduce((sum, { files }) => sum + files * 250, 0)
export const outputTokensOf = ({ text = '', calls = [] }: Reply) =>
  tokensOf(text + (calls.length ? JSON.stringify(calls) : ''))

/** As a stream says it: word by word, each with the space before it. */
export const wordsOf = (text: string): string[] => text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text ? [text] : [])
