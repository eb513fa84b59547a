import type { Message, MessageSend } from '@balcao/contract/messages.ts'
import { isApiError, messageOf } from '../../kit/api-error.ts'

/** A message on its way from this browser: shown at once, kept until the server has it. */
export type Outgoing = {
  message: Message
  send: MessageSend
  /**
   * `undoable`: it leaves at `sendAt` unless taken back. `waiting`: for a connection; it goes by itself. `failed` and
   * `held` wait for a person and let the others pass.
   */
  state: 'undoable' | 'waiting' | 'sending' | 'failed' | 'held'
  sendAt: number
  /** Of what was sent by one press of the button. */
  batch: string
  error: string | null
  /** Held: what was said while this was being written. */
  newer: Message[]
}

/** Messages of one lane leave in the order they were written. Notes have their own: they wait for nobody. */
export const laneOf = ({ message, send }: Outgoing) =>
  send.type === 'note' ? `${message.ticketId}:note` : message.ticketId

/** Whose turn it is: the oldest of its lane that no person has to look at first. */
export const nextIn = (entries: readonly Outgoing[], lane: string) =>
  entries.find((entry) => laneOf(entry) === lane && ['undoable', 'waiting', 'sending'].includes(entry.state))

/** What "Desfazer" by keyboard takes back: the newest of a conversation, while it may still be. */
export const lastUndoable = (entries: readonly Outgoing[], ticketId: string) => {
  const last = entries.findLast((entry) => entry.message.ticketId === ticketId)
  return last?.state === 'undoable' ? last : undefined
}

type Outcome = Pick<Outgoing, 'state' | 'error' | 'newer'>
/** What became of a message the server did not take. Without an answer it waits; the same id makes trying again safe. */
export const outcomeOf = (error: unknown): Outcome => {
  const failed: Outcome = { state: 'failed', error: messageOf(error), newer: [] }
  if (!isApiError(error)) return failed
  if (error.status === 0 || error.status >= 502) return { ...failed, state: 'waiting', error: null }
  if (error.status === 422) return { ...failed, error: error.problems[0]?.message ?? error.message }
  const newer = error.code === 'ERR_CONFLICT' ? newerIn(error.details) : []
  return newer.length ? { state: 'held', error: null, newer } : failed
}

/** As another page of this browser, or this one before it was reloaded, wrote it down. */
export const parseOutgoing = (text: string | null): Outgoing | undefined => {
  try {
    const stored: unknown = JSON.parse(text ?? 'null')
    if (typeof stored !== 'object' || stored === null || !('message' in stored)) return undefined
    const entry = stored as Outgoing // written by `store`
    return entry.state === 'sending' ? { ...entry, state: 'waiting' } : entry // nobody knows whether it arrived
  } catch {
    return undefined
  }
}

const newerIn = (details: unknown): Message[] => {
  const newer = typeof details === 'object' && details !== null && 'newer' in details ? details.newer : null
  return Array.isArray(newer) ? (newer as Message[]) : [] // parsed by the contract on the server
}
