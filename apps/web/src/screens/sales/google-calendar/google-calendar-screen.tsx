import type { Page as Rows } from '@balcao/contract/common.ts'
import { integrationResource } from '@balcao/contract/core/integrations/index.ts'
import type { CalendarConfig } from '@balcao/contract/sales/calendar.ts'
import { Alert, Button, Group, Text } from '@mantine/core'
import { IconCalendar, IconPlus } from '@tabler/icons-react'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FlowsNaming } from '../../../features/automation/flows/flows-naming.tsx'
import { useConsent, useTestIntegration } from '../../../features/core/integrations/api.ts'
import { IntegrationForm } from '../../../features/core/integrations/integration-form.tsx'
import { IntegrationState } from '../../../features/core/integrations/integration-state.tsx'
import { api } from '../../../kit/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useCan } from '../../../kit/use-can.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { GoTo } from '../../../ui/go-to.tsx'
import { notify } from '../../../ui/notify.ts'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import classes from './google-calendar-screen.module.css'

/** Under the key of integrations, so that what is told of them renews it. */
const calendarsQuery = queryOptions({
  queryKey: ['resource', integrationResource.event, 'calendars'],
  queryFn: async ({ signal }) => (await api.get<Rows<CalendarConfig>>('/google-calendar-configs', { signal })).items,
  refetchInterval: 30_000,
})

/** The company's calendar at Google: authorised, compared with the forecasts, disconnected. */
export default function GoogleCalendarScreen() {
  const mayWrite = useCan('integrations.write')
  const cache = useQueryClient()
  const calendars = useQuery({ ...calendarsQuery, enabled: mayWrite })
  const [editing, setEditing] = useState<CalendarConfig | 'new' | null>(null)
  if (!mayWrite) return <ForbiddenState />
  const rows = calendars.data ?? []
  const connect = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEditing('new')}>
      Conectar agenda
    </Button>
  )
  return (
    <Page
      header={
        <PageHeader
          title="Google Agenda"
          purpose="Cada previsão do funil vira um evento na agenda. Mudou o evento de dia, muda a previsão: vale o que foi alterado por último."
          actions={rows.length > 0 && <GoTo to="/funil/calendar" label="Ver as previsões" />}
        />
      }
    >
      {calendars.isError ? (
        <ErrorState message={messageOf(calendars.error)} onRetry={() => void calendars.refetch()} />
      ) : calendars.isPending ? (
        <SkeletonList />
      ) : rows.length === 0 ? (
        <EmptyState title="Nenhuma agenda conectada" action={connect}>
          Conecte a agenda da empresa: o que deve fechar em cada dia aparece nela, e o que está nela aparece nas
          previsões.
        </EmptyState>
      ) : (
        rows.map((row) => <Account key={row.id} row={row} onEdit={() => setEditing(row)} />)
      )}
      {editing && (
        <IntegrationForm
          kind="googleCalendar"
          row={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          onDelete={undefined}
          onSaved={() => {
            setEditing(null)
            const isAuthorized = editing !== 'new' && editing.isAuthorized
            notify.success(isAuthorized ? 'Agenda salva.' : 'Agenda salva. Falta só autorizar.')
            void cache.invalidateQueries({ queryKey: ['resource', integrationResource.event] })
          }}
        />
      )}
    </Page>
  )
}

const Account = ({ row, onEdit }: { row: CalendarConfig; onEdit: () => void }) => {
  const cache = useQueryClient()
  const consent = useConsent()
  const test = useTestIntegration()
  const [isLeaving, setLeaving] = useState(false)
  const renew = () => cache.invalidateQueries({ queryKey: ['resource', integrationResource.event] })
  const sync = useMutation({
    mutationFn: () => api.post<CalendarConfig>(`/google-calendar-configs/${row.id}/sync`),
    onSuccess: () => notify.success('Comparação pedida. Leva alguns segundos.'),
    onSettled: renew,
  })
  const leave = useMutation({
    mutationFn: () => api.delete(`/google-calendar-configs/${row.id}`),
    onSuccess: () => notify.success('Desconectando: o que é nosso sai da agenda.'),
    onSettled: () => {
      setLeaving(false)
      void renew()
    },
  })
  const problem = [consent, test, sync, leave].find(({ error }) => error)?.error
  return (
    <section className={classes.account} aria-label={row.name}>
      <div className={classes.words}>
        <Group gap="xs">
          <Text fw={600}>{row.name}</Text>
          <IntegrationState of={row.problem ? { ...row, state: 'broken' } : row} />
        </Group>
        <Text size="sm" c="dimmed">
          {row.isLeaving ? (
            'Desconectando: o que é nosso está saindo da agenda.'
          ) : row.syncedAt ? (
            <>
              Comparada <RelativeTime moment={row.syncedAt} />
            </>
          ) : row.isAuthorized ? (
            'A primeira comparação começa em instantes.'
          ) : (
            'Autorize a conta dona da agenda para começar.'
          )}
        </Text>
        {row.problem && (
          <Alert color="red" mt="xs" p="xs" icon={<IconCalendar size={18} aria-hidden />}>
            {row.problem}
          </Alert>
        )}
        {problem && (
          <Text size="sm" role="alert" c="var(--mantine-color-error)">
            {messageOf(problem)}
          </Text>
        )}
      </div>
      {!row.isLeaving && (
        <Group gap="xs">
          <Button
            size="xs"
            variant={row.isAuthorized ? 'default' : 'filled'}
            loading={consent.isPending}
            onClick={() => consent.mutate(row.id)}
          >
            {row.isAuthorized ? 'Autorizar outra vez' : 'Autorizar conta Google'}
          </Button>
          {row.isAuthorized && (
            <>
              <Button size="xs" variant="default" loading={sync.isPending} onClick={() => sync.mutate()}>
                Comparar agora
              </Button>
              <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate(row.id)}>
                Testar
              </Button>
            </>
          )}
          <Button size="xs" variant="default" onClick={onEdit}>
            Editar
          </Button>
          <Button size="xs" variant="subtle" color="red" onClick={() => setLeaving(true)}>
            Desconectar
          </Button>
        </Group>
      )}
      <ConfirmDialog
        opened={isLeaving}
        title={`Desconectar ${row.name}?`}
        confirmLabel="Desconectar"
        tone="danger"
        busy={leave.isPending}
        onConfirm={() => leave.mutate()}
        onClose={() => setLeaving(false)}
      >
        {isLeaving && <FlowsNaming ids={[row.id]} then="lá, o passo segue por “Falhou”." />}
        Os eventos das previsões saem da agenda. As previsões e os outros eventos ficam como estão.
      </ConfirmDialog>
    </section>
  )
}
