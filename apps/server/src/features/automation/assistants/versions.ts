import type { Assistant, AssistantVersion } from '@balcao/contract/automation/assistants/assistants.ts'
import { assistantConfig, configProblems } from '@balcao/contract/automation/assistants/config.ts'
import type { Page } from '@balcao/contract/common.ts'
import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { z } from 'zod'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { assistants, assistantVersions } from '../../../db/schema/automation/assistants.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { withTextDates } from '../../../kit/crud-fields.ts'
import { readCursor, toPage } from '../../../kit/cursor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { getDirectory, invalidateDirectory } from '../../core/directory/directory.ts'
import { botBehind } from './ask-bot.ts'
import { botOfConfig, checkConfig, presentAssistants } from './assistants.rows.ts'
import { nextNight } from './next-night.ts'
import type { Judged } from './publish-gate.ts'

type Who = Pick<Actor, 'tenantId' | 'userId' | 'impersonatorId'>
type Asked = { version: number; note: string }
/** The draft answers from now on, upon what was found of it. */
export const publishDraft = async (
  actor: Who,
  id: string,
  { version, note }: Asked,
  judged: Judged,
): Promise<Assistant> => {
  const after = await withTenant(actor.tenantId, async (tx) => {
    const row = await lockAssistant(tx, id)
    if (row.version !== version) throw new AppError('ERR_CONFLICT', { details: { version: row.version } })
    const config = assistantConfig.parse(row.config)
    const problems = configProblems(config, Boolean(await botBehind(tx, config)))
    if (problems.length) throw fieldErrors(...problems)
    await checkConfig(tx, await getDirectory(tx.tenantId), config)
    const [last] = await tx.rows<{ number: number }>(lastNumber, [tx.tenantId, id])
    const versionId = v7()
    await tx.db.insert(assistantVersions).values({
      ...{ tenantId: tx.tenantId, id: versionId, assistantId: id, number: (last?.number ?? 0) + 1 },
      ...{ config, revision: row.revision, note, signedReason: judged?.signedReason ?? '', userId: actor.userId },
    })
    return setPublished(tx, actor, id, { versionId, bot: await botOfConfig(tx, config), judged })
  })
  invalidateDirectory(actor.tenantId)
  return after
}

/** Whether what this draft was at that version is what answers now. */
export const isPublishedAs = async (tx: Tx, id: string, version: number): Promise<boolean> => {
  const row = await findAssistant(tx, id)
  if (row.version === version || !row.publishedId) return false
  return (await findVersion(tx, id, row.publishedId)).revision === row.revision
}

/** An older version answers again; the draft stays as it is. */
export const publishVersion = async (actor: Actor, id: string, versionId: string): Promise<Assistant> => {
  const after = await withTenant(actor.tenantId, async (tx) => {
    await lockAssistant(tx, id)
    const config = assistantConfig.parse((await findVersion(tx, id, versionId)).config)
    await checkConfig(tx, await getDirectory(tx.tenantId), config)
    return setPublished(tx, actor, id, { versionId, bot: await botOfConfig(tx, config), judged: null })
  })
  invalidateDirectory(actor.tenantId)
  return after
}

export const listVersions = (
  actor: Actor,
  id: string,
  query: { cursor?: string; limit?: number },
): Promise<Page<AssistantVersion>> =>
  withTenant(actor.tenantId, async (tx) => {
    await findAssistant(tx, id)
    const limit = query.limit ?? 20
    const [below] = query.cursor ? readCursor(query.cursor, z.tuple([z.number()])) : [2_147_483_647]
    type Row = Omit<AssistantVersion, 'at'> & { at: Date }
    const rows = await tx.rows<Row>(versions, [tx.tenantId, id, below, limit + 1])
    const page = toPage(rows, limit, ({ number }) => [number])
    return { ...page, items: page.items.map((row) => ({ ...row, at: row.at.toISOString() })) }
  })

/** A version of this assistant. Throws ERR_NOT_FOUND. */
export const findVersion = async (tx: Tx, assistantId: string, id: string) => {
  const [found] = await tx.db
    .select()
    .from(assistantVersions)
    .where(
      and(
        eq(assistantVersions.tenantId, tx.tenantId),
        eq(assistantVersions.assistantId, assistantId),
        eq(assistantVersions.id, id),
      ),
    )
  if (!found) throw new AppError('ERR_NOT_FOUND')
  return found
}

export const findAssistant = async (tx: Tx, id: string) => {
  const [row] = await tx.db
    .select()
    .from(assistants)
    .where(and(eq(assistants.tenantId, tx.tenantId), eq(assistants.id, id)))
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return row
}
const lockAssistant = async (tx: Tx, id: string) => {
  const [row] = await tx.db
    .select()
    .from(assistants)
    .where(and(eq(assistants.tenantId, tx.tenantId), eq(assistants.id, id)))
    .for('update')
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return row
}

type Published = { versionId: string; bot: Assistant['bot']; judged: Judged }
const setPublished = async (
  tx: Tx,
  actor: Who,
  id: string,
  { versionId, bot, judged }: Published,
): Promise<Assistant> => {
  const before = await findAssistant(tx, id)
  const { timezone } = await getDirectory(tx.tenantId)
  const [row] = await tx.db
    .update(assistants)
    .set({
      ...{ publishedId: versionId, bot, version: before.version + 1, updatedAt: new Date() },
      evaluateAt: before.evaluatesNightly ? nextNight(timezone) : null,
    })
    .where(and(eq(assistants.tenantId, tx.tenantId), eq(assistants.id, id)))
    .returning()
  const [presented] = row ? await presentAssistants(tx, [row]) : []
  if (!presented) throw new AppError('ERR_NOT_FOUND')
  const after = withTextDates(presented) as unknown as Assistant // dates are text now
  await writeAudit(tx, actor, {
    ...{ action: 'assistant.published', entity: 'assistant', entityId: id },
    before: { publishedId: before.publishedId },
    after: {
      ...{ publishedId: versionId, number: after.published?.number },
      ...(judged && { passed: judged.passed, total: judged.total }),
      ...(judged?.signedReason && { signedReason: judged.signedReason }),
    },
  })
  await emit(tx, 'assistant.updated', after, { kind: 'permission', can: 'assistants.write' })
  return after
}

const lastNumber: Prepared = {
  name: 'assistant_versions_last',
  text: 'select max(number) as number from assistant_versions where tenant_id = $1 and assistant_id = $2',
}
const versions: Prepared = {
  name: 'assistant_versions_list',
  text: `select v.id, v.number, v.created_at as at, v.note, v.signed_reason as "signedReason", v.id = a.published_id as "isPublished",
      (select jsonb_build_object('id', u.id, 'name', u.name) from users u where u.tenant_id = v.tenant_id and u.id = v.user_id) as user
    from assistant_versions v join assistants a on a.tenant_id = v.tenant_id and a.id = v.assistant_id
    where v.tenant_id = $1 and v.assistant_id = $2 and v.number < $3 order by v.number desc limit $4`,
}
