import type { IntegrationConfig, IntegrationKind } from '@balcao/contract/core/integrations/index.ts'
import type { EventName } from '@balcao/contract/events.ts'
import type { LanguageModel } from 'ai'
import type { Egress } from '../kit/egress.ts'
import type { Route } from '../kit/egress-dial.ts'
import type { BotReply, BotTurn } from './bot-turn.ts'
import type { Asked } from './model-problem.ts'
import type { Embeddings, ToEmbed } from './models/embed.ts'
import type { ToSay } from './models/speak.ts'
import type { Speech, Transcript } from './models/transcribe.ts'
import type { VoiceDoor } from './voice-door.ts'

/** What an adapter is given: its decrypted config, the ways out, and the token of whoever consented. */
export type IntegrationContext<K extends IntegrationKind> = {
  tenantId: number
  id: string
  config: IntegrationConfig<K>
  egress: Egress
  /**
   * A valid one, renewed when it must be; `refused`: the provider no longer takes this one. Throws ERR_NOT_AUTHORIZED_YET or
   * ERR_AUTHORIZATION_LOST.
   */
  accessToken: (refused?: string) => Promise<string>
}

/** The account did not work; `text` is for the administrator, in Portuguese, with what to do. */
export class IntegrationError extends Error {
  /** Trying again soon may help. */
  readonly isPassing: boolean
  /** The account works: the other side said no, for good, to this one letter. */
  readonly isRefusal: boolean
  /** The other side said when to come again, in seconds. */
  readonly againInS: number | undefined
  constructor(text: string, { isPassing = false, isRefusal = false, againInS }: ErrorMeans = {}) {
    super(text)
    this.againInS = againInS
    this.isPassing = isPassing
    this.isRefusal = isRefusal
  }
}

type ErrorMeans = { isPassing?: boolean; isRefusal?: boolean; againInS?: number | undefined }

export type Letter = {
  to: string
  subject: string
  messageId: string
  headers: Record<string, string>
  text: string
  html: string
}

export type { Transcript }

/** Something that happened in the company, or that somebody asked to be told; `url`: elsewhere than to its own address. */
export type Told = { id: string; topic: string; at: Date; payload: unknown; url: string | null }
/** `gone`: the other side says that it is not there any more. */
export type Heard = {
  is: 'delivered' | 'gone' | 'failed'
  error?: string
  againInS?: number
  answer?: { status: number; body: string; ms: number }
}

/** A day for what takes whole ones; the end is not its own any more. */
export type EventTime = { day: string } | { at: Date }
/** An event as its calendar shows it; of one that is gone nothing else may be known. */
export type AnEvent = {
  id: string
  isGone: boolean
  url: string | null
  summary: string
  description: string
  location: string
  start: EventTime | null
  end: EventTime | null
  attendees: string[]
  updatedAt: Date
  /** What we wrote on it, to know it by. */
  mark: string | null
}
/** An event to be written; null attendees stay as they are. */
export type EventDraft = Pick<AnEvent, 'summary' | 'description' | 'location' | 'mark'> & {
  start: EventTime
  end: EventTime
  attendees: string[] | null
}

/** What an integration does; what it does not do for its family is left out. */
export type IntegrationAdapter<K extends IntegrationKind> = {
  /** Tries the account and says who answered; throws IntegrationError. */
  test: (context: IntegrationContext<K>) => Promise<{ text: string }>
  /** Sends a letter; throws IntegrationError. */
  sendMail?: (letter: Letter, context: IntegrationContext<K>) => Promise<void>
  /** Makes it a consumer of the company's events. The same one may come twice, under one id. */
  hears?: {
    topics: (config: IntegrationConfig<K>) => EventName[]
    /** What `tell` sends, and where, to be shown. */
    compose: (told: Told, config: IntegrationConfig<K>) => { url: string; body: string }
    tell: (told: Told, context: IntegrationContext<K>) => Promise<Heard>
  }
  /** Language models of the account. */
  models?: {
    /** Who is asked, for the words of a failure. */
    asked: (context: IntegrationContext<K>, model?: string) => Asked
    /** What the account offers now; throws ModelProblem. */
    list: (context: IntegrationContext<K>) => Promise<string[]>
    /** One of them, or the account's own, for the AI SDK. */
    open: (context: IntegrationContext<K>, model?: string) => Promise<Exclude<LanguageModel, string>>
    /** What texts mean, in numbers, where the account has a model for it; throws ModelProblem. */
    embed: (context: IntegrationContext<K>, toEmbed: ToEmbed) => Promise<Embeddings>
    /** Speech as text, where the account has a model for it; throws ModelProblem. */
    transcribe: (context: IntegrationContext<K>, speech: Speech) => Promise<Transcript>
    /** A text as a voice note, where the account has a model for it; throws ModelProblem. */
    speak: (context: IntegrationContext<K>, toSay: ToSay) => Promise<Buffer>
  }
  /** Phone calls of a voice assistant; all of it throws ModelProblem. */
  voice?: VoiceDoor<K>
  /** A bot elsewhere takes a turn in a conversation; throws ModelProblem. */
  converse?: (turn: BotTurn, context: IntegrationContext<K>) => Promise<BotReply>
  /** A calendar of events; all of it throws IntegrationError. */
  calendar?: {
    /** What changed since a token of its own, or everything without one; `stale`: the token is too old. */
    changes: (
      since: string | null,
      context: IntegrationContext<K>,
    ) => Promise<{ events: AnEvent[]; next: string | null } | 'stale'>
    /** Events that take their time, between two moments; whole days too. */
    busy: (from: Date, to: Date, context: IntegrationContext<K>) => Promise<{ id: string; from: Date; to: Date }[]>
    /** Makes it under this id, or changes it: however often it is tried, it is one event. */
    put: (id: string, draft: EventDraft, context: IntegrationContext<K>) => Promise<AnEvent>
    /** One that is gone already is fine. */
    remove: (id: string, context: IntegrationContext<K>) => Promise<void>
  }
  /** The way out it offers. */
  route?: (config: IntegrationConfig<K>) => Route
}
