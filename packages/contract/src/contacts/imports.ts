import { z } from 'zod'
import { channelKinds } from '../channels/index.ts'
import { id, moment, pageQuery, queryFlag } from '../common.ts'
import { purposes } from './consent.ts'

/** `phonebook`: what a connection's own phone knows; `api`: a caller sent the rows themselves. */
export const importSources = ['file', 'phonebook', 'api'] as const
/**
 * `read`: its columns wait to be named; `checked`: what would happen is known and nothing is
 * written yet.
 */
export const importStates = [
  'reading',
  'read',
  'checking',
  'checked',
  'running',
  'done',
  'undoing',
  'undone',
  'failed',
] as const
/**
 * What becomes of a row. `same`: the contact is there and says all of it already; `skip`: the person is there, or stands
 * in an earlier row; `error`: it cannot be a contact.
 */
export const importOutcomes = ['create', 'update', 'same', 'skip', 'error'] as const
export type ImportOutcome = (typeof importOutcomes)[number]
export const importOutcomeLabels: Record<ImportOutcome, string> = {
  create: 'Serão criados',
  update: 'Serão alterados',
  same: 'Já estão iguais',
  skip: 'Ficarão como estão',
  error: 'Com problema',
}

/** What a column may be. A company's own fields are `extra.<key>`. */
export const importTargets = {
  name: 'Nome',
  firstName: 'Primeiro nome',
  lastName: 'Sobrenome',
  phone: 'Telefone',
  email: 'E-mail',
  businessName: 'Empresa',
  document: 'CPF ou CNPJ',
  birthdayDate: 'Aniversário',
  notes: 'Observações',
  tags: 'Etiquetas',
  wallets: 'Responsáveis',
  lane: 'Etapa do quadro',
  'address.cep': 'CEP',
  'address.street': 'Rua',
  'address.number': 'Número do endereço',
  'address.complement': 'Complemento',
  'address.district': 'Bairro',
  'address.city': 'Cidade',
  'address.state': 'Estado (UF)',
} as const
export type ImportTarget = keyof typeof importTargets | `extra.${string}`
const target = z.union([
  z.enum(Object.keys(importTargets) as [keyof typeof importTargets]),
  z.templateLiteral(['extra.', z.string().min(1).max(60)]),
])
export const mostColumns = 200
export const mostRows = 200_000
export const mostImportMb = 50

/** For each column what it is; null leaves it out. Only phones may stand in several columns. */
export const importMapping = z.array(target.nullable()).max(mostColumns)
export type ContactImportMapping = z.output<typeof importMapping>

/** What to do with somebody who is a contact already. */
export const onExisting = ['fill', 'update', 'skip'] as const

export const importConsent = z.strictObject({
  isGiven: z.boolean(),
  channels: z.array(z.enum(channelKinds)).min(1, 'Escolha ao menos um canal.'),
  purposes: z.array(z.enum(purposes).exclude(['service'])).min(1, 'Escolha ao menos uma finalidade.'),
  proof: z.string().trim().min(1, 'Diga como os contatos disseram isso.').max(500, 'Use no máximo 500 caracteres.'),
})

/** How the rows are taken, and what everybody among them gets. */
export const importOptions = z.strictObject({
  /** The first row says what the columns are. */
  hasHeadings: z.boolean().default(true),
  existing: z.enum(onExisting).default('fill'),
  /** A name that somebody of the team typed stays, whatever the file says. */
  keepTypedNames: z.boolean().default(true),
  /** Of a row with one broken value: the value stays out, or the whole row. */
  broken: z.enum(['leaveOut', 'refuse']).default('leaveOut'),
  /** Tags of the file that do not exist yet are made. */
  createTags: z.boolean().default(true),
  tagIds: z.array(id).max(50).default([]),
  walletIds: z.array(id).max(50).default([]),
  kanban: id.nullable().default(null),
  consent: importConsent.nullable().default(null),
})
export type ContactImportOptions = z.output<typeof importOptions>

export const importFormats = ['csv', 'xlsx', 'vcard'] as const
/** How the file was read; none of it where rows came by themselves. */
export const importReading = z.object({
  format: z.enum(importFormats),
  /** Of a text file. */
  encoding: z.enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']).optional(),
  delimiter: z.enum([';', ',', '\t', '|']).optional(),
  /** Of a workbook: the sheet that was read, and those it has. */
  sheet: z.string().optional(),
  sheets: z.array(z.string()).optional(),
  /** What one should know of how it was understood. */
  notes: z.array(z.string()).default([]),
})
export type ContactImportReading = z.output<typeof importReading>

