import type { Ticket, TicketSort } from '@balcao/contract/conversations/tickets.ts'
import { ActionIcon } from '@mantine/core'
import {
  type Icon,
  IconAlertCircle,
  IconAt,
  IconChartBar,
  IconDotsVertical,
  IconFile,
  IconMapPin,
  IconMicrophone,
  IconMoodSmile,
  IconPhoto,
  IconPlayerPause,
  IconUser,
  IconVideo,
} from '@tabler/icons-react'
import { type MouseEvent, memo } from 'react'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { useNow } from '../../../ui/clock.ts'
import { useDraftLine } from '../../conversations/messages/drafts.ts'
import { RowWindow } from '../../conversations/messages/window-clock.tsx'
import { pausedText, promiseOf, type Urgency, urgencyOf, waitOf } from '../../conversations/tickets/late.ts'
import { authorMark, plainPreview } from '../../conversations/tickets/preview.ts'
import { priorityMark } from '../../conversations/tickets/priorities.ts'
import { agentText, turnOf } from '../../conversations/tickets/turn.ts'
import { isPassing, type Problem, problemOf, problemText } from './row-problem.ts'
import classes from './ticket-row.module.css'
import { useLongPress } from './use-long-press.ts'

const icons: Record<string, Icon> = {
  image: IconPhoto,
  audio: IconMicrophone,
  video: IconVideo,
  document: IconFile,
  sticker: IconMoodSmile,
  location: IconMapPin,
  contact: IconUser,
  poll: IconChartBar,
}

/** What a row asks of its list; the same functions for as long as the list lives. */
export type RowHandlers = {
  onOpen: (id: string) => void
  onMenu: (ticket: Ticket, at: { x: number; y: number }) => void
  onSelect: (id: string, withRange: boolean) => void
}
type Props = RowHandlers & {
  ticket: Ticket
  isOpen: boolean
  isSelected: boolean
  /** Some row is selected: every row shows its box. */
  isSelecting: boolean
  isMentioned: boolean
  /** What this browser could not hand over. */
  problemHere: Problem | undefined
  userId: string
  sort: TicketSort
}

/** One conversation in 68 px: who, what last, since when, how much is unread, in whose hands. */
export const TicketRow = memo(
  ({
    ticket,
    isOpen,
    isSelected,
    isSelecting,
    isMentioned,
    problemHere,
    userId,
    sort,
    onOpen,
    onMenu,
    onSelect,
  }: Props) => {
    const now = useNow()
    const urgency = urgencyOf(ticket, now)
    const draft = useDraftLine(ticket.id, isOpen)
    const problem = problemOf(ticket, problemHere)
    const PreviewIcon = icons[problem ? problem.type : ticket.lastMessageType]
    const unread = ticket.unreadMessages
    const press = useLongPress((at) => onMenu(ticket, at))
    const handleClick = (event: MouseEvent) => {
      if (event.button !== 0 || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      if (event.shiftKey || isSelecting) onSelect(ticket.id, event.shiftKey)
      else onOpen(ticket.id)
    }
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: what the right button offers, the button at the end offers too
      <div
        className={classes.row}
        data-unread={unread > 0}
        data-tone={urgency?.tone}
        data-problem={problem && (isPassing(problem) ? 'passing' : 'standing')}
        data-open={isOpen}
        data-selected={isSelected}
        data-selecting={isSelecting}
        onContextMenu={(event) => {
          event.preventDefault()
          onMenu(ticket, { x: event.clientX, y: event.clientY })
        }}
        {...press}
      >
        <a
          href={`/atendimento/${ticket.id}`}
          className={classes.link}
          aria-current={isOpen ? 'true' : undefined}
          data-ticket={ticket.id}
          draggable={false}
          onClick={handleClick}
        >
          <span className={classes.face}>
            <Avatar name={ticket.name} src={ticket.profilePicUrl} channel={ticket.channel} size={42} />
          </span>
          <span className={classes.words}>
            <span className={classes.line}>
              <span className={`truncate ${classes.name}`} title={ticket.name}>
                {ticket.name}
              </span>
              <When ticket={ticket} urgency={urgency} sort={sort} now={now} />
            </span>
            <span className={classes.line}>
              <span className={`truncate ${classes.preview}`}>
                {draft && <span className={classes.draft}>{problem || unread > 0 ? 'Rascunho · ' : 'Rascunho: '}</span>}
                {problem && (
                  <span className={classes.problem} data-passing={isPassing(problem)}>
                    <IconAlertCircle size={14} stroke={2} className={classes.icon} aria-hidden />
                    {problemText(problem)}
                    {problem.message && ': '}
                  </span>
                )}
                {draft && !problem && unread === 0 ? (
                  draft
                ) : (
                  <>
                    {!problem && authorMark(ticket, userId)}
                    {PreviewIcon && <PreviewIcon size={14} stroke={1.75} className={classes.icon} aria-hidden />}
                    {problem ? problem.message : plainPreview(ticket.lastMessage) || 'Sem mensagens'}
                  </>
                )}
              </span>
              {isMentioned && (
                <span className={classes.mention} role="img" aria-label="Mencionaram você" title="Mencionaram você">
                  <IconAt size={13} stroke={2} aria-hidden />
                </span>
              )}
              {unread > 0 && (
                <span className={`tabular ${classes.unread}`}>
                  {unread > 99 ? '99+' : unread}
                  <span className={classes.unseen}>{unread === 1 ? ' não lida' : ' não lidas'}</span>
                </span>
              )}
            </span>
            <Meta ticket={ticket} userId={userId} now={now} />
          </span>
        </a>
        <input
          type="checkbox"
          className={classes.box}
          tabIndex={-1}
          aria-label={`Selecionar ${ticket.name}`}
          checked={isSelected}
          onChange={() => undefined}
          onClick={(event) => onSelect(ticket.id, event.shiftKey)}
        />
        <ActionIcon
          className={classes.more}
          variant="default"
          size={24}
          aria-label={`Ações de ${ticket.name}`}
          aria-haspopup="menu"
          onClick={(event) => {
            const box = event.currentTarget.getBoundingClientRect()
            onMenu(ticket, { x: box.right, y: box.bottom })
          }}
        >
          <IconDotsVertical size={16} stroke={1.75} />
        </ActionIcon>
      </div>
    )
  },
)

