import type { WholeDelivery } from '@balcao/contract/core/integrations/deliveries.ts'
import { Button, Group, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../../kit/api-error.ts'
import { formatDateTime, formatExact, plural } from '../../../kit/format.ts'
import { RecordDrawer } from '../../../kit/record-drawer.tsx'
import { CopyField } from '../../../ui/copy-field.tsx'
import { FactList } from '../../../ui/fact-list.tsx'
import { notify } from '../../../ui/notify.ts'
import { useRetryOne, wholeDeliveryQuery } from './api.ts'
import { DeliveryState } from './delivery-state.tsx'

type Props = { integrationId: string; delivery: number; onClose: () => void }

/** One delivery whole: what was sent, what came back, and once more. */
export const DeliveryDrawer = ({ integrationId, delivery, onClose }: Props) => {
  const query = useQuery(wholeDeliveryQuery(integrationId, delivery))
  return (
    <RecordDrawer query={query} title={query.data?.topic ?? 'Entrega'} onClose={onClose}>
      {(one) => <Whole of={one} integrationId={integrationId} />}
    </RecordDrawer>
  )
}

const Whole = ({ of: one, integrationId }: { of: WholeDelivery; integrationId: string }) => {
  const retry = useRetryOne(integrationId)
  const handleRetry = async () => {
    try {
      await retry.mutateAsync(one.id)
      notify.success('Entregando de novo.')
    } catch (error) {
      notify.error(messageOf(error))
    }
  }
  return (
    <>
      <Group justify="space-between" gap="xs">
        <div>
          <DeliveryState of={one} />
          <Text size="sm" c="dimmed">
            {told(one)}
          </Text>
        </div>
        <Button
          variant="default"
          leftSection={<IconRefresh size={18} aria-hidden />}
          loading={retry.isPending}
          onClick={() => void handleRetry()}
        >
          {one.state === 'waiting' ? 'Tentar agora' : 'Entregar de novo'}
        </Button>
      </Group>
      {one.error && one.state !== 'delivered' && <Text c="var(--mantine-color-error)">{one.error}</Text>}
      <FactList
        facts={[
          ['Aconteceu em', formatExact(one.createdAt)],
          ['Endereço', one.url],
          ['webhook-id', one.deliveryId],
        ]}
      />
      <CopyField multiline maxRows={20} label="O que foi enviado" value={readable(one.body)} />
      {one.answer ? (
        <CopyField
          multiline
          maxRows={12}
          label={`Resposta: HTTP ${one.answer.status}, em ${one.answer.ms} ms`}
          value={readable(one.answer.body) || '(sem texto)'}
        />
      ) : (
        <Text size="sm" c="dimmed">
          Nenhuma resposta ainda.
        </Text>
      )}
    </>
  )
}

const told = ({ attempts, triedAt, dueAt }: WholeDelivery) => {
  const tries = attempts === 0 ? 'Ainda não tentamos' : plural(attempts, 'tentativa', 'tentativas')
  if (dueAt && attempts > 0) return `${tries}, a próxima em ${formatDateTime(dueAt)}`
  return triedAt ? `${tries}, a última em ${formatDateTime(triedAt)}` : tries
}

/** JSON as people read it; anything else as it came. */
const readable = (text: string) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
