import { id } from '@balcao/contract/common.ts'
import { type Part, tidyPart, wordsOf } from '@balcao/contract/conversations/parts.ts'
import { csvImportBody, csvImportReport } from '@balcao/contract/core/csv-imports.ts'
import { partsAfter, quickMessageResource, quickMessageUses } from '@balcao/contract/service/quick-messages.ts'
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import { quickFolders, quickMessages } from '../../../db/schema/service/library.ts'
import type { Actor } from '../../../kit/actor.ts'
import { crud } from '../../../kit/crud.ts'
import { toCsv } from '../../../kit/csv.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { requireParts } from '../../conversations/parts/parts.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { presentQuick } from './present-quick.ts'
import { linesOf, quickColumns } from './quick-csv.ts'
import { importQuick } from './quick-import.ts'
import { partsOf, replaceParts, usersOf, usesOf } from './quick-messages.queries.ts'
import { audienceOf, readableBy, requireWrite, type Scoped, scopeAfter } from './scope.ts'

const administration = crud(quickMessageResource, {
  table: quickMessages,
  search: [quickMessages.key, quickMessages.message],
  fromOlder: ({ isPublic, ...body }) =>
    typeof isPublic === 'boolean' ? { scope: isPublic ? 'everyone' : 'mine', ...body } : body,
  csvOf: async (tx, rows) => {
    const { queues } = await getDirectory(tx.tenantId)
    const folders = await tx.db.select().from(quickFolders).where(eq(quickFolders.tenantId, tx.tenantId))
    const names = {
      queues: new Map([...queues.values()].map((queue) => [queue.id, queue.name])),
      folders: new Map(folders.map((folder) => [folder.id, folder.name])),
    }
    return toCsv(
      quickColumns,
      rows.flatMap((row) => linesOf(row, names)),
    )
  },
  visible: (actor) => readableBy(actor, quickMessages),
  beforeWrite: async (tx, { actor, before, input }) => {
    const after = scopeAfter(actor, before, input, 'mensagens')
    const current = before ? await currentParts(tx, before.id) : []
    const parts = partsAfter(input, current)?.map(tidyPart)
    if (parts) await requireWritten(tx, actor, { parts, current, isSingle: input.parts === undefined })
    const message = wordsOf(parts ?? current)
    return {
      ...after,
      message,
      helpTitle: helpAfter(after, message, input.helpTitle, before?.helpTitle ?? null),
      folderId: await folderAfter(tx, after, input.folderId, before?.folderId ?? null),
    }
  },
  afterWrite: async (tx, { id: quickMessageId, input, isNew }) => {
    const parts = partsAfter(input, isNew ? [] : await currentParts(tx, quickMessageId))
    if (parts) await replaceParts(tx, quickMessageId, parts.map(tidyPart))
  },
  beforeDelete: requireWrite,
  present: presentQuick,
  audience: audienceOf,
})

export const quickMessageRoutes: Routes = (app) => {
  administration(app)
  app.get(
    '/fastreply/:id/uses',
    {
      config: { can: 'quick-messages.read', summary: 'Ver quem usa uma mensagem rápida' },
      schema: { params: z.object({ id }), response: { 200: quickMessageUses } },
    },
    ({ actor, params }) => readUses(actor, params.id),
  )
  app.post(
    '/fastreply/import',
    {
      config: { can: 'quick-messages.write', summary: 'Importar mensagens rápidas de um CSV' },
      schema: { body: csvImportBody, response: { 200: csvImportReport } },
    },
    ({ actor, body }) => importQuick(actor, body),
  )
}

const readUses = async (actor: Actor, quickMessageId: string): Promise<z.output<typeof quickMessageUses>> => {
  const { people } = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    const [found] = await tx.db
      .select({ id: quickMessages.id })
      .from(quickMessages)
      .where(
        and(
          eq(quickMessages.tenantId, tx.tenantId),
          eq(quickMessages.id, quickMessageId),
          readableBy(actor, quickMessages),
        ),
      )
    if (!found) throw new AppError('ERR_NOT_FOUND')
    const users = await usersOf(tx, quickMessageId)
    const total = (await usesOf(tx, [quickMessageId])).get(quickMessageId) ?? { total: 0, lastAt: null }
    const nameOf = (userId: string | null) =>
      userId ? (people.get(userId)?.name ?? 'Alguém que saiu') : 'Enviada sozinha'
    return { ...total, people: users.map((one) => ({ ...one, name: nameOf(one.userId) })) }
  })
}

const currentParts = async (tx: Tx, quickMessageId: string): Promise<Part[]> => partsOf(tx, [quickMessageId])

type Checked = { parts: Part[]; current: Part[]; isSingle: boolean }
/** Refused by the names of the fields that were sent. */
const requireWritten = async (tx: Tx, actor: Actor, { parts, current, isSingle }: Checked) => {
  if (isSingle && !parts.some(({ body, mediaId }) => body || mediaId))
    throw fieldErrors({ path: 'message', message: 'Escreva um texto ou escolha um arquivo.' })
  try {
    await requireParts(tx, actor, parts, { before: current.map(({ mediaId }) => mediaId) })
  } catch (error) {
    throw isSingle ? asSingleProblem(error) : error
  }
}
const asSingleProblem = (error: unknown) => {
  if (!(error instanceof AppError) || !Array.isArray(error.details)) return error
  return fieldErrors(
    ...error.details.map(({ path, message }: { path: string; message: string }) => ({
      path: path.endsWith('.mediaId') ? 'mediaId' : 'message',
      message,
    })),
  )
}

/** What visitors may read is everybody's, and says the same to each of them. */
const helpAfter = ({ scope }: Scoped, message: string, asked: string | null | undefined, before: string | null) => {
  const title = (asked === undefined ? before : asked) || null
  const refuse = (text: string) => fieldErrors({ path: 'helpTitle', message: text })
  if (title && scope !== 'everyone') {
    if (!asked) return null // it became one person's or one queue's
    throw refuse('Só o que é de todos aparece na ajuda do chat.')
  }
  if (title && !message) throw refuse('Na ajuda aparece o texto: escreva um.')
  if (title && message.includes('{{')) throw refuse('Quem lê a ajuda não é conhecido: tire as variáveis do texto.')
  return title
}

/** Where it stands after a write: in a folder of the same people, or in none. */
const folderAfter = async (tx: Tx, after: Scoped, asked: string | null | undefined, before: string | null) => {
  const folderId = asked === undefined ? before : asked
  if (!folderId) return null
  const [folder] = await tx.db
    .select()
    .from(quickFolders)
    .where(and(eq(quickFolders.tenantId, tx.tenantId), eq(quickFolders.id, folderId)))
  const isTheirs =
    folder?.scope === after.scope &&
    folder.queueId === after.queueId &&
    (after.scope !== 'mine' || folder.userId === after.userId)
  if (isTheirs) return folderId
  if (asked === undefined) return null // it went to other people, who have other folders
  throw fieldErrors({ path: 'folderId', message: 'Escolha uma pasta de quem usa esta mensagem.' })
}
