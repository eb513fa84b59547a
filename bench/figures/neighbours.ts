import { abilitiesOf } from '@balcao/contract/channels/index.ts'
import { type Bench, bearer, type Caller } from '../bench.ts'
import { ask, connect, load, requestOf } from '../load.ts'
import { atMost, percentile, rounded } from '../report.ts'
import { v7 } from '../uuid.ts'

const searchers = 50
export const otherTenantId = 2
const words = ['%%%', 'a%b', 'de ', 'entrega prazo', 'bom dia', 'zzzzqq', '. .', 'ão']
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** What a company feels of another one's people who search without end: its sends, quiet and beside fifty of them. */
export const measureNeighbours = async (bench: Bench) => {
  const { server, agents } = bench
  const {
    caller,
    ticketIds: [ticketId = ''],
  } = await otherCompany(bench)
  const send = () =>
    requestOf(
      'POST',
      `/api/messages/${ticketId}`,
      { ...bearer(caller), 'content-type': 'application/json' },
      JSON.stringify({ id: v7(), body: 'Seu pedido saiu para entrega.' }),
    )
  const sends = async () => (await load({ port: server.port, connections: 1, count: 400, next: send })).latenciesMs
  await sends()
  const quiet = await sends()

  const statuses = new Map<number, number>()
  let isOver = false
  const searching = Array.from({ length: searchers }, async (_, n) => {
    const connection = await connect(server.port)
    for (let at = n; !isOver; at += 1) {
      const path = `/api/searchMessage?searchParam=${encodeURIComponent(words[at % words.length] ?? '')}`
      const { status } = await connection.send(requestOf('GET', path, bearer(agents[n % agents.length] ?? caller)))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status !== 200 && !isOver) await pause(1_000) // as a person does who is told to wait
    }
    connection.close()
  })
  await pause(1_000)
  const beside = await sends()
  isOver = true
  await Promise.all(searching)

  const quietP99Ms = percentile(quiet, 99)
  atMost(rounded(2 * quietP99Ms), {
    name: `sends of a company beside ${searchers} searches of another, p99`,
    value: percentile(beside, 99),
    unit: 'ms',
    compared: {
      quietP99Ms: rounded(quietP99Ms),
      p50Ms: rounded(percentile(beside, 50)),
      quietP50Ms: rounded(percentile(quiet, 50)),
      ...Object.fromEntries([...statuses].map(([status, times]) => [`searches${status}`, times])),
    },
  })
  await bench.db.query('delete from messages where tenant_id = $1', [otherTenantId])
  const { status } = await ask(server.port, requestOf('GET', '/ready'))
  if (status !== 200) throw new Error(`Not ready afterwards: ${status}`)
}

/** A second company with so many conversations of one person on its site's chat. */
export const otherCompany = async (
  { db, tokenFor }: Bench,
  many = 1,
): Promise<{ caller: Caller; ticketIds: string[] }> => {
  await db.query(`insert into tenants (id, name) values (${otherTenantId}, 'Outra empresa') on conflict do nothing`)
  const { rows } = await db.query<{ id: string; userId: string }>(
    `with person as (insert into users (tenant_id, id, name, email, password_hash, profile)
         values (${otherTenantId}, uuidv7(), 'Ana', 'ana' || clock_timestamp() || '@outra.local', 'x', 'admin') returning id),
       channel as (insert into connections (tenant_id, id, kind, name, status, config, abilities, hook_secret)
         values (${otherTenantId}, uuidv7(), 'webchat', 'Chat ' || clock_timestamp(), 'CONNECTED', '{"allowAnyDomain": true}', $1::jsonb, 'bench-hook') returning id),
       customers as (insert into contacts (tenant_id, id, name)
         select ${otherTenantId}, uuidv7(), 'João ' || n from generate_series(1, $2::int) n returning id)
     insert into tickets (tenant_id, id, protocol, status, contact_id, connection_id, user_id, updated_at)
       select ${otherTenantId}, uuidv7(), 'M' || uuidv7(), 'open', customers.id, channel.id, person.id, now()
       from person, channel, customers returning id, user_id as "userId"`,
    [JSON.stringify(abilitiesOf('webchat', {})), many],
  )
  const [row] = rows
  if (!row) throw new Error('No other company')
  const token = await tokenFor(row.userId, otherTenantId)
  return { caller: { id: row.userId, token }, ticketIds: rows.map(({ id }) => id) }
}
