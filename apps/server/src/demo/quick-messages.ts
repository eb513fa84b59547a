import { blankPart, type Part, wordsOf } from '@balcao/contract/conversations/parts.ts'
import { v7 } from 'uuid'
import type { Tx } from '../db/database.ts'
import { quickFolders, quickMessageParts, quickMessages, quickMessageUses } from '../db/schema/service/library.ts'
import type { Company } from './companies.ts'

/** What the team keeps ready, in its folders, and how often each of them has sent it. */
export const seedQuickMessages = async (tx: Tx, company: Company, people: readonly { id: string }[]) => {
  const { tenantId } = tx
  const of = { tenantId, scope: 'everyone' as const, userId: people[0]?.id ?? '' }
  const folders = Object.entries(company.folders ?? {}).map(([name, keys], position) => ({
    ...{ id: v7(), name, keys, position },
  }))
  if (folders.length)
    await tx.db.insert(quickFolders).values(folders.map(({ keys: _keys, ...row }) => ({ ...of, ...row })))
  const single = Object.entries(company.quick).map(([key, body]): [string, Part[]] => [
    key,
    [{ ...blankPart('text'), body }],
  ])
  const rows = [...single, ...Object.entries(company.series ?? {})].map(([key, parts]) => ({ id: v7(), key, parts }))
  await tx.db.insert(quickMessages).values(
    rows.map(({ id, key, parts }) => ({
      ...{ ...of, id, key, message: wordsOf(parts) },
      helpTitle: company.help?.[key] ?? null,
      folderId: folders.find(({ keys }) => keys.includes(key))?.id ?? null,
    })),
  )
  await tx.db
    .insert(quickMessageParts)
    .values(
      rows.flatMap(({ id, parts }) =>
        parts.map((part, position) => ({ ...part, tenantId, quickMessageId: id, position })),
      ),
    )
  const uses = rows.flatMap(({ id }, n) =>
    people.map((person, who) => ({
      ...{ tenantId, quickMessageId: id, userId: person.id, count: ((n * 7 + who * 13) % 40) - 4 },
      lastAt: new Date(Date.now() - (n * 5 + who * 9 + 1) * 3_600_000),
    })),
  )
  await tx.db.insert(quickMessageUses).values(uses.filter(({ count }) => count > 0))
}
