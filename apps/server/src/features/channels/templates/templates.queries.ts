import type { templatesQuery } from '@balcao/contract/channels/templates.ts'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { z } from 'zod'
import type { ProviderTemplate } from '../../../channels/adapter.ts'
import { type Prepared, platformRows, type Tx } from '../../../db/database.ts'
import { connections, messageTemplates } from '../../../db/schema/channels/connections.ts'
import { likePattern } from '../../../kit/cursor.ts'
import type { ChangedTemplate } from './template-news.ts'

export type TemplateRow = typeof messageTemplates.$inferSelect
type Asked = z.output<typeof templatesQuery> & { limit: number; after: readonly [string, string, string] | undefined }

/** A page by name and language, one row more than asked for. */
export const findTemplates = (tx: Tx, asked: Asked): Promise<TemplateRow[]> => {
  const { connectionId, status, category, searchParam, after, limit, pageNumber } = asked
  const t = messageTemplates
  return tx.db
    .select()
    .from(t)
    .where(
      and(
        eq(t.tenantId, tx.tenantId),
        connectionId.length ? inArray(t.connectionId, connectionId) : undefined,
        status.length ? inArray(t.status, status) : undefined,
        category.length ? inArray(t.category, category) : undefined,
        // What a template says is looked through too: people remember its words, not its name.
        searchParam
          ? sql`norm(replace(${t.name}, '_', ' ') || ' ' || ${t.name} || ' ' || ${t.components}::text) like norm(${likePattern(searchParam)})`
          : undefined,
        sql`exists (select from ${connections} n where n.tenant_id = ${tx.tenantId} and n.id = ${t.connectionId} and n.deleted_at is null)`,
        after ? sql`(${t.name}, ${t.language}, ${t.id}) > (${after[0]}, ${after[1]}, ${after[2]}::uuid)` : undefined,
      ),
    )
    .orderBy(asc(t.name), asc(t.language), asc(t.id))
    .limit(limit + 1)
    .offset(after ? 0 : (pageNumber - 1) * limit)
}

export const findTemplate = async (tx: Tx, connectionId: string, name: string, language: string) => {
  const t = messageTemplates
  const [row] = await tx.db
    .select()
    .from(t)
    .where(
      and(eq(t.tenantId, tx.tenantId), eq(t.connectionId, connectionId), eq(t.name, name), eq(t.language, language)),
    )
  return row
}

/**
 * Makes the stored templates those that the provider had when it was asked; answers those that had been known otherwise,
 * or nothing when all is as it was. An answer that was overtaken by that of a later question changes nothing.
 */
export const replaceTemplates = async (
  tx: Tx,
  connectionId: string,
  templates: ProviderTemplate[],
  askedAt: Date,
): Promise<ChangedTemplate[] | undefined> => {
  const given = [...new Map(templates.map((one) => [`${one.name} ${one.language}`, one])).values()]
  const rows = given.map(({ externalId, rejectedReason, ...one }) => ({
    id: v7(),
    external_id: externalId,
    rejected_reason: rejectedReason,
    ...one,
  }))
  await tx.rows(lockConnection, [tx.tenantId, connectionId])
  const [overtaken] = await tx.rows(later, [tx.tenantId, connectionId, askedAt])
  if (overtaken) return undefined
  const values = [tx.tenantId, connectionId, JSON.stringify(rows), askedAt]
  const [result] = await tx.rows<{ isChanged: boolean; news: ChangedTemplate[] }>(replace, values)
  return result?.isChanged ? result.news : undefined
}
const lockConnection: Prepared = {
  name: 'templates_lock',
  text: 'select from connections where tenant_id = $1 and id = $2 for no key update',
}
const later: Prepared = {
  name: 'templates_later',
  text: 'select from message_templates where tenant_id = $1 and connection_id = $2 and synced_at > $3 limit 1',
}
const replace: Prepared = {
  name: 'templates_replace',
  text: `with given as (
      select * from jsonb_to_recordset($3::jsonb) as g(id uuid, external_id text, name text, language text, category text, status text, components jsonb, rejected_reason text, quality text)
    ), news as (
      select case when t.id is not null then jsonb_build_object('name', g.name, 'language', g.language, 'status', g.status, 'category', g.category,
          'quality', g.quality, 'reason', g.rejected_reason,
          'was', jsonb_build_object('status', t.status, 'category', t.category, 'quality', t.quality)) end as told
      from given g left join message_templates t
        on t.tenant_id = $1 and t.connection_id = $2 and t.name = g.name and t.language = g.language
      where t.id is null or (t.external_id, t.category, t.status, t.components, t.rejected_reason, t.quality)
        is distinct from (g.external_id, g.category, g.status, g.components, g.rejected_reason, g.quality)
    ), kept as (
      insert into message_templates (tenant_id, id, connection_id, external_id, name, language, category, status, components, rejected_reason, quality, synced_at)
      select $1, id, $2, external_id, name, language, category, status, components, rejected_reason, quality, $4 from given
      on conflict (tenant_id, connection_id, name, language) do update set external_id = excluded.external_id,
        category = excluded.category, status = excluded.status, components = excluded.components,
        rejected_reason = excluded.rejected_reason, quality = excluded.quality, synced_at = excluded.synced_at
    ), gone as (
      delete from message_templates t where t.tenant_id = $1 and t.connection_id = $2
        and not exists (select from given g where g.name = t.name and g.language = t.language) returning 1
    )
    select exists (select from news) or exists (select from gone) as "isChanged",
      (select coalesce(jsonb_agg(told) filter (where told is not null), '[]') from news) as news`,
}

export type DueConnection = { tenantId: number; id: string; claimedAt: Date }
/** Connections whose templates are to be asked for: taken for ten minutes, then anybody may try again. */
export const claimDue = (kinds: string[]) => platformRows<DueConnection>(claim, [kinds])
const claim: Prepared = {
  name: 'templates_claim',
  text: `with due as (
      select tenant_id, id from connections where kind = any($1::text[]) and status = 'CONNECTED' and deleted_at is null
        and templates_due_at <= now() order by templates_due_at limit 10 for no key update skip locked)
    update connections n set templates_due_at = now() + interval '10 minutes' from due
    where n.tenant_id = due.tenant_id and n.id = due.id
    returning n.tenant_id as "tenantId", n.id, n.templates_due_at as "claimedAt"`,
}

/** Asked for: next time tomorrow, unless somebody asked again meanwhile. */
export const doneForToday = ({ tenantId, id, claimedAt }: DueConnection) =>
  platformRows(
    {
      name: 'templates_done',
      text: `update connections set templates_due_at = now() + interval '24 hours' where tenant_id = $1 and id = $2 and templates_due_at = $3`,
    },
    [tenantId, id, claimedAt],
  )

export const askNow = (tenantId: number, id: string) =>
  platformRows(
    {
      name: 'templates_ask',
      text: 'update connections set templates_due_at = now() where tenant_id = $1 and id = $2',
    },
    [tenantId, id],
  )
