import { cutText } from '@balcao/contract/core/cut-text.ts'
import type { Campaign, CampaignPatch, CampaignWrite } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { campaignWrite } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { and, eq, sql } from 'drizzle-orm'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { campaignFiles, campaigns } from '../../../db/schema/operations/campaigns.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { madeOnce } from '../../../kit/made-once.ts'
import { emit } from '../../../kit/outbox.ts'
import { emitCampaign, findCampaign, mediaOf, presentCampaign, type StoredCampaign } from './campaigns.present.ts'
import { requireKnown } from './known-ids.ts'
import { withoutRules } from './transitions.ts'

type Asking = Pick<Actor, 'tenantId' | 'userId' | 'queueIds' | 'permissions' | 'impersonatorId'>

export const getCampaign = ({ tenantId }: Asking, id: string): Promise<Campaign> =>
  withTenant(tenantId, async (tx) => presentCampaign(tx, await findCampaign(tx, id)))

/** A draft: nothing is sent before somebody starts it. */
export const createCampaign = (actor: Asking, input: CampaignWrite & { id?: string }): Promise<Campaign> =>
  madeOnce(
    input.id,
    () => withTenant(actor.tenantId, (tx) => addCampaign(tx, actor, input)),
    (id) => getCampaign(actor, id),
  )

export const addCampaign = async (
  tx: Tx,
  actor: Asking,
  { id, ...input }: CampaignWrite & { id?: string },
): Promise<Campaign> => {
  await requireKnown(tx, actor, input)
  const [row] = await tx.db
    .insert(campaigns)
    .values({ ...columnsOf(input), id, tenantId: tx.tenantId, createdBy: actor.userId })
    .returning()
  if (!row) throw new Error('No campaign was made')
  await keepFiles(tx, row)
  await writeAudit(tx, actor, {
    ...{ action: 'campaign.created', entity: 'campaign', entityId: row.id },
    after: { name: row.name },
  })
  return emitCampaign(tx, row)
}

/** What may change while it runs: how fast, when, until when, and what becomes of answers; never what was frozen. Its start, before that. */
const whileRunning = ['name', 'pace', 'window', 'endsAt', 'answer', 'brake'] as const satisfies (keyof CampaignPatch)[]
const running = ['scheduled', 'preparing', 'running', 'paused']

/**
 * Changes a campaign. What it says and whom it is for are changed while it is a draft; one that waits for approval becomes a
 * draft again, so that nobody approves what they have not seen.
 */
export const updateCampaign = async (
  actor: Asking,
  id: string,
  { version, ...patch }: CampaignPatch,
): Promise<Campaign> => {
  const after = await withTenant(actor.tenantId, async (tx) => {
    const before = await findCampaign(tx, id, 'lock')
    if (version !== undefined && version !== before.version) {
      const current = await presentCampaign(tx, before)
      const changed = Object.keys(patch).filter(
        (name) => JSON.stringify(Reflect.get(patch, name)) !== JSON.stringify(Reflect.get(current, name)),
      )
      throw new AppError('ERR_CONFLICT', { details: { current, changed } })
    }
    requireChangeable(before, patch)
    await requireKnown(tx, actor, patch, mediaOf(before))
    const { name, origin, purpose, connectionIds, startsAt, endsAt, ...plan } = patch
    const isDraft = before.state === 'draft' || before.state === 'approval'
    const [row] = await tx.db
      .update(campaigns)
      .set({
        ...(name !== undefined && { name }),
        ...(origin !== undefined && { origin }),
        ...(purpose !== undefined && { purpose }),
        ...(connectionIds !== undefined && { connectionIds: [...new Set(connectionIds)] }),
        ...(startsAt !== undefined && { startsAt: dateOf(startsAt) }),
        ...(endsAt !== undefined && { endsAt: dateOf(endsAt) }),
        ...(startsAt !== undefined && before.state === 'scheduled' && { dueAt: dateOf(startsAt) ?? sql`now()` }),
        plan: { ...before.plan, ...plan },
        restsUntil: null,
        ...(isDraft && { state: 'draft' as const, askedBy: null, approvedBy: null }),
        version: sql`${campaigns.version} + 1`,
        updatedAt: sql`now()`,
      })
      .where(mine(tx, id))
      .returning()
    if (!row) throw new AppError('ERR_NOT_FOUND')
    if (patch.steps) await keepFiles(tx, row)
    // A draft is saved as it is typed: what it was when it started is on record, not every letter.
    if (!isDraft)
      await writeAudit(tx, actor, {
        ...{ action: 'campaign.updated', entity: 'campaign', entityId: id },
        before: pick(before, patch),
        after: pick(row, patch),
      })
    return emitCampaign(tx, row)
  })
  if (patch.window && after.startedAt) await lookAgainAtHours(actor.tenantId, after)
  return after
}

