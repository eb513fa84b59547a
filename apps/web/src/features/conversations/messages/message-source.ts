import type { Message } from '@balcao/contract/conversations/messages.ts'
import type { Allowed } from './allowed.ts'
import type { Conversation } from './conversation.ts'
import type { Outgoing } from './outbox-state.ts'
import type { TakenBack } from './take-back.ts'

/**
 * Where a list of messages comes from. A ticket is one, all that was ever said with a contact another; what draws
 * messages knows neither. Functions may be new with each drawing.
 */
export type MessageSource = {
  conversation: Conversation
  loadOlder: () => Promise<unknown>
  /** The rest for what may be read from the middle: what follows, the end, the place of a message (false: it is not in there). */
  loadNewer?: () => Promise<unknown>
  loadLatest?: () => Promise<unknown>
  loadAround?: (messageId: string) => Promise<boolean>
  /** Reads anew what is loaded: an address of a file has ended. */
  renew?: () => void
  /** What is on its way there from this browser, oldest first. */
  outgoing: readonly Outgoing[]
  starred: readonly string[]
  /** What can be done with a message; left out where they are only read. */
  work?: MessageWork
}

export type MessageWork = {
  /** Another function when rights have changed. */
  allowedOn: (message: Message) => Allowed
  react: (message: Message, emoji: string) => void
  star: (message: Message, isStarred: boolean) => void
  remove: (message: Message) => void
  resend: (message: Message) => void
  fetchFile: (message: Message) => void
  retry: (entry: Outgoing, isForced?: boolean) => void
  /** Back to where it was written; undefined when it has left. */
  takeBack: (entry: Outgoing) => TakenBack | undefined
}
