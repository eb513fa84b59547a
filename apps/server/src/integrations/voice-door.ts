import type { VoiceCallStatus } from '@balcao/contract/automation/voice-calls.ts'
import type { IntegrationKind } from '@balcao/contract/core/integrations/index.ts'
import type { IntegrationContext } from './adapter.ts'

/** Where a call stands at its provider; `isGone`: the provider does not know it any more. */
export type CallFacts = {
  providerId: string
  /** The id we gave it when we placed it; null: we did not. */
  ourId: string | null
  status: Exclude<VoiceCallStatus, 'failed' | 'uncertain'>
  isInbound: boolean
  /** Of the customer, E.164; null where the provider hides it. */
  number: string | null
  name: string
  assistantId: string
  phoneNumberId: string
  endedReason: string | null
  startedAt: Date | null
  endedAt: Date | null
  summary: string
  transcript: string
  costUsd: number | null
  hasRecording: boolean
  /** Its report is here: nothing more is to come. */
  isWhole: boolean
}
export type CallOrder = {
  /** Ours, given back with everything that is told of the call. */
  id: string
  assistantId: string
  phoneNumberId: string
  /** E.164. */
  number: string
  name: string
  variables: Readonly<Record<string, string>>
}
/** What the provider tells us by itself, and what it waits to hear back. */
export type VoiceNews =
  | { is: 'call'; facts: CallFacts }
  | { is: 'question'; answer: object }
  /** Understood, and nobody's concern. */
  | { is: 'nothing' }

export type VoiceDoor<K extends IntegrationKind> = {
  /** Whether this request proves to be of the account. */
  verify: (headers: Record<string, string | string[] | undefined>, context: IntegrationContext<K>) => boolean
  /** Pure, but for the settings: a body that is not understood is `nothing`. */
  hear: (body: unknown, context: IntegrationContext<K>) => VoiceNews
  /** What the account calls with where nobody says otherwise; null: it is not set up for calls. */
  usual: (context: IntegrationContext<K>) => { assistantId: string; phoneNumberId: string } | null
  assistants: (context: IntegrationContext<K>) => Promise<{ id: string; name: string }[]>
  numbers: (context: IntegrationContext<K>) => Promise<{ id: string; name: string; number: string }[]>
  place: (order: CallOrder, context: IntegrationContext<K>) => Promise<CallFacts>
  /** Undefined: it is not known there. */
  read: (providerId: string, context: IntegrationContext<K>) => Promise<CallFacts | undefined>
  /** The recording; undefined where there is none. */
  recording: (
    providerId: string,
    context: IntegrationContext<K>,
  ) => Promise<{ body: AsyncIterable<Buffer>; mime: string } | undefined>
}
