/** What the host page (loader) and the chat (frame) say to each other by `postMessage`. */

import type { Preview } from './frame/preview.ts'

const NAMESPACE = 'balcao'
const VERSION = 1

export type Identity = { id?: string; name?: string; email?: string; phone?: string; hmac?: string; jwt?: string }
export type HostPage = { url: string; title: string; referrer?: string }
/** Small values the frame keeps in the host's first-party storage; its own may be partitioned or refused. */
export type Slots = Record<string, string>

export type HostMessage =
  | {
      type: 'host:init'
      payload: {
        slots: Slots
        identity: Identity | null
        page: HostPage
        isOpen: boolean
        offer?: Offer
        draft?: string
        preview?: Preview
      }
    }
  /** From our own editor alone: another look to be drawn. */
  | { type: 'host:preview'; payload: Preview }
  | { type: 'host:identify'; payload: { identity: Identity } }
  /** With the message of the company's that was taken up by opening. */
  | { type: 'host:open'; payload: { offer?: Offer } }
  | { type: 'host:close'; payload: object }
  | { type: 'host:page'; payload: HostPage }
  /** Answer to `frame:token-ask`; the token may have been rotated by another tab. */
  | { type: 'host:token'; payload: { token: string | null } }

export type FrameMessage =
  | { type: 'frame:ready' | 'frame:close' | 'frame:token-ask'; payload: object }
  | { type: 'frame:token'; payload: { token: string | null } }
  /** With the last of what was not read: who answered, and the beginning of it. */
  | { type: 'frame:unread'; payload: { count: number; last?: Waiting } }
  /** `full` while a picture is open, so that it may use the whole window. */
  | { type: 'frame:resize'; payload: { mode: 'panel' | 'full' } }
  | { type: 'frame:slot'; payload: { name: string; value: string | null } }

export type Waiting = { name: string; text: string }
/** A message the site begins with. */
export type Offer = { id: string; text: string }

type Wire = { type: string; payload: object }
/** `nonce` is drawn by the host for each iframe it creates; an iframe that was replaced can no longer be heard. */
export type Envelope<Message extends Wire> = Message & { ns: typeof NAMESPACE; v: typeof VERSION; nonce: string }

export const seal = <Message extends Wire>(message: Message, nonce: string): Envelope<Message> => ({
  ...message,
  ns: NAMESPACE,
  v: VERSION,
  nonce,
})

type Expected = { origin: string; source: MessageEventSource | null | undefined; nonce?: string }

/** The message inside, or undefined when it does not come from exactly the window and origin we expect. */
export const readFromFrame = (event: MessageEvent<unknown>, expected: Expected): FrameMessage | undefined =>
  isFrom<FrameMessage>(event, expected, 'frame:') ? event.data : undefined

export const readFromHost = (event: MessageEvent<unknown>, expected: Expected): Envelope<HostMessage> | undefined =>
  isFrom<HostMessage>(event, expected, 'host:') ? event.data : undefined

// Origin and window prove that our own code of this version is speaking, so only the outer shape is checked.
const isFrom = <Message extends Wire>(
  event: MessageEvent<unknown>,
  { origin, source, nonce }: Expected,
  prefix: string,
): event is MessageEvent<Envelope<Message>> => {
  const { data } = event
  return (
    Boolean(source) &&
    event.source === source &&
    event.origin === origin &&
    isRecord(data) &&
    data.ns === NAMESPACE &&
    data.v === VERSION &&
    isRecord(data.payload) &&
    typeof data.type === 'string' &&
    data.type.startsWith(prefix) &&
    (nonce === undefined || data.nonce === nonce)
  )
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
