import { Button } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { notify } from '../../../ui/notify.ts'
import { askCopilot, useCopilotState } from './api.ts'

type Props = {
  ticketId: string
  of: 'transfer' | 'close'
  label: string
  /** What is in the field; it is back where nothing comes. */
  text: string
  onText: (text: string) => void
}

/** A summary of the conversation, written into a field below what stands there. */
export const SummaryButton = ({ ticketId, of, label, text, onText }: Props) => {
  const { isOn } = useCopilotState()
  const [isWriting, setWriting] = useState(false)
  const running = useRef<AbortController | null>(null)
  useEffect(() => {
    return () => running.current?.abort()
  }, [])
  if (!isOn) return null

  const handleAsk = async () => {
    const stop = new AbortController()
    running.current = stop
    setWriting(true)
    const before = text.trim() && `${text.trim()}\n`
    try {
      const asked = { task: 'summary', ticketId, for: of } as const
      await askCopilot(asked, { signal: stop.signal, onText: (soFar) => onText((before + soFar).slice(0, 2_000)) })
    } catch (error) {
      if (stop.signal.aborted) return
      onText(text)
      notify.error(messageOf(error))
    }
    setWriting(false)
  }
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      leftSection={<IconSparkles size={16} aria-hidden />}
      loading={isWriting}
      onClick={() => void handleAsk()}
      style={{ alignSelf: 'flex-start' }}
    >
      {label}
    </Button>
  )
}
