import { type Queue, queueResource } from '@balcao/contract/service/queues.ts'
import type { Rating } from '@balcao/contract/service/ratings.ts'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconPencil, IconSettings, IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { ExportButton } from '../../../features/operations/jobs/export-button.tsx'
import { userOptions } from '../../../features/people/users/api.ts'
import {
  exportRatings,
  ratingSettingsQuery,
  ratingSummaryQuery,
  ratingsList,
  useDeleteRating,
} from '../../../features/service/ratings/api.ts'
import { GradeMark } from '../../../features/service/ratings/grade-mark.tsx'
import { RatingState, ratingStateOptions } from '../../../features/service/ratings/rating-state.tsx'
import { RatingSummaryCards } from '../../../features/service/ratings/rating-summary.tsx'
import { messageOf } from '../../../kit/api-error.ts'
import { keepRows } from '../../../kit/paged-list.ts'
import { ReadingScreen } from '../../../kit/reading-screen.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { allRows } from '../../../kit/resource-api.ts'
import { useUrlList, useUrlState } from '../../../kit/url-state.ts'
import { useCan } from '../../../kit/use-can.ts'
import { usePeriod } from '../../../kit/use-period.ts'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { GoTo } from '../../../ui/go-to.tsx'
import { notify } from '../../../ui/notify.ts'
import { PeriodFilter } from '../../../ui/period-filter.tsx'
import classes from './listar-screen.module.css'

const GradeDialog = lazy(async () => ({
  default: (await import('../../../features/service/ratings/grade-dialog.tsx')).GradeDialog,
}))

