import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
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
  const retry = () =>
    during('retry', async () => {
      receiveJob(cache, await changeJob(job.id, 'retry'))
      notify.success('Na fila: só o que faltou.')
    })
  const download = () => during('download', () => downloadFile({ path: `/bulkJobs/${job.id}/result` }))
  const action = (what: JobChange | 'download', label: string, handle: () => Promise<void>) => (
    <Button
      variant="subtle"
      color={what === 'download' ? undefined : 'gray'}
      size="compact-sm"
      loading={busy === what}
      // The second press of a double click was meant for the job that stood here: not for the one that takes its place.
      onClick={(event) => event.detail > 1 || void handle()}
    >
      {label}
    </Button>
  )
  return (
    <>
      {job.hasResult && job.userId === session.get()?.userId && action('download', 'Baixar arquivo', download)}
      {job.state === 'paused'
        ? action('resume', 'Continuar', () => change('resume'))
        : isUnderWay(job) && job.canPause && action('pause', 'Pausar', () => change('pause'))}
      {(job.kind === 'groupAct' || job.kind === 'undoGroupAct') && <GroupResults jobId={job.id} />}
      {job.canRetry && action('retry', 'Tentar de novo', retry)}
      {job.canUndo && action('undo', 'Desfazer', () => change('undo'))}
      {isUnderWay(job) && action('cancel', 'Cancelar', () => change('cancel'))}
    </>
  )
}

/** What became of each group, beside the list one looks at. */
const GroupResults = ({ jobId }: { jobId: string }) => {
  const { pathname, search } = useLocation()
  const isBeside = pathname.startsWith('/grupo/massa')
  const params = new URLSearchParams(isBeside ? search : '')
  if (params.get('resultado') === jobId) return null
  params.set('resultado', jobId)
  return (
    <Button
      component={Link}
      to={`${isBeside ? pathname : '/grupo/massagrupos'}?${params}`}
      variant="subtle"
      color="gray"
      size="compact-sm"
    >
      Ver por grupo
    </Button>
  )
}
