import { id } from '@balcao/contract/common.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { and, eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { z } from 'zod'
import type { Prepared, Tx } from '../../../db/database.ts'
import { suppressionLists } from '../../../db/schema/contacts/consent.ts'
import { jobParts } from '../../../db/schema/operations/bulk-jobs.ts'
import { byUser } from '../../../kit/actor.ts'
import { csvBody, csvHead } from '../../../kit/csv.ts'
import { defineJob, type Step } from '../../core/jobs/job-kinds.ts'
import { recordConsents, tellOptOuts } from './consent.ts'
import { channelsFor, readLine } from './suppression-lines.ts'

const stepSize = 1_000
const params = z.object({ listId: id })
type Params = z.output<typeof params>

/** A list taken in line by line, with a report that says what became of each. */
export const importOptOutsJob = defineJob({
  kind: 'importOptOuts',
  can: 'contacts.consent',
  params,
  stepSize,
  next: async ({ tx, job, params }, limit) => {
    const after = Number(job.cursor ?? 0)
    const rows = await tx.rows<{ place: number; body: string }>(linesAfter, [tx.tenantId, params.listId, after, limit])
    return rows.map((row) => ({ ...row, id: String(row.place) }))
  },
  act: async (step, lines) => {
    const { tx, params, actor } = step
    const list = await findList(tx, params.listId)
    const read = lines.map((line) => ({ ...line, ...outcomeOf(line.body, list.channels) }))
    const meant = read.flatMap(({ identities }) => identities)
    for (const channel of list.channels) {
      const identities = meant.filter((one) => channelsFor(one, [channel]).length)
      const said = { isGiven: false, source: 'csv' as const, proof: list.proof, listId: list.id }
      await recordConsents(tx, {
        ...said,
        identities,
        channels: [channel],
        purposes: list.purposes,
        author: byUser(actor),
      })
    }
    const refused = read.flatMap(({ place, body, problem }) =>
      problem ? [{ item: `Linha ${place}: ${body}`, reason: problem }] : [],
    )
    await tx.db
      .update(suppressionLists)
      .set({ accepted: sql`${suppressionLists.accepted} + ${lines.length - refused.length}` })
      .where(and(eq(suppressionLists.tenantId, tx.tenantId), eq(suppressionLists.id, list.id)))
    await writePart(step, csvBody(columns, read))
    await tellOptOuts(tx)
    return refused
  },
  finish: async ({ tx, params }) => {
    await tx.rows(dropLines, [tx.tenantId, params.listId])
    return { hasResult: true }
  },
})

/** What a list alone refuses is as it was before; what was said since stays. */
export const undoOptOutsJob = defineJob({
  kind: 'undoOptOuts',
  can: 'contacts.consent',
  params,
  stepSize,
  isWhole: true,
  next: ({ tx, job, params }, limit) =>
    tx.rows<Entry>(entriesAfter, [
      tx.tenantId,
      params.listId,
      job.cursor ?? '00000000-0000-0000-0000-000000000000',
      limit,
    ]),
  act: async ({ tx, actor, params }, entries) => {
    const list = await findList(tx, params.listId)
    const known = entries.map((entry) => ({ of: entry.id, id: v7() }))
    const told = [cutText(`Lista desfeita: ${list.proof}`, 500), JSON.stringify(byUser(actor))]
    await tx.rows(giveBackWhatWas, [tx.tenantId, params.listId, JSON.stringify(known), ...told])
    await tellOptOuts(tx)
    return []
  },
})

type Entry = { id: string }
const outcomeOf = (
  body: string,
  channels: Parameters<typeof channelsFor>[1],
): { identities: Identity[]; problem?: string } => {
  const read = readLine(body)
  if ('problem' in read) return { identities: [], problem: read.problem }
  const identities = read.identities.filter((one) => channelsFor(one, channels).length)
  return identities.length
    ? { identities }
    : { identities, problem: 'Nenhum dos canais escolhidos escreve para telefones.' }
}

const findList = async (tx: Tx, listId: string) => {
  const [list] = await tx.db
    .select()
    .from(suppressionLists)
    .where(and(eq(suppressionLists.tenantId, tx.tenantId), eq(suppressionLists.id, listId)))
  if (!list) throw new Error('A list of opt-outs is gone')
  return list
}

type Line = { place: number; body: string; problem?: string }
const columns = [
  { label: 'Linha', value: (line: Line) => line.place },
  { label: 'Valor', value: (line: Line) => line.body },
  { label: 'Resultado', value: (line: Line) => line.problem ?? 'Descadastrado' },
]
const writePart = ({ tx, job }: Step<Params>, body: string) => {
  const place = job.done + job.failed
  return tx.db.insert(jobParts).values({
    ...{
      tenantId: tx.tenantId,
      jobId: job.id,
      place: sql`(select count(*) from job_parts p where p.tenant_id = ${tx.tenantId} and p.job_id = ${job.id})`,
    },
    body: place ? body : csvHead(columns) + body,
  })
}

const linesAfter: Prepared = {
  name: 'suppression_lines_after',
  text: `select place, body from suppression_lines where tenant_id = $1 and list_id = $2 and place > $3 order by place limit $4`,
}
const dropLines: Prepared = {
  name: 'suppression_lines_drop',
  text: 'delete from suppression_lines where tenant_id = $1 and list_id = $2',
}
const entriesAfter: Prepared = {
  name: 'suppression_entries_after',
  text: `select id from consents where tenant_id = $1 and list_id = $2 and id > $3 order by id limit $4`,
}
/** Only where the list has the last word: what was said before it, or that nothing is known. */
const giveBackWhatWas: Prepared = {
  name: 'suppression_give_back',
  text: `insert into consents (tenant_id, id, identity_kind, identity_value, channel, purpose, is_given, source, proof, author, at)
    select e.tenant_id, r.id, e.identity_kind, e.identity_value, e.channel, e.purpose, was.is_given, coalesce(was.source, 'undo'),
      coalesce(was.proof, $4), coalesce(was.author, $5::jsonb), now()
    from jsonb_to_recordset($3::jsonb) as r(of uuid, id uuid)
      join consents e on e.tenant_id = $1 and e.id = r.of
      join consent_states s on s.tenant_id = $1 and s.identity_kind = e.identity_kind and s.identity_value = e.identity_value
        and s.channel = e.channel and s.purpose = e.purpose and s.entry_id = e.id
      left join lateral (
        select p.is_given, p.source, p.proof, p.author from consents p where p.tenant_id = $1 and p.identity_kind = e.identity_kind
          and p.identity_value = e.identity_value and p.channel = e.channel and p.purpose = e.purpose
          and (p.at, p.id) < (e.at, e.id) and p.list_id is distinct from $2::uuid
        order by p.at desc, p.id desc limit 1) was on true`,
}
