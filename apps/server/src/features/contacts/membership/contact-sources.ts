import { birthdaysWithin, dayFromNow } from '@balcao/contract/contacts/segments/moments.ts'
import { dddsOf } from '@balcao/contract/contacts/segments/places.ts'
import { type SQL, sql } from 'drizzle-orm'
import { isIndexed, isOfWords, likePattern } from '../../../kit/cursor.ts'
import type { Part } from './parts.ts'
import {
  facet,
  faceted,
  flagRows,
  listOf,
  momentRows,
  numberRows,
  type Question,
  type Source,
  setRows,
  textRows,
  texts,
  uuids,
} from './source.ts'

/** Where the contacts' own fields are: what higher domains know of a contact stands with them. */
const own = ({ tenantId }: Question) => ({
  from: sql`contacts c`,
  id: sql`c.id`,
  where: sql`c.tenant_id = ${tenantId}`,
  isUnique: true as const,
  isOwn: true as const,
})
const link = (table: SQL) => (asked: Question) => ({
  from: sql`${table} x`,
  id: sql`x.contact_id`,
  where: sql`x.tenant_id = ${asked.tenantId}`,
  isUnique: true as const,
})
/** One of `contact_values`: what a contact has, by key. */
const attributeOf = (key: string | ((asked: Question) => string)) => (asked: Question) => ({
  from: sql`contact_values x`,
  id: sql`x.contact_id`,
  where: sql`x.tenant_id = ${asked.tenantId} and x.key = ${typeof key === 'string' ? key : key(asked)}`,
  isUnique: true as const,
})
const attribute = attributeOf(({ key }) => `extra.${key}`)
/** The longest value of a contact that is a facet. */
const longestFacet = 60
const identities = link(sql`contact_identities`)
/** Whether there is any is kept beside the contact: who has none is as quick to find as who has one. */
const linked =
  (table: SQL, [kind, has]: [string, string], isThere: SQL, isIn: (ids: string[]) => SQL): Source =>
  (asked) => {
    if (asked.op !== 'filled') return faceted(kind, setRows(link(table), isIn))(asked)
    const { where, ...place } = summary(asked)
    return {
      rows: {
        ...place,
        where: sql`${where} and ${isThere}`,
        others: sql`${where} and not ${isThere}`,
        facets: { any: [facet(asked, has, 'true')], none: facet(asked, has, 'false') },
      },
    }
  }
const activity = link(sql`contact_activity`)
const summary = link(sql`contact_summary`)

/** Texts of the contact itself: the search text, which holds them all, says at once who cannot be meant. */
const searchedText =
  (field: 'name' | 'email'): Source =>
  (asked) => {
    const place = own(asked)
    if (asked.op === 'filled')
      return { rows: { ...place, where: sql`${place.where} and c.${sql.identifier(field)} <> ''` } }
    const words = String(asked.value ?? '')
    const said = sql`norm(${words})`
    const exactly = (text: SQL) =>
      ({
        is: sql`norm(${text}) = ${said}`,
        begins: sql`starts_with(norm(${text}), ${said})`,
        contains: sql`position(${said} in norm(${text})) > 0`,
      })[asked.op] ?? sql`false`
    const found = sql`position(${said} in c.search) > 0`
    const where = sql`${place.where} and ${found} and ${exactly(sql`c.${sql.identifier(field)}`)}`
    const isQuick = isIndexed(words) && isOfWords(words)
    const isSo = sql`select ${exactly(sql`o.${sql.identifier(field)}`)} from contacts o where o.tenant_id = ${asked.tenantId} and o.id = c.id`
    return {
      rows: {
        ...place,
        where,
        test: sql`(${found} and coalesce((${isSo}), false))`,
        ...(isQuick && { found: sql`contacts_called(${field}, ${asked.op}, ${words}, ${likePattern(words)}) c` }),
      },
    }
  }

