import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { ActionIcon, Popover, Progress, SegmentedControl, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconDots } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { isUnderWay } from '../../../features/conversations/tickets/bulk-api.ts'
import { type JobScope, jobList } from '../../../features/operations/jobs/api.ts'
import { JobActions } from '../../../features/operations/jobs/job-actions.tsx'
import { JobRefusals } from '../../../features/operations/jobs/job-refusals.tsx'
import { jobName, jobText, percentOf } from '../../../features/operations/jobs/job-words.ts'
import { userOptions } from '../../../features/people/users/api.ts'
import { PagedTable } from '../../../kit/paged-table.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import type { Column } from '../../../ui/data-table.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'

/** Everything long that somebody asked for, while it runs and for thirty days after. */
export default function AndamentoScreen() {
  const canAll = useCan('jobs.supervise')
  const [of, setOf] = useUrlState('de')
  const scope: JobScope = canAll && of === 'empresa' ? 'all' : 'mine'
  const list = useInfiniteQuery(jobList(scope))
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  return (
    <Page
      header={
        <PageHeader
          title="Em andamento"
          purpose="Exportações e ações em lote: o que roda agora e o que terminou nos últimos 30 dias."
        >
          {canAll && (
            <SegmentedControl
              aria-label="De quem"
              value={scope}
              data={[
                { value: 'mine', label: 'Pedidas por mim' },
                { value: 'all', label: 'De toda a empresa' },
              ]}
              onChange={(value) => setOf(value === 'all' ? 'empresa' : '')}
            />
          )}
        </PageHeader>
      }
    >
      <PagedTable
        list={list}
        label="Em andamento"
        columns={scope === 'all' ? [...columns, who, asked] : [...columns, asked]}
        rowName={jobName}
        under={(job) => <State job={job} />}
        rowActions={(job) => (isPhone && hasSeveral(job) ? <Folded job={job} /> : <JobActions job={job} />)}
        shown="exibidas"
        filtered={false}
        empty={{
          title: 'Nada em andamento',
          text: 'Exporte contatos ou conversas, ou mude vários atendimentos de uma vez: o progresso e o arquivo ficam aqui.',
        }}
      />
    </Page>
  )
}

const hasSeveral = (job: BulkJob) => job.canRetry || job.canUndo || (isUnderWay(job) && job.canPause)

/** A phone has no room for three verbs beside a name. */
const Folded = ({ job }: { job: BulkJob }) => (
  <Popover position="bottom-end" shadow="md" withinPortal>
    <Popover.Target>
      <ActionIcon variant="subtle" color="gray" size={36} aria-label={`Ações de ${jobName(job)}`}>
        <IconDots size={18} aria-hidden />
      </ActionIcon>
    </Popover.Target>
    <Popover.Dropdown>
      <Stack gap={4} align="flex-start">
        <JobActions job={job} />
      </Stack>
    </Popover.Dropdown>
  </Popover>
)

const Who = ({ userId }: { userId: string }) => {
  const people = useQuery(userOptions)
  return <span className="truncate">{people.data?.find(({ id }) => id === userId)?.name ?? '—'}</span>
}

const State = ({ job }: { job: BulkJob }) => (
  <>
    <span className="tabular">{jobText(job)}</span> {job.failed > 0 && <JobRefusals job={job} />}
    {isUnderWay(job) && <Progress size={4} mt={4} value={percentOf(job)} aria-label={jobName(job)} />}
  </>
)

const columns: Column<BulkJob>[] = [
  { key: 'kind', label: 'O quê', render: (job) => <span className="truncate">{jobName(job)}</span> },
  {
    key: 'state',
    label: 'Situação',
    width: 260,
    wideOnly: true,
    render: (job) => <State job={job} />,
  },
]
const who: Column<BulkJob> = {
  key: 'userId',
  label: 'Quem pediu',
  width: 200,
  wideOnly: true,
  render: ({ userId }) => <Who userId={userId} />,
}
const asked: Column<BulkJob> = {
  key: 'createdAt',
  label: 'Pedida',
  width: 130,
  wideOnly: true,
  render: ({ createdAt }) => <RelativeTime moment={createdAt} />,
}
