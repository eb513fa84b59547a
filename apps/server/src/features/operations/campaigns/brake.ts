import type { CampaignBrake, PauseCode } from '@balcao/contract/operations/campaigns/campaigns.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { BrakeBase } from '../../../db/schema/operations/campaigns.ts'
import type { StoredCampaign } from './campaigns.present.ts'
import type { Sign } from './signs.ts'

type Counts = Omit<BrakeBase, 'at'>
type Counted = Counts & { rateLimited: number; banned: number; slowed: Slowed }
/** What a provider refuses because it is sent too fast is tried again for minutes: it counts before it has failed. */
type Slowed = {
  /** How often it was said of what waits to be tried again. */
  times: number
  /** What waits to leave. */
  queued: number
  /** What left in a minute, lately. */
  aMinute: number
}

/** Why a campaign stops by what became of its last hour; undefined: it goes on. Pure. */
export const brakeFor = (brake: CampaignBrake, counted: Counted): Sign | undefined => {
  const { sent, failed, optedOut, complaints, rateLimited, banned, slowed } = counted
  const tried = sent + failed
  if (banned > 0) return { code: 'banSigns', text: 'O provedor recusou envios porque desconfia deste número.' }
  const percent = (part: number, whole: number) => (whole ? (part * 100) / whole : 0)
  const slower: Sign = { code: 'rateLimit', text: 'O provedor pediu para enviar mais devagar.' }
  const atHand = Math.max(brake.atLeast, slowed.queued, slowed.aMinute)
  if (percent(slowed.times, atHand) >= brake.failedPercent) return slower
  if (tried < brake.atLeast) return undefined
  if (rateLimited > 0 && percent(rateLimited, tried) >= brake.failedPercent) return slower
  const rules: [PauseCode, number, number, string][] = [
    ['failures', percent(failed, tried), brake.failedPercent, 'dos envios da última hora falharam'],
    ['optOuts', percent(optedOut, sent), brake.optedOutPercent, 'pediram para não receber mais'],
    ['complaints', percent(complaints, sent), brake.complaintPercent, 'reclamaram'],
  ]
  const met = rules.find(([, share, most]) => share >= most)
  if (!met) return undefined
  const [code, share, most, what] = met
  return {
    code,
    text: `${share.toLocaleString('pt-BR', { maximumFractionDigits: 1 })}% ${what}; o limite é ${most}%.`,
  }
}

/** What became of the last hour of a campaign, or of the time since somebody let it go on. */
export const countLastHour = async (
  tx: Tx,
  { id, brakeBase, connectionIds }: StoredCampaign,
  now: Date,
): Promise<Counted> => {
  const [row] = await tx.rows<Omit<Counted, 'slowed'>>(lastHour, [tx.tenantId, id, brakeBase?.at ?? null])
  const [slowed = { times: 0, queued: 0, aMinute: 0 }] = await tx.rows<Slowed>(slowedNow, [
    tx.tenantId,
    id,
    connectionIds,
  ])
  const counted = { ...(row ?? { sent: 0, failed: 0, optedOut: 0, complaints: 0, rateLimited: 0, banned: 0 }), slowed }
  // What had been counted in the ten minutes in which it went on does not stop it again.
  const isFresh = brakeBase && now.getTime() - Date.parse(brakeBase.at) < 3_600_000
  if (!isFresh) return counted
  const less = (name: keyof Counts) => Math.max(0, counted[name] - brakeBase[name])
  const failed = less('failed')
  return {
    slowed,
    ...{ sent: less('sent'), failed, optedOut: less('optedOut'), complaints: less('complaints') },
    rateLimited: Math.min(failed, counted.rateLimited),
    banned: failed ? counted.banned : 0,
  }
}

/** What is counted already, when somebody lets it go on. */
export const brakeBaseOf = async (tx: Tx, campaignId: string): Promise<BrakeBase> => {
  const [bin] = await tx.rows<{ at: string }>(thisBin, [])
  const at = new Date(bin?.at ?? 0).toISOString()
  const [row] = await tx.rows<Counts>(lastHour, [tx.tenantId, campaignId, at])
  const { sent = 0, failed = 0, optedOut = 0, complaints = 0 } = row ?? {}
  return { at, sent, failed, optedOut, complaints }
}
/** By the database's clock: with a moment that is yet to come, nothing would be counted until then. */
const thisBin: Prepared = {
  name: 'campaign_this_bin',
  text: `select date_bin('10 minutes', now(), 'epoch') as at`,
}

/** Sentences of ours for what providers say when they hold a number back. */
const saysSlower = (said: string) =>
  `(${said} ilike '%mais devagar%' or ${said} ilike '%mensagens demais%' or ${said} ilike '%muitas mensagens%')`
const banned = `(mark ilike '%limitou os envios deste número%' or mark ilike '%restrita pela Meta%' or mark ilike '%WhatsApp bloqueou este número%'
  or mark ilike '%não deixa este número começar conversas%')`
const lastHour: Prepared = {
  name: 'campaign_last_hour',
  text: `select coalesce(sum(count) filter (where mark = 'sent'), 0)::float8 as sent,
      coalesce(sum(count) filter (where mark like 'failed:%'), 0)::float8 as failed,
      coalesce(sum(count) filter (where mark = 'optedOut'), 0)::float8 as "optedOut",
      coalesce(sum(count) filter (where mark = 'complaints'), 0)::float8 as complaints,
      coalesce(sum(count) filter (where mark like 'failed:%' and ${saysSlower('mark')}), 0)::float8 as "rateLimited",
      coalesce(sum(count) filter (where mark like 'failed:%' and ${banned}), 0)::float8 as banned
    from campaign_tallies where tenant_id = $1 and campaign_id = $2
      and at >= greatest(date_bin('10 minutes', now() - interval '1 hour', 'epoch'), $3::timestamptz)`,
}
/** A connection is fed a few seconds ahead, so this reads a few hundred. */
const slowedNow: Prepared = {
  name: 'campaign_slowed',
  text: `select coalesce(sum(m.attempts) filter (where ${saysSlower('m.error')}), 0)::float8 as times, count(*)::float8 as queued,
      (select coalesce(sum(count), 0) / 10 from campaign_tallies where tenant_id = $1 and campaign_id = $2 and mark = 'sent'
        and at >= date_bin('10 minutes', now() - interval '10 minutes', 'epoch'))::float8 as "aMinute"
    from messages m where m.tenant_id = $1 and m.connection_id = any($3::uuid[]) and m.status = 'queued'
      and (m.send_type = 'campaign') and m.author->>'id' = $2::text`,
}
