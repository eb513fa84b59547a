import type { Abilities } from '@balcao/contract/channels/abilities.ts'
import { type ChannelKind, type KnownBy, unreachableBecause } from '@balcao/contract/channels/index.ts'
import { isWindowOpen } from '@balcao/contract/channels/window.ts'
import { errorCodes } from '@balcao/contract/errors.ts'
import type { ActionPreview, PipelineActionType } from '@balcao/contract/operations/funnel-actions.ts'
import { missingFor, type Opportunity } from '@balcao/contract/sales/opportunities.ts'
import type { Stage } from '@balcao/contract/sales/pipelines.ts'
import { type Tx, withSearch } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { binding } from '../../../kit/sql.ts'
import { knownByColumns } from '../../conversations/messages/reach.ts'
import { viewerOf, visibleTickets } from '../../conversations/tickets/tickets.policy.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { visibleOpportunities } from '../../sales/funnel/opportunities.policy.ts'
import { dueOpportunities, dueTickets, silentSince } from './touched.ts'

/** So many are shown; all are counted. */
const shown = 50

/**
 * Whom a pipeline action would touch now, whether it is on or not, as far as this person may see them, and what would stand
 * in the way. Nothing is written and nothing leaves.
 */
export const previewPipelineAction = async (actor: Actor, id: string): Promise<ActionPreview> => {
  const directory = await getDirectory(actor.tenantId)
  return withSearch(actor, async (tx) => {
    const { values, bind } = binding()
    const from = `from pipeline_actions a join opportunities o on ${dueOpportunities}
      where a.tenant_id = ${bind(tx.tenantId)} and a.id = ${bind(id)} and ${visibleOpportunities(actor, directory, bind)}`
    await requireAction(tx, 'pipeline_actions', id)
    const [count] = await tx.rows<{ total: number }>(
      { name: '', text: `select count(*)::int as total ${from}` },
      values,
    )
    const text = `select o.id, o.name, o.value, o.stage_since as since, c.id as "contactId", c.name as "contactName",
        a.action_type as "actionType", a.template is not null as "hasTemplate", n.kind, n.abilities, ${knownByColumns},
        (select max(t.last_inbound_at) from tickets t where t.tenant_id = o.tenant_id and t.contact_id = o.contact_id
          and t.connection_id = a.connection_id) as "windowFrom",
        ${refuses('n.kind')} as "isOptedOut", to_jsonb(s) as target,
        jsonb_build_object('value', o.value, 'closingForecast', o.closing_forecast, 'responsibleId', o.responsible_id,
          'description', o.description, 'items', o.items) as has
      from (select a.id as action_id, o.* ${from} order by o.stage_since, o.id limit ${shown}) o
        join pipeline_actions a on a.tenant_id = o.tenant_id and a.id = o.action_id
        join contacts c on c.tenant_id = o.tenant_id and c.id = o.contact_id
        left join connections n on n.tenant_id = a.tenant_id and n.id = a.connection_id
        left join stages s on s.tenant_id = a.tenant_id and s.id = a.target_stage_id order by o.stage_since, o.id`
    const rows = await tx.rows<OpportunityRow>({ name: '', text }, values)
    return {
      total: count?.total ?? 0,
      items: rows.map((row) => ({
        opportunity: { id: row.id, name: row.name, value: row.value },
        ticketId: null,
        contact: { id: row.contactId, name: row.contactName },
        since: row.since.toISOString(),
        problem: problemOf(row),
      })),
    }
  })
}

/** The same of a ticket action. */
export const previewTicketAction = async (actor: Actor, id: string): Promise<ActionPreview> => {
  const directory = await getDirectory(actor.tenantId)
  return withSearch(actor, async (tx) => {
    const { values, bind } = binding()
    const from = `from ticket_actions a cross join lateral (select t.*, q.since from tickets t
        cross join lateral (select ${silentSince} as since) q where ${dueTickets}) t
      where a.tenant_id = ${bind(tx.tenantId)} and a.id = ${bind(id)}
        and ${visibleTickets(viewerOf(directory, actor.userId), { showAll: true }, bind)}`
    await requireAction(tx, 'ticket_actions', id)
    const [count] = await tx.rows<{ total: number }>(
      { name: '', text: `select count(*)::int as total ${from}` },
      values,
    )
    const text = `select t.id, t.since, c.id as "contactId", c.name as "contactName", t.action_type as "actionType",
        n.abilities, t.last_inbound_at as "windowFrom"
      from (select t.*, a.action_type ${from} order by t.since, t.id limit ${shown}) t
        join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
        join connections n on n.tenant_id = t.tenant_id and n.id = t.connection_id order by t.since, t.id`
    const rows = await tx.rows<TicketRow>({ name: '', text }, values)
    return {
      total: count?.total ?? 0,
      items: rows.map((row) => ({
        opportunity: null,
        ticketId: row.id,
        contact: { id: row.contactId, name: row.contactName },
        since: row.since.toISOString(),
        problem:
          row.actionType === 'message' && !isWindowOpen(row.abilities, row.windowFrom)
            ? errorCodes.ERR_WINDOW_CLOSED.text
            : null,
      })),
    }
  })
}

type TicketRow = {
  id: string
  since: Date
  contactId: string
  contactName: string
  actionType: PipelineActionType
  abilities: Abilities
  windowFrom: Date | null
}
type OpportunityRow = KnownBy & {
  id: string
  name: string
  value: number
  since: Date
  contactId: string
  contactName: string
  actionType: PipelineActionType
  kind: ChannelKind | null
  abilities: Abilities | null
  windowFrom: Date | null
  isOptedOut: boolean
  hasTemplate: boolean
  target: Pick<Stage, 'name' | 'requires'> | null
  has: Pick<Opportunity, 'value' | 'closingForecast' | 'responsibleId' | 'description' | 'items'>
}

const problemOf = (row: OpportunityRow): string | null => {
  const { actionType, kind, abilities, target } = row
  if (actionType === 'stage_change') return target ? (missingFor(target, row.has)[0]?.message ?? null) : null
  if ((actionType !== 'message' && actionType !== 'flow') || !kind || !abilities) return null
  const unreached = unreachableBecause(row, kind, abilities)
  if (unreached) return unreached
  if (row.isOptedOut) return errorCodes.ERR_NO_CONSENT.text
  return row.hasTemplate || isWindowOpen(abilities, row.windowFrom) ? null : errorCodes.ERR_WINDOW_CLOSED.text
}

/** Whether the contact `c` refuses campaigns on a channel of this kind. */
const refuses = (
  kind: string,
) => `exists (select from contact_identities i join consent_states e on e.tenant_id = i.tenant_id
    and e.identity_kind = i.kind and e.identity_value = i.value and e.channel = ${kind} and e.purpose = 'marketing' and not e.is_given
  where i.tenant_id = c.tenant_id and i.contact_id = c.id)`

const requireAction = async (tx: Tx, table: 'pipeline_actions' | 'ticket_actions', id: string) => {
  const text = `select from ${table} where tenant_id = $1 and id = $2`
  if (!(await tx.rows({ name: '', text }, [tx.tenantId, id])).length) throw new AppError('ERR_NOT_FOUND')
}