/** Numbers that begin so, along the index of numbers. */
const begins = (start: string) => sql`(c.number >= ${start} and c.number < ${nextOf(start)})`
const nextOf = (start: string) => String(Number(start) + 1)
const anyOf = (conditions: SQL[]) => (conditions.length ? sql`(${sql.join(conditions, sql` or `)})` : sql`false`)
/** Of twelve or thirteen digits: said by what they have not, the planner takes most for such. */
const inDdds = (ddds: string[]) =>
  sql`${anyOf(ddds.map((ddd) => begins(`55${ddd}`)))} and length(c.number) <> all('{4,5,6,7,8,9,10,11,14,15}')`

/** What was last said for a channel and purpose, by whatever a contact is known by: an address of theirs is one. */
const said = ({ tenantId, key }: Question, condition: SQL): Part => {
  const [channel = '', purpose = ''] = key.split('.')
  const where = sql`s.tenant_id = ${tenantId} and s.channel = ${channel} and s.purpose = ${purpose} and ${condition}`
  const by = (from: SQL, id: SQL): Part => ({ rows: { from: sql`consent_states s join ${from}`, id, where } })
  return {
    any: [
      by(
        sql`contact_identities x on x.tenant_id = s.tenant_id and x.kind = s.identity_kind and x.value = s.identity_value`,
        sql`x.contact_id`,
      ),
      by(
        sql`contacts e on e.tenant_id = s.tenant_id and s.identity_kind = 'email' and e.email = s.identity_value`,
        sql`e.id`,
      ),
    ],
  }
}
const consent: Source = (asked) => {
  const refused = said(asked, sql`not s.is_given`)
  const known = said(asked, sql`s.is_given is not null`)
  const states: Record<string, Part> = {
    refused,
    given: { all: [known, { not: refused }] },
    unknown: { not: known },
  }
  return { any: listOf(asked).flatMap((state) => states[state] ?? []) }
}

const days: Source = (asked) => {
  const today = dayFromNow(0, asked.at)
  const other = (days: number) => dayFromNow(days, asked.at)
  const place = attribute(asked)
  const count = Number(asked.value)
  const day = (text: string) => sql`${text}::date`
  const conditions: Record<string, () => SQL> = {
    before: () => sql`x.day < ${day(String(asked.value))}`,
    from: () => sql`x.day >= ${day(String(asked.value))}`,
    past: () => sql`x.day >= ${day(other(-count))} and x.day <= ${day(today)}`,
    next: () => sql`x.day >= ${day(today)} and x.day <= ${day(other(count))}`,
    filled: () => sql`x.day is not null`,
  }
  return { rows: { ...place, where: sql`${place.where} and ${conditions[asked.op]?.() ?? sql`false`}` } }
}

const birthday: Source = (asked) => {
  const place = attributeOf('birthday')(asked)
  if (asked.op === 'filled') return { rows: place }
  const numbers = birthdaysWithin(Number(asked.value), asked.at)
  return { rows: { ...place, where: sql`${place.where} and x.number = any(${sql.param(numbers)}::float8[])` } }
}

const lastMoment =
  (table: typeof activity, column: SQL): Source =>
  (asked) => {
    const place = table(asked)
    const happened = { ...place, where: sql`${place.where} and ${column} > 'epoch'` }
    if (asked.op !== 'filled') return momentRows(() => happened, column)(asked)
    return { rows: { ...happened, others: sql`${place.where} and ${column} = 'epoch'` } }
  }

const mostTickets = 2_147_483_647
const tickets: Source = (asked) => {
  const place = summary(asked)
  const said = Number(asked.value ?? 0)
  const [least, most] = [Math.ceil(said), Math.floor(said)].map((count) =>
    Math.max(-mostTickets, Math.min(mostTickets, count)),
  )
  const conditions: Record<string, SQL> = {
    equals: least === most ? sql`x.tickets = ${least}` : sql`false`,
    atLeast: sql`x.tickets >= ${least}`,
    atMost: sql`x.tickets <= ${most}`,
  }
  return { rows: { ...place, where: sql`${place.where} and ${conditions[asked.op] ?? sql`x.tickets > 0`}` } }
}