export default function AvaliacoesListarScreen() {
  const [searchParam] = useUrlState('busca')
  const [grades, setGrades] = useUrlList('nota')
  const [status, setStatus] = useUrlList('situacao')
  const [userIds, setUserIds] = useUrlList('atendente')
  const [queuesIds, setQueuesIds] = useUrlList('fila')
  const [period, setPeriod] = usePeriod()
  const people = useQuery(userOptions)
  const queues = useQuery(allRows<Queue>(queueResource))
  const settings = useQuery(ratingSettingsQuery)
  const query = { searchParam, grades, status, userIds, queuesIds, dateFrom: period.from, dateTo: period.to }
  const list = useInfiniteQuery({ ...ratingsList(query), placeholderData: keepRows })
  // The bars choose among the grades, so they show all of them.
  const summary = useQuery({ ...ratingSummaryQuery({ ...query, grades: [] }), placeholderData: keepPreviousData })
  const [graded, setGraded] = useState<Rating | null>(null)
  const [deleted, setDeleted] = useState<Rating | null>(null)
  const removal = useDeleteRating()
  const mayWrite = useCan('ratings.write')
  const mayGrade = useCan('ratings.grade')
  const options = settings.data?.options ?? []
  const values = options.map((one) => one.value)
  const isFiltered = Boolean(
    searchParam || grades.length || status.length || userIds.length || queuesIds.length || period.from || period.to,
  )

  const handleDelete = async () => {
    if (!deleted) return
    try {
      await removal.mutateAsync(deleted.id)
      notify.success('Avaliação excluída.')
    } catch (error) {
      notify.error(messageOf(error))
    }
    setDeleted(null)
  }

  return (
    <ReadingScreen<Rating>
      title="Avaliações"
      purpose="O que os clientes acharam de cada atendimento encerrado."
      actions={
        <>
          <ExportButton onExport={() => exportRatings(query)} />
          {mayWrite && (
            <Button component={Link} to="/avaliacoes/configurar" leftSection={<IconSettings size={18} aria-hidden />}>
              Configurar
            </Button>
          )}
        </>
      }
      searchLabel="Buscar contato ou comentário"
      filters={
        <>
          <FilterMenu
            label="Nota"
            options={options.map((one) => ({ value: String(one.value), label: `${one.value} – ${one.label}` }))}
            value={grades}
            onChange={setGrades}
          />
          <FilterMenu label="Situação" options={ratingStateOptions} value={status} onChange={setStatus} />
          <FilterMenu
            label="Atendente"
            options={(people.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={userIds}
            onChange={setUserIds}
          />
          <FilterMenu
            label="Fila"
            options={(queues.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={queuesIds}
            onChange={setQueuesIds}
          />
          <PeriodFilter label="Período" value={period} onChange={setPeriod} />
        </>
      }
      progress={<BulkProgress kind="exportRatings" />}
      above={
        summary.data &&
        options.length > 0 &&
        (summary.data.asked > 0 || isFiltered) && (
          <RatingSummaryCards summary={summary.data} options={options} chosen={grades} onChoose={setGrades} />
        )
      }
      list={list}
      ticketOf={(row) => row.ticketId}
      rowName={(row) => `avaliação de ${row.contact.name}`}
      shown="exibidas"
      empty={{
        title: 'Ainda não há avaliações',
        text: mayWrite
          ? 'Escolha os canais que perguntam ao cliente quando um atendimento termina.'
          : 'Elas aparecem quando um atendimento termina em um canal que pergunta ao cliente.',
        action: mayWrite && <GoTo to="/avaliacoes/configurar" label="Configurar avaliações" />,
      }}
      rowActions={
        mayGrade
          ? (row) => (
              <Menu position="bottom-end" width={210}>
                <Menu.Target>
                  <ActionIcon aria-label={`Ações da avaliação de ${row.contact.name}`}>
                    <IconDots size={18} stroke={1.75} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item
                    leftSection={<IconPencil size={17} stroke={1.75} aria-hidden />}
                    onClick={() => setGraded(row)}
                  >
                    {row.grade === null ? 'Registrar nota' : 'Corrigir nota'}
                  </Menu.Item>
                  {mayWrite && (
                    <Menu.Item
                      c="red"
                      leftSection={<IconTrash size={17} stroke={1.75} aria-hidden />}
                      onClick={() => setDeleted(row)}
                    >
                      Excluir
                    </Menu.Item>
                  )}
                </Menu.Dropdown>
              </Menu>
            )
          : undefined
      }
      columns={[
        {
          key: 'contact',
          label: 'Contato',
          render: (row) => <span className={classes.contact}>{row.contact.name}</span>,
        },
        {
          key: 'grade',
          label: 'Nota',
          width: 150,
          render: (row) =>
            row.grade === null ? (
              <RatingState status={row.status} />
            ) : (
              <GradeMark
                grade={row.grade}
                label={options.find((one) => one.value === row.grade)?.label}
                values={values.length ? values : [row.grade]}
              />
            ),
        },
        {
          key: 'comment',
          label: 'Comentário',
          wideOnly: true,
          render: (row) => row.comment || '—',
        },
        { key: 'user', label: 'Atendente', width: 170, wideOnly: true, render: (row) => row.user?.name ?? '—' },
        { key: 'queue', label: 'Fila', width: 140, wideOnly: true, render: (row) => row.queue?.name ?? '—' },
        {
          key: 'when',
          label: 'Quando',
          width: 140,
          wideOnly: true,
          render: (row) => <RelativeTime moment={row.answeredAt ?? row.createdAt} />,
        },
      ]}
    >
      {graded && (
        <Suspense fallback={null}>
          <GradeDialog
            id={graded.id}
            ticketId={graded.ticketId}
            who={graded.contact.name}
            grade={graded.grade}
            comment={graded.comment}
            onClose={() => setGraded(null)}
          />
        </Suspense>
      )}
      <ConfirmDelete
        opened={deleted !== null}
        what={`a avaliação de ${deleted?.contact.name ?? ''}`}
        busy={removal.isPending}
        onConfirm={() => void handleDelete()}
        onClose={() => setDeleted(null)}
      >
        Ela sai das médias. O histórico da conversa continua mostrando o que o cliente escreveu.
      </ConfirmDelete>
    </ReadingScreen>
  )
}
