import { type GroupActRow, type GroupActState, groupActStateLabels } from '@balcao/contract/operations/group-acts.ts'
import { namesOf } from '@balcao/contract/operations/group-variables.ts'
import { bulkJobTitles } from '@balcao/contract/operations/job-titles.ts'
import {
  ActionIcon,
  Alert,
  Button,
  CopyButton,
  Drawer,
  Group,
  Stack,
  Switch,
  Text,
  Tooltip,
  UnstyledButton,
} from '@mantine/core'
import { IconArrowLeft, IconCheck, IconCopy } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { PhoneText } from '../../../features/contacts/contacts/phone-text.tsx'
import { bulkJobQuery, bulkJobsQuery, isUnderWay } from '../../../features/conversations/tickets/bulk-api.ts'
import { allActRows, exportGroupActRows, groupActRows } from '../../../features/operations/groups/api.ts'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { ExportButton } from '../../../features/operations/jobs/export-button.tsx'
import { JobActions } from '../../../features/operations/jobs/job-actions.tsx'
import { jobText } from '../../../features/operations/jobs/job-words.ts'
import { messageOf, reasonOf } from '../../../kit/api-error.ts'
import { formatDateTime, formatNumber, plural } from '../../../kit/format.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'
import classes from './groups-screen.module.css'

type Props = { opened: string; onOpen: (jobId: string) => void; onClose: () => void }

/** What I asked of groups lately, and what became of each group. */
export const ResultsDrawer = ({ opened, onOpen, onClose }: Props) => {
  const asked = useQuery(bulkJobsQuery)
  const jobs = asked.data?.filter(({ kind }) => kind === 'groupAct' || kind === 'undoGroupAct') ?? []
  const mine = jobs.find(({ id }) => id === opened)
  // A colleague's, or one of weeks ago.
  const other = useQuery({ ...bulkJobQuery(opened), enabled: opened !== 'lista' && !mine }).data
  const job = mine ?? other
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={520}
      title={<Text fw={600}>{job ? (job.subject ?? bulkJobTitles[job.kind]) : 'Resultados'}</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <Stack gap="sm">
        {opened === 'lista' ? (
          <>
            {asked.isPending && <SkeletonList rows={4} height={56} />}
            {asked.isError && <ErrorState message={messageOf(asked.error)} onRetry={() => void asked.refetch()} />}
            {asked.isSuccess && jobs.length === 0 && (
              <Text size="sm" c="dimmed">
                Você ainda não mudou nenhum grupo. Escolha grupos na lista e o que fazer com eles.
              </Text>
            )}
            <ul className={classes.list}>
              {jobs.map((one) => (
                <li key={one.id}>
                  <UnstyledButton className={classes.item} w="100%" onClick={() => onOpen(one.id)}>
                    <strong>{one.subject ?? bulkJobTitles[one.kind]}</strong>
                    <span className={classes.meta}>
                      {formatDateTime(one.createdAt)}
                      {one.kind === 'undoGroupAct' && ' · Desfazer'} · {jobText(one)}
                    </span>
                  </UnstyledButton>
                </li>
              ))}
            </ul>
          </>
        ) : (
          <>
            <Group justify="space-between">
              <Button
                variant="subtle"
                color="gray"
                leftSection={<IconArrowLeft size={16} aria-hidden />}
                onClick={() => onOpen('lista')}
              >
                Todos os resultados
              </Button>
              <Group gap="xs">
                {job && <JobActions job={job} />}
                <ExportButton onExport={() => exportGroupActRows(opened)} />
              </Group>
            </Group>
            <BulkProgress kind="exportGroupActs" />
            {job && (
              <Text size="sm" c="dimmed" role="status">
                {jobText(job)}
              </Text>
            )}
            <Rows jobId={opened} hasFailures={(job?.failed ?? 0) > 0} isOver={job !== undefined && !isUnderWay(job)} />
          </>
        )}
      </Stack>
    </Drawer>
  )
}

