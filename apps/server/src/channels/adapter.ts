import type { Readable } from 'node:stream'
import type { BusinessNumber, BusinessProfile, ShownProfile, SipChange } from '@balcao/contract/channels/business.ts'
import type { MemberAct } from '@balcao/contract/channels/group-acts.ts'
import type { ChannelConfig, ChannelKind } from '@balcao/contract/channels/index.ts'
import type { PriceCategory } from '@balcao/contract/channels/message-prices.ts'
import type { ChannelCatalog, ChannelForm } from '@balcao/contract/channels/requests.ts'
import type { TemplateDraft } from '@balcao/contract/channels/template-draft.ts'
import type { SentTemplate } from '@balcao/contract/channels/templates.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import type {
  Interactive,
  Invitation,
  location,
  MailContent,
  MessagePayload,
  MessageStatus,
  MessageType,
  vcard,
} from '@balcao/contract/conversations/messages.ts'
import type { z } from 'zod'
import type { Egress, HttpClient } from '../kit/egress.ts'
import type { Route } from '../kit/egress-dial.ts'

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
  /** `pictures`: small ones its text draws, by Content-ID; larger ones are messages, `drawn` in it. */
  mail?: MailContent & { pictures?: DrawnPicture[]; invitation?: Invitation }
  drawn?: MessagePayload['drawn']
  /** Written about a story: the customer answers one of ours, or shows us in one of theirs (the file). */
  story?: MessagePayload['story']
  /** By which advertisement it came, and about which product it asks. */
  referral?: MessagePayload['referral']
  product?: MessagePayload['product']
  /** Somebody else said it first. */
  isForwarded?: boolean
  /** Said in public, on something we published. */
  comment?: MessagePayload['comment']
  /** A machine wrote it (an absence, a newsletter): nothing of ours answers it by itself. */
  isAutomatic?: boolean
  /** It lay in the spam folder: taken in from somebody who is known, and marked. */
  isJunk?: boolean
  /** Of a mail: the server that received it could not confirm its sender. */
  isUnproven?: boolean
  /** A call that nobody answered; the body says so in words. */
  call?: MessagePayload['call']
  /** What stands in the fields of a form of ours, and what was put into a basket; the body says both in words. */
  form?: MessagePayload['form']
  order?: MessagePayload['order']
  /** A poll; its question is the body. */
  interactive?: Interactive
  /** Of pictures and films sent together: what the provider calls their group. */
  album?: string
  /** The button or row of ours it answers with, by the id we gave it; the body says what stood on it. */
  choice?: string
  /** Whom a message of a group calls. */
  mentions?: Mention[]
}
/** `text`: as it stands in the body, from its @ on; by whatever may name who is meant, none where the text alone does. */
export type Mention = { text: string; identities: Identity[] }

export type DrawnPicture = { cid: string; mime: string; base64: string }

/** An option of a poll: by what stands there, by its place, or by the SHA-256 (hexadecimal) of what stands there. */
export type Chosen = string | number | { sha256: string }

/** A member of a group, who speaks or reacts there. */
export type Speaker = { identities: [Identity, ...Identity[]]; name?: string }
/** Somebody who is in a group; `id` is how a message calls them (`memberId` of their first identity). */
export type Participant = {
  id: string
  name: string | null
  isAdmin: boolean
  /** Began the group. */
  isOwner?: boolean
  identities: Identity[]
}
/** A group the account is in; `members` where its list says who is in it. */
export type ListedGroup = Listed & { description?: string; isAdminsOnly?: boolean; members?: Participant[] }

/** What is to be done to a group; JSON, so that it reaches the owner of a session. People by all that is known of them. */
export type GroupTarget =
  | { act: 'create'; title: string; people: Identity[][] }
  | { act: 'title'; to: Identity[]; title: string }
  /** Empty: none any more. */
  | { act: 'description'; to: Identity[]; description: string }
  | { act: 'picture'; to: Identity[]; picture: { mime: string; base64: string } }
  /** Only administrators write, or everybody. */
  | { act: 'adminsOnly'; to: Identity[]; isOn: boolean }
  | { act: MemberAct; to: Identity[]; people: Identity[][] }
  /** `isRenewed`: the old one leads nowhere any more. */
  | { act: 'inviteLink'; to: Identity[]; isRenewed: boolean }
