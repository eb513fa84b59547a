import type { GroupMember } from '@balcao/contract/conversations/groups.ts'
import type { MentionCandidate } from '@balcao/contract/conversations/mentions.ts'
import type { Message, MessageSend } from '@balcao/contract/conversations/messages.ts'
import type { Media } from '@balcao/contract/core/media.ts'
import type { Macro } from '@balcao/contract/service/macros.ts'
import type { VariableContext } from '@balcao/contract/variables.ts'
import type { ReactNode } from 'react'
import type { Abilities } from '../../conversations/messages/abilities.ts'
import type { Quoted } from '../../conversations/messages/composer-target.tsx'
import type { Outgoing } from '../../conversations/messages/outbox-state.ts'
import type { TakenBack } from '../../conversations/messages/take-back.ts'
import type { ChosenFile } from '../../conversations/messages/uploads.ts'
import type { ComposerDialog } from './attach-menu.tsx'

/** With what a message goes: what it answers, what had been said when the writing began. */
export type SendHow = {
  quoted: Quoted | null
  seenSeq: number
  file?: ChosenFile
  /** A file the server has already. */
  media?: Media | null
  part?: Outgoing['part']
  batch?: string
  /** Without the seconds in which it may be taken back. */
  atOnce?: boolean
  /** Whom the words call in a group. */
  called?: MessageSend['called']
}
/** What the attach menu opens, drawn by whoever knows the place. */
export type DialogAsked = {
  dialog: ComposerDialog | null
  onSend: (message: Partial<MessageSend>) => void
  onClose: () => void
}

/** Where what is written goes. A ticket is one; a private chat or a rehearsal give less, and the composer offers less. */
export type WritingPlace = {
  /** Under which drafts and attached files are kept. */
  id: string
  /** Whom one writes to. */
  name: string
  abilities: Abilities
  /** What the variables of a text stand for. */
  context: VariableContext
  send: (over: Partial<MessageSend>, how: SendHow) => void
  /** The parts of a quick message, the files with their captions, then the words. */
  sendAll: (words: string, how: SendHow) => void
  edit: (message: Message, body: string) => Promise<void>
  /** What was sent last and has not left is here again; undefined: nothing to take back. */
  undo: () => TakenBack | undefined
  typing: { press: (isToCustomer: boolean) => void; stop: () => void }
  /** `opening`: what stands before the words once they are signed; `below`: what stands after them. */
  signature: { isOn: boolean; opening: string; below: string; obstacle: string | null }
  longest: number
  /** Whom a note may call; a place without notes has none. */
  candidates: readonly MentionCandidate[]
  /** Whom a message to a group may call; null where nobody is called. */
  members: { list: readonly GroupMember[]; isLoading: boolean } | null
  runMacro: (macro: Macro) => void
  /** Sends what is written at another time; left out where that cannot be. */
  later?: { begin: (wall?: string) => void; note: string | undefined }
  /** What a machine helps with while writing; left out where it does not. */
  copilot?: {
    ticketId: string
    lastFromCustomer: () => string
    /** Not known yet: its key is heard, and the server says what is the matter. */
    isComing: boolean
  }
  drawDialogs: (asked: DialogAsked) => ReactNode
}
