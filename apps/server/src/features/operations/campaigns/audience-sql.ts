import type { AudienceSource, CampaignAudience } from '@balcao/contract/operations/campaigns/audience.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { membershipIn, withRules } from '../../contacts/membership/members.ts'
import type { Part } from '../../contacts/membership/parts.ts'

type Who = Pick<Actor, 'tenantId' | 'userId'>
/** Who is meant, and who of them is left out. */
export type AudienceParts = { include: Part; exclude: Part }

/**
 * The sources of a campaign as sets of contacts. Groups are meant only where they were chosen one by one: a tag on a group
 * does not send a campaign into it. Throws where a segment is gone whose rules were not kept.
 */
export const audienceParts = async (
  tx: Tx,
  who: Who,
  { include, exclude }: Pick<CampaignAudience, 'include' | 'exclude'>,
): Promise<AudienceParts> => {
  const partsOf = (sources: AudienceSource[]) => Promise.all(sources.map((one) => partOf(tx, who, one)))
  const named = include.filter(({ kind }) => kind === 'groups' || kind === 'contacts')
  const other = include.filter((one) => !named.includes(one))
  const people: Part[] = other.length ? [{ all: [{ any: await partsOf(other) }, person(who.tenantId)] }] : []
  return { include: { any: [...people, ...(await partsOf(named))] }, exclude: { any: await partsOf(exclude) } }
}

const partOf = async (tx: Tx, who: Who, source: AudienceSource): Promise<Part> => {
  const { tenantId } = who
  switch (source.kind) {
    case 'everybody':
      return person(tenantId)
    case 'segment': {
      const { segment } = await withRules(tx, who, { segmentId: source.segmentId, segment: source.rules })
      return segment ? membershipIn(segment, who) : nobody
    }
    case 'rules':
      return membershipIn(source.rules, who)
    case 'tags':
      return membershipIn({ match: 'all', rules: [{ field: 'tags', op: 'any', value: source.tagIds }] }, who)
    case 'lanes':
      return membershipIn({ match: 'all', rules: [{ field: 'lane', op: 'any', value: source.laneIds }] }, who)
    case 'wallets':
      return membershipIn({ match: 'all', rules: [{ field: 'wallet', op: 'any', value: source.userIds }] }, who)
    case 'import':
      return linked(
        sql`contact_import_rows x`,
        sql`x.contact_id is not null and x.outcome <> 'error'
        and x.tenant_id = ${tenantId} and x.import_id = ${source.importId}::uuid`,
      )
    case 'contacts':
    case 'groups':
      return chosen(tx, source.contactIds, source.kind === 'groups')
    case 'campaign':
      return ofCampaign(tenantId, source)
  }
}

const nobody: Part = { any: [] }
const own = (tenantId: number, where: SQL): Part => ({
  rows: {
    from: sql`contacts c`,
    id: sql`c.id`,
    where: sql`c.tenant_id = ${tenantId} and ${where}`,
    isUnique: true,
    isOwn: true,
  },
})
const person = (tenantId: number) => own(tenantId, sql`not c.is_group`)
const linked = (from: SQL, where: SQL): Part => ({ rows: { from, id: sql`x.contact_id`, where } })

/** Who became part of another contact since they were chosen is reached as that one. */
const chosen = async (tx: Tx, ids: string[], areGroups: boolean): Promise<Part> => {
  const { rows } = await tx.db.execute<{
    id: string
  }>(sql`select distinct coalesce(c.merged_into_id, c.id) as id from contacts c
    where c.tenant_id = ${tx.tenantId} and c.id = any(${sql.param(ids)}::uuid[]) and (c.is_group or not ${areGroups})`)
  return own(tx.tenantId, sql`c.id = any(${sql.param(rows.map(({ id }) => id))}::uuid[])`)
}

type OfCampaign = Extract<AudienceSource, { kind: 'campaign' }>
/** Of all sends of a campaign together: whoever answered one of them has answered. */
const ofCampaign = (tenantId: number, { campaignId, who }: OfCampaign): Part => {
  const having: Record<OfCampaign['who'], SQL> = {
    all: sql`true`,
    answered: sql`bool_or(x.answered_at is not null)`,
    notAnswered: sql`bool_and(x.answered_at is null) and bool_or(x.sent_at is not null)`,
    read: sql`bool_or(x.read_at is not null)`,
    notRead: sql`bool_and(x.read_at is null) and bool_or(x.sent_at is not null)`,
    failed: sql`bool_or(x.state = 'failed')`,
  }
  return {
    rows: {
      from: sql`campaign_recipients x`,
      id: sql`x.contact_id`,
      where: sql`x.tenant_id = ${tenantId} and x.campaign_id = ${campaignId}::uuid and x.state not in ('waiting', 'skipped')`,
      having: having[who],
    },
  }
}
