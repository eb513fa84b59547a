import type { DraftKind, Message } from '@balcao/contract/conversations/messages.ts'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { fetchDraft, useDraft, writeDraft } from '../../conversations/messages/drafts.ts'
import { unsigned } from '../../conversations/messages/preview.ts'

type Given = {
  /** Under which drafts are kept. */
  placeId: string
  kind: DraftKind
  editing: Message | null
  /** The newest message on the screen: what the person has seen. */
  lastSeq: number
  input: RefObject<HTMLTextAreaElement | null>
}

/** The words in the composer: a draft that keeps itself, or those of a message being corrected. */
export const useWriting = ({ placeId, kind, editing, lastSeq, input }: Given) => {
  const place = useMemo(() => ({ ticketId: placeId, kind }), [placeId, kind])
  const draft = useDraft(place)
  const [edited, setEdited] = useState('')
  const [caret, setCaret] = useState(0)
  const began = useRef<number | null>(null)
  const text = editing ? edited : draft

  useEffect(() => {
    void fetchDraft(place)
    setCaret(input.current?.selectionStart ?? 0)
  }, [place, input])
  useEffect(() => {
    if (editing) setEdited(unsigned(editing).body)
  }, [editing])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const field = input.current
    if (!field) return
    field.style.height = 'auto'
    field.style.height = `${field.scrollHeight}px`
  }, [text, input])

  const write = (next: string) => {
    if (editing) setEdited(next)
    else {
      writeDraft(place, next)
      if (kind === 'message') began.current = next ? began.current || lastSeq : null
    }
  }
  const insert = (piece: string, { start = caret, end = caret, keepsFocus = false } = {}) => {
    const at = start + piece.length
    // At once: what is typed before the next picture is drawn goes behind it too.
    flushSync(() => {
      write(text.slice(0, start) + piece + text.slice(end))
      setCaret(at)
    })
    input.current?.setSelectionRange(at, at)
    if (!keepsFocus) input.current?.focus()
  }
  /** Shows where something is wrong. */
  const select = ({ start, end }: { start: number; end: number }) => {
    input.current?.focus()
    input.current?.setSelectionRange(start, end)
  }
  return {
    text,
    caret,
    setCaret,
    write,
    insert,
    select,
    clear: () => {
      writeDraft(place, '')
      if (kind === 'message') began.current = null
    },
    /** What had been said when the writing began. */
    seenSeq: () => began.current || lastSeq, // nothing was loaded yet: nothing was outrun
  }
}
