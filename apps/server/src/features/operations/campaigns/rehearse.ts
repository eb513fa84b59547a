import { isPriceCategory, messagePrice } from '@balcao/contract/channels/message-prices.ts'
import { smsOf } from '@balcao/contract/channels/sms-segments.ts'
import { carriedAs, linesOf, numberedText } from '@balcao/contract/conversations/interactive.ts'
import type { FieldProblem } from '@balcao/contract/errors.ts'
import { readSkip } from '@balcao/contract/operations/campaigns/audience.ts'
import type { CampaignRehearsal, ShownSend } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { variantNames } from '@balcao/contract/operations/campaigns/content.ts'
import { endOfSteps, firstOpen } from '@balcao/contract/operations/campaigns/forecast.ts'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type Tx, withReport, withTenant } from '../../../db/database.ts'
import { connectionPace, connections } from '../../../db/schema/channels/connections.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { laneName } from '../../contacts/lanes/lane-name.ts'
import type { OutgoingDraft } from '../../conversations/messages/write-outgoing.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { findCampaign, type StoredCampaign } from './campaigns.present.ts'
import { conflictsOf } from './conflicts.ts'
import { type Judging, judged, lacksVariable, laterVariants, type Slice } from './judge.ts'
import { laterHours, loadOf, waitsOf } from './pace.ts'
import { judgingOf, lostLines, nextSlice } from './prepare.ts'
import { startProblems } from './problems.ts'
import { type Rendered, renderSend, templateKey } from './render.ts'
import { sayingsOf } from './sayings.ts'
import { variantOf } from './variants.ts'
import { type Unheard, warningsOf } from './warn.ts'

type Asking = Pick<Actor, 'tenantId' | 'userId'>
export type WayRow = typeof connections.$inferSelect & {
  sentToday: number
  /** Category of each template it uses. */
  categories: ReadonlyMap<string, string>
}

/** Whoever asks again for the same campaign waits for the newer answer: the older question is given up. */
const latest = new Map<string, symbol>()

/**
 * What would happen if it were started: who is found, left out and written to, what it costs and how long it takes, what gets
 * numbers banned, and ten of them as they will read. Nothing is written.
 */
export const rehearse = async (actor: Asking, id: string): Promise<CampaignRehearsal> => {
  const key = `${actor.userId}:${id}`
  const mine = Symbol(id)
  latest.set(key, mine)
  const goOn = () => {
    if (latest.get(key) !== mine)
      throw new AppError('ERR_CONFLICT', { message: 'Um novo ensaio desta campanha começou.' })
  }
  try {
    const { row, judging, ways, problems, lost } = await withTenant(actor.tenantId, async (tx) => {
      const row = await findCampaign(tx, id)
      const problems = await startProblems(tx, row)
      const isMissing = problems.some(({ path }) => path.startsWith('audience.'))
      const judging = isMissing ? undefined : await judgingOf(tx, row)
      return { row, ways: await waysOf(tx, row), problems, lost: isMissing ? [] : await lostLines(tx, row), judging }
    })
    const counted = judging ? await count(actor, judging, goOn) : nobody()
    for (const [reason, lines] of lost)
      counted.groups.push({
        reason,
        connectionId: null,
        variant: null,
        count: lines,
        brazilian: 0,
        strangers: 0,
        free: 0,
        later: [],
      })
    const shown = judging && counted.where ? await sampleOf(actor, { row, judging, where: counted.where }) : []
    return await tell(actor, { row, ways, problems, counted, shown })
  } finally {
    if (latest.get(key) === mine) latest.delete(key)
  }
}

