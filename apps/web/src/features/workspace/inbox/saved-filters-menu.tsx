import type { SavedFilter } from '@balcao/contract/conversations/saved-filters.ts'
import { ActionIcon, Popover } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { Opened } from '../../../kit/opened.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { type TicketFilter, textOfFilter } from '../../conversations/tickets/filter.ts'

const SavedFiltersPanel = lazyPart(async () => ({
  default: (await import('./saved-filters-panel.tsx')).SavedFiltersPanel,
}))
const SavedFilterDialog = lazyPart(async () => ({
  default: (await import('./saved-filter-dialog.tsx')).SavedFilterDialog,
}))

type Props = { filter: TicketFilter; onFilter: (filter: TicketFilter) => void }

/** Filters under a name: one's own and those colleagues share. */
export const SavedFiltersMenu = ({ filter, onFilter }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const [editing, setEditing] = useState<SavedFilter | 'new' | null>(null)
  const now = textOfFilter(filter)

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
          <Suspense fallback={<SkeletonList rows={3} height={36} />}>
            <SavedFiltersPanel
              current={now}
              onPick={(chosen) => {
                onFilter(chosen)
                setOpen(false)
              }}
              onEdit={(one) => {
                setOpen(false)
                setEditing(one)
              }}
            />
          </Suspense>
        </Popover.Dropdown>
      </Popover>
      {editing && (
        <Opened onLost={() => setEditing(null)}>
          <SavedFilterDialog
            saved={editing === 'new' ? null : editing}
            current={now}
            onClose={() => setEditing(null)}
          />
        </Opened>
      )}
    </>
  )
}
