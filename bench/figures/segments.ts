import type { Segment } from '@balcao/contract/contacts/segments/segments.ts'
import { type Bench, bearer } from '../bench.ts'
import { load, requestOf } from '../load.ts'
import { atMost, percentile, rounded } from '../report.ts'
import { tenantId } from '../seed.ts'

/** Who belongs to a segment: how many, and the first page of them in the order of their names. */
export const measureSegments = async ({ db, server, admin }: Bench) => {
  for (const [name, rules] of Object.entries(await segmentsOf(db))) {
    const ask = (path: string, body?: string) =>
      load({
        port: server.port,
        connections: 1,
        count: 24,
        next: () => requestOf(body ? 'POST' : 'GET', path, { ...bearer(admin), ...(body && json) }, body),
      })
    const counts = await ask('/api/segments/count', JSON.stringify({ rules }))
    atMost(500, {
      name: `count of a segment: ${name}, p95`,
      value: percentile(counts.latenciesMs, 95),
      unit: 'ms',
      compared: { p50: rounded(percentile(counts.latenciesMs, 50)) },
    })
    const pages = await ask(`/api/contacts?limit=50&segment=${encodeURIComponent(JSON.stringify(rules))}`)
    atMost(60, {
      name: `page of a segment: ${name}, p95`,
      value: percentile(pages.latenciesMs, 95),
      unit: 'ms',
      compared: { p50: rounded(percentile(pages.latenciesMs, 50)) },
    })
  }
}

const json = { 'content-type': 'application/json' }

/** As companies make them, of what every seeded contact has. */
const segmentsOf = async (db: Bench['db']): Promise<Record<string, Segment>> => {
  const ids = async (table: 'tags' | 'connections') =>
    (await db.query<{ id: string }>(`select id from ${table} where tenant_id = $1 order by id`, [tenantId])).rows.map(
      ({ id }) => id,
    )
  const [tags, connections] = [await ids('tags'), await ids('connections')]
  const tag = tags.slice(0, 1)
  return {
    'a tag': { match: 'all', rules: [{ field: 'tags', op: 'any', value: tag }] },
    'a tag, and wrote within a day': {
      match: 'all',
      rules: [
        { field: 'tags', op: 'any', value: tag },
        { field: 'lastIn', op: 'within', value: 1 },
      ],
    },
    'one area code, no tag': {
      match: 'all',
      rules: [
        { field: 'phoneDdd', op: 'any', value: ['11'] },
        { field: 'tags', op: 'empty' },
      ],
    },
    'in a wallet, a tag or an open conversation': {
      match: 'all',
      rules: [
        { field: 'wallet', op: 'filled' },
        {
          match: 'any',
          rules: [
            { field: 'tags', op: 'any', value: tags.slice(1, 3) },
            { field: 'hasOpenTicket', op: 'yes' },
          ],
        },
      ],
    },
    'a channel, closed more than 90 days ago': {
      match: 'all',
      rules: [
        { field: 'connection', op: 'any', value: connections.slice(0, 1) },
        { field: 'lastClosed', op: 'older', value: 90 },
      ],
    },
    'a name, with an address': {
      match: 'all',
      rules: [
        { field: 'name', op: 'contains', value: 'silva' },
        { field: 'email', op: 'filled' },
      ],
    },
    'everybody but whom we wrote to': { match: 'none', rules: [{ field: 'lastOut', op: 'filled' }] },
  }
}
