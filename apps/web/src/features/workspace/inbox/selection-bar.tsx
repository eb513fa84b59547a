import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { ActionIcon, CloseButton, Tooltip } from '@mantine/core'
import { IconArrowsExchange, IconCheck, IconMailOpened, IconTag } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { plural } from '../../../kit/format.ts'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { Opened } from '../../../kit/opened.tsx'
import { notify } from '../../../ui/notify.ts'
import { postChosen, receiveJob } from '../../conversations/tickets/bulk-api.ts'
import type { ChosenAction } from './chosen-dialog.tsx'
import classes from './ticket-list.module.css'

const ChosenDialog = lazyPart(async () => ({ default: (await import('./chosen-dialog.tsx')).ChosenDialog }))

type Props = { tickets: readonly Ticket[]; onClear: () => void }

/** What is done with every chosen conversation, in one request. */
export const SelectionBar = ({ tickets, onClear }: Props) => {
  const cache = useQueryClient()
  const [action, setAction] = useState<ChosenAction | null>(null)
  const ticketIds = tickets.map((ticket) => ticket.id)
  const isActive = tickets.some((ticket) => ticket.status !== 'closed')
  const isUnread = tickets.some((ticket) => ticket.unreadMessages > 0 && ticket.status !== 'closed')
  const handleRead = async () => {
    try {
      receiveJob(cache, await postChosen({ kind: 'markRead', ticketIds }))
      onClear()
    } catch (error) {
      notify.error(messageOf(error))
    }
  }
  const button = (label: string, Icon: typeof IconCheck, run: () => void, isPossible = true) => (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} disabled={!isPossible} onClick={run}>
        <Icon size={18} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  )
  return (
    <div className={classes.bar} role="toolbar" aria-label="Conversas selecionadas">
      <CloseButton aria-label="Limpar seleção" onClick={onClear} />
      <span className={`tabular ${classes.chosen}`} role="status">
        {plural(tickets.length, 'selecionada', 'selecionadas')}
      </span>
      {button('Marcar como lidas', IconMailOpened, () => void handleRead(), isUnread)}
      {button('Adicionar etiquetas', IconTag, () => setAction('tag'))}
      {button('Transferir', IconArrowsExchange, () => setAction('transfer'), isActive)}
      {button('Encerrar', IconCheck, () => setAction('close'), isActive)}
      <Opened onLost={() => setAction(null)}>
        {action && (
          <ChosenDialog action={action} ticketIds={ticketIds} onClose={() => setAction(null)} onDone={onClear} />
        )}
      </Opened>
    </div>
  )
}
