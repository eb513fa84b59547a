import type { ChannelConfig, ChannelKind } from '@balcao/contract/channels/index.ts'
import type { SentTemplate } from '@balcao/contract/channels/templates.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type {
  Interactive,
  location,
  MessagePayload,
  MessageStatus,
  MessageType,
  vcard,
} from '@balcao/contract/conversations/messages.ts'
import type { z } from 'zod'
import type { Egress, HttpClient } from '../kit/egress.ts'

/** A webhook call as it came: `rawBody` is what signatures are computed over. */
export type RawRequest = {
  method: string
  headers: Record<string, string | string[] | undefined>
  query: Record<string, string | undefined>
  rawBody: Buffer
  body: unknown
}

/**
 * One provider event cut out of a webhook call. `key` is unique per event at the provider; a repeat has the same key.
 * Events of one `conversation` are handled in order; those of none (states of our own messages, templates) at once.
 */
export type JournalPiece = { key: string; payload: unknown; conversation?: string }

/** What a message says, whatever the channel. `media.source` is for `fetchMedia` of the same adapter. */
export type Content = {
  type: Exclude<MessageType, 'note' | 'system' | 'reaction'>
  body: string
  /** A file already stored here (web chat): nothing is left to fetch. */
  mediaId?: string
  media?: {
    source: Record<string, unknown>
    name?: string
    mime?: string
    size?: number
    sha256?: string
    isVoice?: boolean
  }
  location?: z.output<typeof location>
  contacts?: z.output<typeof vcard>[]
  /** A call that nobody answered; the body says so in words. */
  call?: MessagePayload['call']
  /** The button or row of ours it answers with, by the id we gave it; the body says what stood on it. */
  choice?: string
}

/** The person (or group) behind an event: every identity the provider named, strongest first. */
/** A member of a group, who speaks or reacts there. */
export type Speaker = { identities: [Identity, ...Identity[]]; name?: string; profilePicUrl?: string }
export type Sender = { identities: [Identity, ...Identity[]]; name?: string; profilePicUrl?: string; isGroup?: boolean }

/** Our events. Times are the provider's: what is older than what we know changes nothing. */
export type InboundEvent =
  | {
      kind: 'message'
      providerId: string
      from: Sender
      /** Whose words they are, where several may speak. */
      author?: Speaker
      fromMe: boolean
      timestamp: Date
      content: Content
      quotedProviderId?: string
    }
  | {
      kind: 'reaction'
      targetProviderId: string
      from: Sender
      author?: Speaker
      fromMe: boolean
      emoji: string | null
      at: Date
    }
  | { kind: 'edit'; providerId: string; body: string; at: Date }
  | { kind: 'delete'; providerId: string }
  /** `messageId` is our own id where the provider repeats it: it settles an uncertain send. */
  | {
      kind: 'status'
      providerId: string
      messageId?: string
      status: Extract<MessageStatus, 'sent' | 'delivered' | 'read' | 'played' | 'failed'>
      error?: string
      isUnreachable?: boolean
    }
  | { kind: 'identity'; from: Identity; to: Identity }
  /** `reason` null: may be reached again. */
  | { kind: 'unreachable'; who: Identity; reason: string | null; at: Date }
  | { kind: 'connection'; status: 'CONNECTED' | 'DISCONNECTED' | 'ERROR'; text: string; at?: Date }
  /** The account's templates changed: they are to be asked for again. */
  | { kind: 'templates' }
  /** How the account stands changed: its provider is asked at once. */
  | { kind: 'quality' }
  | {
      kind: 'call'
      providerId: string
      from: Sender
      fromMe: boolean
      isVideo: boolean
      /** `ringing` may still be turned down; nobody answered what was `missed`. */
      state: 'ringing' | 'missed' | 'ended'
      seconds?: number
      at: Date
    }
  | {
      kind: 'group'
      providerId: string
      group: Sender
      change: 'joined' | 'left' | 'promoted' | 'demoted' | 'subject' | 'picture'
      members: Speaker[]
      /** The new one. */
      subject?: string
      at: Date
    }
  | { kind: 'typing'; from: Sender; isTyping: boolean }
  /** What was said before the channel came to us. */
  | { kind: 'history'; messages: Omit<InboundMessage, 'kind'>[] }
  /** What somebody chose in the provider's own settings. */
  | { kind: 'consent'; who: [Identity, ...Identity[]]; purpose: 'marketing'; isGiven: boolean; proof: string; at: Date }
export type InboundMessage = Extract<InboundEvent, { kind: 'message' }>
export type InboundCall = Extract<InboundEvent, { kind: 'call' }>

/** A message template as its provider keeps it; `components` in Meta's own shape, which its resellers repeat. */
export type ProviderTemplate = {
  externalId: string
  name: string
  language: string
  category: string
  status: string
  components: Record<string, unknown>[]
}

