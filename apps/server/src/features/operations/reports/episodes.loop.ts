import { type Prepared, platformRows, withTenant } from '../../../db/database.ts'
import type { Round } from '../../../kit/workers.ts'
import { keepEpisodes } from './keep-episodes.ts'

/** Tickets read in one transaction, and companies in one round. */
const batch = 200
const companies = 4

export const isEpisodeMarked = 'select from episode_marks'

/** Brings the facts of what has changed up to date, each company in one process at a time. */
export const keepMarkedEpisodes = async (): Promise<Round> => {
  const waiting = await platformRows<{ tenantId: number }>(companiesWaiting, [companies])
  let did = 0
  for (const { tenantId } of waiting) did += await keepMarked(tenantId)
  return { did, isMore: did > 0 }
}

/**
 * The next marks of a company, each once: what committed before they are taken is read with them, and whatever commits
 * after has left a mark that stays. Answers how many there were; none while another process has the company.
 */
export const keepMarked = (tenantId: number): Promise<number> =>
  withTenant(tenantId, async (tx) => {
    const [lock] = await tx.rows<{ isMine: boolean }>(turn, [tenantId])
    if (!lock?.isMine) return 0
    const taken = await tx.rows<{ id: string }>(take, [tenantId, batch])
    const ids = [...new Set(taken.map(({ id }) => id))]
    if (ids.length) await keepEpisodes(tx, ids)
    return taken.length
  })

/** Makes the facts, and what they add up to, anew, of one company or all of them; beside a server that runs, too. */
export const rebuildEpisodes = async (tenantId: number | undefined, tell: (text: string) => void = () => {}) => {
  const companies = await platformRows<{ id: number }>(companyIds, [tenantId ?? null])
  if (tenantId !== undefined && !companies.length) tell(`Não há empresa com o número ${tenantId}.`)
  for (const { id } of companies) {
    await withTenant(id, (tx) => tx.rows(markAll, [id]))
    let left = await marksLeft(id)
    while (left) {
      tell(`Empresa ${id}: ${left} atendimentos por ler`)
      for (let did = 1, at = 0; did && at < tellEvery; at += 1) did = await keepMarked(id)
      left = await marksLeft(id)
    }
    await platformRows(makeSums, [id])
    tell(`Empresa ${id}: pronta`)
  }
}
const tellEvery = 50
const marksLeft = async (tenantId: number): Promise<number> => {
  const [row] = await withTenant(tenantId, (tx) => tx.rows<{ left: number }>(left, [tenantId]))
  return row?.left ?? 0
}

const companiesWaiting: Prepared = {
  name: 'episodes_waiting',
  text: `with recursive w as (
      (select tenant_id from episode_marks order by tenant_id limit 1)
      union all
      select (select m.tenant_id from episode_marks m where m.tenant_id > w.tenant_id order by m.tenant_id limit 1) from w where w.tenant_id is not null)
    select tenant_id as "tenantId" from w where tenant_id is not null order by random() limit $1`,
}
const turn: Prepared = {
  name: 'episodes_turn',
  text: `select pg_try_advisory_xact_lock(7220003, $1) as "isMine"`,
}
const take: Prepared = {
  name: 'episodes_take',
  text: `delete from episode_marks m using (select tenant_id, id from episode_marks where tenant_id = $1 limit $2 for update skip locked) t
    where m.tenant_id = t.tenant_id and m.id = t.id returning m.ticket_id as id`,
}
const companyIds: Prepared = {
  name: 'episodes_companies',
  text: 'select id from tenants where $1::int is null or id = $1 order by id',
}
const markAll: Prepared = {
  name: 'episodes_mark_all',
  text: `insert into episode_marks (tenant_id, id, ticket_id) select $1, gen_random_uuid(), t.id from tickets t
    where t.tenant_id = $1 and not t.is_hidden and not t.is_group
      and exists (select from ticket_logs l where l.tenant_id = $1 and l.ticket_id = t.id)`,
}
const left: Prepared = {
  name: 'episodes_marks_left',
  text: 'select count(*)::int as left from episode_marks where tenant_id = $1',
}
const makeSums: Prepared = { name: 'episodes_sums', text: 'select make_episode_sums($1)' }
