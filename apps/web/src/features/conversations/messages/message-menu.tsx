import type { Message } from '@balcao/contract/conversations/messages.ts'
import { Menu, UnstyledButton } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowBackUpDouble,
  IconArrowForwardUp,
  IconCopy,
  IconListCheck,
  IconMoodSmile,
  IconPencil,
  IconStar,
  IconStarOff,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { Opened } from '../../../kit/opened.tsx'
import { useCan } from '../../../kit/use-can.ts'
import { MenuAction } from '../../../ui/menu-action.tsx'
import { notify } from '../../../ui/notify.ts'
import { writeMailHead } from './mail-head.ts'
import classes from './message-menu.module.css'
import type { MessageWork } from './message-source.ts'
import { isForwardable, unsigned } from './preview.ts'
import { quickReactions } from './reacting.ts'
import { sideOf } from './rows.ts'

const DeleteQuestion = lazyPart(async () => ({ default: (await import('./message-questions.tsx')).DeleteQuestion }))

type Props = {
  message: Message
  /** The button that opened it: the menu hangs from it and gives the focus back. */
  anchor: HTMLElement
  work: MessageWork
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
  const { message, anchor, work, isStarred, onReply, onEdit, onForward, onSelect, onClose } = props
  const [isDeleting, setDeleting] = useState(false)
  const side = sideOf(message)
  const isNote = side === 'note'
  const allowed = work.allowedOn(message)
  const copies = message.payload?.mail?.cc ?? []
  const canForward = useCan('messages.write') && isForwardable(message)
  const mine = message.reactions.find((reaction) => reaction.fromMe)?.emoji

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
    work.react(message, emoji)
  }

  if (isDeleting)
    return (
      <Opened onLost={onClose}>
        <DeleteQuestion
          isNote={isNote}
          onClose={onClose}
          onConfirm={() => {
            onClose()
            work.remove(message)
          }}
        />
      </Opened>
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
              {(allowed.reactions ?? quickReactions).map((emoji) => (
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
        {allowed.reply !== undefined && copies.length > 0 && (
          <MenuAction
            obstacle={allowed.reply}
            leftSection={<IconArrowBackUpDouble size={17} aria-hidden />}
            onClick={() => {
              writeMailHead(message.ticketId, { cc: copies })
              onReply(message)
            }}
          >
            Responder a todos
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
          onClick={() => work.star(message, !isStarred)}
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
