import type { GatewayKind } from '@balcao/contract/channels/hosts.ts'
import { type Integration, integrationResource, integrations } from '@balcao/contract/core/integrations/index.ts'
import { Alert, Button, Group, Text } from '@mantine/core'
import { IconServer } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { gatewayList } from '../../../features/channels/connections/api.ts'
import { useTestIntegration } from '../../../features/core/integrations/api.ts'
import { IntegrationForm } from '../../../features/core/integrations/integration-form.tsx'
import { IntegrationState } from '../../../features/core/integrations/integration-state.tsx'
import { messageOf } from '../../../kit/api-error.ts'
import { allRows, deleteRow } from '../../../kit/resource-api.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { notify } from '../../../ui/notify.ts'
import classes from './gateway-server.module.css'

/** What it is called: a server, or an account. */
type Words = {
  title: string
  gone: string
  test: string
  edit: string
  ask: string
  give: string
  given: string
  what: string
}
const ofServers: Words = {
  title: 'Servidor da empresa',
  gone: 'Servidor excluído.',
  test: 'Testar servidor',
  edit: 'Editar servidor',
  ask: 'Informe uma vez o servidor da empresa. Depois, cada canal novo pede só o que é dele.',
  give: 'Informar servidor',
  given: 'servidor informado.',
  what: 'o servidor',
}

/** The company's own server for channels of this kind, or what stands in its place. */
export const GatewayServer = ({ kind, words = ofServers }: { kind: GatewayKind; words?: Words }) => {
  const mayWrite = useCan('integrations.write')
  const rows = useQuery({ ...allRows<Integration>(integrationResource), enabled: mayWrite })
  const offered = useQuery(gatewayList).data?.find((one) => one.kind === kind)?.installation
  const cache = useQueryClient()
  const test = useTestIntegration()
  const [isOpen, setOpen] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  if (!mayWrite || rows.isPending) return null
  const row = rows.data?.find((one) => one.kind === kind) ?? null
  const { label } = integrations[kind]

  const renew = () => {
    void cache.invalidateQueries({ queryKey: ['resource', integrationResource.event] })
    void cache.invalidateQueries(gatewayList)
  }
  const handleDelete = async () => {
    try {
      if (row) await deleteRow(integrationResource, row.id)
      notify.success(words.gone)
      setOpen(false)
    } catch (error) {
      notify.error(messageOf(error))
    }
    setDeleting(false)
    renew()
  }

  return (
    <section className={classes.server} aria-label={words.title}>
      {row ? (
        <Group justify="space-between" gap="sm">
          <div className={classes.words}>
            <Group gap="xs">
              <Text fw={600}>{row.name}</Text>
              <IntegrationState of={row} />
            </Group>
            <Text size="sm" c="dimmed" className={classes.address}>
              {String(row.config.baseUrl ?? '')}
            </Text>
            {row.stateText && <Text size="sm">{row.stateText}</Text>}
            {test.error && (
              <Text size="sm" role="alert" c="var(--mantine-color-error)">
                {messageOf(test.error)}
              </Text>
            )}
          </div>
          <Group gap="xs">
            <Button variant="default" size="xs" loading={test.isPending} onClick={() => test.mutate(row.id)}>
              {words.test}
            </Button>
            <Button variant="default" size="xs" onClick={() => setOpen(true)}>
              {words.edit}
            </Button>
          </Group>
        </Group>
      ) : (
        <Alert variant="default" icon={<IconServer size={18} aria-hidden />}>
          <Group justify="space-between" gap="sm">
            <Text size="sm" className={classes.words}>
              {offered
                ? 'Esta instalação oferece um servidor: para um canal novo bastam o nome e a leitura do código.'
                : words.ask}
            </Text>
            <Button variant={offered ? 'default' : 'filled'} size="xs" onClick={() => setOpen(true)}>
              {offered ? 'Usar um servidor da empresa' : words.give}
            </Button>
          </Group>
        </Alert>
      )}
      {isOpen && (
        <IntegrationForm
          kind={kind}
          row={row}
          onClose={() => setOpen(false)}
          onSaved={() => {
            notify.success(row ? 'Alterações salvas.' : `${label}: ${words.given}`)
            setOpen(false)
            renew()
          }}
          onDelete={row ? () => setDeleting(true) : undefined}
        />
      )}
      <ConfirmDelete
        opened={isDeleting}
        what={`${words.what} “${row?.name ?? ''}”`}
        busy={false}
        onConfirm={() => void handleDelete()}
        onClose={() => setDeleting(false)}
      />
    </section>
  )
}
