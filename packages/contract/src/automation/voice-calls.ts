import { z } from 'zod'
import { id, moment, namedRef, pageOf, pageQuery, queryList } from '../common.ts'
import { media } from '../core/media.ts'

/** Where a call by a voice assistant stands; it only moves forward. `uncertain`: nobody knows whether it was placed. */
export const voiceCallStatuses = ['queued', 'ringing', 'talking', 'ended', 'failed', 'uncertain'] as const
export type VoiceCallStatus = (typeof voiceCallStatuses)[number]
export const voiceCallStatusLabels: Record<VoiceCallStatus, string> = {
  queued: 'Na fila',
  ringing: 'Chamando',
  talking: 'Em conversa',
  ended: 'Encerrada',
  failed: 'Não completada',
  uncertain: 'Sem confirmação',
}
export const voiceCallDirections = ['outbound', 'inbound'] as const
export const voiceCallDirectionLabels: Record<(typeof voiceCallDirections)[number], string> = {
  outbound: 'Feita',
  inbound: 'Recebida',
}
export const isCallOver = (status: VoiceCallStatus) =>
  status === 'ended' || status === 'failed' || status === 'uncertain'

/** Vapi names more than a hundred reasons; people read of these, and the others by how they begin. */
const endedReasons: [prefix: string, text: string][] = [
  ['customer-ended-call', 'o cliente desligou'],
  ['customer-did-not-answer', 'o cliente não atendeu'],
  ['customer-busy', 'o número estava ocupado'],
  ['customer-', 'a ligação terminou do lado do cliente'],
  ['assistant-ended-call', 'o assistente encerrou'],
  ['assistant-forwarded-call', 'o assistente transferiu a ligação'],
  ['assistant-', 'o assistente teve um problema'],
  ['silence-timed-out', 'ninguém falava mais'],
  ['exceeded-max-duration', 'chegou ao tempo máximo'],
  ['voicemail', 'caiu na caixa postal'],
  ['manually-canceled', 'foi cancelada'],
  ['call.start.error', 'a ligação não pôde começar'],
  ['pipeline-error', 'o assistente teve um problema'],
]
export const endedReasonText = (reason: string): string =>
  endedReasons.find(([prefix]) => reason.startsWith(prefix))?.[1] ?? `motivo: ${reason}`

/** One phone call of a voice assistant with a contact. */
export const voiceCall = z.object({
  id,
  ticketId: id.nullable(),
  user: namedRef.nullable(),
  direction: z.enum(voiceCallDirections),
  name: z.string(),
  /** E.164. */
  number: z.string(),
  status: z.enum(voiceCallStatuses),
  /** Why it was not placed, in Portuguese. */
  problem: z.string().nullable(),
  endedReason: z.string().nullable(),
  startedAt: moment.nullable(),
  endedAt: moment.nullable(),
  summary: z.string(),
  transcript: z.string(),
  /** US$, as Vapi bills it. */
  costUsd: z.number().nullable(),
  createdAt: moment,
  version: z.int(),
})
export type VoiceCall = z.output<typeof voiceCall>
export const voiceCalls = z.object({ items: z.array(voiceCall) })

/** GET /voice-calls: the calls of the company, newest first, of conversations that whoever asks may see. */
export const voiceCallsQuery = pageQuery.extend({
  status: queryList(z.enum(voiceCallStatuses)),
  direction: queryList(z.enum(voiceCallDirections)),
  dateFrom: z.iso.date().optional(),
  dateTo: z.iso.date().optional(),
})
export type VoiceCallsQuery = z.output<typeof voiceCallsQuery>
/** One of the list: what was said stands in the whole one. */
export const voiceCallRow = voiceCall.omit({ transcript: true }).extend({
  contact: namedRef.nullable(),
  /** Of the conversation that its result went into. */
  protocol: z.string().nullable(),
  hasRecording: z.boolean(),
})
export type VoiceCallRow = z.output<typeof voiceCallRow>
export const voiceCallsPage = pageOf(voiceCallRow)
export const wholeVoiceCall = voiceCallRow.extend({
  transcript: z.string(),
  recording: media.nullable(),
})
export type WholeVoiceCall = z.output<typeof wholeVoiceCall>

/** What an account may call with. */
export const voiceAssistants = z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) })
export const voiceNumbers = z.object({
  items: z.array(z.object({ id: z.string(), name: z.string(), number: z.string() })),
})
/** `integrationId`: which account of the company; left out, the oldest. */
export const voiceAccountQuery = z.object({ integrationId: id.optional() })

const e164 = z
  .string()
  .trim()
  .transform((value) => `+${value.replace(/\D/g, '')}`)
  .refine((value) => /^\+\d{8,15}$/.test(value), 'Informe o número com DDI e DDD, como +55 11 98888-7777.')
/** POST /vapiCall/{tenantId}: each customer is a call. */
export const vapiCallBody = z.strictObject({
  customers: z
    .array(z.strictObject({ number: e164, name: z.string().trim().max(120).default('') }))
    .min(1, 'Informe para quem ligar.')
    .max(50, 'No máximo 50 ligações por vez.'),
  /** Left out: what the account is set to. */
  assistantId: z.string().trim().min(1).max(100).optional(),
  phoneNumberId: z.string().trim().min(1).max(100).optional(),
  integrationId: id.optional(),
})
/** POST /tickets/{id}/voice-calls: calls the contact of a conversation. `id`: asked for twice, it is one call. */
export const ticketCallBody = z.strictObject({
  id: id.optional(),
  integrationId: id.optional(),
  assistantId: z.string().trim().min(1).max(100).optional(),
  phoneNumberId: z.string().trim().min(1).max(100).optional(),
})
/** GET /voice-accounts: accounts that can call. */
export const voiceAccounts = z.object({ items: z.array(z.object({ id, name: z.string(), canCall: z.boolean() })) })
export type VoiceAccount = z.output<typeof voiceAccounts>['items'][number]
