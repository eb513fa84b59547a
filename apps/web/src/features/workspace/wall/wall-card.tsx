import { type Priority, priorities, priorityLabels } from '@balcao/contract/conversations/urgency.ts'
import type { WallCard } from '@balcao/contract/conversations/wall.ts'
import { ActionIcon, Menu, UnstyledButton } from '@mantine/core'
import { IconDotsVertical, IconFlag, IconPlayerPause, IconRobot } from '@tabler/icons-react'
import { memo } from 'react'
import { Avatar } from '../../../ui/avatar.tsx'
import { useNow } from '../../../ui/clock.ts'
import { urgencyOf } from '../../conversations/tickets/late.ts'
import { authorMark, plainPreview } from '../../conversations/tickets/preview.ts'
import { priorityMark } from '../../conversations/tickets/priorities.ts'
import { agentText, turnOf } from '../../conversations/tickets/turn.ts'
import { problemOf, problemText } from '../inbox/row-problem.ts'
import { offeredOn } from '../inbox/ticket-actions.ts'
import { useSituation } from '../inbox/use-ticket-work.ts'
import classes from './wall-card.module.css'

export type CardHandlers = {
  onOpen: (id: string) => void
  onTake: (card: WallCard) => void
  onMove: (card: WallCard) => void
  onPriority: (card: WallCard, priority: Priority) => void
}
type Props = CardHandlers & {
  card: WallCard
  selfId: string
  canWork: boolean
  showsAgent: boolean
  showsQueue: boolean
}

/** A conversation on the wall: who, how long they wait, how much time is left. */
export const WallTicket = memo(({ card, selfId, canWork, showsAgent, showsQueue, ...handlers }: Props) => {
  const now = useNow()
  const urgency = urgencyOf(card, now)
  const problem = problemOf(card, undefined)
  const mark = priorityMark(card.priority)
  const where = [
    turnOf(card) ? agentText(card) : showsAgent && (card.username ?? 'Sem atendente'),
    showsQueue && (card.queue?.name ?? 'Sem fila'),
    card.whatsapp.name,
  ]
  return (
    <article
      className={classes.card}
      data-tone={problem ? 'over' : urgency?.tone}
      data-paused={card.pausedAt !== null}
      aria-label={`Atendimento de ${card.name}`}
    >
      <UnstyledButton className={classes.main} onClick={() => handlers.onOpen(card.id)}>
        <Avatar name={card.name} src={card.profilePicUrl} channel={card.channel} size={34} />
        <span className={classes.words}>
          <span className={classes.line}>
            <span className={`truncate ${classes.name}`}>{card.name}</span>
            {mark && (
              <span role="img" className={classes.mark} data-priority={card.priority} aria-label={mark.label}>
                <mark.icon size={15} stroke={2} aria-hidden />
              </span>
            )}
          </span>
          <span className={`truncate ${classes.quiet}`}>{where.filter(Boolean).join(' · ')}</span>
          <span className={`truncate ${classes.quiet}`}>
            {problem ? (
              <>
                <span className={classes.problem}>
                  {problemText(problem)}
                  {problem.message && ': '}
                </span>
                {problem.message}
              </>
            ) : (
              <>
                {authorMark(card, selfId)}
                {plainPreview(card.lastMessage) || 'Sem mensagens'}
              </>
            )}
          </span>
          <span className={`tabular ${classes.times}`}>
            {urgency ? (
              <span data-tone={urgency.tone} title={urgency.title}>
                {urgency.text}
              </span>
            ) : (
              !card.waitingSince && <span>respondido</span>
            )}
            {card.pausedAt && (
              <span className={classes.badge} title={card.pauseReason ?? undefined}>
                <IconPlayerPause size={13} aria-hidden /> em pausa
              </span>
            )}
            {!card.userId && card.bot && (
              <span className={classes.badge}>
                <IconRobot size={13} aria-hidden /> robô
              </span>
            )}
            {card.unreadMessages > 0 && (
              <span className={classes.unread}>
                {card.unreadMessages > 99 ? '99+' : card.unreadMessages}
                <span className={classes.unseen}>{card.unreadMessages === 1 ? ' não lida' : ' não lidas'}</span>
              </span>
            )}
          </span>
        </span>
      </UnstyledButton>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon className={classes.more} size={32} aria-label={`Ações de ${card.name}`}>
            <IconDotsVertical size={16} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Actions card={card} handlers={handlers} />
          {canWork && (
            <Menu.Sub>
              <Menu.Sub.Target>
                <Menu.Sub.Item leftSection={<IconFlag size={16} />}>Prioridade</Menu.Sub.Item>
              </Menu.Sub.Target>
              <Menu.Sub.Dropdown>
                {priorities.toReversed().map((priority) => (
                  <Menu.Item
                    key={priority}
                    disabled={priority === card.priority}
                    onClick={() => handlers.onPriority(card, priority)}
                  >
                    {priorityLabels[priority]}
                  </Menu.Item>
                ))}
              </Menu.Sub.Dropdown>
            </Menu.Sub>
          )}
        </Menu.Dropdown>
      </Menu>
    </article>
  )
})

/** Its part of the table of actions, read when the menu opens. */
const Actions = ({ card, handlers }: { card: WallCard; handlers: CardHandlers }) => {
  const personal = useSituation()
  const now = { ...personal, ticket: card, isPinned: false, isFollowed: false }
  const place = {
    watch: () => handlers.onOpen(card.id),
    take: () => handlers.onTake(card),
    move: () => handlers.onMove(card),
  }
  return offeredOn('wall', now, place).map((action) => (
    <Menu.Item
      key={action.key}
      leftSection={<action.icon size={16} aria-hidden />}
      onClick={() => 'needs' in action && action.needs in place && place[action.needs as keyof typeof place]()}
    >
      {action.label}
    </Menu.Item>
  ))
}
