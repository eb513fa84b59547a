import { scheduleStateLabels, scheduleStates } from '@balcao/contract/schedules.ts'
import { Button } from '@mantine/core'
import { IconCalendar, IconList, IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { connectionList } from '../../features/connections/api.ts'
import { cancelSchedule, scheduleQuery } from '../../features/schedules/api.ts'
import { ScheduleCalendar } from '../../features/schedules/schedule-calendar.tsx'
import { ScheduleForm } from '../../features/schedules/schedule-form.tsx'
import { ScheduleList } from '../../features/schedules/schedule-list.tsx'
import { useScheduleFilter } from '../../features/schedules/use-schedule-filter.ts'
import { messageOf } from '../../kit/api-error.ts'
import { formatDateTime } from '../../kit/format.ts'
import { useUrlState } from '../../kit/url-state.ts'
import { useCan } from '../../kit/use-can.ts'
import { useOpened } from '../../kit/use-opened.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FilterMenu } from '../../ui/filter-menu.tsx'
import { notify } from '../../ui/notify.ts'
import { Page } from '../../ui/page.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { PeriodFilter } from '../../ui/period-filter.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { ViewSwitch } from '../../ui/view-switch.tsx'

const stateOptions = scheduleStates.map((value) => ({ value: value as string, label: scheduleStateLabels[value] }))

export default function AgendamentosScreen() {
  const [, setParams] = useSearchParams()
  const [view, setView] = useUrlState('ver', 'lista')
  const filter = useScheduleFilter()
  const mayWrite = useCan('schedules.write')
  const connections = useQuery(connectionList)
  const { opened, newAt, setOpened } = useOpened()
  const showDay = (day: string) =>
    setParams((now) => {
      const next = new URLSearchParams(now)
      next.delete('ver')
      if (!next.has('situacao')) for (const state of scheduleStates) next.append('situacao', state)
      next.set('de', day)
      next.set('ate', day)
      return next
    })

  const createButton = mayWrite && (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpened('nova')}>
      Agendar mensagem
    </Button>
  )
  return (
    <Page
      header={
        <PageHeader
          title="Agendamentos"
          purpose="Mensagens escritas agora e enviadas na hora certa."
          actions={createButton}
        >
          <ViewSwitch
            value={view}
            onChange={setView}
            views={[
              { value: 'lista', label: 'Lista', icon: <IconList size={16} aria-hidden /> },
              { value: 'mes', label: 'Mês', icon: <IconCalendar size={16} aria-hidden /> },
            ]}
          />
          <SearchInput
            label="Buscar por contato ou mensagem"
            value={filter.search}
            onSearch={filter.setSearch}
            w={260}
          />
          <FilterMenu
            label={view === 'lista' && filter.states.length === 0 ? 'Situação: por enviar' : 'Situação'}
            options={stateOptions}
            value={filter.states}
            onChange={filter.setStates}
          />
          <FilterMenu
            label="Canal"
            options={(connections.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={filter.channels}
            onChange={filter.setChannels}
          />
          {view === 'lista' && <PeriodFilter label="Dias" value={filter.period} onChange={filter.setPeriod} />}
        </PageHeader>
      }
    >
      {view === 'mes' ? (
        <ScheduleCalendar
          asked={filter.shared}
          onOpen={setOpened}
          onCreate={(day) => setOpened('nova', day)}
          onShowDay={showDay}
        />
      ) : (
        <ScheduleList
          asked={filter.listed}
          isFiltered={filter.isFiltered}
          onClear={() => setParams({}, { replace: true })}
          onOpen={setOpened}
          activeId={opened}
          createButton={createButton}
        />
      )}
      {opened && <OpenSchedule key={opened} id={opened} newWhen={newAt} onClose={() => setOpened(null)} />}
    </Page>
  )
}

/** The drawer of the message in the address, and the question before it is taken back. */
const OpenSchedule = ({ id, newWhen, onClose }: { id: string; newWhen: string; onClose: () => void }) => {
  const cache = useQueryClient()
  const isNew = id === 'nova'
  const row = useQuery({ ...scheduleQuery(id), enabled: !isNew })
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const handleCancel = async () => {
    setBusy(true)
    try {
      cache.setQueryData(scheduleQuery(id).queryKey, await cancelSchedule(id))
      notify.success('Envio cancelado.')
      onClose()
    } catch (error) {
      notify.error(messageOf(error))
    } finally {
      void cache.invalidateQueries({ queryKey: ['resource', 'schedule'] })
      setBusy(false)
      setAsking(false)
    }
  }
  if (row.isError && !row.data)
    return (
      <ConfirmDialog
        opened
        title="Agendamento não encontrado"
        confirmLabel="Voltar aos agendamentos"
        cancelLabel="Tentar novamente"
        onConfirm={onClose}
        onClose={() => void row.refetch()}
      >
        Talvez o contato tenha sido excluído ou passado a outra pessoa.
      </ConfirmDialog>
    )
  if (!isNew && !row.data) return null
  return (
    <>
      <ScheduleForm
        schedule={row.data ?? null}
        newWhen={newWhen}
        onClose={onClose}
        onCancelSchedule={() => setAsking(true)}
      />
      {row.data && (
        <ConfirmDialog
          opened={asking}
          title="Cancelar este envio?"
          confirmLabel="Cancelar envio"
          cancelLabel="Manter"
          tone="danger"
          busy={busy}
          onConfirm={() => void handleCancel()}
          onClose={() => setAsking(false)}
        >
          A mensagem para {row.data.contact.name} em {formatDateTime(row.data.scheduleDate)} não será enviada
          {row.data.recurrence ? ', nem as repetições que viriam depois' : ''}.
        </ConfirmDialog>
      )}
    </>
  )
}
