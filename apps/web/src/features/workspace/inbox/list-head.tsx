import { ActionIcon, Group, Indicator, Popover, Tooltip } from '@mantine/core'
import { IconFilter, IconMessagePlus, IconMessageSearch } from '@tabler/icons-react'
import { memo, Suspense, useState } from 'react'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { PopoverPanel } from '../../../ui/popover-panel.tsx'
import { SearchInput } from '../../../ui/search-input.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { countFilters, type TicketFilter } from '../../conversations/tickets/filter.ts'
import { BulkMenu } from './bulk-menu.tsx'
import { SavedFiltersMenu } from './saved-filters-menu.tsx'
import { SortMenu } from './sort-menu.tsx'
import classes from './ticket-list.module.css'

const FilterForm = lazyPart(async () => ({ default: (await import('./filter-form.tsx')).FilterForm }))

type Props = {
  filter: TicketFilter
  onFilter: (change: Partial<TicketFilter>) => void
  /** Missing where it is not allowed. */
  onNew?: () => void
}

/** What is looked for: drawn anew when that changes, not with every message that comes in. */
export const ListHead = memo(({ filter, onFilter, onNew }: Props) => {
  const [isFiltering, setFiltering] = useState(false)
  const chosen = countFilters(filter)
  return (
    <header className={classes.top}>
      <h1 className={classes.unseen}>Atendimentos</h1>
      <div className={classes.search}>
        <SearchInput
          label="Buscar atendimentos"
          value={filter.searchParam}
          onSearch={(searchParam) => onFilter({ searchParam })}
          w="100%"
        />
        <Indicator label={chosen} size={16} disabled={chosen === 0} offset={5}>
          <Popover
            opened={isFiltering}
            onChange={setFiltering}
            position="bottom-start"
            width={320}
            trapFocus
            returnFocus
          >
            <Popover.Target>
              <ActionIcon
                variant={chosen ? 'light' : 'subtle'}
                color={chosen ? 'accent' : 'gray'}
                title="Filtros"
                aria-label={chosen ? `Filtros, ${chosen} em uso` : 'Filtros'}
                onClick={() => setFiltering(!isFiltering)}
              >
                <IconFilter size={18} stroke={1.75} />
              </ActionIcon>
            </Popover.Target>
            <PopoverPanel label="Filtros" className={classes.filters}>
              <Suspense fallback={<SkeletonList rows={4} />}>
                <FilterForm filter={filter} onFilter={onFilter} />
              </Suspense>
            </PopoverPanel>
          </Popover>
        </Indicator>
        {onNew && (
          <Tooltip label="Nova conversa">
            <ActionIcon aria-label="Nova conversa" onClick={onNew}>
              <IconMessagePlus size={19} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
    </header>
  )
})

type ToolsProps = Pick<Props, 'filter' | 'onFilter'> & { onSearchMessages?: () => void }

/** The line under it: order, search in messages, filters under a name, what is done to many at once. */
export const ListTools = memo(({ filter, onFilter, onSearchMessages }: ToolsProps) => (
  <div className={classes.bar}>
    <SortMenu sort={filter.sort} onSort={(sort) => onFilter({ sort })} />
    <Group gap={2} wrap="nowrap">
      {onSearchMessages && (
        <Tooltip label="Buscar mensagens (Ctrl+Shift+F)">
          <ActionIcon aria-label="Buscar mensagens" onClick={onSearchMessages}>
            <IconMessageSearch size={18} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      )}
      <SavedFiltersMenu filter={filter} onFilter={onFilter} />
      <BulkMenu />
    </Group>
  </div>
))
