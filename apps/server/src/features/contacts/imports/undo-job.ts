import { defineJob } from '../../core/jobs/job-kinds.ts'
import { withdrawImportedRefusals } from '../consent/imported-consent.ts'
import { importParams } from './check-job.ts'
import { emitContactsChanged, emitImport, findImport, proofOf, saveImport } from './import-rows.ts'
import { byKeys, readDone } from './rows.queries.ts'
import { deleteUnused, forgetWritten, restoreChanged } from './undo.queries.ts'
import { lockImports } from './write.queries.ts'

/** Takes an import back: who it made goes, unless somebody uses or changed them; who it changed is as before. */
export const undoImportJob = defineJob({
  kind: 'undoContactImport',
  can: 'contacts.import',
  params: importParams,
  stepSize: 500,
  next: async ({ tx, job, params }, limit) => {
    await byKeys(tx)
    const rows = await readDone(tx, params.importId, Number(job.cursor), limit)
    return rows.map((row) => ({ id: String(row.line), ...row }))
  },
  act: async ({ tx, params, job }, rows) => {
    const batch = await findImport(tx, params.importId)
    await lockImports(tx)
    const { consent } = batch.options
    if (consent && !consent.isGiven) {
      const contactIds = rows.map(({ contactId }) => contactId)
      await withdrawImportedRefusals(tx, { ...consent, proof: proofOf(batch), contactIds, userId: job.userId })
    }
    const made = rows.filter(({ outcome }) => outcome === 'create').map(({ contactId }) => contactId)
    const deleted = await deleteUnused(tx, batch.id, made)
    const restored = await restoreChanged(
      tx,
      rows.filter(({ outcome }) => outcome === 'update'),
    )
    await forgetWritten(
      tx,
      batch.id,
      rows.map(({ line }) => line),
    )
    const { counts } = batch
    await saveImport(tx, batch.id, {
      counts: {
        ...counts,
        deleted: counts.deleted + deleted.length,
        restored: counts.restored + restored.length,
        kept: counts.kept + made.length - deleted.length,
      },
    })
    await emitImport(tx, batch.id)
    return []
  },
  finish: async ({ tx, params }) => {
    await saveImport(tx, params.importId, { state: 'undone', undoneAt: new Date() })
    await emitImport(tx, params.importId)
    await emitContactsChanged(tx)
    return undefined
  },
})