const waysOf = async (tx: Tx, row: StoredCampaign): Promise<WayRow[]> => {
  const { timezone } = await getDirectory(tx.tenantId)
  const rows = await tx.db
    .select({
      connection: connections,
      sentToday: sql<number>`case when ${connectionPace.sentOn} = (now() at time zone ${timezone})::date then ${connectionPace.sentToday} else 0 end`,
    })
    .from(connections)
    .leftJoin(
      connectionPace,
      and(eq(connectionPace.tenantId, connections.tenantId), eq(connectionPace.connectionId, connections.id)),
    )
    .where(
      and(
        eq(connections.tenantId, tx.tenantId),
        inArray(connections.id, row.connectionIds),
        isNull(connections.deletedAt),
      ),
    )
  const sayings = await sayingsOf(tx, row, row.connectionIds)
  return rows.map(({ connection, sentToday }) => ({
    ...{ ...connection, sentToday: sentToday ?? 0 },
    categories: new Map(
      [...(sayings.get(connection.id)?.templates ?? [])].map(([key, { category }]) => [key, category]),
    ),
  }))
}

type Group = {
  /** As recipients keep it. */
  reason: string | null
  connectionId: string | null
  variant: number | null
  count: number
  /** With a number of Brazil; who never wrote. */
  brazilian: number
  strangers: number
  /** With a number of Brazil, and inside the hours in which words are free. */
  free: number
  /** What each variant of what follows would lack for some of them; null: for some of them nothing. */
  later: (string | null)[][]
}
export type Counted = { groups: Group[]; where: Slice | undefined }
const nobody = (): Counted => ({ groups: [], where: undefined })

const count = async (actor: Asking, judging: Judging, goOn: () => void): Promise<Counted> => {
  const groups = new Map<string, Group>()
  let where: Slice | undefined
  const gaps = laterVariants(judging.laterSteps).map(
    (_, at) => sql`jsonb_agg(distinct j.later[${sql.raw(String(at + 1))}])`,
  )
  for (let after: string | null = null; ; ) {
    goOn()
    const { rows, slice, upTo } = await withReport(actor, async (tx) => {
      await tx.db.execute(sql`select set_config('work_mem', '64MB', true)`)
      const { slice, upTo } = await nextSlice(tx, judging, after)
      const { rows } = await tx.db.execute<Group>(sql`
        select j.reason, j.connection_id as "connectionId", j.variant, count(*)::int as count,
          count(*) filter (where j.number like '55%')::int as brazilian,
          count(*) filter (where coalesce(a.last_message_at = 'epoch', true))::int as strangers,
          count(*) filter (where j.number like '55%' and j.reason is null and ${isInWindow})::int as free,
          jsonb_build_array(${sql.join(gaps, sql`, `)}) as later
        from (${judged(judging, slice, { isFrozen: false })}) j
          left join contact_activity a on a.tenant_id = ${tx.tenantId} and a.contact_id = j.contact_id
        group by 1, 2, 3`)
      return { rows, slice, upTo }
    })
    for (const one of rows) {
      const key = `${one.reason} ${one.connectionId} ${one.variant}`
      const before = groups.get(key)
      if (!before) groups.set(key, one)
      else {
        before.count += one.count
        before.brazilian += one.brazilian
        before.strangers += one.strangers
        before.free += one.free
        before.later = before.later.map((some, at) => [...new Set([...some, ...(one.later[at] ?? [])])])
      }
    }
    // Any slice will do for the sample; each further one is as likely as those before.
    if (rows.some(({ reason }) => reason === null) && (!where || Math.random() < 0.3)) where = slice
    if (upTo === null) return { groups: [...groups.values()], where }
    after = upTo
  }
}

/** Whether a contact wrote by that connection so lately that words may go instead of a template. */
const isInWindow = sql`(a.last_message_at > now() - interval '7 days' and exists (select from tickets o
  join connections n on n.tenant_id = o.tenant_id and n.id = o.connection_id
  where o.tenant_id = a.tenant_id and o.contact_id = j.contact_id and o.connection_id = j.connection_id
    and o.last_inbound_at > now() - make_interval(hours => (n.abilities ->> 'windowHours')::int)))`

type Shown = {
  contact: { id: string; name: string; number: string | null }
  connectionId: string
  variant: number
  rendered: Rendered
  /** What follows, of those who are shown. */
  later: Rendered[]
}
/** So many are rendered for what it costs, of which ten are shown. */
const renderedOf = 40
const shownOf = 10

