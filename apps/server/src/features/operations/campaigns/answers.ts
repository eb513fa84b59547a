import { plainWord } from '@balcao/contract/contacts/consent.ts'
import type { Action, ActionKind } from '@balcao/contract/conversations/actions/index.ts'
import type { CampaignAnswer } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { v5 } from 'uuid'
import type { Prepared, Tx } from '../../../db/database.ts'
import { log } from '../../../kit/log.ts'
import { runActions } from '../../conversations/actions/run-actions.ts'
import { leaveTurn } from '../../conversations/timeline/leave-turn.ts'
import type { Batch } from '../../intake/inbound/arrivals.ts'
import { wishOf } from '../../intake/inbound/hear-consent.ts'

type Answered = {
  recipientId: string
  campaignId: string
  campaignName: string
  contactId: string
  isFirst: boolean
  answer: CampaignAnswer
  words: string[]
}

/**
 * Words of somebody a campaign wrote to by this connection, within the days that answers count: noted at the last that was
 * sent to them, once, with a wish to hear no more or a complaint. The conversation they begin, or that is nobody's, goes
 * where the campaign says. Where no campaign was sent by the connection this asks nothing.
 */
export const hearCampaignAnswers = async (tx: Tx, batch: Batch): Promise<void> => {
  const { connection, directory } = batch
  if (!directory.campaignWays.has(connection.id)) return
  const heard = batch.arrived.filter(({ message, event }) => !message.fromMe && !event.content.isAutomatic)
  if (!heard.length) return
  const byContact = Map.groupBy(heard, ({ ticket }) => ticket.contactId)
  const answered = await tx.rows<Answered>(lastSent, [tx.tenantId, connection.id, [...byContact.keys()]])
  if (!answered.length) return
  const marks = answered.map((one) => {
    const words = byContact.get(one.contactId) ?? []
    return {
      id: one.recipientId,
      is_opt_out: words.some((word) => wishOf(batch, word) === 'stop'),
      is_complaint: words.some(({ message }) => isComplaint(message.body, one.words)),
    }
  })
  await tx.rows(mark, [tx.tenantId, JSON.stringify(marks)])
  for (const one of answered)
    for (const ticketId of new Set((byContact.get(one.contactId) ?? []).map(({ ticket }) => ticket.id)))
      if (isToBeLed(batch, one, ticketId)) await lead(tx, batch, one, ticketId)
}

/** One of the words, wherever it stands, accents and case aside. */
export const isComplaint = (body: string, words: readonly string[]): boolean => {
  const said = ` ${plainWord(body)} `
  return words.some((word) => said.includes(` ${plainWord(word)} `))
}

/** It began with this answer, or waits for nobody in particular since before. */
const isToBeLed = ({ opened, tickets }: Batch, { isFirst }: Answered, ticketId: string): boolean => {
  if (opened.includes(ticketId)) return true
  const ticket = tickets.get(ticketId)
  return isFirst && ticket !== undefined && ticket.status !== 'closed' && ticket.userId === null
}

const kinds: ReadonlySet<ActionKind> = new Set(['transfer', 'addTags'])
const lead = async (tx: Tx, { directory }: Batch, one: Answered, ticketId: string) => {
  const { queueId, userId, chatFlowId, tagIds } = one.answer
  const known = {
    queueId: queueId && directory.queues.has(queueId) ? queueId : null,
    userId: userId && directory.people.has(userId) ? userId : null,
    tagIds: tagIds.filter((id) => directory.tags.has(id)),
  }
  const actions: Action[] = [
    ...(known.tagIds.length ? [{ kind: 'addTags' as const, tagIds: known.tagIds }] : []),
    ...(known.queueId || known.userId
      ? [{ kind: 'transfer' as const, queueId: known.queueId, userId: known.userId }]
      : []),
  ]
  const author = { kind: 'campaign' as const, id: one.campaignId, name: one.campaignName }
  const done = await runActions(tx, {
    ...{ directory, ticketId, actions, by: { author, actor: null, grants: kinds } },
    cause: { kind: 'campaign', id: one.campaignId },
    runId: v5(ticketId, one.recipientId),
  })
  if (done.refused)
    log.warn({ tenantId: tx.tenantId, campaignId: one.campaignId, refused: done.refused.kind }, 'answer not led')
  const flow = chatFlowId && !known.userId ? directory.flows.get(chatFlowId) : undefined
  if (flow?.isActive && flow.publishedId)
    await leaveTurn(tx, ticketId, { owner: 'flow', ownerId: flow.id, payload: { start: 'campaign' } })
}

/** The last that was sent to each of them, as whoever they were then. */
const lastSent: Prepared = {
  name: 'campaign_last_sent',
  text: `select distinct on (w.id) r.id as "recipientId", k.id as "campaignId", k.name as "campaignName", w.id as "contactId",
      r.answered_at is null as "isFirst", k.plan -> 'answer' as answer, k.plan -> 'brake' -> 'words' as words
    from unnest($3::uuid[]) as w(id)
      cross join lateral (select w.id as contact_id union all select m.id from contacts m where m.tenant_id = $1 and m.merged_into_id = w.id) p
      join campaign_recipients r on r.tenant_id = $1 and r.contact_id = p.contact_id and r.connection_id = $2 and r.sent_at is not null
      join campaigns k on k.tenant_id = $1 and k.id = r.campaign_id
    where r.sent_at > now() - make_interval(days => (k.plan -> 'answer' ->> 'days')::int)
    order by w.id, r.sent_at desc`,
}
const mark: Prepared = {
  name: 'campaign_mark_answers',
  text: `update campaign_recipients r set answered_at = coalesce(r.answered_at, now()),
      opted_out_at = case when s.is_opt_out then coalesce(r.opted_out_at, now()) else r.opted_out_at end,
      complained_at = case when s.is_complaint then coalesce(r.complained_at, now()) else r.complained_at end
    from jsonb_to_recordset($2::jsonb) as s(id uuid, is_opt_out boolean, is_complaint boolean)
    where r.tenant_id = $1 and r.id = s.id
      and (r.answered_at is null or s.is_opt_out and r.opted_out_at is null or s.is_complaint and r.complained_at is null)`,
}
