import type { Mail, mailsQuery } from '@balcao/contract/people/mails.ts'
import { and, desc, inArray, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../../../db/database.ts'
import { mails } from '../../../db/schema/people/mails.ts'
import { likePattern, readCursor, toPage } from '../../../kit/cursor.ts'

type MailRow = typeof mails.$inferSelect
const pageSize = 40

/** Mails newest first, `within` a company or all of them. */
export const pageOfMails = async (
  tx: Tx,
  { state, searchParam, cursor, limit = pageSize }: z.output<typeof mailsQuery>,
  within: SQL | undefined,
) => {
  const [at, last] = cursor ? readCursor(cursor, z.tuple([z.iso.datetime(), z.uuid()])) : []
  const rows = await tx.db
    .select()
    .from(mails)
    .where(
      and(
        within,
        state.length ? inArray(mails.state, state) : undefined,
        searchParam ? sql`${mails.to} like ${likePattern(searchParam.toLowerCase())}` : undefined,
        at ? sql`(${mails.createdAt}, ${mails.id}) < (${at}, ${last})` : undefined,
      ),
    )
    .orderBy(desc(mails.createdAt), desc(mails.id))
    .limit(limit + 1)
  return toPage(rows, limit, (row) => [row.createdAt.toISOString(), row.id])
}

export const presentMail = (row: MailRow): Mail => ({
  id: row.id,
  kind: row.kind,
  to: row.to,
  state: row.state,
  attempts: row.attempts,
  error: row.error,
  attemptAt: row.state === 'queued' ? row.attemptAt.toISOString() : null,
  sentAt: row.sentAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
})
