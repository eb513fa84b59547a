import type { Tx } from '../../../db/database.ts'
import type { NewMessage } from '../../conversations/timeline/store.ts'
import type { Batch } from './arrivals.ts'
import { wishOf } from './hear-consent.ts'
import { sayByRule } from './say-by-rule.ts'

/** The connection's own welcome, to whoever begins a conversation there; once per conversation. */
export const greet = (tx: Tx, batch: Batch): Promise<NewMessage[]> => {
  // Who only says SAIR to a campaign is told that it was heard, and not made welcome.
  const leaving = new Set(batch.arrived.filter((one) => wishOf(batch, one)).map(({ ticket }) => ticket.id))
  const ticketIds = batch.opened.filter((id) => !leaving.has(id))
  return sayByRule(tx, batch, { ticketIds, name: 'Saudação', text: batch.connection.options.greeting })
}
