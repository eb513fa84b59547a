import type { ConnectionWork } from '@balcao/contract/channels/connections.ts'
import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import type { ConnectionOptions } from '@balcao/contract/channels/options.ts'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'

type Row = Omit<ConnectionWork, 'risks'> & { kind: ChannelKind; ageDays: number; options: ConnectionOptions }

/** What each connection of the company has done and has to do. */
export const listWork = (tenantId: number): Promise<ConnectionWork[]> =>
  withTenant(tenantId, async (tx) => (await tx.rows<Row>(workOfCompany, [tenantId])).map(withRisks))

/** The same of these, whosever they are. */
export const workOf = async (tx: Tx, ids: string[]): Promise<Map<string, ConnectionWork>> => {
  const rows = ids.length ? await tx.rows<Row>(workOfThese, [ids]) : []
  return new Map(rows.map((row) => [row.id, withRisks(row)]))
}

const withRisks = ({ kind, ageDays, options, ...row }: Row): ConnectionWork => ({
  ...row,
  risks: risksOf({ kind, ageDays, options, ...row }),
})

const isNewFor = 14
const manyOfANewNumber = 50
const manyADay = 300
const failedPart = 0.2
/** What networks ban numbers for: much at once from a new one, much every day, and what does not arrive. */
const risksOf = ({ kind, ageDays, options, sentToday, failedToday }: Omit<Row, 'id'>): string[] => {
  const { isUnofficial }: { isUnofficial?: boolean } = channels[kind]
  if (!isUnofficial) return []
  return [
    ageDays < isNewFor && sentToday > manyOfANewNumber && !options.warmUpFirst
      ? 'Número novo com muitos envios: ligue o aquecimento.'
      : '',
    sentToday > manyADay && !options.dailyMost ? `Mais de ${manyADay} envios hoje: defina um máximo por dia.` : '',
    sentToday >= 20 && failedToday / sentToday > failedPart
      ? 'Muitas mensagens não chegaram hoje: confira a lista antes de continuar.'
      : '',
  ].filter(Boolean)
}

const most = 1_000
const utc = (moment: string) => `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const workWhere = (
  which: string,
) => `select c.id, c.kind, c.options, extract(day from now() - c.created_at)::int as "ageDays", ${utc('c.status_at')} as since,
      ${utc('e.at')} as "lastEventAt", ${utc('p.last_sent_at')} as "lastSentAt", h.many as "inHand", ${utc('h.since')} as "inHandSince",
      w.many as waiting, f.many as "failedToday",
      case when p.sent_on = (now() at time zone t.timezone)::date then p.sent_today else 0 end as "sentToday"
    from connections c join tenants t on t.id = c.tenant_id
      left join connection_pace p on p.tenant_id = c.tenant_id and p.connection_id = c.id
      left join lateral (select j.received_at as at from journal j where j.tenant_id = c.tenant_id and j.connection_id = c.id
        order by j.received_at desc, j.id desc limit 1) e on true
      cross join lateral (select count(*)::int as many, min(x.received_at) as since from (
        select j.received_at from journal j where j.tenant_id = c.tenant_id and j.connection_id = c.id and j.state = 'received'
        limit ${most}) x) h
      cross join lateral (select count(*)::int as many from (select from messages m
        where m.tenant_id = c.tenant_id and m.connection_id = c.id and m.status = 'queued' limit ${most}) x) w
      cross join lateral (select count(*) filter (where x.created_at at time zone t.timezone >= (now() at time zone t.timezone)::date)::int
        as many from (select m.created_at from messages m where m.tenant_id = c.tenant_id and m.connection_id = c.id
        and m.status in ('failed', 'uncertain') and not m.is_deleted order by m.seq desc limit ${most}) x) f
    where ${which} and c.deleted_at is null order by c.name, c.id`
const workOfCompany: Prepared = { name: 'connection_work', text: workWhere('c.tenant_id = $1') }
const workOfThese: Prepared = { name: 'connection_work_of', text: workWhere('c.id = any($1::uuid[])') }