type Sampling = { row: StoredCampaign; judging: Judging; where: Slice }
const sampleOf = async (actor: Asking, { row, judging, where }: Sampling): Promise<Shown[]> =>
  withReport(actor, async (tx) => {
    const sayings = await sayingsOf(tx, row, row.connectionIds)
    const { rows } = await tx.db.execute<Chosen>(sql`
      select c.id, c.name, c.number, c.email, c.business_name as "businessName",
        ${sql.raw(laneName)} as kanban, c.extra_info as "extraInfo",
        s.connection_id as "connectionId", coalesce(s.variant, 0) as variant, s.vars,
        (select max(o.last_inbound_at) from tickets o where o.tenant_id = c.tenant_id and o.contact_id = c.id
          and o.connection_id = s.connection_id) as "windowFrom"
      from (select j.* from (${judged(judging, where, { isFrozen: false })}) j where j.reason is null or ${lacksVariable}
        order by (j.reason is null) desc, random() limit ${renderedOf}) s
      join contacts c on c.tenant_id = ${tx.tenantId} and c.id = s.contact_id`)
    return rows.flatMap(({ connectionId, variant, vars, windowFrom, ...contact }, at): Shown[] => {
      const known = connectionId === null ? undefined : sayings.get(connectionId)
      const saying = known && { ...known, unsubscribeUrl: () => '(link de cada pessoa)' }
      const content = row.plan.steps[0]?.variants[variant]?.content
      if (!saying || !content || connectionId === null) return []
      const heard = windowFrom === null ? null : new Date(windowFrom)
      const recipient = { id: contact.id, contact, vars }
      const rendered = renderSend(saying, content, { ...recipient, windowFrom: heard })
      const later = (at < shownOf ? row.plan.steps.slice(1) : []).flatMap((step) => {
        const next = step.variants[variantOf(step, contact.id) ?? 0]
        return next ? renderSend(saying, next.content, { ...recipient, windowFrom: null }) : []
      })
      const { id, name, number } = contact
      return [{ contact: { id, name, number }, connectionId, variant, rendered, later }]
    })
  })
type Chosen = {
  id: string
  name: string
  number: string | null
  email: string | null
  businessName: string
  kanban: string | null
  extraInfo: { name: string; value: string }[]
  connectionId: string | null
  variant: number
  vars: Record<string, string> | null
  windowFrom: string | null
}

/** A problem of one of several contents says of which. */
const placed = ({ steps }: StoredCampaign['plan'], { path, message }: FieldProblem): string => {
  const [, step, variant] = /^steps\.(\d+)\.variants\.(\d+)/.exec(path)?.map(Number) ?? []
  if (step === undefined || variant === undefined) return message
  const where = [
    ...(steps.length > 1 ? [`Envio ${step + 1}`] : []),
    ...((steps[step]?.variants.length ?? 0) > 1 ? [`Variante ${variantNames[variant]}`] : []),
  ]
  return where.length ? `${where.join(', ')}: ${message}` : message
}

