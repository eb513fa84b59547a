import { type Prepared, withTenant } from '../../../db/database.ts'
import { getDirectory } from '../../core/directory/directory.ts'

type Told = { entityId: string; before: unknown; after: unknown }

/** What the ids that entries mention are called; what has been deleted since has no name any more. */
export const namesIn = async (tenantId: number, rows: readonly { entry: Told }[]) => {
  const asked = new Set(rows.flatMap(({ entry }) => idsIn(entry)))
  const known = new Map<string, string>()
  const { people, queues, tags, reasons } = await getDirectory(tenantId)
  for (const id of asked) {
    const name = (people.get(id) ?? queues.get(id) ?? tags.get(id) ?? reasons.get(id))?.name
    if (name !== undefined) known.set(id, name)
  }
  const others = [...asked].filter((id) => !known.has(id))
  if (others.length) {
    const found = await withTenant(tenantId, (tx) => tx.rows<{ id: string; name: string }>(named, [tenantId, others]))
    for (const { id, name } of found) known.set(id, name)
  }
  return (entry: Told): Record<string, string> =>
    Object.fromEntries(
      idsIn(entry).flatMap((id) => {
        const name = known.get(id)
        return name === undefined ? [] : [[id, name]]
      }),
    )
}

const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g
const idsIn = ({ entityId, before, after }: Told): string[] => [
  ...new Set(JSON.stringify([entityId, before, after]).match(uuid)),
]

const named: Prepared = {
  name: 'audit_names',
  text: `select id, name from contacts where tenant_id = $1 and id = any($2::uuid[])
    union all select id, protocol::text from tickets where tenant_id = $1 and id = any($2::uuid[])
    union all select id, name from quick_folders where tenant_id = $1 and id = any($2::uuid[])
    union all select id, name from tag_groups where tenant_id = $1 and id = any($2::uuid[])
    union all select id, name from connections where tenant_id = $1 and id = any($2::uuid[])
    union all select id, name from users where tenant_id = $1 and id = any($2::uuid[])`,
}