/** A message to send. `id` is ours and travels as the provider's correlation field where it has one. */
export type Outbound = {
  id: string
  /** What the provider is to call it, where the adapter chooses (`chooseId`). */
  providerId?: string
  to: Identity[]
  /** `interactive` carries `interactive` below its body; `template` carries `template`, its body is only for reading. */
  type:
    | 'text'
    | 'image'
    | 'audio'
    | 'video'
    | 'document'
    | 'sticker'
    | 'location'
    | 'contact'
    | 'interactive'
    | 'template'
  body: string
  media: { name: string; mime: string; size: number; bytes: () => Promise<Buffer> } | null
  location: z.output<typeof location> | null
  contacts: z.output<typeof vcard>[]
  /** Within what the channel's definition says it carries. */
  interactive?: Interactive
  template?: SentTemplate
  /** Participants of the group it calls, as `participants` names them. */
  mentions?: string[]
  quotedProviderId: string | null
}

/** What an adapter is given: its decrypted config, an http client (timeout, private addresses refused), a logger. */
export type ChannelContext<K extends ChannelKind> = {
  tenantId: number
  connectionId: string
  config: ChannelConfig<K>
  hookSecret: string
  /** Where this connection's provider calls us. */
  webhookUrl: string
  http: HttpClient
  /** Every other way out, along the same route: streams, sockets. */
  egress: Egress
}

/** The same refusal for whoever takes care of the channel; `mistyped` where the token never worked as it was written. */
export type ForAdmin = { text: string; mistyped?: string }

/**
 * The provider said no, or nothing. `text` is for the agent, in Portuguese, with what to do; `forAdmin` is shown at the
 * channel, whose reader is the administrator.
 * - retry: not accepted, may be tried again after `retryAfterMs`
 * - final: not accepted, trying again is useless; `isUnreachable` marks the contact, `isConnectionBroken` the connection
 * - uncertain: may have been accepted; never sent again by itself
 */
export class ChannelError extends Error {
  readonly outcome: 'retry' | 'final' | 'uncertain'
  readonly retryAfterMs: number | undefined
  readonly isUnreachable: boolean
  readonly isConnectionBroken: boolean
  readonly forAdmin: ForAdmin

  constructor(
    outcome: 'retry' | 'final' | 'uncertain',
    text: string,
    more: { retryAfterMs?: number; isUnreachable?: boolean; isConnectionBroken?: boolean; forAdmin?: ForAdmin } = {},
  ) {
    super(text)
    this.outcome = outcome
    this.retryAfterMs = more.retryAfterMs
    this.isUnreachable = more.isUnreachable ?? false
    this.isConnectionBroken = more.isConnectionBroken ?? false
    this.forAdmin = more.forAdmin ?? { text }
  }

  /** For a person whose call failed: nobody tries it again for them. */
  get textForCaller(): string {
    return this.outcome === 'retry' ? `${this.message} Tente de novo em alguns minutos.` : this.message
  }
}

/** Bodies as if the provider had called each by itself, by its name for the number or for the account. */
export type AppParts = { numbers: Map<string, unknown>; accounts: Map<string, unknown> }

export type Hook<K extends ChannelKind> = {
  /** True only when the provider made this request. */
  verify: (request: RawRequest, context: ChannelContext<K>) => boolean | Promise<boolean>
  /** Answers a provider's registration call (GET with a challenge): the body to send back, or undefined to refuse. */
  handshake?: (request: RawRequest, context: ChannelContext<K>) => string | undefined
  /** Pure: a call for everybody who uses one app of the provider, cut into what concerns each number and each account. */
  partsOfApp?: (body: unknown) => AppParts
  /** What the provider wants to hear, where that is not an empty object. */
  answer?: (body: unknown) => unknown
}

/** What only the process that has the session can do: asked of it, wherever it is. Its arguments and answers are JSON. */
export type RemoteCall =
  | 'rejectCall'
  | 'send'
  | 'react'
  | 'remove'
  | 'edit'
  | 'markRead'
  | 'typing'
  | 'participants'
  | 'find'

/** What each call is told. */
export type TargetOf<Name extends RemoteCall> = Parameters<NonNullable<ChannelAdapter<ChannelKind>[Name]>>[0]

