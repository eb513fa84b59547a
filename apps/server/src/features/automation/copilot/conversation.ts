import { messageLabels } from '@balcao/contract/conversations/message-labels.ts'
import type { MessageType } from '@balcao/contract/conversations/messages.ts'
import { type Prepared, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { getVisibleTicket } from '../../conversations/tickets/tickets.service.ts'

const mostMessages = 60
const mostLetters = 12_000

type Line = { fromMe: boolean; type: MessageType; body: string; name: string | null }
export type Talk = { text: string; lastFromCustomer: string; customer: string; company: string }

/**
 * The end of a conversation as a model reads it, for somebody who may see it: one line a message, notes and system lines
 * left out. Throws ERR_NO_TICKET_FOUND.
 */
export const readTalk = (actor: Actor, ticketId: string): Promise<Talk> =>
  withTenant(actor.tenantId, async (tx) => {
    const ticket = await getVisibleTicket(tx, actor, ticketId)
    const rows = await tx.rows<Line>(lastLines, [tx.tenantId, ticketId, mostMessages])
    const [company] = await tx.rows<{ name: string }>(companyName, [tx.tenantId])
    const lines = rows.toReversed().map(({ fromMe, type, body, name }) => {
      const said = body.trim() || `[${messageLabels[type] ?? type}]`
      return `${fromMe ? `Atendente${name ? ` ${name}` : ''}` : 'Cliente'}: ${said.replace(/\s*\n\s*/g, ' ').slice(0, 1_500)}`
    })
    let text = lines.join('\n')
    while (text.length > mostLetters && lines.length > 1) {
      lines.shift()
      text = lines.join('\n')
    }
    const lastFromCustomer = rows.find(({ fromMe, body }) => !fromMe && body.trim())?.body.trim() ?? ''
    return { text, lastFromCustomer, customer: ticket.name, company: company?.name ?? '' }
  })

const lastLines: Prepared = {
  name: 'copilot_lines',
  text: `select m.from_me as "fromMe", m.type, m.body, u.name from messages m
    left join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
    where m.tenant_id = $1 and m.ticket_id = $2 and m.type not in ('note', 'system') and not m.is_deleted
    order by m.seq desc limit $3`,
}
const companyName: Prepared = { name: 'copilot_company', text: 'select name from tenants where id = $1' }
