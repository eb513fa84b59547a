import { fieldOf, type SegmentFieldKey, segmentFieldKeys } from '@balcao/contract/contacts/segments/fields.ts'
import { fold } from '@balcao/contract/contacts/segments/fold.ts'
import { kinds, operatorOf } from '@balcao/contract/contacts/segments/kinds.ts'
import { type At, dayFromNow, midnight } from '@balcao/contract/contacts/segments/moments.ts'
import { type Condition, matches, type Segment, segmentRules } from '@balcao/contract/contacts/segments/segments.ts'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { seedTenant, createConnection, createContact, createTicket, schema, withTenant } = await startTestApp()
const { readFacts } = await import('./facts.ts')
const { countMembers, findFew, nextMembers } = await import('./members.ts')
const { lookupOf } = await import('./parts.ts')
const { partOf } = await import('./rules.ts')

const hour = 3_600_000
/** A moment at which it is another day in most of the world than in UTC. */
const now = new Date('2026-03-01T02:30:00.000Z')
const zones = ['America/Sao_Paulo', 'Pacific/Kiritimati', 'America/Adak', 'UTC', 'Europe/Lisbon']

const letters = fc.constantFrom(...'aAáÁçÇñßøæœł  zZ09-_%\\.\'"中🙂', 'Ana', 'São', 'ana')
const words = fc.array(letters, { maxLength: 6 }).map((parts) => parts.join('').trim())
const cities = fc.constantFrom('', 'Recife', 'RECIFE', 'São Paulo', 'Sao paulo', 'Santo André')
const phones = fc.constantFrom(
  '5511987654321',
  '551133334444',
  '5521988887777',
  '5599911112222',
  '351912345678',
  '12025550123',
  '5511',
  '999',
)
const days = fc.constantFrom(
  '2026-02-28',
  '2024-02-29',
  '2026-03-01',
  '1980-03-02',
  '2026-02-27',
  '1999-12-31',
  '2026-03-31',
)
const keys = ['plano', 'Nota', 'x"y']
const wild = fc.oneof(
  fc.constantFrom(
    'Ouro',
    'ouro',
    'OURO ',
    '',
    '12',
    '12,5',
    '-3',
    '007',
    '1.5',
    '2026-02-28',
    '2026-02-31',
    '0000-01-01',
    '2026-3-1',
    'Sim',
    'Não',
    '1e5',
  ),
  words,
)
const moments = fc.oneof(
  fc.constantFrom(
    now,
    new Date(now.getTime() - 24 * hour),
    new Date(now.getTime() - 24 * hour - 1),
    new Date('2026-03-01T00:00:00Z'),
    new Date('2026-03-01T03:00:00Z'),
    new Date('2026-02-28T10:00:00Z'),
  ),
  fc.integer({ min: -24 * 40, max: 2 }).map((hours) => new Date(now.getTime() + hours * hour)),
)

type Company = {
  tenantId: number
  ids: string[]
  people: string[]
  tags: string[]
  lanes: string[]
  connections: string[]
  reasons: string[]
}

