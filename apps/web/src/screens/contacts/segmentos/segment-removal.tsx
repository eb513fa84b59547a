import type { SegmentRow } from '@balcao/contract/contacts/segments/segments.ts'
import { Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { segmentUsesQuery } from '../../../features/contacts/segments/api.ts'
import type { Removal } from '../../../kit/resource-screen.tsx'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'

/** Asks before segments go, and says who uses them. */
export const SegmentRemoval = ({ rows, what, busy, onConfirm, onClose }: Removal<SegmentRow>) => {
  const uses = useQueries({ queries: rows.map(({ id }) => segmentUsesQuery(id)) })
  const isReading = uses.some(({ isPending }) => isPending)
  const flows = new Map(uses.flatMap(({ data }) => data?.flows ?? []).map(({ id, name }) => [id, `“${name}”`]))
  const campaigns = new Map(uses.flatMap(({ data }) => data?.campaigns ?? []).map(({ id, name }) => [id, `“${name}”`]))
  const isShared = rows.some((row) => row.isShared)
  return (
    <ConfirmDelete opened what={what} busy={busy || isReading} onConfirm={() => onConfirm()} onClose={onClose}>
      {isReading ? (
        'Vendo onde é usado…'
      ) : (
        <>
          {flows.size > 0 && (
            <Text inherit c="var(--mantine-color-text)" mb="xs">
              {`Em uso ${flows.size === 1 ? 'no fluxo' : 'nos fluxos'} ${new Intl.ListFormat('pt-BR').format(flows.values())}: `}
              a condição deixa de valer para qualquer contato.
            </Text>
          )}
          {campaigns.size > 0 && (
            <Text inherit c="var(--mantine-color-text)" mb="xs">
              {`No público ${campaigns.size === 1 ? 'da campanha' : 'das campanhas'} ${new Intl.ListFormat('pt-BR').format(campaigns.values())}: `}
              será preciso escolher outro antes de iniciar.
            </Text>
          )}
          {isShared && 'Some também para os colegas que filtram a lista, o quadro ou a exportação por ele. '}
          Os contatos continuam. Esta ação não pode ser desfeita.
        </>
      )}
    </ConfirmDelete>
  )
}
