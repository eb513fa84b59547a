import type { Part } from '@balcao/contract/conversations/parts.ts'

/** What the customer sent with their words. */
export type BotAttachment = { mediaId: string; type: string; name: string; mime: string; size: number }
export type BotEvent = 'start' | 'message' | 'restart'

/** One call of a bot elsewhere (typebot, dialogflow, n8n, dify, vapi), by the account the assistant names. */
export type BotAsked = {
  tenantId: number
  integrationId: string
  ticketId: string
  assistantId: string
  /** What the bot gave us the last time; null: it has none yet. */
  session: string | null
  /** All the customer wrote since, one line each. */
  text: string
  attachments: readonly BotAttachment[]
  /** nome, numero, atendimento, email, status, canal, grupo, fullTicket, and what it saved before. */
  variables: Readonly<Record<string, string>>
  event: BotEvent
  timeZone: string
  /** Follows from the run: the same call tried again is the same. */
  idempotencyKey: string
  deadlineMs: number
  /** Nobody waits for the answer any more. */
  signal: AbortSignal
}
/** What it says, one after the other; a wait is a pause of typing before the next part, in seconds. */
export type BotPart = { kind: 'part'; part: Part } | { kind: 'wait'; seconds: number }
export type BotAnswered = {
  /** To be kept and given back; null: it begins anew the next time. */
  session: string | null
  parts: readonly BotPart[]
  /** A person goes on, in this queue if it says one. */
  handOver?: { queueId?: string | null; note?: string }
  /** It has said all it had to say: the assistant lets the conversation go. */
  done?: boolean
  /** Tags the conversation gets. */
  tagIds?: readonly string[]
  /** Kept with the conversation, given back as variables. */
  variables?: Readonly<Record<string, string>>
}
/** Throws `AnswerError`: `config` where trying again is of no use, `speed` or `network` where it is. */
export type BotAdapter = { respond: (asked: BotAsked) => Promise<BotAnswered> }

const bots = new Map<string, BotAdapter>()
/** By the kind of its integration; handed in by the one file that knows all features. */
export const registerBots = (given: Readonly<Record<string, BotAdapter | undefined>>) => {
  for (const [kind, adapter] of Object.entries(given)) {
    if (adapter) bots.set(kind, adapter)
    else bots.delete(kind)
  }
}
/** The bot behind an account of this kind; undefined: a model answers. */
export const botOf = (kind: string): BotAdapter | undefined => bots.get(kind)
