import { v7 } from 'uuid'
import type { Tx } from '../../../db/database.ts'
import { AppError } from '../../../kit/errors.ts'
import { defineJob } from '../../core/jobs/job-kinds.ts'
import { reserve } from '../../core/limits/reserve.ts'
import { recordImportedConsent } from '../consent/imported-consent.ts'
import { visibleContacts } from '../contacts/contacts.policy.ts'
import { importParams, tally } from './check-job.ts'
import { emitContactsChanged, emitImport, findImport, type ImportRow, proofOf, saveImport } from './import-rows.ts'
import { matchRows } from './matching.queries.ts'
import { type Existing, type Plan, planRow } from './plan.ts'
import { plainHeading } from './reading/headings.ts'
import {
  byKeys,
  countRows,
  markUnwritten,
  type ReadyRow,
  readReady,
  saveWritten,
  type WrittenRow,
} from './rows.queries.ts'
import { makeTags } from './words.ts'
import { giveTags, giveWallets, insertContacts, insertPhones, lockImports, updateContacts } from './write.queries.ts'

/** A step writes some 2 MB of log, which a message that comes meanwhile has to wait for. */
const stepSize = 200
/** Lists of contacts are told after so many steps: each of them is read anew then. */
const tellEverySteps = 50

/** Writes what the check said, step by step; whoever became a contact meanwhile is met as one. */
export const importContactsJob = defineJob({
  kind: 'importContacts',
  can: 'contacts.import',
  params: importParams,
  stepSize,
  next: async ({ tx, job, params }, limit) => {
    await byKeys(tx)
    const { options } = await findImport(tx, params.importId)
    const rows = await readReady(tx, params.importId, Number(job.cursor), limit, options.consent !== null)
    return rows.map((row) => ({ id: String(row.line), ...row }))
  },
  act: async ({ tx, job, params, actor, directory }, rows) => {
    const batch = await findImport(tx, params.importId)
    await lockImports(tx)
    const written = await writeRows(tx, batch, await withNewTags(tx, rows), {
      visible: await visibleContacts(actor),
      blocked: directory.blockedNumbers,
    })
    await saveWritten(tx, batch.id, written)
    const many = (outcome: string) => written.filter((row) => row.isWritten && row.outcome === outcome).length
    const { counts } = batch
    await saveImport(tx, batch.id, {
      counts: { ...counts, created: counts.created + many('create'), updated: counts.updated + many('update') },
    })
    await emitImport(tx, batch.id)
    if (Math.floor(job.done / stepSize) % tellEverySteps === 0) await emitContactsChanged(tx)
    return written
      .filter((row) => row.outcome === 'error')
      .map(({ line, reason }) => ({ item: String(line), reason: reason ?? '' }))
  },
  finish: async ({ tx, params }) => {
    await markUnwritten(tx, params.importId)
    const { counts } = await findImport(tx, params.importId)
    const now = tally(await countRows(tx, params.importId))
    const failed = Math.max(0, now.error - counts.error)
    await saveImport(tx, params.importId, {
      ...{ state: 'done', finishedAt: new Date(), error: null },
      counts: { ...counts, ...now, failed },
    })
    await emitImport(tx, params.importId)
    await emitContactsChanged(tx)
    return undefined
  },
})

/** Tags that the check saw to be missing have their ids now. */
const withNewTags = async (tx: Tx, rows: ReadyRow[]): Promise<ReadyRow[]> => {
  const names = [...new Set(rows.flatMap(({ fields }) => fields.newTags ?? []))]
  const ids = await makeTags(tx, names)
  return rows.map((row) => {
    const { newTags = [], tagIds = [] } = row.fields
    const made = newTags.flatMap((name) => ids.get(plainHeading(name)) ?? [])
    return made.length ? { ...row, fields: { ...row.fields, tagIds: [...new Set([...tagIds, ...made])] } } : row
  })
}

type Planned = Plan & { row: ReadyRow; contactId: string | undefined }
/** How often it looks again at rows whose person somebody else made at the same instant. */
const mostLooks = 3