/** Who was put off by the hours of their state is looked at again under the new ones, some in each transaction. */
const lookAgainAtHours = async (tenantId: number, { id, connectionIds }: Campaign) => {
  for (let seen = rowsAtOnce; seen === rowsAtOnce; )
    seen = await withTenant(
      tenantId,
      async (tx) => (await tx.rows(dueAgain, [tenantId, id, connectionIds, rowsAtOnce])).length,
    )
}
const dueAgain: Prepared = {
  name: 'campaign_due_again',
  text: `update campaign_recipients set due_at = now() where tenant_id = $1 and id = any(array(
      select id from campaign_recipients where tenant_id = $1 and campaign_id = $2 and connection_id = any($3::uuid[]) and step = 0
        and (case when variant is null then 1 else 0 end) in (0, 1) and state = 'waiting' and due_at > now() limit $4)) returning 1`,
}

const requireChangeable = ({ state, startedAt }: StoredCampaign, patch: Partial<CampaignWrite>) => {
  if (state === 'draft' || state === 'approval') return
  if (!running.includes(state))
    throw new AppError('ERR_CONFLICT', { message: 'Esta campanha já terminou. Duplique-a para enviar de novo.' })
  const frozen = Object.keys(patch).find(
    (name) => !whileRunning.some((one) => one === name) && !(name === 'startsAt' && startedAt === null),
  )
  if (frozen)
    throw new AppError('ERR_CONFLICT', {
      message: 'A campanha já foi iniciada: público, mensagens e canais não mudam mais. Cancele-a ou duplique-a.',
    })
}

/** Only what was never sent, or not to the end. */
export const deleteCampaign = async (actor: Asking, id: string): Promise<void> => {
  const { tenantId } = actor
  await withTenant(tenantId, async (tx) => requireDeletable(await findCampaign(tx, id)))
  // Of a million rows each transaction takes some.
  for (let gone = rowsAtOnce; gone === rowsAtOnce; )
    gone = await withTenant(tenantId, async (tx) => (await tx.rows(dropRecipients, [tenantId, id])).length)
  await withTenant(tenantId, async (tx) => {
    const row = await findCampaign(tx, id, 'lock')
    requireDeletable(row)
    await tx.db.delete(campaigns).where(mine(tx, id))
    await writeAudit(tx, actor, {
      ...{ action: 'campaign.deleted', entity: 'campaign', entityId: id },
      before: { name: row.name, state: row.state },
    })
    await emit(tx, 'campaign.deleted', { id }, { kind: 'permission', can: 'campaigns.read' })
  })
}
const requireDeletable = ({ state }: StoredCampaign) => {
  if (['draft', 'approval', 'canceled'].includes(state)) return
  throw new AppError('ERR_CONFLICT', {
    message:
      state === 'finished'
        ? 'O que foi enviado fica registrado. Só rascunhos e campanhas canceladas podem ser excluídos.'
        : 'Cancele a campanha antes de excluí-la.',
  })
}
const rowsAtOnce = 20_000
const dropRecipients: Prepared = {
  name: 'campaign_drop_recipients',
  text: `delete from campaign_recipients where tenant_id = $1 and id = any(array(
      select id from campaign_recipients where tenant_id = $1 and campaign_id = $2
        and exists (select from campaigns where tenant_id = $1 and id = $2 and state in ('draft', 'approval', 'canceled'))
      limit ${rowsAtOnce})) returning 1`,
}

/** The same once more, as a draft of whoever asks; what segments were at its start they are no longer. */
export const duplicateCampaign = (actor: Asking, id: string, newId?: string): Promise<Campaign> =>
  madeOnce(
    newId,
    () => withTenant(actor.tenantId, (tx) => addCopy(tx, actor, { of: id, newId })),
    (made) => getCampaign(actor, made),
  )
