import { z } from 'zod'
import { channelKinds, identityKinds } from '../channels/index.ts'
import { colorRef, email, id, moment, namedRef, pageQuery, personName, queryList } from '../common.ts'
import { ticketStatuses } from '../conversations/tickets.ts'
import { media } from '../core/media.ts'
import { rowMeta } from '../resource.ts'

/**
 * How a person is known. `phone` is E.164 without plus, Brazilian mobiles folded to the form with
 * the ninth digit; `bsuid` is WhatsApp's business-scoped id, `group` a group chat of it; `webchat` is a visitor;
 * `webchatUser` a signed identity.
 */
export const identity = z.object({ kind: z.enum(identityKinds), value: z.string() })
export type Identity = z.output<typeof identity>

const phoneText = z
  .string()
  .trim()
  .max(250)
  .regex(/^[\d\s()+.-]*$/, 'Informe apenas números.')

export const contact = rowMeta.extend({
  name: z.string(),
  /** E.164 without plus, or null. */
  number: z.string().nullable(),
  email: z.string().nullable(),
  profilePicUrl: z.string().nullable(),
  notes: z.string(),
  isGroup: z.boolean(),
  tags: z.array(colorRef),
  /** Users who own the contact. */
  wallets: z.array(namedRef),
  identities: z.array(identity),
  extraInfo: z.array(z.object({ name: z.string(), value: z.string() })),
  birthdayDate: z.iso.date().nullable(),
  lastMessageAt: moment.nullable(),
})
export type Contact = z.output<typeof contact>

export const contactWrite = z.object({
  name: personName,
  number: phoneText.nullable().default(null),
  email: z
    .union([email, z.literal('').transform(() => null)], 'E-mail inválido.')
    .nullable()
    .default(null),
  notes: z.string().trim().max(4_000).default(''),
  tagIds: z.array(id).max(50).default([]),
  walletIds: z.array(id).max(50).default([]),
  birthdayDate: z
    .union([z.iso.date('Data inválida.'), z.literal('').transform(() => null)], 'Data inválida.')
    .nullable()
    .default(null),
  extraInfo: z
    .array(z.object({ name: z.string().trim().min(1).max(60), value: z.string().trim().max(500) }))
    .max(50)
    .default([]),
})
export type ContactWrite = z.output<typeof contactWrite>

export const contactsQuery = pageQuery.extend({
  tagIds: queryList(id),
  walletIds: queryList(id),
  sort: z.enum(['name', 'createdAt', 'lastMessageAt']).default('name'),
  direction: z.enum(['asc', 'desc']).default('asc'),
})

/** What can differ between two contacts; a company's own fields are `extra.<key>`. */
export const mergeFieldKeys = ['name', 'number', 'email', 'birthdayDate', 'profilePicUrl', 'notes'] as const
export const mergeField = z.object({
  key: z.union([z.enum(mergeFieldKeys), z.templateLiteral(['extra.', z.string()])]),
  label: z.string(),
  kept: z.string().nullable(),
  other: z.string().nullable(),
})
export type MergeField = z.output<typeof mergeField>

/** Both talk to us over one connection now: one of the conversations ends first. */
export const mergeConflict = z.object({
  connection: namedRef,
  /** One's own right decides: a conversation one may not see has no id here. */
  kept: z.object({ ticketId: id.nullable(), protocol: z.string().nullable() }),
  other: z.object({ ticketId: id.nullable(), protocol: z.string().nullable() }),
})
export type MergeConflict = z.output<typeof mergeConflict>

/** GET /contacts/{id}/merge/{otherId}: what making them one would do. */
export const mergePreview = z.object({
  kept: contact,
  other: contact,
  fields: z.array(mergeField),
  tickets: z.int(),
  schedules: z.int(),
  tasks: z.int(),
  conflicts: z.array(mergeConflict),
})
export type MergePreview = z.output<typeof mergePreview>

/** POST /contacts/{id}/merge. `take` names the fields whose value comes from the other; both notes are kept anyway. */
export const mergeBody = z.strictObject({ otherId: id, take: z.array(z.string().max(80)).max(60).default([]) })
export type MergeBody = z.output<typeof mergeBody>

/** GET /contacts/{id}/merges: who became part of this contact, newest first. */
export const contactMerge = z.object({
  id,
  merged: namedRef.extend({ number: z.string().nullable() }),
  user: namedRef.nullable(),
  tickets: z.int(),
  createdAt: moment,
})
export type ContactMerge = z.output<typeof contactMerge>

export const duplicateReasons = ['email', 'phone', 'name'] as const
/** Contacts that may be one person, and what they have in common. */
export const duplicateGroup = z.object({
  reason: z.enum(duplicateReasons),
  value: z.string(),
  contacts: z.array(contact),
})
export type DuplicateGroup = z.output<typeof duplicateGroup>

/** One conversation in the story of a contact. */
export const contactStory = z.object({
  id,
  protocol: z.string(),
  status: z.enum(ticketStatuses),
  channel: z.enum(channelKinds),
  whatsapp: namedRef,
  queue: namedRef.nullable(),
  user: namedRef.nullable(),
  reason: namedRef.nullable(),
  lastMessage: z.string(),
  value: z.int().nullable(),
  grade: z.int().nullable(),
  createdAt: moment,
  closedAt: moment.nullable(),
})
export type ContactStory = z.output<typeof contactStory>

export const galleryKinds = ['image', 'video', 'document', 'link'] as const
export type GalleryKind = (typeof galleryKinds)[number]
export const galleryQuery = z.object({
  kind: z.enum(galleryKinds).default('image'),
  cursor: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(24),
})
/** A file of a conversation with the contact, or a message with addresses in it. */
export const galleryItem = z.object({
  messageId: id,
  ticketId: id,
  fromMe: z.boolean(),
  media: media.nullable(),
  links: z.array(z.string()),
  createdAt: moment,
})
export type GalleryItem = z.output<typeof galleryItem>