export const importCounts = z.object({
  create: z.int(),
  update: z.int(),
  same: z.int(),
  skip: z.int(),
  error: z.int(),
  /** Rows of which something was left out. */
  partial: z.int(),
  /** So far, or in the end. */
  created: z.int(),
  updated: z.int(),
  failed: z.int(),
  /** By the undo: contacts that went, that are as they were, and that stay because somebody uses or changed them. */
  deleted: z.int(),
  restored: z.int(),
  kept: z.int(),
})
export type ContactImportCounts = z.output<typeof importCounts>
export const noCounts: ContactImportCounts = {
  ...{ create: 0, update: 0, same: 0, skip: 0, error: 0, partial: 0 },
  ...{ created: 0, updated: 0, failed: 0, deleted: 0, restored: 0, kept: 0 },
}

/** A batch of contacts that came together. */
export const contactImport = z.object({
  id,
  source: z.enum(importSources),
  /** Of the file, or of the connection. */
  name: z.string(),
  size: z.int().nullable(),
  reading: importReading.nullable(),
  headings: z.array(z.string()),
  mapping: importMapping,
  options: importOptions,
  /** `stopped`: its work was canceled or failed halfway; it may go on, or be undone. */
  state: z.enum([...importStates, 'stopped']),
  total: z.int(),
  counts: importCounts,
  error: z.string().nullable(),
  jobId: id.nullable(),
  user: z.object({ id, name: z.string() }),
  /** Within thirty days, while anything of it is left to undo. */
  canUndo: z.boolean(),
  undoUntil: moment.nullable(),
  /** Its counts stay. */
  rowsAreGone: z.boolean(),
  undoneAt: moment.nullable(),
  startedAt: moment.nullable(),
  finishedAt: moment.nullable(),
  createdAt: moment,
})
export type ContactImport = z.output<typeof contactImport>

export const contactImportsQuery = pageQuery.pick({ cursor: true, limit: true })

/** POST /contacts/upload: how the file is to be read where it was understood otherwise; `start` asks no more. */
export const importUploadQuery = z.object({
  encoding: z.enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']).optional(),
  delimiter: z.enum([';', ',', '\t', '|']).optional(),
  sheet: z.string().max(100).optional(),
  hasHeadings: queryFlag.optional(),
  start: queryFlag.default(false),
})
/** POST /contacts/imports/{id}/check: what the columns are, and how the rows are taken. */
export const importCheckBody = z.strictObject({
  mapping: importMapping.optional(),
  options: importOptions.optional(),
})

/** POST /contacts/import: rows of a caller's own, without a file; they are checked and written at once. */
export const importedContact = z.strictObject({
  name: z.string().trim().max(500).default(''),
  number: z.string().trim().max(250).default(''),
  phones: z.array(z.string().trim().max(250)).max(10).default([]),
  email: z.string().trim().max(254).default(''),
  businessName: z.string().trim().max(500).default(''),
  document: z.string().trim().max(30).default(''),
  birthdayDate: z.string().trim().max(30).default(''),
  notes: z.string().trim().max(4_000).default(''),
  tags: z.array(z.string().trim().min(1).max(60)).max(50).default([]),
  extra: z.record(z.string().min(1).max(60), z.string().max(500)).default({}),
})
export const importBody = z.strictObject({
  contacts: z
    .array(importedContact)
    .min(1, 'Envie ao menos um contato.')
    .max(5_000, 'Envie no máximo 5.000 contatos por vez.'),
  options: importOptions.optional(),
})

/** GET /contacts/imports/{id}/rows: of one outcome, or as they came. */
export const importRowsQuery = z.object({
  outcome: z.enum([...importOutcomes, 'partial']).optional(),
  /** After this line. */
  after: z.coerce.number().int().min(-1).default(-1),
  limit: z.coerce.number().int().min(1).max(200).default(20),
})
export const importRow = z.object({
  line: z.int(),
  cells: z.array(z.string()),
  outcome: z.enum(importOutcomes).nullable(),
  reason: z.string().nullable(),
  contactId: id.nullable(),
  /** What of a contact that is there becomes another. */
  changes: z.array(z.object({ label: z.string(), before: z.string(), after: z.string() })),
})
export type ImportRowView = z.output<typeof importRow>
export const importRowsPage = z.object({ items: z.array(importRow), hasMore: z.boolean() })

/** POST /contacts/sync and /groups/sync: what a connection's own phone knows. */
export const phoneBookBody = z.strictObject({ whatsappId: id })
export const groupsSynced = z.object({ created: z.int(), known: z.int() })

/** POST /contactVcard: cards as phones write them; who is not a contact yet becomes one. */
export const vcardBody = z.strictObject({ vcard: z.string().min(1, 'Envie o vCard.').max(200_000) })