/** A company of contacts as odd as they come. */
const company = async (seed: number): Promise<Company> => {
  const tenant = await seedTenant()
  const { tenantId } = tenant
  let at = seed
  const draw = <Value>(arbitrary: fc.Arbitrary<Value>): Value => {
    at += 1
    const [value] = fc.sample(arbitrary, { seed: at, numRuns: 1 })
    return value as Value
  }
  const some = <Value>(values: Value[]): Value[] => draw(fc.subarray(values))
  const connections = [await createConnection(tenant), await createConnection(tenant, { kind: 'telegram' })]
  const people = [tenant.admin.id, tenant.agent.id]
  const made = (count: number) => Array.from({ length: count }, () => v7())
  const [tags, lanes, reasons] = [made(3), made(2), made(2)]
  const ids = made(60)
  await withTenant(tenantId, async ({ db }) => {
    const named = (id: string, n: number) => ({ tenantId, id, name: `${n} ${id}`, color: '#112233' })
    await db.insert(schema.tags).values(tags.map(named))
    await db.insert(schema.reasons).values(reasons.map(named))
    for (const [n, id] of lanes.entries())
      await db.execute(
        sql`insert into lanes (tenant_id, id, name, color, position) values (${tenantId}, ${id}, ${String(n)}, '#112233', ${n})`,
      )
    const used = new Set<string>()
    for (const id of ids) {
      const number = draw(fc.option(phones))
      const isFree = number !== null && !used.has(number)
      if (isFree) used.add(number)
      const place = {
        city: draw(cities),
        state: draw(fc.constantFrom('', 'SP', 'PE')),
        cep: '',
        street: '',
        number: '',
        complement: '',
        district: '',
      }
      const email = draw(fc.option(fc.constantFrom('ana@x.com', 'ANA@X.com', 'josé@y.com', 'a+b%_@z.com')))
      const laneId = draw(fc.option(fc.constantFrom(...lanes)))
      await db.insert(schema.contacts).values({
        tenantId,
        id,
        name: draw(words) || 'Zé',
        number: isFree ? number : null,
        email,
        businessName: draw(words),
        document: draw(fc.option(fc.constantFrom('52998224725', '11222333000181', '12ABC34501DE35'))),
        address: draw(fc.boolean()) ? place : null,
        birthdayDate: draw(fc.option(days)),
        laneId,
        laneAt: laneId ? now : null,
        isGroup: draw(fc.boolean()),
        extraInfo: draw(fc.array(fc.record({ name: fc.constantFrom(...keys), value: wild }), { maxLength: 4 })),
        createdAt: draw(moments),
      })
      const identities = [
        ...(isFree ? [{ kind: 'phone' as const, value: number }] : []),
        ...(draw(fc.boolean()) ? [{ kind: 'telegram' as const, value: id }] : []),
      ]
      for (const { kind, value } of identities)
        await db.insert(schema.contactIdentities).values({ tenantId, kind, value, contactId: id })
      if (isFree && draw(fc.boolean()))
        await db.execute(
          sql`insert into blocked_numbers (tenant_id, id, number) values (${tenantId}, ${v7()}, ${number})`,
        )
      for (const tagId of some(tags)) await db.insert(schema.contactTags).values({ tenantId, contactId: id, tagId })
      for (const userId of some(people))
        await db.insert(schema.contactWallets).values({ tenantId, contactId: id, userId })
      const { In, Out } = draw(fc.record({ In: fc.option(moments), Out: fc.option(moments) }))
      await db.execute(sql`update contact_activity set last_message_at = coalesce(${In?.toISOString() ?? null}::timestamptz, 'epoch'),
        last_sent_at = coalesce(${Out?.toISOString() ?? null}::timestamptz, 'epoch') where tenant_id = ${tenantId} and contact_id = ${id}`)
      for (const { kind, value } of [...identities, ...(email ? [{ kind: 'email' as const, value: email }] : [])])
        for (const isGiven of draw(fc.array(fc.option(fc.boolean()), { maxLength: 3 })))
          await db.insert(schema.consents).values({
            tenantId,
            identityKind: kind,
            identityValue: value,
            channel: draw(fc.constantFrom('waba', 'telegram')),
            purpose: draw(fc.constantFrom('marketing', 'research')),
            isGiven,
            source: 'person',
            proof: 'x',
            author: { kind: 'system', id: null, name: 'x' },
            at: draw(moments),
          })
      for (const _ of draw(fc.array(fc.constant(0), { maxLength: 3 }))) {
        const isClosed = draw(fc.boolean())
        const ticketId = v7()
        const connectionId = draw(fc.constantFrom(...connections))
        await db
          .insert(schema.tickets)
          .values({
            tenantId,
            id: ticketId,
            protocol: ticketId,
            contactId: id,
            connectionId,
            status: isClosed ? 'closed' : 'open',
            closedAt: isClosed ? draw(moments) : null,
            reasonId: isClosed ? draw(fc.option(fc.constantFrom(...reasons))) : null,
          })
          .onConflictDoNothing()
        if (isClosed)
          await db.insert(schema.ratings).values({
            tenantId,
            id: v7(),
            ticketId,
            contactId: id,
            connectionId,
            status: 'answered',
            grade: draw(fc.option(fc.integer({ min: 1, max: 5 }))),
            expiresAt: now,
            answeredAt: draw(moments),
          })
      }
    }
    // One became part of another: nobody any more.
    await db.execute(
      sql`update contacts set merged_into_id = ${ids[0]} where tenant_id = ${tenantId} and id = ${ids[1]}`,
    )
  })
  return { tenantId, ids, people, tags, lanes, connections, reasons }
}

