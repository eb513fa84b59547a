import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import { keptSkip, type SkipReason } from '@balcao/contract/operations/campaigns/audience.ts'
import type { CampaignStep } from '@balcao/contract/operations/campaigns/content.ts'
import { missingOf } from '@balcao/contract/operations/campaigns/variables.ts'
import { and, eq, sql } from 'drizzle-orm'
import { v5, v7 } from 'uuid'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { campaigns } from '../../../db/schema/operations/campaigns.ts'
import { unhurried } from '../../../db/unhurried.ts'
import { AppError, sentenceOf } from '../../../kit/errors.ts'
import { findConnection, type OpenConnection } from '../../channels/connections/context.ts'
import { wakeSender } from '../../conversations/messages/sender.ts'
import { composeAllowed, type OutgoingDraft } from '../../conversations/messages/write-outgoing.ts'
import { hiddenTicket, keepHidden } from '../../conversations/timeline/hidden-tickets.ts'
import { previewOf } from '../../conversations/timeline/preview.ts'
import { type NewMessage, storeMessages } from '../../conversations/timeline/store.ts'
import { type TicketState, ticketStateColumns } from '../../conversations/timeline/ticket-state.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import type { StoredCampaign } from './campaigns.present.ts'
import { type Lane, lockPace, movePace, settle, takeWaiting } from './feed.queries.ts'
import { type Recipient, renderSend, type Saying, templateKey } from './render.ts'
import { sayingsOf } from './sayings.ts'
import { type Sign, templateStop } from './signs.ts'
import { move, pauseByItself } from './transitions.ts'
import { unsubscribeUrl } from './unsubscribe.ts'
import { variantOf } from './variants.ts'
import { opensAt, opensForAny, zoneFor } from './zones.ts'

export type Batch = Pick<Lane, 'tenantId' | 'campaignId' | 'connectionId' | 'step' | 'isRest' | 'isCanary'> & {
  limit: number
}
/** How many were taken up, and in how many milliseconds the campaign's own pace lets it go on. */
export type Written = { taken: number; againInMs?: number }

/**
 * Writes the next of a lane: their messages, their rows and what follows of them are one transaction, which holds the
 * campaign, so that whoever cancels it waits for this much and no more. The ids of messages follow from their
 * recipients': nobody is written to twice, whoever dies in between.
 */
export const writeBatch = async (batch: Batch): Promise<Written> => {
  const { tenantId } = batch
  const directory = await getDirectory(tenantId)
  const connection = await findConnection(batch.connectionId).catch(unreadable)
  return withTenant(tenantId, async (tx) => {
    const { campaign, now } = (await holdRunning(tx, batch)) ?? {}
    const step = campaign?.plan.steps[batch.step]
    if (!campaign || !now || !step) return { taken: 0 }
    if (!connection || connection === 'unreadable') {
      await pauseByItself(
        tx,
        campaign,
        connection
          ? { code: 'disconnected', text: 'As configurações de um canal da campanha não podem ser lidas.' }
          : { code: 'connectionGone', text: 'Um canal da campanha foi excluído.' },
      )
      return { taken: 0 }
    }
    const opens = opensForAny(campaign.plan.window, directory, now)
    if (!opens || opens > now) {
      // Holidays and the company's clock may change meanwhile.
      const again = now.getTime() + restMs
      await move(tx, campaign, { restsUntil: new Date(Math.min(opens?.getTime() ?? again, again)) })
      return { taken: 0 }
    }
    const pace = await paceOf(tx, { batch, campaign, directory, now })
    const limit = Math.min(batch.limit, pace.most, campaign.canaryLeft ?? Number.POSITIVE_INFINITY)
    if (limit <= 0) return { taken: 0 }
    const rows = await tx.rows<Waiting>(takeWaiting, [
      ...[tenantId, campaign.id, batch.connectionId, batch.step, batch.isRest ? 1 : 0, limit],
      ...[campaign.purpose, connection.kind],
    ])
    if (!rows.length) return { taken: 0 }
    // Before one of them leaves, its claim is on the disk, and this with it; lost before, they are written anew.
    await tx.rows(unhurried, [])
    const here = { batch, campaign, step, directory, connection, now }
    const { settled, messages, sign } = await compose(tx, here, rows)
    if (messages.length) {
      await keepHidden(tx, hiddenIn(messages))
      storeMessages(tx, { messages, tickets: [] })
      tx.afterCommit(wakeSender)
    }
    const written = settled.filter((one) => one.message_id)
    await tx.rows(settle, [tenantId, campaign.id, JSON.stringify(settled), JSON.stringify(followUps(here, written))])
    const againInMs = await pace.move(written.length)
    if (sign) await pauseByItself(tx, campaign, sign)
    else await countCanary(tx, campaign, written.length)
    return { taken: settled.length, ...(againInMs !== undefined && { againInMs }) }
  })
}
const restMs = 15 * 60_000

/** Its settings have to be typed again before anything leaves by it. */
const unreadable = (error: unknown): 'unreadable' => {
  if (error instanceof AppError) return 'unreadable'
  throw error
}

