import { IconPaperclip } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { attachFiles } from '../../../features/conversations/messages/tray.ts'
import classes from './chat.module.css'

/** Files let go over the conversation are attached to what is being written. */
export const useDropFiles = (ticketId: string, canAttach: boolean) => {
  const [isOver, setOver] = useState(false)
  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (!canAttach || !event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false) // React types it as any EventTarget
    },
    onDrop: (event: DragEvent) => {
      setOver(false)
      const files = [...event.dataTransfer.files]
      if (!files.length) return
      event.preventDefault()
      if (canAttach) attachFiles(ticketId, files)
    },
  }
  const hint = isOver && (
    <div className={classes.drop} aria-hidden>
      <IconPaperclip size={28} stroke={1.5} /> Solte aqui para anexar
    </div>
  )
  return { handlers, hint }
}
