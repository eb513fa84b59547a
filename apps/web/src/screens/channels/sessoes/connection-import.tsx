import type { Connection } from '@balcao/contract/channels/connections.ts'
import { Button, Group, Progress, Text } from '@mantine/core'
import { useTurnConnection } from '../../../features/channels/connections/api.ts'
import { formatNumber } from '../../../kit/format.ts'
import { useCan } from '../../../kit/use-can.ts'

/** How far the old conversations of a phone have come. */
export const ConnectionImport = ({ connection }: { connection: Connection }) => {
  const { id, name, imported } = connection
  const turning = useTurnConnection()
  const mayCancel = useCan('connections.write')
  if (!imported) return null
  const { state, percent, messages } = imported
  const stored = messages === 1 ? '1 mensagem' : `${formatNumber(messages)} mensagens`
  if (state === 'done')
    return (
      <Text size="sm" c="dimmed">
        Conversas antigas importadas: {stored}
      </Text>
    )
  if (state === 'cancelled')
    return (
      <Text size="sm" c="dimmed">
        Importação cancelada; {messages === 1 ? 'entrou' : 'entraram'} {stored}. Para importar de novo, desconecte o
        telefone e conecte-o outra vez.
      </Text>
    )
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm">
          Importando conversas antigas: {percent}% · {stored}
        </Text>
        {mayCancel && (
          <Button
            variant="subtle"
            size="compact-sm"
            flex="none"
            loading={turning.isPending}
            onClick={() => turning.mutate({ id, to: 'cancelImport' })}
            aria-label={`Cancelar a importação de ${name}`}
          >
            Cancelar
          </Button>
        )}
      </Group>
      <Progress value={percent} size="sm" mt={4} aria-label={`Importação de ${name}`} />
    </div>
  )
}
