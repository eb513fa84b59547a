import { v7 } from 'uuid'
import type { Tx } from '../db/database.ts'
import { tagGroups, tags } from '../db/schema/contacts/tags.ts'
import type { Company } from './companies.ts'

/** The company's tags, in their groups. */
export const seedTags = async (tx: Tx, company: Company, tagIds: Record<string, string>) => {
  const { tenantId } = tx
  const groups = Object.entries(company.tagGroups ?? {}).map(([name, group], position) => ({
    ...{ tenantId, id: v7(), name, position },
    ...group,
  }))
  if (groups.length) await tx.db.insert(tagGroups).values(groups.map(({ tags: _tags, ...row }) => row))
  await tx.db.insert(tags).values(
    Object.entries(company.tags).map(([name, color]) => ({
      ...{ tenantId, id: tagIds[name] ?? '', name, color },
      groupId: groups.find((group) => group.tags.includes(name))?.id ?? null,
    })),
  )
}
