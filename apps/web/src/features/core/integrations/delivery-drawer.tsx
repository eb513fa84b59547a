import type { WholeDelivery } from '@balcao/contract/core/integrations/deliveries.ts'
import { Button, Drawer, Group, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../../kit/api-error.ts'
import { formatDateTime, formatExact, plural } from '../../../kit/format.ts'
import { CopyField } from '../../../ui/copy-field.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { useRetryOne, wholeDeliveryQuery } from './api.ts'
import classes from './delivery-drawer.module.css'
import { DeliveryState } from './delivery-state.tsx'

type Props = { integrationId: string; delivery: number; onClose: () => void }

/** One delivery whole: what was sent, what came back, and once more. */
export const DeliveryDrawer = ({ integrationId, delivery, onClose }: Props) => {
  const { data, error, refetch } = useQuery(wholeDeliveryQuery(integrationId, delivery))
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={560}
      title={
        <Text fw={600} size="lg" component="span">
          {data?.topic ?? 'Entrega'}
        </Text>
      }
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {data ? (
        <Whole of={data} integrationId={integrationId} />
      ) : error ? (
        <ErrorState message={messageOf(error)} onRetry={() => void refetch()} />
      ) : (
        <SkeletonList />
      )}
    </Drawer>
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
    <div className={classes.parts}>
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
      <dl className={classes.facts}>
        <dt>Aconteceu em</dt>
        <dd className="tabular">{formatExact(one.createdAt)}</dd>
        <dt>Endereço</dt>
        <dd>{one.url}</dd>
        <dt>webhook-id</dt>
        <dd>{one.deliveryId}</dd>
      </dl>
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
    </div>
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