type Telling = {
  row: StoredCampaign
  ways: WayRow[]
  problems: Awaited<ReturnType<typeof startProblems>>
  counted: Counted
  shown: Shown[]
}
const tell = async (actor: Asking, { row, ways, problems, counted, shown }: Telling): Promise<CampaignRehearsal> => {
  const directory = await getDirectory(actor.tenantId)
  const { plan } = row
  const now = new Date()
  const calendar = { window: plan.window, holidays: directory.settings.holidays, timeZone: directory.timezone }
  const written = counted.groups.filter(({ reason }) => reason === null)
  const sum = (groups: readonly Group[], of: 'count' | 'brazilian' | 'strangers' = 'count') =>
    groups.reduce((all, one) => all + one[of], 0)
  const reached = sum(written)
  const wished = row.startsAt && row.startsAt > now ? row.startsAt : now
  const startsAt = firstOpen(calendar, wished) ?? wished
  const loads = ways.map((way) => {
    const mine = written.filter(({ connectionId }) => connectionId === way.id)
    const load = loadOf(way, {
      ...{ count: sum(mine), sentToday: way.sentToday, writtenToday: 0, pace: plan.pace },
      ...{ timeZone: directory.timezone, now, from: startsAt },
    })
    const tier = tierOf(way.health?.tier)
    const left = [load.leftToday, tier === null ? null : Math.max(0, tier - way.sentToday)].flatMap((one) => one ?? [])
    return { way, mine, load, leftToday: left.length ? Math.min(...left) : null }
  })
  const later = laterHours(plan, 1)
  const ends = loads.map(({ load }) =>
    endOfSteps(load, later, calendar, startsAt, waitsOf(plan, load.count, reached ? load.count / reached : 0)),
  )
  const endsAbout =
    ends.some((one) => one === null) || !ends.length
      ? null
      : new Date(Math.max(...ends.map((one) => one?.getTime() ?? 0)))
  const costs = loads.map(({ way, mine }) => costOf({ row, way, mine, shown, settings: directory.settings }))
  const known = costs.flatMap(({ cost }) => cost ?? [])
  const segments = costs.flatMap((one) => one.segments ?? [])
  const conflicts = await conflictsOf(actor, row, { from: startsAt, until: endsAbout })
  const texts = shown.flatMap(({ rendered }) => rendered.drafts?.map(({ body }) => body) ?? [])
  return {
    found: sum(counted.groups),
    skipped: [...Map.groupBy(counted.groups, ({ reason }) => reason)]
      .flatMap(([reason, some]) => (reason === null ? [] : [{ ...readSkip(reason), count: sum(some) }]))
      .toSorted((a, b) => b.count - a.count),
    reached,
    connections: loads.map(({ way, mine, leftToday }) => ({
      ...{ connection: { id: way.id, name: way.name }, count: sum(mine), leftToday },
    })),
    cost: known.length ? Math.round(known.reduce((all, one) => all + one, 0)) : null,
    segments: segments.length ? Math.round(segments.reduce((all, one) => all + one, 0)) : null,
    startsAt: startsAt.toISOString(),
    endsAbout: endsAbout?.toISOString() ?? null,
    warnings: [
      ...problems.map((one) => ({ level: 'blocks' as const, text: placed(plan, one), path: one.path })),
      ...warningsOf({
        ...{
          row,
          ways,
          settings: directory.settings,
          reached,
          found: sum(counted.groups),
          texts,
          conflicts,
          endsAbout,
        },
        strangers: sum(written, 'strangers'),
        unheard: unheardOf(plan, counted.groups),
        unpriced: loads.reduce(
          (all, { way, mine }) => all + (way.kind === 'waba' ? sum(mine) - sum(mine, 'brazilian') : 0),
          0,
        ),
        loads: loads.map(({ way, mine, leftToday, load }) => ({
          way,
          count: sum(mine),
          leftToday,
          restSeconds: load.restSeconds,
        })),
      }),
    ],
    sample: shown.slice(0, shownOf).flatMap(({ contact, connectionId, variant, rendered, later }) => {
      const way = ways.find(({ id }) => id === connectionId)
      if (!way) return []
      return {
        ...{ contact, connection: { id: way.id, name: way.name }, variant },
        ...asRead(way, rendered),
        later: later.map((next) => asRead(way, next)),
      }
    }),
  }
}