/** Of one person, in the order they were named. `closed`: they let nobody add them, an invitation may still reach them. */
export type PersonOutcome = { outcome: 'done' | 'already' | 'closed' | 'refused'; reason?: string }
export type GroupOutcome = {
  /** The one that was made. */
  group?: Identity
  people?: PersonOutcome[]
  inviteUrl?: string
}
/** Somebody, or a group, that the account's phone knows. */
export type Listed = { identities: Identity[]; name: string | null }
/** The person (or group) behind an event: every identity the provider named, strongest first. */
export type Sender = { identities: [Identity, ...Identity[]]; name?: string; isGroup?: boolean }

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
      /** What we had said to them by ourselves, known of only now that they answer it. */
      answers?: { providerId: string; rule: string; body: string }
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
  /** `parts`: what else that message may have become here. */
  | { kind: 'delete'; providerId: string; parts?: string[] }
  /** `messageId` is our own id where the provider repeats it: it settles an uncertain send. */
  | {
      kind: 'status'
      providerId: string
      /** What else may have left in that message: it shares its fate. */
      parts?: string[]
      messageId?: string
      status: Extract<MessageStatus, 'sent' | 'delivered' | 'read' | 'played' | 'failed'>
      error?: string
      isUnreachable?: boolean
      /** It failed because they refused advertising there. */
      isOptedOut?: boolean
      /** What the provider says it charges; `to`: the phone it went to, as digits. */
      price?: { category: PriceCategory; isBillable: boolean; kind?: string; to?: string }
    }
  /** They have read everything we had said by then. */
  | { kind: 'readUntil'; from: Sender; at: Date }
  | { kind: 'identity'; from: Identity; to: Identity }
  /** `reason` null: may be reached again. */
  | { kind: 'unreachable'; who: Identity; reason: string | null; at: Date }
  | { kind: 'connection'; status: 'CONNECTED' | 'DISCONNECTED' | 'ERROR'; text: string; at?: Date }
  /** The account's templates changed: they are to be asked for again. */
  | { kind: 'templates' }
  /** How the account stands changed (a new code to scan, a phone linked, its quality): `check` is asked at once. */
  | { kind: 'standing' }
  /** Its provider has something to say to whoever takes care of it. */
  | { kind: 'alert'; text: string; isSerious: boolean }
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
      /** Of those who left: somebody took them out. */
      isRemoval?: boolean
      /** The new one. */
      subject?: string
      at: Date
    }
  | {
      kind: 'vote'
      /** Of the poll, by the provider's id of its message or by what else it calls it (`pollKey` of `send`). */
      poll: { providerId: string } | { key: string }
      from?: Sender
      /** Whose vote it is; asked only where it was given in a group. */
      voter?: Speaker
      fromMe: boolean
      /** All that is chosen now, none when the vote was taken back. */
      chosen: Chosen[]
      /** Left out: now. */
      at?: Date
    }
  | { kind: 'typing'; from: Sender; isTyping: boolean }
  /** Understood, and nobody's concern: no payload to look at as one we do not know. */
  | { kind: 'nothing' }
  /** What was said before the channel came to us; how much of it has come by now, where its provider says so. */
  | { kind: 'history'; messages: Omit<InboundMessage, 'kind'>[]; percent?: number }
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
  /** Why it was refused; how customers take it. */
  rejectedReason?: string
  quality?: string
}
/** A template to be judged; `file` is the example of its header. */
export type TemplateToJudge = {
  draft: TemplateDraft
  file: Pick<OutboundFile, 'name' | 'mime' | 'size' | 'bytes'> | null
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
  media: OutboundFile | null
  location: z.output<typeof location> | null
  contacts: z.output<typeof vcard>[]
  /** Within what the channel's definition says it carries. */
  interactive?: Interactive
  template?: SentTemplate
  /** Subject, copies and formatted text, where the channel has them; `body` is the same as plain text. */
  mail?: MailContent
  /** Of a mail: what stands below its text, with marks. */
  signature?: string
  /** The same went to many: where whoever gets it asks for no more of it. */
  unsubscribe?: string
  /** Nobody wrote it: the machine at the other end is told so. */
  isAutomatic?: boolean
  /** Whom it calls in a group, by the ids of `participants`; each as `@name` in the body, or unnamed. */
  mentions?: { id: string; name: string }[]
  quotedProviderId: string | null
  /** Who wrote what is quoted: we, or in a group that member. */
  quotedBy?: { fromMe: boolean; author?: Identity[] }
  /** To a person of whom nothing has come here yet. */
  isFirst?: boolean
  /** The last that came of them, by the provider's id, where that may be a comment (`comments`). */
  lastHeard?: string
  /** A person's own words, after the hours in which anything is taken (`personWindowHours`). */
  isLate?: boolean
}

