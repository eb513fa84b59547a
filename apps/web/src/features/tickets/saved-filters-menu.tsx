import type { SavedFilter } from '@balcao/contract/saved-filters.ts'
import { ActionIcon, Button, Popover, Text, UnstyledButton } from '@mantine/core'
import { IconBookmark, IconPencil, IconPlus, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { messageOf } from '../../kit/api-error.ts'
import { useCurrentSession } from '../../kit/session.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonList } from '../../ui/skeleton-list.tsx'
import type { TicketFilter } from './filter.ts'
import { filterOfText, savedFilterList, textOfFilter } from './saved-filters.ts'
import classes from './saved-filters-menu.module.css'

const SavedFilterDialog = lazy(async () => ({
  default: (await import('./saved-filter-dialog.tsx')).SavedFilterDialog,
}))

type Props = { filter: TicketFilter; onFilter: (filter: TicketFilter) => void }

/** Filters under a name: one's own and those colleagues share. */
export const SavedFiltersMenu = ({ filter, onFilter }: Props) => {
  const { userId } = useCurrentSession()
  const [isOpen, setOpen] = useState(false)
  const [editing, setEditing] = useState<SavedFilter | 'new' | null>(null)
  const saved = useQuery({ ...savedFilterList, enabled: isOpen })
  const now = textOfFilter(filter)
  const mine = saved.data?.filter((one) => one.userId === userId) ?? []
  const shared = saved.data?.filter((one) => one.userId !== userId) ?? []
  const edit = (one: SavedFilter | 'new') => {
    setOpen(false)
    setEditing(one)
  }
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
                aria-current={textOfFilter(filterOfText(one.query)) === now ? 'true' : undefined}
                onClick={() => {
                  onFilter(filterOfText(one.query))
                  setOpen(false)
                }}
              >
                <span className="truncate">{one.name}</span>
                {one.isShared && one.userId === userId && (
                  <IconUsers size={15} stroke={1.75} aria-label="Compartilhado" />
                )}
              </UnstyledButton>
              {one.userId === userId && (
                <ActionIcon size={30} aria-label={`Editar ${one.name}`} onClick={() => edit(one)}>
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
      <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={290} trapFocus returnFocus>
        <Popover.Target>
          <ActionIcon
            title="Filtros salvos"
            aria-label="Filtros salvos"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <IconBookmark size={18} stroke={1.75} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown p={6} aria-label="Filtros salvos">
          {saved.isPending ? (
            <SkeletonList rows={3} height={36} />
          ) : saved.isError ? (
            <ErrorState message={messageOf(saved.error)} onRetry={() => void saved.refetch()} />
          ) : (
            <>
              {section('Meus filtros', mine)}
              {section('Compartilhados', shared)}
              {saved.data.length === 0 && (
                <Text size="sm" c="dimmed" p={8}>
                  Guarde uma combinação de visão, ordem e filtros para voltar a ela com um clique.
                </Text>
              )}
            </>
          )}
          <Button
            variant="subtle"
            size="sm"
            fullWidth
            justify="flex-start"
            px={8}
            mt={4}
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => edit('new')}
          >
            Salvar o filtro atual
          </Button>
        </Popover.Dropdown>
      </Popover>
      {editing && (
        <Suspense fallback={null}>
          <SavedFilterDialog
            saved={editing === 'new' ? null : editing}
            current={now}
            onClose={() => setEditing(null)}
          />
        </Suspense>
      )}
    </>
  )
}