/**
 * Shared among its connections; alone where the first few are counted. With the moment by the database's clock: that of
 * this process may be wrong, and then a follow-up would leave days too early.
 */
const holdRunning = async (
  tx: Tx,
  { campaignId, isCanary }: Batch,
): Promise<{ campaign: StoredCampaign; now: Date } | undefined> => {
  const [row] = await tx.db
    .select({ campaign: campaigns, now: sql<string>`now()` })
    .from(campaigns)
    .where(and(eq(campaigns.tenantId, tx.tenantId), eq(campaigns.id, campaignId), eq(campaigns.state, 'running')))
    .for(isCanary ? 'no key update' : 'share')
  return row && (row.campaign.canaryLeft !== null) === isCanary
    ? { campaign: row.campaign, now: new Date(row.now) }
    : undefined
}

type Here = {
  batch: Batch
  campaign: StoredCampaign
  step: CampaignStep
  directory: Directory
  connection: OpenConnection
  now: Date
}
type Waiting = Recipient & {
  variant: number | null
  contactId: string
  isGroup: boolean
  activeId: string | null
  isRefused: boolean
  isRepeated: boolean
  before: { state: string; sentAt: string | null; readAt: string | null; answeredAt: string | null } | null
}
type Settled = {
  id: string
  contact_id?: string
  state: 'waiting' | 'skipped' | 'failed' | 'written'
  /** As recipients keep it. */
  reason?: string
  error?: string
  message_id?: string
  variant?: number
  cost?: number | null
  due_at?: Date
}

/** What becomes of each: a message, a reason, a failure or another time. `sign`: why nothing more of it can go now. */
const compose = async (tx: Tx, here: Here, rows: Waiting[]) => {
  const { batch, campaign, step, connection, now } = here
  const saying = (await sayingsOf(tx, campaign, [connection.id], now)).get(connection.id)
  if (!saying) return { settled: [], messages: [], sign: undefined }
  const to: Saying = { ...saying, unsubscribeUrl: (id) => unsubscribeUrl(tx.tenantId, id) }
  const active = await activeTickets(
    tx,
    rows.flatMap(({ activeId }) => activeId ?? []),
  )
  const settled: Settled[] = []
  const messages: NewMessage[] = []
  let sign: Sign | undefined
  for (const row of rows) {
    const other = otherwise(here, row)
    if (other) {
      settled.push({ ...other, id: row.id })
      continue
    }
    const variant = row.variant ?? campaign.winners[batch.step] ?? 0
    const content = (step.variants[variant] ?? step.variants[0])?.content
    if (!content) continue
    const rendered = renderSend(to, content, row)
    if (rendered.error !== undefined) {
      // A template that may not go is nobody's failure: they wait.
      sign ??= content.template ? stopOf(to, content.template) : undefined
      if (!sign) settled.push({ id: row.id, state: 'failed', error: rendered.error, variant })
      continue
    }
    if (rendered.missing) {
      const [name = ''] = rendered.missing
      settled.push({ id: row.id, state: 'skipped', reason: keptSkip(missingOf(content, name)), variant })
      continue
    }
    const ticket =
      active.get(row.activeId ?? '') ?? hiddenTicket(connection, { id: row.contactId, isGroup: row.isGroup }, now)
    const composed = tryCompose(tx, here, { row, ticket, drafts: rendered.drafts })
    if ('error' in composed) {
      settled.push({ id: row.id, state: 'failed', error: composed.error, variant })
      continue
    }
    messages.push(...composed.messages)
    settled.push({
      ...{ id: row.id, contact_id: row.contactId, state: 'written', variant, cost: rendered.cost },
      message_id: composed.messages[0]?.message.id,
    })
  }
  return { settled, messages, sign }
}

const tryCompose = (
  tx: Tx,
  { campaign, directory, now }: Here,
  { row, ticket, drafts }: { row: Waiting; ticket: TicketState; drafts: OutgoingDraft[] },
): { messages: NewMessage[] } | { error: string } => {
  const first = v5('campanha', row.id)
  try {
    const messages = composeAllowed(tx, {
      ticket: { ...ticket, windowFrom: row.windowFrom },
      directory,
      author: { kind: 'campaign', id: campaign.id, name: campaign.name },
      cause: 'campaign',
      purpose: campaign.purpose,
      drafts: drafts.map((draft, at) => ({ ...draft, id: at ? v5(`parte:${at}`, first) : first })),
      // Nobody of the team was there: order, wait and promises of the conversation stay as they are.
      effect: 'nothing',
      now,
    })
    return { messages }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { error: sentenceOf(error) }
  }
}

