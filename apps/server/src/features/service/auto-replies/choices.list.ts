import type { Page } from '@balcao/contract/common.ts'
import type { AutoReplyChoice, AutoReplyChoicesQuery } from '@balcao/contract/service/auto-replies.ts'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { likePattern } from '../../../kit/cursor.ts'
import { newestPage } from '../../../kit/newest-page.ts'
import { withinDays } from '../../../kit/period.ts'
import { type Bind, binding } from '../../../kit/sql.ts'
import { viewerOf, visibleTickets } from '../../conversations/tickets/tickets.policy.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'

type Asking = Pick<Actor, 'tenantId' | 'userId'>
type Row = Omit<AutoReplyChoice, 'at'> & { createdAt: Date }

/** What was answered by itself in conversations this person may see, newest first. */
export const listChoices = async (actor: Asking, query: AutoReplyChoicesQuery): Promise<Page<AutoReplyChoice>> => {
  const directory = await getDirectory(actor.tenantId)
  const { values, bind } = binding()
  const source = { columns, from: `${from} where ${whereOf(actor, directory, query, bind)}`, alias: 'h', values, bind }
  return withTenant(actor.tenantId, (tx) => newestPage(tx, source, query, presentChoice))
}
export const countChoices = async (actor: Asking, query: AutoReplyChoicesQuery): Promise<number> =>
  (await listChoices(actor, { ...query, limit: 1, pageNumber: 1, count: true })).count ?? 0

const presentChoice = ({ createdAt, ...row }: Row): AutoReplyChoice => ({ ...row, at: createdAt.toISOString() })

const columns = `h.id, jsonb_build_object('id', r.id, 'name', r.name) as rule, h.ticket_id as "ticketId",
  jsonb_build_object('id', c.id, 'name', c.name) as contact, jsonb_build_object('id', n.id, 'name', n.name) as connection,
  h.said, h.keyword, h.mode, h.problem, h.created_at as "createdAt"`
const from = `from auto_reply_choices h join tickets t on t.tenant_id = h.tenant_id and t.id = h.ticket_id
  join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
  join auto_replies r on r.tenant_id = h.tenant_id and r.id = h.auto_reply_id
  join connections n on n.tenant_id = h.tenant_id and n.id = h.connection_id`

const whereOf = (actor: Asking, directory: Directory, query: AutoReplyChoicesQuery, bind: Bind): string => {
  const conditions = [
    `h.tenant_id = ${bind(actor.tenantId)}`,
    visibleTickets(viewerOf(directory, actor.userId), { showAll: true }, bind),
    ...withinDays('h.created_at', query, directory.timezone, bind),
  ]
  if (query.ruleIds.length) conditions.push(`h.auto_reply_id = any(${bind(query.ruleIds)}::uuid[])`)
  if (query.connectionIds.length) conditions.push(`h.connection_id = any(${bind(query.connectionIds)}::uuid[])`)
  const words = query.searchParam.replaceAll('\0', '').trim()
  if (words) {
    const pattern = bind(likePattern(words))
    conditions.push(`(c.search like norm(${pattern}) or norm(h.said) like norm(${pattern}))`)
  }
  return conditions.join(' and ')
}
