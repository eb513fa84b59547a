import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { type Priority, priorities, priorityLabels } from '@balcao/contract/conversations/urgency.ts'
import { ActionIcon, Button, Drawer, Group, Menu, Select, Textarea } from '@mantine/core'
import { IconDotsVertical, IconEar, IconExternalLink, IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { v7 } from 'uuid'
import { messageOf, reasonOf } from '../../../kit/api-error.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { useNow } from '../../../ui/clock.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { MenuAction } from '../../../ui/menu-action.tsx'
import { notify } from '../../../ui/notify.ts'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { abilitiesOf } from '../../conversations/messages/abilities.ts'
import { conversationQuery, postMessage, receiveMessage } from '../../conversations/messages/api.ts'
import { TicketConversation } from '../../conversations/messages/ticket-conversation.tsx'
import { putTicket, ticketQuery } from '../../conversations/tickets/api.ts'
import { promiseOf, urgencyOf, waitingText } from '../../conversations/tickets/late.ts'
import { receiveTicket } from '../../conversations/tickets/live.ts'
import { agentText } from '../../conversations/tickets/turn.ts'
import { TicketDialogs } from '../inbox/ticket-dialogs.tsx'
import { useTicketWork } from '../inbox/use-ticket-work.ts'
import { receiveCard } from './live.ts'
import classes from './monitor-drawer.module.css'

type Props = { ticketId: string; onMove: (ticket: Ticket) => void; onClose: () => void }

/** Read-only live view: nothing is marked as read and nobody is told; the supervisor may add a note, reassign or close. */
export const MonitorDrawer = ({ ticketId, onMove, onClose }: Props) => {
  const ticket = useQuery({ ...ticketQuery(ticketId), refetchOnMount: 'always' })
  return (
    <Drawer.Root opened onClose={onClose} position="right" size="min(100%, 560px)">
      <Drawer.Overlay />
      <Drawer.Content
        aria-label={ticket.data ? `Conversa com ${ticket.data.name}` : 'Conversa'}
        classNames={{ content: classes.content }}
      >
        {ticket.data ? (
          <Monitor ticket={ticket.data} onMove={onMove} onClose={onClose} />
        ) : ticket.isError ? (
          <div className={classes.monitor}>
            <ErrorState
              title="Não foi possível abrir o atendimento"
              message={messageOf(ticket.error)}
              onRetry={() => void ticket.refetch()}
            />
            <Button variant="default" onClick={onClose}>
              Fechar
            </Button>
          </div>
        ) : (
          <SkeletonList rows={6} height={64} />
        )}
      </Drawer.Content>
    </Drawer.Root>
  )
}

const readOnly = abilitiesOf(undefined)

const Monitor = ({ ticket, onMove, onClose }: Omit<Props, 'ticketId'> & { ticket: Ticket }) => {
  const cache = useQueryClient()
  const go = useNavigate()
  const self = useCurrentSession()
  const canWork = useCan('tickets.write')
  const canNote = useCan('messages.write')
  const conversation = useQuery(conversationQuery(ticket.id))
  const [busy, setBusy] = useState(false)
  const isClosed = ticket.status === 'closed'
  const isMine = ticket.userId === self.userId

  const put = async (patch: Parameters<typeof putTicket>[1]) => {
    setBusy(true)
    try {
      const saved = await putTicket(ticket.id, patch)
      receiveTicket(cache, saved)
      receiveCard(cache, saved)
    } catch (error) {
      notify.error(reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  const open = (id: string) => void go(`/atendimento/${id}`)
  const work = useTicketWork(ticket, {
    place: {
      open: () => open(ticket.id),
      take: () => void put({ isTransference: true, userId: self.userId }),
      move: () => onMove(ticket),
    },
  })
  return (
    <div className={classes.monitor}>
      <header className={classes.head}>
        <Avatar name={ticket.name} src={ticket.profilePicUrl} channel={ticket.channel} size={40} />
        <div className={classes.words}>
          <h2 className={`truncate ${classes.title}`}>{ticket.name}</h2>
          <span className={`truncate ${classes.quiet}`}>
            {[agentText(ticket) ?? 'Sem atendente', ticket.queue?.name ?? 'Sem fila', ticket.whatsapp.name].join(' · ')}
          </span>
          <Times ticket={ticket} />
        </div>
        <ActionIcon aria-label="Fechar" onClick={onClose}>
          <IconX size={18} stroke={1.75} />
        </ActionIcon>
      </header>
      {canWork && !isClosed && (
        <Group className={classes.tools} gap="xs" wrap="nowrap">
          {isMine && (
            <Button size="xs" leftSection={<IconExternalLink size={16} aria-hidden />} onClick={() => open(ticket.id)}>
              Abrir conversa
            </Button>
          )}
          {work.offered('monitorBar').map((action) => (
            <Button
              key={action.key}
              size="xs"
              variant={action.key === 'take' ? 'filled' : 'default'}
              loading={action.key === 'take' && busy}
              leftSection={<action.icon size={16} aria-hidden />}
              onClick={action.run}
            >
              {action.label}
            </Button>
          ))}
          <Select
            size="xs"
            w={118}
            aria-label="Prioridade"
            allowDeselect={false}
            data={priorities.toReversed().map((value) => ({ value, label: priorityLabels[value] }))}
            value={ticket.priority}
            onChange={(priority) => priority && void put({ priority: priority as Priority })} // the options are the priorities
          />
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon aria-label="Mais ações" ml="auto">
                <IconDotsVertical size={18} stroke={1.75} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {work.offered('monitor').map((action) => (
                <MenuAction
                  key={action.key}
                  obstacle={action.obstacle}
                  leftSection={<action.icon size={16} aria-hidden />}
                  onClick={action.run}
                >
                  {action.label}
                </MenuAction>
              ))}
            </Menu.Dropdown>
          </Menu>
        </Group>
      )}
      <p className={classes.hint} role="note">
        <IconEar size={16} aria-hidden />
        {isMine
          ? 'Este atendimento é seu: responda abrindo a conversa.'
          : 'Você está só olhando: nada é marcado como lido e ninguém é avisado.'}
      </p>
      {conversation.data ? (
        <TicketConversation key={ticket.id} ticket={ticket} conversation={conversation.data} abilities={readOnly} />
      ) : conversation.isError ? (
        <ErrorState message={messageOf(conversation.error)} onRetry={() => void conversation.refetch()} />
      ) : (
        <SkeletonList rows={6} height={64} />
      )}
      {canNote && !isClosed && <Whisper ticket={ticket} />}
      <TicketDialogs ticket={ticket} work={work} onGo={open} />
    </div>
  )
}

const Times = ({ ticket }: { ticket: Ticket }) => {
  const now = useNow()
  const promise = promiseOf(ticket, now)
  const words = [
    ticket.status === 'closed' ? 'encerrado' : waitingText(ticket, now) || 'respondido',
    ticket.pausedAt && `em pausa${ticket.pauseReason ? `: ${ticket.pauseReason}` : ''}`,
    promise?.text,
  ]
  return (
    <span className={`tabular ${classes.quiet}`} data-late={urgencyOf(ticket, now)?.tone === 'over'}>
      {words.filter(Boolean).join(' · ')}
    </span>
  )
}

/** A note only the team reads; it calls the agent by name. */
const Whisper = ({ ticket }: { ticket: Ticket }) => {
  const cache = useQueryClient()
  const { userId } = useCurrentSession()
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const agent = ticket.userId && ticket.userId !== userId ? { id: ticket.userId, name: ticket.username ?? '' } : null

  const send = async () => {
    const body = text.trim()
    if (!body || busy) return
    setBusy(true)
    try {
      const note = {
        id: v7(),
        type: 'note' as const,
        body: agent ? `@${agent.name} ${body}` : body,
        mentions: agent ? [agent.id] : [],
      }
      receiveMessage(cache, await postMessage(ticket.id, { ...emptyMessage, ...note }))
      setText('')
    } catch (error) {
      notify.error(reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    void send()
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <form className={classes.whisper} onSubmit={handleSubmit}>
      <Textarea
        flex={1}
        autosize
        minRows={1}
        maxRows={5}
        maxLength={4_000}
        aria-label={agent ? `Sussurrar para ${agent.name}` : 'Nota interna'}
        placeholder={agent ? `Sussurrar para ${agent.name} (só a equipe vê)` : 'Nota interna (só a equipe vê)'}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={handleKey}
      />
      <Button type="submit" color="blue" loading={busy} disabled={!text.trim()}>
        {agent ? 'Sussurrar' : 'Anotar'}
      </Button>
    </form>
  )
}
const emptyMessage = {
  mediaId: null,
  quotedId: null,
  location: null,
  contact: null,
  template: null,
  interactive: null,
  sign: false,
  seenSeq: null,
  force: false,
}
