import { contactsQuery } from '@balcao/contract/contacts/contacts.ts'
import { withTenant } from '../../../db/database.ts'
import { jobParts } from '../../../db/schema/operations/bulk-jobs.ts'
import type { Actor } from '../../../kit/actor.ts'
import { csvBody, csvHead } from '../../../kit/csv.ts'
import { defineJob, type Step } from '../../core/jobs/job-kinds.ts'
import { enqueueJob } from '../../core/jobs/jobs.service.ts'
import { withRules } from '../membership/members.ts'
import { auditOfExport, contactColumns } from './contacts.export.ts'
import type { ContactsQuery } from './contacts.queries.ts'
import { readPage } from './contacts.service.ts'

const stepSize = 1_000
/** The cursor once the last page is written. */
const over = 'over'

/** The contacts of a list as a file, however many they are: a page a step, kept until it is fetched. */
export const exportContactsJob = defineJob({
  kind: 'exportContacts',
  can: 'contacts.export',
  params: contactsQuery,
  stepSize,
  isWhole: true,
  next: async ({ tx, job, params, actor }, limit) => {
    if (job.cursor === over) return []
    const page = await readPage(tx, actor, { ...params, cursor: job.cursor ?? undefined, limit, count: false })
    const cursor = page.nextCursor ?? over
    return page.items.map((contact) => ({ id: contact.id, contact, cursor }))
  },
  act: async (step, items) => {
    const columns = await contactColumns(step.tx, step.directory.timezone)
    const body = csvBody(
      columns,
      items.map(({ contact }) => contact),
    )
    const { done } = step.job
    await writePart(step, done / stepSize, done ? body : csvHead(columns) + body)
    return []
  },
  finish: async (step) => {
    const { tx, directory, job } = step
    if (!job.done) await writePart(step, 0, csvHead(await contactColumns(tx, directory.timezone)))
    return { hasResult: true }
  },
})

const writePart = ({ tx, job }: Step<ContactsQuery>, place: number, body: string) =>
  tx.db.insert(jobParts).values({ tenantId: tx.tenantId, jobId: job.id, place: Math.ceil(place), body })

export const enqueueExport = (actor: Actor, { format, ...asked }: ContactsQuery & { format: 'csv' | 'xlsx' }) =>
  withTenant(actor.tenantId, async (tx) => {
    const params = { ...(await withRules(tx, actor, asked)), cursor: undefined, pageNumber: 1, limit: 1 }
    const { count = 0 } = await readPage(tx, actor, { ...params, count: true })
    const kind = format === 'xlsx' ? 'exportContactsXlsx' : 'exportContacts'
    return enqueueJob(tx, actor, { kind, params, total: count, audit: auditOfExport(asked) })
  })
