import type { Connection } from '@balcao/contract/channels/connections.ts'
import { Button, Group, Modal, Text } from '@mantine/core'
import { IconMailExclamation } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { formatNumber } from '../../../kit/format.ts'
import { useCan } from '../../../kit/use-can.ts'
import { notify } from '../../../ui/notify.ts'
import { resolveStuck, stuckQuery } from './stuck.ts'

/** Messages of a connection that did not leave: shown only while there are some. */
export const StuckMessages = ({ connection }: { connection: Pick<Connection, 'id' | 'name'> }) => {
  const mayResolve = useCan('connections.write')
  const stuck = useQuery({ ...stuckQuery, enabled: mayResolve }).data?.find((row) => row.whatsappId === connection.id)
  const [isOpen, setOpen] = useState(false)
  const total = (stuck?.failed ?? 0) + (stuck?.uncertain ?? 0)
  if (!stuck || total === 0) return null
  return (
    <>
      <Button
        variant="light"
        color="red"
        size="xs"
        leftSection={<IconMailExclamation size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {total === 1 ? '1 mensagem parada' : `${formatNumber(total)} mensagens paradas`}
      </Button>
      {isOpen && <StuckDialog connection={connection} stuck={stuck} onClose={() => setOpen(false)} />}
    </>
  )
}

type DialogProps = {
  connection: Pick<Connection, 'id' | 'name'>
  stuck: { failed: number; uncertain: number }
  onClose: () => void
}
const StuckDialog = ({ connection, stuck, onClose }: DialogProps) => {
  const cache = useQueryClient()
  const resolve = useMutation({
    mutationFn: async (action: 'retry' | 'drop') => {
      let done = 0
      for (;;) {
        const part = await resolveStuck(connection.id, action)
        done += part.done
        if (!part.hasMore) return { done, left: part.left, action }
      }
    },
    onSuccess: ({ done, left, action }) => {
      const what = action === 'retry' ? 'na fila de envio' : 'descartadas'
      notify.success(
        left
          ? `${formatNumber(done)} ${what}. ${formatNumber(left)} são de conversas que não estão abertas.`
          : `${formatNumber(done)} ${what}.`,
      )
      onClose()
    },
    onError: (error) => notify.error(messageOf(error)),
    onSettled: () => cache.invalidateQueries({ queryKey: stuckQuery.queryKey }),
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>Mensagens paradas em {connection.name}</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <Text size="sm">
        {formatNumber(stuck.failed)} não foram enviadas e {formatNumber(stuck.uncertain)} têm entrega incerta.
      </Text>
      <Text size="sm" mt="xs">
        Tentar de novo vale para as das conversas abertas; quem já recebeu uma de entrega incerta a verá duas vezes.
        Descartar as marca como apagadas e não as envia mais.
      </Text>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button
          variant="default"
          color="red"
          loading={resolve.isPending && resolve.variables === 'drop'}
          disabled={resolve.isPending}
          onClick={() => resolve.mutate('drop')}
        >
          Descartar
        </Button>
        <Button
          loading={resolve.isPending && resolve.variables === 'retry'}
          disabled={resolve.isPending}
          onClick={() => resolve.mutate('retry')}
        >
          Tentar de novo
        </Button>
      </Group>
    </Modal>
  )
}
