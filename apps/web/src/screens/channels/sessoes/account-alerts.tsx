import type { Connection } from '@balcao/contract/channels/connections.ts'
import { Alert, Button, Text } from '@mantine/core'
import { useClearAlerts } from '../../../features/channels/connections/business-api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { notify } from '../../../ui/notify.ts'

/** What the provider had to say of an account, until somebody has read it. */
export const AccountAlerts = ({ connection }: { connection: Pick<Connection, 'id' | 'name' | 'alerts'> }) => {
  const { id, name, alerts } = connection
  const clear = useClearAlerts()
  if (!alerts.length) return null
  return (
    <Alert color={alerts.some(({ isSerious }) => isSerious) ? 'amber' : 'blue'} p="sm" role="status">
      {alerts.map(({ text, at }) => (
        <Text key={at} size="sm" mb={6}>
          {text}{' '}
          <Text span size="xs" c="dimmed">
            <RelativeTime moment={at} />
          </Text>
        </Text>
      ))}
      <Button
        variant="default"
        size="compact-xs"
        loading={clear.isPending}
        aria-label={`Marcar avisos de ${name} como lidos`}
        onClick={() => clear.mutate(id, { onError: (error) => notify.error(messageOf(error)) })}
      >
        Entendi
      </Button>
    </Alert>
  )
}
