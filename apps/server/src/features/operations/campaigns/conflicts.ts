import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { withSearch, withTenant } from '../../../db/database.ts'
import { campaigns } from '../../../db/schema/operations/campaigns.ts'
import type { Actor } from '../../../kit/actor.ts'
import { countMembers } from '../../contacts/membership/members.ts'
import type { Part } from '../../contacts/membership/parts.ts'
import { audienceParts } from './audience-sql.ts'
import { presentCampaigns, type StoredCampaign } from './campaigns.present.ts'

/** Another campaign that is under way at the same time; `people`: in both, null where nobody counted. */
export type CampaignConflict = { id: string; name: string; sharesConnection: boolean; people: number | null }

const [mostRead, mostCompared] = [20, 5]
/** Campaigns of the same time with the same connections, or with the same people. */
export const conflictsOf = async (
  { tenantId, userId }: Pick<Actor, 'tenantId' | 'userId'>,
  row: StoredCampaign,
  { from, until }: { from: Date; until: Date | null },
): Promise<CampaignConflict[]> => {
  const others = await withTenant(tenantId, async (tx) => {
    const rows = await tx.db
      .select()
      .from(campaigns)
      .where(
        and(
          eq(campaigns.tenantId, tenantId),
          ne(campaigns.id, row.id),
          inArray(campaigns.state, ['scheduled', 'preparing', 'running', 'paused']),
          sql`coalesce(${campaigns.startsAt}, ${campaigns.startedAt}, now()) < ${(until ?? new Date(from.getTime() + dayMs)).toISOString()}::timestamptz`,
          sql`coalesce(${campaigns.endsAt}, 'infinity') > ${from.toISOString()}::timestamptz`,
        ),
      )
      .orderBy(campaigns.createdAt)
      .limit(mostRead)
    // One that runs has an end that is forecast.
    const ends = new Map((await presentCampaigns(tx, rows)).map(({ id, endsAbout }) => [id, endsAbout]))
    return rows.filter(({ id }) => new Date(ends.get(id) ?? from) >= from).slice(0, mostCompared)
  })
  const found: CampaignConflict[] = []
  for (const other of others) {
    const sharesConnection = other.connectionIds.some((id) => row.connectionIds.includes(id))
    const people = await withSearch({ tenantId, userId }, async (tx) => {
      const [mine, theirs] = [
        await audienceParts(tx, { tenantId, userId: row.createdBy ?? userId }, row.plan.audience),
        await theirsOf(tx, other),
      ]
      return (await countMembers(tx, { all: [mine.include, theirs] })).count
    }).catch(() => null)
    if (sharesConnection || people) found.push({ id: other.id, name: other.name, sharesConnection, people })
  }
  return found
}
const dayMs = 86_400_000

/** Whom another one writes to: as it was frozen, or as its audience is now. */
const theirsOf = async (tx: Parameters<typeof audienceParts>[0], other: StoredCampaign): Promise<Part> => {
  if (other.state === 'scheduled')
    return (await audienceParts(tx, { tenantId: tx.tenantId, userId: other.createdBy ?? '' }, other.plan.audience))
      .include
  return {
    rows: {
      from: sql`campaign_recipients x`,
      id: sql`x.contact_id`,
      where: sql`x.tenant_id = ${tx.tenantId} and x.campaign_id = ${other.id}::uuid and x.step = 0 and x.state <> 'skipped'`,
      isUnique: true,
    },
  }
}