export type SessionDoor<K extends ChannelKind> = {
  /** Connects; the session lives until `close`, or until it ends by itself. Throws ChannelError. */
  open: (context: ChannelContext<K>, host: SessionHost) => Promise<Session>
  /** What needs the open session; everything else any process does by itself. */
  remote: readonly RemoteCall[]
}
export type Session = {
  /** Resolves when the provider is gone, rejects with why. */
  ended: Promise<void>
  close: () => Promise<void>
  /** Of the calls named as remote, each with its target. */
  calls: { [Name in RemoteCall]?: (target: TargetOf<Name>) => Promise<unknown> }
}
/** What a session is given to live on. */
export type SessionHost = {
  /** Aborted when the session is no longer ours: nothing may be asked of the provider any more. */
  signal: AbortSignal
  /**
   * Journals pieces as a webhook does; resolves once they are committed, together with what the provider has to find
   * again (an offset, a key; null takes it away). Rejects when the session is no longer ours: then nothing was written.
   */
  receive: (pieces: JournalPiece[], state?: Record<string, string | null>) => Promise<void>
  /** What was kept, by the start of its names. */
  state: (prefix?: string) => Promise<Map<string, string>>
  /** The login is over: everything kept of it goes. */
  forget: () => Promise<void>
  /** Tells how it stands; `login` is what links a phone to us, for the eyes of those who may write connections. */
  tell: (
    status: 'CONNECTED' | 'OPENING' | 'ERROR',
    text: string,
    login?: { qr?: string; pairingCode?: string },
  ) => Promise<void>
}

/** How an account is at its provider. `problem`: what to do about it, in Portuguese. */
export type Health = {
  problem: string | null
  /** The provider's own grade of the account, in Portuguese. */
  quality?: string
  /** How many people may be written to first, in the provider's words. */
  tier?: string
  /** Events that wait for us there. */
  waiting?: number
}

/** What a provider does. Adapters translate: they never touch the database, a feature or another adapter. */
export type ChannelAdapter<K extends ChannelKind> = {
  /** It calls us. */
  hook?: Hook<K>
  /** We stay connected to it, or keep asking. */
  session?: SessionDoor<K>
  /** By which of the two it receives with these settings; by the one it has, when not given. */
  receivesBy?: (config: ChannelConfig<K>) => 'hook' | 'session'
  /** Cuts what came into the provider's events, each with its own key. Pure. */
  split: (body: unknown) => JournalPiece[]
  /** Pure: one journalled payload in, our events out. An unknown payload gives an empty list. */
  parse: (payload: unknown) => InboundEvent[]
  /** Tells the provider at once that this payload arrived, where a customer waits for it (a pressed button). */
  acknowledge?: (payload: unknown, context: ChannelContext<K>) => Promise<void>
  /** Sends one message; resolves with the provider's id, throws ChannelError. */
  send: (message: Outbound, context: ChannelContext<K>) => Promise<{ providerId: string; identities?: Identity[] }>
  /** The provider's id of a message, chosen by us before it is sent: its echo is then a repeat. The same each time. */
  chooseId?: (messageId: string) => string
  /** Turns down a call that rings. */
  rejectCall?: (target: { providerId: string; to: Identity[] }, context: ChannelContext<K>) => Promise<void>
  react?: (target: { providerId: string; to: Identity[]; emoji: string }, context: ChannelContext<K>) => Promise<void>
  /** Takes back a message of ours for everyone. */
  remove?: (target: { providerId: string; to: Identity[] }, context: ChannelContext<K>) => Promise<void>
  /** Changes the text of a message of ours. */
  edit?: (target: { providerId: string; to: Identity[]; body: string }, context: ChannelContext<K>) => Promise<void>
  markRead?: (target: { providerId: string; to: Identity[] }, context: ChannelContext<K>) => Promise<void>
  typing?: (
    target: { to: Identity[]; lastInboundProviderId: string | null },
    context: ChannelContext<K>,
  ) => Promise<void>
  /** Brings a received file; throws ChannelError. */
  fetchMedia?: (
    source: Record<string, unknown>,
    context: ChannelContext<K>,
  ) => Promise<{ bytes: Buffer; mime?: string; name?: string }>
  /** Who is in a group; throws ChannelError. */
  participants?: (
    target: { to: Identity[] },
    context: ChannelContext<K>,
  ) => Promise<{ id: string; name: string | null; isAdmin: boolean }[]>
  /** Every message template of the account; throws ChannelError. */
  templates?: (context: ChannelContext<K>) => Promise<ProviderTemplate[]>
  /** What the provider will call this account, and the field that says so: one account has one connection. */
  accountOf?: (config: ChannelConfig<K>) => { id: string; field: string }
  /** Tries the config with the provider, registers what must be registered, and says who answered. */
  connect: (context: ChannelContext<K>) => Promise<{ text: string; status?: 'CONNECTED' | 'OPENING' }>
  /** Asks how the account is, every minute or so; throws ChannelError. */
  check?: (context: ChannelContext<K>) => Promise<Health>
  disconnect?: (context: ChannelContext<K>) => Promise<void>
  /** The message was perhaps accepted: its provider id when the provider knows it, false when not, undefined when it cannot say. */
  find?: (messageId: string, context: ChannelContext<K>) => Promise<string | false | undefined>
}
