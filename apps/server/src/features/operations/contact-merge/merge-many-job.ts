import { id } from '@balcao/contract/common.ts'
import { type keepRules, mergeManyBody } from '@balcao/contract/contacts/duplicates.ts'
import { and, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { type ContactRow, isThere, readContacts } from '../../contacts/contacts/contact-rows.ts'
import { visibleContacts } from '../../contacts/contacts/contacts.policy.ts'
import { defineJob, type JobActor, type Refusal } from '../../core/jobs/job-kinds.ts'
import { enqueueJob } from '../../core/jobs/jobs.service.ts'
import { keepForUndo, nextKeptBack } from '../../core/jobs/undo-parts.ts'
import { separate, unite } from './contact-merge.service.ts'
import { countDuplicates, type Pair, suggested, tellDuplicates } from './duplicates.ts'

type Params = z.output<typeof mergeManyBody>
/** Each is a merge of its own, undone by itself or with all of its job; a few a step, as each holds its conversations. */
const stepSize = 5

/** Pairs made one by a rule: the chosen ones, or all of some reasons. */
export const mergeContactsJob = defineJob({
  kind: 'mergeContacts',
  can: 'contacts.merge',
  params: mergeManyBody,
  stepSize,
  undoneBy: 'undoMergeContacts',
  next: async ({ tx, job, params, actor }, limit) => {
    const pairs = params.pairs
      ? params.pairs
          .slice(Number(job.cursor ?? 0))
          .map((pair, at) => ({ ...pair, cursor: String(Number(job.cursor ?? 0) + at + 1) }))
      : await openPairs(tx, actor, params, job.cursor, limit)
    return pairs.slice(0, limit).map((pair) => ({ ...pair, id: `${pair.aId}:${pair.bId}` }))
  },
  act: async ({ tx, job, params, actor }, pairs) => {
    const outcomes = []
    for (const pair of pairs) outcomes.push(await mergeByRule(tx, actor, pair, params.keep))
    await keepForUndo(
      { tx, job },
      outcomes.flatMap((one) => one?.mergeId ?? []),
    )
    await tellDuplicates(tx)
    return outcomes.flatMap((one) => one?.refused ?? [])
  },
})

/** Makes of each what it was, the latest first: who was united twice comes back in two steps. They are suggested again. */
export const undoMergeContactsJob = defineJob({
  kind: 'undoMergeContacts',
  can: 'contacts.merge',
  params: z.object({}),
  stepSize,
  next: async ({ tx, job }, limit) =>
    (await nextKeptBack(tx, job, limit)).map(({ one, cursor }) => ({ id: id.parse(one), cursor })),
  act: async ({ tx, actor }, merges) => {
    const visible = await visibleContacts(actor)
    const refused = []
    for (const { id: mergeId } of merges) {
      const reason = await separateAgain(tx, mergeId, { ...actor, impersonatorId: null }, visible)
      if (reason) refused.push({ item: mergeId, reason })
    }
    await tellDuplicates(tx)
    return refused
  },
})

/** Why they stay one, where they do. Somebody may have made them two before. */
const separateAgain = async (...merge: Parameters<typeof separate>): Promise<string | undefined> => {
  try {
    await separate(...merge)
    return undefined
  } catch (error) {
    // Each is thrown before anything is written.
    if (!(error instanceof AppError)) throw error
    if (error.code === 'ERR_MERGE_NOT_LAST')
      return 'O contato que ficou foi unido depois a outro. Desfaça aquela união antes.'
    if (error.code === 'ERR_NO_CONTACT_FOUND') return 'O contato está na carteira de outra pessoa.'
    if (error.code === 'ERR_NOT_FOUND') return undefined
    throw error
  }
}

const openPairs = async (tx: Tx, actor: JobActor, { reasons }: Params, cursor: string | null, limit: number) => {
  const [a, b] = cursor?.split(':') ?? []
  const after = a ? sql`(p.a_id, p.b_id) > (${a}::uuid, ${b}::uuid)` : undefined
  const { rows } = await tx.db.execute<Pair>(sql`select p.a_id as "aId", p.b_id as "bId" from duplicate_pairs p
    where ${and(await suggested(actor, { state: 'open', reasons }), after)} order by p.a_id, p.b_id limit ${limit}`)
  return rows.map((row) => ({ ...row, cursor: `${row.aId}:${row.bId}` }))
}

type Outcome = { mergeId: string; refused?: undefined } | { refused: Refusal; mergeId?: undefined } | undefined
/** The merge, or why they stay two. Who has become part of somebody meanwhile is that one. */
const mergeByRule = async (
  tx: Tx,
  actor: JobActor,
  { aId, bId }: Pair,
  keep: (typeof keepRules)[number],
): Promise<Outcome> => {
  const [row] = await tx.rows<{ a: string | null; b: string | null }>(whoTheyAre, [tx.tenantId, aId, bId])
  if (!row?.a || !row.b || row.a === row.b) return undefined
  const visible = await visibleContacts(actor)
  const [a, b] = (await readContacts(tx, [row.a, row.b])).toSorted((one, other) => (one.id < other.id ? -1 : 1))
  if (!a || !b) return undefined
  const who = `${a.name} e ${b.name}`
  if (!(await isThere(tx, visible, a.id)) || !(await isThere(tx, visible, b.id)))
    return { refused: { item: who, reason: 'Um dos contatos está na carteira de outra pessoa.' } }
  const [kept, other] = isKept(a, b, keep) ? [a, b] : [b, a]
  const outcome = await unite(tx, { keptId: kept.id, otherId: other.id, take: [] }, { ...actor, impersonatorId: null })
  if (outcome !== 'both active') return outcome && { mergeId: outcome.mergeId }
  const reason = 'Os dois estão em atendimento no mesmo canal. Encerre ou una um dos atendimentos.'
  return { refused: { item: who, reason } }
}
const isKept = (a: ContactRow, b: ContactRow, keep: (typeof keepRules)[number]): boolean => {
  if (keep === 'complete') return filled(a) >= filled(b)
  return keep === 'older' ? a.createdAt <= b.createdAt : a.createdAt > b.createdAt
}
const filled = ({
  number,
  email,
  document,
  address,
  birthdayDate,
  businessName,
  profilePicUrl,
  notes,
  laneId,
  ...row
}: ContactRow) =>
  [number, email, document, address, birthdayDate, businessName, profilePicUrl, notes, laneId].filter(Boolean).length +
  row.extraInfo.filter(({ value }) => value).length +
  row.tags.length +
  row.wallets.length +
  row.identities.length +
  Number(row.isNameFixed)

const whoTheyAre: Prepared = {
  name: 'duplicates_who_they_are',
  text: `with recursive up as (
      select id as from_id, id, merged_into_id from contacts where tenant_id = $1 and id in ($2, $3)
      union all select u.from_id, c.id, c.merged_into_id from up u join contacts c on c.tenant_id = $1 and c.id = u.merged_into_id)
    select (select id from up where from_id = $2 and merged_into_id is null) as a,
      (select id from up where from_id = $3 and merged_into_id is null) as b`,
}

export const mergeMany = async (actor: Actor, params: Params) => {
  const total = params.pairs?.length ?? (await countDuplicates(actor, { state: 'open', reasons: params.reasons }))
  return withTenant(actor.tenantId, (tx) =>
    enqueueJob(tx, actor, {
      ...{ kind: 'mergeContacts', params, total },
      audit: {
        action: 'bulk.mergeContacts',
        entity: 'contact',
        entityId: 'all',
        after: { total, keep: params.keep, reasons: params.reasons },
      },
    }),
  )
}
