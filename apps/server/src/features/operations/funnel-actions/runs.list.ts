import type { Page } from '@balcao/contract/common.ts'
import {
  type ActionRun,
  type ActionRunsQuery,
  actionRunLabels,
  actionRunsQuery,
  funnelActionLabels,
} from '@balcao/contract/operations/funnel-actions.ts'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { type CsvColumn, momentText } from '../../../kit/csv.ts'
import { likePattern } from '../../../kit/cursor.ts'
import { newestPage } from '../../../kit/newest-page.ts'
import { withinDays } from '../../../kit/period.ts'
import { type Bind, binding } from '../../../kit/sql.ts'
import { viewerOf, visibleTickets } from '../../conversations/tickets/tickets.policy.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { defineCsvExport } from '../../core/jobs/csv-export.ts'
import { visibleOpportunities } from '../../sales/funnel/opportunities.policy.ts'

type Asking = Pick<Actor, 'tenantId' | 'userId' | 'permissions'>
type Row = Omit<ActionRun, 'at'> & { createdAt: Date }

/** What actions did, as far as this person may see to whom, newest first. A message is told of as it fares. */
export const listRuns = async (actor: Asking, query: ActionRunsQuery): Promise<Page<ActionRun>> => {
  const directory = await getDirectory(actor.tenantId)
  const { values, bind } = binding()
  const source = { columns, from: `${from} where ${whereOf(actor, directory, query, bind)}`, alias: 'r', values, bind }
  return withTenant(actor.tenantId, (tx) => newestPage(tx, source, query, presentRun))
}
const countRuns = async (actor: Asking, query: ActionRunsQuery): Promise<number> =>
  (await listRuns(actor, { ...query, limit: 1, pageNumber: 1, count: true })).count ?? 0

const presentRun = ({ createdAt, ...row }: Row): ActionRun => ({ ...row, at: createdAt.toISOString() })

const state = `case when d.state = 'failed' or m.status = 'failed' then 'failed' when d.state = 'waiting' then 'waiting' else r.state end`
const columns = `r.id, case when r.ticket_id is null then 'pipeline' else 'ticket' end as kind,
  jsonb_build_object('id', r.action_id, 'name', r.action_name) as action, r.action_type as "actionType",
  case when o.id is not null then jsonb_build_object('id', o.id, 'name', o.name) end as opportunity,
  coalesce(r.ticket_id, m.ticket_id) as "ticketId", jsonb_build_object('id', c.id, 'name', c.name) as contact,
  ${state} as state, coalesce(r.problem, d.error, m.error) as problem, r.created_at as "createdAt"`
const from = `from funnel_action_runs r
  left join opportunities o on o.tenant_id = r.tenant_id and o.id = r.opportunity_id
  left join tickets t on t.tenant_id = r.tenant_id and t.id = r.ticket_id
  join contacts c on c.tenant_id = r.tenant_id and c.id = coalesce(o.contact_id, t.contact_id)
  left join audience d on d.tenant_id = r.tenant_id and d.id = r.audience_id
  left join messages m on m.tenant_id = d.tenant_id and m.id = d.message_id`

const whereOf = (actor: Asking, directory: Directory, query: ActionRunsQuery, bind: Bind): string => {
  const seesTicket = visibleTickets(viewerOf(directory, actor.userId), { showAll: true }, bind)
  const conditions = [
    `r.tenant_id = ${bind(actor.tenantId)}`,
    `(o.id is not null and ${visibleOpportunities(actor, directory, bind)} or t.id is not null and ${seesTicket})`,
    ...withinDays('r.created_at', query, directory.timezone, bind),
  ]
  const [kind] = query.kind
  if (kind && query.kind.length === 1) conditions.push(`r.ticket_id is ${kind === 'ticket' ? 'not ' : ''}null`)
  if (query.actionId.length) conditions.push(`r.action_id = any(${bind(query.actionId)}::uuid[])`)
  if (query.state.length) conditions.push(`${state} = any(${bind(query.state)}::text[])`)
  const words = query.searchParam.replaceAll('\0', '').trim()
  if (words) {
    const pattern = bind(likePattern(words))
    conditions.push(`(c.search like norm(${pattern}) or norm(o.name) like norm(${pattern}))`)
  }
  return conditions.join(' and ')
}

const columnsIn = (timeZone: string): CsvColumn<ActionRun>[] => {
  const momentIn = momentText(timeZone)
  return [
    { label: 'Quando', value: (row) => momentIn(row.at) },
    { label: 'Ação', value: (row) => row.action.name },
    { label: 'O que faz', value: (row) => funnelActionLabels[row.actionType] },
    { label: 'Oportunidade', value: (row) => row.opportunity?.name },
    { label: 'Contato', value: (row) => row.contact.name },
    { label: 'Situação', value: (row) => actionRunLabels[row.state] },
    { label: 'Observação', value: (row) => row.problem },
  ]
}
/** The log of actions as a spreadsheet. */
export const actionRunsExport = defineCsvExport({
  kind: 'exportFunnelActions',
  can: 'funnel.manage',
  params: actionRunsQuery,
  file: 'acoes-do-funil',
  columns: ({ timezone }) => columnsIn(timezone),
  count: countRuns,
  read: (actor, query) => listRuns(actor, { ...query, count: false }),
  audit: ({ dateFrom, dateTo }) => ({
    action: 'pipelineAction.exported',
    entity: 'pipelineAction',
    entityId: '',
    after: { dateFrom, dateTo },
  }),
})
