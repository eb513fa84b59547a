import {
  costsQuery,
  type MessageCosts,
  messageCosts,
  messagePrice,
  type PriceCategory,
} from '@balcao/contract/channels/message-prices.ts'
import { type Prepared, withReport } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import type { Routes } from '../../../kit/http.ts'
import { getDirectory } from '../../core/directory/directory.ts'

export const costRoutes: Routes = (app) => {
  app.get(
    '/message-costs',
    {
      config: { can: 'connections.write', summary: 'Ver o gasto de um mês com mensagens do WhatsApp oficial' },
      schema: { querystring: costsQuery, response: { 200: messageCosts } },
    },
    ({ actor, query }) => readCosts(actor, query.month),
  )
}

type Row = {
  connectionId: string
  connectionName: string
  country: string | null
  category: PriceCategory
  charged: number
  free: number
}
/** Delivered messages of a month by channel, country and category, each with its price of today. */
const readCosts = async (actor: Actor, month: string): Promise<MessageCosts> => {
  const { settings, timezone } = await getDirectory(actor.tenantId)
  const rows = await withReport(actor, (tx) => tx.rows<Row>(ofMonth, [tx.tenantId, `${month}-01`, timezone]))
  const items = rows.map((row) => {
    const price = messagePrice(settings, row.country, row.category) ?? null
    return { ...row, price, total: price === null ? null : price * row.charged }
  })
  const unpriced = items.filter(({ price }) => price === null)
  return {
    items,
    total: items.reduce((sum, { total }) => sum + (total ?? 0), 0),
    unpriced: unpriced.reduce((sum, { charged }) => sum + charged, 0),
  }
}
const ofMonth: Prepared = {
  name: 'message_costs_month',
  text: `select c.connection_id as "connectionId", n.name as "connectionName", c.country, c.category,
      count(*) filter (where c.is_billable)::int as charged, count(*) filter (where not c.is_billable)::int as free
    from message_costs c join connections n on n.tenant_id = $1 and n.id = c.connection_id
    where c.tenant_id = $1 and c.at >= $2::date::timestamp at time zone $3
      and c.at < ($2::date + interval '1 month')::timestamp at time zone $3
    group by c.connection_id, n.name, c.country, c.category
    order by n.name, c.country nulls last, c.category`,
}