export const contactSources = {
  name: searchedText('name'),
  email: searchedText('email'),
  businessName: textRows(attributeOf('company'), sql`x.value`),
  documentKind: faceted(
    'value',
    setRows(attributeOf('document'), (kinds) => sql`x.value collate "C" = ${texts(kinds)}`),
    (kinds) => kinds.map((kind) => `document=${kind}`),
  ),
  phoneDdd: faceted('ddd', setRows(own, inDdds)),
  phoneState: faceted(
    'ddd',
    setRows(own, (states) => inDdds(states.flatMap(dddsOf))),
    (states) => states.flatMap(dddsOf),
  ),
  phoneCountry: setRows(own, (codes) => anyOf(codes.map(begins)), sql`c.number <> ''`),
  birthdayMonth: setRows(attributeOf('birthday'), (months) =>
    anyOf(months.map((month) => sql`(x.number >= ${Number(month) * 100} and x.number < ${Number(month) * 100 + 100})`)),
  ),
  birthday,
  city: textRows(attributeOf('city'), sql`x.value`),
  state: faceted(
    'value',
    setRows(
      attributeOf('state'),
      (states) => sql`x.value collate "C" = ${texts(states.map((one) => one.toLowerCase()))}`,
    ),
    (states) => states.map((one) => `state=${one.toLowerCase()}`),
  ),
  createdAt: momentRows(own, sql`c.created_at`),
  isGroup: (asked) => ({
    rows: {
      ...own(asked),
      where: sql`${own(asked).where} and c.is_group`,
      facets: { any: [facet(asked, 'group', '')] },
    },
  }),
  attributeText: textRows(attribute, sql`x.value`),
  attributeNumber: numberRows(attribute, sql`x.number`),
  attributeDay: days,
  attributeChoice: faceted(
    'value',
    setRows(attribute, (values) => sql`x.value collate "C" = ${texts(values)}`),
    (values, { key }) =>
      values.every((value) => value.length <= longestFacet)
        ? values.map((value) => `extra.${key}=${value}`)
        : undefined,
  ),
  tags: linked(sql`contact_tags`, ['tag', 'tagged'], sql`x.is_tagged`, (ids) => sql`x.tag_id = ${uuids(ids)}`),
  lane: (asked) => {
    const part = faceted(
      'lane',
      setRows(own, (ids) => sql`c.lane_id = ${uuids(ids)}`, sql`c.lane_id is not null`),
    )(asked)
    const facets = { any: [facet(asked, 'staged', 'true')], none: facet(asked, 'staged', 'false') }
    return asked.op === 'filled' && 'rows' in part ? { rows: { ...part.rows, facets } } : part
  },
  wallet: linked(sql`contact_wallets`, ['owner', 'owned'], sql`x.is_owned`, (ids) => sql`x.user_id = ${uuids(ids)}`),
  batch: faceted(
    'import',
    setRows(own, (ids) => sql`c.import_id = ${uuids(ids)}`, sql`c.import_id is not null`),
  ),
  isBlocked: flagRows((asked) => ({
    from: sql`blocked_numbers b join contact_identities x on x.tenant_id = b.tenant_id and x.kind = 'phone' and x.value = b.number`,
    id: sql`x.contact_id`,
    where: sql`b.tenant_id = ${asked.tenantId}`,
  })),
  identity: setRows(
    (asked) => ({ ...identities(asked), isUnique: undefined }),
    (kinds) => sql`x.kind = ${texts(kinds)}`,
  ),
  consent,
  lastIn: lastMoment(activity, sql`x.last_message_at`),
  lastOut: lastMoment(activity, sql`x.last_sent_at`),
  lastClosed: lastMoment(summary, sql`x.last_closed_at`),
  tickets,
} satisfies Record<string, Source>
