import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { Button, CloseButton, Progress } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { downloadFile } from '../../../kit/download.ts'
import { formatNumber, plural } from '../../../kit/format.ts'
import { notify } from '../../../ui/notify.ts'
import { changeJob, isUnderWay, type JobChange, receiveJob } from '../../conversations/tickets/bulk-api.ts'
import classes from './bulk-progress.module.css'
import { JobRefusals } from './job-refusals.tsx'

/** One of them: how far it is, or how it ended. */
export const BulkJobLine = ({ job, onPutAway }: { job: BulkJob; onPutAway: () => void }) => {
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
  const change = (what: JobChange) => during(what, async () => void receiveJob(cache, await changeJob(job.id, what)))
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
  const download = () => during('download', () => downloadFile({ path: `/bulkJobs/${job.id}/result.csv` }))
  const share = job.total ? Math.min(100, ((job.done + job.failed) / job.total) * 100) : 100
  return (
    <div className={classes.job}>
      <div className={classes.words}>
        <span className={classes.title}>{titles[job.kind]}</span>{' '}
        <span className={`tabular ${classes.hint}`} role="status">
          {textOf(job)}
        </span>
        {job.failed > 0 && <JobRefusals job={job} />}
        {isUnderWay(job) && <Progress className={classes.bar} size={4} value={share} aria-label={titles[job.kind]} />}
      </div>
      {job.hasResult && action('download', 'Baixar arquivo', download)}
      {isUnderWay(job) ? (
        <>
          {job.state === 'paused'
            ? action('resume', 'Continuar', () => change('resume'))
            : action('pause', 'Pausar', () => change('pause'))}
          {action('cancel', 'Cancelar', () => change('cancel'))}
        </>
      ) : (
        <CloseButton size="sm" aria-label="Dispensar" onClick={onPutAway} />
      )}
    </div>
  )
}

const titles: Record<BulkJob['kind'], string> = {
  closeTickets: 'Encerrar atendimentos',
  transferQueue: 'Transferir de fila',
  moveChannel: 'Mudar de canal',
  markRead: 'Marcar como lido',
  tagTickets: 'Etiquetar atendimentos',
  replaceTag: 'Trocar etiqueta',
  replaceQueue: 'Trocar fila',
  replaceReason: 'Trocar motivo',
  exportContacts: 'Exportar contatos',
}
const textOf = (job: BulkJob): string => {
  const soFar = `${formatNumber(job.done + job.failed)} de ${formatNumber(job.total)}`
  if (job.state === 'paused') return `Em pausa: ${soFar}`
  if (isUnderWay(job)) return soFar
  const done =
    job.kind === 'exportContacts' ? plural(job.done, 'contato', 'contatos') : plural(job.done, 'feito', 'feitos')
  const failed = job.failed ? `, ${plural(job.failed, 'não foi possível', 'não foram possíveis')}` : ''
  if (job.state === 'failed') return job.error ?? 'Não foi possível concluir.'
  return job.state === 'canceled' ? `Cancelado: ${done}${failed}.` : `Pronto: ${done}${failed}.`
}
