import { Button } from '@mantine/core'
import { IconInbox, IconSearchOff } from '@tabler/icons-react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { clearedFilter, countFilters, type TicketFilter } from './filter.ts'
import classes from './ticket-list.module.css'
import { everydayViews, viewOf } from './views.ts'

type Props = { filter: TicketFilter; onFilter: (change: Partial<TicketFilter>) => void; onNew?: () => void }

/** Why the list is empty, and the next step. */
export const ListEmpty = ({ filter, onFilter, onNew }: Props) => {
  const { label, empty } = viewOf[filter.view]
  if (filter.searchParam) {
    const others = everydayViews.filter((view) => view !== filter.view)
    return (
      <EmptyState
        icon={<IconSearchOff size={26} stroke={1.5} />}
        title={`Nada em ${label.toLowerCase()}`}
        action={
          <span className={classes.actions}>
            {others.map((view) => (
              <Button key={view} variant="default" size="xs" onClick={() => onFilter({ view })}>
                Ver em {viewOf[view].label.toLowerCase()}
              </Button>
            ))}
          </span>
        }
      >
        Procuramos por “{filter.searchParam}” em nomes, números, protocolos e mensagens.
      </EmptyState>
    )
  }
  if (countFilters(filter) > 0)
    return (
      <EmptyState
        title="Nenhum atendimento com estes filtros"
        action={
          <Button variant="default" size="xs" onClick={() => onFilter(clearedFilter(filter))}>
            Limpar filtros
          </Button>
        }
      />
    )
  return (
    <EmptyState
      icon={<IconInbox size={26} stroke={1.5} />}
      title={empty.title}
      action={
        onNew &&
        filter.view === 'open' && (
          <Button variant="default" size="xs" onClick={onNew}>
            Nova conversa
          </Button>
        )
      }
    >
      {empty.text}
    </EmptyState>
  )
}
