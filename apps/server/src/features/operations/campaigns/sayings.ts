import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { connections, messageTemplates } from '../../../db/schema/channels/connections.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import type { StoredFile } from '../../core/media/media.present.ts'
import { filesByIds } from '../../core/media/stored-files.ts'
import { mediaOf, type StoredCampaign } from './campaigns.present.ts'
import { type Saying, templateKey } from './render.ts'

/** What holds for everybody who gets a campaign by each of these connections. */
export const sayingsOf = async (
  tx: Tx,
  row: Pick<StoredCampaign, 'plan' | 'createdBy'>,
  connectionIds: string[],
  now = new Date(),
): Promise<Map<string, Saying>> => {
  const directory = await getDirectory(tx.tenantId)
  const ways = await tx.db
    .select({ id: connections.id, kind: connections.kind, abilities: connections.abilities })
    .from(connections)
    .where(and(eq(connections.tenantId, tx.tenantId), inArray(connections.id, connectionIds)))
  const names = row.plan.steps.flatMap(({ variants }) =>
    variants.flatMap(({ content }) => content.template?.name ?? []),
  )
  const templates = names.length
    ? await tx.db
        .select()
        .from(messageTemplates)
        .where(
          and(
            eq(messageTemplates.tenantId, tx.tenantId),
            inArray(messageTemplates.connectionId, connectionIds),
            inArray(messageTemplates.name, names),
          ),
        )
    : []
  const mediaIds = mediaOf(row)
  const files = mediaIds.length ? await tx.rows<StoredFile>(filesByIds, [tx.tenantId, mediaIds]) : []
  const { onMissing, fallbacks } = row.plan
  return new Map(
    ways.map((connection): [string, Saying] => [
      connection.id,
      {
        ...{ connection, directory, onMissing, fallbacks, now },
        author: row.createdBy === null ? undefined : directory.people.get(row.createdBy),
        files: new Map(files.map((file) => [file.id, file])),
        templates: new Map(
          templates.filter((one) => one.connectionId === connection.id).map((one) => [templateKey(one), one]),
        ),
      },
    ]),
  )
}
