import type { Page } from '@balcao/contract/common.ts'
import { mostSuppressed, type SuppressionBody, type SuppressionList } from '@balcao/contract/contacts/consent.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { and, desc, eq, isNull } from 'drizzle-orm'
import { type Tx, withTenant } from '../../../db/database.ts'
import { suppressionLines, suppressionLists } from '../../../db/schema/contacts/consent.ts'
import { users } from '../../../db/schema/people/users.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { enqueueJob } from '../../core/jobs/jobs.service.ts'
import { linesOf } from './suppression-lines.ts'

const lists = 50
/** What was brought in, the newest first. */
export const listSuppressions = (actor: Actor): Promise<Page<SuppressionList>> =>
  withTenant(actor.tenantId, async (tx) => {
    const rows = await tx.db
      .select({ list: suppressionLists, user: { id: users.id, name: users.name } })
      .from(suppressionLists)
      .innerJoin(users, and(eq(users.tenantId, suppressionLists.tenantId), eq(users.id, suppressionLists.userId)))
      .where(eq(suppressionLists.tenantId, tx.tenantId))
      .orderBy(desc(suppressionLists.createdAt), desc(suppressionLists.id))
      .limit(lists)
    const items = rows.map(({ list, user }) => ({
      ...list,
      user,
      createdAt: list.createdAt.toISOString(),
      undoneAt: list.undoneAt?.toISOString() ?? null,
    }))
    return { items, hasMore: false, nextCursor: null }
  })

/** Takes the lines in as they are; the job reads them. */
export const bringSuppressions = async (actor: Actor, { text, ...said }: SuppressionBody): Promise<BulkJob> => {
  const lines = linesOf(text)
  if (!lines.length) throw fieldErrors({ path: 'text', message: 'A lista não tem linhas com telefone ou e-mail.' })
  if (lines.length > mostSuppressed)
    throw fieldErrors({ path: 'text', message: `Divida a lista: cada uma leva até ${mostSuppressed} linhas.` })
  return withTenant(actor.tenantId, async (tx) => {
    const proof = said.proof.replaceAll('\0', '')
    const values = { ...said, proof, tenantId: tx.tenantId, total: lines.length, userId: actor.userId }
    const [list] = await tx.db.insert(suppressionLists).values(values).returning()
    if (!list) throw new AppError('ERR_INTERNAL')
    await tx.rows(addLines, [tx.tenantId, list.id, lines.map(({ place }) => place), lines.map(({ body }) => body)])
    const audit = {
      action: 'optOut.imported',
      entity: 'suppressionList',
      entityId: list.id,
      after: { ...said, total: lines.length },
    }
    return enqueueFor(tx, actor, { kind: 'importOptOuts', list, audit })
  })
}
const addLines = {
  name: 'suppression_lines_add',
  text: `insert into suppression_lines (tenant_id, list_id, place, body) select $1, $2, l.place, l.body
    from unnest($3::int[], $4::text[]) as l(place, body)`,
}

/** Whoever is refused by this list alone is as before; what they said since stays. */
export const undoSuppressions = (actor: Actor, listId: string): Promise<BulkJob> =>
  withTenant(actor.tenantId, async (tx) => {
    const [list] = await tx.db
      .update(suppressionLists)
      .set({ undoneAt: new Date() })
      .where(
        and(
          eq(suppressionLists.tenantId, tx.tenantId),
          eq(suppressionLists.id, listId),
          isNull(suppressionLists.undoneAt),
        ),
      )
      .returning()
    if (!list) throw new AppError('ERR_NOT_FOUND')
    // What of it is not taken in yet never will be.
    await tx.db
      .delete(suppressionLines)
      .where(and(eq(suppressionLines.tenantId, tx.tenantId), eq(suppressionLines.listId, listId)))
    const audit = { action: 'optOut.undone', entity: 'suppressionList', entityId: listId, after: { proof: list.proof } }
    return enqueueFor(tx, actor, { kind: 'undoOptOuts', list, audit })
  })

type Asking = {
  kind: 'importOptOuts' | 'undoOptOuts'
  list: typeof suppressionLists.$inferSelect
  audit: Parameters<typeof enqueueJob>[2]['audit']
}
const enqueueFor = async (tx: Tx, actor: Actor, { kind, list, audit }: Asking) => {
  const job = await enqueueJob(tx, actor, {
    ...{ kind, params: { listId: list.id }, total: list.total, subject: cutText(list.proof, 80), audit },
  })
  if (kind === 'importOptOuts')
    await tx.db
      .update(suppressionLists)
      .set({ jobId: job.id })
      .where(and(eq(suppressionLists.tenantId, tx.tenantId), eq(suppressionLists.id, list.id)))
  return job
}
