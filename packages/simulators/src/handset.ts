import type { KnownFault, Simulator } from './simulator.ts'

export type Media = { bytes: Buffer; mimeType: string; filename?: string }

export type MediaKind = 'image' | 'video' | 'audio' | 'voice' | 'document' | 'sticker'

export type Place = { latitude: number; longitude: number; name?: string; address?: string }

export type Card = { name: string; phone: string }

/** A piece of formatted text, positions in UTF-16 units as Telegram counts them. */
export type TextEntity = { type: string; offset: number; length: number; url?: string; language?: string }

export type Button = { id: string; title: string; url?: string; description?: string }

export type LineState = 'sending' | 'sent' | 'delivered' | 'read' | 'played' | 'failed'

/** One message as the customer's phone shows it. */
export type Line = {
  /** The provider's id of the message. */
  id: string
  from: 'customer' | 'business' | 'system'
  at: number
  /** The provider's own type name: text, image, interactive… */
  type: string
  text?: string
  entities?: TextEntity[]
  media?: Media
  place?: Place
  cards?: Card[]
  header?: string
  footer?: string
  buttons?: Button[]
  replyTo?: string
  reactions: { customer?: string; business?: string }
  state: LineState
  /** Why it failed, in words for the phone. */
  failure?: string
  isEdited?: boolean
  isDeleted?: boolean
  isRead?: boolean
  /** What the provider received or sent, untouched. */
  payload: unknown
}

/** A customer of any channel, as the phone page plays her. */
export type HandsetCustomer = {
  readonly id: string
  readonly name: string
  /** What identifies her on screen: phone, @name or code. */
  readonly handle: string
  readonly transcript: Line[]
  /** What the business sent. */
  readonly inbox: Line[]
  /** True while the business shows "digitando". */
  readonly isBusinessTyping: boolean
  /** Reads everything as it arrives. */
  autoRead: boolean
  read(): Promise<void>
  sendText(text: string, options?: { replyTo?: string }): Promise<string>
  sendMedia(kind: MediaKind, media: Media, caption?: string): Promise<string>
  sendPlace(place: Place): Promise<string>
  sendCard(card: Card): Promise<string>
  react(lineId: string, emoji: string): Promise<unknown>
  press(lineId: string, buttonId: string): Promise<unknown>
}

/** A simulator that a phone can be drawn for. */
export type Handset = Simulator & {
  readonly channel: 'whatsapp' | 'telegram'
  /** Who she is talking to, as her phone names it. */
  readonly businessName: string
  readonly businessHandle: string
  readonly customers: HandsetCustomer[]
  readonly knownFaults: KnownFault[]
  newCustomer(customer: { name: string; handle?: string }): HandsetCustomer
}
