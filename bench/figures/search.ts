import { firstNames, lastNames } from '../../apps/server/src/demo/people.ts'
import { type Bench, bearer } from '../bench.ts'
import { compare, load, requestOf } from '../load.ts'
import { atMost, percentile, rounded, tell } from '../report.ts'
import { startBare } from '../servers.ts'
import { rareWords } from '../words.ts'

/** Contacts by whole names, by a first name or a surname alone, and by the end of a number, each among 100,000. */
export const measureContacts = async (bench: Bench) => {
  await searches(bench, 15, '/api/contacts?searchParam=', {
    'contacts by name': fullNames,
    'contacts by first name': firstNames,
    'contacts by surname': lastNames,
    'contacts by number': await numberEnds(bench),
  })
}

/** Tickets by the contact's name and by a rare word in 1,000,000 messages. */
export const measureSearch = async (bench: Bench) => {
  await searches(bench, 25, '/api/tickets?status=open&status=pending&status=closed&searchParam=', {
    'tickets by name': fullNames,
    'tickets by rare word': rareWords,
  })
}

/**
 * GET /searchMessage over 1,100,000 messages: common words, rare ones and none, for somebody who sees everything and for
 * an agent of two queues; and whether the database finds them by the trigram index.
 */
export const measureMessageSearch = async ({ db, server, admin, agent }: Bench) => {
  const kinds = {
    common: ['bom dia', 'pedido', 'boa tarde', 'obrigado', 'entrega', 'produto'],
    'two common words': ['entrega prazo', 'amanhã hoje', 'azul modelo estoque', 'nota fiscal cupom'],
    rare: rareWords,
    none: ['zzzzqq', 'ñandutí', '99887766554'],
  }
  const before = await scansOfIndex(db)
  for (const [who, caller] of Object.entries({ 'who sees everything': admin, 'an agent': agent })) {
    for (const [kind, words] of Object.entries(kinds)) {
      const { latenciesMs } = await load({
        port: server.port,
        connections: 1,
        count: 120,
        next: (n) =>
          requestOf(
            'GET',
            `/api/searchMessage?searchParam=${encodeURIComponent(words[n % words.length] ?? '')}`,
            bearer(caller),
          ),
      })
      atMost(150, {
        name: `message search, ${kind}, ${who}, p95`,
        value: percentile(latenciesMs, 95),
        unit: 'ms',
        compared: { p50Ms: rounded(percentile(latenciesMs, 50)) },
      })
    }
  }
  const scans = (await scansOfIndex(db)) - before
  tell({ name: 'message search by trigrams', value: scans, unit: 'looks', target: '> 0 looks', ok: scans > 0 })
}

/** How often the database has looked into the index of words. */
const scansOfIndex = async (db: Bench['db']): Promise<number> => {
  const { rows } = await db.query<{ scans: number }>(
    `select idx_scan::int as scans from pg_stat_user_indexes where indexrelname = 'messages_search'`,
  )
  return rows[0]?.scans ?? 0
}

const fullNames = Array.from(
  { length: 97 },
  (_, n) => `${firstNames[(n * 5) % firstNames.length]} ${lastNames[(n * 7) % lastNames.length]}`,
)

const numberEnds = async ({ db }: Bench) => {
  const { rows } = await db.query<{ tail: string }>(
    'select right(number, 7) as tail from contacts where number is not null order by id limit 97',
  )
  return rows.map((row) => row.tail)
}

const searches = async (bench: Bench, limitMs: number, path: string, kinds: Record<string, string[]>) => {
  for (const [name, words] of Object.entries(kinds)) {
    const paths = words.map((word) => `${path}${encodeURIComponent(word)}`)
    const recorded = await Promise.all(paths.slice(0, 1).map((one) => bench.record(one, bench.admin)))
    const bare = await startBare({
      databaseUrl: bench.ownerUrl,
      routes: recorded.map((statements) => ({ path: '/', statements })),
    })
    const requests = paths.map((one) => requestOf('GET', one, bearer(bench.admin)))
    const plain = requestOf('GET', '/')
    try {
      const [ours, theirs] = await compare(
        { port: bench.server.port, next: (n) => requests[n % requests.length] ?? plain },
        { port: bare.port, next: () => plain },
        1,
        1_000,
      )
      const compared = {
        bare: rounded(theirs.p975Ms),
        p50Ms: rounded(ours.p50Ms),
        bareP50Ms: rounded(theirs.p50Ms),
        words: words.length,
        statements: recorded[0]?.length ?? 0,
      }
      atMost(limitMs, { name: `${name}, 1 connection, p97.5`, value: ours.p975Ms, unit: 'ms', compared })
    } finally {
      await bare.stop()
    }
  }
}
