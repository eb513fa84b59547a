import { z } from 'zod'
import { channelKinds } from '../channels/index.ts'
import { templateUse } from '../channels/templates.ts'
import { id, namedRef, queryFlag, queryList } from '../common.ts'
import { media } from '../core/media.ts'

/** GET /contactsBirthday: whose day is today, in the company's time zone. */
export const birthdayContact = namedRef.extend({
  number: z.string().nullable(),
  birthdayDate: z.iso.date(),
  /** Already congratulated this year. */
  isGreeted: z.boolean(),
  /** The greeting waits for its turn. */
  isWaiting: z.boolean(),
  /** Why it could not be written. */
  problem: z.string().nullable(),
})
export type BirthdayContact = z.output<typeof birthdayContact>
export const birthdaysQuery = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(100),
})

/** `refused`: nothing was sent, and another channel or a person may still do so. */
export const greetingStates = ['waiting', 'sent', 'failed', 'refused'] as const
export type GreetingState = (typeof greetingStates)[number]
export const greetingLabels: Record<GreetingState, string> = {
  waiting: 'Na fila',
  sent: 'Parabenizado',
  failed: 'Não enviado',
  refused: 'Não enviado',
}

/** So far ahead, today included. */
export const daysAhead = 31
/** GET /birthdays: whose day it is today and in the next 30 days. */
export const birthday = namedRef.extend({
  number: z.string().nullable(),
  birthdayDate: z.iso.date(),
  /** When it is kept this time: the 28th of February for the 29th of a common year. */
  day: z.iso.date(),
  isToday: z.boolean(),
  /** Who has the contact in their wallet. */
  owners: z.array(namedRef),
  /** Said no to campaigns on some channel. */
  isOptedOut: z.boolean(),
  state: z.enum(greetingStates).nullable(),
  connection: z.string().nullable(),
  problem: z.string().nullable(),
})
export type Birthday = z.output<typeof birthday>
export const upcomingQuery = z.object({
  cursor: z.string().max(300).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(50),
  onlyToday: queryFlag.default(false),
  userIds: queryList(id),
  tagIds: queryList(id),
})
export type UpcomingQuery = z.output<typeof upcomingQuery>

/** What became of this month's greetings. */
export const birthdaySummary = z.object({
  today: z.int(),
  /** Of today's, those to whom nothing was sent yet. */
  left: z.int(),
  month: z.object({ sent: z.int(), waiting: z.int(), failed: z.int(), refused: z.int() }),
})
export type BirthdaySummary = z.output<typeof birthdaySummary>

/** GET /birthdays/greeters: how each connection congratulates. */
export const greeter = namedRef.extend({
  kind: z.enum(channelKinds),
  /** It may do so every day by itself. */
  canByItself: z.boolean(),
  isOn: z.boolean(),
  hour: z.string(),
  message: z.string(),
  media: media.nullable(),
  /** Where the customer has not written for a day, its provider takes approved words alone. */
  needsTemplate: z.boolean(),
  template: templateUse.nullable(),
})
export type Greeter = z.output<typeof greeter>

/** What wrote a greeting, as people read it. */
export const birthdayRule = 'Aniversário'

export const usualGreeting = '{{saudacao}}, {{primeiro_nome}}! Feliz aniversário! 🎉'
export const usualHour = '09:00'

/** POST /messages/sendBirthday; what is left out is as the connection has it. */
export const birthdayGreeting = z.strictObject({
  whatsappId: id,
  message: z.string().trim().min(1, 'Escreva a mensagem.').max(4_096, 'Use no máximo 4.096 caracteres.').optional(),
  template: templateUse.nullable().optional(),
  /** Only these of today's; none: all of them. */
  contactIds: z.array(id).max(200).default([]),
})
export type BirthdayGreeting = z.output<typeof birthdayGreeting>
export const birthdayResult = z.object({
  sent: z.int(),
  /** Why somebody was not written to, in Portuguese. */
  skipped: z.array(z.object({ contact: namedRef, reason: z.string() })),
})
