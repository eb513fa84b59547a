import type { Abilities } from '@balcao/contract/channels/abilities.ts'
import { type ChannelKind, channels, reachedBy, scopedKinds } from '@balcao/contract/channels/index.ts'
import { type CampaignAudience, keptSkip } from '@balcao/contract/operations/campaigns/audience.ts'
import type { CampaignWrite } from '@balcao/contract/operations/campaigns/campaigns.ts'
import type { CampaignContent, CampaignStep } from '@balcao/contract/operations/campaigns/content.ts'
import { type ContentWay, contentVariables, missingOf } from '@balcao/contract/operations/campaigns/variables.ts'
import { type SQL, sql } from 'drizzle-orm'
import { testOf } from '../../contacts/membership/parts.ts'
import { scopedKindsText } from '../../conversations/messages/reach.ts'
import type { AudienceParts } from './audience-sql.ts'

/** A connection a campaign may write by. */
export type Way = { id: string; kind: ChannelKind; abilities: Abilities }
/** What decides about a recipient, compiled once for all slices. */
export type Judging = AudienceParts & {
  tenantId: number
  campaignId: string
  /** Whom the person who made it finds in lists; undefined: everybody. */
  visible: SQL | undefined
  ways: Way[]
  purpose: CampaignWrite['purpose']
  spread: CampaignWrite['spread']
  audience: Pick<CampaignAudience, 'skipActive' | 'restDays'>
  /** Lists it takes variables from. */
  importIds: string[]
  /** The first send. */
  step: Pick<CampaignStep, 'variants' | 'test'> | undefined
  /** What follows it. */
  laterSteps: Pick<CampaignStep, 'variants'>[]
  /** Who lacks what a text needs is left out, unless there are other words for it. */
  onMissing: CampaignWrite['onMissing']
  fallbacks: Record<string, string>
  /** Whoever is its author stands for {{user}}. */
  hasAuthor: boolean
}
/** Which contacts a slice is about: the next in the order of their ids, or these. */
export type Slice = { after: string; upTo: string } | { ids: string[] }

const ids = (list: readonly string[]) => sql`${sql.param(list)}::uuid[]`
const texts = (list: readonly string[]) => sql`${sql.param(list)}::text[]`
export const within = (column: SQL, slice: Slice): SQL =>
  'ids' in slice
    ? sql`${column} = any(${ids(slice.ids)})`
    : sql`${column} > ${slice.after}::uuid and ${column} <= ${slice.upTo}::uuid`

/** By which identities a connection reaches somebody, as `known` and `alive` below have them. */
const acceptedBy = ({ kind, abilities }: Way): string[] =>
  reachedBy(kind, abilities).map((one) => (scopedKinds.includes(one) ? `${one}@${abilities.account ?? ''}` : one))

/**
 * Everybody of a slice who is meant, each with connection, variant and variables of their list, or with the reason why
 * they are left out: contact_id, connection_id, variant, vars, reason. Each fact is read once for the whole slice, along an
 * index by contact. Before they are frozen also `later`: what the variants of what follows would lack for them.
 */
