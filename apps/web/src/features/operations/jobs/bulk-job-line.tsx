import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { CloseButton, Progress } from '@mantine/core'
import { isUnderWay } from '../../conversations/tickets/bulk-api.ts'
import classes from './bulk-progress.module.css'
import { JobActions } from './job-actions.tsx'
import { JobRefusals } from './job-refusals.tsx'
import { jobName, jobText, percentOf } from './job-words.ts'

/** One of them where it was asked for: how far it is, or how it ended. */
export const BulkJobLine = ({ job, onPutAway }: { job: BulkJob; onPutAway: () => void }) => (
  <div className={classes.job}>
    <div className={classes.words}>
      <span className={classes.title}>{jobName(job)}</span>{' '}
      <span className={`tabular ${classes.hint}`} role="status">
        {jobText(job)}
      </span>
      {job.failed > 0 && ' '}
      {job.failed > 0 && <JobRefusals job={job} />}
      {isUnderWay(job) && (
        <Progress className={classes.bar} size={4} value={percentOf(job)} aria-label={jobName(job)} />
      )}
    </div>
    <JobActions job={job} />
    {!isUnderWay(job) && <CloseButton size="sm" aria-label="Dispensar" onClick={onPutAway} />}
  </div>
)
