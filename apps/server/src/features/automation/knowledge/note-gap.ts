import { cutText } from '@balcao/contract/core/cut-text.ts'
import { plainWords } from '@balcao/contract/core/plain-words.ts'
import { v7 } from 'uuid'
import type { Prepared, Tx } from '../../../db/database.ts'

type Gap = { assistantId: string | null; ticketId: string | null; question: string }
/** Keeps a question nothing answered; asked again, it is counted. */
export const noteGap = (tx: Tx, { assistantId, ticketId, question }: Gap) => {
  const plain = plainWords(question).slice(0, 300)
  return tx.rows(note, [tx.tenantId, v7(), cutText(question, 500), plain, assistantId, ticketId])
}
const note: Prepared = {
  name: 'knowledge_gap_note',
  text: `insert into knowledge_gaps as g (tenant_id, id, question, plain, assistant_id, ticket_id) values ($1, $2, $3, $4, $5, $6)
    on conflict (tenant_id, plain) do update set times = g.times + 1, last_at = now(), ticket_id = excluded.ticket_id,
      assistant_id = excluded.assistant_id, state = case when g.state = 'answered' then 'open' else g.state end`,
}
