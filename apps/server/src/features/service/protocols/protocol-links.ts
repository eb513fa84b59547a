import type { NewProtocolLink, ProtocolLink } from '@balcao/contract/service/protocols.ts'
import { v7 } from 'uuid'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { env } from '../../../env.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { hashToken, randomToken } from '../../../kit/crypto.ts'
import { AppError } from '../../../kit/errors.ts'
import { logTicket } from '../../conversations/tickets/ticket-history.ts'
import { getVisibleTicket, lockVisibleTicket } from '../../conversations/tickets/tickets.service.ts'
import { getDirectory } from '../../core/directory/directory.ts'

/**
 * Makes a public address for a ticket. Only the fingerprint of its secret is kept, so the address is known to whoever
 * is told now. The company's number goes before the secret: the row is found under the company's own policy.
 */
export const makeLink = async (
  tx: Tx,
  { ticketId, actor, days }: { ticketId: string; actor: Pick<Actor, 'userId' | 'name'>; days: number },
): Promise<NewProtocolLink> => {
  const token = `${tx.tenantId.toString(36)}-${randomToken(32)}`
  const id = v7()
  const [row] = await tx.rows<{ createdAt: Date; expiresAt: Date }>(insert, [
    tx.tenantId,
    id,
    ticketId,
    hashToken(token),
    actor.userId,
    days,
  ])
  if (!row) throw new Error('The link was not stored')
  return {
    id,
    user: { id: actor.userId, name: actor.name },
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    isActive: true,
    url: `${env.PUBLIC_URL}/protocolo/${token}`,
  }
}

/** An address to hand over by another way: by phone, by e-mail, on paper. */
export const createLink = async (actor: Actor, ticketId: string): Promise<NewProtocolLink> => {
  const { settings } = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    await lockVisibleTicket(tx, actor, ticketId)
    const link = await makeLink(tx, { ticketId, actor, days: settings.protocolLinkDays })
    await logTicket(tx, byUser(actor), { ticketId, type: 'protocol', userId: actor.userId, note: 'Link criado' })
    return link
  })
}

/** The addresses of a ticket, newest first. */
export const listLinks = (actor: Actor, ticketId: string): Promise<ProtocolLink[]> =>
  withTenant(actor.tenantId, async (tx) => {
    await getVisibleTicket(tx, actor, ticketId)
    const rows = await tx.rows<LinkRow>(ofTicket, [tx.tenantId, ticketId])
    return rows.map((row) => ({
      id: row.id,
      user: row.userId === null ? null : { id: row.userId, name: row.userName ?? '' },
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
      isActive: row.isActive,
    }))
  })

/** From now on the address leads nowhere. */
export const revokeLink = (actor: Actor, ticketId: string, id: string): Promise<void> =>
  withTenant(actor.tenantId, async (tx) => {
    await lockVisibleTicket(tx, actor, ticketId)
    const [gone] = await tx.rows<{ id: string }>(remove, [tx.tenantId, ticketId, id])
    if (!gone) throw new AppError('ERR_NOT_FOUND')
    await logTicket(tx, byUser(actor), { ticketId, type: 'protocol', userId: actor.userId, note: 'Link revogado' })
  })

export type Followed = { ticketId: string; expiresAt: Date }

/** Runs `work` for the ticket an address leads to; whatever is wrong with the address, the answer is the same. */
export const followLink = async <T>(token: string, work: (tx: Tx, followed: Followed) => Promise<T>): Promise<T> => {
  const [, company] = /^([0-9a-z]{1,5})-[\w-]{43}$/.exec(token) ?? []
  const tenantId = company === undefined ? Number.NaN : Number.parseInt(company, 36)
  if (!Number.isInteger(tenantId)) throw new AppError('ERR_PROTOCOL_LINK')
  return withTenant(tenantId, async (tx) => {
    const [followed] = await tx.rows<Followed>(byHash, [tenantId, hashToken(token)])
    if (!followed) throw new AppError('ERR_PROTOCOL_LINK')
    return work(tx, followed)
  })
}

type LinkRow = {
  id: string
  userId: string | null
  userName: string | null
  createdAt: Date
  expiresAt: Date
  isActive: boolean
}
const insert: Prepared = {
  name: 'protocol_link_insert',
  text: `insert into protocol_links (tenant_id, id, ticket_id, hash, user_id, expires_at)
    values ($1, $2, $3, $4, $5, now() + make_interval(days => $6))
    returning created_at as "createdAt", expires_at as "expiresAt"`,
}
const ofTicket: Prepared = {
  name: 'protocol_links_of_ticket',
  text: `select l.id, u.id as "userId", u.name as "userName", l.created_at as "createdAt", l.expires_at as "expiresAt",
      l.expires_at > now() as "isActive"
    from protocol_links l left join users u on u.tenant_id = l.tenant_id and u.id = l.user_id
    where l.tenant_id = $1 and l.ticket_id = $2 order by l.created_at desc, l.id desc limit 100`,
}
const remove: Prepared = {
  name: 'protocol_link_remove',
  text: 'delete from protocol_links where tenant_id = $1 and ticket_id = $2 and id = $3 returning id',
}
const byHash: Prepared = {
  name: 'protocol_link_by_hash',
  text: `select ticket_id as "ticketId", expires_at as "expiresAt" from protocol_links
    where tenant_id = $1 and hash = $2 and expires_at > now()`,
}
