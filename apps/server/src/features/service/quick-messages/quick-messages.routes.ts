import { quickMessageProblems, quickMessageResource } from '@balcao/contract/service/quick-messages.ts'
import { and, eq, inArray, or, type SQL } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { files } from '../../../db/schema/core/files.ts'
import { quickMessages } from '../../../db/schema/service/library.ts'
import type { Actor } from '../../../kit/actor.ts'
import { crud } from '../../../kit/crud.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { presentMedia } from '../../core/media/media.present.ts'

type Scope = (typeof quickMessages.$inferSelect)['scope']

export const quickMessageRoutes = crud(quickMessageResource, {
  table: quickMessages,
  search: [quickMessages.key, quickMessages.message],
  csv: [
    { label: 'Atalho', value: (quick) => quick.key },
    { label: 'Mensagem', value: (quick) => quick.message },
    { label: 'Para quem', value: (quick) => scopeLabels[quick.scope] },
    { label: 'Arquivo', value: (quick) => quick.media?.name },
    { label: 'Criada em', value: (quick) => quick.createdAt },
  ],
  visible: mayRead,
  beforeWrite: async (tx, { actor, before, input }) => {
    if (before && !mayWrite(actor, before.scope)) throw new AppError('ERR_NO_PERMISSION')
    const next = {
      message: input.message ?? before?.message ?? '',
      scope: input.scope ?? before?.scope ?? 'mine',
      queueId: input.queueId === undefined ? (before?.queueId ?? null) : input.queueId,
      mediaId: input.mediaId === undefined ? (before?.mediaId ?? null) : input.mediaId,
    }
    if (!mayWrite(actor, next.scope)) {
      throw fieldErrors({ path: 'scope', message: 'Seu perfil só pode criar mensagens para uso próprio.' })
    }
    const [problem] = quickMessageProblems(next)
    if (problem) throw fieldErrors(problem)
    if (input.mediaId) await requireOwnFile(tx, actor, input.mediaId, before?.mediaId)
    // What becomes personal belongs to whoever made it so.
    return {
      queueId: next.scope === 'queue' ? next.queueId : null,
      ...(before && next.scope !== 'mine' ? {} : { userId: actor.userId }),
    }
  },
  beforeDelete: (actor, row) => {
    if (!mayWrite(actor, row.scope)) throw new AppError('ERR_NO_PERMISSION')
  },
  present: async (tx, rows) => {
    const media = await filesOf(
      tx,
      rows.flatMap((row) => row.mediaId ?? []),
    )
    return rows.map((row) => ({ ...row, media: (row.mediaId && media.get(row.mediaId)) || null }))
  },
  audience: (row) => {
    if (row.scope === 'mine') return { kind: 'user', userId: row.userId }
    return row.scope === 'queue' && row.queueId
      ? { kind: 'queue', queueId: row.queueId }
      : { kind: 'permission', can: 'quick-messages.read' }
  },
})

const scopeLabels: Record<Scope, string> = { mine: 'Só para mim', queue: 'Fila', everyone: 'Todos' }

/** Mine, my queues' and everyone's; who administers knows every queue's, and nobody another person's own. */
function mayRead(actor: Actor): SQL | undefined {
  const { scope, userId, queueId } = quickMessages
  return or(
    eq(scope, 'everyone'),
    and(eq(scope, 'mine'), eq(userId, actor.userId)),
    actor.permissions.has('quick-messages.share')
      ? eq(scope, 'queue')
      : and(eq(scope, 'queue'), inArray(queueId, actor.queueIds)),
  )
}

/** `mayRead` has already hidden other people's own. */
const mayWrite = (actor: Actor, scope: Scope) => scope === 'mine' || actor.permissions.has('quick-messages.share')

/** A file is attached by whoever sent it up; the one that was there may stay. */
const requireOwnFile = async (tx: Tx, actor: Actor, mediaId: string, present: string | null | undefined) => {
  if (mediaId === present) return
  const [file] = await tx.db
    .select({ id: files.id })
    .from(files)
    .where(and(eq(files.tenantId, tx.tenantId), eq(files.id, mediaId), eq(files.userId, actor.userId)))
  if (!file) throw fieldErrors({ path: 'mediaId', message: 'O arquivo não foi encontrado. Envie-o novamente.' })
}

const filesOf = async (tx: Tx, ids: string[]) => {
  if (ids.length === 0) return new Map<string, never>()
  const rows = await tx.db
    .select()
    .from(files)
    .where(and(eq(files.tenantId, tx.tenantId), inArray(files.id, ids)))
  return new Map(rows.map((row) => [row.id, presentMedia(row, tx)]))
}