const tones: Record<GroupActState, StatusTone> = {
  waiting: 'waiting',
  doing: 'waiting',
  done: 'good',
  part: 'waiting',
  failed: 'bad',
  canceled: 'quiet',
}
const notDone: GroupActState[] = ['failed', 'part']
const Rows = ({ jobId, hasFailures, isOver }: { jobId: string; hasFailures: boolean; isOver: boolean }) => {
  const [isLeft, setLeft] = useState(false)
  const list = useInfiniteQuery({ ...groupActRows(jobId, isLeft && hasFailures ? notDone : []), staleTime: 0 })
  const connections = useQuery(connectionList).data ?? []
  const copyLinks = useMutation({
    mutationFn: async () => {
      const links = (await allActRows(jobId)).flatMap(({ name, inviteUrl }) =>
        inviteUrl ? `${name}: ${inviteUrl}` : [],
      )
      await navigator.clipboard.writeText(links.join('\n'))
      return links.length
    },
    onSuccess: (count) => notify.success(`${plural(count, 'link copiado', 'links copiados')}.`),
    onError: (error) => notify.error(reasonOf(error)),
  })
  if (list.isPending) return <SkeletonList rows={4} height={56} />
  if (list.isError) return <ErrorState message={messageOf(list.error)} onRetry={() => void list.refetch()} />
  const rows = list.data.pages.flatMap(({ items }) => items)
  const waiting = new Set(rows.flatMap(({ state, connection }) => (state === 'waiting' ? connection.id : [])))
  const out = connections.filter(({ id, status }) => waiting.has(id) && status !== 'CONNECTED')
  return (
    <>
      {!isOver && out.length > 0 && (
        <Alert color="yellow">
          {namesOf(out.map(({ name }) => name))}: sem conexão agora. Os grupos esperam e o trabalho continua quando ela
          voltar.
        </Alert>
      )}
      {hasFailures && (
        <Switch
          label="Só o que não foi feito por inteiro"
          checked={isLeft}
          onChange={(event) => setLeft(event.currentTarget.checked)}
        />
      )}
      {rows.some(({ inviteUrl }) => inviteUrl) && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconCopy size={16} aria-hidden />}
          loading={copyLinks.isPending}
          onClick={() => copyLinks.mutate()}
        >
          Copiar todos os links
        </Button>
      )}
      <ul className={classes.list}>
        {rows.map((row) => (
          <Row key={row.id} row={row} isOver={isOver} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Carregar mais
        </Button>
      )}
    </>
  )
}

const outcomeLabels = { done: 'feito', already: 'já estava assim', invited: 'convidado', refused: 'não foi feito' }
const Row = ({ row, isOver }: { row: GroupActRow; isOver: boolean }) => {
  // Of many, those with whom it worked are counted: the others are what somebody looks for.
  const hasWorked = ({ outcome }: GroupActRow['people'][number]) => outcome === 'done' || outcome === 'already'
  const isLong = row.people.length > mostShown
  const told = isLong ? row.people.filter((one) => !hasWorked(one)) : row.people
  const worked = row.people.length - told.length
  return (
    <li className={classes.item}>
      <span className={classes.head}>
        <strong className="truncate">{row.name}</strong>
        <StatusDot tone={tones[row.state]} label={groupActStateLabels[row.state]} />
      </span>
      <span className={classes.meta}>
        {row.connection.name}
        {row.part &&
          ` · pessoas ${formatNumber(row.part.from)} a ${formatNumber(row.part.to)} de ${formatNumber(row.part.of)}`}
      </span>
      {row.reason && (
        <span className={classes.meta}>
          {row.reason}
          {row.state === 'waiting' && !isOver && ' Tentaremos de novo.'}
        </span>
      )}
      {isLong && worked > 0 && <span className={classes.meta}>Feito com {plural(worked, 'pessoa', 'pessoas')}.</span>}
      {told.map(({ number, outcome, reason }) => (
        <span key={number} className={classes.meta}>
          <PhoneText number={number} />:{' '}
          {outcome === 'invited' ? 'convite enviado' : (reason ?? outcomeLabels[outcome])}
        </span>
      ))}
      {row.isLinkOld && <span className={classes.meta}>Este link foi trocado depois e não funciona mais.</span>}
      {row.inviteUrl && (
        <span className={classes.head}>
          <span className={`truncate ${classes.meta}`}>{row.inviteUrl}</span>
          <CopyButton value={row.inviteUrl} timeout={2_000}>
            {({ copied, copy }) => (
              <Tooltip label={copied ? 'Copiado' : 'Copiar link'}>
                <ActionIcon aria-label={`Copiar link de ${row.name}`} onClick={copy}>
                  {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
                </ActionIcon>
              </Tooltip>
            )}
          </CopyButton>
        </span>
      )}
    </li>
  )
}
const mostShown = 10
