import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { ActionIcon, Button, Menu, Tooltip, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowLeft, IconDots, IconLayoutSidebarRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { WindowClock } from '../../../features/conversations/messages/window-clock.tsx'
import { userOptions } from '../../../features/people/users/api.ts'
import { SlaClock } from '../../../features/service/sla/sla-clock.tsx'
import { PauseBanner } from '../../../features/workspace/inbox/pause-banner.tsx'
import type { TicketWork } from '../../../features/workspace/inbox/use-ticket-work.ts'
import { useCommands } from '../../../kit/commands.ts'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { Opened } from '../../../kit/opened.tsx'
import { useCurrentSession } from '../../../kit/session.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { MenuAction } from '../../../ui/menu-action.tsx'
import { TagChip } from '../../../ui/tag-chip.tsx'
import classes from './chat-header.module.css'

type Props = {
  ticket: Ticket
  work: TicketWork
  viewers: readonly { userId: string; name: string; isTyping: boolean }[]
  /** Until when free text may be sent; null where the channel knows no such end. */
  windowEndsAt: number | null
  isWindowOver: boolean
  isPanelOpen: boolean
  onPanel: () => void
  onBack: () => void
}

const ActionsSheet = lazyPart(async () => ({ default: (await import('./actions-sheet.tsx')).ActionsSheet }))

/** With whom, by which way, in whose hands; and what can be done now. */
export const ChatHeader = ({
  ticket,
  work,
  viewers,
  windowEndsAt,
  isWindowOver,
  isPanelOpen,
  onPanel,
  onBack,
}: Props) => {
  const { userId } = useCurrentSession()
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const [isSheetOpen, setSheetOpen] = useState(false)
  const panelLabel = ticket.isGroup ? 'Dados do grupo' : 'Dados do contato'
  useCommands(
    work
      .offered('commands')
      .filter(({ obstacle, isBusy }) => !obstacle && !isBusy)
      .map(({ label, icon, run, words }) => ({ label, icon, run, words, section: `Conversa com ${ticket.name}` })),
  )
  const hands =
    ticket.userId === userId ? null : (ticket.username ?? (ticket.bot || ticket.chatFlowId ? 'o robô' : null))
  // Whoever has it comes first: where there is little room, the end is what is cut off. On a phone the mark on the
  // picture tells the channel.
  const where = [hands && `com ${hands}`, ticket.queue?.name ?? 'Sem fila', !isPhone && ticket.whatsapp.name]
    .filter(Boolean)
    .join(' · ')

  return (
    <div className={classes.frame}>
      <header className={classes.header}>
        {isPhone && (
          <ActionIcon aria-label="Voltar à lista" size={40} onClick={onBack}>
            <IconArrowLeft size={20} stroke={1.75} />
          </ActionIcon>
        )}
        <span className={classes.face}>
          <Avatar name={ticket.name} src={ticket.profilePicUrl} channel={ticket.channel} size={38} />
        </span>
        <div className={classes.words}>
          <h2 className={`truncate ${classes.name}`} title={ticket.name}>
            {ticket.name}
          </h2>
          <p className={classes.meta}>
            <span className="truncate" title={where}>
              {where}
            </span>
            {windowEndsAt !== null && !isWindowOver && <WindowClock endsAt={windowEndsAt} />}
            <SlaClock ticket={ticket} />
          </p>
        </div>
        {!isPhone && ticket.tags.length > 0 && (
          <div className={classes.tags}>
            {ticket.tags.slice(0, 2).map((tag) => (
              <TagChip key={tag.id} name={tag.name} color={tag.color} />
            ))}
            {ticket.tags.length > 2 && <span className={classes.moreTags}>+{ticket.tags.length - 2}</span>}
          </div>
        )}
        {viewers.length > 0 && (
          <ul className={classes.viewers} aria-label="Também estão vendo">
            {viewers.slice(0, 3).map((viewer) => (
              <Tooltip
                key={viewer.userId}
                label={`${viewer.name} ${viewer.isTyping ? 'está escrevendo' : 'está vendo'}`}
              >
                <li aria-label={viewer.name} data-typing={viewer.isTyping}>
                  <Avatar name={viewer.name} size={26} />
                </li>
              </Tooltip>
            ))}
          </ul>
        )}
        {!isPhone && <Guests ticket={ticket} onShow={() => work.ask('share')} />}
        {isPhone ? (
          <ActionIcon size={40} aria-label="Ações" onClick={() => setSheetOpen(true)}>
            <IconDots size={20} stroke={1.75} />
          </ActionIcon>
        ) : (
          <div className={classes.actions}>
            {work.offered('bar').map((action) => (
              <Tooltip key={action.key} label={action.hint} disabled={!action.hint}>
                <Button
                  variant="default"
                  size="sm"
                  className={classes.action}
                  leftSection={<action.icon size={17} stroke={1.75} aria-hidden />}
                  loading={action.isBusy}
                  onClick={action.run}
                >
                  {action.label}
                </Button>
              </Tooltip>
            ))}
            <Menu position="bottom-end" width={270} withInitialFocusPlaceholder={false}>
              <Menu.Target>
                <ActionIcon aria-label="Mais ações">
                  <IconDots size={18} stroke={1.75} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                {work.offered('menu').map((action) => (
                  <MenuAction
                    key={action.key}
                    obstacle={action.obstacle}
                    leftSection={<action.icon size={17} stroke={1.75} aria-hidden />}
                    onClick={action.run}
                  >
                    {action.label}
                  </MenuAction>
                ))}
              </Menu.Dropdown>
            </Menu>
            <Tooltip label={isPanelOpen ? 'Fechar painel' : panelLabel}>
              <ActionIcon
                aria-label={panelLabel}
                aria-expanded={isPanelOpen}
                variant={isPanelOpen ? 'light' : 'subtle'}
                onClick={onPanel}
              >
                <IconLayoutSidebarRight size={19} stroke={1.75} />
              </ActionIcon>
            </Tooltip>
          </div>
        )}
        {isSheetOpen && (
          <Opened onLost={() => setSheetOpen(false)}>
            <ActionsSheet actions={work.offered('sheet')} onClose={() => setSheetOpen(false)} />
          </Opened>
        )}
      </header>
      {ticket.pausedAt && <PauseBanner ticket={ticket} />}
    </div>
  )
}

const mostGuests = 3

/** Colleagues it was shared with; a click shows them all. */
const Guests = ({ ticket, onShow }: { ticket: Ticket; onShow: () => void }) => {
  const people = useQuery({ ...userOptions, enabled: ticket.sharedWith.length > 0 }).data ?? []
  const guests = ticket.sharedWith.flatMap((id) => people.find((person) => person.id === id) ?? [])
  if (!guests.length) return null
  const names = guests.map((person) => person.name).join(', ')
  return (
    <Tooltip label={`Compartilhado com ${names}`}>
      <UnstyledButton className={classes.guests} aria-label={`Compartilhado com ${names}`} onClick={onShow}>
        {guests.slice(0, mostGuests).map((person) => (
          <Avatar key={person.id} name={person.name} size={24} />
        ))}
        {guests.length > mostGuests && <span className={classes.moreTags}>+{guests.length - mostGuests}</span>}
      </UnstyledButton>
    </Tooltip>
  )
}
