import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { type FunnelUses, pipelineResource, stageResource } from '@balcao/contract/sales/pipelines.ts'
import { Select, Stack, Text } from '@mantine/core'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../kit/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { plural } from '../../../kit/format.ts'
import type { Removal } from '../../../kit/resource-screen.tsx'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { notify } from '../../../ui/notify.ts'
import { receiveJob } from '../../conversations/tickets/bulk-api.ts'
import { usePipelines } from './api.ts'

type Part = { id: string; name: string; pipelineId?: string }
type Props = Removal<Part> & { of: 'stage' | 'pipeline' }

/** Asks before stages or pipelines go; the opportunities that stand there pass to another stage first. */
export const FunnelRemoval = ({ of, rows, what, busy, onConfirm, onClose, onBegun }: Props) => {
  const cache = useQueryClient()
  const resource = of === 'stage' ? stageResource : pipelineResource
  const { pipelines, stages } = usePipelines()
  const uses = useQueries({
    queries: rows.map(({ id }) => ({
      queryKey: ['resource', resource.event, 'uses', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.get<FunnelUses>(`${resource.path}/${id}/uses`, { signal }),
      staleTime: 0,
    })),
  })
  const [wished, setWished] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  const isPending = uses.some((one) => one.isPending)
  const sum = (key: keyof FunnelUses) => uses.reduce((total, { data }) => total + (data?.[key] ?? 0), 0)
  const [open, closed] = [sum('open'), sum('closed')]
  if (isPending || open + closed === 0)
    return (
      <ConfirmDelete opened what={what} busy={busy || isPending} onConfirm={() => onConfirm()} onClose={onClose}>
        {isPending ? 'Vendo que oportunidades há…' : undefined}
      </ConfirmDelete>
    )

  const ids = new Set(rows.map(({ id }) => id))
  const own = new Set(rows.map(({ id, pipelineId }) => pipelineId ?? id))
  const free = stages.filter(({ id, pipelineId }) => !ids.has(id) && !ids.has(pipelineId))
  const groups = pipelines
    .toSorted((a, b) => Number(own.has(b.id)) - Number(own.has(a.id)))
    .map(({ id, name }) => ({
      group: name,
      items: free.filter((one) => one.pipelineId === id).map((one) => ({ value: one.id, label: one.name })),
    }))
    .filter(({ items }) => items.length > 0)
  const stageId = wished ?? groups[0]?.items[0]?.value
  const held = `Há ${plural(open + closed, 'oportunidade', 'oportunidades')} aqui${closed ? `, ${plural(closed, 'já encerrada', 'já encerradas')}` : ''}`
  if (!stageId)
    return (
      <ConfirmDialog
        opened
        title={`Ainda não dá para excluir ${what}`}
        confirmLabel="Entendi"
        cancelLabel="Fechar"
        onConfirm={onClose}
        onClose={onClose}
      >
        {held}. Nenhuma outra etapa as pode receber: crie antes{' '}
        {of === 'pipeline'
          ? 'outro funil, ou deixe este inativo: ele some do quadro e guarda o que tem.'
          : 'outra etapa ou outro funil.'}
      </ConfirmDialog>
    )

  const handlePass = async () => {
    setAsking(true)
    try {
      for (const { id } of rows)
        receiveJob(cache, await api.post<BulkJob>(`${resource.path}/${id}/replace`, { stageId }))
      notify.success('Começou. O andamento aparece aqui, acima da lista.')
      onBegun()
    } catch (error) {
      notify.error(messageOf(error))
    } finally {
      setAsking(false)
    }
  }
  return (
    <ConfirmDialog
      opened
      title={`Excluir ${what}?`}
      confirmLabel="Passar e excluir"
      tone="danger"
      busy={isAsking}
      onConfirm={() => void handlePass()}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text inherit c="var(--mantine-color-text)">
          {held}.
        </Text>
        <Select
          label="Passar todas para"
          data={groups.length === 1 ? (groups[0]?.items ?? []) : groups}
          value={stageId}
          onChange={setWished}
          allowDeselect={false}
          searchable
          nothingFoundMessage="Nada encontrado"
        />
        <Text inherit>
          {open > 0 &&
            'As abertas contam como quem entra agora nessa etapa: as ações dela valem para elas, e o que ela exige não é pedido. '}
          As ações {of === 'stage' ? 'desta etapa' : 'deste funil'} são excluídas junto.
        </Text>
      </Stack>
    </ConfirmDialog>
  )
}
