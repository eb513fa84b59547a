import type { Icon } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'

/** Something the open screen can do, for whoever looks for it by words. */
export type Command = { label: string; words?: string; icon: Icon; section: string; run: () => void }
type Source = () => readonly Command[]

const sources = new Set<Source>()

/** Offers these as long as the component is on the screen, each as of its last drawing. */
export const useCommands = (commands: readonly Command[]) => {
  const latest = useRef(commands)
  useEffect(() => {
    latest.current = commands
  })
  useEffect(() => {
    const source = () => latest.current
    sources.add(source)
    return () => {
      sources.delete(source)
    }
  }, [])
}

/** What the screen offers at this moment. */
export const offeredCommands = (): Command[] => [...sources].flatMap((source) => source())
