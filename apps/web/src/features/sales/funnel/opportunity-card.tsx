import type { Opportunity } from '@balcao/contract/sales/opportunities.ts'
import type { Stage } from '@balcao/contract/sales/pipelines.ts'
import { ActionIcon, Menu, UnstyledButton } from '@mantine/core'
import { IconDotsVertical, IconMessages, IconPencil, IconThumbDown, IconTrophy } from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { formatCents, plural } from '../../../kit/format.ts'
import { useCan } from '../../../kit/use-can.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { useNow } from '../../../ui/clock.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { linkToTicket } from '../../conversations/tickets/address.ts'
import classes from './funnel.module.css'
import { daysSince, shortDayText, urgencyOf } from './words.ts'

type Props = {
  card: Opportunity
  stage: Stage
  /** Where it may be brought. */
  others: readonly Stage[]
  onOpen: () => void
  onMove: (stageId: string) => void
  onEnd: (status: 'win' | 'lose') => void
  onWrite: () => void
}

/** An opportunity on the board: what, with whom, how much, until when, whose. */
export const OpportunityCard = ({ card, stage, others, onOpen, onMove, onEnd, onWrite }: Props) => {
  const mayWrite = useCan('funnel.write')
  const mayTalk = useCan('tickets.write')
  const navigate = useNavigate()
  const now = useNow()
  const urgency = urgencyOf(card, stage, now)
  const days = daysSince(card.stageSince, now)
  return (
    <article className={classes.card} data-urgent={urgency ?? undefined}>
      <div className={classes.top}>
        <UnstyledButton className={classes.name} onClick={onOpen}>
          {card.name}
        </UnstyledButton>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon size={32} aria-label={`Ações de ${card.name}`}>
              <IconDotsVertical size={16} stroke={1.75} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<IconMessages size={16} aria-hidden />}
              onClick={() =>
                void navigate(card.ticketId ? linkToTicket(card.ticketId) : `/contatos?registro=${card.contactId}`)
              }
            >
              {card.ticketId ? 'Abrir a conversa' : 'Ver o contato'}
            </Menu.Item>
            {mayTalk && (
              <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onWrite}>
                Escrever ao contato
              </Menu.Item>
            )}
            {mayWrite && card.status === 'open' && (
              <>
                <Menu.Item leftSection={<IconTrophy size={16} aria-hidden />} onClick={() => onEnd('win')}>
                  Ganhar
                </Menu.Item>
                <Menu.Item leftSection={<IconThumbDown size={16} aria-hidden />} onClick={() => onEnd('lose')}>
                  Perder
                </Menu.Item>
              </>
            )}
            {mayWrite && others.length > 0 && (
              <>
                <Menu.Label>Mover para</Menu.Label>
                {others.map((one) => (
                  <Menu.Item key={one.id} onClick={() => onMove(one.id)}>
                    <ColorDot color={one.color} label={one.name} />
                  </Menu.Item>
                ))}
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      </div>
      <span className={`truncate ${classes.meta}`}>{card.contact.name}</span>
      <div className={classes.foot}>
        <span className={classes.value}>{formatCents(card.value)}</span>
        <span className={classes.meta}>
          {urgency === 'late' && card.closingForecast
            ? `venceu em ${shortDayText(card.closingForecast, now)}`
            : urgency === 'cold'
              ? `parada há ${plural(days, 'dia', 'dias')}`
              : card.closingForecast
                ? `para ${shortDayText(card.closingForecast, now)}`
                : ''}
        </span>
        {card.responsible && (
          <span title={card.responsible.name}>
            <Avatar name={card.responsible.name} size={24} />
          </span>
        )}
      </div>
    </article>
  )
}
