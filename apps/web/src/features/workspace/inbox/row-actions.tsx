import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { Menu } from '@mantine/core'
import {
  IconArrowsExchange,
  IconBell,
  IconBellOff,
  IconCheck,
  IconExternalLink,
  IconHandGrab,
  IconMail,
  IconMailOpened,
  IconPin,
  IconPinnedOff,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSquareCheck,
} from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { useNow } from '../../../ui/clock.ts'
import { notify } from '../../../ui/notify.ts'
import { contactQuery } from '../../contacts/contacts/queries.ts'
import { channelsQuery, windowLeft } from '../../conversations/messages/abilities.ts'
import { linkToTicket } from '../../conversations/tickets/address.ts'
import { putTicket } from '../../conversations/tickets/api.ts'
import { resumeTicket } from '../../conversations/tickets/calls.ts'
import { receiveMark, receiveTicket } from '../../conversations/tickets/live.ts'
import { type Marks, putMarks } from '../../conversations/tickets/marks.ts'
import { turnOf } from '../../conversations/tickets/turn.ts'
import { useClosing } from './use-closing.ts'
import { useTicketActions } from './use-ticket-actions.ts'

const TransferDialog = lazy(async () => ({ default: (await import('./transfer-dialog.tsx')).TransferDialog }))
const CloseDialog = lazy(async () => ({ default: (await import('./close-dialog.tsx')).CloseDialog }))
const PauseDialog = lazy(async () => ({ default: (await import('./pause-dialog.tsx')).PauseDialog }))
const OtherTicketDialog = lazy(async () => ({
  default: (await import('./other-ticket-dialog.tsx')).OtherTicketDialog,
}))

export type RowAction = 'menu' | 'accept' | 'close' | 'transfer' | 'pause' | 'unread'
/** What was asked of a row; the menu opens where the hand is. A new key is a new question. */
export type RowRequest = { key: number; ticket: Ticket; action: RowAction; at: { x: number; y: number } | null }
type Props = {
  request: RowRequest
  marks: Marks
  /** The conversation is the open one. */
  isOpen: boolean
  onOpen: (id: string) => void
  onSelect: (id: string, withRange: boolean) => void
  /** Told before the conversation leaves one's hands; what it answers runs once it has. */
  onLeaving: () => () => void
}

