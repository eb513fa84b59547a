import type { ActionPreview } from '@balcao/contract/operations/funnel-actions.ts'
import { ActionIcon, Group, Modal, Select, type SelectProps, Switch, Text, Tooltip } from '@mantine/core'
import { IconUsersGroup } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ActionKind, actionPreview, toggleAction } from '../../../features/operations/funnel-actions/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { formatCents, formatNumber } from '../../../kit/format.ts'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import classes from './acao.module.css'
import { PartSwitch } from './part-switch.tsx'

const parts = [
  { value: 'etapas', label: 'Dias na etapa' },
  { value: 'silencio', label: 'Silêncio do cliente' },
  { value: 'registro', label: 'Registro' },
]
export const ActionParts = () => <PartSwitch label="Que ações" parts={parts} />

type Row = { id: string; name: string; active: boolean }
/** On or off, and whom it would touch now. */
export const ActionButtons = ({ kind, row }: { kind: ActionKind; row: Row }) => {
  const cache = useQueryClient()
  const [isShown, setShown] = useState(false)
  const toggle = useMutation({
    mutationFn: (active: boolean) => toggleAction(kind, row.id, active),
    onError: (error) => notify.error(messageOf(error)),
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource', `${kind}Action`] }),
  })
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      <Tooltip label="O que aconteceria agora">
        <ActionIcon aria-label={`O que ${row.name} faria agora`} onClick={() => setShown(true)}>
          <IconUsersGroup size={18} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      <Switch
        aria-label={`${row.name}: ligada`}
        checked={toggle.isPending ? toggle.variables : row.active}
        onChange={(event) => toggle.mutate(event.currentTarget.checked)}
      />
      {isShown && <PreviewModal kind={kind} row={row} onClose={() => setShown(false)} />}
    </Group>
  )
}

const PreviewModal = ({ kind, row, onClose }: { kind: ActionKind; row: Row; onClose: () => void }) => {
  const preview = useQuery({ ...actionPreview(kind, row.id), staleTime: 0 })
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={<Text fw={600}>O que “{row.name}” faria agora</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {preview.isError ? (
        <ErrorState message={messageOf(preview.error)} onRetry={() => void preview.refetch()} />
      ) : preview.data ? (
        <Preview kind={kind} isOn={row.active} preview={preview.data} />
      ) : (
        <SkeletonList />
      )}
    </Modal>
  )
}

const Preview = ({ kind, isOn, preview }: { kind: ActionKind; isOn: boolean; preview: ActionPreview }) => {
  const { total, items } = preview
  const them = kind === 'pipeline' ? ['oportunidade', 'oportunidades'] : ['conversa', 'conversas']
  const many = `${formatNumber(total)} ${total === 1 ? them[0] : them[1]}`
  if (!total)
    return (
      <Text size="sm" c="dimmed">
        {kind === 'pipeline'
          ? 'Nenhuma oportunidade está há tantos dias nesta etapa sem ter passado por esta ação.'
          : 'Nenhum cliente está em silêncio há tanto tempo sem ter passado por esta ação.'}
      </Text>
    )
  return (
    <>
      <Text size="sm">
        {isOn ? `Alcança ${many} a partir de agora.` : `Ligada, alcançaria ${many}. Nada sai enquanto está desligada.`}
      </Text>
      <ul className={classes.touched} aria-label="Quem alcança">
        {items.map(({ opportunity, ticketId, contact, since, problem }) => (
          <li key={opportunity?.id ?? ticketId}>
            <span className={classes.who}>
              <strong className="truncate">{opportunity?.name ?? contact.name}</strong>
              <span className={classes.meta}>
                {[opportunity && contact.name, opportunity && formatCents(opportunity.value)]
                  .filter(Boolean)
                  .join(' · ')}
                {opportunity && ' · '}
                <RelativeTime moment={since} />
              </span>
            </span>
            {problem && <span className={classes.problem}>{problem}</span>}
          </li>
        ))}
      </ul>
      {total > items.length && (
        <Text size="sm" c="dimmed">
          E mais {formatNumber(total - items.length)}.
        </Text>
      )}
    </>
  )
}

/** One row of the company, or none. */
export const OneOf = ({
  rows,
  value,
  onChange,
  ...rest
}: Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  rows: readonly { id: string; name: string }[]
  value?: string | null
  onChange: (id: string | null) => void
}) => (
  <Select
    searchable
    clearable={!rest.required}
    clearButtonProps={{ 'aria-label': 'Limpar' }}
    nothingFoundMessage="Nada encontrado."
    {...rest}
    data={rows.map(({ id, name }) => ({ value: id, label: name }))}
    value={value ?? null}
    onChange={onChange}
  />
)
