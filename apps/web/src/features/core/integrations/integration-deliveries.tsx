import type { Integration } from '@balcao/contract/core/integrations/index.ts'
import { Alert, Button, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../../kit/api-error.ts'
import { plural } from '../../../kit/format.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { deliveriesQuery, useRetryDeliveries } from './api.ts'

/** What a system was not told yet, and what it could not be told; nothing while all has arrived. */
export const IntegrationDeliveries = ({ row }: { row: Integration }) => {
  const { data } = useQuery(deliveriesQuery(row))
  const retry = useRetryDeliveries(row)
  if (!data || (!data.waiting && !data.dead)) return null
  const [last] = data.items
  return (
    <Alert variant="default" p="sm">
      {data.waiting > 0 && (
        <div>
          {plural(data.waiting, 'aviso espera', 'avisos esperam')}
          {data.waitsSince && (
            <>
              , o primeiro <RelativeTime moment={data.waitsSince} />
            </>
          )}
          .
        </div>
      )}
      {data.dead > 0 && (
        <>
          <div>{plural(data.dead, 'aviso não foi entregue', 'avisos não foram entregues')}.</div>
          {last?.error && (
            <Text size="xs" c="dimmed">
              O último: {last.error}
            </Text>
          )}
          <Button
            mt="xs"
            variant="default"
            size="xs"
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={retry.isPending}
            onClick={() => retry.mutate()}
          >
            Entregar de novo
          </Button>
        </>
      )}
      {retry.error && (
        <div role="alert" style={{ color: 'var(--mantine-color-error)', marginTop: 8 }}>
          {messageOf(retry.error)}
        </div>
      )}
    </Alert>
  )
}
