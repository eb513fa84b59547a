import { z } from 'zod'

/** What a channel can carry or do. The composer hides what is missing here. */
export const capabilities = [
  'text',
  'image',
  'audio',
  'video',
  'document',
  'sticker',
  'location',
  'contact',
  'reply',
  'reaction',
  'edit',
  'delete',
  'template',
  'buttons',
  'list',
  'typing',
  'readReceipts',
  /** Who is in a group, and calling them by name. */
  'groups',
  /** What is said in groups arrives. */
  'groupMessages',
  'calls',
  /** Sends what nobody waits for: greetings, campaigns. */
  'mass',
  'history',
  'window24h',
] as const
export type Capability = (typeof capabilities)[number]

/** What one connection can do, with its settings: stored with it, sent with it, asked by server and screens alike. */
export const abilities = z.object({
  supports: z.array(z.enum(capabilities)).readonly(),
  /** Hours in which free text is allowed after the customer's last message; null means always. */
  windowHours: z.int().positive().nullable().default(null),
  /** How long a text, and the words under a file, may be. */
  textLimits: z.object({ text: z.int(), caption: z.int() }),
  /** The customer sees who wrote each message. */
  showsAuthor: z.boolean().default(false),
  /** How many buttons one message carries, how long each may be, and the text above them. */
  buttonLimits: z.object({ most: z.int(), title: z.int(), body: z.int() }).nullable().default(null),
})
export type Abilities = z.output<typeof abilities>

/** Free text is taken now: always, or for so many hours after the contact last wrote on this connection. */
export const isWindowOpen = (
  { windowHours }: Pick<Abilities, 'windowHours'>,
  heardAt: Date | null | undefined,
  now = Date.now(),
): boolean => windowHours === null || (heardAt?.getTime() ?? 0) + windowHours * 3_600_000 > now
