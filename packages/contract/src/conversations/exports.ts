import { z } from 'zod'
import { queryFlag } from '../common.ts'

export const exportFormats = ['pdf', 'html', 'text'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** GET /exportMessages/{ticketId}. HTML comes as a zip: the page and its files beside it. */
export const exportQuery = z.object({
  format: z.enum(exportFormats).default('pdf'),
  /** The team's internal notes too, and what the conversation says of itself; only for those who may read them. */
  includeNotes: queryFlag.default(false),
})
export type ExportQuery = z.output<typeof exportQuery>
