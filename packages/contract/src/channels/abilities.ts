import { z } from 'zod'
import { groupActKinds } from './group-acts.ts'

/** What a channel can carry or do. The composer hides what is missing here. */
export const capabilities = [
  'text',
  'image',
  'audio',
  'video',
  'document',
  'sticker',
  /** Several pictures and films arrive as one group. */
  'album',
  /** Several files and the words beside them arrive as one message. */
  'attachments',
  'location',
  'contact',
  'reply',
  'reaction',
  'edit',
  'delete',
  'template',
  /** Its templates are written here, and judged by its provider. */
  'templateEditor',
  'buttons',
  'list',
  /** One thing to do under the words: share a place, open a link, a form, the catalogue. */
  'requests',
  /** A question with options, whose votes come back. */
  'poll',
  'typing',
  'readReceipts',
  /** Who is in a group. */
  'groups',
  /** Calling members of a group by name. */
  'mentions',
  /** What is said in groups arrives. */
  'groupMessages',
  /** Groups are made and led from here (`groupActs`). */
  'groupActs',
  'calls',
  /** A phone is linked to it by a code. */
  'link',
  /** Sends what nobody waits for: greetings, campaigns. */
  'mass',
  'history',
  /** A subject, copies and formatted text beside the plain one. */
  'mail',
  /** The public profile of its number and the registration of it are kept here. */
  'businessAccount',
  /** Whoever is blocked here is blocked at its provider too. */
  'block',
  'window24h',
  /** What is said of a story, or to one of ours, arrives. */
  'stories',
  /** Comments on what we publish arrive, and are answered to their author alone. */
  'comments',
] as const
export type Capability = (typeof capabilities)[number]

export const receiptKinds = ['delivered', 'read'] as const
export type ReceiptKind = (typeof receiptKinds)[number]

/** What one connection can do, with its settings: stored with it, sent with it, asked by server and screens alike. */
export const abilities = z.object({
  supports: z.array(z.enum(capabilities)).readonly(),
  /** Hours in which free text is allowed after the customer's last message; null means always. */
  windowHours: z.int().positive().nullable().default(null),
  /** The same for what a person of the team writes, where the provider takes that for longer. */
  personWindowHours: z.int().positive().nullable().default(null),
  /** Which reactions it takes from us; null means any. */
  reactions: z.array(z.string()).readonly().nullable().default(null),
  /** How long a text, and the words under a file, may be. */
  textLimits: z.object({ text: z.int(), caption: z.int() }),
  /** The customer sees who wrote each message. */
  showsAuthor: z.boolean().default(false),
  /** How many buttons one message carries, how long each may be, and the text above them. */
  buttonLimits: z.object({ most: z.int(), title: z.int(), body: z.int() }).nullable().default(null),
  /** How many contacts one message carries; null: as many as there are. */
  contactLimit: z.int().positive().nullable().default(null),
  /** The same of a poll: its options, and the question above them. */
  pollLimits: z
    .object({
      most: z.int(),
      title: z.int(),
      body: z.int(),
      /** One may choose several. */
      several: z.boolean().default(true),
    })
    .nullable()
    .default(null),
  /** How long a subject and formatted text may be, and how many people get a copy. */
  mailLimits: z.object({ subject: z.int(), html: z.int(), copies: z.int() }).nullable().default(null),
  /** What it can do to a group. */
  groupActs: z.array(z.enum(groupActKinds)).readonly().default([]),
  /** What its provider tells of a message that left; without it nobody knows. */
  receipts: z.array(z.enum(receiptKinds)).readonly().default(receiptKinds),
  /** How it leaves by SMS and what that costs (`smsOf`). */
  sms: z
    .object({ isPlain: z.boolean(), price: z.number().nullable(), chargedBy: z.int().positive().nullable() })
    .nullable()
    .default(null),
  /** The account (a page) to which its identities belong, where they mean nothing outside of it. */
  account: z.string().nullable().default(null),
  /** Of the kinds of identity its kind may be reached by, those that do here; null: all of them. */
  reachedBy: z.array(z.string()).readonly().nullable().default(null),
})
export type Abilities = z.output<typeof abilities>
