import { z } from 'zod'
import { channelKinds, identityKinds } from '../channels/index.ts'
import { id, namedRef } from '../common.ts'

const address = z.object({ kind: z.enum(identityKinds), value: z.string().max(500) })

/** By which connection a message goes, and to which address of the contact: left out, the one used last. */
export const chosenWay = z.strictObject({ whatsappId: id, address: address.optional() })
export type ChosenWay = z.output<typeof chosenWay>

/** A connection by which the contact of a conversation is written to, or why not. */
export const ticketWay = z.object({
  whatsapp: namedRef,
  channel: z.enum(channelKinds),
  /** Null where none of theirs is known there. */
  address: address.nullable(),
  /** The conversation goes over it now. */
  isCurrent: z.boolean(),
  /** `template`: an approved template alone; `nothing`: for `reason`. */
  takes: z.enum(['everything', 'template', 'nothing']),
  /** What stands in the way, in Portuguese. */
  reason: z.string().nullable(),
  /** What the provider told of this address, such as that they blocked us there. */
  problem: z.string().nullable(),
  /** The contact's open conversation there, where one may see it. */
  otherTicketId: id.nullable(),
})
export type TicketWay = z.output<typeof ticketWay>
/** GET /tickets/{id}/ways: what can be used first, the one in use before all. */
export const ticketWays = z.object({ items: z.array(ticketWay) })
