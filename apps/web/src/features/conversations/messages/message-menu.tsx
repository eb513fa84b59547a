import type { Message } from '@balcao/contract/conversations/messages.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { Menu, UnstyledButton } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCopy,
  IconListCheck,
  IconMoodSmile,
  IconPencil,
  IconStar,
  IconStarOff,
  IconTrash,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { useCan } from '../../../kit/use-can.ts'
import { MenuAction } from '../../../ui/menu-action.tsx'
import { notify } from '../../../ui/notify.ts'
import type { Abilities } from './abilities.ts'
import { allowedOn } from './allowed.ts'
import { deleteMessage, receiveMessage } from './api.ts'
import classes from './message-menu.module.css'
import { isForwardable, unsigned } from './preview.ts'
import { quickReactions, reactWith } from './reacting.ts'
import { sideOf } from './rows.ts'
import { starMessage, starsOf } from './stars.ts'

const DeleteQuestion = lazy(async () => ({ default: (await import('./message-questions.tsx')).DeleteQuestion }))

type Props = {
  message: Message
  /** The button that opened it: the menu hangs from it and gives the focus back. */
  anchor: HTMLElement
  ticket: Ticket
  abilities: Abilities
  onReply: (message: Message) => void
  onEdit: (message: Message) => void
  isStarred: boolean
  onForward: () => void
  /** Begins to choose messages, with this one. */
  onSelect: () => void
  onClose: () => void
}

/** What can be done with a message: only what its channel and its author allow. */
export const MessageMenu = (props: Props) => {
  const { message, anchor, ticket, abilities, isStarred, onReply, onEdit, onForward, onSelect, onClose } = props
  const cache = useQueryClient()
  const { userId, profile } = useCurrentSession()
  const [isDeleting, setDeleting] = useState(false)
  const side = sideOf(message)
  const isNote = side === 'note'
  const { status } = ticket
  const allowed = allowedOn(message, {
    status,
    abilities,
    userId,
    isAdmin: profile === 'admin',
  })
  const canForward = useCan('messages.write') && isForwardable(message)
  const mine = message.reactions.find((reaction) => reaction.fromMe)?.emoji

  const change = (work: Promise<Message>) =>
    work.then((renewed) => receiveMessage(cache, renewed)).catch((error: unknown) => notify.error(messageOf(error)))
  const [place] = useState(() => {
    const { left, top, width, height } = anchor.getBoundingClientRect()
    return { left, top, width, height }
  })
  const handleClose = () => {
    onClose()
    anchor.focus({ preventScroll: true })
  }
  const handleReact = (emoji: string) => {
    onClose()
    void change(reactWith(message, emoji))
  }

  const handleStar = () => {
    const key = starsOf(ticket.id).queryKey
    cache.setQueryData(key, (now = []) => (isStarred ? now.filter((id) => id !== message.id) : [...now, message.id]))
    starMessage(message.id, !isStarred)
      .catch((error: unknown) => notify.error(messageOf(error)))
      .finally(() => cache.invalidateQueries({ queryKey: ['messages', 'starred'] }))
  }

  if (isDeleting)
    return (
      <Suspense fallback={null}>
        <DeleteQuestion
          isNote={isNote}
          onClose={onClose}
          onConfirm={() => {
            onClose()
            void change(deleteMessage(message.id))
          }}
        />
      </Suspense>
    )
  return (
    <Menu
      opened
      onClose={handleClose}
      position={side === 'theirs' ? 'bottom-start' : 'bottom-end'}
      width={220}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <button type="button" tabIndex={-1} aria-label="Ações da mensagem" className={classes.anchor} style={place} />
      </Menu.Target>
      <Menu.Dropdown>
        {allowed.react && (
          <MenuAction
            obstacle={allowed.react}
            leftSection={<IconMoodSmile size={17} aria-hidden />}
            onClick={() => undefined}
          >
            Reagir
          </MenuAction>
        )}
        {allowed.react === null && (
          <>
            <div className={classes.reactions}>
              {quickReactions.map((emoji) => (
                <UnstyledButton
                  key={emoji}
                  role="menuitem"
                  className={classes.reaction}
                  aria-label={`Reagir com ${emoji}`}
                  data-active={emoji === mine}
                  onClick={() => handleReact(emoji)}
                >
                  {emoji}
                </UnstyledButton>
              ))}
            </div>
            <Menu.Divider />
          </>
        )}
        {allowed.reply !== undefined && (
          <MenuAction
            obstacle={allowed.reply}
            leftSection={<IconArrowBackUp size={17} aria-hidden />}
            onClick={() => onReply(message)}
          >
            Responder
          </MenuAction>
        )}
        {message.body && (
          <Menu.Item
            leftSection={<IconCopy size={17} aria-hidden />}
            onClick={() =>
              void navigator.clipboard
                .writeText(unsigned(message).body)
                .then(() => notify.success('Texto copiado.'))
                .catch(() => notify.error('O navegador não permitiu copiar.'))
            }
          >
            Copiar texto
          </Menu.Item>
        )}
        {canForward && (
          <Menu.Item leftSection={<IconArrowForwardUp size={17} aria-hidden />} onClick={onForward}>
            Encaminhar
          </Menu.Item>
        )}
        {canForward && (
          <Menu.Item leftSection={<IconListCheck size={17} aria-hidden />} onClick={onSelect}>
            Selecionar mensagens
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={isStarred ? <IconStarOff size={17} aria-hidden /> : <IconStar size={17} aria-hidden />}
          onClick={handleStar}
        >
          {isStarred ? 'Tirar a estrela' : 'Marcar com estrela'}
        </Menu.Item>
        {allowed.edit !== undefined && (
          <MenuAction
            obstacle={allowed.edit}
            leftSection={<IconPencil size={17} aria-hidden />}
            onClick={() => onEdit(message)}
          >
            Editar
          </MenuAction>
        )}
        {allowed.delete !== undefined && (
          <MenuAction
            obstacle={allowed.delete}
            c="red"
            closeMenuOnClick={false}
            leftSection={<IconTrash size={17} aria-hidden />}
            onClick={() => setDeleting(true)}
          >
            Apagar
          </MenuAction>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
