import { z } from 'zod'
import { id, moment, namedRef, pageQuery, queryList } from '../common.ts'
import { ticketStatuses } from './tickets.ts'

/** Days in the company's time zone; both included. */
const period = { dateFrom: z.iso.date().optional(), dateTo: z.iso.date().optional() }

/** The ticket a row of these lists leads to. */
const ticketCard = z.object({ id, protocol: z.string(), status: z.enum(ticketStatuses) })

/** An internal note, with where it was written. */
export const ticketNote = z.object({
  id,
  notes: z.string(),
  user: namedRef.nullable(),
  ticket: ticketCard,
  contact: namedRef,
  createdAt: moment,
})
export type TicketNote = z.output<typeof ticketNote>
export const ticketNotesQuery = pageQuery.extend({ ...period, userId: queryList(id), ticketId: id.optional() })
export type TicketNotesQuery = z.output<typeof ticketNotesQuery>

/** A ticket as its protocol tells of it. */
export const ticketProtocol = ticketCard.extend({
  contact: namedRef,
  user: namedRef.nullable(),
  queue: namedRef.nullable(),
  createdAt: moment,
  closedAt: moment.nullable(),
})
export type TicketProtocol = z.output<typeof ticketProtocol>
export const ticketProtocolsQuery = pageQuery.extend({ ...period, status: queryList(z.enum(ticketStatuses)) })
export type TicketProtocolsQuery = z.output<typeof ticketProtocolsQuery>
