import { z } from 'zod'
import { hexColor, id, moment, namedRef } from '../common.ts'
import { ticketProtocol } from '../conversations/notes.ts'
import { ticketStatuses } from '../conversations/tickets.ts'

/** POST /ticketProtocols: tells the customer the protocol and its public page. */
export const protocolSend = z.strictObject({ ticketId: id })

/** A public address of a protocol, as the team sees it: the address itself is shown once, when it is made. */
export const protocolLink = z.object({
  id,
  user: namedRef.nullable(),
  createdAt: moment,
  expiresAt: moment,
  isActive: z.boolean(),
})
export type ProtocolLink = z.output<typeof protocolLink>
export const newProtocolLink = protocolLink.extend({ url: z.string() })
export type NewProtocolLink = z.output<typeof newProtocolLink>
/** What was sent, and in which message. */
export const protocolSent = ticketProtocol.extend({ link: newProtocolLink, messageId: id })

/** GET /protocol/{token}: what whoever has the address may know. */
export const protocolPage = z.object({
  company: z.object({ name: z.string(), logoUrl: z.string().nullable(), color: hexColor, timezone: z.string() }),
  protocol: z.string(),
  status: z.enum(ticketStatuses),
  queue: z.string().nullable(),
  createdAt: moment,
  closedAt: moment.nullable(),
  /** Until when the address works. */
  expiresAt: moment,
})
export type ProtocolPage = z.output<typeof protocolPage>

export const transcriptFormats = ['html', 'text'] as const
export const transcriptQuery = z.object({ format: z.enum(transcriptFormats).default('html') })
/** GET /protocol/{token}/verify: whether we handed out a file with this fingerprint. */
export const transcriptCheckQuery = z.object({
  sha256: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[0-9a-f]{64}$/, 'Informe os 64 caracteres do código.'),
})
export const transcriptCheck = z.object({ isGenuine: z.boolean(), issuedAt: moment.nullable() })
export type TranscriptCheck = z.output<typeof transcriptCheck>

export const protocolStatusTexts: Record<(typeof ticketStatuses)[number], string> = {
  pending: 'Aguardando atendimento',
  open: 'Em atendimento',
  closed: 'Encerrado',
}