const gone = '0190a000-0000-7000-8000-000000000000'
const conditionOf = (
  company: Company,
  fields: readonly SegmentFieldKey[] = segmentFieldKeys,
): fc.Arbitrary<Condition> => {
  const rowsOf = {
    tags: company.tags,
    lanes: company.lanes,
    people: [...company.people, 'me'],
    connections: company.connections,
    reasons: company.reasons,
    imports: [],
  }
  return fc.constantFrom(...fields).chain((field: SegmentFieldKey) => {
    const { kind, ops, options, key } = fieldOf(field)
    const names = ops ?? Object.keys(kinds[kind])
    const among =
      typeof options === 'string'
        ? [...(rowsOf[options as keyof typeof rowsOf] ?? []), gone]
        : options
          ? options.map(({ value }) => value)
          : ['Ouro', 'Sim', '12', 'x']
    const values = {
      none: fc.constant(undefined),
      text: fc
        .oneof(words, fc.constantFrom('ana', 'São', '%', '_', 'recife', "' or 1=1 --"))
        .filter((text) => text.trim() !== ''),
      number: fc.oneof(fc.constantFrom(0, 1, 2, 3, 4.5, 12, 12.5, -3, 7), fc.integer({ min: -2, max: 5 })),
      date: days,
      days: fc.constantFrom(0, 1, 2, 7, 30, 400),
      set: fc.uniqueArray(fc.constantFrom(...among), { minLength: 1, maxLength: 3 }),
    }
    return fc.constantFrom(...names).chain((op) =>
      fc
        .record({
          value: values[operatorOf(kind, op)?.takes ?? 'none'] as fc.Arbitrary<Condition['value']>,
          key:
            key === 'attribute'
              ? fc.constantFrom(...keys, 'nada')
              : key
                ? fc.constantFrom(...key.map(({ value }) => value))
                : fc.constant(undefined),
        })
        .map(({ value, key }) => ({
          field,
          op,
          ...(key !== undefined && { key }),
          ...(value !== undefined && { value }),
        })),
    )
  })
}
const segmentOf = (company: Company, fields?: readonly SegmentFieldKey[]): fc.Arbitrary<Segment> => {
  const condition = conditionOf(company, fields)
  const level = (depth: number): fc.Arbitrary<Segment> =>
    fc.record({
      match: fc.constantFrom('all' as const, 'any' as const, 'none' as const),
      rules: fc.array(
        depth ? fc.oneof({ weight: 3, arbitrary: condition }, { weight: 1, arbitrary: level(depth - 1) }) : condition,
        { maxLength: 4 },
      ),
    })
  return level(2)
}

