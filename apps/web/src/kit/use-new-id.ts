import { useRef } from 'react'
import { v7 } from 'uuid'

/**
 * The id of what a form makes. Asked again with the same content, as after an answer that never came, it is the same one,
 * and the server makes it once; with another content it is another thing.
 */
export const useNewId = () => {
  const last = useRef<{ content: string; id: string }>(undefined)
  return (content: unknown): string => {
    const text = JSON.stringify(content)
    if (last.current?.content !== text) last.current = { content: text, id: v7() }
    return last.current.id
  }
}
