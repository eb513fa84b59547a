import type { Message } from '@balcao/contract/conversations/messages.ts'
import { ActionIcon } from '@mantine/core'
import { IconArrowBackUp, IconPencil, IconX } from '@tabler/icons-react'
import classes from './composer-target.module.css'
import { previewText } from './preview.ts'

export type Quoted = NonNullable<Message['quoted']>
/** What is being written about: a message to answer, or one to correct. */
export type ComposerTarget = { kind: 'reply'; message: Quoted } | { kind: 'edit'; message: Message } | null

type Props = { target: NonNullable<ComposerTarget>; contactName: string; onCancel: () => void }

export const TargetBar = ({ target, contactName, onCancel }: Props) => (
  <div className={classes.target}>
    {target.kind === 'edit' ? <IconPencil size={16} aria-hidden /> : <IconArrowBackUp size={16} aria-hidden />}
    <span className={classes.targetWords}>
      <strong>
        {target.kind === 'edit' ? 'Editando' : `Respondendo a ${whoseWords(target.message, contactName)}`}
      </strong>
      <span className="truncate">{previewText(target.message)}</span>
    </span>
    <ActionIcon size={32} aria-label="Cancelar" onClick={onCancel}>
      <IconX size={16} />
    </ActionIcon>
  </div>
)

/** In a group the conversation does not say. */
const whoseWords = ({ fromMe, authorName }: Quoted, contactName: string) =>
  fromMe ? 'nós' : (authorName ?? contactName)
