import type { PriceCategory } from '@balcao/contract/channels/message-prices.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { parsePhoneNumber } from '../../../kit/phone-numbers.ts'

/** What a provider said of the price of a delivered message; `to`: the phone it went to, as digits. */
export type ToldPrice = { category: PriceCategory; isBillable: boolean; kind?: string; to?: string }

/** Kept once per message: every status repeats it. */
export const keepCosts = async (tx: Tx, connectionId: string, told: { messageId: string; price: ToldPrice }[]) => {
  if (!told.length) return
  const rows = told.map(({ messageId, price: { category, isBillable, kind, to } }) => ({
    message_id: messageId,
    category,
    is_billable: isBillable,
    kind: kind ?? null,
    country: to ? countryOf(to) : null,
  }))
  await tx.rows(keep, [tx.tenantId, connectionId, JSON.stringify(rows)])
}
const keep: Prepared = {
  name: 'message_costs_keep',
  text: `insert into message_costs (tenant_id, message_id, connection_id, category, is_billable, kind, country)
    select $1, message_id, $2, category, is_billable, kind, country
    from jsonb_to_recordset($3::jsonb) as r(message_id uuid, category text, is_billable boolean, kind text, country text)
    on conflict do nothing`,
}

/** Nearly all are of one country, known without the world's numbering plans. */
const countryOf = (digits: string): string | null =>
  digits.startsWith('55') ? 'BR' : (parsePhoneNumber(`+${digits}`)?.country ?? null)