export type OutboundFile = {
  name: string
  mime: string
  size: number
  bytes: () => Promise<Buffer>
  /** The same piece by piece, of what is too large for memory. */
  stream?: () => Promise<Readable>
  /** A signed address of ours that lives minutes, for a provider that fetches by itself; only where it can reach us. */
  url?: () => string
}

/** A file that was received: whole, or while it comes, where it may be large. */
export type Fetched = ({ bytes: Buffer; stream?: never } | { stream: Readable; bytes?: never }) & {
  mime?: string
  name?: string
}

/** Where an account's mail is, and what opens it: the token goes nowhere else. */
export type ConsentedAccount = {
  imap: MailServer
  smtp: MailServer
  /** A valid one, renewed when it must be; throws ERR_NOT_AUTHORIZED_YET, ERR_AUTHORIZATION_LOST or ERR_OAUTH_REFUSED. */
  accessToken: () => Promise<string>
}
export type MailServer = { host: string; port: number; security: 'tls' | 'starttls' | 'none' }

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
  /** It is entered with an account whose owner has consented: the servers of that account, and its tokens. */
  account?: ConsentedAccount
  /** The one that was chosen for this connection, for a gateway that is to go out by it as well. */
  proxy?: Route['proxy']
}

/** The same refusal for whoever takes care of the channel; `mistyped` where the token never worked as it was written. */
export type ForAdmin = { text: string; mistyped?: string }

/**
 * The provider said no, or nothing. `text` is for the agent, in Portuguese, with what to do; `forAdmin` is shown at the
 * channel, whose reader is the administrator.
 * - retry: not accepted, may be tried again after `retryAfterMs`
 * - final: not accepted, trying again is useless; `isUnreachable` marks the contact, `isOptedOut` says that
 *   they refused advertising at the provider, `isConnectionBroken` marks the connection
 * - uncertain: may have been accepted; never sent again by itself
 */
export class ChannelError extends Error {
  readonly outcome: 'retry' | 'final' | 'uncertain'
  readonly retryAfterMs: number | undefined
  readonly isUnreachable: boolean
  readonly isOptedOut: boolean
  readonly isConnectionBroken: boolean
  /** With `retry`: it waits for its time, however often that is asked. */
  readonly isHeld: boolean
  /** Of a file: the provider keeps it no longer. */
  readonly isGone: boolean
  readonly forAdmin: ForAdmin

