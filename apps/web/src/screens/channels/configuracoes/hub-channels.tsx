import { type HubListed, hubKinds } from '@balcao/contract/channels/hub.ts'
import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { gatewayList, hubChannelList, useConnectHubChannel } from '../../../features/channels/connections/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { useOpenedConnection } from '../sessoes/use-opened-connection.ts'
import classes from './hub-channels.module.css'

/** What stands behind the company's token, each with its way in. */
export const HubChannels = () => {
  const hasToken = useQuery(gatewayList).data?.some(({ kind, company }) => kind === 'hub' && company) ?? false
  const listed = useQuery({ ...hubChannelList, enabled: hasToken })
  if (!hasToken) return null
  return (
    <section className={classes.channels} aria-label="Canais da conta">
      <Text fw={600} component="h2">
        Canais da conta
      </Text>
      {listed.isPending ? (
        <SkeletonList rows={3} height={44} />
      ) : listed.isError ? (
        <ErrorState message={messageOf(listed.error)} onRetry={() => void listed.refetch()} />
      ) : listed.data.channels.length ? (
        <ul>
          {listed.data.channels.map((one) => (
            <Listed key={one.ref} one={one} />
          ))}
        </ul>
      ) : (
        <Text size="sm" c="dimmed">
          {listed.data.isListed
            ? 'Esta conta não tem canais. Crie um no painel do NotificaMe e volte aqui.'
            : 'O NotificaMe não lista os canais desta conta. Adicione cada um à mão, com o token do canal.'}
        </Text>
      )}
    </section>
  )
}

const Listed = ({ one }: { one: HubListed }) => {
  const connecting = useConnectHubChannel()
  const { open } = useOpenedConnection()
  const handleConnect = async () => {
    try {
      const made = await connecting.mutateAsync(one.ref)
      if (made.status === 'CONNECTED') notify.success(`${made.name}: canal conectado.`)
      else notify.error(`${made.name}: ${made.statusText ?? 'não conectou.'}`)
      open(made.id)
    } catch (error) {
      notify.error(messageOf(error))
    }
  }
  const { connection } = one
  return (
    <li>
      <div className={classes.words}>
        <Text fw={500}>{one.name}</Text>
        <Text size="sm" c="dimmed">
          {[hubKinds[one.channel], one.handle].filter(Boolean).join(' · ')}
        </Text>
      </div>
      {connection ? (
        <Button
          variant="subtle"
          size="xs"
          px={0}
          onClick={() => open(connection.id)}
          aria-label={`Abrir ${connection.name}`}
        >
          Conectado como {connection.name}
        </Button>
      ) : one.isTaken ? (
        <Text size="sm" c="dimmed">
          Em uso por outra empresa
        </Text>
      ) : (
        <Button
          variant="default"
          size="xs"
          loading={connecting.isPending}
          onClick={() => void handleConnect()}
          aria-label={`Conectar ${one.name}, ${hubKinds[one.channel]}`}
        >
          Conectar
        </Button>
      )}
    </li>
  )
}