/** Why somebody is not written to now. */
const otherwise = (here: Here, row: Waiting): Omit<Settled, 'id'> | undefined => {
  const { batch, campaign, step, directory, now } = here
  const skip = (reason: SkipReason) => ({ state: 'skipped' as const, reason })
  const later = (due_at: Date) => ({ state: 'waiting' as const, due_at })
  if (row.isRepeated) return skip('repeated')
  if (row.isRefused) return skip('optedOut')
  if (row.contact.number && directory.blockedNumbers.has(row.contact.number)) return skip('blocked')
  if (campaign.plan.audience.skipActive && row.activeId) return skip('inConversation')
  if (batch.step > 0) {
    const { before } = row
    if (!before || before.state === 'failed' || before.state === 'skipped') return skip('unreachable')
    if (step.unless !== 'never' && before.answeredAt) return skip('answered')
    if (step.unless === 'read' && before.readAt) return skip('read')
    const due = before.sentAt ? Date.parse(before.sentAt) + step.afterHours * hourMs : now.getTime() + retryMs
    if (due > now.getTime() + 1_000) return later(new Date(due))
  }
  const opens = opensAt(
    campaign.plan.window,
    zoneFor(row.contact.number, campaign.plan.window, directory),
    directory,
    now,
  )
  return opens && opens > now ? later(opens) : undefined
}
const hourMs = 3_600_000
/** The send before has not left yet. */
const retryMs = 10 * 60_000

const stopOf = ({ templates }: Saying, use: { name: string; language: string }): Sign | undefined => {
  const stored = templates.get(templateKey(use))
  if (stored?.status === 'APPROVED') return undefined
  return stored
    ? templateStop({ name: use.name, status: stored.status })
    : { code: 'templateGone', text: `O modelo ${use.name} não existe mais na Meta.` }
}

const activeTickets = async (tx: Tx, ids: string[]): Promise<Map<string, TicketState>> => {
  const rows = ids.length ? await tx.rows<TicketState>(ticketsByIds, [tx.tenantId, ids]) : []
  return new Map(rows.map((row) => [row.id, row]))
}
const ticketsByIds: Prepared = {
  name: 'campaign_active_tickets',
  text: `select ${ticketStateColumns} from tickets t where t.tenant_id = $1 and t.id = any($2::uuid[])`,
}

/** Hidden conversations with what is written in them last. */
const hiddenIn = (messages: NewMessage[]) => {
  const last = new Map(messages.filter(({ ticket }) => ticket.isHidden).map((one) => [one.ticket.id, one]))
  return [...last.values()].map(({ ticket, message }) => ({
    ticket,
    preview: previewOf({ ...message, mediaName: message.media?.name }),
    type: message.type,
  }))
}

/** The next send of each, due so long after this one. */
const followUps = ({ batch, campaign, now }: Here, written: Settled[]) => {
  const next = campaign.plan.steps[batch.step + 1]
  if (!next) return []
  return written.map(({ id, contact_id }) => ({
    ...{ id: v7(), after_id: id, contact_id },
    variant: variantOf(next, `${campaign.id}:${batch.step + 1}:${contact_id}`),
    due_at: new Date(now.getTime() + next.afterHours * hourMs),
  }))
}

/** What the campaign's own pace lets it write now, and how that is moved on. */
const paceOf = async (
  tx: Tx,
  { batch, campaign, directory, now }: Pick<Here, 'batch' | 'campaign' | 'directory' | 'now'>,
) => {
  const { minSeconds, maxSeconds, dailyMost } = campaign.plan.pace
  if (!maxSeconds && dailyMost === null) return { most: Number.POSITIVE_INFINITY, move: async () => undefined }
  const today = wallTimeOf(now, directory.timezone).slice(0, 10)
  const key = [tx.tenantId, campaign.id, batch.connectionId, today]
  const [row] = await tx.rows<{ isDue: boolean; writtenToday: number }>(lockPace, key)
  const { isDue = false, writtenToday = 0 } = row ?? {}
  const average = (minSeconds + maxSeconds) / 2
  // Less than a second apart, those of a second go together: the connection spaces them.
  const byPace = !isDue ? 0 : average ? Math.max(1, Math.floor(1 / average)) : Number.POSITIVE_INFINITY
  return {
    most: Math.min(byPace, dailyMost === null ? Number.POSITIVE_INFINITY : dailyMost - writtenToday),
    move: async (written: number): Promise<number | undefined> => {
      if (!written) return undefined
      const rest = Array.from(
        { length: maxSeconds ? written : 0 },
        () => minSeconds + Math.random() * (maxSeconds - minSeconds),
      )
      const seconds = rest.reduce((sum, one) => sum + one, 0)
      await tx.rows(movePace, [...key, seconds, writtenToday + written])
      return seconds ? Math.ceil(seconds * 1_000) : undefined
    },
  }
}

/** The first few are out: the rest waits until they have been looked at. */
const countCanary = async (tx: Tx, campaign: StoredCampaign, written: number) => {
  if (campaign.canaryLeft === null || !written) return
  const left = campaign.canaryLeft - written
  if (left > 0) await tx.rows(canaryLeft, [tx.tenantId, campaign.id, left])
  else
    await pauseByItself(
      tx,
      { ...campaign, canaryLeft: 0 },
      { code: 'canary', text: `O primeiro grupo de ${campaign.plan.canary?.size ?? written} já saiu.` },
    )
}
const canaryLeft: Prepared = {
  name: 'campaign_canary_left',
  text: 'update campaigns set canary_left = $3 where tenant_id = $1 and id = $2',
}
