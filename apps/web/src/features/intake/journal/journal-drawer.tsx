import { journalKeptDays, type WholeJournalEntry, whatCame } from '@balcao/contract/intake/journal.ts'
import { Button, Group, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { formatExact, formatNumber } from '../../../kit/format.ts'
import { RecordDrawer } from '../../../kit/record-drawer.tsx'
import { useCan } from '../../../kit/use-can.ts'
import { CopyField } from '../../../ui/copy-field.tsx'
import { FactList } from '../../../ui/fact-list.tsx'
import { notify } from '../../../ui/notify.ts'
import { journalEntryQuery, useJournalAgain, useReplayOne } from './api.ts'
import { JournalState } from './journal-state.tsx'

type Props = { connectionId: string; id: string; onClose: () => void }

/** One event of the provider whole: what it said, what became of it, and once more. */
export const JournalDrawer = ({ connectionId, id, onClose }: Props) => {
  const query = useQuery(journalEntryQuery(connectionId, id))
  return (
    <RecordDrawer query={query} title={query.data ? whatCame(query.data) : 'Aviso recebido'} onClose={onClose}>
      {(entry) => <Whole of={entry} connectionId={connectionId} />}
    </RecordDrawer>
  )
}

const Whole = ({ of: entry, connectionId }: { of: WholeJournalEntry; connectionId: string }) => {
  const mayReplay = useCan('connections.write')
  const replay = useReplayOne(connectionId)
  useListFollows(entry, connectionId)
  const { id, state, error, attempts, receivedAt, processedAt } = entry
  const handleReplay = async () => {
    try {
      await replay.mutateAsync(id)
    } catch (failure) {
      notify.error(messageOf(failure))
    }
  }
  return (
    <>
      <Group justify="space-between" gap="xs" aria-live="polite">
        <JournalState of={entry} />
        {mayReplay && (
          <Button
            variant="default"
            leftSection={<IconRefresh size={18} aria-hidden />}
            loading={replay.isPending}
            disabled={state === 'received'}
            onClick={() => void handleReplay()}
          >
            Processar de novo
          </Button>
        )}
      </Group>
      {error && <Text c={state === 'failed' ? 'var(--mantine-color-error)' : undefined}>{error}</Text>}
      <Text size="sm" c="dimmed">
        {whatNext[state]}
      </Text>
      <FactList
        facts={[
          ['Recebido em', formatExact(receivedAt)],
          ['Processado em', processedAt && state !== 'received' ? formatExact(processedAt) : 'ainda não'],
          ['Tentativas com erro', formatNumber(attempts)],
        ]}
      />
      <CopyField
        multiline
        maxRows={24}
        label="O que o provedor enviou"
        description="Senhas e chaves foram retiradas antes de guardar."
        value={JSON.stringify(entry.payload, null, 2)}
      />
    </>
  )
}

const whatNext: Record<WholeJournalEntry['state'], string> = {
  received: 'Está na fila e é processado em instantes.',
  done: `Fica guardado por ${journalKeptDays} dias. Processar de novo não repete o que já aconteceu.`,
  unknown: 'Ainda não sabemos ler este aviso. Fica guardado até ser processado de novo e reconhecido.',
  failed: 'Desistimos depois de várias tentativas. Fica guardado até ser processado de novo com sucesso.',
}

/** The row beside it says the same. */
const useListFollows = ({ id, state }: WholeJournalEntry, connectionId: string) => {
  const readAgain = useJournalAgain(connectionId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: told by the state alone
  useEffect(readAgain, [id, state])
}