  constructor(
    outcome: 'retry' | 'final' | 'uncertain',
    text: string,
    more: {
      retryAfterMs?: number
      isUnreachable?: boolean
      isOptedOut?: boolean
      isConnectionBroken?: boolean
      isHeld?: boolean
      isGone?: boolean
      forAdmin?: ForAdmin
    } = {},
  ) {
    super(text)
    this.outcome = outcome
    this.retryAfterMs = more.retryAfterMs
    this.isUnreachable = more.isUnreachable ?? false
    this.isOptedOut = more.isOptedOut ?? false
    this.isConnectionBroken = more.isConnectionBroken ?? false
    this.isHeld = more.isHeld ?? false
    this.isGone = more.isGone ?? false
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
  /** What the provider wants to hear, where that is not an empty object; null: nothing at all. */
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
  | 'groups'
  | 'groupAct'
  | 'numbers'
  | 'profile'
  | 'link'
  | 'unlink'
  | 'find'
  | 'renewMedia'

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
/** Which old conversations a connection asks for. */
export type HistoryWish = { since: Date; until: Date; hasGroups: boolean }
/** What a session is given to live on. */
export type SessionHost = {
  /** Aborted when the session is no longer ours: nothing may be asked of the provider any more. */
  signal: AbortSignal
  /**
   * Journals pieces as a webhook does; resolves once they are committed, together with what the provider has to find
   * again (an offset, a key; null takes it away). Rejects when the session is no longer ours: then nothing was written.
   * `untilHandled`: resolves when what they say is stored, too, so that a great deal does not pile up.
   */
  receive: (
    pieces: JournalPiece[],
    state?: Record<string, string | null>,
    more?: { untilHandled?: boolean },
  ) => Promise<void>
  /** What was kept, by the start of its names, or of these very names. */
  state: (names?: string | readonly string[]) => Promise<Map<string, string>>
  /** Old conversations that are wanted, if any. */
  history?: HistoryWish
  /** A piece that was journalled not long ago, by its key. */
  recall: (key: string) => Promise<unknown>
  /** The login is over: everything kept of it goes. */
  forget: () => Promise<void>
  /** Tells how it stands; without a login, the code shown before is over. */
  tell: (standing: Standing) => Promise<void>
}

/** What links a phone to us, while it lasts: whoever sees it can take the account over. */
export type Login = {
  /** What the square says, or a `data:image/…` of it where the provider gives no more. */
  qr?: string
  /** What is typed on the phone instead. */
  pairingCode?: string
  /** How long it works. */
  lastsSeconds?: number
}

/**
 * Who answers at the provider, for the card of the connection: number as digits, an address of the picture. `lid` and
 * `handle`: what else members of a group call it by.
 */
export type Account = { number?: string; name?: string; pictureUrl?: string; lid?: string; handle?: string }

/** How a connection stands; `text` is for the administrator, with what to do. */
export type Standing = {
  status: 'CONNECTED' | 'OPENING' | 'DISCONNECTED' | 'ERROR'
  text: string
  login?: Login
  account?: Account
}

/**
 * How an account is at its provider. `problem`: what to do about it, in Portuguese. `standing`: where the provider knows
 * more than that its account works (a phone is to be linked, or has left).
 */
export type Health = {
  problem: string | null
  standing?: Standing
  /** The provider's own grade of the account, in Portuguese. */
  quality?: string
  /** How many people may be written to first, in the provider's words. */
  tier?: string
  /** How many messages leave in a second. */
  perSecond?: number
  /** Events that wait for us there. */
  waiting?: number
  /** How many messages are paid for. */
  credits?: number
  /** What would make more of what is sent arrive, in Portuguese. */
  advice?: string[]
  /** Messages in its spam folder. */
  inJunk?: number
}

/** Something of an account at the provider that may become a connection: `config` is what is its own. */
export type Offered<K extends ChannelKind> = {
  config: Partial<ChannelConfig<K>>
  name: string
  handle: string | undefined
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
  send: (
    message: Outbound,
    context: ChannelContext<K>,
  ) => Promise<{ providerId: string; identities?: Identity[]; pollKey?: string }>
  /**
   * Sends two to ten pictures and films (types `image` and `video`) as one group, the first one's quote for all: resolves
   * with an id for each in the same order, undefined where the provider told none. Throws ChannelError; `final` means
   * that none of them left.
   */
  sendAlbum?: (
    messages: Outbound[],
    context: ChannelContext<K>,
  ) => Promise<{ providerIds: (string | undefined)[]; identities?: Identity[] }>
  /**
   * Sends two to ten messages with files or words as one message with all of them, under the first one's id, subject and
   * quote; otherwise as `sendAlbum`.
   */
  sendAttached?: (
    messages: Outbound[],
    context: ChannelContext<K>,
  ) => Promise<{ providerIds: (string | undefined)[]; identities?: Identity[] }>
  /** The provider's id of a message, chosen by us before it is sent: its echo is then a repeat. The same each time. */
  chooseId?: (messageId: string, config: ChannelConfig<K>) => string
  /** Turns down a call that rings. */
  rejectCall?: (target: { providerId: string; to: Identity[] }, context: ChannelContext<K>) => Promise<void>
  /** `fromMe` and `author` say whose message it is: ours, or that member's of the group. */
  react?: (
    target: { providerId: string; to: Identity[]; emoji: string; fromMe: boolean; author?: Identity[] },
    context: ChannelContext<K>,
  ) => Promise<void>
  /** Takes back a message for everyone: ours, or in a group we lead (`groupActs`: `deleteMessage`) that `author`'s. */
  remove?: (
    target: { providerId: string; to: Identity[]; author?: Identity[] },
    context: ChannelContext<K>,
  ) => Promise<void>
  /** Changes the text of a message of ours. */
  edit?: (target: { providerId: string; to: Identity[]; body: string }, context: ChannelContext<K>) => Promise<void>
  /** `author`: who wrote it, in a group. */
  markRead?: (
    target: { providerId: string; to: Identity[]; author?: Identity[] },
    context: ChannelContext<K>,
  ) => Promise<void>
  typing?: (
    target: { to: Identity[]; lastInboundProviderId: string | null },
    context: ChannelContext<K>,
  ) => Promise<void>
  /** Brings a received file; throws ChannelError. */
  fetchMedia?: (source: Record<string, unknown>, context: ChannelContext<K>) => Promise<Fetched>
  /** Has a file that the provider no longer keeps laid there once more: its new source; throws ChannelError. */
  renewMedia?: (
    target: { source: Record<string, unknown> },
    context: ChannelContext<K>,
  ) => Promise<Record<string, unknown>>
  /** Who is in a group; throws ChannelError. */
  participants?: (target: { to: Identity[] }, context: ChannelContext<K>) => Promise<Participant[]>
  /** Every group the account is in; throws ChannelError. */
  groups?: (target: object, context: ChannelContext<K>) => Promise<ListedGroup[]>
  /**
   * Does one of `abilities.groupActs` to a group, whole or person by person. Done again it changes nothing, but for
   * `create`; throws ChannelError: `final` where we may not (no administrator there), `isUnreachable` where the group is gone.
   */
  groupAct?: (target: GroupTarget, context: ChannelContext<K>) => Promise<GroupOutcome>
  /** Which of these numbers (digits, with country) can be written to, and what they are known by here; throws ChannelError. */
  numbers?: (
    target: { numbers: string[] },
    context: ChannelContext<K>,
  ) => Promise<{ number: string; exists: boolean; identities: Identity[] }[]>
  /** Everybody in the phone's own book, or every group it is in; throws ChannelError. */
  phoneBook?: (target: { of: 'people' | 'groups' }, context: ChannelContext<K>) => Promise<Listed[]>
  /** How somebody, or a group, shows themselves there; throws ChannelError. */
  profile?: (
    target: { to: Identity[] },
    context: ChannelContext<K>,
  ) => Promise<{ name?: string; pictureUrl?: string; description?: string; isAdminsOnly?: boolean }>
  /** Writes the account's templates; each throws ChannelError with what the provider found wrong. */
  editTemplates?: {
    create: (
      target: TemplateToJudge,
      context: ChannelContext<K>,
    ) => Promise<Pick<ProviderTemplate, 'externalId' | 'status' | 'category' | 'components'>>
    /** `keepsCategory`: an approved one stays in its own. */
    change: (
      target: TemplateToJudge & { externalId: string; keepsCategory: boolean },
      context: ChannelContext<K>,
    ) => Promise<Pick<ProviderTemplate, 'components'>>
    /** In this language alone. */
    remove: (target: { externalId: string; name: string }, context: ChannelContext<K>) => Promise<void>
  }
  /** The public face of a business number, and its registration; each throws ChannelError. */
  businessAccount?: {
    profile: (context: ChannelContext<K>) => Promise<ShownProfile>
    changeProfile: (
      target: { profile: BusinessProfile; picture: TemplateToJudge['file'] },
      context: ChannelContext<K>,
    ) => Promise<void>
    number: (context: ChannelContext<K>) => Promise<BusinessNumber>
    /** A code of six digits is sent to the number, by message or by a call. */
    requestCode: (target: { method: 'SMS' | 'VOICE' }, context: ChannelContext<K>) => Promise<void>
    verifyCode: (target: { code: string }, context: ChannelContext<K>) => Promise<void>
    register: (target: { pin: string }, context: ChannelContext<K>) => Promise<void>
    deregister: (context: ChannelContext<K>) => Promise<void>
    setPin: (target: { pin: string }, context: ChannelContext<K>) => Promise<void>
    /** Where its calls go over the internet, by TLS. */
    setSip: (target: SipChange, context: ChannelContext<K>) => Promise<void>
    /** What concerns this account is told to this connection's own address, whatever its app has registered. */
    ownWebhook: (context: ChannelContext<K>) => Promise<void>
  }
  /** What a message may open: the account's published forms, its connected catalogue; each throws ChannelError. */
  requests?: {
    forms: (context: ChannelContext<K>) => Promise<ChannelForm[]>
    catalog: (target: { search: string }, context: ChannelContext<K>) => Promise<ChannelCatalog>
    /** Those of these ids that there are, of a catalogue or, without one, of the connected one. */
    products: (
      target: { catalogId?: string; ids: string[] },
      context: ChannelContext<K>,
    ) => Promise<ChannelCatalog['products']>
  }
  /** Turns somebody away at the provider too, or lets them in again. */
  block?: (target: { to: Identity[]; isBlocked: boolean }, context: ChannelContext<K>) => Promise<void>
  /** Every message template of the account; throws ChannelError. */
  templates?: (context: ChannelContext<K>) => Promise<ProviderTemplate[]>
  /**
   * What the provider will call this account, and the field that says so: one account has one connection. Nothing while
   * it has no name yet.
   */
  accountOf?: (config: ChannelConfig<K>) => { id: string; field: string } | undefined
  /**
   * Tries the config with the provider, makes and registers there what is missing, and says who answered; asked again,
   * it changes nothing. `config`: what was learned and is kept with the settings; `isLeftToSession`: nothing is
   * said here, its session tells how it stands.
   */
  connect: (context: ChannelContext<K>) => Promise<
    Omit<Standing, 'status'> & {
      status?: Standing['status']
      config?: Partial<ChannelConfig<K>>
      isLeftToSession?: true
    }
  >
  /**
   * Begins to link a phone: a new code to scan or, with its `phone` (digits, with country), one to type there. `config` as
   * of `connect`.
   */
  link?: (
    target: { phone?: string },
    context: ChannelContext<K>,
  ) => Promise<Standing & { config?: Partial<ChannelConfig<K>> }>
  /** Takes the phone away again: the login ends at the provider. */
  unlink?: (target: object, context: ChannelContext<K>) => Promise<void>
  /**
   * Asks how the account is, every minute or so; throws ChannelError. `isOpening`: a phone is awaited, and perhaps a
   * code stands on a screen.
   */
  check?: (context: ChannelContext<K>, isOpening?: boolean) => Promise<Health>
  disconnect?: (context: ChannelContext<K>) => Promise<void>
  /** Everything an account has that may become a connection, undefined where it does not say; throws ChannelError. */
  offers?: (lent: { http: HttpClient; config: Record<string, unknown> }) => Promise<Offered<K>[] | undefined>
  /** The message was perhaps accepted: its provider id when the provider knows it, false when not, undefined when it cannot say. */
  find?: (messageId: string, context: ChannelContext<K>) => Promise<string | false | undefined>
}
