import { type SavedFilter, savedFilterResource } from '@balcao/contract/conversations/saved-filters.ts'
import { Button, Group, Modal, Stack, Switch, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { isApiError, reasonOf } from '../../../kit/api-error.ts'
import { useCan } from '../../../kit/use-can.ts'
import { notify } from '../../../ui/notify.ts'
import { useSavedFilters } from './saved-filters.ts'

type Props = {
  /** null: a new one, of what the list shows now. */
  saved: SavedFilter | null
  /** The filter as it stands in the address. */
  current: string
  onClose: () => void
}

export const SavedFilterDialog = ({ saved, current, onClose }: Props) => {
  const { save, remove } = useSavedFilters()
  const canShare = useCan('tickets.showAll')
  const [name, setName] = useState(saved?.name ?? '')
  const [isShared, setShared] = useState(saved?.isShared ?? false)
  const [renews, setRenews] = useState(false)
  const [error, setError] = useState('')

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const checked = savedFilterResource.write.shape.name.safeParse(name)
    if (!checked.success) return setError(checked.error.issues[0]?.message ?? '')
    const query = !saved || renews ? { query: current } : {}
    const version = saved ? { id: saved.id, version: saved.version } : {}
    try {
      await save.mutateAsync({ ...version, ...query, name: checked.data, isShared })
      notify.success(saved ? 'Filtro alterado.' : 'Filtro salvo.')
      onClose()
    } catch (problem) {
      if (isApiError(problem, 'ERR_DUPLICATED')) setError('Você já tem um filtro com este nome.')
      else setError(reasonOf(problem))
    }
  }
  const handleRemove = async () => {
    if (!saved) return
    const { name: lost, isShared: wasShared, query } = saved
    await remove.mutateAsync(saved.id).then(
      () => {
        notify.success('Filtro excluído.', {
          label: 'Desfazer',
          onClick: () => save.mutate({ name: lost, isShared: wasShared, query }),
        })
        onClose()
      },
      () => undefined, // told by the call itself
    )
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>{saved ? 'Editar filtro' : 'Salvar filtro'}</Text>}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      <form onSubmit={handleSubmit} noValidate>
        <Stack gap="sm">
          <TextInput
            label="Nome"
            placeholder="Ex.: Urgentes sem atendente"
            data-autofocus
            maxLength={40}
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value)
              setError('')
            }}
            error={error}
          />
          {(canShare || isShared) && (
            <Switch
              label="Compartilhar com a equipe"
              description="Os colegas veem e usam este filtro; só você altera."
              checked={isShared}
              onChange={(event) => setShared(event.currentTarget.checked)}
            />
          )}
          {saved && saved.query !== current && (
            <Switch
              label="Trocar pelo filtro atual da lista"
              checked={renews}
              onChange={(event) => setRenews(event.currentTarget.checked)}
            />
          )}
        </Stack>
        <Group justify="space-between" gap="sm" mt="lg">
          {saved && (
            <Button variant="subtle" color="red" px={8} loading={remove.isPending} onClick={() => void handleRemove()}>
              Excluir
            </Button>
          )}
          <Group gap="xs" wrap="nowrap" ml="auto">
            <Button variant="default" onClick={onClose}>
              Cancelar
            </Button>
            <Button type="submit" loading={save.isPending}>
              Salvar
            </Button>
          </Group>
        </Group>
      </form>
    </Modal>
  )
}
