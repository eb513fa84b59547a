import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { downloadFile } from '../../../kit/download.ts'
import { session } from '../../../kit/session.ts'
import { notify } from '../../../ui/notify.ts'
import { changeJob, isUnderWay, type JobChange, receiveJob } from '../../conversations/tickets/bulk-api.ts'

/** What can be done with a job: held, gone on with, ended, taken back, and its file fetched by whoever asked for it. */
export const JobActions = ({ job }: { job: BulkJob }) => {
  const cache = useQueryClient()
  const [busy, setBusy] = useState<JobChange | 'download' | null>(null)
  const during = async (what: JobChange | 'download', work: () => Promise<void>) => {
    setBusy(what)
    try {
      await work()
    } catch (error) {
      notify.error(messageOf(error))
    } finally {
      setBusy(null)
    }
  }
  const change = (what: JobChange) => during(what, async () => receiveJob(cache, await changeJob(job.id, what)))
  const download = () => during('download', () => downloadFile({ path: `/bulkJobs/${job.id}/result` }))
  const action = (what: JobChange | 'download', label: string, handle: () => Promise<void>) => (
    <Button
      variant="subtle"
      color={what === 'download' ? undefined : 'gray'}
      size="compact-sm"
      loading={busy === what}
      onClick={() => void handle()}
    >
      {label}
    </Button>
  )
  return (
    <>
      {job.hasResult && job.userId === session.get()?.userId && action('download', 'Baixar arquivo', download)}
      {job.state === 'paused' && action('resume', 'Continuar', () => change('resume'))}
      {isUnderWay(job) && job.state !== 'paused' && job.canPause && action('pause', 'Pausar', () => change('pause'))}
      {job.canRetry && action('retry', 'Tentar de novo', () => change('retry'))}
      {job.canUndo && action('undo', 'Desfazer', () => change('undo'))}
      {isUnderWay(job) && action('cancel', 'Cancelar', () => change('cancel'))}
    </>
  )
}