export const judged = (judging: Judging, slice: Slice, { isFrozen = true } = {}): SQL => {
  const { tenantId, campaignId, include, exclude, visible, purpose, audience, importIds } = judging
  const ofTenant = (alias: string) => sql`${sql.raw(alias)}.tenant_id = ${tenantId}`
  const isNew = isFrozen
    ? sql`and not exists (select from campaign_recipients r where ${ofTenant('r')} and r.campaign_id = ${campaignId}::uuid
        and r.step = 0 and r.contact_id = c.id)`
    : sql``
  const knownAs = sql.raw(
    `case when i.kind in (${scopedKindsText}) then i.kind || '@' || split_part(i.value, ':', 1) else i.kind end`,
  )
  const asksConsent = purpose !== 'service'
  const hasMail = judging.ways.some((way) => acceptedBy(way).includes('email'))
  const kinds = [...new Set(judging.ways.map(({ kind }) => kind))]
  const checkable = kinds.some(isCheckable)
  return sql`with picked as materialized (
      select c.tenant_id, c.id, c.name, c.number, c.email, c.business_name, c.lane_id, c.extra_info, c.is_group, ${testOf(exclude)} as is_out
      from contacts c where ${ofTenant('c')} and ${within(sql`c.id`, slice)} and c.merged_into_id is null
        and ${visible ?? sql`true`} and ${testOf(include)} ${isNew}
    ), known as (
      select i.contact_id, array_agg(${knownAs}) as known, array_agg(${knownAs}) filter (where i.unreachable_reason is null) as alive,
        bool_or(b.number is not null) as is_blocked
      from contact_identities i left join blocked_numbers b on b.tenant_id = i.tenant_id and i.kind = 'phone' and b.number = i.value
      where ${ofTenant('i')} and ${within(sql`i.contact_id`, slice)} group by i.contact_id
    )${
      asksConsent
        ? sql`, refused as (
      select x.contact_id, array_agg(distinct s.channel) as channels from (
          select i.contact_id, i.kind, i.value from contact_identities i where ${ofTenant('i')} and ${within(sql`i.contact_id`, slice)}
          union all select p.id, 'email', p.email from picked p where p.email is not null) x
        join consent_states s on ${ofTenant('s')} and s.identity_kind = x.kind and s.identity_value = x.value
          and s.purpose = ${purpose} and s.channel = any(${texts(kinds)}) and not s.is_given
      group by x.contact_id)`
        : sql``
    }${
      judging.ways.length > 1 && judging.spread === 'last'
        ? sql`, spoken as (
      select distinct on (t.contact_id) t.contact_id, t.connection_id from tickets t
      where ${ofTenant('t')} and ${within(sql`t.contact_id`, slice)} and t.connection_id = any(${ids(judging.ways.map(({ id }) => id))})
      order by t.contact_id, coalesce(t.last_message_at, t.created_at) desc)`
        : sql``
    }${
      audience.skipActive
        ? sql`, active as (
      select distinct t.contact_id from tickets t where ${ofTenant('t')} and ${within(sql`t.contact_id`, slice)} and t.status <> 'closed')`
        : sql``
    }${
      audience.restDays > 0
        ? sql`, recent as (
      select distinct r.contact_id from campaign_recipients r where ${ofTenant('r')} and ${within(sql`r.contact_id`, slice)}
        and r.sent_at > now() - make_interval(days => ${audience.restDays}) and r.campaign_id <> ${campaignId}::uuid)`
        : sql``
    }${
      importIds.length
        ? sql`, listed as (
      select distinct on (x.contact_id) x.contact_id, (select jsonb_object_agg(u.heading, left(u.cell, 500))
          from unnest(m.headings, x.cells) as u(heading, cell) where u.heading <> '' and btrim(u.cell) <> '') as vars
      from contact_import_rows x join contact_imports m on m.tenant_id = x.tenant_id and m.id = x.import_id
      where ${ofTenant('x')} and x.import_id = any(${ids(importIds)}) and ${within(sql`x.contact_id`, slice)} and x.outcome <> 'error'
      order by x.contact_id, x.line)`
        : sql``
    }, faced as (
      select p.*, coalesce(k.is_blocked, false) as is_blocked, ${mailed(hasMail)} as is_taken,
        ${knownArray(sql`k.known`, hasMail)} as known, ${knownArray(sql`k.alive`, hasMail)} as alive,
        ${asksConsent ? sql`coalesce(f.channels, '{}')` : sql`'{}'::text[]`} as refused,
        ${checkable ? sql`coalesce(not n.is_there, false)` : sql`false`} as is_absent,
        ${judging.ways.length > 1 && judging.spread === 'last' ? sql`o.connection_id` : sql`null::uuid`} as spoken_by,
        ${audience.skipActive ? sql`a.contact_id is not null` : sql`false`} as is_active,
        ${audience.restDays > 0 ? sql`e.contact_id is not null` : sql`false`} as is_recent,
        ${importIds.length ? sql`l.vars` : sql`null::jsonb`} as vars,
        hashtextextended(p.id::text, 0) & 9223372036854775807 as h
      from picked p left join known k on k.contact_id = p.id
        ${asksConsent ? sql`left join refused f on f.contact_id = p.id` : sql``}
        ${checkable ? sql`left join number_checks n on ${ofTenant('n')} and n.number = p.number and n.network = 'whatsapp'` : sql``}
        ${judging.ways.length > 1 && judging.spread === 'last' ? sql`left join spoken o on o.contact_id = p.id` : sql``}
        ${audience.skipActive ? sql`left join active a on a.contact_id = p.id` : sql``}
        ${audience.restDays > 0 ? sql`left join recent e on e.contact_id = p.id` : sql``}
        ${importIds.length ? sql`left join listed l on l.contact_id = p.id` : sql``}
        ${hasMail ? sql`left join contact_identities m on ${ofTenant('m')} and m.kind = 'email' and m.value = p.email and m.contact_id <> p.id` : sql``}
      offset 0
    ), tried as (
      select d.*, ${sql`array[${sql.join(judging.ways.map(problemOf), sql`, `)}]::text[]`} as problems from faced d offset 0
    ), chosen as (
      select t.*, array_remove(array[${sql.join(
        judging.ways.map(
          ({ id }, at) => sql`case when t.problems[${sql.raw(String(at + 1))}] is null then ${id}::uuid end`,
        ),
        sql`, `,
      )}]::uuid[], null) as usable, ${variantOf(judging)} as variant
      from tried t offset 0
    ), placed as (
      select c.*, case when c.spoken_by = any(c.usable) then c.spoken_by
        else c.usable[1 + (c.h % greatest(1, cardinality(c.usable)))::int] end as connection_id
      from chosen c offset 0
    )
    select g.id as contact_id, g.connection_id, g.variant, g.vars, g.number, ${reasonOf(judging, isFrozen)} as reason
      ${isFrozen ? sql`` : sql`, ${laterGaps(judging)} as later`} from placed g`
}

