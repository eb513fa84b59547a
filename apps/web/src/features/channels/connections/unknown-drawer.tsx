import type { Connection } from '@balcao/contract/channels/connections.ts'
import { Badge, Button, CopyButton, Drawer, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../../kit/api-error.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { type JournalEntry, unknownEvents } from './api.ts'
import classes from './unknown-drawer.module.css'

type Props = { connection: Connection | null; onClose: () => void }

/** What a provider sent and nobody understood: kept whole, shown to whoever can ask about it. */
export const UnknownDrawer = ({ connection, onClose }: Props) => (
  <Drawer
    opened={connection !== null}
    onClose={onClose}
    size={560}
    title={
      <Text fw={600} size="lg" component="span">
        Avisos não reconhecidos
      </Text>
    }
    closeButtonProps={{ 'aria-label': 'Fechar' }}
  >
    {connection && (
      <Stack>
        <Text c="dimmed" size="sm">
          {connection.name} recebeu do provedor conteúdos que ainda não sabemos ler. Nada foi descartado; dados secretos
          foram retirados.
        </Text>
        <Entries id={connection.id} />
      </Stack>
    )}
  </Drawer>
)

const Entries = ({ id }: { id: string }) => {
  const entries = useQuery(unknownEvents(id))
  if (entries.isPending) return <SkeletonList rows={4} />
  if (entries.isError) return <ErrorState message={messageOf(entries.error)} onRetry={() => void entries.refetch()} />
  if (entries.data.length === 0) return <EmptyState title="Nada pendente">Tudo o que chegou foi entendido.</EmptyState>
  return entries.data.map((entry) => <Entry key={entry.id} entry={entry} />)
}

const Entry = ({ entry }: { entry: JournalEntry }) => {
  const text = JSON.stringify(entry.payload, null, 2)
  return (
    <article className={classes.entry}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Group gap="xs">
          <Badge variant="light" color={entry.state === 'failed' ? 'red' : 'amber'} tt="none" fw={500}>
            {entry.state === 'failed' ? 'Falhou' : 'Não reconhecido'}
          </Badge>
          <Text size="sm" c="dimmed">
            <RelativeTime moment={entry.receivedAt} />
          </Text>
        </Group>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button size="xs" variant="subtle" onClick={copy}>
              {copied ? 'Copiado' : 'Copiar'}
            </Button>
          )}
        </CopyButton>
      </Group>
      {entry.error && <Text size="sm">{entry.error}</Text>}
      <section className={classes.payload} aria-label="Conteúdo recebido">
        <pre>{text}</pre>
      </section>
    </article>
  )
}
