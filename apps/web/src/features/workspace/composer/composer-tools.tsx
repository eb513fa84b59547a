import { ActionIcon, Indicator, Loader, Popover, Tooltip } from '@mantine/core'
import { IconBolt, IconListDetails, IconLock, IconMicrophone, IconMoodSmile, IconSignature } from '@tabler/icons-react'
import { type MouseEvent, Suspense, useState } from 'react'
import { lazyPart } from '../../../kit/lazy-part.ts'
import { savePreferences } from '../../../kit/preferences.ts'
import { toldTo } from '../../../ui/menu-action.tsx'

const EmojiPicker = lazyPart(async () => ({
  default: (await import('../../conversations/messages/emoji-picker.tsx')).EmojiPicker,
}))

/** A grid of emojis; each pick is written where the caret is and the grid stays open. */
export const EmojiButton = ({ onPick, onClose }: { onPick: (emoji: string) => void; onClose: () => void }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} onClose={onClose} position="top-start" trapFocus width={332}>
      <Popover.Target>
        <ActionIcon aria-label="Emoji" title="Emoji" onClick={() => setOpen(!isOpen)}>
          <IconMoodSmile size={20} stroke={1.75} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={8} aria-label="Emoji">
        <Suspense fallback={<Loader size={18} m="md" />}>
          <EmojiPicker onPick={onPick} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}

/** The caret stays where the list is to open. */
const keepFocus = (event: MouseEvent) => event.preventDefault()

export const QuickButton = ({ onClick }: { onClick: () => void }) => (
  <Tooltip label="Mensagens rápidas ( / )">
    <ActionIcon aria-label="Mensagens rápidas" onMouseDown={keepFocus} onClick={onClick}>
      <IconBolt size={20} stroke={1.75} />
    </ActionIcon>
  </Tooltip>
)

export const MacroButton = ({ onClick }: { onClick: () => void }) => (
  <Tooltip label="Macros ( \ )">
    <ActionIcon aria-label="Macros" onMouseDown={keepFocus} onClick={onClick}>
      <IconListDetails size={20} stroke={1.75} />
    </ActionIcon>
  </Tooltip>
)

type NoteProps = {
  isNote: boolean /** Something was begun on the other side. */
  hasOther: boolean
  onClick: () => void
}

/** From answering to a note and back: what is begun on either side stays there, and shows. */
export const NoteButton = ({ isNote, hasOther, onClick }: NoteProps) => (
  <Tooltip label={`${isNote ? 'Voltar a responder' : 'Nota interna (N)'}${hasOther ? ' · há um rascunho' : ''}`}>
    <Indicator disabled={!hasOther} size={8} offset={6} color={isNote ? 'accent' : 'blue'}>
      <ActionIcon
        aria-label={`Nota interna${hasOther ? ` (há um rascunho ${isNote ? 'de mensagem' : 'de nota'})` : ''}`}
        aria-pressed={isNote}
        variant={isNote ? 'light' : 'subtle'}
        color={isNote ? 'blue' : 'gray'}
        onClick={onClick}
      >
        <IconLock size={19} stroke={1.75} />
      </ActionIcon>
    </Indicator>
  </Tooltip>
)

/** Whether the agent's name goes above the text; the company may ask for it always. */
export const SignatureButton = ({ obstacle, signs }: { obstacle: string | null; signs: boolean }) => (
  <Tooltip label={obstacle ?? (signs ? 'Assinando com seu nome' : 'Sem assinatura')} events={toldTo}>
    <ActionIcon
      aria-label="Assinar com meu nome"
      aria-pressed={signs}
      aria-disabled={obstacle !== null}
      aria-description={obstacle ?? undefined}
      variant={signs ? 'light' : 'subtle'}
      color={signs ? 'accent' : 'gray'}
      onClick={() => {
        if (!obstacle) void savePreferences({ signature: !signs })
      }}
    >
      <IconSignature size={20} stroke={1.75} />
    </ActionIcon>
  </Tooltip>
)

export const VoiceButton = ({ obstacle, onClick }: { obstacle: string | null; onClick: () => void }) => (
  <Tooltip label={obstacle ?? 'Gravar áudio'} events={toldTo}>
    <ActionIcon
      aria-label="Gravar áudio"
      aria-disabled={obstacle !== null}
      aria-description={obstacle ?? undefined}
      onClick={() => !obstacle && onClick()}
    >
      <IconMicrophone size={20} stroke={1.75} />
    </ActionIcon>
  </Tooltip>
)