/** What can be done with a conversation without opening it: its menu, and the dialogs behind. */
export const RowActions = ({ request, marks, isOpen, onOpen, onSelect, onLeaving }: Props) => {
  const { ticket, at } = request
  const cache = useQueryClient()
  const canWork = useCan('tickets.write')
  const { userId, configuracoes } = useCurrentSession()
  const canPause = configuracoes.allowPause === true
  const isOthersTurn = (turnOf(ticket)?.userId ?? userId) !== userId
  const [stage, setStage] = useState<RowAction | 'rest'>(request.action)
  const actions = useTicketActions(ticket, { onLeaving })
  const closing = useClosing(ticket, actions)
  const contact = useQuery({ ...contactQuery(ticket.contactId), enabled: closing.choices !== null })
  const channel = useQuery({ ...channelsQuery, enabled: closing.choices !== null }).data?.[ticket.channel]
  const now = useNow()
  const left = windowLeft(channel, ticket.lastInboundAt, now)
  const isPinned = marks.pinned.has(ticket.id)
  const isFollowed = marks.followed.has(ticket.id)
  const isUnread = ticket.unreadMessages > 0

  const attempt = async (work: () => Promise<void>) => {
    setStage('rest')
    try {
      await work()
    } catch (error) {
      notify.error(messageOf(error))
    }
  }
  const mark = (change: { isPinned?: boolean; isFollowed?: boolean }) =>
    attempt(async () => receiveMark(cache, await putMarks(ticket.id, change)))
  const setUnread = (unreadMessages: number) =>
    attempt(async () => {
      // On screen it would be read again at once.
      if (isOpen && unreadMessages > 0) onOpen('')
      receiveTicket(cache, await putTicket(ticket.id, { unreadMessages }))
    })
  const run = (action: RowAction) => {
    if (action === 'accept' && ticket.status === 'pending') void actions.accept()
    if (action === 'close' && ticket.status !== 'closed') void closing.begin()
    if (action === 'unread') void setUnread(isUnread ? 0 : 1)
    const isResumed = action === 'pause' && ticket.pausedAt !== null
    if (isResumed) void attempt(async () => receiveTicket(cache, await resumeTicket(ticket.id)))
    const asks = action === 'transfer' || (action === 'pause' && canPause && !isResumed)
    setStage(asks && ticket.status !== 'closed' ? action : 'rest')
  }

  const isBegun = useRef(false)
  const begin = useRef(run)
  useEffect(() => {
    if (isBegun.current || request.action === 'menu') return
    isBegun.current = true // the effect of a new question, once
    begin.current(request.action)
  }, [request.action])

  const icon = { size: 17, stroke: 1.75, 'aria-hidden': true } as const

  return (
    <>
      {at && (
        <Menu
          opened={stage === 'menu'}
          onClose={() => setStage((now) => (now === 'menu' ? 'rest' : now))}
          position="bottom-start"
          width={230}
          withInitialFocusPlaceholder={false}
        >
          <Menu.Target>
            <span style={{ position: 'fixed', left: at.x, top: at.y }} aria-hidden />
          </Menu.Target>
          <Menu.Dropdown aria-label={`Ações de ${ticket.name}`}>
            <Menu.Item
              leftSection={<IconExternalLink {...icon} />}
              component="a"
              href={linkToTicket(ticket.id)}
              target="_blank"
              rel="noopener"
            >
              Abrir em nova guia
            </Menu.Item>
            <Menu.Item
              leftSection={isPinned ? <IconPinnedOff {...icon} /> : <IconPin {...icon} />}
              onClick={() => void mark({ isPinned: !isPinned })}
            >
              {isPinned ? 'Desafixar' : 'Fixar no topo'}
            </Menu.Item>
            <Menu.Item
              leftSection={isFollowed ? <IconBellOff {...icon} /> : <IconBell {...icon} />}
              onClick={() => void mark({ isFollowed: !isFollowed })}
            >
              {isFollowed ? 'Deixar de seguir' : 'Seguir'}
            </Menu.Item>
            {canWork && (
              <>
                <Menu.Item
                  leftSection={isUnread ? <IconMailOpened {...icon} /> : <IconMail {...icon} />}
                  onClick={() => run('unread')}
                >
                  {isUnread ? 'Marcar como lida' : 'Marcar como não lida'}
                </Menu.Item>
                <Menu.Item
                  leftSection={<IconSquareCheck {...icon} />}
                  onClick={() => {
                    setStage('rest')
                    onSelect(ticket.id, false)
                  }}
                >
                  Selecionar
                </Menu.Item>
                <Menu.Divider />
                {ticket.status === 'pending' && (
                  <Menu.Item
                    leftSection={<IconHandGrab {...icon} />}
                    onClick={() => {
                      if (!isOthersTurn) return run('accept')
                      setStage('rest')
                      void actions.takeOver()
                    }}
                  >
                    {isOthersTurn ? 'Assumir mesmo assim' : 'Aceitar'}
                  </Menu.Item>
                )}
                {ticket.status === 'closed' ? (
                  <Menu.Item
                    leftSection={<IconRefresh {...icon} />}
                    onClick={() => {
                      setStage('rest')
                      void actions.reopen()
                    }}
                  >
                    Reabrir
                  </Menu.Item>
                ) : (
                  <>
                    <Menu.Item leftSection={<IconArrowsExchange {...icon} />} onClick={() => run('transfer')}>
                      Transferir
                    </Menu.Item>
                    {(canPause || ticket.pausedAt) && (
                      <Menu.Item
                        leftSection={ticket.pausedAt ? <IconPlayerPlay {...icon} /> : <IconPlayerPause {...icon} />}
                        onClick={() => run('pause')}
                      >
                        {ticket.pausedAt ? 'Retomar' : 'Pausar'}
                      </Menu.Item>
                    )}
                    <Menu.Item leftSection={<IconCheck {...icon} />} onClick={() => run('close')}>
                      Encerrar
                    </Menu.Item>
                  </>
                )}
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      <Suspense fallback={null}>
        {stage === 'transfer' && (
          <TransferDialog
            busy={actions.busy === 'transfer'}
            currentUserId={ticket.userId}
            onClose={() => setStage('rest')}
            onTransfer={async (to) => {
              if (await actions.transfer(to)) setStage('rest')
            }}
          />
        )}
        {stage === 'pause' && <PauseDialog ticket={ticket} onClose={() => setStage('rest')} onLeaving={onLeaving} />}
        {closing.choices && (
          <CloseDialog
            ticket={ticket}
            contact={contact.data}
            choices={closing.choices}
            actions={actions}
            isWindowOver={left !== null && left <= 0}
            onClose={closing.end}
          />
        )}
        {actions.other && (
          <OtherTicketDialog
            other={actions.other}
            onClose={actions.dismissOther}
            onGo={(id) => {
              actions.dismissOther()
              onOpen(id)
            }}
          />
        )}
      </Suspense>
    </>
  )
}
