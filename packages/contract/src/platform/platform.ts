import { z } from 'zod'

const count = z.int().nonnegative()

/** GET /platform/summary: the installation at a glance, for its superadmin. Of the environment only the address, which everybody sees. */
export const platformSummary = z.object({
  version: z.string(),
  build: z.string(),
  /** Where people and providers are told to come. */
  address: z.string(),
  node: z.string(),
  postgres: z.string(),
  /** `none`: no licence configured; the product works without one. */
  licence: z.object({ state: z.literal('none') }),
  companies: z.object({ active: count, inactive: count }),
  users: count,
  connections: z.object({ total: count, connected: count }),
  databaseBytes: count,
  storage: z.object({
    kind: z.enum(['folder', 's3']),
    files: count,
    bytes: count,
    /** Room left on the disk; null where it cannot be known. */
    freeBytes: count.nullable(),
  }),
  health: z.object({
    uptimeS: count,
    databaseMs: count,
    /** Inbound events stored and not yet processed, and the age of the oldest. */
    inbound: z.object({ waiting: count, oldestS: count }),
    /** Messages that wait to be sent, and the age of the oldest that is due. */
    outbound: z.object({ waiting: count, oldestS: count }),
  }),
})
export type PlatformSummary = z.output<typeof platformSummary>
