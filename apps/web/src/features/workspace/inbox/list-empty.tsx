import { Button } from '@mantine/core'
import { IconInbox, IconPlugConnected, IconSearchOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useCan } from '../../../kit/use-can.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { clearedFilter, countFilters, type TicketFilter } from '../../conversations/tickets/filter.ts'
import { everydayViews, viewOf } from '../../conversations/tickets/views.ts'
import { firstStepsQuery } from '../../operations/dashboard/api.ts'
import classes from './ticket-list.module.css'

type Props = { filter: TicketFilter; onFilter: (change: Partial<TicketFilter>) => void; onNew?: () => void }

/** Why the list is empty, and the next step. */
export const ListEmpty = ({ filter, onFilter, onNew }: Props) => {
  const { label, empty } = viewOf[filter.view]
  const steps = useQuery({ ...firstStepsQuery, enabled: useCan('users.write') }).data
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
  if (steps && !steps.channel && !steps.answered) return <NoChannel webchatId={steps.webchat?.id ?? null} />
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

/** Nobody can write yet: the next step is a channel, or the site in which the chat opens. */
const NoChannel = ({ webchatId }: { webchatId: string | null }) => (
  <EmptyState
    icon={<IconPlugConnected size={26} stroke={1.5} />}
    title={webchatId ? 'Falta o domínio do seu site' : 'Nenhum canal ligado ainda'}
    action={
      <Button component={Link} to={`/sessoes?registro=${webchatId ?? 'novo'}`} variant="default" size="xs">
        {webchatId ? 'Informar domínio' : 'Adicionar canal'}
      </Button>
    }
  >
    As conversas dos clientes aparecem aqui.
  </EmptyState>
)
