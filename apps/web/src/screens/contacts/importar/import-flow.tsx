import type { ContactImport } from '@balcao/contract/contacts/imports.ts'
import { Button, Progress, Text, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { importQuery } from '../../../features/contacts/imports/api.ts'
import { importState } from '../../../features/contacts/imports/words.ts'
import { bulkJobsQuery, changeJob } from '../../../features/conversations/tickets/bulk-api.ts'
import { percentOf } from '../../../features/operations/jobs/job-words.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { formatBytes, formatDateTime, plural } from '../../../kit/format.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { ColumnsStep } from './columns-step.tsx'
import classes from './importar.module.css'
import { OutcomeStep } from './outcome-step.tsx'

type Props = { importId: string; onOpen: (id: string | null) => void }

/** One import, at the step where it stands. */
export const ImportFlow = ({ importId, onOpen }: Props) => {
  const query = useQuery(importQuery(importId))
  const [isChanging, setChanging] = useState(false)
  const batch = query.data
  if (query.isError) return <ErrorState message={messageOf(query.error)} onRetry={() => void query.refetch()} />
  if (!batch) return <SkeletonList />
  const asksColumns = batch.state === 'read' || (batch.state === 'stopped' && !batch.startedAt)
  return (
    <div className={classes.flow}>
      <header className={classes.block}>
        <div className={classes.head}>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconArrowLeft size={16} aria-hidden />}
            onClick={() => onOpen(null)}
          >
            Todas as importações
          </Button>
          <Title order={2} size="h3" className={classes.heading}>
            {batch.name}
          </Title>
        </div>
        <Text className={classes.facts}>{factsOf(batch)}</Text>
      </header>
      {asksColumns || isChanging ? (
        <ColumnsStep batch={batch} onOpen={onOpen} onChecked={() => setChanging(false)} />
      ) : isWorking(batch) ? (
        <Working batch={batch} />
      ) : (
        <OutcomeStep batch={batch} onOpen={onOpen} onChange={() => setChanging(true)} />
      )}
    </div>
  )
}

const factsOf = ({ total, size, user, createdAt, reading }: ContactImport): string =>
  [
    plural(total, 'linha', 'linhas'),
    reading?.sheet && `aba ${reading.sheet}`,
    size !== null && formatBytes(size),
    `por ${user.name}, ${formatDateTime(createdAt)}`,
  ]
    .filter(Boolean)
    .join(' · ')

const isWorking = ({ state }: ContactImport) => ['reading', 'checking', 'running', 'undoing'].includes(state)

const Working = ({ batch }: { batch: ContactImport }) => {
  const jobs = useQuery(bulkJobsQuery)
  const job = jobs.data?.find(({ id }) => id === batch.jobId)
  const handleCancel = async () => {
    try {
      if (job) await changeJob(job.id, 'cancel')
    } catch (error) {
      notify.error(messageOf(error))
    }
  }
  return (
    <section className={classes.block} aria-label="Andamento" role="status">
      <Text fw={600}>{importState(batch)}…</Text>
      <Progress value={job ? percentOf(job) : 100} animated={!job} aria-label="Andamento" />
      <Text size="sm" c="dimmed">
        Pode sair desta página: o trabalho continua, e o andamento fica no menu.
      </Text>
      {job && (
        <div className={classes.actions}>
          <Button variant="default" onClick={() => void handleCancel()}>
            Cancelar
          </Button>
        </div>
      )}
    </section>
  )
}
