import type { Page } from '@balcao/contract/common.ts'
import { type BlockedNumber, blockedNumberResource } from '@balcao/contract/contacts/blocked-numbers.ts'
import { Button, Text } from '@mantine/core'
import { IconBan } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../kit/api.ts'
import { reasonOf } from '../../../kit/api-error.ts'
import { deleteRow } from '../../../kit/resource-api.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { notify } from '../../../ui/notify.ts'
import { showPhone } from './phone.ts'

const { path, event } = blockedNumberResource
/** The row of this number on the list of blocked ones; null where it is not there. */
const blockQuery = (number: string) =>
  queryOptions({
    queryKey: ['resource', event, 'list', 'of', number],
    queryFn: async ({ signal }) => {
      const { items } = await api.get<Page<BlockedNumber>>(path, { query: { searchParam: number, limit: 200 }, signal })
      return items.find((one) => one.number === number) ?? null
    },
  })

/** Blocks the number of a contact, or says that it is blocked and takes that back. For `blocked-numbers.write`. */
export const BlockNumber = ({ number, name }: { number: string; name: string }) => {
  const cache = useQueryClient()
  const blocked = useQuery(blockQuery(number))
  const [asks, setAsks] = useState(false)
  const [busy, setBusy] = useState(false)
  const row = blocked.data

  const change = async (work: Promise<unknown>, done: string) => {
    setBusy(true)
    try {
      await work
      notify.success(done)
      setAsks(false)
    } catch (error) {
      notify.error(reasonOf(error))
    } finally {
      setBusy(false)
      void cache.invalidateQueries({ queryKey: ['resource', event] })
    }
  }
  const handleBlock = () =>
    change(api.post(path, { number: `+${number}`, reason: name }), `${showPhone(number)} bloqueado.`)
  if (row === undefined) return null
  return (
    <div>
      {row && (
        <Text size="sm" mb={4}>
          Bloqueado: o que ele escreve não abre atendimento e não avisa ninguém.
        </Text>
      )}
      {row ? (
        <Button
          size="compact-sm"
          variant="default"
          loading={busy}
          onClick={() => void change(deleteRow(blockedNumberResource, row.id), `${showPhone(number)} desbloqueado.`)}
        >
          Desbloquear
        </Button>
      ) : (
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          leftSection={<IconBan size={16} aria-hidden />}
          onClick={() => setAsks(true)}
        >
          Bloquear número
        </Button>
      )}
      <ConfirmDialog
        opened={asks}
        title={`Bloquear ${showPhone(number)}?`}
        confirmLabel="Bloquear"
        tone="danger"
        busy={busy}
        onConfirm={() => void handleBlock()}
        onClose={() => setAsks(false)}
      >
        O que este número escrever não abre atendimento e não avisa ninguém. O que já foi conversado continua guardado,
        e dá para desbloquear aqui mesmo.
      </ConfirmDialog>
    </div>
  )
}
