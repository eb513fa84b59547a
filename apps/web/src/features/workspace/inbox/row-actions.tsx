import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { Menu } from '@mantine/core'
import { Fragment, useEffect, useRef, useState } from 'react'
import { MenuAction } from '../../../ui/menu-action.tsx'
import { linkToTicket } from '../../conversations/tickets/address.ts'
import type { ActionLetter } from './action-keys.ts'
import { TicketDialogs } from './ticket-dialogs.tsx'
import { type OfferedAction, useTicketWork } from './use-ticket-work.ts'

/** What was asked of a row: its menu, where the hand is, or what a letter means. A new key is a new question. */
export type RowRequest = { key: number; ticket: Ticket } & ({ at: { x: number; y: number } } | { letter: ActionLetter })
type Props = {
  request: RowRequest
  /** The conversation is the open one. */
  isOpen: boolean
  onOpen: (id: string) => void
  onSelect: (id: string, withRange: boolean) => void
  /** Told before the conversation leaves one's hands; what it answers runs once it has. */
  onLeaving: () => () => void
}

/** What can be done with a conversation without opening it: its menu, and the dialogs behind. */
export const RowActions = ({ request, isOpen, onOpen, onSelect, onLeaving }: Props) => {
  const { ticket } = request
  const [isMenuOpen, setMenuOpen] = useState('at' in request)
  const work = useTicketWork(ticket, {
    onLeaving,
    onPausing: onLeaving,
    beforeUnread: () => isOpen && onOpen(''),
    place: {
      href: linkToTicket(ticket.id),
      select: () => onSelect(ticket.id, false),
    },
  })

  const isBegun = useRef(false)
  const press = useRef(work.press)
  useEffect(() => {
    if (isBegun.current || !('letter' in request)) return
    isBegun.current = true // the effect of a new question, once
    press.current(request.letter)
  }, [request])

  return (
    <>
      {'at' in request && (
        <Menu
          opened={isMenuOpen}
          onClose={() => setMenuOpen(false)}
          position="bottom-start"
          width={230}
          withInitialFocusPlaceholder={false}
        >
          <Menu.Target>
            <span style={{ position: 'fixed', left: request.at.x, top: request.at.y }} aria-hidden />
          </Menu.Target>
          <Menu.Dropdown aria-label={`Ações de ${ticket.name}`}>
            {work.offered('row').map((action) => (
              <Fragment key={action.key}>
                <ActionItem action={action} />
                {action.key === 'select' && <Menu.Divider />}
              </Fragment>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <TicketDialogs ticket={ticket} work={work} onGo={onOpen} />
    </>
  )
}

const ActionItem = ({ action }: { action: OfferedAction }) => {
  const icon = <action.icon size={17} stroke={1.75} aria-hidden />
  return action.href ? (
    <Menu.Item leftSection={icon} component="a" href={action.href} target="_blank" rel="noopener">
      {action.label}
    </Menu.Item>
  ) : (
    <MenuAction obstacle={action.obstacle} leftSection={icon} onClick={action.run}>
      {action.label}
    </MenuAction>
  )
}