/** Everything a contact `p` is known by; the phone and the e-mail somebody wrote down count where no identity speaks of them. */
const knownArray = (known: SQL, hasMail: boolean): SQL => sql`coalesce(${known}, '{}'::text[])
  || case when p.number is not null and not coalesce('phone' = any(k.known), false) then '{phone}'::text[] else '{}' end
  || ${hasMail ? sql`case when p.email <> '' and not coalesce('email' = any(k.known), false) then '{email}'::text[] else '{}' end` : sql`'{}'::text[]`}`
/** The address somebody wrote down is another contact's, who is asked by it already. */
const mailed = (hasMail: boolean): SQL =>
  hasMail
    ? sql`(p.email is not null and not coalesce('email' = any(k.known), false) and (m.contact_id is not null
        or row_number() over (partition by p.email, coalesce('email' = any(k.known), false) order by p.id) > 1))`
    : sql`false`

/** Networks that say whether they know a number. */
export const isCheckable = (kind: ChannelKind): boolean => {
  const { isUnofficial = false }: { isUnofficial?: boolean } = channels[kind]
  return isUnofficial || kind === 'waba'
}

/** Why a connection does not reach `d`, or null. */
const problemOf = (way: Way): SQL => {
  const accepted = acceptedBy(way)
  const others = accepted.filter((one) => one !== 'phone')
  const onlyByMail = accepted.includes('email') ? sql`when d.is_taken then 'repeated'` : sql``
  const byPhone = accepted.includes('phone')
    ? sql`when length(d.number) not between 8 and 15 and not (d.alive && ${texts(others)}) then 'invalid'`
    : sql``
  const absent = isCheckable(way.kind)
    ? sql`when d.is_absent and not (d.alive && ${texts(others)}) then 'notOnChannel'`
    : sql``
  // Into a group writes a number that is in it, and may: not any of its network.
  const outside = sql`d.is_group and not exists (select from connection_groups x where x.tenant_id = d.tenant_id and x.connection_id = ${way.id}::uuid
      and x.group_id = d.id and x.left_at is null and not coalesce(x.is_admins_only and x.our_role = 'member', false))`
  return sql`case when not (d.known && ${texts(accepted)}) then 'noWay'
    when not (d.alive && ${texts(accepted)}) or ${outside} then 'unreachable' ${byPhone} ${absent} ${onlyByMail}
    when ${way.kind} = any(d.refused) then 'optedOut' end`
}

/** What of the reasons of several connections is said: the one nearest to being reached. */
const nearest = ['optedOut', 'repeated', 'notOnChannel', 'invalid', 'unreachable', 'noWay'] as const

const reasonOf = (
  judging: Judging,
  isFrozen: boolean,
): SQL => sql`case when g.is_out then 'excluded' when g.is_blocked then 'blocked'
  when g.connection_id is null then ${sql`case ${sql.join(
    nearest.map((reason) => sql`when ${reason} = any(g.problems) then ${reason}`),
    sql` `,
  )} else 'noWay' end`}
  when g.is_active then 'inConversation' when g.is_recent then 'wroteRecently' else ${missing(judging, isFrozen)} end`

/** Of rows `j` of `judged`: left out for want of a variable, which the campaign may still get words for. */
export const lacksVariable = sql`j.reason like 'missingVariable%'`

/** By its weight, the same for the same contact; null is what is left of a test: it takes the variant that wins. */
const variantOf = ({ step, campaignId }: Judging): SQL => {
  const variants = step?.variants ?? []
  if (variants.length < 2) return sql`0`
  const draw = (seed: number) => sql`(hashtextextended(t.id::text || ${campaignId}, ${seed}) & 9223372036854775807)`
  const whole = variants.reduce((sum, { weight }) => sum + weight, 0)
  let upTo = 0
  const cases = variants.map(({ weight }, at) => {
    upTo += weight
    return sql`when ${draw(1)} % ${whole} < ${upTo} then ${sql.raw(String(at))}`
  })
  const test = step?.test ? sql`when ${draw(2)} % 100 >= ${step.test.percent} then null` : sql``
  return sql`case ${test} ${sql.join(cases, sql` `)} end::int`
}

