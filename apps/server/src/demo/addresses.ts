import { and, eq } from 'drizzle-orm'
import { withPlatform } from '../db/database.ts'
import { connections } from '../db/schema/channels/connections.ts'
import { integrations } from '../db/schema/core/integrations.ts'
import { forgetConnections } from '../features/channels/connections/context.ts'
import { demoWaba } from './seed.ts'

/** A folder that was started with another PORT names the simulators where they were: each stands as far from it as before. */
export const moveAddresses = async (wabaUrl: string) => {
  await withPlatform('demo', async (tx) => {
    const [waba] = await tx.db
      .select({ config: connections.config })
      .from(connections)
      .where(and(eq(connections.tenantId, 1), eq(connections.externalId, demoWaba.phoneNumberId)))
    const before = Number(new URL(String(waba?.config.baseUrl ?? wabaUrl)).port)
    const by = Number(new URL(wabaUrl).port) - before
    if (!by) return
    for (const table of [connections, integrations]) {
      const rows = await tx.db.select({ id: table.id, config: table.config }).from(table)
      for (const { id, config } of rows) {
        const text = JSON.stringify(config)
        const moved = text.replace(address, (all, name: string, port: string) =>
          Math.abs(Number(port) - before) < 20 ? `${name}${Number(port) + by}` : all,
        )
        if (moved !== text)
          await tx.db
            .update(table)
            .set({ config: JSON.parse(moved) })
            .where(eq(table.id, id))
      }
    }
  })
  forgetConnections()
}
const address = /("\w+":"(?:\w+:\/\/)?(?:127\.0\.0\.1|localhost):|"\w+Port":)(\d+)/g
