import {
  draftProblems,
  isEditable,
  type TemplateDraft,
  type templateCreate,
} from '@balcao/contract/channels/template-draft.ts'
import type { MessageTemplate } from '@balcao/contract/channels/templates.ts'
import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { z } from 'zod'
import { ChannelError, type TemplateToJudge } from '../../../channels/adapter.ts'
import { draftOf } from '../../../channels/meta-template-drafts.ts'
import { type Tx, withTenant } from '../../../db/database.ts'
import { messageTemplates } from '../../../db/schema/channels/connections.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import type { StoredFile } from '../../core/media/media.present.ts'
import { readFileBytes } from '../../core/media/media.service.ts'
import { sendableFile } from '../../core/media/stored-files.ts'
import { getConnection } from '../connections/connections.service.ts'
import { findConnection, type OpenConnection } from '../connections/context.ts'
import { requestTemplateSync } from './templates.loop.ts'
import { findTemplate, type TemplateRow } from './templates.queries.ts'
import { presentTemplate } from './templates.service.ts'

/** One template, and how it would be written here; `draft` null: it has parts that cannot be. */
export const getTemplate = (actor: Actor, id: string) =>
  withTenant(actor.tenantId, async (tx) => {
    const row = await requireTemplate(tx, id)
    return { ...(await present(tx, row)), draft: draftOf(row) ?? null }
  })

/** Sends a new template to be judged. What the provider finds wrong is said in its words; nothing is stored then. */
export const createTemplate = async (actor: Actor, { connectionId, draft }: z.output<typeof templateCreate>) => {
  check(draft)
  const connection = await editable(actor, connectionId)
  const file = await exampleOf(actor, draft)
  await withTenant(actor.tenantId, async (tx) => {
    if (await findTemplate(tx, connectionId, draft.name, draft.language))
      throw fieldErrors({ path: 'draft.name', message: 'Já existe um modelo com este nome neste idioma.' })
  })
  const made = await told(() => connection.edits.create({ draft, file }, connection.context))
  const { name, language } = draft
  return stored(actor, connection, async (tx) => {
    const values = { id: v7(), tenantId: tx.tenantId, connectionId, name, language, ...made, syncedAt: new Date() }
    const known = {
      target: [
        messageTemplates.tenantId,
        messageTemplates.connectionId,
        messageTemplates.name,
        messageTemplates.language,
      ],
    }
    const [row] = await tx.db
      .insert(messageTemplates)
      .values(values)
      .onConflictDoUpdate({ ...known, set: { ...made, syncedAt: values.syncedAt } })
      .returning()
    if (!row) throw new AppError('ERR_NOT_FOUND')
    await audit(tx, actor, 'create', null, row)
    return row
  })
}

/** Sends a template to be judged anew; its name and language stay. */
export const changeTemplate = async (actor: Actor, id: string, draft: TemplateDraft) => {
  check(draft)
  const before = await withTenant(actor.tenantId, (tx) => requireTemplate(tx, id))
  if (!isEditable(before.status))
    throw new AppError('ERR_CHANNEL_REFUSED', {
      message: 'A Meta só deixa mudar modelos aprovados, recusados ou pausados. Espere a análise ou duplique este.',
    })
  const keepsCategory = before.status === 'APPROVED'
  if (keepsCategory && draft.category !== before.category)
    throw fieldErrors({ path: 'draft.category', message: 'A categoria de um modelo aprovado não muda. Duplique-o.' })
  const connection = await editable(actor, before.connectionId)
  const named = { ...draft, name: before.name, language: before.language }
  const target = { draft: named, file: await exampleOf(actor, draft), externalId: before.externalId, keepsCategory }
  const { components } = await told(() => connection.edits.change(target, connection.context))
  return stored(actor, connection, async (tx) => {
    const change = {
      components,
      category: draft.category,
      status: 'PENDING',
      rejectedReason: null,
      syncedAt: new Date(),
    }
    const [row] = await tx.db.update(messageTemplates).set(change).where(isOne(tx, id)).returning()
    if (!row) throw new AppError('ERR_NOT_FOUND')
    await audit(tx, actor, 'update', before, row)
    return row
  })
}