/** What of the variant would be said to `g` has a gap: by the first variable that is not there, or null. */
const missing = (judging: Judging, isFrozen: boolean): SQL => {
  const cases = (judging.step?.variants ?? []).flatMap(({ content }, at) =>
    gapsIn(judging, content, isFrozen).map(
      ({ id, gap }) => sql`when g.variant = ${at} and g.connection_id = ${id}::uuid then ${gap}`,
    ),
  )
  return cases.length ? sql`case ${sql.join(cases, sql` `)} end` : sql`null::text`
}

/** All variants of what follows the first send, in their order. */
export const laterVariants = (
  steps: Judging['laterSteps'],
): { step: number; variant: number; content: CampaignContent }[] =>
  steps.flatMap(({ variants }, at) => variants.map(({ content }, variant) => ({ step: at + 1, variant, content })))

/** The gap that each of `laterVariants` would have for `g`, whoever gets which: an array of texts and nulls. */
const laterGaps = (judging: Judging): SQL => {
  const gaps = laterVariants(judging.laterSteps).map(({ content }) => {
    const cases = gapsIn(judging, content, true).map(
      ({ id, gap }) => sql`when g.connection_id = ${id}::uuid then ${gap}`,
    )
    return cases.length ? sql`case ${sql.join(cases, sql` `)} end` : sql`null::text`
  })
  return sql`array[${sql.join(gaps, sql`, `)}]::text[]`
}

/**
 * By connection, what of a content would lack for `g`. Of words and a template, the ones that go now: whoever is frozen may
 * have written until it is their turn, or not, and is left out only where both have one.
 */
const gapsIn = (judging: Judging, content: CampaignContent, isFrozen: boolean): { id: string; gap: SQL }[] => {
  const { tenantId, ways, onMissing, fallbacks, hasAuthor } = judging
  if (!contentVariables(content).length) return []
  const gapIn = (way: ContentWay) => {
    const cases = contentVariables(content, way)
      .filter((name) => !(onMissing === 'fallback' && fallbacks[name]?.trim()))
      .map((name) => sql`when not ${isThere(name, hasAuthor)} then ${keptSkip(missingOf(content, name))}::text`)
    return cases.length ? sql`case ${sql.join(cases, sql` `)} end` : sql`null::text`
  }
  const gapBy = ({ id, abilities: { windowHours } }: Way): SQL | undefined => {
    const hasParts = content.parts.length > 0
    if (windowHours === null || !content.template) return hasParts ? gapIn('parts') : undefined
    const template = gapIn('template')
    if (!hasParts) return template
    const parts = gapIn('parts')
    if (isFrozen) return sql`case when ${parts} is not null then ${template} end`
    const isOpen = sql`exists (select from tickets o where o.tenant_id = ${tenantId} and o.contact_id = g.id
      and o.connection_id = ${id}::uuid and o.last_inbound_at > now() - make_interval(hours => ${windowHours}))`
    return sql`case when ${isOpen} then ${parts} else ${template} end`
  }
  return ways.flatMap((way) => {
    const gap = gapBy(way)
    return gap ? { id: way.id, gap } : []
  })
}

/** `g` has what a variable stands for; the columns of a list go before the contact's own fields. */
const isThere = (name: string, hasAuthor: boolean): SQL => {
  const named = sql`(g.name !~ '^[+\\d\\s().-]*$' and g.name !~ '^(Visitante|Contato)\\y')`
  if (name.startsWith('extra.')) {
    const key = name.slice('extra.'.length)
    return sql`(btrim(coalesce(g.vars ->> ${key}, '')) <> '' or jsonb_path_exists(g.extra_info,
      '$[*] ? (@.name == $name && @.value like_regex "\\\\S")', jsonb_build_object('name', ${key}::text)))`
  }
  switch (name) {
    case 'name':
    case 'primeiro_nome':
    case 'firstName':
      return named
    case 'lastName':
      return sql`(${named} and btrim(g.name) ~ '\\S\\s+\\S')`
    case 'email':
      return sql`coalesce(g.email <> '', false)`
    case 'phoneNumber':
      return sql`(g.number is not null)`
    case 'kanban':
      return sql`(g.lane_id is not null)`
    case 'businessName':
      return sql`(btrim(g.business_name) <> '')`
    case 'user':
    case 'userEmail':
      return sql`${hasAuthor}::boolean`
    default:
      return sql`false`
  }
}
