import type { TicketStatus } from '@balcao/contract/conversations/tickets.ts'
import { defaultSystemColors } from '@balcao/contract/people/settings.ts'
import type { ProtocolPage, TranscriptCheck, transcriptFormats } from '@balcao/contract/service/protocols.ts'
import { v7 } from 'uuid'
import type { Prepared, Tx } from '../../../db/database.ts'
import { beyondAll } from '../../../kit/cursor.ts'
import { AppError } from '../../../kit/errors.ts'
import { findDirectory } from '../../core/directory/directory.ts'
import { pictureUrl } from '../../core/media/media.present.ts'
import { followLink } from './protocol-links.ts'
import { htmlTranscript, sha256Of, type TranscriptLine, textTranscript } from './transcript.ts'

/** What the public page of a protocol tells: how it stands, and of whom. Nothing of the team, nothing of the words. */
export const readPublicProtocol = (token: string): Promise<ProtocolPage> =>
  followLink(token, async (tx, { ticketId, expiresAt }) => {
    const { ticket, directory } = await readTicket(tx, ticketId)
    const { systemColors } = directory.settings
    const color = (systemColors.length ? systemColors : defaultSystemColors).find(({ label }) => label === 'primary')
    return {
      company: {
        name: directory.name,
        logoUrl: directory.logoMediaId && pictureUrl(tx.tenantId, directory.logoMediaId, 'anyone'),
        color: color?.value ?? defaultSystemColors[0]?.value ?? '#0b7a75',
        timezone: directory.timezone,
      },
      protocol: ticket.protocol,
      status: ticket.status,
      queue: ticket.queue,
      createdAt: ticket.createdAt.toISOString(),
      closedAt: ticket.closedAt?.toISOString() ?? null,
      expiresAt: expiresAt.toISOString(),
    }
  })

type Format = (typeof transcriptFormats)[number]

/** The conversation as a file, what both sides said; its fingerprint is kept, so that a copy can prove itself. */
export const readTranscript = (token: string, format: Format) =>
  followLink(token, async (tx, { ticketId }) => {
    const { ticket, directory } = await readTicket(tx, ticketId)
    const until = (ticket.mergedIntoId && ticket.closedAt) ?? beyondAll.moment
    const rows = await tx.rows<TranscriptLine>(saidBetweenUs, [
      tx.tenantId,
      ticket.mergedIntoId ?? ticketId,
      longest + 1,
      until,
    ])
    const given = {
      company: directory.name,
      contact: ticket.contact,
      protocol: ticket.protocol,
      queue: ticket.queue,
      openedAt: ticket.createdAt,
      closedAt: ticket.closedAt,
      timeZone: directory.timezone,
      isCut: rows.length > longest,
      lines: rows.slice(0, longest).reverse(),
    }
    const content = format === 'html' ? htmlTranscript(given) : textTranscript(given)
    const sha256 = sha256Of(content)
    await tx.rows(keepFingerprint, [tx.tenantId, v7(), ticketId, sha256])
    return { content, sha256, protocol: ticket.protocol }
  })

/** Whether a file with this fingerprint was handed out for this protocol. */
export const checkTranscript = (token: string, sha256: string): Promise<TranscriptCheck> =>
  followLink(token, async (tx, { ticketId }) => {
    const [found] = await tx.rows<{ createdAt: Date }>(findFingerprint, [tx.tenantId, ticketId, sha256])
    return { isGenuine: found !== undefined, issuedAt: found?.createdAt.toISOString() ?? null }
  })

const readTicket = async (tx: Tx, ticketId: string) => {
  const [ticket] = await tx.rows<TicketRow>(ticketById, [tx.tenantId, ticketId])
  const directory = await findDirectory(tx.tenantId)
  if (!ticket || !directory) throw new AppError('ERR_PROTOCOL_LINK')
  return { ticket, directory }
}

/** As many messages as one file holds: the latest. */
const longest = 5_000
type TicketRow = {
  protocol: string
  status: TicketStatus
  queue: string | null
  contact: string
  createdAt: Date
  closedAt: Date | null
  /** What was said is there now. */
  mergedIntoId: string | null
}
const ticketById: Prepared = {
  name: 'protocol_ticket',
  text: `select t.protocol, t.status, q.name as queue, c.name as contact, t.created_at as "createdAt", t.closed_at as "closedAt",
      t.merged_into_id as "mergedIntoId"
    from tickets t join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
      left join queues q on q.tenant_id = t.tenant_id and q.id = t.queue_id
    where t.tenant_id = $1 and t.id = $2`,
}
/** Notes and system lines are the team's own, and so is what has not left yet. */
const saidBetweenUs: Prepared = {
  name: 'protocol_messages',
  text: `select m.created_at as at, m.from_me as "fromMe", m.type, m.body, f.name as file, m.is_deleted as "isDeleted",
      m.edited_at is not null as "isEdited",
      m.payload -> 'interactive' as interactive
    from messages m left join files f on f.tenant_id = m.tenant_id and f.id = m.media_id
    where m.tenant_id = $1 and m.ticket_id = $2 and m.type not in ('note', 'system', 'reaction')
      and not (m.from_me and m.status in ('queued', 'sending', 'failed', 'uncertain'))
      and m.created_at <= $4
    order by m.seq desc limit $3`,
}
const keepFingerprint: Prepared = {
  name: 'transcript_keep',
  text: `insert into transcripts (tenant_id, id, ticket_id, sha256) values ($1, $2, $3, $4) on conflict do nothing`,
}
const findFingerprint: Prepared = {
  name: 'transcript_find',
  text: `select created_at as "createdAt" from transcripts where tenant_id = $1 and ticket_id = $2 and sha256 = $3`,
}
