import type { Message, MessageSend } from '@balcao/contract/conversations/messages.ts'
import type { ShownPart } from '@balcao/contract/conversations/parts.ts'
import { isApiError, isUnanswered, messageOf } from '../../../kit/api-error.ts'
import type { Abilities } from './abilities.ts'
import type { Ready } from './ready.ts'
import type { ChosenFile } from './uploads.ts'

/** A message on its way from this browser: shown at once, kept until the server has it. */
export type Outgoing = {
  message: Message
  send: MessageSend
  /** Goes up before the message does; it travels as one of the kinds that the channel `takes`. */
  file: (ChosenFile & { takes: Abilities['files'] }) | null
  /**
   * `undoable`: it leaves at `sendAt` unless taken back. `waiting`: for a connection; it goes by itself. `uploading`: for
   * its file, or for that of one before it. `failed` and `held` wait for a person and let the others pass.
   */
  state: 'undoable' | 'waiting' | 'uploading' | 'sending' | 'failed' | 'held'
  sendAt: number
  /** Of what was sent by one press of the button. */
  batch: string
  /** The part of a quick message it was: taken back, it is one again. */
  part?: Omit<Ready, 'parts'> & { part: ShownPart }
  error: string | null
  /** Held: what was said while this was being written. */
  newer: Message[]
}

/** Messages of one lane leave in the order they were written. Notes have their own: they wait for nobody. */
export const laneOf = ({ message, send }: Outgoing) =>
  send.type === 'note' ? `${message.ticketId}:note` : message.ticketId

/** Whose turn it is: the oldest of its lane that no person has to look at first. */
export const nextIn = (entries: readonly Outgoing[], lane: string) =>
  entries.find((entry) => laneOf(entry) === lane && goesByItself(entry))

/** It leaves without anybody's doing, sooner or later. */
export const goesByItself = ({ state }: Outgoing) => state !== 'failed' && state !== 'held'

/** What "Desfazer" by keyboard takes back: the newest of a conversation, while it may still be. */
export const lastUndoable = (entries: readonly Outgoing[], ticketId: string) => {
  const last = entries.findLast((entry) => entry.message.ticketId === ticketId)
  return last?.state === 'undoable' ? last : undefined
}

/** It waits for a connection or a file, and so does what is written after it. */
export const isHeld = ({ state }: Outgoing) => state === 'waiting' || state === 'uploading'

type Outcome = Pick<Outgoing, 'state' | 'error' | 'newer'>
/** What became of a message the server did not take. Without an answer it waits; the same id makes trying again safe. */
export const outcomeOf = (error: unknown): Outcome => {
  const failed: Outcome = { state: 'failed', error: messageOf(error), newer: [] }
  if (!isApiError(error)) return failed
  if (isUnanswered(error)) return { ...failed, state: 'waiting', error: null }
  if (error.status === 422) return { ...failed, error: error.problems[0]?.message ?? error.message }
  const newer = error.code === 'ERR_CONFLICT' ? newerIn(error.details) : []
  return newer.length ? { state: 'held', error: null, newer } : failed
}

/** As another page of this browser, or this one before it was reloaded, wrote it down. */
export const asOutgoing = (stored: unknown): Outgoing | undefined =>
  typeof stored === 'object' && stored !== null && 'message' in stored ? (stored as Outgoing) : undefined // written by `put`

const newerIn = (details: unknown): Message[] => {
  const newer = typeof details === 'object' && details !== null && 'newer' in details ? details.newer : null
  return Array.isArray(newer) ? (newer as Message[]) : [] // parsed by the contract on the server
}