/** Gone at the provider, in this language alone; messages that were sent keep what they say. */
export const deleteTemplate = async (actor: Actor, id: string) => {
  const before = await withTenant(actor.tenantId, (tx) => requireTemplate(tx, id))
  const connection = await editable(actor, before.connectionId)
  const { externalId, name } = before
  await told(() => connection.edits.remove({ externalId, name }, connection.context))
  await stored(actor, connection, async (tx) => {
    await tx.db.delete(messageTemplates).where(isOne(tx, id))
    await audit(tx, actor, 'delete', before, null)
    return before
  })
}

const check = (draft: TemplateDraft) => {
  const problems = draftProblems(draft)
  if (problems.length) throw fieldErrors(...problems)
}

const isOne = (tx: Tx, id: string) => and(eq(messageTemplates.tenantId, tx.tenantId), eq(messageTemplates.id, id))
const requireTemplate = async (tx: Tx, id: string): Promise<TemplateRow> => {
  const [row] = await tx.db.select().from(messageTemplates).where(isOne(tx, id))
  if (!row) throw new AppError('ERR_NOT_FOUND', { message: 'Este modelo não existe mais. Atualize a lista.' })
  return row
}
const present = async (tx: Tx, row: TemplateRow): Promise<MessageTemplate> =>
  presentTemplate(row, await getDirectory(tx.tenantId))

/** Of this company, and of a channel whose templates are written here. */
const editable = async (actor: Actor, connectionId: string) => {
  await getConnection(actor.tenantId, connectionId)
  const connection = await findConnection(connectionId)
  if (!connection) throw new AppError('ERR_NO_WAPP_FOUND')
  const edits = connection.adapter.editTemplates
  if (!edits)
    throw new AppError('ERR_CHANNEL_UNSUPPORTED', { message: 'Os modelos deste canal não são escritos aqui.' })
  return { ...connection, edits }
}

const exampleOf = async (actor: Actor, { category, header }: TemplateDraft): Promise<TemplateToJudge['file']> => {
  const { kind, mediaId } = header
  if (category === 'AUTHENTICATION' || kind === 'none' || kind === 'text' || !mediaId) return null
  const of = [actor.tenantId, mediaId, actor.userId, actor.queueIds]
  const [file] = await withTenant(actor.tenantId, (tx) => tx.rows<StoredFile>(sendableFile, of))
  const isFitting = file && (kind === 'document' || file.kind === kind)
  if (!isFitting) throw fieldErrors({ path: 'draft.header.mediaId', message: 'O arquivo não é do tipo escolhido.' })
  const { id, name, mime, size } = file
  return { name, mime, size, bytes: async () => (await readFileBytes(actor.tenantId, id)).bytes }
}

/** The refusal of a provider as the answer to whoever waits. */
const told = async <T>(ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ChannelError) throw new AppError('ERR_CHANNEL_REFUSED', { message: error.textForCaller })
    throw error
  }
}

/** Kept, told, and soon compared with what the provider has. */
const stored = async (actor: Actor, connection: OpenConnection, write: (tx: Tx) => Promise<TemplateRow>) => {
  const shown = await withTenant(actor.tenantId, async (tx) => {
    const row = await write(tx)
    const told = { connectionId: connection.id, news: [] }
    await emit(tx, 'templates.updated', told, { kind: 'permission', can: 'messages.write' })
    return present(tx, row)
  })
  await requestTemplateSync(connection)
  return shown
}

const audit = (tx: Tx, actor: Actor, action: string, before: TemplateRow | null, after: TemplateRow | null) =>
  writeAudit(tx, actor, {
    action,
    entity: 'template',
    entityId: after?.id ?? before?.id ?? '',
    before: before && audited(before),
    after: after && audited(after),
  })
const audited = ({ name, language, category, status }: TemplateRow) => ({ name, language, category, status })
