import { z } from 'zod'
import { channelKinds, identityKinds } from '../channels/index.ts'
import { chosenId, colorRef, email, id, moment, namedRef, pageQuery, personName, queryList } from '../common.ts'
import { cep } from '../conversations/places.ts'
import { ticketStatuses } from '../conversations/tickets.ts'
import { media } from '../core/media.ts'
import { isIdentity, plainIdentity } from '../identity.ts'
import { rowMeta } from '../resource.ts'
import { rulesGiven } from './segments/segments.ts'

/**
 * How a person is known. `phone` is E.164 without plus, Brazilian mobiles folded to the form with
 * the ninth digit; `bsuid` is WhatsApp's business-scoped id, `group` a group chat of it; `webchat` is a visitor;
 * `webchatUser` a signed identity.
 */
export const identity = z.object({ kind: z.enum(identityKinds), value: z.string() })
export type Identity = z.output<typeof identity>

/** Typed, or left as it was read. */
const documentText = z
  .string()
  .trim()
  .max(30)
  .refine((text) => text === '' || text.includes('*') || isIdentity(text), 'CPF ou CNPJ inválido.')
  .meta({ examples: ['529.982.247-25'] })
  .transform((text) => (text.includes('*') ? text : plainIdentity(text) || null))

const phoneText = z
  .string()
  .trim()
  .max(250)
  .regex(/^[\d\s()+.-]*$/, 'Informe apenas números.')

const states = 'AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO'.split(' ')
export const contactAddress = z.object({
  /** Eight digits, or nothing. */
  cep: z.string(),
  street: z.string(),
  number: z.string(),
  complement: z.string(),
  district: z.string(),
  city: z.string(),
  /** Two letters, or nothing. */
  state: z.string(),
})
export type ContactAddress = z.output<typeof contactAddress>

const line = (most: number) => z.string().trim().max(most, `Use no máximo ${most} caracteres.`).default('')
const addressWrite = z.object({
  cep: z.union([cep, z.literal('')], 'Um CEP tem 8 números.').default(''),
  street: line(200),
  number: line(20),
  complement: line(100),
  district: line(100),
  city: line(100),
  state: z
    .string()
    .trim()
    .toUpperCase()
    .refine((state) => state === '' || states.includes(state), 'Use a sigla do estado, como SP.')
    .meta({ examples: ['SP'] })
    .default(''),
})

/** A CPF or CNPJ as it stands in lists: `***.456.789-**`. The whole is read one at a time, and that is recorded. */
export const maskedDocument = z.object({ kind: z.enum(['cpf', 'cnpj']), masked: z.string() })
export const maskDocument = (plain: string): z.output<typeof maskedDocument> =>
  plain.length === 11
    ? { kind: 'cpf', masked: `***.${plain.slice(3, 6)}.${plain.slice(6, 9)}-**` }
    : { kind: 'cnpj', masked: `**.${plain.slice(2, 5)}.${plain.slice(5, 8)}/****-**` }

export const contact = rowMeta.extend({
  name: z.string(),
  /** The first word of the name, and the rest. */
  firstName: z.string(),
  lastName: z.string(),
  /** The company they work for or stand for. */
  businessName: z.string(),
  document: maskedDocument.nullable(),
  address: contactAddress.nullable(),
  /** The stage of the board they are in. */
  kanban: id.nullable(),
  /** E.164 without plus, or null. */
  number: z.string().nullable(),
  email: z.string().nullable(),
  profilePicUrl: z.string().nullable(),
  notes: z.string(),
  isGroup: z.boolean(),
  /** Left to people: no flow, assistant or automatic answer speaks to them. */
  isBotBlocked: z.boolean(),
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
  /** Other phones of the same person; one writes to `number`. */
  phones: z.array(phoneText).max(10, 'Use no máximo 10 telefones.').default([]),
  businessName: z.string().trim().max(120, 'Use no máximo 120 caracteres.').default(''),
  document: documentText.nullable().default(null),
  address: addressWrite.nullable().default(null),
  kanban: id.nullable().default(null),
  isBotBlocked: z.boolean().default(false),
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

const namePart = z.string().trim().max(60, 'Use no máximo 60 caracteres.').optional()
/** The same as callers of the API send it: the name as one, or as first and last; the document by either name. */
export const contactBody = contactWrite.extend({
  name: personName.optional(),
  firstName: namePart,
  lastName: namePart,
  /** `document` by its older name. */
  cpf: documentText.nullable().optional(),
})
export type ContactBody = z.output<typeof contactBody>
export const contactCreate = contactBody.extend(chosenId)
export type ContactCreate = z.output<typeof contactCreate>

export const contactsQuery = pageQuery.extend({
  tagIds: queryList(id),
  walletIds: queryList(id),
  kanbanIds: queryList(id),
  /** Those of a segment, and those of rules nobody has saved (as JSON in an address). */
  segmentId: id.optional(),
  segment: rulesGiven.optional(),
  sort: z.enum(['name', 'createdAt', 'lastMessageAt']).default('name'),
  direction: z.enum(['asc', 'desc']).default('asc'),
})

/** POST /contacts/export: those of a list, as a file. */
export const contactsExport = contactsQuery.extend({ format: z.enum(['csv', 'xlsx']).default('csv') })

/** GET /scanContacts: how many contacts lack something, or have it wrong. */
export const contactsScan = z.object({
  total: z.int(),
  /** Called by a number, or by a word for nobody. */
  withoutName: z.int(),
  withoutPhone: z.int(),
  /** Of Brazil, and no number that can be. */
  wrongPhone: z.int(),
  unreachable: z.int(),
  withoutTag: z.int(),
})

/** What can differ between two contacts; a company's own fields are `extra.<key>`. */
export const mergeFieldKeys = [
  'name',
  'number',
  'email',
  'businessName',
  'document',
  'address',
  'birthdayDate',
  'profilePicUrl',
  'notes',
] as const
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