test.each([1, 2, 3])(
  'the predicate, the set and the question asked of each contact name the same people (%d)',
  async (seed) => {
    const there = await company(seed * 10_000)
    let facts = await withTenant(there.tenantId, (tx) => readFacts(tx, there.ids))
    const alive = there.ids.filter((_, n) => n !== 1)
    const check = async (rules: Segment, timezone: string) => {
      expect(segmentRules.parse(rules)).toEqual(JSON.parse(JSON.stringify(segmentRules.parse(rules))))
      const given = segmentRules.parse(rules)
      const at: At = { now, timezone, me: there.people[0] ?? null }
      const expected = alive.filter((id) => matches(given, facts.get(id) ?? raise(id), at)).toSorted()
      await withTenant(there.tenantId, async (tx) => {
        const part = partOf(given, there.tenantId, at)
        expect((await findFew(tx, part, undefined))?.toSorted()).toEqual(expected)
        const { rows: found } = await tx.db.execute<{ id: string }>(
          sql`select c.id from contacts c where c.tenant_id = ${tx.tenantId} and c.merged_into_id is null and ${lookupOf(part)} order by c.id`,
        )
        expect(found.map(({ id }) => id)).toEqual(expected)
        expect(await countMembers(tx, part)).toEqual({ count: expected.length, isMore: false })
        const walked: string[] = []
        for (let cursor: string | null = null; ; ) {
          const step = await nextMembers(tx, part, { cursor, within: 17 })
          walked.push(...step.ids)
          cursor = step.cursor
          if (!cursor) break
        }
        expect(walked.toSorted()).toEqual(expected)
      })
    }
    // Each operator of each field by itself, then put together at random.
    for (const field of segmentFieldKeys)
      await fc.assert(
        fc.asyncProperty(conditionOf(there, [field]), fc.constantFrom(...zones), (one, zone) =>
          check({ match: 'all', rules: [one] }, zone),
        ),
        { numRuns: 4, seed, endOnFailure: true },
      )
    await fc.assert(fc.asyncProperty(segmentOf(there), fc.constantFrom(...zones), check), {
      numRuns: 150,
      seed,
      interruptAfterTimeLimit: 60_000,
    })
    // What several facets tell at once, and after everything they are made of has changed.
    for (const round of [1, 2]) {
      await fc.assert(fc.asyncProperty(segmentOf(there, facetFields), fc.constantFrom(...zones), check), {
        numRuns: 60,
        seed: seed + round,
        interruptAfterTimeLimit: 30_000,
      })
      await changeAll(there)
      facts = await withTenant(there.tenantId, (tx) => readFacts(tx, there.ids))
    }
  },
  120_000,
)
const facetFields = [
  'tags',
  'wallet',
  'lane',
  'phoneDdd',
  'phoneState',
  'state',
  'documentKind',
  'isGroup',
  'attributeChoice',
] as const

/** Tags and owners are given and taken, numbers, stages, addresses and fields go round among the contacts; who was merged is not. */
const changeAll = ({ tenantId, ids, tags, lanes, people }: Company) =>
  withTenant(tenantId, async ({ db }) => {
    await db.execute(
      sql`delete from contact_tags where tenant_id = ${tenantId} and hashtext(contact_id::text || tag_id::text) % 3 = 0`,
    )
    await db.execute(sql`insert into contact_tags (tenant_id, contact_id, tag_id) select ${tenantId}, c.id, t.id from contacts c, tags t
      where c.tenant_id = ${tenantId} and t.tenant_id = ${tenantId} and hashtext(t.id::text || c.id::text) % 4 = 0 and t.id = any(${sql.param(tags)}::uuid[]) on conflict do nothing`)
    await db.execute(sql`update contact_wallets w set user_id = ${people[0]} where tenant_id = ${tenantId} and hashtext(contact_id::text) % 3 = 0
      and not exists (select from contact_wallets o where o.tenant_id = w.tenant_id and o.contact_id = w.contact_id and o.user_id = ${people[0]})`)
    await db.execute(sql`update contacts c set lane_id = case when hashtext(id::text) % 2 = 0 then ${lanes[0]}::uuid end, lane_at = now(),
      is_group = not is_group, document = case when hashtext(id::text) % 3 = 0 then '52998224725' end,
      extra_info = case when hashtext(id::text) % 2 = 0 then extra_info else '[{"name": "plano", "value": "Ouro"}]' end,
      address = jsonb_build_object('city', 'Recife', 'state', 'PE') where tenant_id = ${tenantId} and hashtext(id::text) % 5 <> 0`)
    await db.execute(sql`update contacts set number = case when number like '5511%' then '55219' || right(number, 8) else null end
      where tenant_id = ${tenantId} and hashtext(id::text) % 3 = 0 and length(number) = 13`)
    await db.execute(sql`update contacts set merged_into_id = null where tenant_id = ${tenantId}`)
    await db.execute(
      sql`update contacts set merged_into_id = ${ids[0]} where tenant_id = ${tenantId} and id = ${ids[1]}`,
    )
    const { rows } =
      await db.execute(sql`select from contacts c left join contact_facets f on f.tenant_id = c.tenant_id and f.contact_id = c.id
      where c.tenant_id = ${tenantId} and f.facets is distinct from (select facets from facets_of_contact(c))`)
    expect(rows).toEqual([])
  })

