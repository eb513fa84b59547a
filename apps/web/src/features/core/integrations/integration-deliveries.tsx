import type { Integration } from '@balcao/contract/core/integrations/index.ts'
import { Alert, Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { plural } from '../../../kit/format.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { undeliveredQuery } from './api.ts'

/** What a system was not told yet and what it could not be told, and the way to each of them. */
export const IntegrationDeliveries = ({ row }: { row: Integration }) => {
  const { data } = useQuery(undeliveredQuery(row.id))
  return (
    <Alert variant="default" p="sm">
      {data && data.waiting > 0 && (
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
      {data && data.dead > 0 && (
        <>
          <div>{plural(data.dead, 'aviso não foi entregue', 'avisos não foram entregues')}.</div>
          {data.lastError && (
            <Text size="xs" c="dimmed">
              O último: {data.lastError}
            </Text>
          )}
        </>
      )}
      <Anchor component={Link} to={`/configuracoes/integracoes/${row.id}/entregas`} size="sm">
        Ver entregas
      </Anchor>
    </Alert>
  )
}
