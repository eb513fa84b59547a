import type { RowUses } from '@balcao/contract/operations/bulk-jobs.ts'
import type { Resource } from '@balcao/contract/resource.ts'
import { Select, Stack, Text } from '@mantine/core'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { plural } from '../../../kit/format.ts'
import { allRows } from '../../../kit/resource-api.ts'
import type { Removal } from '../../../kit/resource-screen.tsx'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { notify } from '../../../ui/notify.ts'
import { receiveJob } from '../../conversations/tickets/bulk-api.ts'
import { replaceRow, usesQuery } from './api.ts'

type Row = { id: string; name: string; isActive: boolean }
type Props = Removal<Row> & {
  resource: Resource
  /** What is left where nothing takes its place: "Ficam sem fila". */
  without: string
}

/** Asks before rows are deleted; what is in use says where, and gives way to another or goes from everywhere. */
export const InUseRemoval = ({ resource, without, ...asked }: Props) => {
  const { rows, what, busy, onConfirm, onClose, onBegun } = asked
  const cache = useQueryClient()
  const all = useQuery(allRows<Row>(resource)).data ?? []
  const uses = useQueries({ queries: rows.map((row) => usesQuery(resource, row.id)) })
  const [replacementId, setReplacementId] = useState('')
  const [isAsking, setAsking] = useState(false)
  const isCounted = uses.every((one) => one.isSuccess)
  const total = sumOf(uses.flatMap((one) => one.data ?? []))
  const isUsed = Object.values(total).some((use) => (typeof use === 'number' ? use > 0 : use.length > 0))
  if (!isCounted || !isUsed)
    return (
      <ConfirmDelete
        opened
        what={what}
        busy={busy || uses.some((one) => one.isPending)}
        onConfirm={() => onConfirm()}
        onClose={onClose}
      >
        {uses.some((one) => one.isPending) ? 'Vendo onde é usado…' : undefined}
      </ConfirmDelete>
    )

  const handleReplace = async () => {
    setAsking(true)
    try {
      for (const row of rows) receiveJob(cache, await replaceRow(resource, row.id, replacementId || null))
      notify.success('Começou. O andamento aparece aqui, acima da lista.')
      void cache.invalidateQueries({ queryKey: ['resource', resource.event] })
      onBegun()
    } catch (error) {
      notify.error(messageOf(error))
    } finally {
      setAsking(false)
    }
  }
  const ids = new Set(rows.map((row) => row.id))
  return (
    <ConfirmDialog
      opened
      title={`Excluir ${what}?`}
      confirmLabel={replacementId ? 'Trocar e excluir' : 'Remover e excluir'}
      tone="danger"
      busy={isAsking}
      onConfirm={() => void handleReplace()}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text inherit c="var(--mantine-color-text)">
          Em uso: {placesOf(total)}.
        </Text>
        <Select
          label="Trocar por"
          description={
            replacementId
              ? 'A troca vale em todos os lugares, aos poucos.'
              : whatIsLeft({ without, isQueue: resource.event === 'queue', total })
          }
          data={[
            { value: '', label: 'Nada: só remover' },
            ...all
              .filter((row) => row.isActive && !ids.has(row.id))
              .map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={replacementId}
          onChange={(chosen) => setReplacementId(chosen ?? '')}
          allowDeselect={false}
          searchable
          nothingFoundMessage="Nada encontrado"
        />
      </Stack>
    </ConfirmDialog>
  )
}

const sumOf = (uses: RowUses[]): RowUses => {
  const sum = (place: Exclude<keyof RowUses, 'flows'>) => uses.reduce((total, one) => total + one[place], 0)
  return {
    contacts: sum('contacts'),
    tickets: sum('tickets'),
    connections: sum('connections'),
    quickMessages: sum('quickMessages'),
    macros: sum('macros'),
    emptiedMacros: sum('emptiedMacros'),
    flows: [...new Map(uses.flatMap(({ flows }) => flows).map((one) => [one.id, one])).values()],
  }
}

/** "312 contatos e 45 atendimentos". */
const placesOf = ({ contacts, tickets, connections, quickMessages, macros, flows }: RowUses): string =>
  new Intl.ListFormat('pt-BR').format([
    ...(contacts ? [plural(contacts, 'contato', 'contatos')] : []),
    ...(tickets ? [plural(tickets, 'atendimento', 'atendimentos')] : []),
    ...(connections ? [plural(connections, 'canal', 'canais')] : []),
    ...(quickMessages ? [plural(quickMessages, 'mensagem rápida', 'mensagens rápidas')] : []),
    ...(macros ? [plural(macros, 'macro', 'macros')] : []),
    ...flows.map(({ name }) => `fluxo “${name}”`),
  ])

type Left = { without: string; isQueue: boolean; total: RowUses }

/** Without a replacement: what is kept, for whom, and what goes along. */
const whatIsLeft = ({ without, isQueue, total }: Left): string => {
  const { contacts, tickets, connections, quickMessages, macros, emptiedMacros, flows } = total
  const keptMacros = macros - emptiedMacros
  return [
    ...(contacts + tickets + connections ? [`${without}.`] : []),
    ...(isQueue && quickMessages + keptMacros
      ? ['As mensagens rápidas e as macros que eram só desta fila passam a ser de todos.']
      : []),
    ...(!isQueue && keptMacros ? ['As macros ficam sem esse passo.'] : []),
    ...(emptiedMacros
      ? [`${plural(emptiedMacros, 'macro que só fazia isso é excluída', 'macros que só faziam isso são excluídas')}.`]
      : []),
    ...(flows.length
      ? [
          `${flows.length === 1 ? 'O fluxo aponta' : 'Os fluxos apontam'} para o que não existe mais, até você trocar lá.`,
        ]
      : []),
  ].join(' ')
}
