import { useEffect, useEffectEvent, useRef, useState } from 'react'

type Options<T> = {
  /** Half-typed or wrong: it waits. */
  isReady: (value: T) => boolean
  /** False when it could not be saved: the draft stays. */
  onSave: (value: T) => Promise<boolean>
  delayMs?: number
}

/**
 * What is being typed, saved once the person pauses and when they leave. Until it is saved the draft is shown, also
 * when a colleague saves something else meanwhile; nothing typed is thrown away by a refusal.
 */
export const useDraft = <T>(saved: T, { isReady, onSave, delayMs = 800 }: Options<T>): [T, (value: T) => void] => {
  const [draft, setDraft] = useState<{ value: T } | null>(null)
  const waiting = useRef<{ value: T } | null>(null)

  const flush = useEffectEvent(async () => {
    const now = waiting.current
    if (!now || !isReady(now.value)) return
    waiting.current = null
    if (await onSave(now.value)) setDraft((shown) => (shown === now ? null : shown))
  })
  useEffect(() => {
    if (!draft) return
    const timer = setTimeout(() => void flush(), delayMs)
    return () => clearTimeout(timer)
  }, [draft, delayMs])
  useEffect(() => {
    return () => void flush()
  }, [])

  const change = (value: T) => {
    const next = { value }
    waiting.current = next
    setDraft(next)
  }
  return [draft ? draft.value : saved, change]
}
