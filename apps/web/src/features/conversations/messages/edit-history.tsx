import type { Message } from '@balcao/contract/conversations/messages.ts'
import { Loader, Popover, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { formatDateTime } from '../../../kit/format.ts'
import { PopoverPanel } from '../../../ui/popover-panel.tsx'
import { UserText } from '../../../ui/user-text.tsx'
import classes from './edit-history.module.css'
import { editsOf } from './history.ts'
import { unsigned } from './preview.ts'

/** "editada": a press shows what it said before, to the team alone. */
export const EditHistory = ({ message }: { message: Message }) => {
  const [isOpen, setOpen] = useState(false)
  const edits = useQuery({ ...editsOf(message.id, message.version), enabled: isOpen })
  return (
    <Popover opened={isOpen} onChange={setOpen} position="top" width={320} trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={classes.mark} title="Ver edições" onClick={() => setOpen(!isOpen)}>
          editada
        </UnstyledButton>
      </Popover.Target>
      <PopoverPanel label="Edições da mensagem">
        <div className={classes.list} tabIndex={-1} data-autofocus>
          {edits.isPending && <Loader size={18} role="status" aria-label="Carregando" />}
          {edits.isError && <p className={classes.meta}>{messageOf(edits.error)}</p>}
          {edits.data?.map((edit) => (
            <div key={edit.at}>
              <span className={`tabular ${classes.meta}`}>{formatDateTime(edit.at)}</span>
              <UserText text={unsigned({ ...message, body: edit.body }).body} />
            </div>
          ))}
          {edits.data?.length === 0 && <p className={classes.meta}>O texto anterior não foi guardado.</p>}
        </div>
      </PopoverPanel>
    </Popover>
  )
}
