import { type Delivery, deliveryStates } from '@balcao/contract/core/integrations/deliveries.ts'
import { integrationResource } from '@balcao/contract/core/integrations/index.ts'
import { Button } from '@mantine/core'
import { IconArrowLeft, IconRefresh } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { deliveryList, undeliveredQuery, useRetryAll } from '../../../features/core/integrations/api.ts'
import { DeliveryDrawer } from '../../../features/core/integrations/delivery-drawer.tsx'
import { DeliveryState, deliveryStateOf } from '../../../features/core/integrations/delivery-state.tsx'
import { messageOf } from '../../../kit/api-error.ts'
import { formatDateTime, plural } from '../../../kit/format.ts'
import { ReadingScreen } from '../../../kit/reading-screen.tsx'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { resourceRow } from '../../../kit/resource-api.ts'
import { useUrlList } from '../../../kit/url-state.ts'
import { useOpened } from '../../../kit/use-opened.ts'
import type { Column } from '../../../ui/data-table.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FilterMenu } from '../../../ui/filter-menu.tsx'
import { notify } from '../../../ui/notify.ts'

const back = '/configuracoes/integracoes'

/** What a system of the company was told and what it was not: each with what was sent and what came back. */
export const EntregasScreen = ({ integrationId }: { integrationId: string }) => {
  const [state, setState] = useUrlList('situacao')
  const { opened, setOpened } = useOpened()
  const integration = useQuery(resourceRow(integrationResource, integrationId))
  const list = useInfiniteQuery(deliveryList(integrationId, state))
  const { data: counts } = useQuery(undeliveredQuery(integrationId))
  const retry = useRetryAll(integrationId)
  const handleRetry = async () => {
    try {
      await retry.mutateAsync()
      notify.success('Entregando de novo.')
    } catch (error) {
      notify.error(messageOf(error))
    }
  }
  if (integration.isError)
    return <ErrorState message={messageOf(integration.error)} onRetry={() => void integration.refetch()} />
  return (
    <ReadingScreen<Delivery>
      title={integration.data ? `Entregas de ${String(integration.data.name)}` : 'Entregas'}
      purpose="O que este sistema soube nos últimos 7 dias e o que não conseguimos entregar."
      actions={
        <Button
          component={Link}
          to={`${back}?registro=${integrationId}`}
          variant="default"
          leftSection={<IconArrowLeft size={18} aria-hidden />}
        >
          Integração
        </Button>
      }
      filters={
        <>
          <FilterMenu
            label="Situação"
            options={deliveryStates.map((value) => ({ value, label: deliveryStateOf[value].label }))}
            value={state}
            onChange={setState}
          />
          {counts && counts.dead > 0 && (
            <Button
              variant="default"
              leftSection={<IconRefresh size={18} aria-hidden />}
              loading={retry.isPending}
              onClick={() => void handleRetry()}
            >
              Entregar de novo {plural(counts.dead, 'que falhou', 'que falharam')}
            </Button>
          )}
        </>
      }
      list={list}
      columns={columns}
      rowName={(row) => `${row.topic} de ${formatDateTime(row.createdAt)}`}
      under={(row) => (
        <>
          <RelativeTime moment={row.createdAt} /> · {answerOf(row)}
        </>
      )}
      onOpen={(row) => setOpened(String(row.id))}
      activeId={opened}
      shown="exibidas"
      empty={{
        title: 'Nada foi entregue ainda',
        text: 'Quando acontecer algo que este sistema quer saber, cada aviso aparece aqui com a resposta recebida.',
      }}
    >
      {opened && (
        <DeliveryDrawer integrationId={integrationId} delivery={Number(opened)} onClose={() => setOpened(null)} />
      )}
    </ReadingScreen>
  )
}

/** What came back last, or why nothing did. */
const answerOf = ({ status, error }: Delivery) => (status === null ? (error ?? 'sem resposta ainda') : `HTTP ${status}`)

const columns: Column<Delivery>[] = [
  { key: 'topic', label: 'Evento', render: ({ topic }) => <span className="truncate">{topic}</span> },
  { key: 'state', label: 'Situação', width: 130, render: (row) => <DeliveryState of={row} /> },
  {
    key: 'status',
    label: 'Última resposta',
    wideOnly: true,
    render: (row) => (
      <span className="truncate" title={row.error ?? undefined}>
        {answerOf(row)}
      </span>
    ),
  },
  { key: 'attempts', label: 'Tentativas', width: 110, align: 'right', wideOnly: true },
  {
    key: 'createdAt',
    label: 'Quando',
    width: 150,
    wideOnly: true,
    render: ({ createdAt }) => <RelativeTime moment={createdAt} />,
  },
]
