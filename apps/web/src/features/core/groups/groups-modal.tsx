import type { Resource } from '@balcao/contract/resource.ts'
import { ActionIcon, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { deleteRow, type PlainRow, saveRow } from '../../../kit/resource-api.ts'
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx'
import { notify } from '../../../ui/notify.ts'
import classes from './groups-modal.module.css'

type Row = { id: string; name: string; version: number; position: number }
type Props<R extends Row> = {
  resource: Resource
  title: string
  /** "Nova pasta". */
  newLabel: string
  rows: readonly R[]
  canWrite?: (row: R) => boolean
  /** What is said behind a name, or chosen there. */
  beside?: (row: R, save: (values: Record<string, unknown>) => void) => ReactNode
  /** What a new one has beside its name. */
  newValues: Record<string, unknown>
  /** Where that is chosen. */
  newFields?: ReactNode
  onClose: () => void
}

/** Folders or groups in their order: added, named, moved up and down, taken out. Each change is saved at once. */
export const GroupsModal = <R extends Row>({
  resource,
  title,
  newLabel,
  rows,
  canWrite = () => true,
  beside,
  newValues,
  newFields,
  onClose,
}: Props<R>) => {
  const cache = useQueryClient()
  const list = useRef<HTMLOListElement>(null)
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [deleting, setDeleting] = useState<R | null>(null)
  const renew = () => cache.invalidateQueries({ queryKey: ['resource', resource.event] })

  const save = async (row: R, values: Record<string, unknown>) => {
    try {
      await saveRow(resource, row as unknown as PlainRow, values)
    } catch (error) {
      notify.error(messageOf(error))
    }
    await renew()
  }
  const handleAdd = async (event: FormEvent) => {
    event.preventDefault()
    if (!name.trim()) return setProblem('Informe o nome.')
    try {
      const position = Math.max(-1, ...rows.map((row) => row.position)) + 1
      await saveRow(resource, null, { ...newValues, name, position })
      setName('')
      setProblem(null)
      await renew()
    } catch (error) {
      setProblem(isApiError(error) ? (error.problems[0]?.message ?? error.message) : messageOf(error))
    }
  }
  const move = async (at: number, to: number) => {
    const moved = rows[at]
    if (!moved || to < 0 || to >= rows.length) return
    const next = rows.toSpliced(at, 1).toSpliced(to, 0, moved)
    const changed = next.flatMap((row, position) =>
      row.position !== position && canWrite(row) ? [{ row, position }] : [],
    )
    for (const { row, position } of changed) await save(row, { position })
    list.current?.children[to]?.querySelector<HTMLElement>(`[data-move="${to < at ? 'up' : 'down'}"]`)?.focus()
  }
  const handleDelete = async () => {
    if (!deleting) return
    try {
      await deleteRow(resource, deleting.id)
    } catch (error) {
      notify.error(messageOf(error))
    }
    setDeleting(null)
    await renew()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size={560}
      title={<Text fw={600}>{title}</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <Stack gap="md">
        {rows.length === 0 && <Text c="dimmed">Ainda não há nada aqui. Comece por um nome.</Text>}
        <ol ref={list} className={classes.list}>
          {rows.map((row, at) => {
            const isOwn = canWrite(row)
            return (
              <li key={row.id} className={classes.row}>
                <TextInput
                  key={row.version}
                  className={classes.name}
                  aria-label={`Nome de ${row.name}`}
                  defaultValue={row.name}
                  maxLength={60}
                  readOnly={!isOwn}
                  onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
                  onBlur={({ currentTarget: { value } }) => {
                    if (value.trim() && value.trim() !== row.name) void save(row, { name: value })
                  }}
                />
                {beside?.(row, (values) => void save(row, values))}
                <ActionIcon
                  data-move="up"
                  aria-label={`Subir ${row.name}`}
                  disabled={at === 0 || !isOwn}
                  onClick={() => void move(at, at - 1)}
                >
                  <IconArrowUp size={16} />
                </ActionIcon>
                <ActionIcon
                  data-move="down"
                  aria-label={`Descer ${row.name}`}
                  disabled={at === rows.length - 1 || !isOwn}
                  onClick={() => void move(at, at + 1)}
                >
                  <IconArrowDown size={16} />
                </ActionIcon>
                <ActionIcon aria-label={`Excluir ${row.name}`} disabled={!isOwn} onClick={() => setDeleting(row)}>
                  <IconTrash size={16} />
                </ActionIcon>
              </li>
            )
          })}
        </ol>
        <form onSubmit={(event) => void handleAdd(event)}>
          <Stack gap="xs">
            <TextInput
              label={newLabel}
              placeholder="Nome"
              data-autofocus
              maxLength={60}
              value={name}
              error={problem}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            {newFields}
            <Group justify="flex-end">
              <Button type="submit" variant="default">
                Adicionar
              </Button>
            </Group>
          </Stack>
        </form>
      </Stack>
      <ConfirmDelete
        opened={deleting !== null}
        what={`“${deleting?.name ?? ''}”`}
        busy={false}
        onConfirm={() => void handleDelete()}
        onClose={() => setDeleting(null)}
      >
        O que está dentro continua, fora de qualquer {resource.event === 'tagGroup' ? 'grupo' : 'pasta'}.
      </ConfirmDelete>
    </Modal>
  )
}
