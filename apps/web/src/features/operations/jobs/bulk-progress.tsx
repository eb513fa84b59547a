import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { nowMs } from '../../../ui/server-time.ts'
import { bulkJobsQuery, isUnderWay } from '../../conversations/tickets/bulk-api.ts'
import classes from './bulk-progress.module.css'

const BulkJobLine = lazy(async () => ({ default: (await import('./bulk-job-line.tsx')).BulkJobLine }))

const doneShownForMs = 3_600_000
const most = 3

type Props = { kind?: BulkJob['kind']; only?: (job: BulkJob) => boolean }

/** What works through many conversations in my name, also after a reload, until it is done and put away; or of one kind, where it was asked for. */
export const BulkProgress = ({ kind, only = () => true }: Props) => {
  const jobs = useQuery(bulkJobsQuery)
  const [seen, setSeen] = useLocalStorage<string[]>({ key: 'acoesEmMassaVistas', defaultValue: [] })
  const shown = (jobs.data ?? [])
    .filter((job) => (kind ? job.kind === kind : !job.kind.startsWith('export') && job.kind !== 'evaluateAssistant'))
    .filter(only)
    .filter((job) => isUnderWay(job) || (!seen.includes(job.id) && isFresh(job)))
    .slice(0, most)
  if (!shown.length) return null
  return (
    <section className={classes.jobs} aria-label="Ações em massa">
      <Suspense fallback={null}>
        {shown.map((job) => (
          <BulkJobLine key={job.id} job={job} onPutAway={() => setSeen([job.id, ...seen].slice(0, 50))} />
        ))}
      </Suspense>
    </section>
  )
}

const isFresh = ({ finishedAt }: BulkJob) =>
  finishedAt !== null && nowMs() - new Date(finishedAt).getTime() < doneShownForMs
