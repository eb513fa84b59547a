import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { Button, CloseButton, Progress } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { formatNumber, plural } from '../../../kit/format.ts'
import { notify } from '../../../ui/notify.ts'
import { cancelJob, isUnderWay, receiveJob } from '../../conversations/tickets/bulk-api.ts'
import classes from './bulk-progress.module.css'

/** One of them: how far it is, or how it ended. */
export const BulkJobLine = ({ job, onPutAway }: { job: BulkJob; onPutAway: () => void }) => {
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  const handleCancel = async () => {
    setBusy(true)
    try {
      receiveJob(cache, await cancelJob(job.id))
    } catch (error) {
      notify.error(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const share = job.total ? Math.min(100, ((job.done + job.failed) / job.total) * 100) : 100
  return (
    <div className={classes.job}>
      <div className={classes.words}>
        <span className={classes.title}>{titles[job.kind]}</span>{' '}
        <span className={`tabular ${classes.hint}`} role="status">
          {textOf(job)}
        </span>
        {isUnderWay(job) && <Progress className={classes.bar} size={4} value={share} aria-label={titles[job.kind]} />}
      </div>
      {isUnderWay(job) ? (
        <Button variant="subtle" color="gray" size="compact-sm" loading={busy} onClick={() => void handleCancel()}>
          Cancelar
        </Button>
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
}
const textOf = (job: BulkJob): string => {
  if (isUnderWay(job)) return `${formatNumber(job.done + job.failed)} de ${formatNumber(job.total)}`
  const done = plural(job.done, 'feito', 'feitos')
  const failed = job.failed ? `, ${plural(job.failed, 'não foi possível', 'não foram possíveis')}` : ''
  if (job.state === 'failed') return job.error ?? 'Não foi possível concluir.'
  return job.state === 'canceled' ? `Cancelado: ${done}${failed}.` : `Pronto: ${done}${failed}.`
}