const addCopy = async (tx: Tx, actor: Asking, { of, newId }: { of: string; newId: string | undefined }) => {
  const { name, origin, purpose, connectionIds, plan } = await findCampaign(tx, of)
  const there = await stillThere(tx, connectionIds)
  const input = campaignWrite.parse({
    ...plan,
    ...{ name: copyName(name), origin, purpose, connectionIds: there },
    audience: withoutRules(plan.audience),
  })
  const [row] = await tx.db
    .insert(campaigns)
    .values({ ...columnsOf(input), id: newId, tenantId: tx.tenantId, createdBy: actor.userId })
    .returning()
  if (!row) throw new Error('No campaign was made')
  await keepFiles(tx, row)
  await writeAudit(tx, actor, {
    ...{ action: 'campaign.created', entity: 'campaign', entityId: row.id },
    after: { name: row.name, copyOf: of },
  })
  return emitCampaign(tx, row)
}
const copyName = (name: string) => `${cutText(name, 72)} (cópia)`
const stillThere = async (tx: Tx, ids: string[]): Promise<string[]> => {
  const rows = await tx.rows<{ id: string }>(liveConnections, [tx.tenantId, ids])
  return ids.filter((id) => rows.some((one) => one.id === id))
}
const liveConnections: Prepared = {
  name: 'campaign_live_connections',
  text: 'select id from connections where tenant_id = $1 and id = any($2::uuid[]) and deleted_at is null',
}

/** Some more contacts for a draft. */
export const addContacts = (actor: Asking, id: string, contactIds: string[]): Promise<Campaign> =>
  changeAudience(actor, id, (chosen) => [...new Set([...chosen, ...contactIds])])
/** A draft without some of those who were chosen one by one. */
export const dropContact = (actor: Asking, id: string, contactId: string): Promise<Campaign> =>
  changeAudience(actor, id, (chosen) => chosen.filter((one) => one !== contactId))
/** A draft for nobody yet. */
export const dropAllContacts = async (actor: Asking, id: string): Promise<Campaign> => {
  const { audience } = await getCampaign(actor, id)
  return updateCampaign(actor, id, { audience: { ...audience, include: [] } })
}
const changeAudience = async (actor: Asking, id: string, change: (chosen: string[]) => string[]) => {
  const { audience, version } = await getCampaign(actor, id)
  const chosen = audience.include.flatMap((one) => (one.kind === 'contacts' ? one.contactIds : []))
  const contactIds = change(chosen)
  if (contactIds.length > mostChosen)
    throw fieldErrors({
      path: 'contacts',
      message: 'Escolha no máximo 5.000 contatos um a um. Para mais, use uma lista.',
    })
  const others = audience.include.filter(({ kind }) => kind !== 'contacts')
  const include = contactIds.length ? [...others, { kind: 'contacts' as const, contactIds }] : others
  return updateCampaign(actor, id, { audience: { ...audience, include }, version })
}
const mostChosen = 5_000

const mine = (tx: Tx, id: string) => and(eq(campaigns.tenantId, tx.tenantId), eq(campaigns.id, id))
const dateOf = (at: string | null) => (at === null ? null : new Date(at))
const columnsOf = ({ name, origin, purpose, connectionIds, startsAt, endsAt, ...plan }: CampaignWrite) => ({
  ...{ name, origin, purpose, plan, connectionIds: [...new Set(connectionIds)] },
  startsAt: dateOf(startsAt),
  endsAt: dateOf(endsAt),
})
const pick = ({ name, plan, endsAt }: StoredCampaign, patch: object) => {
  const whole: Record<string, unknown> = { name, endsAt, ...plan }
  return Object.fromEntries(Object.keys(patch).map((key) => [key, whole[key]]))
}

/** The files it names stay as long as it does. */
const keepFiles = async (tx: Tx, row: StoredCampaign) => {
  const ids = mediaOf(row)
  await tx.db
    .delete(campaignFiles)
    .where(
      and(
        eq(campaignFiles.tenantId, tx.tenantId),
        eq(campaignFiles.campaignId, row.id),
        sql`${campaignFiles.mediaId} <> all(${sql.param(ids)}::uuid[])`,
      ),
    )
  if (ids.length)
    await tx.db
      .insert(campaignFiles)
      .values(ids.map((mediaId) => ({ tenantId: tx.tenantId, campaignId: row.id, mediaId })))
      .onConflictDoNothing()
}
