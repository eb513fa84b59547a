import { type Greeter, usualGreeting, usualHour } from '@balcao/contract/operations/birthdays.ts'
import { and, asc, eq, isNull } from 'drizzle-orm'
import { withTenant } from '../../../db/database.ts'
import { connections } from '../../../db/schema/channels/connections.ts'
import type { Actor } from '../../../kit/actor.ts'
import { presentMedia, type StoredFile } from '../../core/media/media.present.ts'
import { filesByIds } from '../../core/media/stored-files.ts'

/** How each connection of the company congratulates. */
export const listGreeters = ({ tenantId }: Actor): Promise<Greeter[]> =>
  withTenant(tenantId, async (tx) => {
    const rows = await tx.db
      .select()
      .from(connections)
      .where(and(eq(connections.tenantId, tenantId), isNull(connections.deletedAt)))
      .orderBy(asc(connections.name))
    const ids = rows.flatMap(({ birthdayMediaId }) => birthdayMediaId ?? [])
    const stored = ids.length ? await tx.rows<StoredFile>(filesByIds, [tenantId, ids]) : []
    const files = new Map(stored.map((file) => [file.id, presentMedia(file, tx)]))
    return rows.map(({ id, name, kind, abilities, options, birthdayMediaId }) => ({
      ...{ id, name, kind },
      canByItself: abilities.supports.includes('mass'),
      isOn: options.birthday === true,
      hour: options.birthdayHour ?? usualHour,
      message: options.birthdayMessage || usualGreeting,
      media: files.get(birthdayMediaId ?? '') ?? null,
      needsTemplate: abilities.windowHours !== null,
      template: options.birthdayTemplate ?? null,
    }))
  })
