import { setImmediate as rest } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '../../../kit/errors.ts'
import { defineJob } from '../../core/jobs/job-kinds.ts'
import { enqueueJob } from '../../core/jobs/jobs.service.ts'
import { reserve } from '../../core/limits/reserve.ts'
import { visibleContacts } from '../contacts/contacts.policy.ts'
import { emitImport, findImport, rowsUntil, saveImport } from './import-rows.ts'
import { type Interpreted, interpret } from './interpret.ts'
import { matchRows } from './matching.queries.ts'
import { planRow } from './plan.ts'
import { byKeys, countRows, markRepeated, readRaw, saveChecked } from './rows.queries.ts'
import { readWords } from './words.ts'

export const importParams = z.object({ importId: z.uuid() })
export const stepSize = 500
/** So many rows are understood at once; then others may go first: the server answers people meanwhile. */
const atOnce = 25

/** Says of each row what would become of it, and why. Nothing of it is written to the contacts. */
export const checkImportJob = defineJob({
  kind: 'checkContactImport',
  can: 'contacts.import',
  params: importParams,
  stepSize,
  isWhole: true,
  next: async ({ tx, job, params }, limit) => {
    await byKeys(tx, { isLight: true })
    const rows = await readRaw(tx, params.importId, Number(job.cursor), limit)
    return rows.map((row) => ({ id: String(row.line), ...row }))
  },
  act: async ({ tx, params, actor, directory }, rows) => {
    const { mapping, options } = await findImport(tx, params.importId)
    const { blockedNumbers: blocked } = directory
    const words = await readWords(tx, directory, actor, options)
    const read: (Interpreted & { line: number })[] = []
    for (const [at, { line, cells }] of rows.entries()) {
      if (at % atOnce === atOnce - 1) await rest()
      read.push({ line, ...interpret(cells, mapping, words) })
    }
    const matched = await matchRows(tx, read, await visibleContacts(actor))
    const checked = read.map((row) => {
      const { existing, takenPhones } = matched.get(row.line) ?? {}
      const fields = row.fields.newTags
        ? { ...row.fields, tagIds: [...(row.fields.tagIds ?? []), newTagId] }
        : row.fields
      const plan = planRow({ ...row, fields }, existing, options, { taken: takenPhones, blocked })
      const { outcome, reason, before = null, after = null, given } = plan
      const known = { line: row.line, fields: row.fields, keys: row.keys, contactId: existing?.id ?? null }
      return { ...known, outcome, reason, before, after: outcome === 'update' ? { ...after, ...given } : null }
    })
    await saveChecked(tx, params.importId, checked)
    return []
  },
  finish: async ({ tx, params, actor }) => {
    const { importId } = params
    await markRepeated(tx, importId)
    const batch = await findImport(tx, importId)
    const counts = { ...batch.counts, ...tally(await countRows(tx, importId)) }
    const error = counts.create ? await noRoomFor(tx, counts.create) : null
    await saveImport(tx, importId, { state: 'checked', counts, error })
    if (batch.isAutomatic && !error) {
      const asks = { ...actor, impersonatorId: null }
      const total = counts.create + counts.update
      const job = await enqueueJob(tx, asks, { kind: 'importContacts', params, total, subject: batch.name })
      const begun = { jobId: job.id, startedAt: new Date(), rowsUntil: rowsUntil('done') }
      await saveImport(tx, importId, { state: 'running', ...begun })
    }
    await emitImport(tx, importId)
    return undefined
  },
})
/** Of a tag that is yet to be made: nobody has it. */
const newTagId = 'new'

/** Why the company's plan does not let them all in. */
const noRoomFor = async (tx: Parameters<typeof reserve>[0], many: number): Promise<string | null> => {
  try {
    await reserve(tx, 'contacts', many)
    return null
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

export const tally = (rows: Awaited<ReturnType<typeof countRows>>) => {
  const many = (outcome: string) => rows.find((row) => row.outcome === outcome)?.many ?? 0
  return {
    create: many('create'),
    update: many('update'),
    same: many('same'),
    skip: many('skip'),
    error: many('error'),
    partial: rows.reduce((sum, { partial }) => sum + partial, 0),
  }
}
