import { type Integration, integrationResource } from '@balcao/contract/core/integrations/index.ts'
import { Button } from '@mantine/core'
import { IconPlus, IconRoute } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { exportProxies, proxyUses } from '../../../features/channels/connections/api.ts'
import { IntegrationForm } from '../../../features/core/integrations/integration-form.tsx'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { ExportButton } from '../../../features/operations/jobs/export-button.tsx'
import { messageOf } from '../../../kit/api-error.ts'
import { allRows, deleteRow } from '../../../kit/resource-api.ts'
import { useCan } from '../../../kit/use-can.ts'
import { useOpened } from '../../../kit/use-opened.ts'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { ForbiddenState } from '../../../ui/forbidden-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import classes from '../sessoes/connection-board.module.css'
import { ProxyCard } from './proxy-card.tsx'

/** The company's ways out: what each is, whether it works, and which channels go through it. */
export default function ProxiesScreen() {
  const mayWrite = useCan('integrations.write')
  const rows = useQuery({ ...allRows<Integration>(integrationResource), enabled: mayWrite })
  const uses = useQuery({ ...proxyUses, enabled: mayWrite }).data
  const cache = useQueryClient()
  const { opened, setOpened } = useOpened()
  const [deleting, setDeleting] = useState<Integration | null>(null)
  if (!mayWrite) return <ForbiddenState />
  const proxies = (rows.data ?? []).filter(({ family }) => family === 'proxy')
  const edited = proxies.find(({ id }) => id === opened) ?? null

  const renew = () => {
    void cache.invalidateQueries({ queryKey: ['resource', integrationResource.event] })
    void cache.invalidateQueries(proxyUses)
  }
  const handleDelete = async () => {
    if (!deleting) return
    try {
      await deleteRow(integrationResource, deleting.id)
      notify.success(`${deleting.name}: proxy excluído.`)
      setOpened(null)
    } catch (error) {
      notify.error(messageOf(error))
    }
    setDeleting(null)
    renew()
  }
  const add = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpened('novo')}>
      Adicionar proxy
    </Button>
  )
  return (
    <Page
      header={
        <PageHeader
          title="Proxies"
          purpose="Por onde os canais falam com os provedores. Se um proxy cai, os canais dele param: nada sai por outro caminho."
          actions={
            <>
              {proxies.length > 0 && <ExportButton onExport={exportProxies} />}
              {add}
            </>
          }
        />
      }
    >
      <div className={classes.progress}>
        <BulkProgress kind="exportProxies" />
      </div>
      {rows.isPending ? (
        <SkeletonList rows={3} height={120} />
      ) : rows.isError ? (
        <ErrorState message={messageOf(rows.error)} onRetry={() => void rows.refetch()} />
      ) : proxies.length === 0 ? (
        <EmptyState icon={<IconRoute size={26} stroke={1.5} />} title="Nenhum proxy ainda" action={add}>
          Sem proxy, os canais falam com os provedores direto deste servidor.
        </EmptyState>
      ) : (
        <div className={classes.cards}>
          {proxies.map((proxy) => (
            <ProxyCard
              key={proxy.id}
              proxy={proxy}
              use={uses?.find(({ id }) => id === proxy.id)}
              onOpen={() => setOpened(proxy.id)}
            />
          ))}
        </div>
      )}
      {(opened === 'novo' || edited) && (
        <IntegrationForm
          key={opened}
          kind="proxy"
          row={edited}
          onClose={() => setOpened(null)}
          onSaved={(saved) => {
            notify.success(edited ? 'Alterações salvas.' : `${saved.name}: proxy adicionado.`)
            setOpened(edited ? null : saved.id) // a new one can be tested now
            renew()
          }}
          onDelete={edited ? () => setDeleting(edited) : undefined}
        />
      )}
      <ConfirmDelete
        opened={deleting !== null}
        what={`o proxy “${deleting?.name ?? ''}”`}
        busy={false}
        onConfirm={() => void handleDelete()}
        onClose={() => setDeleting(null)}
      />
    </Page>
  )
}
