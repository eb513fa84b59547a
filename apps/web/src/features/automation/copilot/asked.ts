import type { CopilotTask } from '@balcao/contract/automation/copilot.ts'
import { useEffect, useEffectEvent } from 'react'

type Asked = { ticketId: string; task: Extract<CopilotTask, 'suggest' | 'summary' | 'next'> }
const hearers = new Set<(asked: Asked) => void>()

/** From elsewhere on the screen (command bar, menu): the composer of that conversation answers. */
export const askComposer = (asked: Asked) => {
  for (const hear of hearers) hear(asked)
}
export const useAskedOfComposer = (ticketId: string, does: (task: Asked['task']) => void) => {
  const hear = useEffectEvent((asked: Asked) => {
    if (asked.ticketId === ticketId) does(asked.task)
  })
  useEffect(() => {
    const hearing = (asked: Asked) => hear(asked)
    hearers.add(hearing)
    return () => void hearers.delete(hearing)
  }, [])
}