/** Variants that nobody gets: all of whom they are meant for lack what their words need. */
const unheardOf = ({ steps }: StoredCampaign['plan'], groups: readonly Group[]): Unheard[] => {
  const missingIn = (reason: string | null) => (reason === null ? null : readSkip(reason).missing)
  const first = (steps[0]?.variants ?? []).flatMap((_, variant): Unheard[] => {
    const mine = groups.filter((one) => one.variant === variant)
    const lacking = mine.filter(({ reason }) => missingIn(reason) !== null)
    if (!lacking.length || mine.some(({ reason }) => reason === null)) return []
    return [
      {
        ...{ step: 0, variant, count: lacking.reduce((all, { count }) => all + count, 0) },
        missing: [...new Set(lacking.flatMap(({ reason }) => missingIn(reason) ?? []))],
      },
    ]
  })
  // What follows goes to whoever got the first, by a draw of its own.
  const written = groups.filter(({ reason }) => reason === null)
  const later = laterVariants(steps.slice(1)).flatMap(({ step, variant }, at): Unheard[] => {
    const gaps = new Set(written.flatMap(({ later }) => later[at] ?? []))
    if (!gaps.size || gaps.has(null)) return []
    return [{ step, variant, count: null, missing: [...gaps].flatMap((reason) => missingIn(reason) ?? []) }]
  })
  return [...first, ...later]
}

const asRead = (way: Pick<WayRow, 'abilities'>, rendered: Rendered): ShownSend => ({
  texts: rendered.drafts?.map((draft) => draftAsRead(way, draft)) ?? [],
  problem: rendered.error ?? '',
  subject: rendered.drafts ? rendered.subject : '',
  missing: rendered.missing ?? [],
})
/** With the name of its file, and its choices as the channel shows them. */
const draftAsRead = ({ abilities }: Pick<WayRow, 'abilities'>, { body, file, payload }: OutgoingDraft): string => {
  const asked = payload?.interactive
  const lines = !asked
    ? [body]
    : carriedAs(abilities, asked, body) === 'text'
      ? [numberedText(asked, body)]
      : [asked.header, body, asked.footer, ...linesOf(asked).map((line) => `▸ ${line}`)]
  return [file && `[${file.name}]`, ...lines].filter(Boolean).join('\n')
}

/** How many people may be written to first in a day; null: nobody said, or as many as one likes. */
export const tierOf = (tier: string | undefined): number | null => {
  const [, count, thousands] = /^(\d+)(K?)$/.exec(tier ?? '') ?? []
  return count === undefined ? null : Number(count) * (thousands ? 1_000 : 1)
}

type Costing = {
  row: StoredCampaign
  way: WayRow
  mine: readonly Group[]
  shown: readonly Shown[]
  settings: Parameters<typeof messagePrice>[0]
}
/**
 * A template costs what its category does in Brazil, and nothing to whoever wrote lately and gets words instead; follow-ups
 * count as if nobody answered. An SMS costs as many parts as the sample has on average.
 */
const costOf = ({ row, way, mine, shown, settings }: Costing): { cost: number | null; segments: number | null } => {
  const reached = mine.reduce((all, { count }) => all + count, 0)
  if (!reached) return { cost: null, segments: null }
  const { sms } = way.abilities
  if (sms) {
    const counts = shown
      .filter(({ connectionId }) => connectionId === way.id)
      .flatMap(({ rendered }) => rendered.drafts?.map(({ body }) => smsOf(body, sms)) ?? [])
    if (!counts.length) return { cost: null, segments: null }
    const average = (values: number[]) => values.reduce((all, one) => all + one, 0) / counts.length
    const segments = average(counts.map((one) => one.segments)) * reached
    return {
      segments,
      cost: sms.price === null ? null : average(counts.map((one) => one.cost ?? 0)) * reached * 10_000,
    }
  }
  const prices = mine.flatMap(({ variant, brazilian, free }) =>
    row.plan.steps.flatMap(({ variants }, step) => {
      const { template, parts } = (variants[step ? 0 : (variant ?? 0)] ?? variants[0])?.content ?? {}
      const category = template && way.categories.get(templateKey(template))
      const price = category && isPriceCategory(category) ? messagePrice(settings, 'BR', category) : undefined
      // What follows comes when nobody knows who will have written; the first goes as words to who has.
      return price === undefined ? [] : [price * (brazilian - (parts?.length && !step ? free : 0))]
    }),
  )
  return { cost: prices.length ? prices.reduce((all, one) => all + one, 0) : null, segments: null }
}
