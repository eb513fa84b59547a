import { z } from 'zod'
import { hexColor, id, queryList } from '../common.ts'
import { contact } from './contacts.ts'

/** What the columns of the board of contacts are. */
export const boardKinds = ['kanban', 'tag'] as const
export type BoardKind = (typeof boardKinds)[number]

export const boardCard = contact.pick({
  id: true,
  version: true,
  name: true,
  number: true,
  profilePicUrl: true,
  isGroup: true,
  businessName: true,
  kanban: true,
  tags: true,
  wallets: true,
  lastMessageAt: true,
})
export type BoardCard = z.output<typeof boardCard>

/** Whoever is in no stage, or has no tag. */
export const noColumn = 'none'
const columnId = z.union([id, z.literal(noColumn)])

/** GET /contactsKanban: every column with its first cards; with `column` that one alone, from `cursor` on. */
export const boardQuery = z.object({
  by: z.enum(boardKinds).default('kanban'),
  searchParam: z.string().trim().max(200).default(''),
  tagIds: queryList(id),
  walletIds: queryList(id),
  segmentId: id.optional(),
  column: columnId.optional(),
  cursor: z.string().max(500).optional(),
})
export type BoardQuery = z.output<typeof boardQuery>

export const boardColumn = z.object({
  id: columnId,
  name: z.string(),
  color: hexColor.nullable(),
  limit: z.int().nullable(),
  /** Of all its cards, counted up to `mostCounted`. */
  total: z.int(),
  cards: z.array(boardCard),
  nextCursor: z.string().nullable(),
})
export type BoardColumn = z.output<typeof boardColumn>
export const mostCounted = 10_000
export const board = z.object({ columns: z.array(boardColumn) })
