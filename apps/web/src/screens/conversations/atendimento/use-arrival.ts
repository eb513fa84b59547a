import { type RefObject, useEffect, useRef } from 'react'
import { isBusy } from './use-keys.ts'

/** How the open conversation was come to; one for the whole screen. */
export type Arrival = {
  /** Walked to with J or K: the list keeps the keyboard. */
  walkedTo: string | null
  /** Until then a conversation that was asked for is given the time to take the keyboard… */
  awaitedUntil: number
  /** …and what is typed meanwhile is kept for it. */
  typed: string
}
const awaitedMs = 10_000
export const arrivalAt = (ticketId: string, isStep: boolean): Arrival => ({
  walkedTo: isStep ? ticketId : null,
  awaitedUntil: isStep || !ticketId ? 0 : Date.now() + awaitedMs,
  typed: '',
})

type Given = {
  ticketId: string
  arrival: RefObject<Arrival>
  /** What there is to write in, or that there is nothing, is known. */
  isSettled: boolean
  input: RefObject<HTMLTextAreaElement | null>
  frame: RefObject<HTMLElement | null>
}

/**
 * Who opens, accepts or reopens a conversation writes next: the keyboard goes to where one writes, or to the frame where
 * nothing can be written. Answers the function that asks for it again.
 */
export const useArrival = ({ ticketId, arrival, isSettled, input, frame }: Given) => {
  const wanted = useRef<'no' | 'yes' | 'whileOnFrame'>('no')
  // Runs each time the conversation comes into sight, kept ones too.
  useEffect(() => {
    wanted.current = arrival.current.walkedTo === ticketId ? 'no' : 'yes'
  }, [ticketId, arrival])
  const take = () => {
    if (wanted.current === 'no' || !isSettled) return
    const wasOnFrame = wanted.current === 'whileOnFrame'
    wanted.current = 'no'
    const { typed } = arrival.current
    arrival.current = { ...arrival.current, awaitedUntil: 0, typed: '' }
    const now = document.activeElement
    if (wasOnFrame && now !== frame.current) return // gone on to something else
    if (now && now !== input.current && isBusy(now)) return // somebody is typing elsewhere by now
    if (input.current && (!isTouch() || typed)) return writeOn(input.current, typed)
    frame.current?.focus({ preventScroll: true })
    // What one writes in may come a moment later, as when a closing is taken back.
    if (!input.current) wanted.current = 'whileOnFrame'
  }
  // Once it is drawn and stands where it stood; keys pressed before are kept.
  useEffect(() => {
    if (wanted.current === 'no') return
    const drawn = requestAnimationFrame(take)
    return () => cancelAnimationFrame(drawn)
  })
  return {
    ask: () => {
      wanted.current = 'yes'
      take()
    },
    /** At its next chance: what was asked for has not happened yet. */
    askSoon: () => {
      wanted.current = 'yes'
      arrival.current = arrivalAt(ticketId, false)
    },
    giveUp: () => {
      wanted.current = 'no'
      arrival.current = arrivalAt('', false)
    },
  }
}

/** Nothing typed is lost: what came early stands before what comes next, as if typed in the field. */
const writeOn = (field: HTMLTextAreaElement, typed: string) => {
  field.focus({ preventScroll: true })
  const end = field.value.length
  field.setSelectionRange(end, end)
  if (!typed) return
  field.setRangeText(typed, end, end, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** On glass the keyboard would cover what one wants to read. */
const isTouch = () => window.matchMedia('(pointer: coarse)').matches
