import type { BoardCard } from '@balcao/contract/contacts/board.ts'
import { ActionIcon, Menu, UnstyledButton } from '@mantine/core'
import { IconChecklist, IconDotsVertical, IconMessages } from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { RelativeTime } from '../../../kit/relative-time.tsx'
import { useCan } from '../../../kit/use-can.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { TagList } from '../../../ui/tag-list.tsx'
import { PhoneText } from '../../contacts/contacts/phone-text.tsx'
import classes from './contact-card.module.css'

type Place = { id: string; name: string; color: string | null; onMove: () => void }
type Props = {
  card: BoardCard
  shownTags: BoardCard['tags']
  /** Where it may be brought. */
  moves: readonly Place[]
  onTalk: () => void
  onTask: () => void
}

/** A contact on the board: who, of which company, when last heard of. */
export const ContactCard = ({ card, shownTags, moves, onTalk, onTask }: Props) => {
  const mayTalk = useCan('tickets.write')
  const mayTask = useCan('tasks.write')
  const navigate = useNavigate()
  return (
    <article className={classes.card}>
      <div className={classes.top}>
        <Avatar name={card.name} src={card.profilePicUrl} size={28} />
        <UnstyledButton
          className={classes.name}
          title={card.name}
          onClick={() => void navigate(`/contatos?registro=${card.id}`)}
        >
          {card.name}
        </UnstyledButton>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon size={32} aria-label={`Ações de ${card.name}`}>
              <IconDotsVertical size={16} stroke={1.75} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {mayTalk && (
              <Menu.Item leftSection={<IconMessages size={16} aria-hidden />} onClick={onTalk}>
                Conversar
              </Menu.Item>
            )}
            {mayTask && (
              <Menu.Item leftSection={<IconChecklist size={16} aria-hidden />} onClick={onTask}>
                Criar tarefa
              </Menu.Item>
            )}
            {moves.length > 0 && <Menu.Label>Mover para</Menu.Label>}
            {moves.map(({ id, name, color, onMove }) => (
              <Menu.Item key={id} onClick={onMove}>
                {color ? <ColorDot color={color} label={name} /> : name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </div>
      <div className={classes.line}>
        <span className="truncate">
          {card.businessName || (card.number && <PhoneText number={card.number} />) || 'Sem telefone'}
        </span>
        {card.lastMessageAt && (
          <span className={classes.moment}>
            <RelativeTime moment={card.lastMessageAt} />
          </span>
        )}
      </div>
      {shownTags.length > 0 && <TagList tags={shownTags} />}
    </article>
  )
}
