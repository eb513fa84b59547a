import type { WebchatVisitor } from '@balcao/contract/intake/webchat.ts'
import { type Prepared, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { getVisibleTicket } from '../../conversations/tickets/tickets.service.ts'
import { knownVisitorId } from './visitor-token.ts'

/** What the visitor's browser told last, for whoever may see the conversation. */
export const readVisitorDetails = (actor: Actor, ticketId: string): Promise<WebchatVisitor> =>
  withTenant(actor.tenantId, async (tx) => {
    const { contactId, whatsappId } = await getVisibleTicket(tx, actor, ticketId)
    const identities = await tx.rows<{ kind: string; value: string }>(visitorIdentities, [tx.tenantId, contactId])
    const ids = identities.map(({ kind, value }) => (kind === 'webchat' ? value : knownVisitorId(value)))
    const [session] = await tx.rows<{ page: Page | null }>(lastSession, [tx.tenantId, whatsappId, ids])
    const page = session?.page
    return {
      page: page ? { url: page.url, title: page.title } : null,
      referrer: page?.referrer ?? null,
      device: page?.device ?? null,
    }
  })

type Page = { url: string; title: string; referrer?: string; device?: string }
const visitorIdentities: Prepared = {
  name: 'webchat_visitor_identities',
  text: `select kind, value from contact_identities
    where tenant_id = $1 and contact_id = $2 and kind in ('webchat', 'webchatUser')`,
}
const lastSession: Prepared = {
  name: 'webchat_last_session',
  text: `select page from webchat_sessions where tenant_id = $1 and connection_id = $2 and visitor_id = any($3::text[])
    order by created_at desc limit 1`,
}
