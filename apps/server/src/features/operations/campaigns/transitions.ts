import type { Segment } from '@balcao/contract/contacts/segments/segments.ts'
import type { AudienceSource } from '@balcao/contract/operations/campaigns/audience.ts'
import type { Campaign, CampaignState, PauseCode } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { and, eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { type Tx, withTenant } from '../../../db/database.ts'
import { campaigns } from '../../../db/schema/operations/campaigns.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError, fieldErrors, sentenceOf } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { withRules } from '../../contacts/membership/members.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { brakeBaseOf } from './brake.ts'
import { emitCampaign, findCampaign, presentCampaign, type StoredCampaign } from './campaigns.present.ts'
import { pauseAdvice } from './pauses.ts'
import { startProblems } from './problems.ts'
import { signOf } from './signs.ts'
import { takeBackQueued } from './take-back.ts'

type Asking = Pick<Actor, 'tenantId' | 'userId' | 'permissions' | 'impersonatorId'>
type Changes = PgUpdateSetSource<typeof campaigns>
/** By the database's clock, which decides what is due: that of this process may be wrong. */
export const fromNow = (ms = 0) => sql<Date>`now() + make_interval(secs => ${ms / 1_000})`

/**
 * Starts a draft: now, or at its moment. Where campaigns need somebody's approval it waits for that instead. Throws with the
 * fields that keep it from starting.
 */
export const startCampaign = (actor: Asking, id: string): Promise<Campaign> =>
  inHand(actor, id, ['draft'], async (tx, row) => {
    await requireReady(tx, row)
    const directory = await getDirectory(tx.tenantId)
    if (!directory.settings.campaignApproval) return begin(tx, row, actor, 'campaign.started')
    const approvers = [...directory.people.values()].filter(
      ({ id: userId, permissions, isBlocked }) =>
        userId !== actor.userId && !isBlocked && permissions.has('campaigns.approve'),
    )
    if (!approvers.length) throw new AppError('ERR_CONFLICT', { message: nobodyApproves })
    const after = await move(tx, row, { state: 'approval', askedBy: actor.userId }, { action: 'campaign.asked', actor })
    await tell(
      tx,
      after,
      approvers.map((person) => person.id),
      {
        title: `A campanha ${row.name} espera aprovação`,
        text: `${directory.people.get(actor.userId)?.name ?? 'Alguém da equipe'} quer iniciá-la.`,
      },
    )
    return after
  })

const nobodyApproves =
  'Ninguém além de você pode aprovar campanhas. Dê essa permissão a outra pessoa ou desligue a aprovação nas configurações.'

/** Somebody else than whoever asked agrees: it starts. */
export const approveCampaign = (actor: Asking, id: string): Promise<Campaign> =>
  inHand(actor, id, ['approval'], async (tx, row) => {
    requireSecond(actor, row)
    await requireReady(tx, row)
    return begin(tx, { ...row, approvedBy: actor.userId }, actor, 'campaign.approved')
  })
/** Or not: it is a draft again, and whoever asked reads why. */
export const rejectCampaign = (actor: Asking, id: string, reason: string): Promise<Campaign> =>
  inHand(actor, id, ['approval'], async (tx, row) => {
    requireSecond(actor, row)
    const after = await move(tx, row, toDraft(row), { action: 'campaign.rejected', actor, ...(reason && { reason }) })
    await tell(tx, after, [row.askedBy], {
      title: `A campanha ${row.name} não foi aprovada`,
      text: reason || 'Ela voltou a ser um rascunho. Reveja-a e peça de novo.',
    })
    return after
  })

/** Nobody has received it yet: it is written on, and asked for or started anew. */
export const withdrawCampaign = (actor: Asking, id: string): Promise<Campaign> =>
  inHand(actor, id, ['approval', 'scheduled', 'paused'], async (tx, row) => {
    if (row.startedAt) throw new AppError('ERR_INVALID_TRANSITION')
    const after = await move(tx, row, toDraft(row), { action: 'campaign.withdrawn', actor })
    if (row.askedBy !== actor.userId)
      await tell(tx, after, [row.askedBy], {
        title: `A campanha ${row.name} voltou a ser um rascunho`,
        text: `${(await getDirectory(tx.tenantId)).people.get(actor.userId)?.name ?? 'Alguém da equipe'} vai alterá-la.`,
      })
    return after
  })
const toDraft = ({ plan }: StoredCampaign): Changes => ({
  ...{ state: 'draft', askedBy: null, approvedBy: null, dueAt: null },
  ...{ pauseCode: null, pauseText: null, pausedAt: null },
  plan: { ...plan, audience: withoutRules(plan.audience) },
})
const requireSecond = ({ userId }: Asking, { askedBy }: StoredCampaign) => {
  if (askedBy === userId)
    throw new AppError('ERR_NO_PERMISSION', { message: 'Outra pessoa precisa aprovar o que você pediu.' })
}

/** Nothing more leaves; what waits to leave is taken back. */
export const pauseCampaign = (actor: Asking, id: string): Promise<Campaign> =>
  inHand(actor, id, ['scheduled', 'preparing', 'running'], async (tx, row) => {
    await takeBackQueued(tx, row.id)
    const paused: Changes = { state: 'paused', pauseCode: null, pauseText: '', pausedAt: fromNow(), dueAt: null }
    return move(tx, row, paused, { action: 'campaign.paused', actor })
  })

/** Goes on where it was, repeating nobody; what stopped it counts anew from here. Throws while its provider still says no. */
export const resumeCampaign = (actor: Asking, id: string): Promise<Campaign> =>
  inHand(actor, id, ['paused'], async (tx, row) => {
    const sign = row.preparedAt ? await signOf(tx, row) : undefined
    if (sign) throw new AppError('ERR_CONFLICT', { message: `${sign.text} ${pauseAdvice(sign.code)}` })
    return goOn(tx, row, actor)
  })
export const goOn = async (tx: Tx, row: StoredCampaign, actor: Asking | null): Promise<StoredCampaign> => {
  // What was on its way when it stopped and was refused since: what stopped it would be said again.
  if (row.pauseCode === 'rateLimit') await takeBackQueued(tx, row.id)
  const state = row.preparedAt ? 'running' : row.startedAt ? 'preparing' : 'scheduled'
  const set: Changes = {
    ...{ state, pauseCode: null, pauseText: null, pausedAt: null, restsUntil: null },
    canaryLeft: row.pauseCode === 'canary' ? null : row.canaryLeft,
    brakeBase: await brakeBaseOf(tx, row.id),
    dueAt: state === 'scheduled' && row.startsAt ? row.startsAt : fromNow(),
  }
  return move(tx, row, set, { action: 'campaign.resumed', actor })
}

/** For good: what was not sent yet is not sent any more. */
export const cancelCampaign = (actor: Asking, id: string): Promise<Campaign> =>
  inHand(actor, id, ['approval', 'scheduled', 'preparing', 'running', 'paused'], (tx, row) =>
    end(tx, row, 'canceled', actor),
  )
/** One that takes whoever comes to belong to it has no end by itself. */
export const finishCampaign = (actor: Asking, id: string): Promise<Campaign> =>
  inHand(actor, id, ['running', 'paused'], (tx, row) => end(tx, row, 'finished', actor))

export const end = async (tx: Tx, row: StoredCampaign, state: 'canceled' | 'finished', actor: Asking | null) => {
  await takeBackQueued(tx, row.id)
  const ended: Changes = {
    state,
    finishedAt: fromNow(),
    dueAt: null,
    pauseCode: null,
    pauseText: null,
    pausedAt: null,
  }
  const after = await move(tx, row, ended, { action: `campaign.${state}`, actor })
  if (!actor)
    await tell(tx, after, [row.createdBy], {
      title: `A campanha ${row.name} terminou`,
      text: 'Veja como foi recebida.',
    })
  return after
}

/** Why it stopped by itself: told to its author and to whoever administers campaigns. */
export const pauseByItself = async (tx: Tx, row: StoredCampaign, { code, text }: { code: PauseCode; text: string }) => {
  if (code !== 'canary') await takeBackQueued(tx, row.id)
  const minutes = code === 'canary' ? row.plan.canary?.minutes : undefined
  const set: Changes = {
    ...{ state: 'paused', pauseCode: code, pauseText: text, pausedAt: fromNow() },
    dueAt: minutes ? fromNow(minutes * 60_000) : null,
  }
  const after = await move(tx, row, set, { action: 'campaign.paused', actor: null })
  const { people } = await getDirectory(tx.tenantId)
  const approvers = [...people.values()].filter(({ permissions }) => permissions.has('campaigns.approve'))
  await tell(tx, after, [row.createdBy, ...approvers.map((person) => person.id)], {
    title: `A campanha ${row.name} parou`,
    text: `${text} ${pauseAdvice(code)}`.trim(),
  })
  return after
}

/** Its moment has come: its audience begins to be frozen, or it stops and says what is not as it was. */
export const beginScheduled = async (tx: Tx, row: StoredCampaign): Promise<StoredCampaign> => {
  const problems = await startProblems(tx, row)
  if (!problems.length) return move(tx, row, preparing(), { action: 'campaign.started', actor: null })
  return stopBecause(tx, row, sentenceOf(fieldErrors(...problems)))
}

/** It cannot go on by itself before somebody puts that right. */
export const stopBecause = async (tx: Tx, row: StoredCampaign, text: string): Promise<StoredCampaign> => {
  const stopped: Changes = { state: 'paused', pauseText: text, pausedAt: fromNow(), dueAt: null }
  const after = await move(tx, row, stopped, { action: 'campaign.paused', actor: null })
  await tell(tx, after, [row.createdBy], { title: `A campanha ${row.name} não pôde começar`, text })
  return after
}

const begin = async (tx: Tx, row: StoredCampaign, actor: Asking, action: string): Promise<StoredCampaign> => {
  const isLater = row.startsAt !== null && row.startsAt.getTime() > Date.now()
  const set: Changes = {
    ...(isLater ? { state: 'scheduled' as const, dueAt: row.startsAt } : preparing()),
    approvedBy: row.approvedBy,
    plan: await withSegments(tx, row),
  }
  return move(tx, row, set, { action, actor })
}
const preparing = (): Changes => ({ state: 'preparing', startedAt: fromNow(), dueAt: fromNow() })

/** Segments as they are now: what becomes of them later is not what was started. */
const withSegments = async (tx: Tx, { plan, createdBy }: StoredCampaign): Promise<StoredCampaign['plan']> => {
  const who = { tenantId: tx.tenantId, userId: createdBy ?? '' }
  type Asked = { segmentId?: string | undefined; segment?: Segment | undefined }
  const keep = (sources: AudienceSource[]) =>
    Promise.all(
      sources.map(async (one): Promise<AudienceSource> => {
        if (one.kind !== 'segment') return one
        const { segment } = await withRules<Asked>(tx, who, { segmentId: one.segmentId })
        return { ...one, ...(segment && { rules: segment }) }
      }),
    )
  const { include, exclude } = plan.audience
  return { ...plan, audience: { ...plan.audience, include: await keep(include), exclude: await keep(exclude) } }
}

/** Segments as they are then, not as they were when it was started. */
export const withoutRules = (audience: StoredCampaign['plan']['audience']): StoredCampaign['plan']['audience'] => {
  const now = (sources: AudienceSource[]): AudienceSource[] =>
    sources.map((one) => (one.kind === 'segment' ? { kind: one.kind, segmentId: one.segmentId } : one))
  return { ...audience, include: now(audience.include), exclude: now(audience.exclude) }
}

const requireReady = async (tx: Tx, row: StoredCampaign) => {
  const problems = await startProblems(tx, row)
  if (problems.length) throw fieldErrors(...problems)
}

/** Holds the campaign for what becomes of it; ERR_INVALID_TRANSITION where it stands otherwise. */
const inHand = (
  actor: Asking,
  id: string,
  states: CampaignState[],
  work: (tx: Tx, row: StoredCampaign) => Promise<StoredCampaign>,
): Promise<Campaign> =>
  withTenant(actor.tenantId, async (tx) => {
    const row = await findCampaign(tx, id, 'lock')
    if (!states.includes(row.state)) throw new AppError('ERR_INVALID_TRANSITION')
    return presentCampaign(tx, await work(tx, row))
  })

type Why = { action: string; actor: Asking | null; reason?: string }
/** Changes a campaign that the caller holds, with its audit and its event. */
export const move = async (tx: Tx, { id, state }: StoredCampaign, set: Changes, why?: Why): Promise<StoredCampaign> => {
  const [after] = await tx.db
    .update(campaigns)
    .set({ ...set, version: sql`${campaigns.version} + 1`, updatedAt: sql`now()` })
    .where(and(eq(campaigns.tenantId, tx.tenantId), eq(campaigns.id, id)))
    .returning()
  if (!after) throw new Error('The campaign that was held is gone')
  if (why)
    await writeAudit(tx, why.actor, {
      ...{ action: why.action, entity: 'campaign', entityId: id },
      before: { state },
      after: {
        state: after.state,
        ...(after.pauseText && { pauseText: after.pauseText }),
        ...(why.reason && { reason: why.reason }),
      },
    })
  await emitCampaign(tx, after)
  return after
}

const tell = async (tx: Tx, { id }: StoredCampaign, to: (string | null)[], said: { title: string; text: string }) => {
  const userIds = [...new Set(to.flatMap((one) => one ?? []))]
  if (userIds.length) await emit(tx, 'campaign.notice', { id, ...said }, { kind: 'users', userIds })
}
