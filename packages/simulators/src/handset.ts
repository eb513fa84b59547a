import type { KnownFault, Simulator } from './simulator.ts'

export type Media = { bytes: Buffer; mimeType: string; filename?: string }

export type MediaKind = 'image' | 'video' | 'audio' | 'voice' | 'document' | 'sticker'

export type Place = { latitude: number; longitude: number; name?: string; address?: string }

export type Card = { name: string; phone: string }

/** A piece of formatted text, positions in UTF-16 units as Telegram counts them. */
export type TextEntity = {
  type: string
  offset: number
  length: number
  url?: string
  language?: string
  user?: { id: number }
}

export type Poll = { question: string; options: string[]; isMultiple: boolean }

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
  /** A poll; its question is the text. Votes are places of options, by the id of who gave them. */
  poll?: Omit<Poll, 'question'> & { votes: Record<string, number[]> }
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
  /** Her phone neither quotes nor reacts, and sends no files. */
  readonly hasOnlyText?: boolean
  /** What her messages answer is not told. */
  readonly quotesNothing?: boolean
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
  sendPoll(poll: Poll): Promise<string>
  /** Chooses these options, by their places, and no others; none takes the vote back. */
  vote(lineId: string, options: number[]): Promise<unknown>
}

/** A poll as a phone shows it. */
export const shownPoll = ({ question, options, isMultiple }: Poll) => ({
  type: 'poll',
  text: question,
  poll: { options, isMultiple, votes: {} as Record<string, number[]> },
})
/** What these places of a poll say, once the vote is noted on it. */
export const noteVote = (line: Line | undefined, voter: string, options: number[]): string[] => {
  if (!line?.poll) return []
  line.poll.votes[voter] = options
  return options.flatMap((place) => line.poll?.options[place] ?? [])
}

export type HandsetField = {
  name: string
  label: string
  /** What stands in it at first. */
  value?: string
  isLong?: boolean
  isRequired?: boolean
  /** One of these, by what is sent and what is shown. */
  options?: Record<string, string>
}
type Asked = Record<string, string>
/** What may happen on this channel beside what every phone does: a button, which may ask for something first. */
export type HandsetAct = {
  id: string
  label: string
  /** On a message: one of hers, or one of the business. */
  of?: 'customer' | 'business'
  fields?: HandsetField[]
  run(customerId: string, values: Asked, lineId: string): Promise<unknown>
}
type ActOf<C> = Omit<HandsetAct, 'run'> & { run(customer: C, values: Asked, lineId: string): unknown }
/** The same, told of the customer herself. */
export const actsOf = <C extends HandsetCustomer>(customers: () => readonly C[], acts: ActOf<C>[]): HandsetAct[] =>
  acts.map((act) => ({
    ...act,
    run: async (customerId, values, lineId) => {
      const customer = customers().find(({ id }) => id === customerId)
      if (customer) return act.run(customer, values, lineId)
    },
  }))

/** A simulator that a phone can be drawn for. */
export type Handset = Simulator & {
  readonly channel: 'whatsapp' | 'telegram' | 'instagram' | 'messenger' | 'sms' | 'hub' | 'email'
  readonly acts?: HandsetAct[]
  /** Who she is talking to, as her phone names it. */
  readonly businessName: string
  readonly businessHandle: string
  readonly customers: HandsetCustomer[]
  readonly knownFaults: KnownFault[]
  newCustomer(customer: { name: string; handle?: string }): HandsetCustomer
  /** The phone of the business itself, where a code links it. */
  readonly ownPhoneLink?: {
    /** A code waits to be read. */
    isAwaited(): boolean
    scan(): Promise<void>
  }
}
