import type { SavedFilter } from '@balcao/contract/conversations/saved-filters.ts'
import { ActionIcon, Button, Text, UnstyledButton } from '@mantine/core'
import { IconPencil, IconPlus, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../../kit/api-error.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { filterOfText, type TicketFilter, textOfFilter } from '../../conversations/tickets/filter.ts'
import { savedFilterList } from './saved-filters.ts'
import classes from './saved-filters-menu.module.css'

type Props = {
  /** The filter in use, as text. */
  current: string
  onPick: (filter: TicketFilter) => void
  onEdit: (one: SavedFilter | 'new') => void
}

/** What the menu of saved filters holds; its code comes when it is opened. */
export const SavedFiltersPanel = ({ current, onPick, onEdit }: Props) => {
  const { userId } = useCurrentSession()
  const saved = useQuery(savedFilterList)
  if (saved.isPending) return <SkeletonList rows={3} height={36} />
  if (saved.isError) return <ErrorState message={messageOf(saved.error)} onRetry={() => void saved.refetch()} />

  const section = (title: string, list: SavedFilter[]) =>
    list.length > 0 && (
      <section aria-label={title}>
        <Text size="xs" c="dimmed" fw={500} px={8} pt={6} component="h3">
          {title}
        </Text>
        <ul className={classes.list}>
          {list.map((one) => (
            <li key={one.id} className={classes.item}>
              <UnstyledButton
                className={classes.pick}
                aria-current={textOfFilter(filterOfText(one.query)) === current ? 'true' : undefined}
                onClick={() => onPick(filterOfText(one.query))}
              >
                <span className="truncate">{one.name}</span>
                {one.isShared && one.userId === userId && (
                  <IconUsers size={15} stroke={1.75} aria-label="Compartilhado" />
                )}
              </UnstyledButton>
              {one.userId === userId && (
                <ActionIcon size={30} aria-label={`Editar ${one.name}`} onClick={() => onEdit(one)}>
                  <IconPencil size={16} stroke={1.75} />
                </ActionIcon>
              )}
            </li>
          ))}
        </ul>
      </section>
    )
  return (
    <>
      {section(
        'Meus filtros',
        saved.data.filter((one) => one.userId === userId),
      )}
      {section(
        'Compartilhados',
        saved.data.filter((one) => one.userId !== userId),
      )}
      {saved.data.length === 0 && (
        <Text size="sm" c="dimmed" p={8}>
          Guarde uma combinação de visão, ordem e filtros para voltar a ela com um clique.
        </Text>
      )}
      <Button
        variant="subtle"
        size="sm"
        fullWidth
        justify="flex-start"
        px={8}
        mt={4}
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={() => onEdit('new')}
      >
        Salvar o filtro atual
      </Button>
    </>
  )
}