const raise = (id: string): never => {
  throw new Error(`No facts of ${id}`)
}

test('texts are folded as the database folds them, for every letter people here write with', async () => {
  const tenant = await seedTenant()
  const signs = Array.from({ length: 0x17f - 0xc0 + 1 }, (_, n) => String.fromCodePoint(0xc0 + n)).filter(
    (one) => !/[×÷ĲĳĿŀŉŊŋſ]/.test(one),
  )
  const folded = await withTenant(tenant.tenantId, async ({ db }) => {
    const { rows } = await db.execute<{ folded: string[] }>(
      sql`select array(select norm(s) from unnest(${sql.param(signs)}::text[]) with ordinality u(s, n) order by n) as folded`,
    )
    return rows[0]?.folded ?? []
  })
  expect(signs.map((sign) => `${sign} ${fold(sign)}`)).toEqual(signs.map((sign, n) => `${sign} ${folded[n]}`))
})

test('a day begins where the database says it begins, in every zone and across changes of the clock', async () => {
  const tenant = await seedTenant()
  const asked = fc.sample(
    fc.tuple(
      fc.constantFrom(...zones, 'America/New_York', 'Australia/Lord_Howe'),
      fc.date({ min: new Date('2015-01-02'), max: new Date('2030-01-01'), noInvalidDate: true }),
    ),
    { numRuns: 300, seed: 7 },
  )
  const ours = asked.map(([timezone, date]) =>
    midnight(date.toISOString().slice(0, 10), { now, timezone, me: null }).toISOString(),
  )
  const theirs = await withTenant(tenant.tenantId, async ({ db }) => {
    const { rows } = await db.execute<{
      at: string
    }>(sql`select to_char((d::timestamp at time zone z) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from unnest(${sql.param(asked.map(([zone]) => zone))}::text[], ${sql.param(asked.map(([, date]) => date.toISOString().slice(0, 10)))}::text[]) with ordinality u(z, d, n) order by n`)
    return rows.map(({ at }) => at)
  })
  expect(ours).toEqual(theirs)
  expect(dayFromNow(0, { now, timezone: 'America/Sao_Paulo', me: null })).toBe('2026-02-28')
})

test('what is kept beside a contact of their conversations follows them: opened again, moved to another, deleted', async () => {
  const tenant = await seedTenant()
  const [one, other] = [await createContact(tenant), await createContact(tenant)]
  const [first, second] = [
    await createTicket(tenant, { contactId: one, status: 'closed' }),
    await createTicket(tenant, { contactId: one, status: 'closed' }),
  ]
  const write = (change: ReturnType<typeof sql>) => withTenant(tenant.tenantId, (tx) => tx.db.execute(change))
  const closeAt = (id: string, at: string | null) =>
    write(sql`update tickets set closed_at = ${at}::timestamptz where id = ${id}`)
  const kept = async () => {
    const { rows } =
      await write(sql`select contact_id as id, tickets, (last_closed_at at time zone 'UTC')::date::text as closed
      from contact_summary where tenant_id = ${tenant.tenantId} order by contact_id`)
    return rows.map(({ id, tickets, closed }) => [id === one ? 'one' : 'other', tickets, closed])
  }
  await closeAt(second, '2026-02-02')
  await closeAt(first, '2026-01-01')
  expect(await kept()).toEqual([
    ['one', 2, '2026-02-02'],
    ['other', 0, '1970-01-01'],
  ])
  await closeAt(second, null)
  expect(await kept()).toContainEqual(['one', 2, '2026-01-01'])
  await closeAt(second, '2026-03-03')
  await write(sql`update tickets set contact_id = ${other} where id = ${second}`)
  expect(await kept()).toEqual([
    ['one', 1, '2026-01-01'],
    ['other', 1, '2026-03-03'],
  ])
  await write(sql`delete from tickets where id = ${second}`)
  expect(await kept()).toContainEqual(['other', 0, '1970-01-01'])
})
