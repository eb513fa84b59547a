import { z } from 'zod'
import { id } from '../common.ts'

/** How a text may be written anew. */
export const rewriteStyles = ['correct', 'shorter', 'friendly', 'formal', 'clearer'] as const
export const rewriteLabels: Record<(typeof rewriteStyles)[number], string> = {
  correct: 'Corrigir o português',
  shorter: 'Deixar mais curto',
  friendly: 'Tom mais próximo',
  formal: 'Tom mais formal',
  clearer: 'Explicar melhor',
}
/** Languages of translations; Portuguese is ours. */
export const languages = {
  pt: 'português',
  en: 'inglês',
  es: 'espanhol',
  fr: 'francês',
  it: 'italiano',
  de: 'alemão',
  zh: 'chinês',
  ja: 'japonês',
  ar: 'árabe',
} as const
export type Language = keyof typeof languages
export const languageCodes = Object.keys(languages) as [Language, ...Language[]]

const text = z.string().trim().min(1, 'Escreva algo antes.').max(8_000)
/** What a person asks of the copilot, about one conversation. */
export const copilotAsked = z.discriminatedUnion('task', [
  z.object({ task: z.literal('suggest'), ticketId: id, draft: z.string().max(8_000).default('') }),
  z.object({ task: z.literal('rewrite'), ticketId: id, text, style: z.enum(rewriteStyles) }),
  /** Without a language it becomes Portuguese; `customer`: what the customer writes in. */
  z.object({
    task: z.literal('translate'),
    ticketId: id,
    text,
    to: z.union([z.enum(languageCodes), z.literal('customer')]),
  }),
  z.object({ task: z.literal('summary'), ticketId: id, for: z.enum(['transfer', 'close']) }),
  z.object({ task: z.literal('next'), ticketId: id }),
])
export type CopilotAsked = z.output<typeof copilotAsked>
export type CopilotTask = CopilotAsked['task']

/** One line of the answer: more of its text, the whole of it anew, its end, or why it ended. */
export const copilotLine = z.union([
  z.object({ more: z.string() }),
  z.object({ anew: z.string() }),
  z.object({ done: z.literal(true), sources: z.array(z.string()) }),
  z.object({ error: z.string(), message: z.string() }),
])
export type CopilotLine = z.output<typeof copilotLine>

/** Whether the copilot can be asked here and now. */
export const copilotState = z.object({
  isOn: z.boolean(),
  /** What is said in an audio can be written down. */
  transcribes: z.boolean(),
})
export type CopilotState = z.output<typeof copilotState>

/** What a conversation that ends was about: one of the company's reasons, and what happened in it. */
export const closingProposed = z.object({
  reasonId: id.nullable(),
  summary: z.string(),
  /** What was agreed in money, in cents, where the conversation says so. */
  valueCents: z.int().nonnegative().nullable(),
})
export type ClosingProposed = z.output<typeof closingProposed>