type WhenProps = { ticket: Ticket; urgency: Urgency | null; sort: TicketSort; now: number }
/** What presses, once it does; what the list is ordered by; else when the last message was. */
const When = ({ ticket, urgency, sort, now }: WhenProps) => {
  const ordered = sort === 'waiting' ? waitOf(ticket, now) : sort === 'sla' ? promiseOf(ticket, now) : null
  const shown = urgency && urgency.tone !== 'calm' ? urgency : ordered
  if (shown)
    return (
      <span className={`tabular ${classes.time}`} data-tone={shown.tone} title={shown.title}>
        {shown.text}
      </span>
    )
  return ticket.lastMessageAt && <RelativeTime moment={ticket.lastMessageAt} className={classes.time} />
}

/** The quiet line: queue, agent, tags; at its end what presses. */
const Meta = ({ ticket, userId, now }: { ticket: Ticket; userId: string; now: number }) => {
  const agent = ticket.userId === userId ? (turnOf(ticket) ? 'Na sua vez' : null) : agentText(ticket)
  const tags = [...ticket.tags, ...ticket.contact.tags.filter((tag) => !ticket.tags.some((own) => own.id === tag.id))]
  const priority = priorityMark(ticket.priority)
  return (
    <span className={classes.meta}>
      {ticket.queue && (
        <span className="truncate" title={ticket.queue.name}>
          {ticket.queue.name}
        </span>
      )}
      {agent && (
        <span className="truncate" title={agent}>
          {agent}
        </span>
      )}
      {tags.length > 0 && (
        <span className={classes.tags} role="img" aria-label={`Etiquetas: ${tags.map((tag) => tag.name).join(', ')}`}>
          {tags.slice(0, 4).map((tag) => (
            <span key={tag.id} className={classes.tag} style={{ background: tag.color }} title={tag.name} />
          ))}
        </span>
      )}
      <span className={classes.marks}>
        <RowWindow channel={ticket.channel} lastInboundAt={ticket.lastInboundAt} status={ticket.status} />
        {priority && (
          <span role="img" aria-label={priority.label} title={priority.label} data-priority={ticket.priority}>
            <priority.icon size={15} stroke={2} aria-hidden />
          </span>
        )}
        {ticket.pausedAt && (
          <span className={`tabular ${classes.mark}`} title={ticket.pauseReason ?? 'Em pausa'}>
            <IconPlayerPause size={13} stroke={1.75} aria-hidden /> {pausedText(ticket, now)}
          </span>
        )}
      </span>
    </span>
  )
}
