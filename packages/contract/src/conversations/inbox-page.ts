import { z } from 'zod'
import { id } from '../common.ts'
import { type InboxRef, inboxColumns } from './ticket-row.ts'

const inboxRef: z.ZodType<InboxRef> = z.union([
  z.tuple([id]),
  z.tuple([id, z.string()]),
  z.tuple([id, z.string(), z.string()]),
])
/** A page of the inbox in its short form; `ticketsOfInbox` makes tickets of it. */
export const inboxPage = z.object({
  rows: z.array(z.array(z.unknown()).max(inboxColumns.length)),
  refs: z.array(inboxRef),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
  count: z.int().optional(),
})
export type InboxPage = z.output<typeof inboxPage>
