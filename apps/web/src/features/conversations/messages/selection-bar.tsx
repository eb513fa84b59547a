import { mostForwarded } from '@balcao/contract/conversations/forward-limit.ts'
import { ActionIcon, Button } from '@mantine/core'
import { IconArrowForwardUp, IconX } from '@tabler/icons-react'
import { useEffect } from 'react'
import classes from './selection-bar.module.css'

type Props = { count: number; onForward: () => void; onClose: () => void }

/** What to do with the chosen messages, over the end of the conversation. */
export const SelectionBar = ({ count, onForward, onClose }: Props) => {
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('[role=dialog]')) return
      event.preventDefault()
      event.stopImmediatePropagation()
      onClose()
    }
    window.addEventListener('keydown', handle, { capture: true })
    return () => window.removeEventListener('keydown', handle, { capture: true })
  }, [onClose])
  const isTooMany = count > mostForwarded
  return (
    <div className={classes.bar} role="toolbar" aria-label="Mensagens selecionadas">
      <ActionIcon aria-label="Cancelar seleção" onClick={onClose}>
        <IconX size={18} stroke={1.75} />
      </ActionIcon>
      <span className={`tabular ${classes.words}`} role="status">
        {count === 1 ? '1 mensagem' : `${count} mensagens`}
        {isTooMany && `. Encaminhe no máximo ${mostForwarded} de cada vez.`}
      </span>
      <Button
        leftSection={<IconArrowForwardUp size={17} aria-hidden />}
        disabled={count === 0 || isTooMany}
        onClick={onForward}
      >
        Encaminhar
      </Button>
    </div>
  )
}
