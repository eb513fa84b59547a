import {
  type JournalEntry,
  journalKeptDays,
  journalStateLabels,
  journalStates,
  type JournalState as State,
  whatCame,
} from '@balcao/contract/intake/journal.ts'
import { Button, Text } from '@mantine/core'
import { IconArrowLeft, IconRefresh } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { connectionList } from '../../../features/channels/connections/api.ts'
import { bulkJobsQuery, isUnderWay } from '../../../features/conversations/tickets/bulk-api.ts'
import {
  exportJournal,
  journalList,
  mayReplay,
  replayCountQuery,
  useJournalAgain,
  useReplayAll,
} from '../../../features/intake/journal/api.ts'
import { JournalDrawer } from '../../../features/intake/journal/journal-drawer.tsx'
import { JournalState } from '../../../features/intake/journal/journal-state.tsx'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { ExportButton } from '../../../features/operations/jobs/export-button.tsx'
import { messageOf } from '../../../kit/api-error.ts'
import { formatDateTime, formatNumber } from '../../../kit/format.ts'
import { PagedTable } from '../../../kit/paged-table.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useUrlList } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { useOpened } from '../../../kit/use-opened.ts'
import { usePeriod } from '../../../kit/use-period.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { PeriodFilter } from '../../../ui/period-filter.tsx'

/** What a channel received and what became of it: each with what its provider sent, handled once more where asked. */
export const DiarioScreen = ({ connectionId }: { connectionId: string }) =>
  useCan('journal.read') ? <Diario connectionId={connectionId} /> : <ForbiddenState />

const Diario = ({ connectionId }: { connectionId: string }) => {
  const [chosen, setChosen] = useUrlList('situacao')
  const [period, setPeriod] = usePeriod()
  const [, setParams] = useSearchParams()
  const { opened, setOpened } = useOpened()
  const connections = useQuery(connectionList)
  const name = connections.data?.find(({ id }) => id === connectionId)?.name
  const state = chosen.filter((one): one is State => journalStates.some((known) => known === one))
  const filter = { state, dateFrom: period.from, dateTo: period.to }
  const list = useInfiniteQuery(journalList(connectionId, filter))
  useReadWhenReplayed(connectionId)
  const isFiltered = state.length > 0 || Boolean(period.from || period.to)
  return (
    <Page
      header={
        <PageHeader
          title={name ? `Diário de ${name}` : 'Diário do canal'}
          purpose={`O que o provedor enviou. O que foi tratado fica ${journalKeptDays} dias; o que falhou ou não foi reconhecido, até alguém processar de novo.`}
          actions={
            <>
              <ExportButton onExport={() => exportJournal(connectionId, filter)} />
              <Button
                component={Link}
                to="/sessoes"
                variant="default"
                leftSection={<IconArrowLeft size={18} aria-hidden />}
              >
                Canais
              </Button>
            </>
          }
        >
          <FilterMenu
            label="Situação"
            options={journalStates.map((value) => ({ value, label: journalStateLabels[value] }))}
            value={state}
            onChange={setChosen}
          />
          <PeriodFilter label="Período" value={period} onChange={setPeriod} />
          <ReplayAll connectionId={connectionId} filter={filter} />
        </PageHeader>
      }
    >
      <BulkProgress kind="replayEvents" />
      <BulkProgress kind="exportJournal" />
      <PagedTable
        list={list}
        label="Avisos recebidos"
        columns={columns}
        rowName={(row) => `${whatCame(row)} de ${formatDateTime(row.receivedAt)}`}
        under={(row) => (
          <>
            {whatCame(row)}
            {row.error && ` · ${row.error}`}
          </>
        )}
        onOpen={(row) => setOpened(row.id)}
        activeId={opened}
        filtered={
          isFiltered && {
            title: 'Nenhum aviso neste filtro',
            text: `O que foi tratado é guardado por ${journalKeptDays} dias. Escolha outra situação ou outro período.`,
            onClear: () => setParams({}, { replace: true }),
          }
        }
        empty={{
          title: 'Nada chegou por este canal ainda',
          text: 'Quando o provedor avisar de uma mensagem ou de uma entrega, cada aviso aparece aqui. Se um cliente já escreveu, teste o canal.',
          action: (
            <Button component={Link} to="/sessoes" variant="default">
              Ver os canais
            </Button>
          ),
        }}
      />
      {opened && <JournalDrawer connectionId={connectionId} id={opened} onClose={() => setOpened(null)} />}
    </Page>
  )
}

/** What a replay made of them is on screen once it is through. */
const useReadWhenReplayed = (connectionId: string) => {
  const readAgain = useJournalAgain(connectionId)
  const { data: jobs = [] } = useQuery(bulkJobsQuery)
  const underWay = jobs.filter((job) => job.kind === 'replayEvents' && isUnderWay(job)).length
  // biome-ignore lint/correctness/useExhaustiveDependencies: told by the number alone
  useEffect(readAgain, [underWay])
}

type Filter = Parameters<typeof mayReplay>[0]
/** Everything the filter finds, once more. */
const ReplayAll = ({ connectionId, filter }: { connectionId: string; filter: Filter }) => {
  const mayWrite = useCan('connections.write')
  const [isAsked, setAsked] = useState(false)
  const { data: found, refetch } = useQuery({
    ...replayCountQuery(connectionId, filter),
    enabled: mayWrite && mayReplay(filter),
  })
  const replay = useReplayAll(connectionId)
  const handleAsk = () => {
    void refetch() // what was handled meanwhile counts too
    setAsked(true)
  }
  const handleConfirm = async () => {
    try {
      await replay.mutateAsync(filter)
      notify.success('Processando de novo.')
    } catch (error) {
      notify.error(messageOf(error))
    }
    setAsked(false)
  }
  if (!mayWrite || !mayReplay(filter) || !found?.count) return null
  const many = `${found.isMore ? 'mais de ' : ''}${formatNumber(found.count)}`
  const them = found.count === 1 ? 'este aviso' : `estes ${many}`
  return (
    <>
      <Button variant="default" leftSection={<IconRefresh size={18} aria-hidden />} onClick={handleAsk}>
        Processar de novo {them}
      </Button>
      <ConfirmDialog
        opened={isAsked}
        title={`Processar de novo ${them}?`}
        confirmLabel="Processar de novo"
        busy={replay.isPending}
        onConfirm={() => void handleConfirm()}
        onClose={() => setAsked(false)}
      >
        <Text size="sm">
          Cada aviso é lido outra vez, do mais antigo ao mais novo. O que já aconteceu não se repete: nenhuma mensagem é
          duplicada. O que faltava entra agora: uma mensagem que tinha falhado aparece na conversa e pode abrir um
          atendimento.
        </Text>
      </ConfirmDialog>
    </>
  )
}

const columns: Column<JournalEntry>[] = [
  {
    key: 'receivedAt',
    label: 'Quando',
    width: 150,
    render: ({ receivedAt }) => <RelativeTime moment={receivedAt} />,
  },
  { key: 'kinds', label: 'O que foi', wideOnly: true, render: whatCame },
  { key: 'state', label: 'Situação', width: 170, render: (row) => <JournalState of={row} /> },
  {
    key: 'error',
    label: 'Erro',
    wideOnly: true,
    render: ({ error }) => (
      <span className="truncate" title={error ?? undefined}>
        {error}
      </span>
    ),
  },
  { key: 'attempts', label: 'Tentativas', width: 110, align: 'right', wideOnly: true },
]
