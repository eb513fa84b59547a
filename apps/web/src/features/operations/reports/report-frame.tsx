import { madeOf, type ReportDefinition } from '@balcao/contract/operations/reports/definitions.ts'
import { type AnyMeasureKey, measureOf } from '@balcao/contract/operations/reports/measures.ts'
import type { ReportResult, ReportRow } from '@balcao/contract/operations/reports/reports.ts'
import { measureText } from '@balcao/contract/operations/reports/words.ts'
import { Button, Skeleton, Tooltip, UnstyledButton } from '@mantine/core'
import { IconChartBar, IconList } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { reasonOf } from '../../../kit/api-error.ts'
import { useUrlState } from '../../../kit/url-state.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { GoTo } from '../../../ui/go-to.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { ViewSwitch } from '../../../ui/view-switch.tsx'
import { BulkProgress } from '../jobs/bulk-progress.tsx'
import { reportResultQuery } from './api.ts'
import classes from './report.module.css'
import { ReportDownloads, SavedViews } from './report-actions.tsx'
import { ReportFilters } from './report-filters.tsx'
import { BehindRow, ReportContacts, ReportTickets } from './report-lists.tsx'
import { Change, ReportTable } from './report-table.tsx'
import { useReportQuery } from './use-report-query.ts'

// Charts are heavy, and the table says the same.
const ReportChart = lazy(() => import('./report-chart.tsx'))

/** Every report: its filters in the address, its numbers, one of them as a chart, all of them as a table. */
export const ReportFrame = ({ report }: { report: ReportDefinition }) => {
  const state = useReportQuery(report)
  const [view, setView] = useUrlState('ver', 'resumo')
  const isList = report.lists !== undefined && view === 'lista'
  const isOfTickets = isList && report.lists === 'tickets'
  const result = useQuery({ ...reportResultQuery(report.key, state.query), placeholderData: keepPreviousData })
  const isCompared = state.compare[0] === 'sim'
  const period = result.data?.period
  // Contacts are listed of the days they are counted of.
  const listed = period ? { ...state.filters, dateFrom: period.from, dateTo: period.to } : state.filters
  return (
    <Page
      header={
        <PageHeader
          title={report.title}
          purpose={report.purpose}
          actions={
            <>
              <SavedViews report={report} />
              <ReportDownloads report={report} query={state.query} filters={listed} />
            </>
          }
        >
          {report.lists && (
            <ViewSwitch
              value={isList ? 'lista' : 'resumo'}
              onChange={setView}
              views={[
                { value: 'resumo', label: 'Resumo', icon: <IconChartBar size={16} aria-hidden /> },
                { value: 'lista', label: 'Lista', icon: <IconList size={16} aria-hidden /> },
              ]}
            />
          )}
          <ReportFilters report={report} state={state} />
          {period !== null && (
            <Button
              variant={isCompared ? 'light' : 'default'}
              fw={400}
              aria-pressed={isCompared}
              onClick={() => state.compare[1](isCompared ? '' : 'sim')}
            >
              Comparar com o período anterior
            </Button>
          )}
        </PageHeader>
      }
    >
      {report.lists === 'tickets' && <Progress of={['exportReportTickets', 'exportReportTicketsXlsx']} />}
      {report.lists === 'contacts' && <Progress of={['exportReportContacts', 'exportReportContactsXlsx']} />}
      {isList && report.lists === 'tickets' && <ReportTickets query={state.filters} />}
      {isList && report.lists === 'contacts' && result.data && <ReportContacts query={listed} />}
      {!isOfTickets && result.isPending && <SkeletonList />}
      {!isOfTickets && result.isError && !result.data && (
        <ErrorState message={reasonOf(result.error)} onRetry={() => void result.refetch()} />
      )}
      {!isList && result.data && <Numbers report={report} result={result.data} filters={state.filters} />}
    </Page>
  )
}

const Progress = ({ of }: { of: Parameters<typeof BulkProgress>[0]['kind'][] }) =>
  of.map((kind) => <BulkProgress key={kind} kind={kind} />)

type Shown = { report: ReportDefinition; result: ReportResult; filters: ReturnType<typeof useReportQuery>['filters'] }
const Numbers = ({ report, result, filters }: Shown) => {
  const [chosen, setChosen] = useUrlState('medida', '0')
  const [opened, setOpened] = useState<ReportRow | null>(null)
  const at = Number(chosen) < result.measures.length ? Number(chosen) : 0
  if (result.total.every((value) => !value))
    return (
      <EmptyState title="Nada neste período" action={<GoTo to="/relatorios" label="Ver outros relatórios" />}>
        Escolha outro período ou tire filtros.
      </EmptyState>
    )
  return (
    <div className={classes.printed}>
      <strong className={classes.onPaper}>{report.title}</strong>
      <p className="tabular">
        {result.period ? `${dayText(result.period.from)} a ${dayText(result.period.to)}` : 'De qualquer data'}
        {result.periodBefore &&
          `, comparado com ${dayText(result.periodBefore.from)} a ${dayText(result.periodBefore.to)}`}
      </p>
      <div className={classes.figures}>
        {result.measures.map(({ key, label }, one) => (
          <Tooltip key={label} label={measureOf(key as AnyMeasureKey).how} multiline maw={300} openDelay={400}>
            <UnstyledButton
              className={classes.figure}
              aria-pressed={one === at}
              aria-description={measureOf(key as AnyMeasureKey).how}
              onClick={() => setChosen(String(one))}
            >
              <span>{label}</span>
              <strong>{measureText(result.total[one] ?? null, measureOf(key as AnyMeasureKey).unit)}</strong>
              {result.totalBefore && (
                <Change
                  measure={key as AnyMeasureKey}
                  now={result.total[one] ?? null}
                  before={result.totalBefore[one] ?? null}
                />
              )}
            </UnstyledButton>
          </Tooltip>
        ))}
      </div>
      <Suspense fallback={<Skeleton height={300} mb="md" />}>
        <ReportChart title={report.title} result={result} at={at} />
      </Suspense>
      <ReportTable title={report.title} result={result} onOpen={setOpened} />
      {result.isCut && <p>Há mais linhas; estas são as maiores.</p>}
      {opened && (
        <BehindRow
          title={opened.label}
          of={madeOf[report.source]}
          query={{ ...filters, report: report.key, dimension: result.dimension, within: opened.id ?? '' }}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  )
}

const dayText = (day: string) => day.split('-').reverse().join('/')