const writeRows = async (
  tx: Tx,
  batch: ImportRow,
  all: ReadyRow[],
  { visible, blocked }: { visible: Awaited<ReturnType<typeof visibleContacts>>; blocked: ReadonlySet<string> },
): Promise<WrittenRow[]> => {
  const written: WrittenRow[] = []
  let left = all
  for (let look = 0; left.length && look < mostLooks; look += 1) {
    const plans = plansFor(left, await matchRows(tx, left, visible, 'lock'), batch, blocked)
    const { refused, made } = await create(tx, batch.id, plans)
    await change(tx, plans)
    const done = plans.filter((plan) => plan.outcome !== 'create' || made.has(plan.contactId ?? ''))
    await giveSets(
      tx,
      done.filter(({ outcome }) => outcome !== 'create'),
    )
    await giveConsent(tx, batch, done)
    written.push(...done.map(writtenOf), ...refused)
    const gone = new Set(written.map(({ line }) => line))
    left = left.filter(({ line }) => !gone.has(line))
  }
  return [...written, ...left.map((row) => refusal(row, 'Outra pessoa gravou este contato ao mesmo tempo.'))]
}

/** Two rows about one person: the second finds what the first has made of them. */
const plansFor = (
  rows: ReadyRow[],
  matched: Awaited<ReturnType<typeof matchRows>>,
  { options }: ImportRow,
  blocked: ReadonlySet<string>,
): Planned[] => {
  const now = new Map<string, Existing>()
  return rows.map((row) => {
    const { existing: found, takenPhones } = matched.get(row.line) ?? {}
    const existing = found && (now.get(found.id) ?? found)
    const plan = planRow({ ...row, problems: [] }, existing, options, { taken: takenPhones, blocked })
    if (existing && plan.values) now.set(existing.id, grown(existing, plan))
    const contactId = existing?.id ?? (plan.outcome === 'create' ? v7() : undefined)
    const isSaid = plan.reason !== null && row.reason?.includes(plan.reason)
    const reason = [row.reason, isSaid ? null : plan.reason].filter(Boolean).join(' ') || null
    return { ...plan, reason, row, contactId }
  })
}
const grown = (existing: Existing, { values, given }: Plan): Existing => ({
  ...existing,
  ...values,
  phones: [...existing.phones, ...(values?.number ? [values.number] : []), ...(given?.phones ?? [])],
  tagIds: [...existing.tagIds, ...(given?.tagIds ?? [])],
  walletIds: [...existing.walletIds, ...(given?.walletIds ?? [])],
})

const create = async (tx: Tx, importId: string, plans: Planned[]) => {
  const wanted = plans.flatMap(({ outcome, values, given, contactId }) =>
    outcome === 'create' && values && given && contactId ? [{ ...values, ...given, id: contactId }] : [],
  )
  if (!wanted.length) return { made: new Set<string>(), refused: [] }
  try {
    await reserve(tx, 'contacts', wanted.length)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const refused = plans.filter(({ outcome }) => outcome === 'create').map(({ row }) => refusal(row, error.message))
    return { made: new Set<string>(), refused }
  }
  return { made: await insertContacts(tx, importId, wanted), refused: [] }
}

/** Of several changes of one contact the last has them all. */
const change = async (tx: Tx, plans: Planned[]) => {
  const changes = plans.flatMap(({ outcome, values, given, contactId }) =>
    outcome === 'update' && values && contactId ? [{ ...values, id: contactId, phones: given?.phones ?? [] }] : [],
  )
  const last = new Map(changes.map((one) => [one.id, one]))
  await updateContacts(tx, [...last.values()])
  await insertPhones(
    tx,
    changes.flatMap(({ id, number, phones }) =>
      [...new Set([...(number ? [number] : []), ...phones])].map((phone) => ({ contactId: id, phone })),
    ),
  )
}

const giveSets = async (tx: Tx, plans: Planned[]) => {
  const pairs = (which: 'tagIds' | 'walletIds') =>
    plans.flatMap(({ contactId, given }) => (contactId ? (given?.[which] ?? []).map((id) => ({ contactId, id })) : []))
  await giveTags(tx, pairs('tagIds'))
  await giveWallets(tx, pairs('walletIds'))
}

const giveConsent = async (tx: Tx, batch: ImportRow, plans: Planned[]) => {
  const { consent } = batch.options
  if (!consent) return
  const contactIds = [...new Set(plans.flatMap(({ contactId }) => contactId ?? []))]
  await recordImportedConsent(tx, { ...consent, proof: proofOf(batch), contactIds, userId: batch.userId })
}

const writtenOf = ({ row, outcome, reason, contactId, before, after, given }: Planned): WrittenRow => ({
  line: row.line,
  outcome,
  reason,
  isWritten: outcome === 'create' || outcome === 'update' || outcome === 'same',
  contactId: contactId ?? null,
  before: outcome === 'update' ? (before ?? {}) : null,
  after: outcome === 'update' ? { ...after, ...given } : null,
})
const refusal = (row: ReadyRow, reason: string): WrittenRow => ({
  ...{ line: row.line, outcome: 'error', reason, isWritten: false, contactId: null, before: null, after: null },
})
